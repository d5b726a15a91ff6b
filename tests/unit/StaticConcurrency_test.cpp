// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Programs for Kokkos 4 call concurrency() of a space without an instance.

#define KOKKOS_ENABLE_STATIC_CONCURRENCY

#include "TestSpaces.hpp"

#include <vector>

namespace {

template <class Space>
class StaticConcurrencyTest : public ::testing::Test {};
TYPED_TEST_SUITE(StaticConcurrencyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(StaticConcurrencyTest, IsThatOfTheDefaultInstance) {
  int const threads = TypeParam().impl_concurrency();
  EXPECT_EQ(TypeParam::concurrency(), threads);
  for (TypeParam const& part : Kokkos::partition_space(TypeParam(), std::vector<int>(threads == 2 ? 2 : 1, 1))) {
    EXPECT_EQ(part.concurrency(), threads);
    EXPECT_EQ(part.impl_concurrency(), threads == 2 ? 1 : threads) << "what the library uses";
  }
}

}  // namespace
