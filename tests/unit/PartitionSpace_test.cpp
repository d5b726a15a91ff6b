// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// partition_space: one instance for each weight, each of which can run kernels independently.

#include "Messages.hpp"
#include "PatternTest.hpp"

#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <class Space>
class PartitionSpaceTest : public ::testing::Test {};
TYPED_TEST_SUITE(PartitionSpaceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
long sum_in(Space const& space, int n) {
  long sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, n), KOKKOS_LAMBDA(int i, long& s) { s += i; }, sum);
  return sum;
}

TYPED_TEST(PartitionSpaceTest, AnArrayForArguments) {
  auto parts = Kokkos::partition_space(TypeParam(), 1, 2.5, 1u);
  static_assert(std::is_same_v<decltype(parts), std::array<TypeParam, 3>>);
  for (auto const& part : parts) {
    EXPECT_GE(part.concurrency(), 1);
    EXPECT_EQ(sum_in(part, 1000), 499500);
  }
  auto [first, second] = Kokkos::partition_space(TypeParam(), 1, 1);
  EXPECT_EQ(sum_in(first, 10), 45);
  EXPECT_EQ(sum_in(second, 10), 45);
}

TYPED_TEST(PartitionSpaceTest, AVectorForAVector) {
  std::vector<int> const weights = {1, 1, 1, 1};
  auto parts                     = Kokkos::partition_space(TypeParam(), weights);
  static_assert(std::is_same_v<decltype(parts), std::vector<TypeParam>>);
  ASSERT_EQ(parts.size(), 4u);
  for (auto const& part : parts) EXPECT_EQ(sum_in(part, 1000), 499500);
  EXPECT_EQ(Kokkos::partition_space(TypeParam(), std::vector<double>{1}).size(), 1u);
  EXPECT_TRUE(Kokkos::partition_space(TypeParam(), std::vector<double>{}).empty());
}

// Also a space that ignores the weights refuses those that divide nothing, so a program behaves alike everywhere.
TYPED_TEST(PartitionSpaceTest, RefusesWeightsThatDivideNothing) {
  auto const message = [](std::vector<double> const& weights) {
    return Kokkos::Testing::thrown_message([&] { (void)Kokkos::partition_space(TypeParam(), weights); });
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double w : {-1.0, -1e-300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    for (auto const& weights : {std::vector<double>{1, w}, {w, 1}, {1, 2, w, 3}})
      Kokkos::Testing::expect_all(
          message(weights),
          {"was given the weight " + std::to_string(w) + ";",
           "weights must be finite and not negative. Pass the share of each instance, such as 1 and 3."});
  }
  for (auto const& zeros : {std::vector<double>{0}, std::vector<double>{0, -0.0}})
    Kokkos::Testing::expect_all(message(zeros), {"was given only weights of 0; at least one must be positive"});
  EXPECT_EQ(message({0, 1}), "");
  EXPECT_EQ(message({1e-300, 1e308}), "");
  // The other forms check, too.
  EXPECT_THROW((void)Kokkos::partition_space(TypeParam(), 1, -1), std::runtime_error);
  EXPECT_THROW((void)Kokkos::partition_space(TypeParam(), std::array<int, 2>{0, 0}), std::runtime_error);
}

TYPED_TEST(PartitionSpaceTest, AnArrayForAnArray) {
  auto parts = Kokkos::partition_space(TypeParam(), std::array<double, 2>{1, 2});
  static_assert(std::is_same_v<decltype(parts), std::array<TypeParam, 2>>);
  for (auto const& part : parts) EXPECT_EQ(sum_in(part, 1000), 499500);
}

TYPED_TEST(PartitionSpaceTest, EveryFormTakesEachWeight) {
  for (auto const& [first, second] : {std::pair(1, 1), std::pair(3, 1), std::pair(0, 1), std::pair(1, 0)}) {
    auto const expected  = Kokkos::partition_space(TypeParam(), first, second);
    auto const of_array  = Kokkos::partition_space(TypeParam(), std::array<int, 2>{first, second});
    auto const of_vector = Kokkos::partition_space(TypeParam(), std::vector<int>{first, second});
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(of_array[i].concurrency(), expected[i].concurrency()) << first << ' ' << second;
      EXPECT_EQ(of_vector[i].concurrency(), expected[i].concurrency()) << first << ' ' << second;
    }
  }
}

TYPED_TEST(PartitionSpaceTest, AlsoUnderItsFormerName) {
  auto parts = Kokkos::Experimental::partition_space(TypeParam(), 1, 1);
  EXPECT_EQ(sum_in(parts[1], 10), 45);
  EXPECT_EQ(Kokkos::Experimental::partition_space(TypeParam(), std::vector<int>{2, 1}).size(), 2u);
}

TYPED_TEST(PartitionSpaceTest, ThePartsOutliveTheWhole) {
  std::array<TypeParam, 2> parts = [] {
    auto whole = Kokkos::partition_space(TypeParam(), 1);
    return Kokkos::partition_space(whole[0], 1, 1);
  }();
  EXPECT_EQ(sum_in(parts[0], 100), 4950);
  EXPECT_EQ(sum_in(parts[1], 100), 4950);
}

}  // namespace
