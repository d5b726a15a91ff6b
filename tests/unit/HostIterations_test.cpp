// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts of index ranges that threads of hosts run, where the number of indices exceeds the range of their type.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using Kokkos::Impl::HostPart;
using Policy     = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<int>>;
using Iterations = Kokkos::Impl::HostIterations<Policy>;

constexpr int first = -2000000000, end = 2000000000;

TEST(HostIterations, ReachTheEndOfMoreThanIntMaxIndices) {
  Iterations const iterations(Policy(first, end));
  ASSERT_EQ(iterations.count(), 4000000000u);
  for (std::uint64_t const begin : {std::uint64_t(0), std::uint64_t(2147483646), iterations.count() - 3}) {
    std::vector<std::int64_t> seen, expected;
    for (int k = 0; k < 3; ++k) expected.push_back(first + static_cast<std::int64_t>(begin) + k);
    iterations.run<int>(HostPart{begin, begin + 3}, [&](int i) { seen.push_back(i); });
    EXPECT_EQ(seen, expected);
    seen.clear();
    iterations.run_lanes<int, 4>(HostPart{begin, begin + 3}, [&](int i, int) { seen.push_back(i); });
    EXPECT_EQ(seen, expected);
    auto const stretch = iterations.stretch(HostPart{begin, begin + 3});
    EXPECT_EQ(stretch.begin, expected.front());
    EXPECT_EQ(stretch.end, expected.back() + 1);
  }
}

}  // namespace
