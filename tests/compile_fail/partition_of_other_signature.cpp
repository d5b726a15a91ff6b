// expect: the execution space has instances of its own, so it needs impl_partition
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

struct Space {
  int impl_instance() const;
  void impl_partition(float const* weights, int count, Space* parts) const;
};

void f(Space const& space, double const* weights, Space* parts) { Kokkos::Impl::partition(space, weights, 2, parts); }
