// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// RangePolicy: its bounds, its chunk size, and its constructors.

#include "TestSpaces.hpp"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

using Kokkos::ChunkSize;
using Kokkos::RangePolicy;

template <class Space>
class RangePolicyTest : public ::testing::Test {};
TYPED_TEST_SUITE(RangePolicyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(RangePolicyTest, DefaultIsEmpty) {
  RangePolicy<TypeParam> policy;
  EXPECT_EQ(policy.begin(), policy.end());
  EXPECT_GE(policy.chunk_size(), 1u);
  EXPECT_EQ(policy.space(), TypeParam());
}

TYPED_TEST(RangePolicyTest, KeepsBoundsChunkAndInstance) {
  RangePolicy<TypeParam> policy(5, 15);
  EXPECT_EQ(policy.begin(), 5u);
  EXPECT_EQ(policy.end(), 15u);

  RangePolicy<TypeParam> chunked(5, 15, ChunkSize(10));
  EXPECT_EQ(chunked.chunk_size(), 10u);

  auto const parts = Kokkos::partition_space(TypeParam(), 1);
  RangePolicy<TypeParam> placed(parts[0], 2, 3);
  EXPECT_EQ(placed.space(), parts[0]);
  RangePolicy<TypeParam> both(parts[0], 2, 3, ChunkSize(7));
  EXPECT_EQ(both.space(), parts[0]);
  EXPECT_EQ(both.begin(), 2u);
  EXPECT_EQ(both.end(), 3u);
  EXPECT_EQ(both.chunk_size(), 7u);
}

TYPED_TEST(RangePolicyTest, SetChunkSizeReturnsThePolicy) {
  RangePolicy<TypeParam> policy(0, 1000000);
  auto const chosen = policy.chunk_size();
  EXPECT_GE(chosen, 1u);
  EXPECT_LE(chosen, 1000000u);
  EXPECT_EQ(&policy.set_chunk_size(33), &policy);
  EXPECT_EQ(policy.chunk_size(), 33u);
  policy.set_chunk_size(0);
  EXPECT_EQ(policy.chunk_size(), chosen);
}

TYPED_TEST(RangePolicyTest, BoundsOfOtherTypesAreTakenIfTheyFit) {
  RangePolicy<TypeParam, Kokkos::IndexType<int>> from_wide(std::size_t{3}, std::int64_t{7});
  EXPECT_EQ(from_wide.begin(), 3);
  EXPECT_EQ(from_wide.end(), 7);
  RangePolicy<TypeParam, std::int64_t> negative(-3, 4u);
  EXPECT_EQ(negative.begin(), -3);
  EXPECT_EQ(negative.end(), 4);
  enum Bound { low = 2, high = 9 };
  RangePolicy<TypeParam> from_enum(low, high);
  EXPECT_EQ(from_enum.end(), 9u);
}

// Bounds that the index type cannot represent, and bounds in the wrong order: refused, or, with deprecated code of
// version 4, treated as in that version.

template <class Policy, class Begin, class End>
void expect_fault([[maybe_unused]] Begin begin, [[maybe_unused]] End end, [[maybe_unused]] char const* value) {
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  using Index   = typename Policy::index_type;
  Index const b = static_cast<Index>(begin), e = static_cast<Index>(end);
  bool const none = e < b || Kokkos::Impl::is_below(end, begin);
  Policy const policy(begin, end);
  EXPECT_EQ(policy.begin(), none ? Index{0} : b);
  EXPECT_EQ(policy.end(), none ? Index{0} : e);
#else
  try {
    Policy const policy(begin, end);
    ADD_FAILURE() << "no exception about " << value;
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find(value), std::string::npos) << error.what();
  }
#endif
}

TYPED_TEST(RangePolicyTest, BoundsThatDoNotFit) {
  using Small    = RangePolicy<TypeParam, Kokkos::IndexType<signed char>>;
  using Int      = RangePolicy<TypeParam, Kokkos::IndexType<int>>;
  using Unsigned = RangePolicy<TypeParam, Kokkos::IndexType<unsigned>>;
  using Wide     = RangePolicy<TypeParam, Kokkos::IndexType<std::int64_t>>;
  expect_fault<Small>(0, 128, "128");
  expect_fault<Int>(0, std::int64_t{1} << 40, "1099511627776");
  expect_fault<Int>(0, 4000000000u, "4000000000");
  expect_fault<Unsigned>(-1, 5, "-1");
  expect_fault<Unsigned>(0, -1, "-1");
  expect_fault<Wide>(0, std::numeric_limits<std::uint64_t>::max(), "18446744073709551615");
  Small const all(-128, 127);
  EXPECT_EQ(all.begin(), -128);
  EXPECT_EQ(all.end(), 127);
  Wide const widest(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  EXPECT_LT(widest.begin(), widest.end());
}

TYPED_TEST(RangePolicyTest, InvertedBounds) {
  expect_fault<RangePolicy<TypeParam>>(10, 5, "lower bound (10) is greater than the upper bound (5)");
  expect_fault<RangePolicy<TypeParam, int>>(-5, -10, "lower bound (-5) is greater than the upper bound (-10)");
  expect_fault<RangePolicy<TypeParam>>(3, std::uint8_t{1}, "lower bound (3)");
}

TEST(PolicyFaults, AreDescribedInASentence) {
  using Kokkos::Impl::AnyInteger;
  EXPECT_EQ(
      Kokkos::Impl::describe_bound("RangePolicy", AnyInteger::of(-1), 32, false),
      "Kokkos::RangePolicy: the bound -1 does not fit the policy's index type, which is an unsigned integer of 32 "
      "bits. Give the policy an index type that can represent it, for example Kokkos::IndexType<std::int64_t>.");
  EXPECT_EQ(Kokkos::Impl::describe_inverted("RangePolicy", -1, AnyInteger::of(10u), AnyInteger::of(-5)),
            "Kokkos::RangePolicy bounds error: The lower bound (10) is greater than the upper bound (-5). A range must "
            "be ascending; "
            "an empty one has equal bounds.");
  EXPECT_EQ(
      Kokkos::Impl::describe_inverted("MDRangePolicy", 1, AnyInteger::of(std::numeric_limits<std::uint64_t>::max()),
                                      AnyInteger::of(std::numeric_limits<std::int64_t>::min())),
      "Kokkos::MDRangePolicy bounds error: The lower bound (18446744073709551615) is greater than the upper bound "
      "(-9223372036854775808) in dimension 1. A range must be ascending; an empty one has equal bounds.");
}

TEST(PolicyFaults, ComparisonsOfAnyTypes) {
  using Kokkos::Impl::is_below;
  EXPECT_TRUE(is_below(-1, 0u));
  EXPECT_FALSE(is_below(0u, -1));
  EXPECT_TRUE(is_below(-2, -1));
  EXPECT_FALSE(is_below(-1, -2));
  EXPECT_TRUE(is_below(1, 2u));
  EXPECT_FALSE(is_below(2u, 2));
  EXPECT_TRUE(is_below(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()));
}

TYPED_TEST(RangePolicyTest, ConvertsToOtherProperties) {
  struct Tag {};
  RangePolicy<TypeParam> plain(3, 8, ChunkSize(2));
  RangePolicy<TypeParam, Tag, Kokkos::Schedule<Kokkos::Dynamic>, int> other(plain);
  EXPECT_EQ(other.begin(), 3);
  EXPECT_EQ(other.end(), 8);
  EXPECT_EQ(other.chunk_size(), 2);
  static_assert(std::is_same_v<typename decltype(other)::work_tag, Tag>);
}

// ---- deduction ----------------------------------------------------------------------------------------------------

struct ToInt64 {
  operator std::int64_t() const { return 7; }
};
struct ToDefaultSpace {
  operator Kokkos::DefaultExecutionSpace() const { return {}; }
};

TEST(RangePolicyDeduction, DefaultSpaceNeedsNoName) {
  Kokkos::DefaultExecutionSpace space;
  RangePolicy none;
  RangePolicy bounds(std::int64_t{1}, std::int64_t{2});
  RangePolicy ints(1, 2);
  RangePolicy converted(ToInt64{}, ToInt64{});
  RangePolicy chunked(1, 2, ChunkSize(3));
  RangePolicy placed(space, 1, 2);
  RangePolicy placed_chunked(space, 1, 2, ChunkSize(3));
  RangePolicy placed_converted(ToDefaultSpace{}, 1, 2);
  RangePolicy copied(placed);
  static_assert(std::is_same_v<decltype(none), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(bounds), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(ints), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(converted), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(chunked), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(placed), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(placed_chunked), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(placed_converted), RangePolicy<>>);
  static_assert(std::is_same_v<decltype(copied), RangePolicy<>>);
  EXPECT_EQ(converted.begin(), 7u);
  EXPECT_EQ(placed_chunked.chunk_size(), 3u);
}

TYPED_TEST(RangePolicyTest, SpaceIsDeduced) {
  using Expected = std::conditional_t<std::is_same_v<TypeParam, Kokkos::DefaultExecutionSpace>, RangePolicy<>,
                                      RangePolicy<TypeParam>>;
  RangePolicy placed(TypeParam(), 1, 2);
  RangePolicy chunked(TypeParam(), 1, 2, ChunkSize(3));
  static_assert(std::is_same_v<decltype(placed), Expected>);
  static_assert(std::is_same_v<decltype(chunked), Expected>);
  EXPECT_EQ(placed.end(), 2u);
  EXPECT_EQ(chunked.chunk_size(), 3u);
}

}  // namespace
