// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that load only their functor, and in which all threads load the same data. One functor is passed by value,
// the other, which exceeds 4,096 bytes, through the ring. Both are read again after a store; the compiler must know
// that the store did not change them.
#include <Kokkos_Core.hpp>

template <int Bytes>
struct WriteNumbers {
  Kokkos::View<double*, Kokkos::HIPSpace> out;
  double numbers[Bytes / sizeof(double)];

  KOKKOS_FUNCTION void operator()(int i) const {
    out(i)     = numbers[3] + numbers[Bytes / sizeof(double) - 1];
    out(i + 1) = numbers[7];
  }
};

static_assert(sizeof(WriteNumbers<512>) <= Kokkos::Impl::HIPRuntime::by_value_limit);
static_assert(sizeof(WriteNumbers<8192>) > Kokkos::Impl::HIPRuntime::by_value_limit);

void write_numbers(Kokkos::View<double*, Kokkos::HIPSpace> const& out) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(0, 100), WriteNumbers<512>{out, {}});
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(0, 100), WriteNumbers<8192>{out, {}});
}
