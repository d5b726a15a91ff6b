// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: After Kokkos::sort of numbers with NaNs among them, the other numbers are not sorted
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

#include <Kokkos_Sort.hpp>

#include <cmath>

symptom::Report nan_sort() {
  constexpr int n = 3000;
  Kokkos::View<double*, Kokkos::HostSpace> const numbers("numbers", n);
  for (int i = 0; i < n; ++i) numbers(i) = i % 10 == 3 ? std::nan("") : (i * 7919) % 1009;
  Kokkos::sort(Kokkos::DefaultHostExecutionSpace(), numbers);
  Kokkos::fence();
  int wrong = 0;
  for (int i = 1; i < n; ++i)
    wrong += std::isnan(numbers(i - 1)) ? !std::isnan(numbers(i)) : numbers(i) < numbers(i - 1);
  return symptom::found(wrong != 0, std::to_string(wrong) + " of 2999 neighbours are in the wrong order.",
                        "All numbers are sorted, and NaNs come last.");
}
