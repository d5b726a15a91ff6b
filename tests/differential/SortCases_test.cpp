// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random sorts: of views, of ranges, by key, by a comparator, in bins and by teams, compared with std::stable_sort.

#include "RandomCases.hpp"

#include <Kokkos_NestedSort.hpp>
#include <Kokkos_Sort.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace {

using namespace Kokkos::Testing;
namespace KE = Kokkos::Experimental;

template <class Space>
class SortCases : public ::testing::Test {};
TYPED_TEST_SUITE(SortCases, PatternSpaces, SpaceName);

template <class T>
constexpr bool is_real_v = !std::is_integral_v<T>;

/// NaNs of either sign, infinities, zeros of either sign and subnormal numbers; extreme integers; few different ones.
template <class T>
T any_number(Random& random, long kind) {
  if constexpr (is_real_v<T>) {
    T const special[] = {KE::quiet_NaN_v<T>, KE::infinity_v<T>, T(0), KE::denorm_min_v<T>, KE::finite_max_v<T>};
    T const value = kind > 0 && random.once_in(2) ? special[random.below(5)] : T(float(random.between(0, 1000)) / 7);
    return random.once_in(2) ? -value : value;
  } else {
    using Limits = std::numeric_limits<T>;
    if (kind == 0) return static_cast<T>(random.between(0, 3));
    if (kind == 1) return static_cast<T>(random.bits());
    T const step = static_cast<T>(random.between(0, 2));
    return random.once_in(2) ? static_cast<T>(Limits::max() - step) : static_cast<T>(Limits::min() + step);
  }
}

struct Ascends {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b || (b != b && a == a);
  }
};
struct ByRemainder {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a % 7 < b % 7; }
};

/// `sorted` has the numbers `before[places[i]]`, by bits, in the order of `less`.
template <class T, class Less>
void expect_order(std::vector<T> const& sorted, std::vector<int> const& places, std::vector<T> const& before,
                  Less const& less) {
  std::vector<bool> seen(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto const place = static_cast<std::size_t>(places[i]);
    ASSERT_LT(place, before.size()) << i;
    ASSERT_FALSE(seen[place]) << i << " " << place;
    seen[place] = true;
    ASSERT_EQ(std::memcmp(&sorted[i], &before[place], sizeof(T)), 0) << i << " " << place;
    if (i > 0) {
      ASSERT_FALSE(less(sorted[i], sorted[i - 1])) << i << " of " << before.size();
    }
  }
}
/// Each position holds an element of the same rank, and the elements are the same.
template <class T>
void expect_same_ranks(std::vector<T> sorted, std::vector<T> expected) {
  ASSERT_EQ(sorted.size(), expected.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_FALSE(Ascends()(sorted[i], expected[i]) || Ascends()(expected[i], sorted[i]))
        << i << " of " << sorted.size();
  auto const by_bits = [](T const& a, T const& b) { return std::memcmp(&a, &b, sizeof(T)) < 0; };
  std::sort(sorted.begin(), sorted.end(), by_bits);
  std::sort(expected.begin(), expected.end(), by_bits);
  if (!sorted.empty()) {
    ASSERT_EQ(std::memcmp(sorted.data(), expected.data(), sorted.size() * sizeof(T)), 0);
  }
}

std::vector<int> count_up(std::size_t n) {
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  return places;
}

template <class T, class Space>
void sorts_numbers() {
  for_each_case(24, 1500, [](Random& random) {
    std::size_t const n = random.length({1024, 2048, 4352, 8192, 20000});
    long const kind     = random.between(0, 2);
    std::vector<T> values(n);
    for (auto& v : values) v = any_number<T>(random, kind);
    std::size_t const begin = random.once_in(2) ? 0 : random.below(n + 1);
    std::size_t const end   = random.once_in(2) ? n : begin + random.below(n - begin + 1);
    auto expected           = values;
    std::stable_sort(expected.begin() + begin, expected.begin() + end, Ascends());
    Space const exec;
    if (random.once_in(3)) {
      std::size_t const width = random.below(3) + 1;
      Kokkos::View<T**, Kokkos::LayoutRight, Space> table("table", n, width);
      Kokkos::View<T*, Kokkos::LayoutStride, Space> const column =
          Kokkos::subview(table, Kokkos::ALL(), random.below(width));
      auto const dense = view_of<Space>(values);
      Kokkos::deep_copy(exec, column, dense);
      Kokkos::sort(exec, column, begin, end);
      Kokkos::deep_copy(exec, dense, column);
      exec.fence();
      expect_same_ranks(values_of(dense), expected);
    } else if (random.once_in(2)) {
      auto const view = view_of<Space>(values);
      Kokkos::sort(exec, view, begin, end);
      expect_same_ranks(values_of(view), expected);
    } else {
      auto const keys = view_of<Space>(values);
      auto const data = view_of<Space>(count_up(n));
      KE::sort_by_key(exec, keys, data);
      expect_order(values_of(keys), values_of(data), values, Ascends());
    }
  });
}
TYPED_TEST(SortCases, Bytes) { sorts_numbers<signed char, TypeParam>(); }
TYPED_TEST(SortCases, Integers) { sorts_numbers<unsigned long, TypeParam>(); }
TYPED_TEST(SortCases, Halves) { sorts_numbers<KE::half_t, TypeParam>(); }
TYPED_TEST(SortCases, Floats) { sorts_numbers<float, TypeParam>(); }
TYPED_TEST(SortCases, Doubles) { sorts_numbers<double, TypeParam>(); }

TYPED_TEST(SortCases, ByComparatorAndKey) {
  for_each_case(8, 1500, [](Random& random) {
    std::size_t const n = random.length({1024, 2048, 8192, 20000});
    std::vector<int> values(n);
    for (auto& v : values) v = static_cast<int>(random.between(-50, 50));
    auto const keys = view_of<TypeParam>(values);
    if (random.once_in(2)) {
      auto const data = view_of<TypeParam>(count_up(n));
      KE::sort_by_key(TypeParam(), keys, data, ByRemainder());
      expect_order(values_of(keys), values_of(data), values, ByRemainder());
    } else {
      Kokkos::sort(TypeParam(), keys, ByRemainder());
      auto sorted = values_of(keys);
      EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), ByRemainder()));
      std::sort(sorted.begin(), sorted.end());
      std::sort(values.begin(), values.end());
      EXPECT_EQ(sorted, values);
    }
  });
}

/// The permutation is that of a stable sort by bins, and starts and counts belong to it.
TYPED_TEST(SortCases, Bins) {
  using Keys = Kokkos::View<float*, TypeParam>;
  using Op   = Kokkos::BinOp1D<Keys>;
  for_each_case(6, 1500, [](Random& random) {
    std::size_t const n   = random.length({1024, 2048, 8192});
    int const bins        = static_cast<int>(random.once_in(3) ? random.between(1, 40000) : random.between(1, 60));
    bool const sorts_bins = random.once_in(2);
    std::vector<float> values(n);
    for (auto& v : values) v = any_number<float>(random, 1);
    auto const keys = view_of<TypeParam>(values);
    Op const op(bins, -100, 100);
    Kokkos::BinSort<Keys, Op> sorter(TypeParam(), keys, op, sorts_bins);
    sorter.create_permute_vector(TypeParam());
    Kokkos::View<float const*, Kokkos::HostSpace> const here(values.data(), n);
    auto places       = count_up(n);
    auto const by_bin = [&](int a, int b) { return op.bin(here, a) < op.bin(here, b); };
    auto const by_key = [&](int a, int b) {
      return by_bin(a, b) || (!by_bin(b, a) && Ascends()(values[a], values[b]));
    };
    std::stable_sort(places.begin(), places.end(), by_bin);
    auto const order   = values_of(sorter.get_permute_vector());
    auto const starts  = values_of(sorter.get_bin_offsets());
    auto const counts  = values_of(sorter.get_bin_count());
    std::size_t before = 0;
    for (std::size_t b = 0; b < counts.size(); ++b) {
      ASSERT_EQ(static_cast<std::size_t>(starts[b]), before) << b;
      before += static_cast<std::size_t>(counts[b]);
      for (std::size_t i = static_cast<std::size_t>(starts[b]); i < before; ++i)
        ASSERT_EQ(op.bin(here, static_cast<int>(order[i])), static_cast<int>(b)) << i;
    }
    ASSERT_EQ(before, n);
    for (std::size_t i = 0; i < n; ++i) {
      if (!sorts_bins) {
        ASSERT_EQ(static_cast<int>(order[i]), places[i]) << i;
      }
      if (sorts_bins && i > 0) {
        ASSERT_FALSE(by_key(static_cast<int>(order[i]), static_cast<int>(order[i - 1]))) << i;
      }
    }
    sorter.sort(TypeParam(), keys);
    auto const sorted = values_of(keys);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::memcmp(&sorted[i], &values[order[i]], sizeof(float)), 0) << i;
  });
}

/// Rows of keys and values, each sorted by a team, or by one of its threads.
template <class Space>
struct SortRows {
  using Rows = Kokkos::View<int**, Kokkos::LayoutRight, Space>;
  Rows keys, values;
  bool by_team, by_remainder;
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const k = Kokkos::subview(keys, member.league_rank(), Kokkos::ALL());
    auto const v = Kokkos::subview(values, member.league_rank(), Kokkos::ALL());
    if (by_team) {
      if (by_remainder)
        KE::sort_by_key_team(member, k, v, ByRemainder());
      else
        KE::sort_by_key_team(member, k, v);
    } else if (member.team_rank() == 0) {
      KE::sort_by_key_thread(member, k, v, ByRemainder());
    }
  }
};
TYPED_TEST(SortCases, InTeams) {
  using Rows = typename SortRows<TypeParam>::Rows;
  for_each_case(12, 600, [](Random& random) {
    std::size_t const n = random.below(random.once_in(3) ? 200 : 20), rows = random.below(4) + 1;
    bool const by_team = random.once_in(2), by_remainder = !by_team || random.once_in(2);
    Rows keys("keys", rows, n), values("values", rows, n);
    auto const here_keys = Kokkos::create_mirror_view(keys), here_values = Kokkos::create_mirror_view(values);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < n; ++i) {
        here_keys(r, i)   = static_cast<int>(random.between(-30, 30));
        here_values(r, i) = static_cast<int>(i);
      }
    std::vector<std::vector<int>> before(rows, std::vector<int>(n));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < n; ++i) before[r][i] = here_keys(r, i);
    Kokkos::deep_copy(keys, here_keys);
    Kokkos::deep_copy(values, here_values);
    int const lanes = Kokkos::TeamPolicy<TypeParam>::vector_length_max() >= 4 ? 1 << random.below(3) : 1;
    int const size  = TypeParam().concurrency() > 1 ? static_cast<int>(random.between(1, 2)) : 1;
    Kokkos::parallel_for(Kokkos::TeamPolicy<TypeParam>(static_cast<int>(rows), size, lanes),
                         SortRows<TypeParam>{keys, values, by_team, by_remainder});
    Kokkos::deep_copy(here_keys, keys);
    Kokkos::deep_copy(here_values, values);
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<int> k(n), v(n);
      for (std::size_t i = 0; i < n; ++i) k[i] = here_keys(r, i), v[i] = here_values(r, i);
      if (by_remainder)
        expect_order(k, v, before[r], ByRemainder());
      else
        expect_order(k, v, before[r], Ascends());
    }
  });
}

}  // namespace
