// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa not-optimised
#include <TestSpaces.hpp>
#include <Thorough.hpp>

#include <utility>

namespace {

using Kokkos::ALL;
using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::subview;
using Kokkos::View;

// ---- every combination of slices -----------------------------------------------------------------------------------

constexpr std::size_t extents[4] = {4, 3, 5, 3};

/// The kinds of slices, and the indices that each selects from dimension r.
template <int Kind>
auto slice(std::size_t r) {
  if constexpr (Kind == 0)
    return 1;
  else if constexpr (Kind == 1)
    return std::pair<int, std::size_t>(1, extents[r] - 1);
  else
    return ALL;
}
constexpr std::size_t first(int kind) { return kind == 2 ? 0 : 1; }
constexpr std::size_t count(int kind, std::size_t r) { return kind == 0 ? 1 : kind == 1 ? extents[r] - 2 : extents[r]; }

constexpr int digit(int code, std::size_t r) {
  for (; r > 0; --r) code /= 3;
  return code % 3;
}
constexpr int power_of_3(std::size_t n) { return n == 0 ? 1 : 3 * power_of_3(n - 1); }

template <class V, std::size_t... R>
int* address(V const& v, [[maybe_unused]] std::size_t const* i, std::index_sequence<R...>) {
  return &v(i[R]...);
}

/// Computes element n of the subview with slices of these kinds. It uses only numbers, so it is compiled once.
struct Selection {
  int kinds[4];
  std::size_t rank;

  std::size_t size() const {
    std::size_t total = 1;
    for (std::size_t r = 0; r < rank; ++r) total *= count(kinds[r], r);
    return total;
  }
  void element(std::size_t n, std::size_t* in_parent, std::size_t* in_part) const {
    for (std::size_t r = 0; r < rank; ++r) {
      std::size_t const i = n % count(kinds[r], r);
      n /= count(kinds[r], r);
      in_parent[r] = first(kinds[r]) + i;
      if (kinds[r] != 0) *in_part++ = i;
    }
  }
  bool has_extents(std::size_t const* extents_of_part) const {
    for (std::size_t r = 0; r < rank; ++r)
      if (kinds[r] != 0 && *extents_of_part++ != count(kinds[r], r)) return false;
    return true;
  }
};

void expect_none(std::size_t misplaced, bool extents_are_right, int code) {
  EXPECT_EQ(misplaced, 0u) << "slices " << code;
  EXPECT_TRUE(extents_are_right) << "slices " << code;
}

/// Takes the subview number Code and compares the address of each of its elements with that in the parent.
template <int Code, class V, std::size_t... R>
void expect_elements(V const& v, std::index_sequence<R...> ranks) {
  auto const s       = subview(v, slice<digit(Code, R)>(R)...);
  using S            = decltype(s);
  constexpr int rank = ((digit(Code, R) != 0) + ...);
  static_assert(S::rank() == rank);
  Selection const selection{{digit(Code, R)...}, sizeof...(R)};
  std::size_t lengths[5] = {};
  for (int d = 0; d < rank; ++d) lengths[d] = s.extent(d);
  std::size_t misplaced = 0;
  for (std::size_t n = 0; n < selection.size(); ++n) {
    std::size_t in_parent[4], in_part[5] = {};
    selection.element(n, in_parent, in_part);
    misplaced += address(s, in_part, std::make_index_sequence<rank>()) != address(v, in_parent, ranks);
  }
  expect_none(misplaced, selection.has_extents(lengths), Code);
}

template <class V, int... Code>
void expect_all_codes(V const& v, std::integer_sequence<int, Code...>) {
  (expect_elements<Code>(v, std::make_index_sequence<V::rank()>()), ...);
}

template <class V, class... N>
void expect_all_slices(N... n) {
  V const v("v", n...);
  expect_all_codes(v, std::make_integer_sequence<int, power_of_3(V::rank())>());
}

template <class Layout>
void expect_all_data_types() {
  expect_all_slices<View<int*, Layout, HostSpace>>(4);
  expect_all_slices<View<int[4], Layout, HostSpace>>();
  expect_all_slices<View<int**, Layout, HostSpace>>(4, 3);
  if constexpr (Kokkos::Testing::every_type) {
    expect_all_slices<View<int* [3], Layout, HostSpace>>(4);
    expect_all_slices<View<int[4][3], Layout, HostSpace>>();
    expect_all_slices<View<int** [5][3], Layout, HostSpace>>(4, 3);
  }
  expect_all_slices<View<int***, Layout, HostSpace>>(4, 3, 5);
  expect_all_slices<View<int* [3][5], Layout, HostSpace>>(4);
  expect_all_slices<View<int[4][3][5], Layout, HostSpace>>();
}

TEST(Subview, AllSlicesOfLayoutLeft) { expect_all_data_types<LayoutLeft>(); }
TEST(Subview, AllSlicesOfLayoutRight) { expect_all_data_types<LayoutRight>(); }
TEST(Subview, AllSlicesOfFourDimensions) { expect_all_slices<View<int** [5][3], LayoutRight, HostSpace>>(4, 3); }
TEST(Subview, AllSlicesOfLayoutStride) {
  View<int***, LayoutStride, HostSpace> const v("v", LayoutStride(4, 3, 3, 1, 5, 17));
  expect_all_codes(v, std::make_integer_sequence<int, 27>());
}
TEST(Subview, AllSlicesOfPaddedViews) {
  // Rows of 4 or 3 elements in memory for 8
  View<int***, LayoutStride, HostSpace> const l("left", LayoutStride(4, 1, 3, 8, 5, 24));
  expect_all_codes(View<int***, LayoutLeft, HostSpace>(l), std::make_integer_sequence<int, 27>());
  View<int***, LayoutStride, HostSpace> const r("right", LayoutStride(4, 24, 3, 8, 5, 1));
  expect_all_codes(View<int***, LayoutRight, HostSpace>(r), std::make_integer_sequence<int, 27>());
}

// ---- the highest rank ----------------------------------------------------------------------------------------------

TEST(Subview, OfEightDimensions) {
  View<int********, LayoutRight, HostSpace> const v("v", 2, 3, 2, 3, 2, 3, 2, 3);
  auto const s = subview(v, 1, ALL, 0, std::pair(1, 3), 1, ALL, 1, 2);
  static_assert(decltype(s)::rank() == 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) EXPECT_EQ(&s(i, j, k), &v(1, i, 0, j + 1, 1, k, 1, 2));
  auto const whole = subview(v, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL);
  EXPECT_TRUE(whole == v);
}

// ---- forms of slices ------------------------------------------------------------------------------------------------

TEST(Subview, RangesOfEveryType) {
  View<int*, HostSpace> const v("v", 10);
  EXPECT_EQ(subview(v, std::pair<int, int>(2, 5)).extent(0), 3u);
  EXPECT_EQ(subview(v, std::make_pair(2u, 5l)).data(), &v(2));
  EXPECT_EQ(subview(v, Kokkos::pair<std::size_t, std::size_t>(2, 5)).extent(0), 3u);
  EXPECT_EQ(subview(v, Kokkos::make_pair(2, 5)).data(), &v(2));
  EXPECT_EQ(subview(v, ALL()).extent(0), 10u);
  EXPECT_EQ(subview(v, std::pair(10, 10)).extent(0), 0u);
  enum Place { third = 3 };
  EXPECT_EQ(&subview(v, third)(), &v(3));
  EXPECT_TRUE(ALL == ALL());
}

TEST(Subview, ByConstructor) {
  View<int**, LayoutRight, HostSpace> const v("v", 5, 6);
  View<int*, LayoutRight, HostSpace> const row(v, 2, ALL);
  EXPECT_EQ(&row(3), &v(2, 3));
  View<int const*, LayoutStride, HostSpace> const column(v, ALL, 2);
  EXPECT_EQ(&column(3), &v(3, 2));
  View<int[2][3], LayoutStride, HostSpace> const block(v, std::pair(1, 3), std::pair(2, 5));
  EXPECT_EQ(&block(1, 2), &v(2, 4));
  EXPECT_EQ(v.use_count(), 4);
  static_assert(!std::is_constructible_v<View<int*, HostSpace>, View<int**, HostSpace>, int, int>);
  static_assert(!std::is_constructible_v<View<int*, HostSpace>, View<int**, HostSpace>, int>);
  static_assert(!std::is_constructible_v<View<int*, HostSpace>, View<int const*, HostSpace>, Kokkos::ALL_t>);
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(Subview, WithOtherMemoryTraits) {
  View<int**, LayoutLeft, HostSpace> const v("v", 3, 4);
  auto const column = Kokkos::subview<Kokkos::MemoryTraits<Kokkos::Atomic>>(v, Kokkos::ALL, 2);
  static_assert(decltype(column)::memory_traits::is_atomic && decltype(column)::rank == 1);
  EXPECT_EQ(column.data(), &v(0, 2));
}
#pragma GCC diagnostic pop
#endif

TEST(Subview, OfASubview) {
  View<int***, LayoutLeft, HostSpace> const v("v", 5, 6, 7);
  auto const a = subview(v, std::pair(1, 4), 2, ALL);
  auto const b = subview(a, 1, std::pair(2, 6));
  EXPECT_EQ(&b(3), &v(2, 2, 5));
  EXPECT_EQ(b.use_count(), 3);
  EXPECT_EQ(b.label(), "v");
}

TEST(Subview, OfAnEmptyView) {
  View<int**, HostSpace> const v("v", 0, 5);
  auto const s = subview(v, ALL, 2);
  EXPECT_EQ(s.size(), 0u);
  View<int**, HostSpace> const none;
  EXPECT_EQ(subview(none, ALL, ALL).size(), 0u);
}

// ---- in kernels ----------------------------------------------------------------------------------------------------

template <class Space>
class SubviewTest : public ::testing::Test {};
TYPED_TEST_SUITE(SubviewTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void expect_kernels_slice() {
  View<int***, Space> const v("v", 20, 4, 6);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 20), KOKKOS_LAMBDA(int i) {
        auto const plane = subview(v, i, ALL, Kokkos::pair<int, int>(1, 5));
        for (int j = 0; j < 4; ++j) {
          auto const line = subview(plane, j, ALL);
          for (int k = 0; k < line.extent_int(0); ++k) line(k) = 100 * i + 10 * j + k;
        }
      });
  int errors = -1;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 20),
      KOKKOS_LAMBDA(int i, int& e) {
        for (int j = 0; j < 4; ++j)
          for (int k = 0; k < 6; ++k)
            if (v(i, j, k) != (k == 0 || k == 5 ? 0 : 100 * i + 10 * j + k - 1)) ++e;
      },
      errors);
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(v.use_count(), 1);
}

TYPED_TEST(SubviewTest, InKernels) { expect_kernels_slice<TypeParam>(); }

/// Types that do not depend on the parameter of the template: nvcc writes their full names into the code for the host's
/// compiler.
template <class Space>
void name_types_of_subviews() {
  using Parent = View<int** [3][4], HostSpace>;
  using Block  = Kokkos::Subview<Parent, int, Kokkos::ALL_t, Kokkos::ALL_t, Kokkos::ALL_t>;
  using Line   = Kokkos::Subview<Parent const&, int, int, int const&, Kokkos::pair<int, int>>;
  Parent const v("v", 2, 5);
  Block const block                     = subview(v, 1, ALL, ALL, ALL);
  Line const line                       = subview(v, 1, 2, 0, Kokkos::pair<int, int>(1, 3));
  typename Line::value_type last        = 7;
  typename Block::const_type const same = block;
  block(2, 0, 2)                        = last;
  EXPECT_EQ(line(1), 7);
  EXPECT_EQ(same(2, 0, 2), 7);
}

TYPED_TEST(SubviewTest, NamesOfTypes) { name_types_of_subviews<TypeParam>(); }

}  // namespace
