// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: "deep_copy with no available copy mechanism", or "views that would require a temporary allocation"
// upstream: #2603, #3567
// needs: a GPU
#include "Symptom.hpp"

#include <utility>

#ifdef SYMPTOM_HAS_GPU
symptom::Report strided_copy() {
  Kokkos::View<int**, Kokkos::LayoutLeft, symptom::Device> const matrix("matrix", 20, 30);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const sent("sent", 20, 30), received("received", 20, 30);
  auto const rows = std::make_pair(3, 11), columns = std::make_pair(5, 24);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 30; ++j) sent(i, j) = 100 * i + j;
  Kokkos::deep_copy(Kokkos::subview(matrix, rows, columns), Kokkos::subview(sent, rows, columns));
  Kokkos::deep_copy(Kokkos::subview(received, rows, columns), Kokkos::subview(matrix, rows, columns));
  int wrong = 0;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 30; ++j) {
      bool const inside = i >= 3 && i < 11 && j >= 5 && j < 24;
      wrong += received(i, j) != (inside ? sent(i, j) : 0);
    }
  return symptom::found(wrong != 0, std::to_string(wrong) + " elements are wrong.",
                        "A part of a matrix was copied to the device, into another layout, and back.");
}
#else
symptom::Report strided_copy() { return {symptom::Finding::not_here, "This Kokkos has no GPU backend."}; }
#endif
