// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <KokkosExp_InterOp.hpp>
#include <Kokkos_DynRankView.hpp>

#include "Messages.hpp"
#include "TestSpaces.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace {

template <class Space>
struct DynRankViewTest : ::testing::Test {};
TYPED_TEST_SUITE(DynRankViewTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

/// Sets element (i, j, k) to 100 i + 10 j + k.
template <class Space, class V>
void number_elements(V const& v) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, v.extent_int(0)), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < v.extent_int(1); ++j)
          for (int k = 0; k < v.extent_int(2); ++k) v(i, j, k) = 100 * i + 10 * j + k;
      });
}

/// The extents of a view of each rank, and 1 beyond it.
template <class Layout, class... N>
void check_extents_of_rank(N... n) {
  using Dyn = Kokkos::DynRankView<int, Layout, Kokkos::HostSpace>;
  Dyn const v("v", n...);
  std::size_t const given[] = {static_cast<std::size_t>(n)..., 1};
  ASSERT_EQ(v.rank(), sizeof...(N));
  for (std::size_t r = 0; r < 9; ++r) {
    EXPECT_EQ(v.extent(r), r < sizeof...(N) ? given[r] : 1u) << "dimension " << r << " of " << sizeof...(N);
    EXPECT_EQ(v.extent_int(r), static_cast<int>(v.extent(r)));
  }
  if constexpr (sizeof...(N) < 7) check_extents_of_rank<Layout>(n..., static_cast<int>(sizeof...(N)) + 2);
}

TEST(DynRankView, ExtentsBeyondTheRankAreOne) {
  check_extents_of_rank<Kokkos::LayoutLeft>();
  check_extents_of_rank<Kokkos::LayoutRight>();
}

TEST(DynRankView, APartWithoutExtentsIsOneElement) {
  Kokkos::DynRankView<int, Kokkos::HostSpace> const v("v", 2, 3);
  v(1, 2)         = 7;
  auto const part = Kokkos::subview(v, 1, 2);
  EXPECT_EQ(part.rank(), 0u);
  for (unsigned r = 0; r < 8; ++r) EXPECT_EQ(part.extent(r), 1u) << r;
  EXPECT_EQ(part.size(), 1u);
  EXPECT_EQ(part(), 7);
}

template <class Space, class Layout>
void check_elements() {
  using Dyn = Kokkos::DynRankView<int, Layout, Space>;
  Dyn v("v", 2, 3, 4);
  EXPECT_EQ(v.rank(), 3u);
  EXPECT_EQ(Kokkos::rank(v), 3u);
  EXPECT_EQ(v.extent(2), 4u);
  EXPECT_EQ(v.extent(3), 1u);
  EXPECT_EQ(v.size(), 24u);
  EXPECT_EQ(v.span(), 24u);
  EXPECT_EQ(v.label(), "v");
  number_elements<Space>(v);

  // The same elements as in a view of that rank
  Kokkos::View<int***, Layout, Space> const same = Kokkos::Impl::as_view_of_rank_n<3>(v);
  EXPECT_EQ(Kokkos::rank(same), 3u);
  auto const m = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), same);
  for (int i : {0, 1})
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(h(i, j, k), 100 * i + 10 * j + k);
        EXPECT_EQ(m(i, j, k), 100 * i + 10 * j + k);
        EXPECT_EQ(m.access(i, j, k, 0, 0), m(i, j, k));
        EXPECT_EQ(m(i, j, k, 0, 0, 0, 0), m(i, j, k));
        EXPECT_EQ(m(i, j, k, 0), m(i, j, k));
      }
  std::size_t strides[4];
  v.stride(strides);
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(v.stride(r), same.stride(r));
    EXPECT_EQ(strides[r], same.stride(r));
  }
  EXPECT_EQ(v.stride_0(), same.stride(0));
  EXPECT_EQ(v.stride_1(), same.stride(1));
  EXPECT_EQ(v.stride_2(), same.stride(2));
  EXPECT_EQ(v.layout().dimension[2], 4u);
  EXPECT_EQ(v.layout().dimension[3], KOKKOS_INVALID_INDEX);

  // A view with a padded stride is converted, and converted back.
  Kokkos::View<int**, Layout, Space> padded(Kokkos::view_alloc("padded", Kokkos::AllowPadding), 50, 50);
  Dyn const of_view(padded);
  EXPECT_EQ(of_view.rank(), 2u);
  EXPECT_EQ(of_view.stride(0), padded.stride(0));
  EXPECT_EQ(of_view.stride(1), padded.stride(1));
  EXPECT_EQ(of_view.data(), padded.data());
  EXPECT_EQ(padded.use_count(), 2);
  EXPECT_EQ(Kokkos::Impl::as_view_of_rank_n<2>(of_view), padded);
}

TYPED_TEST(DynRankViewTest, ElementsAreThoseOfAView) {
  check_elements<TypeParam, Kokkos::LayoutLeft>();
  check_elements<TypeParam, Kokkos::LayoutRight>();
}

template <class Space, class Layout, class... N>
void check_rank(unsigned rank, std::size_t size, N... n) {
  using Dyn = Kokkos::DynRankView<double, Layout, Space>;
  Dyn v("v", n...), moved;
  EXPECT_EQ(v.rank(), rank);
  EXPECT_EQ(v.size(), size);
  Kokkos::deep_copy(v, 2.5);
  moved             = v;
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moved);
  EXPECT_EQ(mirror.rank(), rank);
  EXPECT_EQ(mirror((n - 1)...), 2.5);
  EXPECT_EQ(Dyn::required_allocation_size(n...), size * sizeof(double));
  Kokkos::DynRankView<double const, Layout, Space> const constant = v;
  EXPECT_TRUE(constant == v);
  EXPECT_EQ(constant.rank(), rank);
  EXPECT_TRUE(v.DownCast().data() == v.data() && v.DownCast().size() == size);
  EXPECT_TRUE(v.ConstDownCast().data() == v.data() && v.ConstDownCast().size() == size);
  auto const exported = Kokkos::Experimental::as_python_type(v);
  EXPECT_TRUE(exported.data() == v.data() && exported.rank() == rank);
}

TYPED_TEST(DynRankViewTest, RanksFrom0To7) {
  check_rank<TypeParam, Kokkos::LayoutLeft>(0, 1);
  check_rank<TypeParam, Kokkos::LayoutRight>(0, 1);
  check_rank<TypeParam, Kokkos::LayoutLeft>(1, 5, 5);
  check_rank<TypeParam, Kokkos::LayoutRight>(1, 5, 5);
  check_rank<TypeParam, Kokkos::LayoutLeft>(7, 216, 2, 3, 2, 3, 2, 3, 1);
  check_rank<TypeParam, Kokkos::LayoutRight>(7, 216, 2, 3, 2, 3, 2, 3, 1);
  Kokkos::DynRankView<int, TypeParam> none;
  EXPECT_EQ(none.rank(), 0u);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.extent(0), 0u);
  EXPECT_FALSE(none.is_allocated());
  auto const copied                                        = none;
  Kokkos::DynRankView<int const, TypeParam> const constant = copied;
  EXPECT_EQ(constant.size(), 0u);
}

template <class Space, class V>
int sum_of(V const& v) {
  int sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, v.extent_int(0)),
      KOKKOS_LAMBDA(int i, int& s) {
        for (int j = 0; j < v.extent_int(1); ++j) s += v.access(i, j);
      },
      sum);
  return sum;
}

template <class Space, class Layout>
void check_parts() {
  Kokkos::DynRankView<int, Layout, Space> v("v", 4, 5, 6);
  number_elements<Space>(v);
  auto const part = Kokkos::subview(v, std::make_pair(1, 3), 2, Kokkos::ALL);
  static_assert(std::is_same_v<typename decltype(part)::array_layout, Kokkos::LayoutStride>);
  EXPECT_EQ(part.rank(), 2u);
  EXPECT_EQ(part.extent(0), 2u);
  EXPECT_EQ(part.extent(1), 6u);
  EXPECT_EQ(sum_of<Space>(part), 6 * (120 + 220) + 2 * 15);
  auto const row = Kokkos::subdynrankview(part, 1, Kokkos::pair<int, int>(2, 4));
  EXPECT_EQ(row.rank(), 1u);
  EXPECT_EQ(sum_of<Space>(row), 222 + 223);
  auto const one = Kokkos::subdynrankview(v, 3, 4, 5);
  EXPECT_EQ(one.rank(), 0u);
  EXPECT_EQ(Kokkos::subdynrankview(v, 3, Kokkos::ALL, 5, Kokkos::ALL).rank(), 1u);
  int value = 0;
  Kokkos::deep_copy(value, one);
  EXPECT_EQ(value, 345);
  Kokkos::DynRankView<int, Kokkos::LayoutStride, Space> const constructed(v, Kokkos::ALL, 0, 0);
  EXPECT_EQ(sum_of<Space>(constructed), 600);

  // Copies a strided part to dense memory and back.
  Kokkos::DynRankView<int, Layout, Space> dense("dense", 2, 6);
  Kokkos::deep_copy(Space(), dense, part);
  EXPECT_EQ(sum_of<Space>(dense), 6 * 340 + 30);
  Kokkos::deep_copy(dense, 7);
  Kokkos::deep_copy(part, dense);
  EXPECT_EQ(sum_of<Space>(part), 84);
  // If the strides match the layout, the view can have that layout again.
  Kokkos::DynRankView<int, Layout, Space> const again = Kokkos::subview(dense, Kokkos::ALL, Kokkos::ALL);
  EXPECT_EQ(again.stride(0), dense.stride(0));
  EXPECT_EQ(again.data(), dense.data());
}

/// Each element, found through the mdspan with indices of 0 beyond rank 3, is that of the view.
template <class Dyn, class MDSpan>
void expect_same_elements(Dyn const& v, MDSpan const& m) {
  ASSERT_EQ(m.extent(2), v.extent(2));
  ASSERT_EQ(m.extent(3), 1u);
  for (std::size_t i = 0; i < v.extent(0); ++i)
    for (std::size_t j = 0; j < v.extent(1); ++j)
      for (std::size_t k = 0; k < v.extent(2); ++k) EXPECT_EQ(&m(i, j, k, 0, 0, 0, 0), &v(i, j, k));
}

template <class Layout>
void check_mdspan() {
  using Dyn = Kokkos::DynRankView<int, Layout, Kokkos::HostSpace>;
  Dyn v("v", 2, 3, 4);
  EXPECT_EQ(v.extents().extent(1), 3u);
  EXPECT_EQ(v.extents().extent(6), 1u);
  EXPECT_EQ(v.mapping()(1, 2, 3, 0, 0, 0, 0), static_cast<std::size_t>(&v(1, 2, 3) - v.data()));
  expect_same_elements(v, v.to_mdspan());
  Kokkos::mdspan<int, Kokkos::dextents<std::size_t, 7>, Kokkos::layout_stride> const converted(v);
  expect_same_elements(v, converted);
  auto const owning = v.to_mdspan(v.accessor());
  EXPECT_EQ(v.use_count(), 2);
  expect_same_elements(v, owning);
  // Rows of 4 in a padded view
  Kokkos::View<int***, Layout, Kokkos::HostSpace> const padded(Kokkos::view_alloc("padded", Kokkos::AllowPadding), 100,
                                                               2, 100);
  Dyn const rows(padded);
  expect_same_elements(rows, rows.to_mdspan());
}

TEST(DynRankView, HasTheMembersOfMDSpan) {
  check_mdspan<Kokkos::LayoutLeft>();
  check_mdspan<Kokkos::LayoutRight>();
  Kokkos::DynRankView<int, Kokkos::LayoutStride, Kokkos::HostSpace> const v("v",
                                                                            Kokkos::LayoutStride(2, 1, 3, 2, 4, 6));
  expect_same_elements(v, v.to_mdspan());
}

template <class Layout>
void expect_strides_by_name() {
  Kokkos::DynRankView<int, Layout, Kokkos::HostSpace> const v("v", 2, 3, 4, 5, 6, 7, 8);
  std::size_t const named[] = {v.stride_0(), v.stride_1(), v.stride_2(), v.stride_3(),
                               v.stride_4(), v.stride_5(), v.stride_6(), v.stride_7()};
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(named[r], v.stride(r)) << r;
}

TEST(DynRankView, StridesHaveNames) {
  expect_strides_by_name<Kokkos::LayoutLeft>();
  expect_strides_by_name<Kokkos::LayoutRight>();
}

// With gaps between the rows, the number of elements, and the distance from the first to the last, differ.
TEST(DynRankView, CountsNoGaps) {
  Kokkos::View<int[6][7], Kokkos::LayoutRight, Kokkos::HostSpace> const whole("whole");
  auto const part = Kokkos::subview(whole, std::pair(1, 4), std::pair(2, 7));
  Kokkos::DynRankView<int, Kokkos::LayoutStride, Kokkos::HostSpace> const v(part);
  EXPECT_EQ(v.size(), 15u);
  EXPECT_EQ(v.span(), 2u * 7 + 5);
  EXPECT_FALSE(v.span_is_contiguous());
  int strides[3] = {};
  v.stride(strides);
  EXPECT_EQ(strides[0], 7);
  EXPECT_EQ(strides[1], 1);
  EXPECT_EQ(strides[2], 2 * 7 + 5) << "the span";
}

// So the program needs memory for one of the two only.
TEST(DynRankView, ReallocReleasesTheOldElementsFirst) {
  static std::string order;
  Kokkos::DynRankView<int, Kokkos::HostSpace> v("v", 10, 20);
  Kokkos::Tools::Experimental::set_allocate_data_callback([](auto, auto, auto, auto) { order += 'a'; });
  Kokkos::Tools::Experimental::set_deallocate_data_callback([](auto, auto, auto, auto) { order += 'd'; });
  Kokkos::realloc(v, 30, 40, 5);
  Kokkos::realloc(Kokkos::WithoutInitializing, v, 7);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
  EXPECT_EQ(order, "dada");
  EXPECT_EQ(v.label(), "v");
}

TEST(DynRankView, RefersToTheElementsOfAnMDSpan) {
  int memory[6];
  Kokkos::mdspan<int, Kokkos::dextents<int, 2>> const source(memory, 2, 3);
  Kokkos::DynRankView<int, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const v(
      source);
  ASSERT_EQ(v.rank(), 2u);
  EXPECT_EQ(&v(1, 2), memory + 5);
  using Managed = Kokkos::DynRankView<int, Kokkos::LayoutRight, Kokkos::HostSpace>;
  static_assert(!std::is_convertible_v<decltype(source), Managed>);
  EXPECT_EQ(&Managed(source)(1, 2), memory + 5);
  static_assert(!std::is_constructible_v<Kokkos::DynRankView<double, Kokkos::HostSpace>, decltype(source)>);
}

TYPED_TEST(DynRankViewTest, PartsAndCopies) {
  check_parts<TypeParam, Kokkos::LayoutLeft>();
  check_parts<TypeParam, Kokkos::LayoutRight>();
}

TYPED_TEST(DynRankViewTest, CopiesBetweenLayoutsAndWithViews) {
  Kokkos::DynRankView<int, Kokkos::LayoutLeft, TypeParam> left("left", 2, 3, 4);
  Kokkos::DynRankView<int, Kokkos::LayoutRight, TypeParam> right("right", 2, 3, 4);
  number_elements<TypeParam>(left);
  Kokkos::deep_copy(right, left);
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), right);
  EXPECT_EQ(h(1, 2, 3), 123);
  Kokkos::View<int***, Kokkos::LayoutLeft, TypeParam> view("view", 2, 3, 4);
  Kokkos::deep_copy(view, right);
  Kokkos::deep_copy(right, 0);
  Kokkos::deep_copy(right, view);
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), right)(1, 0, 2), 102);

  Kokkos::DynRankView<int, Kokkos::LayoutRight, TypeParam> flat("flat", 24), other("other", 2, 4, 3);
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([&] { Kokkos::deep_copy(flat, right); }),
      {"the destination \"flat\" has rank 1, but the source", "has rank 3; they must be equal."});
  EXPECT_THROW(Kokkos::deep_copy(other, right), std::runtime_error);
}

TYPED_TEST(DynRankViewTest, ResizeChangesTheRank) {
  Kokkos::DynRankView<int, Kokkos::LayoutRight, TypeParam> none;
  Kokkos::resize(none, 2, 3);
  EXPECT_TRUE(none.is_allocated() && none.rank() == 2 && none.extent(0) == 2 && none.extent(1) == 3);
  Kokkos::DynRankView<int, Kokkos::LayoutRight, TypeParam> v("v", 4, 5, 6);
  number_elements<TypeParam>(v);
  Kokkos::resize(v, 2, 7);
  EXPECT_EQ(v.rank(), 2u);
  EXPECT_EQ(v.extent(1), 7u);
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  EXPECT_EQ(h(1, 4), 140);  // was at (1, 4, 0)
  EXPECT_EQ(h(1, 6), 0);
  Kokkos::realloc(Kokkos::WithoutInitializing, v, 3);
  EXPECT_EQ(v.rank(), 1u);
  EXPECT_EQ(v.label(), "v");
  Kokkos::realloc(v, 3);
  EXPECT_EQ(v.label(), "v");
  EXPECT_EQ(sum_of<TypeParam>(v), 0);
}

TYPED_TEST(DynRankViewTest, ExtentsThatWereComputed) {
  Kokkos::DynRankView<int, TypeParam> v("v", 2.5, 3);
  EXPECT_EQ(v.extent(0), 2u);
  Kokkos::resize(v, 4.5);
  EXPECT_EQ(v.extent(0), 4u);
  Kokkos::realloc(v, 5.5, 2);
  EXPECT_EQ(v.extent(0), 5u);
}

TYPED_TEST(DynRankViewTest, Mirrors) {
  Kokkos::DynRankView<int const, Kokkos::LayoutLeft, TypeParam> v(
      Kokkos::DynRankView<int, Kokkos::LayoutLeft, TypeParam>("v", 2, 3));
  auto const mirror = Kokkos::create_mirror(v);
  static_assert(std::is_same_v<typename decltype(mirror)::value_type, int>);
  EXPECT_EQ(mirror.rank(), 2u);
  EXPECT_EQ(mirror.label(), "v_mirror");
  EXPECT_EQ(Kokkos::create_mirror(mirror).label(), "v_mirror");
  auto const same = Kokkos::create_mirror_view(typename TypeParam::memory_space(), v);
  EXPECT_EQ(same.data(), v.data());
  auto const uninitialized = Kokkos::create_mirror(Kokkos::WithoutInitializing, Kokkos::HostSpace(), v);
  EXPECT_EQ(uninitialized.extent(1), 3u);
  auto const given = Kokkos::create_mirror_view(Kokkos::view_alloc(Kokkos::HostSpace()), v);
  EXPECT_EQ(given.rank(), 2u);
  using Device = Kokkos::Device<TypeParam, typename TypeParam::memory_space>;
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Device(), v).data(), v.data());
  EXPECT_NE(Kokkos::create_mirror(Device(), v).data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v).label(), "v");
}

template <class Space>
void fill_scratch(Kokkos::View<int*, Space> const& result) {
  using Scratch = Kokkos::DynRankView<int, typename Space::scratch_memory_space>;
  Kokkos::TeamPolicy<Space> policy(result.extent_int(0), 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(3, 2)));
  Kokkos::parallel_for(
      policy, KOKKOS_LAMBDA(typename Kokkos::TeamPolicy<Space>::member_type const& team) {
        Scratch const scratch(team.team_scratch(0), 3, 2);
        int sum = 0;
        for (int i = 0; i < 6; ++i) scratch(i / 2, i % 2) = i;
        for (int i = 0; i < 6; ++i) sum += scratch(i / 2, i % 2);
        result(team.league_rank()) = sum + static_cast<int>(scratch.rank());
      });
}

TYPED_TEST(DynRankViewTest, ScratchAndPointers) {
  Kokkos::View<int*, TypeParam> result("result", 3);
  fill_scratch(result);
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result)(2), 17);
  int memory[6] = {0, 1, 2, 3, 4, 5};
  Kokkos::DynRankView<int, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const wrapped(memory, 3, 2);
  EXPECT_EQ(wrapped(2, 0), 4);
  unsigned const order[] = {1, 0}, extents[] = {3, 2};
  Kokkos::DynRankView<int, Kokkos::LayoutStride, Kokkos::HostSpace> const strided(
      memory, Kokkos::LayoutStride::order_dimensions(2, order, extents));
  EXPECT_EQ(strided.rank(), 2u);
  EXPECT_EQ(strided(2, 0), 4);
}

TEST(DynRankViewHostDeathTest, WrongRank) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  Kokkos::DynRankView<int, Kokkos::HostSpace> v("v", 2, 3);
  // The 8th extent of a layout object, which programs fill completely, must be none.
  using Left = Kokkos::DynRankView<int, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  for (std::size_t const last : {0, 1}) {
    Left const seven("seven", Kokkos::LayoutLeft(2, 1, 1, 1, 1, 1, 3, last));
    EXPECT_TRUE(seven.rank() == 7 && seven.extent(6) == 3 && seven.size() == 6) << last;
  }
  EXPECT_DEATH(Left("eight", Kokkos::LayoutLeft(2, 1, 1, 1, 1, 1, 3, 2)), "constructed with extents: 8");
  EXPECT_DEATH(Kokkos::subview(v, 1), "\"v\" of rank 2: subview was given slices: 1");
  EXPECT_DEATH(Kokkos::Impl::as_view_of_rank_n<3>(v), "converted to a View of rank: 3");
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  EXPECT_DEATH(v(1), "accessed by indices: 1");
  EXPECT_DEATH(v(1, 3), "\\(1, 3\\)");
#endif
}

}  // namespace
