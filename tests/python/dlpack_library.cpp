// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that dlpack_test.py loads by ctypes: it gives NumPy a view, and makes a view of an array.
#include <Kokkos_Core.hpp>
#include <Kokkos_DLPack.hpp>

#include <cstdio>
#include <exception>

namespace {
using Matrix  = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Strided = Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace>;
Matrix& matrix() {
  static Matrix shared;
  return shared;
}
}  // namespace

extern "C" {
void start() {
  Kokkos::initialize();
  matrix() = Matrix("matrix", 3, 4);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) matrix()(i, j) = 10. * double(i) + double(j);
}
void finish() {
  matrix() = {};
  Kokkos::finalize();
}
double element(int i, int j) { return matrix()(i, j); }
int use_count() { return matrix().use_count(); }
void* tensor_of_matrix() { return Kokkos::Experimental::to_dlpack(matrix()); }
/// Multiplies the elements of a tensor by two and gives it back.
int double_all(void* tensor) {
  try {
    auto const view =
        Kokkos::Experimental::from_dlpack<Strided>(static_cast<Kokkos::Experimental::DLPack::ManagedTensor*>(tensor));
    for (std::size_t i = 0; i < view.extent(0); ++i)
      for (std::size_t j = 0; j < view.extent(1); ++j) view(i, j) *= 2;
    return 0;
  } catch (std::exception const& e) {
    std::puts(e.what());
    return 1;
  }
}
}
