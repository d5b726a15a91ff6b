// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_LARGE_FUNCTORS_HPP
#define KOKKOS_TEST_LARGE_FUNCTORS_HPP

// Functors of every size reach the device unchanged, even if more launches are in flight than any buffer has slots.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace Test {

namespace LargeFunctors {

// Adds its own words. If the functor is overwritten while its kernel runs, the sum differs.
template <int Words>
struct SumOfItself {
  Kokkos::View<long*, TEST_EXECSPACE> sums;
  int where;
  int words[Words];

  SumOfItself(Kokkos::View<long*, TEST_EXECSPACE> const& sums_, int where_) : sums(sums_), where(where_) {
    for (int i = 0; i < Words; ++i) words[i] = where + i;
  }
  KOKKOS_FUNCTION void operator()(int) const {
    long sum = 0;
    for (int i = 0; i < Words; ++i) sum += words[i];
    sums(where) = sum;
  }
  static long expected(int where) { return long(Words) * where + long(Words) * (Words - 1) / 2; }
};

template <int Words>
void launch_many(int launches) {
  Kokkos::View<long*, TEST_EXECSPACE> sums("sums", launches);
  {
    auto parts = Kokkos::Experimental::partition_space(TEST_EXECSPACE(), 1, 1);
    for (int i = 0; i < launches; ++i)
      Kokkos::parallel_for("sum", Kokkos::RangePolicy<TEST_EXECSPACE>(parts[i % 2], 0, 1), SumOfItself<Words>(sums, i));
    for (auto& part : parts) part.fence();
  }
  auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (int i = 0; i < launches; ++i)
    ASSERT_EQ(on_host(i), SumOfItself<Words>::expected(i)) << Words << " words, launch " << i;
}

}  // namespace LargeFunctors

TEST(TEST_CATEGORY, large_functors_arrive_whole) {
  LargeFunctors::launch_many<16>(300);
  LargeFunctors::launch_many<130>(300);
  LargeFunctors::launch_many<1020>(300);
  LargeFunctors::launch_many<1030>(300);
  LargeFunctors::launch_many<8100>(300);
  LargeFunctors::launch_many<16384>(300);
}

}  // namespace Test

#endif
