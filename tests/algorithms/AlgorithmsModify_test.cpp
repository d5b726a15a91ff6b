// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised starts-first
/// \file
/// Algorithms that assign, copy, move and reorder elements.

#include "AlgorithmTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class Space>
class AlgorithmsModifyTest : public ::testing::Test {
  void TearDown() override { Journal::of_this_test().expect_as_in(journal_of<Space>("Algorithms")); }
};
TYPED_TEST_SUITE(AlgorithmsModifyTest, PatternSpaces, SpaceName);

// Elements with unspecified values are set to 0 after an algorithm.

// clang-format off
KOKKOS_TEST_CASE(ForEach, KE::for_each(w, a, Increment()); return at(b, KE::for_each_n(w, b, b.extent(0) / 2, Increment()));,
                 KE::for_each(w, a, ae, Increment()); return KE::for_each_n(w, b, (be - b) / 2, Increment()) - b;,
                 std::for_each(a.begin(), a.end(), Increment()); return at(b, std::for_each_n(b.begin(), b.size() / 2, Increment()));)
KOKKOS_TEST_CASE(Fill, KE::fill(w, a, 5); return at(b, KE::fill_n(w, b, b.extent(0) / 2, 6)) + at(c, KE::fill_n(w, c, -1, 6));,
                 KE::fill(w, a, ae, 5); return (KE::fill_n(w, b, (be - b) / 2, 6) - b) + (KE::fill_n(w, c, -1, 6) - c);,
                 std::fill(a.begin(), a.end(), 5); return at(b, std::fill_n(b.begin(), b.size() / 2, 6));)
KOKKOS_TEST_CASE(Generate, KE::generate(w, a, Seven()); return at(b, KE::generate_n(w, b, b.extent(0) / 2, Seven()));,
                 KE::generate(w, a, ae, Seven()); return KE::generate_n(w, b, (be - b) / 2, Seven()) - b;,
                 std::fill(a.begin(), a.end(), 7); return at(b, std::fill_n(b.begin(), b.size() / 2, 7));)
KOKKOS_TEST_CASE(Copy, return at(c, KE::copy(w, a, c)) + 1000 * at(b, KE::copy_n(w, a, a.extent(0) / 2, b));,
                 return (KE::copy(w, a, ae, c) - c) + 1000 * (KE::copy_n(w, a, (ae - a) / 2, b) - b);,
                 long const r = at(c, std::copy(a.begin(), a.end(), c.begin()));
                 return r + 1000 * at(b, std::copy_n(a.begin(), a.size() / 2, b.begin()));)
KOKKOS_TEST_CASE(CopyBackward, return at(c, KE::copy_backward(w, Kokkos::subview(a, Kokkos::pair<int, int>(0, static_cast<int>(a.extent(0)) / 2)), c));,
                 return KE::copy_backward(w, a, a + (ae - a) / 2, c + (ae - a)) - c;,
                 return at(c, std::copy_backward(a.begin(), a.begin() + a.size() / 2, c.end()));)
KOKKOS_TEST_CASE(Move, return at(c, KE::move(w, typename V::const_type(a), c));, return KE::move(w, a, ae, c) - c;,
                 return at(c, std::move(a.begin(), a.end(), c.begin()));)
KOKKOS_TEST_CASE(MoveBackward, return at(c, KE::move_backward(w, Kokkos::subview(a, Kokkos::pair<int, int>(0, static_cast<int>(a.extent(0)) / 2)), c));,
                 return KE::move_backward(w, a, a + (ae - a) / 2, c + (ae - a)) - c;,
                 return at(c, std::move_backward(a.begin(), a.begin() + a.size() / 2, c.end()));)
KOKKOS_TEST_CASE(CopyIf, return at(c, KE::copy_if(w, a, c, IsOdd()));, return KE::copy_if(w, a, ae, c, IsOdd()) - c;,
                 return at(c, std::copy_if(a.begin(), a.end(), c.begin(), IsOdd()));)
KOKKOS_TEST_CASE(Transform, return at(c, KE::transform(w, a, b, c, Mix())) + 1000 * at(b, KE::transform(w, a, b, TimesThree()));,
                 return (KE::transform(w, a, ae, b, c, Mix()) - c) + 1000 * (KE::transform(w, a, ae, b, TimesThree()) - b);,
                 long const r = at(c, std::transform(a.begin(), a.end(), b.begin(), c.begin(), Mix()));
                 return r + 1000 * at(b, std::transform(a.begin(), a.end(), b.begin(), TimesThree()));)
KOKKOS_TEST_CASE(Replace, KE::replace(w, a, 2, 9); KE::replace_if(w, b, IsOdd(), 8); return 0;,
                 KE::replace(w, a, ae, 2, 9); KE::replace_if(w, b, be, IsOdd(), 8); return 0;,
                 std::replace(a.begin(), a.end(), 2, 9); std::replace_if(b.begin(), b.end(), IsOdd(), 8); return 0;)
KOKKOS_TEST_CASE(ReplaceCopy, return at(c, KE::replace_copy(w, a, c, 2, 9)) + 1000 * at(b, KE::replace_copy_if(w, a, b, IsOdd(), 8));,
                 return (KE::replace_copy(w, a, ae, c, 2, 9) - c) + 1000 * (KE::replace_copy_if(w, a, ae, b, IsOdd(), 8) - b);,
                 long const r = at(c, std::replace_copy(a.begin(), a.end(), c.begin(), 2, 9));
                 return r + 1000 * at(b, std::replace_copy_if(a.begin(), a.end(), b.begin(), IsOdd(), 8));)
KOKKOS_TEST_CASE(Remove, auto const e = KE::remove(w, a, 2); KE::fill(w, e, KE::end(a), 0); auto const f = KE::remove_if(w, b, IsOdd());
                 KE::fill(w, f, KE::end(b), 0); return at(a, e) + 1000 * at(b, f);,
                 auto const e = KE::remove(w, a, ae, 2); KE::fill(w, e, ae, 0); auto const f = KE::remove_if(w, b, be, IsOdd());
                 KE::fill(w, f, be, 0); return (e - a) + 1000 * (f - b);,
                 auto const e = std::remove(a.begin(), a.end(), 2); std::fill(e, a.end(), 0);
                 auto const f = std::remove_if(b.begin(), b.end(), IsOdd()); std::fill(f, b.end(), 0);
                 return at(a, e) + 1000 * at(b, f);)
KOKKOS_TEST_CASE(RemoveCopy, return at(c, KE::remove_copy(w, a, c, 2)) + 1000 * at(b, KE::remove_copy_if(w, a, b, IsOdd()));,
                 return (KE::remove_copy(w, a, ae, c, 2) - c) + 1000 * (KE::remove_copy_if(w, a, ae, b, IsOdd()) - b);,
                 long const r = at(c, std::remove_copy(a.begin(), a.end(), c.begin(), 2));
                 return r + 1000 * at(b, std::remove_copy_if(a.begin(), a.end(), b.begin(), IsOdd()));)
KOKKOS_TEST_CASE(Unique, auto const e = KE::unique(w, a); KE::fill(w, e, KE::end(a), 0); auto const f = KE::unique(w, b, NearlyEqual());
                 KE::fill(w, f, KE::end(b), 0); return at(a, e) + 1000 * at(b, f);,
                 auto const e = KE::unique(w, a, ae); KE::fill(w, e, ae, 0); auto const f = KE::unique(w, b, be, NearlyEqual());
                 KE::fill(w, f, be, 0); return (e - a) + 1000 * (f - b);,
                 auto const e = std::unique(a.begin(), a.end()); std::fill(e, a.end(), 0);
                 auto const f = std::unique(b.begin(), b.end(), NearlyEqual()); std::fill(f, b.end(), 0);
                 return at(a, e) + 1000 * at(b, f);)
KOKKOS_TEST_CASE(UniqueCopy, return at(c, KE::unique_copy(w, a, c)) + 1000 * at(b, KE::unique_copy(w, a, b, NearlyEqual()));,
                 return (KE::unique_copy(w, a, ae, c) - c) + 1000 * (KE::unique_copy(w, a, ae, b, NearlyEqual()) - b);,
                 long const r = at(c, std::unique_copy(a.begin(), a.end(), c.begin()));
                 return r + 1000 * at(b, std::unique_copy(a.begin(), a.end(), b.begin(), NearlyEqual()));)
KOKKOS_TEST_CASE(Reverse, KE::reverse(w, b); return at(c, KE::reverse_copy(w, a, c));,
                 KE::reverse(w, b, be); return KE::reverse_copy(w, a, ae, c) - c;,
                 std::reverse(b.begin(), b.end()); return at(c, std::reverse_copy(a.begin(), a.end(), c.begin()));)
KOKKOS_TEST_CASE(Rotate, return at(b, KE::rotate(w, b, b.extent(0) / 3)) + 1000 * at(c, KE::rotate_copy(w, a, a.extent(0) / 3, c));,
                 return (KE::rotate(w, b, b + (be - b) / 3, be) - b) + 1000 * (KE::rotate_copy(w, a, a + (ae - a) / 3, ae, c) - c);,
                 long const r = at(b, std::rotate(b.begin(), b.begin() + b.size() / 3, b.end()));
                 return r + 1000 * at(c, std::rotate_copy(a.begin(), a.begin() + a.size() / 3, a.end(), c.begin()));)
// The standard does not specify the values that the shifts leave behind; here they are unchanged.
inline Ints shifted(Ints v, int by) {
  int const n = static_cast<int>(v.size());
  Ints const before = v;
  for (int i = 0; i < n; ++i)
    if (i + by >= 0 && i + by < n) v[i + by] = before[i];
  return v;
}
KOKKOS_TEST_CASE(ShiftLeft, return at(a, KE::shift_left(w, a, 3)) + 1000 * at(b, KE::shift_left(w, b, 0));,
                 return (KE::shift_left(w, a, ae, 3) - a) + 1000 * (KE::shift_left(w, b, be, 0) - b);,
                 long const n = static_cast<long>(a.size()); a = shifted(a, -3); return std::max(n - 3, 0L) + 1000 * n;)
KOKKOS_TEST_CASE(ShiftRight, return at(a, KE::shift_right(w, a, 3)) + 1000 * at(b, KE::shift_right(w, b, 0));,
                 return (KE::shift_right(w, a, ae, 3) - a) + 1000 * (KE::shift_right(w, b, be, 0) - b);,
                 long const n = static_cast<long>(a.size()); a = shifted(a, 3); return std::min(n, 3L);)
KOKKOS_TEST_CASE(SwapRanges, return at(c, KE::swap_ranges(w, a, c));, return KE::swap_ranges(w, a, ae, c) - c;,
                 return at(c, std::swap_ranges(a.begin(), a.end(), c.begin()));)
KOKKOS_TEST_CASE(PartitionCopy, auto const p = KE::partition_copy(w, a, b, c, IsOdd()); return at(b, p.first) + 1000 * at(c, p.second);,
                 auto const p = KE::partition_copy(w, a, ae, b, c, IsOdd()); return (p.first - b) + 1000 * (p.second - c);,
                 auto const p = std::partition_copy(a.begin(), a.end(), b.begin(), c.begin(), IsOdd());
                 return at(b, p.first) + 1000 * at(c, p.second);)
// clang-format on

TYPED_TEST(AlgorithmsModifyTest, AssignsElements) {
  KOKKOS_TEST_CHECK(ForEach);
  KOKKOS_TEST_CHECK(Fill);
  KOKKOS_TEST_CHECK(Generate);
  KOKKOS_TEST_CHECK(Transform);
  KOKKOS_TEST_CHECK(Replace);
}
TYPED_TEST(AlgorithmsModifyTest, CopiesElements) {
  KOKKOS_TEST_CHECK(Copy);
  KOKKOS_TEST_CHECK(CopyBackward);
  KOKKOS_TEST_CHECK(Move);
  KOKKOS_TEST_CHECK(MoveBackward);
  KOKKOS_TEST_CHECK(ReplaceCopy);
}
TYPED_TEST(AlgorithmsModifyTest, SelectsElements) {
  KOKKOS_TEST_CHECK(CopyIf);
  KOKKOS_TEST_CHECK(Remove);
  KOKKOS_TEST_CHECK(RemoveCopy);
  KOKKOS_TEST_CHECK(Unique);
  KOKKOS_TEST_CHECK(UniqueCopy);
  KOKKOS_TEST_CHECK(PartitionCopy);
}
TYPED_TEST(AlgorithmsModifyTest, ReordersElements) {
  KOKKOS_TEST_CHECK(Reverse);
  KOKKOS_TEST_CHECK(Rotate);
  KOKKOS_TEST_CHECK(ShiftLeft);
  KOKKOS_TEST_CHECK(ShiftRight);
  KOKKOS_TEST_CHECK(SwapRanges);
}

// Elements that own memory: each is copied or moved as a whole, exactly once.
TEST(AlgorithmsOnHosts, MoveStrings) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<std::string*, Space> words("words", 6), other("other", 6);
  std::vector<std::string> expected;
  for (int i = 0; i < 6; ++i) {
    words(i) = std::string(40, static_cast<char>('a' + i / 2));
    expected.push_back(words(i));
  }
  auto const end = KE::unique(Space(), words);
  ASSERT_EQ(end - KE::begin(words), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(words(i), expected[2 * i]);
  KE::move(Space(), KE::begin(words), end, KE::begin(other));
  EXPECT_EQ(other(2), expected[4]);
}

TYPED_TEST(AlgorithmsModifyTest, SwapsByIterators) {
  if constexpr (std::is_same_v<TypeParam, Kokkos::DefaultExecutionSpace>) {
    auto const view = SequenceViews<TypeParam>::copy({1, 2, 3});
    KE::iter_swap(KE::begin(view), KE::begin(view) + 2);
    EXPECT_EQ(SequenceViews<TypeParam>::back(view), (Ints{3, 2, 1}));
  }
}

template <class T>
void check_replace_of_numbers() {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<T*, Space> const a("a", 1000), b("b", 1000);
  std::vector<T> expected(1000);
  for (int i = 0; i < 1000; ++i) {
    a(i)                                  = static_cast<T>(i * 7919 % 101 - 50);
    expected[static_cast<std::size_t>(i)] = static_cast<long>(a(i)) % 2 ? static_cast<T>(-3) : a(i);
  }
  KE::replace_copy_if(Space(), a, b, [](T x) { return static_cast<long>(x) % 2 != 0; }, static_cast<T>(-3));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), b.data()));
}

TEST(AlgorithmsModifyHostTest, ReplacesNumbersOfEachSize) {
  check_replace_of_numbers<double>();
  check_replace_of_numbers<float>();
  check_replace_of_numbers<long>();
  check_replace_of_numbers<short>();
}

// A kernel copies in vectors of 16 bytes only if both sides have the same distance from an aligned address.
TEST(AlgorithmVectors, AreOfTheSameAlignmentOnBothSides) {
  alignas(64) float from[80], to[80];
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      EXPECT_EQ(Kokkos::Impl::Algorithms::CopyVectors<float>(to + a, from + b, 70).count() > 0, a % 4 == b % 4)
          << a << ' ' << b;
}

// A count that is not positive is none: nothing changes, and the position is the first one.
template <class W, class V>
void take_nothing(W const& where, V const& view) {
  auto const first = KE::begin(view), last = KE::end(view);
  for (int const n : {0, -1, -1000}) {
    EXPECT_EQ(KE::for_each_n(where, view, n, Increment()) - first, 0) << n;
    EXPECT_EQ(KE::for_each_n(where, first, n, Increment()) - first, 0) << n;
    EXPECT_EQ(KE::fill_n(where, view, n, 5) - first, 0) << n;
    EXPECT_EQ(KE::fill_n(where, first, n, 5) - first, 0) << n;
    EXPECT_EQ(KE::generate_n(where, view, n, Seven()) - first, 0) << n;
    EXPECT_EQ(KE::generate_n(where, first, n, Seven()) - first, 0) << n;
    EXPECT_EQ(KE::copy_n(where, view, n, view) - first, 0) << n;
    EXPECT_EQ(KE::copy_n(where, first, n, first) - first, 0) << n;
    EXPECT_EQ(KE::search_n(where, view, n, 3) - first, 0) << n;
    EXPECT_EQ(KE::search_n(where, first, last, n, 3) - first, 0) << n;
  }
}

TEST(CountedAlgorithms, TakeNothingWithoutAPositiveCount) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<int*, Space> const all("all", 30);
  auto const view = Kokkos::subview(all, Kokkos::pair<int, int>(10, 20));
  take_nothing(Space(), view);
  Kokkos::parallel_for(Kokkos::TeamPolicy<Space>(1, 1),
                       [&](Kokkos::TeamPolicy<Space>::member_type const& team) { take_nothing(team, view); });
  for (int i = 0; i < 30; ++i) EXPECT_EQ(all(i), 0) << i;
}

}  // namespace
