// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestSpaces.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace {

namespace KE = Kokkos::Experimental;
using Kokkos::HostSpace;
using Kokkos::LayoutStride;
using Kokkos::View;

template <class Space>
class ViewIteratorTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewIteratorTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

using Iterator = decltype(KE::begin(View<int*, HostSpace>()));
static_assert(std::random_access_iterator<Iterator>);
static_assert(std::random_access_iterator<decltype(KE::begin(View<int const*, LayoutStride, HostSpace>()))>);
static_assert(std::is_same_v<decltype(*KE::cbegin(View<int*, HostSpace>())), int const&>);
// For contiguous elements, an iterator is only a pointer.
static_assert(sizeof(Iterator) == sizeof(int*));

template <class Space>
void expect_loops() {
  View<int**, Kokkos::LayoutRight, Space> const a("a", 50, 4);
  auto const column = Kokkos::subview(a, Kokkos::ALL, 2);
  auto const first  = KE::begin(column);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 50), KOKKOS_LAMBDA(int i) {
        first[i]     = i;
        *(first + i) = first[i] + 1;
        *(KE::end(column) - (50 - i)) += 1;
      });
  int errors = -1;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 50),
      KOKKOS_LAMBDA(int i, int& e) {
        if (a(i, 2) != i + 2 || a(i, 1) != 0 || KE::cbegin(column)[i] != i + 2) ++e;
      },
      errors);
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(KE::distance(KE::begin(column), KE::end(column)), 50);
  EXPECT_EQ(KE::distance(KE::cend(column), KE::cbegin(column)), -50);
}

TYPED_TEST(ViewIteratorTest, WalksAlongStrides) { expect_loops<TypeParam>(); }

TEST(ViewIterator, StandardAlgorithms) {
  int data[12] = {9, 0, 4, 0, 7, 0, 1, 0, 8, 0, 2, 0};
  View<int*, LayoutStride, HostSpace> const v(data, LayoutStride(6, 2));
  std::sort(KE::begin(v), KE::end(v));
  int const sorted[12] = {1, 0, 2, 0, 4, 0, 7, 0, 8, 0, 9, 0};
  EXPECT_TRUE(std::equal(data, data + 12, sorted));

  auto it = KE::begin(v);
  EXPECT_EQ(*it++, 1);
  EXPECT_EQ(*++it, 4);
  EXPECT_EQ(*it--, 4);
  EXPECT_EQ(*--it, 1);
  EXPECT_TRUE(it < it + 1 && it + 1 <= 1 + it && it != it + 1 && it == KE::begin(v));
  EXPECT_EQ((it += 3) - KE::begin(v), 3);
  EXPECT_EQ((it -= 2) - KE::begin(v), 1);
  decltype(KE::cbegin(v)) const reader = it;
  EXPECT_EQ(*reader, 2);
}

// Each comparison of each two positions, forwards and backwards.
TEST(ViewIterator, ComparesLikePositions) {
  View<int**, Kokkos::LayoutRight, HostSpace> const matrix("matrix", 4, 3);
  auto const compare = [](auto const& begin) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        auto const a = begin + i, b = begin + j;
        EXPECT_TRUE((a == b) == (i == j) && (a != b) == (i != j)) << i << ' ' << j;
        EXPECT_TRUE((a < b) == (i < j) && (a > b) == (i > j)) << i << ' ' << j;
        EXPECT_TRUE((a <= b) == (i <= j) && (a >= b) == (i >= j)) << i << ' ' << j;
        EXPECT_TRUE((a <=> b) == (i <=> j) && a - b == i - j) << i << ' ' << j;
      }
  };
  compare(KE::begin(Kokkos::subview(matrix, Kokkos::ALL, 1)));
  compare(KE::cbegin(Kokkos::subview(matrix, Kokkos::ALL, 1)));
  compare(KE::begin(Kokkos::subview(matrix, 1, Kokkos::ALL)));
}

TEST(ViewIterator, EmptyViews) {
  View<int*, HostSpace> const none;
  EXPECT_TRUE(KE::begin(none) == KE::end(none));
  EXPECT_EQ(KE::distance(KE::begin(none), KE::end(none)), 0);
}

TEST(ViewIterator, AtomicElements) {
  View<int*, HostSpace, Kokkos::MemoryTraits<Kokkos::Atomic>> const v("v", 3);
  *KE::begin(v) += 5;
  EXPECT_EQ(v(0), 5);
}

}  // namespace
