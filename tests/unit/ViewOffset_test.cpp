// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// A layout of the program: the members of an array of structures of arrays, each as a view.
#include <TestSpaces.hpp>

namespace {

/// Structures of `Pitch` elements, each with arrays of `Length` elements. Indices: structure, element, component.
template <int Pitch, int Length>
struct LayoutBlocks {
  using array_layout = LayoutBlocks;
  enum { is_extent_constructible = true };

  std::size_t dimension[Kokkos::ARRAY_LAYOUT_MAX_RANK];

  KOKKOS_FUNCTION explicit constexpr LayoutBlocks(std::size_t blocks = 0, std::size_t length = Length,
                                                  std::size_t components = 0)
      : dimension{blocks, length, components, 0, 0, 0, 0, 0} {}
};

/// Eight dimensions; dimension r has the stride 100 + r.
struct LayoutOfEight {
  using array_layout = LayoutOfEight;
  enum { is_extent_constructible = true };
  std::size_t dimension[Kokkos::ARRAY_LAYOUT_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
};

}  // namespace

namespace Kokkos::Impl {

template <class Dimension>
struct ViewOffset<Dimension, LayoutOfEight, void> {
  using is_mapping_plugin = std::true_type;
  using is_regular        = std::true_type;
  using size_type         = std::size_t;
  using dimension_type    = Dimension;
  using array_layout      = LayoutOfEight;

  dimension_type m_dim;

  ViewOffset() = default;
  KOKKOS_FUNCTION constexpr ViewOffset(std::integral_constant<unsigned, 0> const&, array_layout const&)
      : m_dim(1, 2, 3, 4, 5, 6, 7, 8) {}
  template <class... Index>
  KOKKOS_FUNCTION constexpr size_type operator()(Index...) const {
    return 0;
  }
  KOKKOS_FUNCTION constexpr array_layout layout() const { return {}; }
  KOKKOS_FUNCTION constexpr size_type dimension_0() const { return m_dim.N0; }
  KOKKOS_FUNCTION constexpr size_type dimension_1() const { return m_dim.N1; }
  KOKKOS_FUNCTION constexpr size_type dimension_2() const { return m_dim.N2; }
  KOKKOS_FUNCTION constexpr size_type dimension_3() const { return m_dim.N3; }
  KOKKOS_FUNCTION constexpr size_type dimension_4() const { return m_dim.N4; }
  KOKKOS_FUNCTION constexpr size_type dimension_5() const { return m_dim.N5; }
  KOKKOS_FUNCTION constexpr size_type dimension_6() const { return m_dim.N6; }
  KOKKOS_FUNCTION constexpr size_type dimension_7() const { return m_dim.N7; }
  KOKKOS_FUNCTION constexpr size_type stride_0() const { return 100; }
  KOKKOS_FUNCTION constexpr size_type stride_1() const { return 101; }
  KOKKOS_FUNCTION constexpr size_type stride_2() const { return 102; }
  KOKKOS_FUNCTION constexpr size_type stride_3() const { return 103; }
  KOKKOS_FUNCTION constexpr size_type stride_4() const { return 104; }
  KOKKOS_FUNCTION constexpr size_type stride_5() const { return 105; }
  KOKKOS_FUNCTION constexpr size_type stride_6() const { return 106; }
  KOKKOS_FUNCTION constexpr size_type stride_7() const { return 107; }
  KOKKOS_FUNCTION constexpr size_type size() const { return 1; }
  KOKKOS_FUNCTION constexpr size_type span() const { return 1; }
  KOKKOS_FUNCTION constexpr bool span_is_contiguous() const { return true; }
};

template <class Dimension, int Pitch, int Length>
struct ViewOffset<Dimension, LayoutBlocks<Pitch, Length>, void> {
  using is_mapping_plugin = std::true_type;
  using is_regular        = std::true_type;
  using size_type         = std::size_t;
  using dimension_type    = Dimension;
  using array_layout      = LayoutBlocks<Pitch, Length>;

  dimension_type m_dim;

  ViewOffset()                             = default;
  ViewOffset(ViewOffset const&)            = default;
  ViewOffset& operator=(ViewOffset const&) = default;
  KOKKOS_FUNCTION constexpr ViewOffset(std::integral_constant<unsigned, 0> const&, array_layout const& layout)
      : m_dim(layout.dimension[0], layout.dimension[1], layout.dimension[2]) {}
  template <class OtherDimension, class OtherLayout>
  KOKKOS_FUNCTION constexpr ViewOffset(ViewOffset<OtherDimension, OtherLayout, void> const& other)
      : m_dim(other.m_dim.N0, other.m_dim.N1, other.m_dim.N2) {}
  template <class OtherDimension, class OtherLayout>
  KOKKOS_FUNCTION constexpr ViewOffset(ViewOffset<OtherDimension, OtherLayout, void> const&,
                                       SubviewExtents<OtherDimension::rank, dimension_type::rank> const& part)
      : m_dim(part.range_extent(0), part.range_extent(1)) {}

  KOKKOS_FUNCTION constexpr size_type operator()(size_type b, size_type a) const { return Pitch * b + a; }
  KOKKOS_FUNCTION constexpr size_type operator()(size_type b, size_type a, size_type k) const {
    return Pitch * b + a + Length * k;
  }

  KOKKOS_FUNCTION constexpr array_layout layout() const { return array_layout(m_dim.N0, m_dim.N1, m_dim.N2); }
  KOKKOS_FUNCTION constexpr size_type dimension_0() const { return m_dim.N0; }
  KOKKOS_FUNCTION constexpr size_type dimension_1() const { return m_dim.N1; }
  KOKKOS_FUNCTION constexpr size_type dimension_2() const { return m_dim.N2; }
  KOKKOS_FUNCTION constexpr size_type dimension_3() const { return m_dim.N3; }
  KOKKOS_FUNCTION constexpr size_type dimension_4() const { return m_dim.N4; }
  KOKKOS_FUNCTION constexpr size_type dimension_5() const { return m_dim.N5; }
  KOKKOS_FUNCTION constexpr size_type dimension_6() const { return m_dim.N6; }
  KOKKOS_FUNCTION constexpr size_type dimension_7() const { return m_dim.N7; }
  KOKKOS_FUNCTION constexpr size_type stride_0() const { return Pitch; }
  KOKKOS_FUNCTION constexpr size_type stride_1() const { return 1; }
  KOKKOS_FUNCTION constexpr size_type stride_2() const { return Length; }
  KOKKOS_FUNCTION constexpr size_type stride_3() const { return 0; }
  KOKKOS_FUNCTION constexpr size_type stride_4() const { return 0; }
  KOKKOS_FUNCTION constexpr size_type stride_5() const { return 0; }
  KOKKOS_FUNCTION constexpr size_type stride_6() const { return 0; }
  KOKKOS_FUNCTION constexpr size_type stride_7() const { return 0; }
  KOKKOS_FUNCTION constexpr size_type size() const { return m_dim.N0 * m_dim.N1 * m_dim.N2; }
  KOKKOS_FUNCTION constexpr size_type span() const { return m_dim.N0 * Pitch; }
  KOKKOS_FUNCTION constexpr bool span_is_contiguous() const { return span() == size(); }
};

}  // namespace Kokkos::Impl

namespace {

template <class Space>
class ViewOffsetTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewOffsetTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

// A structure: four masses, then four positions of three components.
constexpr int length = 4, pitch = 16, blocks = 3;
using Layout = LayoutBlocks<pitch, length>;
template <class Space>
using Masses = Kokkos::View<int* [length], Layout, Space>;
template <class Space>
using Positions = Kokkos::View<int* [length][3], Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class View>
void number(View const& view) {
  using Space = typename View::execution_space;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, view.size()),
      KOKKOS_LAMBDA(int n) { view(n / (3 * length), n / 3 % length, n % 3) = n; });
}

template <class View>
void count_up(View const& view, int times) {
  using Space = typename View::execution_space;
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, times), KOKKOS_LAMBDA(int) { view(1, 2) += 1; });
}

template <class Space>
auto host_copy(Kokkos::View<int*, Space> const& memory) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), memory);
}

TYPED_TEST(ViewOffsetTest, ElementsArePlacedByTheLayout) {
  Kokkos::View<int*, TypeParam> memory("memory", blocks * pitch);
  Kokkos::deep_copy(memory, -1);
  Positions<TypeParam> const x(memory.data() + length, Layout(blocks));
  EXPECT_EQ(x.extent(0), std::size_t(blocks));
  EXPECT_EQ(x.extent(1), std::size_t(length));
  EXPECT_EQ(x.extent(2), 3u);
  EXPECT_EQ(x.extent(3), 1u);
  EXPECT_EQ(x.size(), std::size_t(blocks * length * 3));
  EXPECT_EQ(x.span(), std::size_t(blocks * pitch));
  EXPECT_EQ(x.stride(0), std::size_t(pitch));
  EXPECT_EQ(x.stride(1), 1u);
  EXPECT_EQ(x.stride(2), std::size_t(length));
  EXPECT_EQ(x.stride(3), 0u);
  number(x);
  auto const m = host_copy(memory);
  for (int b = 0; b < blocks; ++b)
    for (int a = 0; a < length; ++a) {
      EXPECT_EQ(m(b * pitch + a), -1);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(m(b * pitch + length + k * length + a), (b * length + a) * 3 + k);
    }
}

TYPED_TEST(ViewOffsetTest, EachDimensionHasItsExtentAndStride) {
  int element = 0;
  Kokkos::View<int********, LayoutOfEight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const view(&element,
                                                                                                  LayoutOfEight{});
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_EQ(view.extent(r), r + 1);
    EXPECT_EQ(view.stride(r), 100 + r);
  }
}

TYPED_TEST(ViewOffsetTest, CopiesTouchOnlyTheViewsElements) {
  Kokkos::View<int*, TypeParam> memory("memory", blocks * pitch);
  Positions<TypeParam> const x(memory.data() + length, Layout(blocks));
  Kokkos::deep_copy(memory, -1);
  Kokkos::deep_copy(x, 7);
  auto m = host_copy(memory);
  for (int n = 0; n < blocks * pitch; ++n) EXPECT_EQ(m(n), n % pitch < length ? -1 : 7) << n;
  number(x);
  auto const mirror = Kokkos::create_mirror(x);
  Kokkos::deep_copy(mirror, x);
  for (int n = 0; n < int(x.size()); ++n) EXPECT_EQ(mirror(n / (3 * length), n / 3 % length, n % 3), n);
}

TYPED_TEST(ViewOffsetTest, AViewIsAllocatedFromExtentsOrALayout) {
  Masses<TypeParam> a("a", blocks), b("b", Layout(blocks));
  EXPECT_EQ(a.extent(0), std::size_t(blocks));
  EXPECT_EQ(a.extent(1), std::size_t(length));
  EXPECT_EQ(a.span(), b.span());
  EXPECT_EQ(Masses<TypeParam>::required_allocation_size(blocks), blocks * pitch * sizeof(int));
  EXPECT_EQ(Masses<TypeParam>().extent(0), 0u);
  Kokkos::resize(a, blocks + 1);
  EXPECT_EQ(a.extent(0), std::size_t(blocks + 1));
}

TYPED_TEST(ViewOffsetTest, ViewsOfTheSameLayoutAreAssigned) {
  using Atomic = Kokkos::View<int* [length], Layout, TypeParam, Kokkos::MemoryTraits<Kokkos::Atomic>>;
  Masses<TypeParam> const a("a", blocks);
  Atomic const atomic = a;
  count_up(atomic, 100);
  Kokkos::View<int const**, Layout, TypeParam> const dynamic = a;  // all extents at run time
  EXPECT_EQ(dynamic.extent(1), std::size_t(length));
  Kokkos::View<int**, Kokkos::LayoutStride, TypeParam> const strided = a;
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), strided);
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < length; ++i) EXPECT_EQ(h(b, i), b == 1 && i == 2 ? 100 : 0);
  static_assert(!std::is_constructible_v<Masses<TypeParam>, decltype(strided)>);
  static_assert(!std::is_constructible_v<Masses<TypeParam>, Kokkos::View<int* [length], TypeParam>>);
  static_assert(
      !std::is_constructible_v<Kokkos::View<int* [length], Kokkos::LayoutRight, TypeParam>, Masses<TypeParam>>);
}

TYPED_TEST(ViewOffsetTest, ASubviewHasStrides) {
  Kokkos::View<int*, TypeParam> memory("memory", blocks * pitch);
  Positions<TypeParam> const x(memory.data() + length, Layout(blocks));
  number(x);
  auto const part = Kokkos::subview(x, 1, Kokkos::ALL, Kokkos::pair<int, int>(1, 3));
  static_assert(std::is_same_v<typename decltype(part)::array_layout, Kokkos::LayoutStride>);
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  for (int a = 0; a < length; ++a)
    for (int k = 0; k < 2; ++k) EXPECT_EQ(h(a, k), (length + a) * 3 + k + 1);
}

}  // namespace
