// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos_ENABLE_LEAN_HEADERS: Kokkos_Core.hpp includes few standard headers, and works with those that a program includes
/// after it.

#define KOKKOS_ENABLE_LEAN_HEADERS
#include <Kokkos_Core.hpp>

// Each of these takes 5 to 10 % of the time in which a small program compiles. Headers of device backends need <vector>.
#if defined(__GLIBCXX__) && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
#if defined(_GLIBCXX_VECTOR) || defined(_GLIBCXX_MEMORY) || defined(_GLIBCXX_FUNCTIONAL) || \
    defined(_GLIBCXX_ALGORITHM) || defined(_GLIBCXX_IOSTREAM) || defined(_GLIBCXX_CHRONO)
#error \
    "A header of Kokkos_Core.hpp includes one of <vector>, <memory>, <functional>, <algorithm>, <iostream> and <chrono>."
#endif
#endif

#include <Kokkos_IdleMemory.hpp>
#include <Kokkos_MemoryResource.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace {

TEST(LeanHeadersTest, VectorsThatAreIncludedAfterwards) {
  auto const parts = Kokkos::partition_space(Kokkos::DefaultExecutionSpace(), std::vector<int>{1, 2});
  static_assert(std::is_same_v<decltype(parts), std::vector<Kokkos::DefaultExecutionSpace> const>);
  EXPECT_EQ(parts.size(), 2u);
}

TEST(LeanHeadersTest, ExtensionsHaveHeadersOfTheirOwn) {
  Kokkos::Experimental::MemoryResource<Kokkos::HostSpace> const pool("pool", 4096);
  EXPECT_EQ(pool.size(), 4096u);
  EXPECT_TRUE(Kokkos::Experimental::memory_by_label<Kokkos::HostSpace>().empty());
}

}  // namespace
