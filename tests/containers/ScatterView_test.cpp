// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_ScatterView.hpp>

#include "Deadline.hpp"
#include "TestSpaces.hpp"

#include <algorithm>
#include <cstdint>
#include <latch>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Experimental;

template <class Space>
struct ScatterViewTest : ::testing::Test {};
TYPED_TEST_SUITE(ScatterViewTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

constexpr int items = 1000, bins = 7;

template <class ViewType>
auto on_host(ViewType const& v) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
}

/// Item i contributes to bin i % bins, with each of the operators.
template <class Space, class Scatter>
void scatter_sums(Scatter const& scatter) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        auto access = scatter.access();
        access(i % bins, 0) += i;
        access(i % bins, 1) -= 2;
        ++access(i % bins, 2);
        access(i % bins, 2)++;
        --access(i % bins, 3);
        access(i % bins, 3)--;
        access(i % bins, 4).update(3);
      });
}
/// The same with atomic updates, whatever the default is.
template <class Space, class Scatter>
void scatter_atomically(Scatter const& scatter) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        auto access = scatter.template access<ScatterAtomic>();
        access(i % bins, 0) += 1;
      });
}

template <class ViewType>
void expect_sums(ViewType const& result, int times, double offset) {
  auto const h = on_host(result);
  for (int b = 0; b < bins; ++b) {
    double sum = 0, count = 0;
    for (int i = b; i < items; i += bins) sum += i, count += 1;
    EXPECT_EQ(h(b, 0), offset + times * sum) << "bin " << b;
    EXPECT_EQ(h(b, 1), offset - times * 2 * count);
    EXPECT_EQ(h(b, 2), offset + times * 2 * count);
    EXPECT_EQ(h(b, 3), offset - times * 2 * count);
    EXPECT_EQ(h(b, 4), offset + times * 3 * count);
  }
}

template <class Space, class Layout, class Duplication, class Contribution>
void check_sums() {
  using ViewType = Kokkos::View<double* [5], Layout, Space>;
  ViewType result("result", bins);
  Kokkos::deep_copy(result, 10.0);
  auto scatter = create_scatter_view(ScatterSum{}, Duplication{}, Contribution{}, result);
  scatter_sums<Space>(scatter);
  contribute(result, scatter);
  expect_sums(result, 1, 10.0);
  scatter.reset_except(result);
  scatter_sums<Space>(scatter);
  contribute(Space(), result, scatter);
  expect_sums(result, 2, 10.0);
  scatter.reset();
  ViewType other("other", bins);
  contribute(other, scatter);
  expect_sums(other, 0, 0.0);
  scatter_sums<Space>(scatter);
  contribute(other, scatter);
  expect_sums(other, 1, 0.0);
}

template <class Space>
constexpr bool is_serial = Kokkos::Impl::Experimental::is_single_threaded_v<Space>;

TYPED_TEST(ScatterViewTest, Sums) {
  using Left  = Kokkos::LayoutLeft;
  using Right = Kokkos::LayoutRight;
  check_sums<TypeParam, Left, ScatterDuplicated, ScatterNonAtomic>();
  check_sums<TypeParam, Right, ScatterDuplicated, ScatterNonAtomic>();
  check_sums<TypeParam, Left, ScatterDuplicated, ScatterAtomic>();
  check_sums<TypeParam, Right, ScatterNonDuplicated, ScatterAtomic>();
  if (is_serial<TypeParam>) check_sums<TypeParam, Left, ScatterNonDuplicated, ScatterNonAtomic>();
}

TYPED_TEST(ScatterViewTest, DefaultsAndConversions) {
  using Scatter = ScatterView<double* [5], Kokkos::LayoutRight, TypeParam>;
  static_assert(is_scatter_view_v<Scatter> && is_scatter_view<Scatter const>::value && !is_scatter_view_v<int>);
  Scatter none;
  none.reset();
  EXPECT_FALSE(none.is_allocated());
  Kokkos::View<double* [5], Kokkos::LayoutRight, TypeParam> const nothing("nothing", 0);
  contribute(nothing, create_scatter_view(nothing));
  Kokkos::View<double* [5], Kokkos::LayoutRight, TypeParam> result("result", bins);
  none = create_scatter_view(result);
  EXPECT_TRUE(none.is_allocated());
  scatter_sums<TypeParam>(none);
  scatter_atomically<TypeParam>(none);
  scatter_atomically<TypeParam>(none);
  contribute(result, none);
  EXPECT_EQ(on_host(result)(0, 0), 71071.0 + 2 * 143);
}

// A kernel often takes access to several ScatterViews, of which it leaves those empty that this run does not need.
template <class Space, class Duplication>
void check_access_without_elements() {
  using Contribution =
      std::conditional_t<std::is_same_v<Duplication, ScatterDuplicated>, ScatterNonAtomic, ScatterAtomic>;
  Kokkos::View<double*, Space> result("result", 2);
  auto const used = create_scatter_view<ScatterSum, Duplication, Contribution>(result);
  std::remove_const_t<decltype(used)> const unused;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        auto to_used   = used.access();
        auto to_unused = unused.access();
        if (unused.is_allocated()) to_unused(i % 2) += 1.0;
        to_used(i % 2) += 1.0;
      });
  contribute(result, used);
  EXPECT_EQ(on_host(result)(0) + on_host(result)(1), double(items));
}

TYPED_TEST(ScatterViewTest, AccessWithoutElements) {
  check_access_without_elements<TypeParam, ScatterDuplicated>();
  check_access_without_elements<TypeParam, ScatterNonDuplicated>();
}

template <class Space, class Op, class Scatter>
void scatter_values(Scatter const& scatter) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items), KOKKOS_LAMBDA(int i) {
        auto access = scatter.access();
        if constexpr (std::is_same_v<Op, ScatterProd>) {
          if (i % 100 == 0) access[0] *= 2.0;
          if (i % 500 == 0) access[1] /= 4.0;
        } else {
          access[i % 2].update(double(i));
        }
      });
}

template <class Space, class Op, class Duplication>
void check_operation(double initial, double first, double second) {
  Kokkos::View<double*, Space> result("result", 2);
  Kokkos::deep_copy(result, initial);
  using Contribution =
      std::conditional_t<std::is_same_v<Duplication, ScatterDuplicated>, ScatterNonAtomic, ScatterAtomic>;
  auto scatter = create_scatter_view<Op, Duplication, Contribution>(result);
  scatter_values<Space, Op>(scatter);
  contribute(result, scatter);
  auto const h = on_host(result);
  EXPECT_EQ(h(0), first);
  EXPECT_EQ(h(1), second);
}

TYPED_TEST(ScatterViewTest, ProductMinimumMaximum) {
  check_operation<TypeParam, ScatterProd, ScatterDuplicated>(3.0, 3.0 * 1024, 3.0 / 16);
  check_operation<TypeParam, ScatterProd, ScatterNonDuplicated>(3.0, 3.0 * 1024, 3.0 / 16);
  check_operation<TypeParam, ScatterMin, ScatterDuplicated>(0.5, 0.0, 0.5);
  check_operation<TypeParam, ScatterMin, ScatterNonDuplicated>(5000.0, 0.0, 1.0);
  check_operation<TypeParam, ScatterMax, ScatterDuplicated>(998.5, 998.5, 999.0);
  check_operation<TypeParam, ScatterMax, ScatterNonDuplicated>(-1.0, 998.0, 999.0);
}

template <class Space, class Scatter>
void add_one_each(Scatter const& scatter, int n) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        auto access = scatter.access();
        access(i) += 1;
      });
}

// The destination's strides differ from those of the copies, and the first copy is the destination itself.
TYPED_TEST(ScatterViewTest, StridedDestinationAndSubview) {
  Kokkos::View<int**, Kokkos::LayoutRight, TypeParam> all("all", 6, 3);
  auto const column = Kokkos::subview(all, Kokkos::ALL, 1);
  using Scatter     = ScatterView<int*, Kokkos::LayoutRight, TypeParam>;
  Scatter scatter(Kokkos::view_alloc(TypeParam(), "scatter"), 6);
  add_one_each<TypeParam>(scatter, 6);
  contribute(column, scatter);
  contribute(column, scatter);
  auto const h = on_host(all);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(h(i, 0) * 100 + h(i, 1) * 10 + h(i, 2), 20);

  auto const own = scatter.subview();
  contribute(own, scatter);
  EXPECT_EQ(on_host(own)(5), 1);
  scatter.reset_except(own);
  add_one_each<TypeParam>(scatter, 6);
  contribute(own, scatter);
  EXPECT_EQ(on_host(own)(5), 2);
}

// Copies of hosts are reset by one thread, by the threads that use them, or by all together, depending on their size.
template <class Space>
void check_resets(int n) {
  using Scatter = ScatterView<int*, Kokkos::LayoutRight, Space, ScatterSum, ScatterDuplicated, ScatterNonAtomic>;
  Scatter scatter(Kokkos::view_alloc(Space(), "scatter"), n);
  Kokkos::View<int*, Kokkos::LayoutRight, Space> result("result", n);
  for (int round = 1; round <= 3; ++round) {
    add_one_each<Space>(scatter, n);
    contribute(result, scatter);
    scatter.reset();
  }
  auto const sums = on_host(result);
  int right       = 0;
  for (int i = 0; i < n; ++i) right += sums(i) == 3;
  EXPECT_EQ(right, n);

  auto const own = scatter.subview();
  for (int round = 1; round <= 2; ++round) {
    add_one_each<Space>(scatter, n);
    contribute(own, scatter);
    scatter.reset_except(own);
  }
  auto const owned = on_host(own);
  right            = 0;
  for (int i = 0; i < n; ++i) right += owned(i) == 2;
  EXPECT_EQ(right, n);
}
TYPED_TEST(ScatterViewTest, ResetsOfAllSizes) {
  for (int n : {1, 7, 100}) check_resets<TypeParam>(n);
  if (!Kokkos::Impl::runs_on_host_v<TypeParam>) return;
  // Numbers of int around those from which, and up to which, each thread resets its copy.
  int const copies = static_cast<int>(TypeParam().concurrency()), fewest = 16 * 1024 / copies, most = 64 * 1024;
  for (int n : {1000, fewest - 1, fewest, fewest + 1, most - 1, most, most + 1, 300000}) check_resets<TypeParam>(n);
}

// On a device work items share the copies: each returns the one that it has had.
template <class Space>
void contribute_more_often_than_there_are_copies() {
  Kokkos::View<double*, Space> const result("result", 2);
  auto const scatter = create_scatter_view(ScatterSum{}, ScatterDuplicated{}, ScatterNonAtomic{}, result);
  int const many     = 2 * Space().concurrency() + 100;
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, many), KOKKOS_LAMBDA(int i) { scatter.access()(i % 2) += 1; });
  contribute(result, scatter);
  EXPECT_EQ(on_host(result)(0), many / 2);
}

TYPED_TEST(ScatterViewTest, HasFewerCopiesThanContributions) {
  Kokkos::Testing::Deadline const deadline("contributions still wait for a copy", 60);
  contribute_more_often_than_there_are_copies<TypeParam>();
}

TYPED_TEST(ScatterViewTest, ResizeKeepsContributions) {
  ScatterView<int*, Kokkos::LayoutLeft, TypeParam> scatter("scatter", 4);
  add_one_each<TypeParam>(scatter, 4);
  Kokkos::resize(scatter, 6);
  add_one_each<TypeParam>(scatter, 6);
  Kokkos::View<int*, Kokkos::LayoutLeft, TypeParam> result("result", 6), wrong("wrong", 5);
  contribute(result, scatter);
  auto h = on_host(result);
  EXPECT_EQ(h(0), 2);
  EXPECT_EQ(h(5), 1);
  EXPECT_THROW(contribute(wrong, scatter), std::runtime_error);
  Kokkos::realloc(scatter, 6);
  EXPECT_EQ(scatter.subview().label(), "scatter");
  contribute(result, scatter);
  EXPECT_EQ(on_host(result)(0), 2);
  Kokkos::resize(scatter, 0);
  Kokkos::resize(scatter, 6);
  EXPECT_EQ(scatter.subview().label(), "scatter");
  contribute(result, scatter);
  EXPECT_EQ(on_host(result)(0), 2);
}

TYPED_TEST(ScatterViewTest, ExtentsThatWereComputed) {
  ScatterView<int*, Kokkos::LayoutLeft, TypeParam> scatter("scatter", 4.5);
  EXPECT_EQ(scatter.subview().extent(0), 4u);
  scatter.resize(5.5);
  EXPECT_EQ(scatter.subview().extent(0), 5u);
  Kokkos::realloc(scatter, 6.5);
  EXPECT_EQ(scatter.subview().extent(0), 6u);
}

/// Contributes i + 1 to element i, from each of a few work items.
template <class Space>
void contribute_to_each_element(std::size_t n) {
  Kokkos::View<int*, Space> result("result", n);
  auto scatter                    = create_scatter_view<ScatterSum, ScatterDuplicated, ScatterNonAtomic>(result);
  constexpr int items_per_element = 5;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, items_per_element * static_cast<int>(n)), KOKKOS_LAMBDA(int item) {
        auto access = scatter.access();
        int const i = item / items_per_element;
        access(i) += i + 1;
      });
  contribute(result, scatter);
  auto const h = on_host(result);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(h(i), items_per_element * (static_cast<int>(i) + 1)) << "element " << i << " of " << n;
}

// Work items combine chunks of elements, so the lengths are those beside multiples of chunks.
TEST(ScatterViewHostTest, EveryLengthIsCombined) {
  for (std::size_t n :
       {1, 2, 63, 64, 65, 127, 128, 129, 130, 255, 256, 257, 1000, 1023, 1024, 1025, 8193, 66000, 131073})
    contribute_to_each_element<Kokkos::DefaultHostExecutionSpace>(n);
}

TEST(ScatterViewHostTest, CopiesShareNoPage) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for (std::size_t bytes : {1, 4, 8, 12, 24, 4000})
    for (std::size_t span : {1, 100, 512, 100000})
      EXPECT_GE((Kokkos::Impl::stride_of_copies<Space>(span, bytes) - span) * bytes, 4096u);
}

/// A number that notes where it is.
struct Noted {
  int value = 0;
  KOKKOS_FUNCTION Noted& operator+=(Noted const& other) {
    KOKKOS_IF_ON_HOST((place = this;))
    value += other.value;
    return *this;
  }
  static inline thread_local Noted const* place = nullptr;
};

}  // namespace
template <>
struct Kokkos::reduction_identity<Noted> {
  KOKKOS_FUNCTION static Noted sum() { return {}; }
};
namespace {

// Threads that contribute at the same time have copies of their own; of all lengths of the table of threads.
TEST(ScatterViewHostTest, EachThreadHasItsOwnElements) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<Noted*, Space> result("result", 2);
  auto scatter = create_scatter_view<ScatterSum, ScatterDuplicated, ScatterNonAtomic>(result);
  int const n  = 2 * Space().concurrency() + 2;
  std::vector<Noted const*> places(n);
  std::latch all_have_contributed(n);
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t)
    threads.emplace_back([&, t] {
      auto access = scatter.access();
      access(1) += Noted{t};
      places[t] = Noted::place;
      all_have_contributed.arrive_and_wait();
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(std::set<Noted const*>(places.begin(), places.end()).size(), places.size());
  contribute(result, scatter);
  EXPECT_EQ(result(1).value, n * (n - 1) / 2);
}

// The threads of an instance get their numbers in the order of their ranks. Those that have a number keep it.
TEST(ScatterViewHostTest, ThreadsAreNumberedByRank) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  std::vector<std::uint32_t> before, after;
  std::thread([&] {  // which has no number yet
    Space const space;
    auto const numbers = [&](auto const& number_of_thread) {
      std::vector<std::uint32_t> all(static_cast<std::size_t>(space.concurrency()));
      Kokkos::Impl::HostThreadTeam<Space>::run(
          space, [&](int rank, int) { all[static_cast<std::size_t>(rank)] = number_of_thread(); });
      return all;
    };
    before = numbers([] { return Kokkos::Impl::host_thread_number_if_any; });
    Kokkos::Impl::number_threads_by_rank(space);
    after = numbers([] { return Kokkos::Impl::host_thread_number(); });
  })
      .join();
  std::vector<std::uint32_t> given;
  for (std::size_t rank = 0; rank < after.size(); ++rank) {
    if (before[rank] == ~std::uint32_t(0))
      given.push_back(after[rank]);
    else
      EXPECT_EQ(after[rank], before[rank]);
  }
  EXPECT_FALSE(given.empty());
  EXPECT_TRUE(std::is_sorted(given.begin(), given.end()));
}

// More threads than copies: the contributions of threads without a copy must not be lost, and no thread waits.
TEST(ScatterViewHostTest, MoreThreadsThanCopies) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<int*, Space> result("result", 2);
  auto scatter = create_scatter_view<ScatterSum, ScatterDuplicated, ScatterNonAtomic>(result);
  for (int round = 1; round <= 2; ++round) {
    std::vector<std::thread> threads;
    int const n = 3 * Space().concurrency() + 2;
    for (int t = 0; t < n; ++t)
      threads.emplace_back([&scatter] {
        for (int i = 0; i < 1000; ++i) {
          auto first  = scatter.access();
          auto second = scatter.access();  // a thread may hold several
          first(0) += 1;
          second(1) += 2;
        }
      });
    for (auto& thread : threads) thread.join();
    contribute(result, scatter);
    scatter.reset();
    EXPECT_EQ(result(0), round * n * 1000);
    EXPECT_EQ(result(1), round * n * 2000);
  }
}

}  // namespace
