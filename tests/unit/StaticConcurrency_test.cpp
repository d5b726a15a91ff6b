// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// With DEPRECATED_CODE_4, concurrency() of a space needs no instance, as in Kokkos 4. Without it, concurrency() belongs to
/// its instance, as in Kokkos 5.

#include "TestSpaces.hpp"

#include <vector>

namespace {

template <class Space>
class StaticConcurrencyTest : public ::testing::Test {};
TYPED_TEST_SUITE(StaticConcurrencyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
std::vector<Space> parts_of_default() {
  int const threads = Space().impl_concurrency();
  return Kokkos::partition_space(Space(), std::vector<int>(threads == 2 ? 2 : 1, 1));
}

#ifdef KOKKOS_ENABLE_STATIC_CONCURRENCY
TYPED_TEST(StaticConcurrencyTest, IsThatOfTheDefaultInstance) {
  int const threads = TypeParam().impl_concurrency();
  EXPECT_EQ(TypeParam::concurrency(), threads);
  for (TypeParam const& part : parts_of_default<TypeParam>()) {
    EXPECT_EQ(part.concurrency(), threads);
    EXPECT_EQ(part.impl_concurrency(), threads == 2 ? 1 : threads) << "what the library uses";
  }
}
#else
TYPED_TEST(StaticConcurrencyTest, IsThatOfTheInstance) {
  for (TypeParam const& part : parts_of_default<TypeParam>()) EXPECT_EQ(part.concurrency(), part.impl_concurrency());
}
#endif

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
/// The configuration that users get if they choose nothing.
TEST(StaticConcurrencyTest, ComesWithTheDeprecatedNames) {
  EXPECT_EQ(Kokkos::DefaultExecutionSpace::concurrency(), Kokkos::DefaultExecutionSpace().impl_concurrency());
}
#endif

}  // namespace
