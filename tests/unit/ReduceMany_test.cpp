// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several results of one parallel_reduce: variables, views and reducers in any mixture.

#include "Messages.hpp"
#include "PatternTest.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace {

using Kokkos::Testing::on_host;

template <class Space>
class ReduceManyTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReduceManyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct SumAndMin {
  KOKKOS_FUNCTION void operator()(int i, double& sum, int& min) const {
    sum += i;
    min = i < min ? i : min;
  }
};

TYPED_TEST(ReduceManyTest, AVariableAndAReducer) {
  double sum = 5;
  int min    = 5;
  Kokkos::parallel_reduce("both", Kokkos::RangePolicy<TypeParam>(3, 101), SumAndMin{}, sum, Kokkos::Min<int>(min));
  EXPECT_EQ(sum, 5047);
  EXPECT_EQ(min, 3);
  Kokkos::Min<int> reducer(min);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), SumAndMin{}, sum, reducer);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(min, Kokkos::reduction_identity<int>::min());
}

/// Its final step adds a million times its number.
struct MarkedSum {
  using reducer          = MarkedSum;
  using value_type       = long;
  using result_view_type = Kokkos::View<long, Kokkos::HostSpace>;
  result_view_type result;
  long number;
  KOKKOS_FUNCTION void join(long& into, long const& from) const { into += from; }
  KOKKOS_FUNCTION void final(long& v) const { v += 1000000 * number; }
  KOKKOS_FUNCTION long& reference() const { return *result.data(); }
  KOKKOS_FUNCTION result_view_type view() const { return result; }
};
struct ThreeSums {
  KOKKOS_FUNCTION void operator()(int i, long& a, long& b, long& c) const { a += i, b += 2 * i, c += 4 * i; }
};

TYPED_TEST(ReduceManyTest, EachReducerHasItsFinalStep) {
  Kokkos::View<long, Kokkos::HostSpace> const a("a"), b("b"), c("c");
  Kokkos::parallel_reduce("finals", Kokkos::RangePolicy<TypeParam>(0, 100), ThreeSums{}, MarkedSum{a, 1},
                          MarkedSum{b, 2}, MarkedSum{c, 3});
  EXPECT_EQ(a(), 1004950);
  EXPECT_EQ(b(), 2009900);
  EXPECT_EQ(c(), 3019800);
}

struct FiveResults {
  KOKKOS_FUNCTION void operator()(int i, int& count, long& sum, Kokkos::MinMaxScalar<int>& range, double& product,
                                  Kokkos::ValLocScalar<int, int>& where) const {
    ++count;
    sum += i;
    range.min_val = i < range.min_val ? i : range.min_val;
    range.max_val = i > range.max_val ? i : range.max_val;
    product *= i % 10 == 0 ? 2 : 1;
    int const value = (i * 37) % 100;
    if (value > where.val) where = {value, i};
  }
};

template <class Space, class Memory>
void five_results() {
  int count = -1;
  Kokkos::View<long, Memory> sum("sum");
  Kokkos::MinMaxScalar<int> range;
  Kokkos::View<double, Kokkos::HostSpace> product("product");
  Kokkos::ValLocScalar<int, int> where;
  Kokkos::parallel_reduce("five", Kokkos::RangePolicy<Space>(0, 100), FiveResults{}, count, sum,
                          Kokkos::MinMax<int>(range), Kokkos::Prod<double, Kokkos::HostSpace>(product),
                          Kokkos::MaxLoc<int, int>(where));
  Kokkos::fence();
  EXPECT_EQ(count, 100);
  EXPECT_EQ(on_host(sum)(), 4950);
  EXPECT_EQ(range.min_val, 0);
  EXPECT_EQ(range.max_val, 99);
  EXPECT_EQ(product(), 1024);
  EXPECT_EQ(where.val, 99);
  EXPECT_EQ((where.loc * 37) % 100, 99);
}

TYPED_TEST(ReduceManyTest, FiveOfAllKinds) {
  five_results<TypeParam, typename TypeParam::memory_space>();
  five_results<TypeParam, Kokkos::HostSpace>();
}

struct Tag {};
struct Tagged2D {
  KOKKOS_FUNCTION void operator()(Tag, int i, int j, int& a, int& b) const {
    a += i;
    b += j;
  }
};

TYPED_TEST(ReduceManyTest, TagsAndSeveralDimensions) {
  int a = 0, b = 0;
  Kokkos::parallel_reduce(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>, Tag>({0, 0}, {10, 20}), Tagged2D{}, a, b);
  EXPECT_EQ(a, 45 * 20);
  EXPECT_EQ(b, 190 * 10);
}

struct SixIndices {
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int f, int& sum, int& count) const {
    sum += a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
    ++count;
  }
};

TYPED_TEST(ReduceManyTest, SixIndices) {
  int sum = 0, count = 0;
  Kokkos::parallel_reduce(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<6>>({0, 0, 0, 0, 0, 0}, {2, 2, 2, 2, 2, 2}),
                          SixIndices{}, sum, count);
  EXPECT_EQ(count, 64);
  EXPECT_EQ(sum, 32 * 21);
}

/// Adds a number that depends on the place of each index, and a count, in as many dimensions as there are indices.
struct WeighedIndices {
  KOKKOS_FUNCTION void operator()(int a, int b, int& sum, int& count) const { sum += a + 10 * b, ++count; }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int& sum, int& count) const {
    sum += a + 10 * b + 100 * c, ++count;
  }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int& sum, int& count) const {
    sum += a + 10 * b + 100 * c + 1000 * d, ++count;
  }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int& sum, int& count) const {
    sum += a + 10 * b + 100 * c + 1000 * d + 10000 * e, ++count;
  }
};

template <class Space, int Rank>
void expect_weighed_indices() {
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<Rank>>;
  typename Policy::point_type lower{}, upper{};
  int points = 1, expected = 0, weight = 1;
  for (int r = 0; r < Rank; ++r, weight *= 10) {
    upper[r] = r + 2;
    points *= r + 2;
    expected += weight * (r + 1);  // twice the mean of 0 to r + 1
  }
  int sum = 0, count = 0;
  Kokkos::parallel_reduce(Policy(lower, upper), WeighedIndices{}, sum, count);
  EXPECT_EQ(count, points);
  EXPECT_EQ(2 * sum, expected * points);
}

TYPED_TEST(ReduceManyTest, EachNumberOfDimensions) {
  expect_weighed_indices<TypeParam, 2>();
  expect_weighed_indices<TypeParam, 3>();
  expect_weighed_indices<TypeParam, 4>();
  expect_weighed_indices<TypeParam, 5>();
}

template <class Space>
void lambda_with_a_count() {
  int a   = -1;
  float b = -1;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 10),
      KOKKOS_LAMBDA(int i, int& x, float& y) {
        x += i;
        y += 0.5f;
      },
      a, b);
  EXPECT_EQ(a, 45);
  EXPECT_EQ(b, 5.f);
}

TYPED_TEST(ReduceManyTest, Lambda) { lambda_with_a_count<TypeParam>(); }

// Values that own memory are constructed once and destroyed once each. Host only.
struct CatString {
  std::string text;
  CatString& operator+=(CatString const& other) {
    text += other.text;
    return *this;
  }
};

template <class Space>
void strings_on_host() {
  if constexpr (Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible) {
    CatString a, b;
    a.text = "something long enough to be allocated";
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space>(0, 500),
        [](int, CatString& x, CatString& y) {
          x.text += 'x';
          y.text += "yy";
        },
        a, b);
    EXPECT_EQ(a.text, std::string(500, 'x'));
    EXPECT_EQ(b.text, std::string(1000, 'y'));
  }
}

TYPED_TEST(ReduceManyTest, ValuesThatOwnMemory) { strings_on_host<TypeParam>(); }

// ---- results that the host reads later ----------------------------------------------------------------------------

using Kokkos::Experimental::PendingResult;

struct SumOfIndices {
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += i; }
};

TYPED_TEST(ReduceManyTest, APendingResult) {
  PendingResult<double> sum, none;
  EXPECT_FALSE(sum.valid());
  EXPECT_FALSE(sum.is_ready());
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([&] { (void)sum.get(); }),
      {"no reduction has been given this handle. Pass it to parallel_reduce as the result first."});
  Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<TypeParam>(0, 100), SumOfIndices{}, sum);
  EXPECT_TRUE(sum.valid());
  PendingResult<double> const copy = sum;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), SumOfIndices{}, sum);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 0), SumOfIndices{}, none);
  EXPECT_EQ(copy.get(), 4950);  // of the first reduction, though the handle has another one
  EXPECT_TRUE(copy.is_ready());
  PendingResult<double> const moved = std::move(sum);
  EXPECT_EQ(moved.get(), 45);
  EXPECT_EQ(none.get(), 0);
}

template <class Space, class Memory>
void pending_and_others() {
  PendingResult<double> sum;
  PendingResult<Kokkos::Min<int>> min;
  Kokkos::View<double, Memory> view("view");
  Kokkos::RangePolicy<Space> const policy(3, 101);
  Kokkos::parallel_reduce("both", policy, SumAndMin{}, sum, min);
  EXPECT_EQ(sum.get(), 5047);
  EXPECT_EQ(min.get(), 3);
  Kokkos::parallel_reduce("a view, too", policy, SumAndMin{}, view, min);
  EXPECT_EQ(min.get(), 3);
  Kokkos::fence();
  EXPECT_EQ(on_host(view)(), 5047);
  int variable = 0;  // makes the call wait
  Kokkos::parallel_reduce("a variable", policy, SumAndMin{}, sum, Kokkos::Min<int>(variable));
  EXPECT_TRUE(sum.is_ready());
  EXPECT_EQ(sum.get(), 5047);
  EXPECT_EQ(variable, 3);
}

TYPED_TEST(ReduceManyTest, PendingResultsAmongOthers) {
  pending_and_others<TypeParam, typename TypeParam::memory_space>();
}

template <class Space>
void views_and_reducers_of_the_device() {
  using Memory = typename Space::memory_space;
  Kokkos::View<double, Memory> sum("sum");
  Kokkos::View<int, Memory> min("min");
  Kokkos::parallel_reduce(
      "teams", Kokkos::TeamPolicy<Space>(10, 1),
      KOKKOS_LAMBDA(typename Kokkos::TeamPolicy<Space>::member_type const& team, double& s, int& m) {
        SumAndMin{}(team.league_rank() + 3, s, m);
      },
      sum, Kokkos::Min<int, Memory>(min));
  // In the order of the instance.
  Kokkos::View<double, Memory> both("both");
  Kokkos::parallel_for("both", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) { both() = sum() + min(); });
  Kokkos::fence();
  EXPECT_EQ(on_host(both)(), 75 + 3);
}

TYPED_TEST(ReduceManyTest, ViewsAndReducersOfTheDevice) { views_and_reducers_of_the_device<TypeParam>(); }

}  // namespace
