// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random reductions with every reducer, and scans, compared with loops.

#include "RandomCases.hpp"

#include <algorithm>
#include <limits>

namespace {

using namespace Kokkos::Testing;

template <class Space>
class ReductionCases : public ::testing::Test {};
TYPED_TEST_SUITE(ReductionCases, PatternSpaces, SpaceName);

// ---- eight reducers in one kernel ----------------------------------------------------------------------------------

struct Numbers {
  long sum;
  unsigned product;
  int min, max, all, any;
  unsigned common, either;
  bool operator==(Numbers const&) const = default;
};

/// Contributes to all reducers; also what the host's loop calls. Two and three-dimensional indices are combined.
template <class View>
struct ContributeNumbers {
  View values;
  int width;
  KOKKOS_FUNCTION void operator()(int i, long& sum, unsigned& product, int& min, int& max, int& all, int& any,
                                  unsigned& common, unsigned& either) const {
    int const v = values(i);
    sum += v;
    product *= static_cast<unsigned>(v) | 1u;
    min    = v < min ? v : min;
    max    = v > max ? v : max;
    all    = all && v % 5 != 0;
    any    = any || v % 11 == 0;
    common = common & static_cast<unsigned>(v | 0x30);
    either = either | (1u << (static_cast<unsigned>(v) % 32));
  }
  template <class... Results>
  KOKKOS_FUNCTION void operator()(int i, int j, Results&... results) const
    requires(sizeof...(Results) == 8)
  {
    (*this)(i* width + j, results...);
  }
  template <class... Results>
  KOKKOS_FUNCTION void operator()(int i, int j, int k, Results&... results) const
    requires(sizeof...(Results) == 8)
  {
    (*this)((i * width + j) * 2 + k, results...);
  }
};

template <class Policy, class Functor>
Numbers reduce_numbers(Policy const& policy, Functor const& functor) {
  Numbers r{};
  Kokkos::parallel_reduce("numbers", policy, functor, Kokkos::Sum<long>(r.sum), Kokkos::Prod<unsigned>(r.product),
                          Kokkos::Min<int>(r.min), Kokkos::Max<int>(r.max), Kokkos::LAnd<int>(r.all),
                          Kokkos::LOr<int>(r.any), Kokkos::BAnd<unsigned>(r.common), Kokkos::BOr<unsigned>(r.either));
  return r;
}

std::vector<int> any_integers(Random& random, std::size_t n) {
  std::vector<int> values(n);
  long const range = random.once_in(2) ? 4 : 1000000;
  for (auto& v : values) v = static_cast<int>(random.between(-range, range));
  return values;
}

TYPED_TEST(ReductionCases, OfNumbers) {
  for_each_case(6, 4000, [](Random& random) {
    auto const values = any_integers(random, random.length({256, 1024, 4096, 30000}));
    auto const view   = view_of<TypeParam>(values);
    int const n       = static_cast<int>(values.size());
    int const width   = static_cast<int>(random.between(1, 40));
    using Host        = Kokkos::View<int const*, Kokkos::HostSpace>;
    ContributeNumbers<Host> const loop{Host(values.data(), values.size()), width};
    ContributeNumbers<Kokkos::View<int*, TypeParam>> const functor{view, width};
    using Kokkos::reduction_identity;
    Numbers expected{0, 1, reduction_identity<int>::min(), reduction_identity<int>::max(), 1, 0, ~0u, 0};
    auto const add = [&](int i) {
      loop(i, expected.sum, expected.product, expected.min, expected.max, expected.all, expected.any, expected.common,
           expected.either);
    };
    long const form = random.between(0, 2);
    int begin = 0, end = n;
    if (form == 0) {
      begin = static_cast<int>(random.between(0, n));
      end   = static_cast<int>(random.between(begin, n));
    } else {
      end = n / (width * static_cast<int>(form)) * width * static_cast<int>(form);
    }
    for (int i = begin; i < end; ++i) add(i);
    Numbers result{};
    if (form == 0)
      result = reduce_numbers(Kokkos::RangePolicy<TypeParam>(begin, end), functor);
    else if (form == 1)
      result = reduce_numbers(Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<2>>({0, 0}, {end / width, width}), functor);
    else
      result = reduce_numbers(
          Kokkos::MDRangePolicy<TypeParam, Kokkos::Rank<3>>({0, 0, 0}, {end / (2 * width), width, 2}), functor);
    EXPECT_TRUE(result == expected) << "form " << form << ", [" << begin << ", " << end << "), width " << width
                                    << ", sum " << result.sum << " instead of " << expected.sum;
  });
}

// ---- reducers with positions ---------------------------------------------------------------------------------------

struct Places {
  Kokkos::ValLocScalar<int, int> min, max, first_min, first_max;
  Kokkos::MinMaxScalar<int> range;
  Kokkos::MinMaxLocScalar<int, int> both, ends;
};

template <class View, class MinFirst, class MaxFirst, class FirstLast>
struct ContributePlaces {
  View values;
  MinFirst min_first;
  MaxFirst max_first;
  FirstLast first_last;
  KOKKOS_FUNCTION void operator()(int i, Kokkos::ValLocScalar<int, int>& min, Kokkos::ValLocScalar<int, int>& max,
                                  Kokkos::ValLocScalar<int, int>& first_min, Kokkos::ValLocScalar<int, int>& first_max,
                                  Kokkos::MinMaxScalar<int>& range, Kokkos::MinMaxLocScalar<int, int>& both,
                                  Kokkos::MinMaxLocScalar<int, int>& ends) const {
    int const v = values(i);
    if (v < min.val) min = {v, i};
    if (v > max.val) max = {v, i};
    min_first.join(first_min, {v, i});
    max_first.join(first_max, {v, i});
    if (v < range.min_val) range.min_val = v;
    if (v > range.max_val) range.max_val = v;
    if (v < both.min_val) both.min_val = v, both.min_loc = i;
    if (v > both.max_val) both.max_val = v, both.max_loc = i;
    first_last.join(ends, {v, v, i, i});
  }
};

TYPED_TEST(ReductionCases, OfPositions) {
  for_each_case(6, 4000, [](Random& random) {
    auto values = any_integers(random, random.length({256, 1024, 4096, 30000}));
    if (values.empty()) values.push_back(1);
    auto const view = view_of<TypeParam>(values);
    int const n     = static_cast<int>(values.size());
    Places r{};
    Kokkos::MinFirstLoc<int, int> const min_first(r.first_min);
    Kokkos::MaxFirstLoc<int, int> const max_first(r.first_max);
    Kokkos::MinMaxFirstLastLoc<int, int> const first_last(r.ends);
    ContributePlaces<Kokkos::View<int*, TypeParam>, Kokkos::MinFirstLoc<int, int>, Kokkos::MaxFirstLoc<int, int>,
                     Kokkos::MinMaxFirstLastLoc<int, int>> const functor{view, min_first, max_first, first_last};
    Kokkos::parallel_reduce("places", Kokkos::RangePolicy<TypeParam>(0, n), functor, Kokkos::MinLoc<int, int>(r.min),
                            Kokkos::MaxLoc<int, int>(r.max), min_first, max_first, Kokkos::MinMax<int>(r.range),
                            Kokkos::MinMaxLoc<int, int>(r.both), first_last);
    auto const low  = std::min_element(values.begin(), values.end());
    auto const high = std::max_element(values.begin(), values.end());
    auto const last = std::max_element(values.rbegin(), values.rend());
    EXPECT_EQ(r.min.val, *low);
    EXPECT_EQ(values[r.min.loc], *low);
    EXPECT_EQ(r.max.val, *high);
    EXPECT_EQ(values[r.max.loc], *high);
    EXPECT_EQ(r.first_min.val, *low);
    EXPECT_EQ(r.first_min.loc, low - values.begin());
    EXPECT_EQ(r.first_max.val, *high);
    EXPECT_EQ(r.first_max.loc, high - values.begin());
    EXPECT_EQ(r.range.min_val, *low);
    EXPECT_EQ(r.range.max_val, *high);
    EXPECT_EQ(r.both.min_val, *low);
    EXPECT_EQ(values[r.both.min_loc], *low);
    EXPECT_EQ(r.both.max_val, *high);
    EXPECT_EQ(values[r.both.max_loc], *high);
    EXPECT_EQ(r.ends.min_val, *low);
    EXPECT_EQ(r.ends.min_loc, low - values.begin());
    EXPECT_EQ(r.ends.max_val, *high);
    EXPECT_EQ(r.ends.max_loc, n - 1 - (last - values.rbegin()));
  });
}

// ---- leagues -------------------------------------------------------------------------------------------------------

/// Each team reduces and scans its row with nested patterns; the league sums what the teams found.
template <class Space>
struct ReduceRows {
  Kokkos::View<int*, Space> values;
  Kokkos::View<long**, Space> sums;  // (row, kind)
  Kokkos::View<long*, Space> prefixes;
  int width;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member, long& total) const {
    int const row     = member.league_rank();
    auto const at     = [&](int i) { return static_cast<long>(values(row * width + i)); };
    long over_threads = 0, over_all = 0, largest = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(member, width), [&](int i, long& sum) { sum += at(i); }, over_threads);
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(member, width), [&](int i, long& sum) { sum += at(i) * (i + 1); }, over_all);
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(member, width), [&](int i, long& max) { max = at(i) > max ? at(i) : max; },
        Kokkos::Max<long>(largest));
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(member, width), [&](int i, long& sum, bool final) {
      sum += at(i);
      if (final) prefixes(row * width + i) = sum;
    });
    Kokkos::single(Kokkos::PerTeam(member), [&] {
      sums(row, 0) = over_threads;
      sums(row, 1) = over_all;
      sums(row, 2) = largest;
      total += over_threads;
    });
  }
};

TYPED_TEST(ReductionCases, OfTeams) {
  for_each_case(4, 2000, [](Random& random) {
    int const rows  = static_cast<int>(random.between(1, 20));
    int const width = static_cast<int>(random.once_in(4) ? random.between(0, 3) : random.between(1, 400));
    auto values     = any_integers(random, static_cast<std::size_t>(rows * width));
    ReduceRows<TypeParam> functor{view_of<TypeParam>(values), Kokkos::View<long**, TypeParam>("sums", rows, 3),
                                  Kokkos::View<long*, TypeParam>("prefixes", rows * width), width};
    using Policy    = Kokkos::TeamPolicy<TypeParam>;
    int const lanes = Policy::vector_length_max() >= 8 ? 1 << random.below(4) : 1;
    int size        = static_cast<int>(random.between(1, 64));
    size            = std::min(size, Policy(rows, 1, lanes).team_size_max(functor, Kokkos::ParallelReduceTag()));
    SCOPED_TRACE("teams of " + std::to_string(size) + " with " + std::to_string(lanes) + " lanes");
    long total = -1;
    Kokkos::parallel_reduce(Policy(rows, size, lanes), functor, total);
    auto const sums     = on_host(functor.sums);
    auto const prefixes = values_of(functor.prefixes);
    long expected_total = 0;
    for (int r = 0; r < rows; ++r) {
      long sum = 0, weighted = 0, largest = Kokkos::reduction_identity<long>::max();
      for (int i = 0; i < width; ++i) {
        long const v = values[r * width + i];
        sum += v;
        weighted += v * (i + 1);
        largest = std::max(largest, v);
        ASSERT_EQ(prefixes[r * width + i], sum) << r << ", " << i << " of " << width;
      }
      ASSERT_EQ(sums(r, 0), sum) << r;
      ASSERT_EQ(sums(r, 1), weighted) << r;
      ASSERT_EQ(sums(r, 2), largest) << r;
      expected_total += sum;
    }
    EXPECT_EQ(total, expected_total);
  });
}

// ---- nested patterns whose identities are not zero -----------------------------------------------------------------

/// Threads and lanes without an iteration contribute identities.
template <class Space>
struct NestedProducts {
  Kokkos::View<unsigned*, Space> values;
  Kokkos::View<unsigned***, Space>
      out;  // (team, thread, result): three products, then three pairs of product and minimum
  template <class Range>
  KOKKOS_FUNCTION void reduce(Range const& range, unsigned& alone, unsigned& first, unsigned& second) const {
    using Product = Kokkos::Prod<unsigned>;
    Kokkos::parallel_reduce(range, [this](int i, unsigned& p) { p *= values(i); }, Product(alone));
    auto const both = [this](int i, unsigned& p, unsigned& m) { p *= values(i), m = values(i) < m ? values(i) : m; };
    Kokkos::parallel_reduce(range, both, Product(first), Kokkos::Min<unsigned>(second));
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const n   = static_cast<int>(values.extent(0));
    unsigned r[9] = {};
    reduce(Kokkos::TeamThreadRange(member, n), r[0], r[3], r[4]);
    reduce(Kokkos::TeamVectorRange(member, n), r[1], r[5], r[6]);
    reduce(Kokkos::ThreadVectorRange(member, n), r[2], r[7], r[8]);
    for (int k = 0; k < 9; ++k) out(member.league_rank(), member.team_rank(), k) = r[k];
  }
};

TYPED_TEST(ReductionCases, OfNestedPatterns) {
  for_each_case(4, 1000, [](Random& random) {
    std::vector<unsigned> values(random.once_in(3) ? random.below(4) : random.length({4, 64, 128, 300}));
    unsigned expected[] = {1, Kokkos::reduction_identity<unsigned>::min()};
    for (unsigned& v : values) {
      v = static_cast<unsigned>(random.below(1000)) * 2 + 3;
      expected[0] *= v, expected[1] = std::min(expected[1], v);
    }
    using Policy    = Kokkos::TeamPolicy<TypeParam>;
    int const lanes = Policy::vector_length_max() >= 8 ? 1 << random.below(4) : 1;
    NestedProducts<TypeParam> functor{view_of<TypeParam>(values), {}};
    int const most = Policy(2, 1, lanes).team_size_max(functor, Kokkos::ParallelForTag());
    int const size = std::min(1 + static_cast<int>(random.below(4)), most);
    functor.out    = Kokkos::View<unsigned***, TypeParam>("out", 2, size, 9);
    Kokkos::parallel_for(Policy(2, size, lanes), functor);
    auto const out = on_host(functor.out);
    for (int i = 0; i < 2 * size * 9; ++i)
      ASSERT_EQ(out(i / 9 / size, i / 9 % size, i % 9), expected[i % 9 >= 4 && i % 9 % 2 == 0])
          << "result " << i % 9 << " of thread " << i / 9 % size << " of " << size << ", " << lanes << " lanes, "
          << values.size() << " values";
  });
}

// ---- scans ---------------------------------------------------------------------------------------------------------

/// x -> a * x + b, modulo 2^32. Composition is associative, but not commutative, so a scan must keep the order.
struct Affine {
  unsigned a, b;
  bool operator==(Affine const&) const = default;
};
KOKKOS_INLINE_FUNCTION Affine composed(Affine const& first, Affine const& then) {
  return {then.a * first.a, then.a * first.b + then.b};
}

template <class Space>
struct ScanAffine {
  using value_type = Affine;
  Kokkos::View<int*, Space> values;
  Kokkos::View<Affine*, Space> results;
  bool inclusive;
  KOKKOS_FUNCTION void init(Affine& x) const { x = {1, 0}; }
  KOKKOS_FUNCTION void join(Affine& x, Affine const& y) const { x = composed(x, y); }
  KOKKOS_FUNCTION void operator()(int i, Affine& x, bool final) const {
    if (final && !inclusive) results(i) = x;
    x = composed(x, {static_cast<unsigned>(values(i)) | 1u, static_cast<unsigned>(i)});
    if (final && inclusive) results(i) = x;
  }
};

TYPED_TEST(ReductionCases, OfPrefixes) {
  for_each_case(6, 4000, [](Random& random) {
    auto const values = any_integers(random, random.length({256, 1024, 4096, 30000}));
    int const n       = static_cast<int>(values.size());
    int const begin   = random.once_in(2) ? 0 : static_cast<int>(random.between(0, n));
    ScanAffine<TypeParam> const functor{view_of<TypeParam>(values),
                                        Kokkos::View<Affine*, TypeParam>("results", values.size()), random.once_in(2)};
    Affine total{};
    Kokkos::parallel_scan("prefixes", Kokkos::RangePolicy<TypeParam>(begin, n), functor, total);
    auto const results = values_of(functor.results);
    Affine x{1, 0};
    for (int i = begin; i < n; ++i) {
      if (!functor.inclusive) {
        ASSERT_TRUE(results[i] == x) << i << " of [" << begin << ", " << n << ")";
      }
      x = composed(x, {static_cast<unsigned>(values[i]) | 1u, static_cast<unsigned>(i)});
      if (functor.inclusive) {
        ASSERT_TRUE(results[i] == x) << i << " of [" << begin << ", " << n << ")";
      }
    }
    EXPECT_TRUE(total == x) << "[" << begin << ", " << n << ")";
  });
}

}  // namespace
