// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_ASYNC_PAGEABLE_COPY_HPP
#define KOKKOS_TEST_ASYNC_PAGEABLE_COPY_HPP

// Copies between memory of malloc and a device, in the order of instances, are complete when the instance has been
// waited for, whether or not they are asynchronous (Kokkos_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES).

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstddef>

namespace Test {

namespace AsyncPageableCopy {

struct AddOne {
  Kokkos::View<int*, TEST_EXECSPACE> view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

inline void there_and_back(std::size_t n) {
  auto parts = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), 1, 1);
  using Host = Kokkos::View<int*, Kokkos::HostSpace>;
  Host from[2] = {Host("from 0", n), Host("from 1", n)}, back[2] = {Host("back 0", n), Host("back 1", n)};
  Kokkos::View<int*, TEST_EXECSPACE> device[2] = {Kokkos::View<int*, TEST_EXECSPACE>("device 0", n),
                                                  Kokkos::View<int*, TEST_EXECSPACE>("device 1", n)};
  for (int k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < n; ++i) from[k](i) = int(i) + 1000000 * k;
  for (int k = 0; k < 2; ++k) {
    Kokkos::deep_copy(parts[k], device[k], from[k]);
    Kokkos::parallel_for("add", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[k], 0, int(n)), AddOne{device[k]});
    Kokkos::deep_copy(parts[k], back[k], device[k]);
  }
  for (auto& part : parts) part.fence();
  for (int k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(back[k](i), from[k](i) + 1) << "element " << i << " of " << n;
}

}  // namespace AsyncPageableCopy

TEST(TEST_CATEGORY, copies_in_the_order_of_instances) {
  AsyncPageableCopy::there_and_back(1);
  AsyncPageableCopy::there_and_back(1000);
  AsyncPageableCopy::there_and_back(100001);
  AsyncPageableCopy::there_and_back(10000000);
}

}  // namespace Test

#endif
