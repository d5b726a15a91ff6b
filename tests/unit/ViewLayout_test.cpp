// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestSpaces.hpp>

#include <array>

namespace {

using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::View;

template <class Space>
class ViewLayoutTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewLayoutTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Extents of the tests, all different.
constexpr std::size_t extents[8] = {5, 2, 3, 4, 6, 1, 2, 3};

/// The index tuple with number n, counted with the last index as the fastest.
template <std::size_t Rank>
struct Tuple {
  std::size_t i[Rank + 1];
  KOKKOS_FUNCTION explicit Tuple(std::size_t n) {
    constexpr std::size_t all[8] = {5, 2, 3, 4, 6, 1, 2, 3};
    for (std::size_t r = Rank; r > 0; --r) {
      i[r - 1] = n % all[r - 1];
      n /= all[r - 1];
    }
  }
};

template <class V, std::size_t... R>
KOKKOS_FUNCTION decltype(auto) at(V const& v, [[maybe_unused]] Tuple<sizeof...(R)> const& t,
                                  std::index_sequence<R...>) {
  return v(t.i[R]...);
}

/// Whether the address of element number n disagrees with the strides.
template <class V>
KOKKOS_FUNCTION bool is_misplaced(V const& v, std::size_t n) {
  constexpr std::size_t rank = V::rank();
  Tuple<rank> const t(n);
  std::ptrdiff_t offset = 0;
  for (std::size_t r = 0; r < rank; ++r) offset += t.i[r] * v.stride(r);
  return &at(v, t, std::make_index_sequence<rank>()) != v.data() + offset || offset >= std::ptrdiff_t(v.span());
}

/// Counts misplaced elements in the view's execution space.
template <class V>
int misplaced(V const& v) {
  int result = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<typename V::execution_space>(0, v.size()),
      KOKKOS_LAMBDA(std::size_t n, int& errors) { errors += is_misplaced(v, n); }, result);
  return result;
}

/// Counts elements that differ after each was set to its number.
template <class V>
int overwritten(V const& v) {
  using Space                = typename V::execution_space;
  constexpr std::size_t rank = V::rank();
  using Ranks                = std::make_index_sequence<rank>;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, v.size()),
      KOKKOS_LAMBDA(std::size_t n) { at(v, Tuple<rank>(n), Ranks()) = static_cast<int>(n); });
  int result = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, v.size()),
      KOKKOS_LAMBDA(std::size_t n, int& errors) {
        if (at(v, Tuple<rank>(n), Ranks()) != static_cast<int>(n)) ++errors;
      },
      result);
  return result;
}

template <class V>
void expect_strides(V const& v, std::size_t padded) {
  constexpr std::size_t rank = V::rank();
  constexpr bool left        = std::is_same_v<typename V::array_layout, LayoutLeft>;
  std::size_t step           = 1;
  for (std::size_t k = 0; k < rank; ++k) {
    std::size_t const r = left ? k : rank - 1 - k;
    EXPECT_EQ(v.stride(r), step) << "dimension " << r;
    step *= k == 0 && padded > 0 ? padded : extents[r];
  }
}

template <class V, class... N>
void expect_view(N... n) {
  constexpr std::size_t rank = V::rank();
  V const v("v", n...);
  std::size_t product = 1;
  for (std::size_t r = 0; r < rank; ++r) {
    EXPECT_EQ(v.extent(r), extents[r]);
    EXPECT_EQ(v.extent_int(r), static_cast<int>(extents[r]));
    product *= extents[r];
  }
  EXPECT_EQ(v.size(), product);
  EXPECT_EQ(v.span(), product);
  EXPECT_TRUE(v.span_is_contiguous());
  EXPECT_EQ(V::required_allocation_size(n...), product * sizeof(int));
  EXPECT_EQ(V::required_allocation_size(v.layout()), product * sizeof(int));
  if constexpr (!std::is_same_v<typename V::array_layout, LayoutStride>) expect_strides(v, 0);
  for (std::size_t n = 0; n < product; ++n) EXPECT_FALSE(is_misplaced(v, n)) << "element " << n;

  std::size_t strides[9];
  v.stride(strides);
  for (std::size_t r = 0; r < rank; ++r) EXPECT_EQ(strides[r], v.stride(r));
  EXPECT_EQ(strides[rank], v.span());

  std::size_t const beyond = std::is_same_v<typename V::array_layout, LayoutLeft> ? product : 1;
  for (std::size_t r = rank; r < 8; ++r) EXPECT_EQ(v.stride(r), beyond) << "dimension " << r << " of " << rank;

  std::size_t const named[] = {v.stride_0(), v.stride_1(), v.stride_2(), v.stride_3(),
                               v.stride_4(), v.stride_5(), v.stride_6(), v.stride_7()};
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(named[r], v.stride(r)) << "stride_" << r;

  V const same("same", v.layout());
  for (std::size_t r = 0; r < rank; ++r) EXPECT_EQ(same.extent(r), v.extent(r));

  // The same elements, with a stored stride for each dimension.
  View<typename V::data_type, LayoutStride, typename V::device_type> const strided = v;
  for (std::size_t r = 0; r < rank; ++r) EXPECT_EQ(strided.stride(r), v.stride(r));
  for (std::size_t r = rank; r < 8; ++r) EXPECT_EQ(strided.stride(r), rank == 0 ? 1u : 0u);
  EXPECT_EQ(strided.span(), v.span());
  EXPECT_TRUE(strided.span_is_contiguous());
}

template <class Layout>
void expect_all_ranks() {
  expect_view<View<int, Layout, Kokkos::HostSpace>>();
  expect_view<View<int*, Layout, Kokkos::HostSpace>>(5);
  expect_view<View<int**, Layout, Kokkos::HostSpace>>(5, 2u);
  expect_view<View<int***, Layout, Kokkos::HostSpace>>(5, 2, 3l);
  expect_view<View<int****, Layout, Kokkos::HostSpace>>(5, 2, 3, 4);
  expect_view<View<int*****, Layout, Kokkos::HostSpace>>(5, 2, 3, 4, 6);
  expect_view<View<int******, Layout, Kokkos::HostSpace>>(5, 2, 3, 4, 6, 1);
  expect_view<View<int*******, Layout, Kokkos::HostSpace>>(5, 2, 3, 4, 6, 1, 2);
  expect_view<View<int********, Layout, Kokkos::HostSpace>>(5, 2, 3, 4, 6, 1, 2, 3);
}

template <class Layout>
void expect_static_extents() {
  expect_view<View<int[5], Layout, Kokkos::HostSpace>>();
  expect_view<View<int[5], Layout, Kokkos::HostSpace>>(5);
  expect_view<View<int* [2], Layout, Kokkos::HostSpace>>(5);
  expect_view<View<int* [2], Layout, Kokkos::HostSpace>>(5, 2);
  expect_view<View<int[5][2], Layout, Kokkos::HostSpace>>();
  expect_view<View<int** [3], Layout, Kokkos::HostSpace>>(5, 2);
  expect_view<View<int* [2][3], Layout, Kokkos::HostSpace>>(5);
  expect_view<View<int[5][2][3], Layout, Kokkos::HostSpace>>();
  expect_view<View<int**** [6][1][2][3], Layout, Kokkos::HostSpace>>(5, 2, 3, 4);
  expect_view<View<int[5][2][3][4][6][1][2][3], Layout, Kokkos::HostSpace>>();
}

TEST(ViewLayout, EveryRankIsDense) {
  expect_all_ranks<LayoutLeft>();
  expect_all_ranks<LayoutRight>();
}

TEST(ViewLayout, StaticExtentsGiveTheSamePlaces) {
  expect_static_extents<LayoutLeft>();
  expect_static_extents<LayoutRight>();
}

/// Extents whose rows are slightly longer than whole cache lines.
template <class Space, class Layout>
void expect_padding() {
  constexpr bool left = std::is_same_v<Layout, LayoutLeft>;
  auto const alloc    = Kokkos::view_alloc("padded", Kokkos::AllowPadding);
  std::size_t const a = left ? 37 : 3, b = left ? 3 : 37;
  View<double**, Layout, Space> const v(alloc, a, b);
  EXPECT_EQ(v.stride(left ? 0 : 1), 1u);
  EXPECT_EQ(v.stride(left ? 1 : 0), 40u);
  EXPECT_EQ(v.span(), 2 * 40u + 37u);
  EXPECT_EQ(v.size(), 111u);
  EXPECT_FALSE(v.span_is_contiguous());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % 64, 0u);

  std::size_t const n0 = left ? 37 : 2, n2 = left ? 2 : 37;
  View<double***, Layout, Space> const w(alloc, n0, 3, n2);
  EXPECT_EQ(w.stride(1), left ? 40u : 40u);
  EXPECT_EQ(w.stride(left ? 2 : 0), 120u);
  EXPECT_EQ(w.stride(3), left ? 240u : 1u);
  EXPECT_EQ(w.span(), 5 * 40u + 37u);

  // Short rows, rank 1 and rows of static length stay dense.
  View<double**, Layout, Space> const small(alloc, 3, 3);
  EXPECT_TRUE(small.span_is_contiguous());
  View<double*, Layout, Space> const line(alloc, 37);
  EXPECT_EQ(line.span(), 37u);
  View<double[37][37], Layout, Space> const fixed(alloc);
  EXPECT_EQ(fixed.stride(left ? 1 : 0), 37u);
  // Without AllowPadding, nothing is padded.
  View<double**, Layout, Space> const dense("dense", a, b);
  EXPECT_TRUE(dense.span_is_contiguous());
}

TYPED_TEST(ViewLayoutTest, PaddingAlignsRows) {
  expect_padding<TypeParam, LayoutLeft>();
  expect_padding<TypeParam, LayoutRight>();
}

template <class Space>
void expect_strided() {
  // Dimension 1 is the fastest, and every second element of dimension 0 is skipped.
  LayoutStride const layout(5, 4, 2, 1, 3, 20);
  View<int***, LayoutStride, Space> const v("v", layout);
  EXPECT_EQ(v.span(), 4 * 4 + 1 + 2 * 20 + 1u);
  EXPECT_EQ(v.size(), 30u);
  EXPECT_FALSE(v.span_is_contiguous());
  EXPECT_EQ(v.stride(0), 4u);
  EXPECT_EQ(v.stride(1), 1u);
  EXPECT_EQ(v.stride(2), 20u);
  EXPECT_EQ(misplaced(v), 0);
  EXPECT_EQ(overwritten(v), 0);
  EXPECT_EQ(v.layout(), layout);
  EXPECT_EQ((View<int***, LayoutStride, Space>::required_allocation_size(layout)), v.span() * sizeof(int));
  View<int** [3], LayoutStride, Space> const fixed("fixed", layout);
  EXPECT_EQ(fixed.stride(2), 20u);
  View<int, LayoutStride, Space> const scalar("scalar");
  EXPECT_EQ(scalar.span(), 1u);
}

template <class Space>
void expect_elements_of_their_own() {
  View<int****, LayoutLeft, Space> const left("left", 5, 2, 3, 4);
  EXPECT_EQ(misplaced(left), 0);
  EXPECT_EQ(overwritten(left), 0);
  View<int** [3][4], LayoutRight, Space> const right("right", 5, 2);
  EXPECT_EQ(misplaced(right), 0);
  EXPECT_EQ(overwritten(right), 0);
}

TYPED_TEST(ViewLayoutTest, ElementsDoNotOverlap) { expect_elements_of_their_own<TypeParam>(); }

TYPED_TEST(ViewLayoutTest, StridesOfChoice) { expect_strided<TypeParam>(); }

TEST(ViewLayout, OrderOfDimensionsGivesStrides) {
  int const order[]   = {2, 0, 1};
  int const lengths[] = {5, 2, 3};
  auto const layout   = LayoutStride::order_dimensions(3, order, lengths);
  EXPECT_EQ(layout, LayoutStride(5, 3, 2, 15, 3, 1));

  int const first[] = {0};
  EXPECT_EQ(LayoutStride::order_dimensions(1, first, lengths), LayoutStride(5, 1));
  // If the argument is not a permutation of the dimensions, the layout has extents of 0.
  for (auto const& bad : {std::array{1, 1, 2}, std::array{0, 1, 3}, std::array{-1, 0, 1}, std::array{0, 0, 0}}) {
    auto const none = LayoutStride::order_dimensions(3, bad.data(), lengths);
    for (int r = 0; r < 3; ++r) EXPECT_EQ(none.dimension[r], 0u);
    for (int r = 3; r < 8; ++r) EXPECT_EQ(none.dimension[r], KOKKOS_INVALID_INDEX);
  }
}

TEST(ViewLayout, EmptyViewsHaveNoSpan) {
  View<int***, LayoutLeft, Kokkos::HostSpace> const a("a", 3, 0, 5);
  EXPECT_EQ(a.span(), 0u);
  EXPECT_EQ(a.size(), 0u);
  EXPECT_TRUE(a.span_is_contiguous());
  View<int***, LayoutStride, Kokkos::HostSpace> const b = a;
  EXPECT_EQ(b.span(), 0u);
  View<int*> const c;
  EXPECT_EQ(c.size(), 0u);
  EXPECT_EQ(c.span(), 0u);
  View<int[3]> const fixed;
  EXPECT_EQ(fixed.size(), 3u);
  EXPECT_FALSE(fixed.is_allocated());
}

TEST(ViewLayout, LayoutObjectsKnowWhatWasGiven) {
  constexpr LayoutLeft layout(3, 4);
  static_assert(layout.dimension[1] == 4 && layout.dimension[2] == KOKKOS_INVALID_INDEX);
  static_assert(LayoutLeft::is_extent_constructible && !LayoutStride::is_extent_constructible);
  EXPECT_TRUE(LayoutRight(1, 2) == LayoutRight(1, 2));
  for (std::size_t r = 0; r < Kokkos::ARRAY_LAYOUT_MAX_RANK; ++r) {
    LayoutLeft const left(1, 2, 3, 4, 5, 6, 7, 8);
    LayoutRight const right(1, 2, 3, 4, 5, 6, 7, 8);
    LayoutStride const stride(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    LayoutLeft other_left     = left;
    LayoutRight other_right   = right;
    LayoutStride other_stride = stride, other_extent = stride;
    EXPECT_TRUE(other_left == left && other_right == right && other_stride == stride);
    other_left.dimension[r] += 1;
    other_right.dimension[r] += 1;
    other_stride.stride[r] += 1;
    other_extent.dimension[r] += 1;
    EXPECT_FALSE(other_left == left || other_right == right || other_stride == stride || other_extent == stride) << r;
  }
  View<int* [4], LayoutLeft, Kokkos::HostSpace> const v("v", LayoutLeft(3));
  EXPECT_EQ(v.layout(), LayoutLeft(3, 4));
}

TEST(ViewLayout, RowsAtAStride) {
  LayoutLeft left(3, 4);
  left.stride = 10;
  View<int**, LayoutLeft, Kokkos::HostSpace> const v("v", left);
  EXPECT_EQ(v.stride(1), 10u);
  EXPECT_EQ(v.span(), 33u);
  EXPECT_EQ(v.layout().stride, 10u);
  EXPECT_EQ(v.layout(), LayoutLeft(3, 4));  // only extents are compared
  EXPECT_EQ((View<int**, LayoutLeft, Kokkos::HostSpace>("w", v.layout()).stride(1)), 10u);
  LayoutRight right(3, 4);
  right.stride = 5;
  EXPECT_EQ((View<int**, LayoutRight, Kokkos::HostSpace>("r", right).stride(0)), 5u);
  EXPECT_EQ(LayoutRight(3, 4).stride, KOKKOS_INVALID_INDEX);
  // A mirror has the same strides, so that programs can copy the span as bytes.
  EXPECT_EQ(Kokkos::create_mirror(v).stride(1), 10u);
  EXPECT_EQ(Kokkos::create_mirror(v).span(), 33u);
}

TEST(ViewLayoutDeathTest, RowsThatOverlap) {
  LayoutLeft left(3, 4);
  left.stride = 2;
  EXPECT_DEATH((View<int**, LayoutLeft, Kokkos::HostSpace>("v", left)),
               "stride 2 for rows of extent 3.* must be at least the extent, or KOKKOS_INVALID_INDEX\\.");
}

template <class Space>
void expect_access() {
  View<int**, Space> const v("v", 3, 4);
  int errors = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 3),
      KOKKOS_LAMBDA(int i, int& e) {
        if (&v.access(i, 2) != &v(i, 2)) ++e;
        if (&v.access(i, 2, 0, 0, 0, 0, 0, 0) != &v(i, 2)) ++e;
      },
      errors);
  EXPECT_EQ(errors, 0);
  View<int, Space> const scalar("scalar");
  View<int*, Space> const line("line", 3);
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 3),
      KOKKOS_LAMBDA(int i, int& e) {
        if (&scalar.access() != scalar.data() || &scalar.access(0, 0) != scalar.data()) ++e;
        if (&line[i] != line.data() + i || &line.access(i, 0) != line.data() + i) ++e;
      },
      errors);
  EXPECT_EQ(errors, 0);
}

TYPED_TEST(ViewLayoutTest, AccessTakesMoreIndices) { expect_access<TypeParam>(); }

// EKAT, a public library, makes a row of a view from the address of its first element.
template <class Space>
void expect_elements_of_map() {
  using Row = View<int const*, LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  View<int***, LayoutRight, Space> const v("v", 3, 4, 5);
  View<int***, LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Atomic>> const atomic = v;
  Kokkos::deep_copy(v, 1);
  int sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 3),
      KOKKOS_LAMBDA(int i, int& s) {
        atomic.impl_map().reference(i, 2, 3) += 10 * i;
        Row const row(&v.impl_map().reference(i, 2, 0), v.extent(2));
        for (int k = 0; k < 5; ++k) s += row(k);
        if (row.data() != &v(i, 2, 0)) s += 1000;
      },
      sum);
  EXPECT_EQ(sum, 15 + 10 + 20);
  EXPECT_EQ(v.impl_map().data(), v.data());
  EXPECT_EQ(v.impl_map().handle(), v.data());
  EXPECT_EQ(v.impl_map().layout().dimension[2], 5u);
  EXPECT_EQ(v.impl_map().span(), 60u);
  EXPECT_EQ(v.impl_map().extent(1), 4u);
}

TYPED_TEST(ViewLayoutTest, ElementsOfImplMap) { expect_elements_of_map<TypeParam>(); }

}  // namespace
