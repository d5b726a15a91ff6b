// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <TestElements.hpp>
#include <TestSpaces.hpp>

#include <utility>

namespace {

using Kokkos::ALL;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::Experimental::local_deep_copy;
using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::count_other_values;
using Kokkos::Testing::number_elements;

template <class Space>
class LocalDeepCopyTest : public ::testing::Test {};
TYPED_TEST_SUITE(LocalDeepCopyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// Each thread copies a slice.
template <class Space, class DstLayout, class SrcLayout>
void expect_threads_copy() {
  Kokkos::View<double***, DstLayout, Space> dst("dst", 20, 5, 7);
  Kokkos::View<double***, SrcLayout, Space> src("src", 20, 5, 7);
  number_elements(src);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 20),
      KOKKOS_LAMBDA(int i) { local_deep_copy(Kokkos::subview(dst, i, ALL, ALL), Kokkos::subview(src, i, ALL, ALL)); });
  EXPECT_EQ(count_other_numbers(dst), 0);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 20),
      KOKKOS_LAMBDA(int i) { local_deep_copy(Kokkos::subview(dst, i, ALL, std::pair<int, int>(1, 7)), 3); });
  EXPECT_EQ(count_other_values(Kokkos::subview(dst, ALL, ALL, std::pair(1, 7)), 3), 0);
  EXPECT_EQ(count_other_numbers(Kokkos::subview(dst, ALL, ALL, 0), 0, 7), 0);
}

/// Each team copies a slice; because of the barriers a thread can read elements that another thread has copied.
template <class Space, class DstLayout, class SrcLayout>
void expect_teams_copy() {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::View<double***, DstLayout, Space> dst("dst", 20, 5, 7);
  Kokkos::View<double***, SrcLayout, Space> src("src", 20, 5, 7);
  Kokkos::View<double*, Space> sums("sums", 20);
  number_elements(src);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(20, Kokkos::AUTO), KOKKOS_LAMBDA(Team const& team) {
        int const i      = team.league_rank();
        auto const slice = Kokkos::subview(dst, i, ALL, ALL);
        local_deep_copy(team, slice, Kokkos::subview(src, i, ALL, ALL));
        double sum = 0;
        for (int j = 0; j < 5; ++j) {
          for (int k = 0; k < 7; ++k) sum += slice(j, k);
        }
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(i) = sum; });
      });
  EXPECT_EQ(count_other_numbers(dst), 0);
  // The sum of the 35 numbers that start at 35 i.
  EXPECT_EQ(count_other_numbers(sums, 595, 35 * 35), 0);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(20, Kokkos::AUTO), KOKKOS_LAMBDA(Team const& team) {
        local_deep_copy(team, Kokkos::subview(dst, team.league_rank(), ALL, ALL), 8);
      });
  EXPECT_EQ(count_other_values(dst, 8), 0);
}

/// One function for the host, a team and a thread.
template <class Who, class Dst, class Src>
KOKKOS_FUNCTION void fill_and_copy(Who const& who, Dst const& filled, Dst const& dst, Src const& src) {
  Kokkos::deep_copy(who, filled, 4);
  Kokkos::deep_copy(who, dst, src);
}

template <class Space, class DstLayout, class SrcLayout>
void expect_handles_copy() {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::View<double***, DstLayout, Space> filled("filled", 20, 5, 7), dst("dst", 20, 5, 7);
  Kokkos::View<double***, SrcLayout, Space> src("src", 20, 5, 7);
  number_elements(src);
  auto const check = [&] {
    EXPECT_EQ(count_other_values(filled, 4), 0);
    EXPECT_EQ(count_other_numbers(dst), 0);
    Kokkos::deep_copy(filled, 0);
    Kokkos::deep_copy(dst, 0);
  };
  fill_and_copy(Space(), filled, dst, src);
  check();
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(20, Kokkos::AUTO), KOKKOS_LAMBDA(Team const& team) {
        int const i = team.league_rank();
        fill_and_copy(team, Kokkos::subview(filled, i, ALL, ALL), Kokkos::subview(dst, i, ALL, ALL),
                      Kokkos::subview(src, i, ALL, ALL));
      });
  check();
  // Each thread copies rows of its own.
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(20, Kokkos::AUTO, 2), KOKKOS_LAMBDA(Team const& team) {
        int const i = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 5), [&](int j) {
          fill_and_copy(Kokkos::PerThread(team), Kokkos::subview(filled, i, j, ALL), Kokkos::subview(dst, i, j, ALL),
                        Kokkos::subview(src, i, j, ALL));
        });
      });
  check();
}

template <class Space>
void expect_contiguous_copies() {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::View<int*, Space> a("a", 100), b("b", 100), c("c", 100), d("d", 100);
  number_elements(a);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(1, Kokkos::AUTO), KOKKOS_LAMBDA(Team const& team) {
        Kokkos::Experimental::local_deep_copy_contiguous(team, b, a);
        Kokkos::Experimental::local_deep_copy_contiguous(team, c, 4);
      });
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) { Kokkos::Experimental::local_deep_copy_contiguous(d, a); });
  EXPECT_EQ(count_other_numbers(b), 0);
  EXPECT_EQ(count_other_values(c, 4), 0);
  EXPECT_EQ(count_other_numbers(d), 0);
}

template <class Space>
void expect_every_rank() {
  Kokkos::View<int, Space> zero("zero"), other_zero("other zero");
  Kokkos::View<int********, Space> eight("eight", 2, 1, 2, 3, 1, 2, 2, 2), copy("copy", 2, 1, 2, 3, 1, 2, 2, 2);
  number_elements(eight);
  Kokkos::deep_copy(zero, 6);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        local_deep_copy(other_zero, zero);
        local_deep_copy(copy, eight);
      });
  EXPECT_EQ(count_other_values(other_zero, 6), 0);
  EXPECT_EQ(count_other_numbers(copy), 0);
}

TYPED_TEST(LocalDeepCopyTest, ByOneThread) {
  expect_threads_copy<TypeParam, LayoutRight, LayoutRight>();
  expect_threads_copy<TypeParam, LayoutLeft, LayoutRight>();
  expect_threads_copy<TypeParam, LayoutLeft, LayoutLeft>();
}
TYPED_TEST(LocalDeepCopyTest, ByATeam) {
  expect_teams_copy<TypeParam, LayoutRight, LayoutRight>();
  expect_teams_copy<TypeParam, LayoutRight, LayoutLeft>();
}
TYPED_TEST(LocalDeepCopyTest, ByTheHandle) {
  expect_handles_copy<TypeParam, LayoutRight, LayoutRight>();
  expect_handles_copy<TypeParam, LayoutLeft, LayoutRight>();
}
// With extents that have no common factor, as above, an index modulo each extent reaches every element, too.
template <class Space, class DstLayout, class SrcLayout>
void expect_teams_copy_a_cube() {
  using Team = typename Kokkos::TeamPolicy<Space>::member_type;
  Kokkos::View<int****, DstLayout, Space> dst("dst", 4, 2, 4, 6), filled("filled", 4, 2, 4, 6);
  Kokkos::View<int****, SrcLayout, Space> src("src", 4, 2, 4, 6);
  number_elements(src);
  Kokkos::parallel_for(
      Kokkos::TeamPolicy<Space>(1, Kokkos::AUTO), KOKKOS_LAMBDA(Team const& team) {
        local_deep_copy(team, dst, src);
        local_deep_copy(team, filled, 3);
      });
  EXPECT_EQ(count_other_numbers(dst), 0);
  EXPECT_EQ(count_other_values(filled, 3), 0);
}
TYPED_TEST(LocalDeepCopyTest, ByATeamWithExtentsOfACommonFactor) {
  expect_teams_copy_a_cube<TypeParam, LayoutRight, LayoutRight>();
  expect_teams_copy_a_cube<TypeParam, LayoutLeft, LayoutRight>();
  expect_teams_copy_a_cube<TypeParam, LayoutRight, LayoutLeft>();
}
TYPED_TEST(LocalDeepCopyTest, Contiguous) { expect_contiguous_copies<TypeParam>(); }
TYPED_TEST(LocalDeepCopyTest, RanksZeroAndEight) { expect_every_rank<TypeParam>(); }

}  // namespace
