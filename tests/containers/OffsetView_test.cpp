// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <mdspan/mdspan.hpp>

#include "TestSpaces.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Kokkos::Experimental::OffsetView;

template <class Space>
struct OffsetViewTest : ::testing::Test {};
TYPED_TEST_SUITE(OffsetViewTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

/// Sets element (i, j) to 100 i + j.
template <class Space, class V>
void number_elements(V const& v) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(v.begin(0), v.end(0)), KOKKOS_LAMBDA(std::int64_t i) {
        for (std::int64_t j = v.begin(1); j < v.end(1); ++j) v(i, j) = static_cast<int>(100 * i + j);
      });
}
template <class Space, class V>
int sum_of(V const& v) {
  int sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(v.begin(0), v.end(0)),
      KOKKOS_LAMBDA(std::int64_t i, int& s) { s += v[i]; }, sum);
  return sum;
}
template <class V>
auto on_host(V const& v) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
}

template <class Space, class Layout>
void check_elements() {
  using View = OffsetView<int**, Layout, Space>;
  View v("v", {-1, 3}, {2, 4});
  static_assert(Kokkos::Experimental::is_offset_view_v<View> && View::rank() == 2);
  EXPECT_EQ(v.label(), "v");
  EXPECT_EQ(v.extent(0), 5u);
  EXPECT_EQ(v.extent(1), 3u);
  EXPECT_EQ(v.begin(0), -1);
  EXPECT_EQ(v.end(1), 5);
  EXPECT_EQ(v.begins()[1], 2);
  EXPECT_EQ(v.begin(2), KOKKOS_INVALID_OFFSET);
  number_elements<Space>(v);
  auto const h = on_host(v);
  EXPECT_EQ(h(-1, 2), -98);
  EXPECT_EQ(h(3, 4), 304);
  EXPECT_EQ(h.access(3, 4, 0), 304);
  EXPECT_EQ(on_host(v.view())(0, 0), -98);

  auto const row = Kokkos::Experimental::subview(v, 1, Kokkos::ALL);
  EXPECT_EQ(row.begin(0), 2);
  EXPECT_EQ(sum_of<Space>(row), 309);
  auto const column = Kokkos::subview(v, std::make_pair(0, 3), 3);
  EXPECT_EQ(column.begin(0), 0);
  EXPECT_EQ(column.end(0), 3);
  EXPECT_EQ(sum_of<Space>(column), 309);
  EXPECT_EQ(subview(v, 0, 3).rank(), 0u);
}

TYPED_TEST(OffsetViewTest, ElementsAndParts) {
  check_elements<TypeParam, Kokkos::LayoutLeft>();
  check_elements<TypeParam, Kokkos::LayoutRight>();
}

TYPED_TEST(OffsetViewTest, ConstructionAndComparison) {
  using View = OffsetView<int**, TypeParam>;
  EXPECT_FALSE(View().is_allocated());
  Kokkos::View<int**, TypeParam> plain("plain", 5, 3);
  Kokkos::Array<std::int64_t, 2> const begins{{-1, 2}};
  View const a(plain, begins), b(plain, {-1, 2}), c(plain);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c);
  EXPECT_TRUE(a == plain && plain == c);
  EXPECT_EQ(plain.use_count(), 4);
  View const assigned = plain;
  EXPECT_EQ(assigned.begin(1), 0);
  std::pair<int, int> const range(-1, 3);
  View const pairs("pairs", range, Kokkos::pair<int, int>(2, 4));
  EXPECT_EQ(pairs.begins()[0], begins[0]);
  View const with_layout("layout", typename View::array_layout(5, 3), {-1, 2});
  EXPECT_EQ(with_layout.end(0), 4);
  View const properties(Kokkos::view_alloc(TypeParam(), Kokkos::WithoutInitializing, "properties"), {-1, 3}, {2, 4});
  EXPECT_EQ(properties.extent(1), 3u);
  OffsetView<int const**, TypeParam> const constant = a;
  EXPECT_EQ(constant.begin(1), 2);
  EXPECT_EQ(View("empty", {0, -1}, {5, 5}).size(), 0u);

  int* const pointer = plain.data();
  View const wrapped(pointer, begins, {4, 5}), also(pointer, {-1, 2}, {4, 5});
  EXPECT_EQ(wrapped.extent(0), 5u);
  EXPECT_TRUE(wrapped == also);
}

TYPED_TEST(OffsetViewTest, CopiesAndMirrors) {
  using View = OffsetView<int**, Kokkos::LayoutRight, TypeParam>;
  View v("v", {-1, 3}, {2, 4}), w("w", {0, 4}, {0, 2});
  number_elements<TypeParam>(v);
  Kokkos::deep_copy(w, v);  // copies by position, not by index
  EXPECT_EQ(on_host(w)(4, 2), 304);
  Kokkos::View<int**, Kokkos::LayoutRight, TypeParam> plain("plain", 5, 3);
  Kokkos::deep_copy(TypeParam(), plain, v);
  Kokkos::deep_copy(w, 7);
  Kokkos::deep_copy(w, plain);
  EXPECT_EQ(on_host(w)(0, 0), -98);
  auto const mirror = Kokkos::create_mirror(v);
  EXPECT_EQ(mirror.begin(1), 2);
  EXPECT_EQ(mirror.label(), "v_mirror");
  auto const same = Kokkos::create_mirror_view(typename TypeParam::memory_space(), v);
  EXPECT_TRUE(same == v);
  using Device = Kokkos::Device<TypeParam, typename TypeParam::memory_space>;
  EXPECT_TRUE(Kokkos::create_mirror_view_and_copy(Device(), v) == v);
  auto const seen = Kokkos::create_mirror_view(v);
  EXPECT_EQ(seen.begin(0), -1);
}

TEST(OffsetViewHostDeathTest, BadRanges) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  using One                               = OffsetView<int*, Kokkos::HostSpace>;
  using Two                               = OffsetView<int**, Kokkos::HostSpace>;
  int memory[1]                           = {};
  std::int64_t const largest              = 0x7fffffffffffffff;
  EXPECT_DEATH(One(memory, {0}, {-1}), "dimension 0 begin at 0 and end before -1; they must not end");
  EXPECT_DEATH(One(memory, {-1}, {largest}), "too many to be counted");
  EXPECT_DEATH(One(memory, {-largest - 1}, {largest}), "too many to be counted");
  EXPECT_DEATH(One("v", {5, 3}), "begin at 5 and end before 4");
  EXPECT_DEATH(Two("v", {0, 3}), "rank 2: constructed with indices for 1 dimensions");
  EXPECT_DEATH(Two(memory, {0, 0, 0}, {1, 1}), "indices for 3 dimensions");
  EXPECT_DEATH(Two(memory, {0, 0}, {1}), "indices for 1 dimensions");
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  One const v("v", {2, 4});
  EXPECT_DEATH(v(1), "out of bounds");
#endif
}

// ---- comparisons: each part of a value counts ------------------------------------------------------------------------

/// Expects each value to equal itself, and no other one.
template <class T>
void expect_all_different(char const* what, std::vector<T> const& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(values[i] == values[j], i == j) << what << ' ' << i << ", " << j;
      EXPECT_EQ(values[i] != values[j], i != j) << what << ' ' << i << ", " << j;
    }
}

TEST(Comparisons, EachPartCounts) {
  std::vector<Kokkos::LayoutLeft> lefts(1, Kokkos::LayoutLeft(2, 3, 4, 5, 6, 7, 8, 9));
  std::vector<Kokkos::LayoutRight> rights(1, Kokkos::LayoutRight(2, 3, 4, 5, 6, 7, 8, 9));
  for (int r = 0; r < 8; ++r) {
    lefts.push_back(lefts[0]);
    rights.push_back(rights[0]);
    lefts.back().dimension[r] = rights.back().dimension[r] = 1;
  }
  expect_all_different("LayoutLeft", lefts);
  expect_all_different("LayoutRight", rights);
  expect_all_different("LayoutStride", std::vector{Kokkos::LayoutStride(4, 1, 5, 9), Kokkos::LayoutStride(4, 2, 5, 9),
                                                   Kokkos::LayoutStride(3, 1, 5, 9), Kokkos::LayoutStride(4, 1, 6, 9),
                                                   Kokkos::LayoutStride(4, 1, 5, 8)});
  expect_all_different("pair", std::vector<Kokkos::pair<int, int>>{{1, 2}, {1, 3}, {2, 2}, {2, 3}});
  expect_all_different("complex", std::vector<Kokkos::complex<double>>{{1, 2}, {1, 3}, {2, 2}, {2, 3}});
  using Extents = Kokkos::dextents<int, 3>;
  using Strided = Kokkos::layout_stride::mapping<Extents>;
  Extents const extents(2, 3, 4);
  expect_all_different("extents", std::vector{extents, Extents(1, 3, 4), Extents(2, 2, 4), Extents(2, 3, 3)});
  expect_all_different("layout_stride",
                       std::vector{Strided(extents, std::array{1, 2, 6}), Strided(extents, std::array{12, 2, 6}),
                                   Strided(extents, std::array{1, 20, 6}), Strided(extents, std::array{1, 2, 60}),
                                   Strided(Extents(2, 3, 3), std::array{1, 2, 6})});
  int elements[100];
  using Matrix = Kokkos::View<int**, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  expect_all_different("View", std::vector{Matrix(elements, 3, 4), Matrix(elements + 1, 3, 4), Matrix(elements, 2, 4),
                                           Matrix(elements, 3, 3)});
  using Dynamic = Kokkos::DynRankView<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  expect_all_different("DynRankView",
                       std::vector{Dynamic(elements, 3, 4), Dynamic(elements + 1, 3, 4), Dynamic(elements, 2, 4),
                                   Dynamic(elements, 3, 3), Dynamic(elements, 3), Dynamic(elements, 3, 4, 1)});
  using Offset = Kokkos::Experimental::OffsetView<int**, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Matrix const matrix(elements, 3, 4);
  Offset const offset(matrix, {5, 6});
  expect_all_different("OffsetView",
                       std::vector{offset, Offset(matrix, {5, 7}), Offset(matrix, {4, 6}),
                                   Offset(Matrix(elements, 2, 4), {5, 6}), Offset(Matrix(elements + 1, 3, 4), {5, 6})});
  EXPECT_TRUE(offset == matrix && matrix == offset);
  for (Matrix const& other : {Matrix(elements, 2, 4), Matrix(elements + 1, 3, 4)})
    EXPECT_FALSE(offset == other || other == offset);
}

// The signs of comparisons of first and second members.
TEST(Comparisons, OfPairsAndOfComplexNumbersWithOthers) {
  for (int const a : {1, 2, 3})
    for (int const b : {1, 2, 3}) {
      Kokkos::pair<int, long> const p(2, 2), q(a, b);
      std::pair<int, long> const x(2, 2), y(a, b);
      EXPECT_EQ(p < q, x < y) << a << b;
      EXPECT_EQ(p > q, x > y) << a << b;
      EXPECT_EQ(p <= q, x <= y) << a << b;
      EXPECT_EQ(p >= q, x >= y) << a << b;
      Kokkos::complex<float> const z(static_cast<float>(a), static_cast<float>(b - 1));
      EXPECT_EQ(z == 2.0, a == 2 && b == 1) << a << b;
      EXPECT_EQ(2 == z, a == 2 && b == 1) << a << b;
      EXPECT_EQ(z == std::complex<float>(2, 1), a == 2 && b == 2) << a << b;
      EXPECT_EQ(std::complex<float>(2, 1) == z, a == 2 && b == 2) << a << b;
      EXPECT_EQ(z == Kokkos::complex<double>(2, 1), a == 2 && b == 2) << a << b;
    }
}

// Ranges of different lengths and starts, so that none can replace another one.
template <class V, std::size_t... D>
void expect_ranges(char const* what, V const& view, std::index_sequence<D...>) {
  for (int const d : {static_cast<int>(D)...}) {
    EXPECT_EQ(view.begin(d), -d) << what << ", dimension " << d;
    EXPECT_EQ(view.end(d), 2 + d % 3) << what << ", dimension " << d;
    EXPECT_EQ(view.extent(d), static_cast<std::size_t>(2 + d % 3 + d)) << what << ", dimension " << d;
  }
  EXPECT_EQ(view.span(), (std::size_t(1) * ... * (2 + D % 3 + D))) << what;
}
template <class Data, std::size_t... D>
void expect_each_range_is_kept(std::index_sequence<D...> dimensions) {
  using Host       = Kokkos::DefaultHostExecutionSpace;
  using Array      = OffsetView<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Range      = std::pair<std::int64_t, std::int64_t>;
  auto const range = [](std::size_t d) {
    std::int64_t const first = -static_cast<std::int64_t>(d), last = static_cast<std::int64_t>(1 + d % 3);
    return Range(first, last);
  };
  expect_ranges("label", Array("a", range(D)...), dimensions);
  expect_ranges("properties", Array(Kokkos::view_alloc("a", Host()), range(D)...), dimensions);
  expect_ranges("copy", Array(Array("a", range(D)...)), dimensions);
}
TEST(OffsetViewHost, EachConstructorKeepsEachRange) {
  expect_each_range_is_kept<int*>(std::make_index_sequence<1>());
  expect_each_range_is_kept<int***>(std::make_index_sequence<3>());
  expect_each_range_is_kept<int*****>(std::make_index_sequence<5>());
  expect_each_range_is_kept<char********>(std::make_index_sequence<8>());
}

}  // namespace
