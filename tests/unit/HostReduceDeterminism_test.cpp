// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions and scans on the host: bitwise equal results in every run, joins in the order of the indices, and values
/// that are not trivial types.

#include "HostTest.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

template <class Space>
class HostReduceDeterminismTest : public ::testing::Test {};
TYPED_TEST_SUITE(HostReduceDeterminismTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

/// Numbers of very different magnitude, so that the sum depends on the order of additions.
double addend(std::size_t i) {
  double const size[] = {1e-9, 1.0, 1e9, 3.3e4};
  return size[i % 4] * (1 + 1.0 / static_cast<double>(i + 1));
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(double)) == 0; }

template <class Space>
void check_sums(std::size_t n) {
  double first = 0;
  for (int run = 0; run < 50; ++run) {
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, n), [](std::size_t i, double& s) { s += addend(i); }, sum);
    if (run == 0) first = sum;
    EXPECT_TRUE(same_bits(sum, first)) << "run " << run;
  }
}
TYPED_TEST(HostReduceDeterminismTest, SumsAreTheSameInEveryRun) {
  check_sums<TypeParam>(37);
  check_sums<TypeParam>(20011);
}

template <class Space>
void check_range_sums() {
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  double first = 0;
  for (int run = 0; run < 20; ++run) {
    double sum = 0;
    Kokkos::parallel_reduce(
        Policy({0, 0}, {131, 157}), [](int i, int j, double& s) { s += addend(static_cast<std::size_t>(i * 157 + j)); },
        sum);
    if (run == 0) first = sum;
    EXPECT_TRUE(same_bits(sum, first)) << "run " << run;
  }
}
TYPED_TEST(HostReduceDeterminismTest, SumsOverRangesAreTheSameInEveryRun) { check_range_sums<TypeParam>(); }

template <class Space>
void check_scans() {
  std::size_t const n = 200003;
  std::vector<double> first, now(n);
  for (int run = 0; run < 10; ++run) {
    double total = 0;
    double* out  = now.data();
    Kokkos::parallel_scan(
        Kokkos::RangePolicy<Space>(0, n),
        [out](std::size_t i, double& s, bool final) {
          s += addend(i);
          if (final) out[i] = s;
        },
        total);
    EXPECT_TRUE(same_bits(total, now[n - 1]));
    if (run == 0) first = now;
    EXPECT_EQ(std::memcmp(first.data(), now.data(), n * sizeof(double)), 0) << "run " << run;
  }
}
TYPED_TEST(HostReduceDeterminismTest, ScansAreTheSameInEveryRun) { check_scans<TypeParam>(); }

/// Concatenates: not commutative, and text owns memory. Counts the live values.
struct Text {
  static inline std::atomic<int> alive{0};
  std::string text;

  Text() { ++alive; }
  explicit Text(std::string t) : text(std::move(t)) { ++alive; }
  Text(Text const& other) : text(other.text) { ++alive; }
  Text& operator=(Text const&) = default;
  ~Text() { --alive; }
  Text& operator+=(Text const& other) {
    text += other.text;
    return *this;
  }
};

std::string numbers(int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += std::to_string(i) + ' ';
  return all;
}

template <class Space, class Policy>
void check_concatenation(Policy const& policy, int n) {
  {
    Text result("before");
    Kokkos::parallel_reduce(policy, [](int i, Text& t) { t.text += std::to_string(i) + ' '; }, result);
    EXPECT_EQ(result.text, numbers(n));
  }
  EXPECT_EQ(Text::alive, 0);
}
TYPED_TEST(HostReduceDeterminismTest, ThreadsAreJoinedInOrder) {
  for (int n : {0, 1, 2, 100, 5000}) check_concatenation<TypeParam>(Kokkos::RangePolicy<TypeParam>(0, n), n);
}

template <class Space>
void check_concatenating_scan(int n) {
  {
    std::vector<std::string> prefix(static_cast<std::size_t>(n));
    Text total;
    auto* out = prefix.data();
    Kokkos::parallel_scan(
        Kokkos::RangePolicy<Space>(0, n),
        [out](int i, Text& t, bool final) {
          t.text += static_cast<char>('a' + i % 26);
          if (final) out[i] = t.text;
        },
        total);
    std::string expected;
    bool right = true;
    for (int i = 0; i < n; ++i) {
      expected += static_cast<char>('a' + i % 26);
      right = right && prefix[static_cast<std::size_t>(i)] == expected;
    }
    EXPECT_TRUE(right);
    EXPECT_EQ(total.text, expected);
  }
  EXPECT_EQ(Text::alive, 0);
}
TYPED_TEST(HostReduceDeterminismTest, BlocksOfAScanAreJoinedInOrder) {
  for (int n : {0, 1, 5, 700}) check_concatenating_scan<TypeParam>(n);
}

/// Counts the live values. Small, so that a scan of many iterations has several blocks.
struct Counted {
  static inline std::atomic<int> alive{0};
  long value = 0;

  Counted() { ++alive; }
  Counted(Counted const& other) : value(other.value) { ++alive; }
  Counted& operator=(Counted const&) = default;
  ~Counted() { --alive; }
  Counted& operator+=(Counted const& other) {
    value += other.value;
    return *this;
  }
};
struct CountedArray {
  using value_type = Counted[];
  std::size_t value_count;
  void operator()(int, Counted* v) const { ++v[value_count - 1].value; }
};
template <class Member>
struct CountedTeams {
  using value_type = Counted[];
  std::size_t value_count;
  void operator()(Member const&, Counted* v) const { ++v[value_count - 1].value; }
};

// Whichever path a kernel takes: values that it has made end with it. `n` selects the path.
template <class Space, class Schedule>
void check_that_values_end(int n) {
  using Teams  = Kokkos::TeamPolicy<Space, Schedule>;
  using Member = typename Teams::member_type;
  SCOPED_TRACE(n);
  Kokkos::RangePolicy<Space, Schedule> const range(0, n);
  Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>> const tiles({0, 0}, {n, 1});
  auto const ends = [n](char const* what, auto const& run) {
    {
      Counted result[3];
      run(result);
      EXPECT_EQ(result[2].value, n) << what;
    }
    EXPECT_EQ(Counted::alive, 0) << what << " of " << n;
  };
  auto const one = [](int, Counted& v) { ++v.value; };
  ends("sum", [&](Counted* r) { Kokkos::parallel_reduce(range, one, r[2]); });
  ends("sums", [&](Counted* r) { Kokkos::parallel_reduce(range, CountedArray{3}, r); });
  ends("two sums", [&](Counted* r) {
    Kokkos::parallel_reduce(range, [](int, Counted& v, Counted& w) { ++v.value, ++w.value; }, r[1], r[2]);
  });
  ends("sum of tiles",
       [&](Counted* r) { Kokkos::parallel_reduce(tiles, [](int, int, Counted& v) { ++v.value; }, r[2]); });
  ends("scan", [&](Counted* r) { Kokkos::parallel_scan(range, [](int, Counted& v, bool) { ++v.value; }, r[2]); });
  if (n > 10000) return;  // teams take longer
  ends("sum of teams",
       [&](Counted* r) { Kokkos::parallel_reduce(Teams(n, 1), [](Member const&, Counted& v) { ++v.value; }, r[2]); });
  ends("sums of teams", [&](Counted* r) { Kokkos::parallel_reduce(Teams(n, 1), CountedTeams<Member>{3}, r); });
}
TYPED_TEST(HostReduceDeterminismTest, ValuesEndWithTheirKernel) {
  for (int n : {0, 1, 2, 7, 1000, 200000}) {
    check_that_values_end<TypeParam, Kokkos::Schedule<Kokkos::Static>>(n);
    check_that_values_end<TypeParam, Kokkos::Schedule<Kokkos::Dynamic>>(n);
  }
}

/// A polynomial in the contributions: not commutative, and small enough for several values in each thread.
struct Polynomial {
  std::uint64_t sum = 0, power = 1;
  static constexpr std::uint64_t base = 0x9e3779b97f4a7c15u;

  void add(std::uint64_t x) {
    sum = sum * base + x + 1;
    power *= base;
  }
  Polynomial& operator+=(Polynomial const& later) {
    sum = sum * later.power + later.sum;
    power *= later.power;
    return *this;
  }
  friend bool operator==(Polynomial const&, Polynomial const&) = default;
};
static_assert(Kokkos::Impl::host_uses_lanes<
              Kokkos::Impl::Reduction<Kokkos::Impl::Body<void, int>, Polynomial, Kokkos::Impl::SumCombiner<Polynomial>>,
              Kokkos::Impl::HostIterations<Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>>>);

Polynomial polynomial(std::int64_t begin, std::int64_t n) {
  Polynomial expected;
  for (std::int64_t i = begin; i < begin + n; ++i) expected.add(static_cast<std::uint64_t>(i));
  return expected;
}

template <class Policy, class Index>
void check_polynomial(std::int64_t begin, std::int64_t n) {
  Polynomial result;
  result.add(7);
  Kokkos::parallel_reduce(
      Policy(static_cast<typename Policy::index_type>(begin), static_cast<typename Policy::index_type>(begin + n)),
      [](Index i, Polynomial& p) { p.add(static_cast<std::uint64_t>(i)); }, result);
  EXPECT_EQ(result, polynomial(begin, n)) << n << " iterations from " << begin;
}
template <class Space>
void check_polynomials(std::int64_t n) {
  check_polynomial<Kokkos::RangePolicy<Space>, int>(0, n);
  check_polynomial<Kokkos::RangePolicy<Space>, std::size_t>(5, n);
  check_polynomial<Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>, int>(-3, n);
  check_polynomial<Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>, std::int64_t>(-3, n);
  check_polynomial<Kokkos::RangePolicy<Space, Kokkos::IndexType<unsigned>>, unsigned>(9, n);
}
TYPED_TEST(HostReduceDeterminismTest, ValuesOfOneThreadAreJoinedInOrder) {
  for (std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 127, 128, 129, 130, 1000, 70001}) check_polynomials<TypeParam>(n);
  // The last indices of a type: counting must not wrap around.
  constexpr std::int64_t max = std::numeric_limits<int>::max();
  check_polynomial<Kokkos::RangePolicy<TypeParam, Kokkos::IndexType<std::int64_t>>, int>(max - 1000, 1001);
  check_polynomial<Kokkos::RangePolicy<TypeParam, Kokkos::IndexType<int>>, int>(max - 1000, 1000);
}

/// Sums of floats add neighbouring iterations to several values. Each iteration runs once, and a functor with a join of its
/// own still gets its iterations in ascending order.
template <class Space, class Index>
void check_float_sum(Index begin, int n) {
  std::vector<int> visits(static_cast<std::size_t>(n));
  auto* visit = visits.data();
  float sum   = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>(begin, static_cast<Index>(begin + static_cast<Index>(n))),
      [visit, begin](Index i, float& s) {
        ++visit[i - begin];
        s += static_cast<float>((i - begin) % 64);
      },
      sum);
  float expected = 0;
  for (int i = 0; i < n; ++i) expected += static_cast<float>(i % 64);
  EXPECT_EQ(sum, expected) << n << " iterations from " << begin;
  EXPECT_EQ(visits, std::vector<int>(static_cast<std::size_t>(n), 1)) << n << " iterations from " << begin;
}
struct InOrder {
  using value_type = float;
  void init(float& last) const { last = -1; }
  void operator()(int i, float& last) const {
    last = last == -1 || last + 1 == static_cast<float>(i) ? static_cast<float>(i) : -2000000;
  }
  void join(float& last, float const& next) const {
    if (next != -1) last = last < -1 || next < last ? -2000000 : next;
  }
};
struct TaggedInOrder {
  using value_type = float;
  struct Tag {};
  void init(Tag, float& last) const { InOrder().init(last); }
  void operator()(Tag, int i, float& last) const { InOrder()(i, last); }
  void join(Tag, float& last, float const& next) const { InOrder().join(last, next); }
};
template <class Space>
void check_float_sums() {
  for (int n : {0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 1000, 10007}) {
    check_float_sum<Space, int>(-3, n);
    check_float_sum<Space, std::size_t>(5, n);
    check_float_sum<Space, int>(std::numeric_limits<int>::max() - n, n);
    if (n == 0) continue;
    float last = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, n), InOrder(), last);
    EXPECT_EQ(last, static_cast<float>(n - 1));
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space, TaggedInOrder::Tag>(0, n), TaggedInOrder(), last);
    EXPECT_EQ(last, static_cast<float>(n - 1));
  }
}
TYPED_TEST(HostReduceDeterminismTest, SumsOfFloatsHaveEachIterationOnce) { check_float_sums<TypeParam>(); }

template <class Space>
void check_polynomial_scan(std::int64_t n) {
  std::vector<Polynomial> prefix(static_cast<std::size_t>(n));
  Polynomial total;
  auto* out = prefix.data();
  Kokkos::parallel_scan(
      Kokkos::RangePolicy<Space>(0, n),
      [out](int i, Polynomial& p, bool final) {
        p.add(static_cast<std::uint64_t>(i));
        if (final) out[i] = p;
      },
      total);
  Polynomial expected;
  bool right = true;
  for (std::int64_t i = 0; i < n; ++i) {
    expected.add(static_cast<std::uint64_t>(i));
    right = right && prefix[static_cast<std::size_t>(i)] == expected;
  }
  EXPECT_TRUE(right) << n;
  EXPECT_EQ(total, expected) << n;
}
TYPED_TEST(HostReduceDeterminismTest, PartsAndBlocksOfAScanAreJoinedInOrder) {
  for (std::int64_t n : {0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 130, 1000}) check_polynomial_scan<TypeParam>(n);
  // Beside the length from which a scan is cut into blocks of 256 KiB.
  std::int64_t const parts = TypeParam().concurrency() * (256 * 1024 / static_cast<int>(sizeof(Polynomial)));
  for (std::int64_t n : {parts - 1, parts, parts + 1, 2 * parts + 5}) check_polynomial_scan<TypeParam>(n);
}

/// Every element of a run-time array is constructed and destroyed.
struct Columns {
  using value_type = Text[];
  unsigned value_count;
  void operator()(int i, Text* t) const {
    for (unsigned c = 0; c < value_count; ++c) t[c].text += std::to_string(i) + ' ';
  }
};
template <class Space>
void check_arrays() {
  {
    std::vector<Text> result(3);
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 300), Columns{3}, result.data());
    for (Text const& t : result) EXPECT_EQ(t.text, numbers(300));
  }
  EXPECT_EQ(Text::alive, 0);
}
TYPED_TEST(HostReduceDeterminismTest, ArraysOfObjects) { check_arrays<TypeParam>(); }

template <class Space>
void check_dynamic() {
  {
    Text result;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>(0, 1000, Kokkos::ChunkSize(7)),
        [](int, Text& t) { t.text += 'x'; }, result);
    EXPECT_EQ(result.text, std::string(1000, 'x'));
  }
  EXPECT_EQ(Text::alive, 0);
}
TYPED_TEST(HostReduceDeterminismTest, ValuesEndWithADynamicScheduleToo) { check_dynamic<TypeParam>(); }

}  // namespace
