// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu not-optimised one-rocm starts-first
// deep_copy between every pair of memory spaces, and pageable memory in a view of another space: strided, transposed,
// contiguous, of all ranks, of equal and of different types; with and without an instance, and as nodes of graphs.
#include <CopyImages.hpp>
#include <TestSpaces.hpp>
#include <Thorough.hpp>

#include <Kokkos_Graph.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace {

using Kokkos::Testing::Image;
using Kokkos::Testing::lay_out;
using Kokkos::Testing::lay_out_at_random;
using Kokkos::Testing::Random;
using Kokkos::Testing::random_shape;
using Kokkos::Testing::Shape;

using Exec = Kokkos::DefaultExecutionSpace;

template <class DstSpace, class SrcSpace>
struct Pair {
  using dst = DstSpace;
  using src = SrcSpace;
};

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using Host   = Kokkos::HostSpace;
using Device = Exec::memory_space;
using Shared = Kokkos::SharedSpace;
using Pinned = Kokkos::SharedHostPinnedSpace;
using Pairs  = ::testing::Types<Pair<Host, Host>, Pair<Host, Device>, Pair<Host, Shared>, Pair<Host, Pinned>,
                                Pair<Device, Host>, Pair<Device, Device>, Pair<Device, Shared>, Pair<Device, Pinned>,
                                Pair<Shared, Host>, Pair<Shared, Device>, Pair<Shared, Shared>, Pair<Shared, Pinned>,
                                Pair<Pinned, Host>, Pair<Pinned, Device>, Pair<Pinned, Shared>, Pair<Pinned, Pinned>>;
#else
using Pairs = ::testing::Types<Pair<Kokkos::HostSpace, Kokkos::HostSpace>>;
#endif

struct PairName {
  template <class P>
  static std::string GetName(int) {
    return std::string("to_") + P::dst::name() + "_from_" + P::src::name();
  }
};

template <class P>
class DeepCopySpacesTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeepCopySpacesTest, Pairs, PairName);

/// Copies a shape of one image to a shape of another, and checks all of the other's memory.
template <int Rank, class Dst, class Src>
void expect_copied(Dst& dst, Shape const& to, Src& src, Shape const& from, bool with_instance) {
  if (with_instance) {
    Exec const exec;
    Kokkos::deep_copy(exec, dst.template view<Rank>(to), src.template view<Rank>(from));
    exec.fence();
  } else {
    Kokkos::deep_copy(dst.template view<Rank>(to), src.template view<Rank>(from));
  }
  dst.expect_copy(to, src, from);
  EXPECT_EQ(dst.wrong(), 0) << from.words() << " to " << to.words() << (with_instance ? " with an instance" : "");
  dst.number(7);
}

template <class T, class U, class P>
void expect_shapes_copied(bool pageable_dst, bool pageable_src, std::vector<std::pair<Shape, Shape>> const& shapes) {
  using Dst            = Image<T, typename P::dst>;
  using Src            = Image<U, typename P::src>;
  std::size_t dst_size = 0, src_size = 0;
  for (auto const& [to, from] : shapes) {
    dst_size = std::max(dst_size, to.span() + 3);
    src_size = std::max(src_size, from.span() + 3);
  }
  Dst dst("dst", dst_size, pageable_dst ? Dst::Origin::plain : Dst::Origin::allocated);
  Src src("src", src_size, pageable_src ? Src::Origin::plain : Src::Origin::allocated);
  dst.number(7);
  src.number(1000);
  bool with_instance = false;
  for (auto const& [to, from] : shapes) {
    expect_copied<4>(dst, to, src, from, with_instance);
    with_instance = !with_instance;
    if (Kokkos::Testing::is_thorough()) expect_copied<4>(dst, to, src, from, with_instance);
  }
}

std::vector<std::pair<Shape, Shape>> shapes_of_rank_4(unsigned seed, int count) {
  std::vector<std::pair<Shape, Shape>> shapes;
  auto add = [&](std::array<std::size_t, 4> extents, std::vector<int> to_order, std::vector<int> from_order,
                 std::size_t to_gap, std::size_t from_gap, std::size_t first_gap = 0) {
    Shape to, from;
    to.rank = from.rank = 4;
    for (int r = 0; r < 4; ++r) {
      std::size_t const extent = extents[static_cast<std::size_t>(r)];
      bool const shorter       = !Kokkos::Testing::is_thorough() && extent >= 30;
      to.extent[r] = from.extent[r] = shorter ? extent / 2 + 1 : extent;
    }
    lay_out(to, to_order, first_gap, to_gap);
    lay_out(from, from_order, 0, from_gap);
    shapes.emplace_back(to, from);
  };
  std::vector<int> const left{0, 1, 2, 3}, right{3, 2, 1, 0};
  add({30, 40, 5, 2}, left, left, 0, 0);       // one block
  add({30, 40, 5, 2}, right, left, 0, 0);      // transposed
  add({600, 1, 1, 40}, left, left, 200, 0);    // rows with a pitch, to a subview
  add({600, 1, 1, 40}, left, left, 0, 200);    // ... from a subview
  add({64, 64, 1, 3}, left, right, 0, 5);      // transposed from a subview
  add({1, 1, 3000, 1}, left, right, 0, 0, 2);  // every third element
  add({3, 1, 2500, 1}, left, right, 0, 0);     // arrays of structures to a structure of arrays
  add({2500, 1, 1, 3}, left, right, 0, 0);
  if (!Kokkos::Testing::is_thorough()) {  // every second one; callers use odd and even seeds
    for (std::size_t i = 0; i < 4; ++i) shapes[i] = shapes[2 * i + seed % 2];
    shapes.resize(4);
  }
  Random random(seed);
  for (int i = 0; i < (Kokkos::Testing::is_thorough() ? count : (count + 2) / 3); ++i) {
    Shape to = random_shape(random, 4, Kokkos::Testing::is_thorough() ? 3000 : 1000), from = to;
    lay_out_at_random(from, random);
    shapes.emplace_back(to, from);
  }
  return shapes;
}

TYPED_TEST(DeepCopySpacesTest, ElementsOfOneType) {
  expect_shapes_copied<int, int, TypeParam>(false, false, shapes_of_rank_4(1, 12));
  if (Kokkos::Testing::is_thorough())
    expect_shapes_copied<double, double, TypeParam>(false, false, shapes_of_rank_4(3, 6));
  expect_shapes_copied<signed char, signed char, TypeParam>(false, false, shapes_of_rank_4(2, 6));
}

TYPED_TEST(DeepCopySpacesTest, ElementsThatMustBeConverted) {
  expect_shapes_copied<double, int, TypeParam>(false, false, shapes_of_rank_4(4, 6));
  expect_shapes_copied<short, double, TypeParam>(false, false, shapes_of_rank_4(5, 3));
}

/// Memory of malloc in views of any space: the runtime reports its kind.
TYPED_TEST(DeepCopySpacesTest, PlainMemoryInViewsOfTheSpaces) {
  expect_shapes_copied<int, int, TypeParam>(true, false, shapes_of_rank_4(6, 3));
  expect_shapes_copied<int, int, TypeParam>(false, true, shapes_of_rank_4(7, 3));
  expect_shapes_copied<int, int, TypeParam>(true, true, shapes_of_rank_4(8, 3));
}

// ---- in graphs --------------------------------------------------------------------------------------------------------

/// A graph whose nodes copy, each between memory of its own. Every other one follows the node before it. The graph copies
/// the current contents at each submission.
template <int Rank, class T, class U, class P>
void expect_copied_by_graph(bool pageable_dst, bool pageable_src, std::vector<std::pair<Shape, Shape>> const& shapes) {
  using Dst = Image<T, typename P::dst>;
  using Src = Image<U, typename P::src>;
  std::deque<Dst> dst;
  std::deque<Src> src;
  Kokkos::Experimental::Graph<Exec> graph;
  auto node = graph.root_node();
  for (auto const& [to, from] : shapes) {
    dst.emplace_back("dst", to.span() + 3, pageable_dst ? Dst::Origin::plain : Dst::Origin::allocated);
    src.emplace_back("src", from.span() + 3, pageable_src ? Src::Origin::plain : Src::Origin::allocated);
    auto const after = dst.size() % 2 == 0 ? node : graph.root_node();
    node             = after.then_deep_copy(dst.back().template view<Rank>(to), src.back().template view<Rank>(from));
  }
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      dst[i].number(7 * round);
      src[i].number(1000 + 100 * round);
      dst[i].expect_copy(shapes[i].first, src[i], shapes[i].second);
    }
    graph.submit();
    graph.get_execution_space().fence();
    for (std::size_t i = 0; i < shapes.size(); ++i)
      EXPECT_EQ(dst[i].wrong(), 0) << shapes[i].second.words() << " to " << shapes[i].first.words();
  }
}

TYPED_TEST(DeepCopySpacesTest, NodesOfGraphs) {
  expect_copied_by_graph<4, int, int, TypeParam>(false, false, shapes_of_rank_4(9, 1));
  auto shapes = shapes_of_rank_4(10, 1);
  shapes.resize(3);
  expect_copied_by_graph<4, int, int, TypeParam>(true, true, shapes);
  expect_copied_by_graph<4, double, int, TypeParam>(false, false, shapes);
}

/// More than the size of any temporary.
template <class P>
void expect_large_copied() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  constexpr std::size_t n = 200;  // its kernels are slow; DeepCopySoak_test covers chunks
#else
  constexpr std::size_t n = 3300;
#endif
  Shape to, from;
  to.rank = from.rank = 2;
  to.extent[0] = from.extent[0] = n;
  to.extent[1] = from.extent[1] = n + 1;
  lay_out(to, {0, 1}, 0, 0);
  lay_out(from, {1, 0}, 0, 1);
  Image<double, typename P::dst> dst("dst", to.span());
  Image<double, typename P::src> src("src", from.span());
  dst.number(7);
  src.number(100);
  expect_copied<2>(dst, to, src, from, false);
  expect_copied<2>(dst, to, src, from, true);
}

TYPED_TEST(DeepCopySpacesTest, LargeTransposition) { expect_large_copied<TypeParam>(); }

// ---- ranks ----------------------------------------------------------------------------------------------------------

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using OneWay  = Pair<Host, Device>;
using Another = Pair<Device, Host>;
#else
using OneWay  = Pair<Kokkos::HostSpace, Kokkos::HostSpace>;
using Another = OneWay;
#endif

template <int Rank, class P>
void expect_rank_copied() {
  Random random(static_cast<unsigned>(Rank) + 50);
  for (int i = 0; i < 6; ++i) {
    Shape to = random_shape(random, Rank, 2000), from = to;
    lay_out_at_random(from, random);
    Image<float, typename P::dst> dst("dst", to.span() + 2);
    Image<float, typename P::src> src("src", from.span() + 2);
    dst.number(7);
    src.number(100);
    expect_copied<Rank>(dst, to, src, from, i % 2 == 1);
  }
}

template <class P>
void expect_all_ranks_copied() {
  expect_rank_copied<1, P>();
  expect_rank_copied<2, P>();
  expect_rank_copied<3, P>();
  expect_rank_copied<5, P>();
  expect_rank_copied<6, P>();
  expect_rank_copied<7, P>();
  expect_rank_copied<8, P>();
}

TEST(DeepCopyRanks, OneWay) { expect_all_ranks_copied<OneWay>(); }
TEST(DeepCopyRanks, AndTheOther) { expect_all_ranks_copied<Another>(); }

/// The layouts that programs use.
template <class LayoutOnDevice, class LayoutOnHost>
void expect_layouts_copied() {
  Kokkos::View<int**, LayoutOnHost, Kokkos::HostSpace> host("host", 33, 47), back("back", 33, 47);
  Kokkos::View<int**, LayoutOnDevice, Exec> device("device", 33, 47);
  for (int i = 0; i < 33; ++i)
    for (int j = 0; j < 47; ++j) host(i, j) = 100 * i + j;
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(back, device);
  int wrong = 0;
  for (int i = 0; i < 33; ++i)
    for (int j = 0; j < 47; ++j) wrong += back(i, j) != 100 * i + j;
  EXPECT_EQ(wrong, 0);
  // In the device's layout, so that one transposition cannot undo another.
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
  for (int i = 0; i < 33; ++i)
    for (int j = 0; j < 47; ++j) wrong += mirror(i, j) != 100 * i + j;
  EXPECT_EQ(wrong, 0);
  auto const part = Kokkos::subview(device, std::make_pair(3, 20), std::make_pair(5, 31));
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  for (int i = 0; i < 17; ++i)
    for (int j = 0; j < 26; ++j) wrong += copy(i, j) != 100 * (i + 3) + j + 5;
  EXPECT_EQ(wrong, 0);
}

// ---- ranks in graphs --------------------------------------------------------------------------------------------------

template <int Rank, class P>
void expect_rank_copied_by_graph() {
  Random random(static_cast<unsigned>(Rank) + 70);
  std::vector<std::pair<Shape, Shape>> shapes;
  for (int i = 0; i < 3; ++i) {
    Shape to = random_shape(random, Rank, 2000), from = to;
    lay_out_at_random(from, random);
    shapes.emplace_back(to, from);
  }
  expect_copied_by_graph<Rank, float, float, P>(false, false, shapes);
}

TEST(DeepCopyRanks, InGraphs) {
  expect_rank_copied_by_graph<1, OneWay>();
  expect_rank_copied_by_graph<2, Another>();
  expect_rank_copied_by_graph<5, OneWay>();
  expect_rank_copied_by_graph<8, Another>();
  expect_copied_by_graph<0, float, float, OneWay>(false, false, {std::pair(Shape{}, Shape{})});
  expect_copied_by_graph<0, float, float, Another>(false, false, {std::pair(Shape{}, Shape{})});
}

TEST(DeepCopyLayouts, LeftAndRight) {
  expect_layouts_copied<Kokkos::LayoutLeft, Kokkos::LayoutLeft>();
  expect_layouts_copied<Kokkos::LayoutLeft, Kokkos::LayoutRight>();
  expect_layouts_copied<Kokkos::LayoutRight, Kokkos::LayoutLeft>();
  expect_layouts_copied<Kokkos::LayoutRight, Kokkos::LayoutRight>();
}

}  // namespace
