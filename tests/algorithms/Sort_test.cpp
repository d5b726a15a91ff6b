// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: starts-first
/// \file
/// Kokkos::sort and Kokkos::Experimental::sort_by_key, the methods that they choose from, and inputs without a valid
/// order.

#include "SortTest.hpp"
#include "Thorough.hpp"

#include <Kokkos_Sort.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Impl::choose_sort_method;
using Kokkos::Impl::SortFacts;
using Kokkos::Impl::SortMethod;
namespace KE = Kokkos::Experimental;

template <class Space>
class SortTest : public ::testing::Test {};
TYPED_TEST_SUITE(SortTest, PatternSpaces, SpaceName);

TEST(SortWays, AreChosenByFacts) {
  //                              count    threads host   radix  trivial vendor
  EXPECT_EQ(choose_sort_method(SortFacts{1, 4, true, true, true, false}), SortMethod::nothing);
  EXPECT_EQ(choose_sort_method(SortFacts{100, 4, true, true, true, false}), SortMethod::one_thread);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 1, true, true, true, false}), SortMethod::radix);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 4, true, true, true, false}), SortMethod::radix);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 1, true, false, true, false}), SortMethod::one_thread);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 4, true, false, true, false}), SortMethod::merge);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 4, true, false, false, false}), SortMethod::one_thread);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 1, false, true, true, true}), SortMethod::vendor);
  EXPECT_EQ(choose_sort_method(SortFacts{100000, 1, false, true, true, false}), SortMethod::merge);
}

// Around the lengths at which the number of tiles and the method change.
auto const lengths = is_thorough() ? std::vector<std::size_t>{0,   1,   2,    3,    16,   17,   100,  399,  400,
                                                              799, 800, 1023, 1025, 2047, 2048, 5000, 20011}
                                   : std::vector<std::size_t>{0, 1, 3, 17, 1023, 2048, 20011};

/// Numbers of every kind, NaNs of both signs among them, in random order.
template <class T>
std::vector<T> numbers_and_nans(std::size_t n) {
  using Kokkos::Experimental::denorm_min_v;
  using Kokkos::Experimental::finite_max_v;
  using Kokkos::Experimental::infinity_v;
  using Kokkos::Experimental::quiet_NaN_v;
  T const special[] = {quiet_NaN_v<T>, infinity_v<T>, T(0), denorm_min_v<T>, finite_max_v<T>};
  auto const random = random_numbers<int>(n, 4000);
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    int const r = random[i];
    values[i]   = r % 16 < 10 ? special[r % 16 / 2] : T(static_cast<float>(r) / 7);
    if (r % 2 != 0) values[i] = -values[i];
  }
  return values;
}
/// The order of sorts: a NaN equals each other NaN, and comes after all numbers.
template <class T>
bool comes_before(T const& a, T const& b) {
  return a < b || (b != b && a == a);
}
/// Whether zeros have the same sign, and NaNs the same sign and, if the type has no padding, the same payload.
template <class T>
bool have_equal_bits(T const& a, T const& b) {
  bool const same_sign = std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b));
  if (a == a || sizeof(T) > 8) return same_sign && (a == b || (a != a && b != b));
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The keys are sorted, each is one of the keys before, and each position belongs to one.
template <class T>
void expect_sorted(std::vector<T> const& sorted, std::vector<int> const& places, std::vector<T> const& before) {
  std::vector<bool> seen(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    auto const place = static_cast<std::size_t>(places[i]);
    ASSERT_LT(place, before.size());
    ASSERT_FALSE(seen[place]);
    seen[place] = true;
    ASSERT_TRUE(have_equal_bits(sorted[i], before[place])) << i;
    ASSERT_FALSE(i > 0 && comes_before(sorted[i], sorted[i - 1]))
        << static_cast<float>(sorted[i - 1]) << ", " << static_cast<float>(sorted[i]) << " at " << i;
  }
}

template <class T, class Space>
void puts_nans_last() {
  for (std::size_t n : {7, 300, 3000, 20000}) {
    auto const values = numbers_and_nans<T>(n);
    auto const keys = to_device<T, Space>(values), alone = to_device<T, Space>(values);
    std::vector<int> places(n);
    std::iota(places.begin(), places.end(), 0);
    auto const positions = to_device<int, Space>(places);
    KE::sort_by_key(Space(), keys, positions);
    auto const sorted = to_host(keys);
    expect_sorted(sorted, to_host(positions), values);
    Kokkos::sort(Space(), alone);
    auto const sorted_alone = to_host(alone);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_FALSE(comes_before(sorted_alone[i], sorted[i]) || comes_before(sorted[i], sorted_alone[i]))
          << n << " " << i;
  }
}
TYPED_TEST(SortTest, PutsNaNsLast) {
  puts_nans_last<float, TypeParam>();
  puts_nans_last<double, TypeParam>();
  puts_nans_last<KE::half_t, TypeParam>();
  puts_nans_last<KE::bhalf_t, TypeParam>();
}
TEST(SortOnHosts, PutsNaNsLast) { puts_nans_last<long double, Kokkos::DefaultHostExecutionSpace>(); }

/// Keys of a radix sort are in the order of the numbers, and back again; NaNs of either sign come after infinity.
template <class T>
void has_ordered_radix_keys(std::vector<T> const& ascending) {
  using Keys = Kokkos::Impl::RadixKey<T>;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    auto const key = Kokkos::Impl::radix_key(ascending[i]);
    if (i > 0) {
      EXPECT_LT(Kokkos::Impl::radix_key(ascending[i - 1]), key) << sizeof(T) << " " << i;
    }
    EXPECT_TRUE(have_equal_bits(ascending[i], std::bit_cast<T>(Keys::to_bits(key)))) << sizeof(T) << " " << i;
  }
}
template <class T>
void has_ordered_radix_keys_of_reals() {
  using namespace Kokkos::Experimental;
  T const inf = infinity_v<T>, max = finite_max_v<T>, tiny = denorm_min_v<T>, nan = quiet_NaN_v<T>;
  has_ordered_radix_keys<T>({-inf, -max, T(-1), -tiny, -T(0), T(0), tiny, T(1), max, inf, nan, -nan});
}
TEST(RadixKey, IsInTheOrderOfNumbers) {
  has_ordered_radix_keys<int>({std::numeric_limits<int>::min(), -1, 0, 1, std::numeric_limits<int>::max()});
  has_ordered_radix_keys<signed char>({-128, -1, 0, 127});
  has_ordered_radix_keys<unsigned short>({0, 1, 0x7fff, 0x8000, 0xffff});
  has_ordered_radix_keys<bool>({false, true});
  has_ordered_radix_keys_of_reals<float>();
  has_ordered_radix_keys_of_reals<double>();
  has_ordered_radix_keys_of_reals<KE::half_t>();
  has_ordered_radix_keys_of_reals<KE::bhalf_t>();
}

TYPED_TEST(SortTest, SortsStridedViewsAndRanges) {
  std::size_t const n = 3000;
  Kokkos::View<int**, Kokkos::LayoutLeft, TypeParam> table("table", 3, n);
  Kokkos::deep_copy(table, 7);
  auto const row = Kokkos::subview(table, 1, Kokkos::ALL());
  auto values    = random_numbers<int>(n);
  Kokkos::deep_copy(row, to_device<int, TypeParam>(values));
  Kokkos::sort(TypeParam(), row, 100, 2900);
  std::sort(values.begin() + 100, values.begin() + 2900);
  EXPECT_EQ(to_host(row), values);
  Kokkos::sort(row, 0, 100);
  std::sort(values.begin(), values.begin() + 100);
  EXPECT_EQ(to_host(row), values);
  Kokkos::sort(row);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(to_host(row), values);
  EXPECT_EQ(to_host(Kokkos::subview(table, 0, Kokkos::ALL())), std::vector<int>(n, 7));
  EXPECT_EQ(to_host(Kokkos::subview(table, 2, Kokkos::ALL())), std::vector<int>(n, 7));

  Kokkos::View<int*, TypeParam> small("small", 4);
  EXPECT_THROW(Kokkos::sort(small, 2, 5), std::runtime_error);
  EXPECT_THROW(Kokkos::sort(TypeParam(), small, 3, 2), std::runtime_error);
}

TYPED_TEST(SortTest, SortsRangesOfContiguousViews) {
  auto const numbers = random_numbers<int>(3000);
  for (auto const& [begin, end] : std::vector<std::pair<int, int>>{
           {0, 3000}, {0, 100}, {100, 2900}, {2900, 3000}, {1, 3000}, {0, 2999}, {7, 9}, {7, 8}, {5, 5}}) {
    auto expected = numbers;
    std::sort(expected.begin() + begin, expected.begin() + end);
    auto const view = to_device<int, TypeParam>(numbers), other = to_device<int, TypeParam>(numbers);
    Kokkos::sort(TypeParam(), view, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    EXPECT_EQ(to_host(view), expected) << begin << ' ' << end;
    Kokkos::sort(other, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    EXPECT_EQ(to_host(other), expected) << begin << ' ' << end;
  }
}

/// Larger than a word, and compared by some of its members.
struct Particle {
  float position[3];
  int id;
  KOKKOS_FUNCTION friend bool operator<(Particle const& a, Particle const& b) { return a.position[1] < b.position[1]; }
};

TYPED_TEST(SortTest, SortsStructures) {
  for (std::size_t n : {10, 700, 9000}) {
    auto const heights = random_numbers<float>(n);
    std::vector<Particle> particles(n);
    for (std::size_t i = 0; i < n; ++i) particles[i] = {{0, heights[i], 1}, static_cast<int>(i)};
    auto const view = to_device<Particle, TypeParam>(particles);
    Kokkos::sort(view);
    auto const sorted = to_host(view);
    std::vector<int> ids;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(sorted[i].position[1], heights[sorted[i].id]);
      ASSERT_FALSE(i > 0 && sorted[i] < sorted[i - 1]);
      ids.push_back(sorted[i].id);
    }
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(ids[i], static_cast<int>(i));
  }
}

TEST(SortOnHosts, SortsStrings) {
  Kokkos::View<std::string*, Kokkos::DefaultHostExecutionSpace> names("names", 3);
  names(0) = "a string that is too long to be kept in place";
  names(1) = "z";
  names(2) = "b";
  Kokkos::sort(names);
  EXPECT_EQ(names(0), "a string that is too long to be kept in place");
  EXPECT_EQ(names(1), "b");
  EXPECT_EQ(names(2), "z");
}

/// Can only be copied, and throws at a certain comparison or copy.
struct Throwing {
  static inline int comparisons = 0, copies = 0;  // until the exception

  int id     = 0;
  Throwing() = default;
  explicit Throwing(int i) : id(i) {}
  Throwing(Throwing const& other) : id(other.id) { count(copies); }
  Throwing& operator=(Throwing const& other) {
    count(copies);
    id = other.id;
    return *this;
  }
  friend bool operator<(Throwing const& a, Throwing const& b) {
    count(comparisons);
    return a.id < b.id;
  }
  static void count(int& left) {
    if (left > 0 && --left == 0) throw std::length_error("no more");
  }
};

TEST(SortOnHosts, ExceptionsLoseNothing) {
  constexpr int n = 40;
  Kokkos::View<Throwing*, Kokkos::DefaultHostExecutionSpace> objects("objects", n);
  auto const disorder = [&] {
    for (int i = 0; i < n; ++i) objects(i).id = i * 7 % n;
  };
  bool sorted = false;
  for (int at = 1; !sorted; ++at) {
    ASSERT_LT(at, 1000);
    disorder();
    Throwing::copies = at;
    try {
      Kokkos::sort(objects);
      sorted = true;
      EXPECT_GT(Throwing::copies, 0) << "the exception of copy " << at << " was lost";
    } catch (std::length_error const&) {
    }
    Throwing::copies = 0;
    std::set<int> ids;
    for (int i = 0; i < n; ++i) ids.insert(objects(i).id);
    ASSERT_EQ(ids.size(), std::size_t(n)) << "exception of copy " << at;
  }
  for (int i = 0; i < n; ++i) EXPECT_EQ(objects(i).id, i);

  disorder();
  Throwing::comparisons = 50;
  EXPECT_THROW(Kokkos::sort(objects), std::length_error);
  Throwing::comparisons = 0;
  for (int i = 0; i < n; ++i) EXPECT_EQ(objects(i).id, i * 7 % n) << "the comparator's exception leaves the order";
}

/// Keys with many equal ones, and their first positions, which a stable sort keeps in order.
struct Placed {
  int key, place;
  bool operator==(Placed const&) const = default;
};

std::vector<Placed> placed(std::size_t n, std::string const& order) {
  auto const random = random_numbers<unsigned short>(n, static_cast<unsigned>(n / 4 + 1));
  std::vector<Placed> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    int const position = static_cast<int>(i);
    values[i]          = {order == "random"       ? random[i]
                          : order == "ascending"  ? position
                          : order == "descending" ? -position
                                                  : 7,
                 position};
  }
  return values;
}

template <class T>
void sorts_one_pair(std::size_t n, std::size_t place) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  std::vector<T> up(n);
  std::iota(up.begin(), up.end(), T(0));
  auto const sorted_by = [&](std::vector<T> const& expected, auto const&... comparator) {
    auto numbers = expected;
    std::swap(numbers[place], numbers[place + 1]);
    auto const view = to_device<T, Space>(numbers);
    Kokkos::sort(Space(), view, comparator...);
    ASSERT_EQ(to_host(view), expected) << n << ", pair at " << place;
  };
  sorted_by(up);
  std::reverse(up.begin(), up.end());
  sorted_by(up, Greater());
}
// Two neighbours are exchanged in a sorted array. sort() leaves a sorted array as it is, so it must notice them anywhere.
TEST(SortOnHosts, FindsTheOnePairThatIsNotInOrder) {
  for (std::size_t const n : {2, 3, 33, 1000, 3000, 9000})
    for (std::size_t const place : {std::size_t(0), std::size_t(1), n / 2, n - 2})
      if (place + 1 < n) {
        sorts_one_pair<int>(n, place);
        sorts_one_pair<double>(n, place);
      }
}

template <class T>
void keeps_zeros(std::size_t n) {
  using Space  = Kokkos::DefaultHostExecutionSpace;
  auto numbers = random_numbers<T>(n);
  for (std::size_t i = 0; i < n; i += 3) numbers[i] = i % 2 == 0 ? T(-0.0) : T(0);
  auto const negatives = [](std::vector<T> const& all) {
    return std::count_if(all.begin(), all.end(), [](T x) { return x == 0 && std::signbit(x); });
  };
  auto const view = to_device<T, Space>(numbers);
  Kokkos::sort(Space(), view);
  auto const sorted = to_host(view);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_EQ(negatives(sorted), negatives(numbers)) << n;
}
// -0 and 0 are equal, and a sort changes neither into the other.
TEST(SortOnHosts, KeepsTheSignsOfZeros) {
  for (std::size_t const n : {20, 40, 1000, 5000, 20000}) {
    keeps_zeros<float>(n);
    keeps_zeros<double>(n);
  }
}

// A byte that all keys have in common is passed over: the first ones, the last ones, or all.
TEST(SortOnHosts, KeysWithBytesInCommon) {
  for (std::uint64_t const mask :
       {~0ull, 0xffull, 0xff00ull, 0xffff0000ull, 0xff00ff00ff00ff00ull, 0xffull << 56, 0ull}) {
    auto keys = random_numbers<std::uint64_t>(3000);
    for (auto& key : keys) key = (key & mask) | (0x0123456789abcdefull & ~mask);
    auto const expected = [&] {
      auto sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    }();
    std::vector<std::uint64_t> memory(2 * keys.size());
    std::copy(keys.begin(), keys.end(), memory.begin());
    auto const* const first = Kokkos::Impl::sort_by_bytes(memory.data(), keys.size());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first)) << std::hex << mask;
  }
}

TEST(SortOnHosts, MergeSortIsStable) {
  auto const by_key = [](Placed const& a, Placed const& b) { return a.key < b.key; };
  for (std::size_t n : {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 1023, 16384, 16385, 40001})
    for (std::string const order : {"random", "ascending", "descending", "equal"}) {
      auto sorted = placed(n, order), expected = sorted;
      std::stable_sort(expected.begin(), expected.end(), by_key);
      Kokkos::Impl::merge_sort_on_host(sorted.data(), n, by_key);
      ASSERT_TRUE(sorted == expected) << n << " " << order;
    }
}

TEST(SortOnHosts, MergeSortOfAContradictionIsAPermutation) {
  for (std::size_t n : {2, 17, 100, 40001}) {
    auto sorted = placed(n, "random"), before = sorted;
    unsigned calls = 0;
    Kokkos::Impl::merge_sort_on_host(sorted.data(), n, [&](Placed const&, Placed const&) {
      calls = calls * 1664525u + 1013904223u;
      return calls >> 31 != 0;
    });
    std::sort(sorted.begin(), sorted.end(), [](Placed const& a, Placed const& b) { return a.place < b.place; });
    ASSERT_TRUE(sorted == before) << n;
  }
}

// Nothing outside the range is written, and on hosts no element is lost.
TYPED_TEST(SortTest, SurvivesContradictions) {
  for (std::size_t n : {5, 20, 100, 3000, 20000}) {
    auto values     = random_numbers<int>(n + 200);
    auto const view = to_device<int, TypeParam>(values);
    Kokkos::sort(Kokkos::subview(view, std::pair(std::size_t(100), n + 100)), Contradiction());
    auto sorted = to_host(view);
    EXPECT_TRUE(std::equal(values.begin(), values.begin() + 100, sorted.begin()));
    EXPECT_TRUE(std::equal(values.end() - 100, values.end(), sorted.end() - 100));
    if (Kokkos::Impl::sorts_on_host_v<TypeParam>) {
      std::sort(values.begin() + 100, values.end() - 100);
      std::sort(sorted.begin() + 100, sorted.end() - 100);
      EXPECT_EQ(sorted, values);
    }
  }
}

/// Any number of runs and chunks, on any backend.
TYPED_TEST(SortTest, MergesRuns) {
  for (std::size_t n : {3, 64, 1000}) {
    for (std::size_t chunk : {1, 2, 5, 33}) {
      for (std::size_t chunks_of_run : {1, 2, 6}) {
        for (bool by_halving : {false, true}) {
          std::size_t const run = chunk * chunks_of_run;
          auto values           = random_numbers<int>(n, 300);
          for (std::size_t i = 0; i < n; i += run) std::sort(values.begin() + i, values.begin() + std::min(i + run, n));
          auto const data   = to_device<int, TypeParam>(values);
          auto const buffer = to_device<int, TypeParam>(values);
          Kokkos::Impl::merge_runs(TypeParam(), data.data(), buffer.data(), n, run, chunk, by_halving,
                                   Kokkos::Impl::Ascending());
          std::sort(values.begin(), values.end());
          ASSERT_EQ(to_host(data), values) << n << " " << run << " " << chunk << " " << by_halving;
          if (by_halving) {
            Kokkos::Impl::merge_runs(TypeParam(), data.data(), buffer.data(), n, run, chunk, true, Contradiction());
            auto permuted = to_host(data);
            std::sort(permuted.begin(), permuted.end());
            ASSERT_EQ(permuted, values) << n << " " << run << " " << chunk;
          }
        }
      }
    }
  }
}

/// Too large for the registers of a thread, so that teams sort them by swaps.
template <int size>
struct Sized {
  int key;
  int rest[size - 1];
  KOKKOS_FUNCTION friend bool operator<(Sized const& a, Sized const& b) { return a.key < b.key; }
};
using Large = Sized<32>;
static_assert(!Kokkos::Impl::is_sorted_in_tiles_v<Large> && Kokkos::Impl::is_sorted_in_tiles_v<Particle>);

/// By a comparator that contradicts itself, only the elements between the guards are read and written.
template <class T, class Space>
void sorts_by_runs(std::size_t n) {
  constexpr std::size_t guarded = 40;
  auto keys                     = random_numbers<int>(n);
  std::vector<T> values(n + 2 * guarded, T{-1, {-1}});
  for (std::size_t i = 0; i < n; ++i) values[guarded + i] = {keys[i], {keys[i] + 1}};
  auto const view = to_device<T, Space>(values);
  Kokkos::Impl::merge_sort_by_teams(Space(), view.data() + guarded, n, Kokkos::Impl::Ascending());
  std::sort(keys.begin(), keys.end());
  auto const sorted = to_host(view);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sorted[guarded + i].key, keys[i]) << n;
    ASSERT_EQ(sorted[guarded + i].rest[0], keys[i] + 1) << n;
  }
  Kokkos::Impl::merge_sort_by_teams(Space(), view.data() + guarded, n, Contradiction());
  auto const confused = to_host(view);
  for (std::size_t i = 0; i < guarded; ++i)
    ASSERT_TRUE(confused[i].rest[0] == -1 && confused[guarded + n + i].rest[0] == -1) << n;
  for (std::size_t i = guarded; i < guarded + n; ++i)
    ASSERT_TRUE(std::binary_search(keys.begin(), keys.end(), confused[i].key)) << n;
}

TYPED_TEST(SortTest, SortsByTeams) {
  for (std::size_t n : lengths) {
    auto values     = random_numbers<double>(n);
    auto const view = to_device<double, TypeParam>(values);
    if (n > 0) Kokkos::Impl::merge_sort_by_teams(TypeParam(), view.data(), n, Kokkos::Impl::Ascending());
    std::sort(values.begin(), values.end());
    ASSERT_EQ(to_host(view), values) << n;
  }
  for (std::size_t n : {1, 63, 64, 1000}) sorts_by_runs<Large, TypeParam>(n);
  // A run of a team has fewer elements than a chunk of a merge.
  for (std::size_t n : {1, 4, 5, 100}) sorts_by_runs<Sized<256>, TypeParam>(n);
}

template <class T>
void expect_buffer_for(std::size_t n) {
  static std::size_t bytes;
  bytes = 0;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t size) {
        if (std::string(label) == "Kokkos::sort::buffer") bytes = static_cast<std::size_t>(size);
      });
  sorts_by_runs<T, Kokkos::DefaultHostExecutionSpace>(n);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_GE(bytes, n * sizeof(T));
}

TEST(SortOnHosts, BuffersHoldAllElements) {
  for (std::size_t n : {500, 1000, 1001}) expect_buffer_for<Large>(n);
  expect_buffer_for<Sized<256>>(100);
}

/// Numbers of tiles from 1 to 7, so that the last pass writes into either array, and tiles and runs that are not full.
template <class T, class Space, bool Large = false>
void sorts_in_tiles() {
  constexpr int threads         = Kokkos::Impl::runs_on_host_v<Space> ? 1 : 64;
  constexpr std::size_t tile    = static_cast<std::size_t>(threads * Kokkos::Impl::tile_shape<T>(Large).items);
  constexpr std::size_t guarded = 40;
  for (std::size_t tiles : {1, 2, 3, 4, 5, 7})
    for (std::size_t n : {(tiles - 1) * tile + 1, tiles * tile - 1, tiles * tile}) {
      for (unsigned kinds : {0u, 3u}) {
        // By default, many equal keys in full tiles only.
        if (!is_thorough() && (kinds == 3) != (n == tiles * tile)) continue;
        auto values       = random_numbers<T>(n + 2 * guarded, kinds);
        auto const data   = to_device<T, Space>(values);
        auto const buffer = to_device<T, Space>(values);
        Kokkos::View<std::size_t*, Space> cuts("cuts", tiles);
        auto const sort = [&](auto const& less) {
          Kokkos::Impl::sort_in_tiles<threads, Large>(Space(), data.data() + guarded, buffer.data() + guarded,
                                                      cuts.data(), n, less);
        };
        sort(Kokkos::Impl::Ascending());
        std::sort(values.begin() + guarded, values.end() - guarded);
        ASSERT_EQ(to_host(data), values) << n;
        sort(Contradiction());
        auto const confused = to_host(data), other = to_host(buffer);
        for (std::size_t i = 0; i < guarded; ++i) {
          for (auto const& array : {confused, other}) {
            ASSERT_EQ(array[i], values[i]);
            ASSERT_EQ(array[guarded + n + i], values[guarded + n + i]);
          }
        }
        for (std::size_t i = guarded; i < guarded + n; ++i)
          ASSERT_TRUE(std::binary_search(values.begin() + guarded, values.end() - guarded, confused[i])) << n;
      }
    }
}
TYPED_TEST(SortTest, SortsInTiles) {
  sorts_in_tiles<int, TypeParam>();
  if constexpr (every_type) sorts_in_tiles<double, TypeParam>();
}
TYPED_TEST(SortTest, SortsInLargeTiles) { sorts_in_tiles<int, TypeParam, true>(); }
TYPED_TEST(SortTest, SortsTilesOfBytes) { sorts_in_tiles<signed char, TypeParam>(); }

// ---- by key --------------------------------------------------------------------------------------------------------

/// Too large to be moved with its key.
struct Tensor {
  double of_key;
  int place[5];
};

template <class Value>
Value value_of(double key, std::size_t place) {
  if constexpr (std::is_same_v<Value, Tensor>)
    return {key, {static_cast<int>(place), 0, 0, 0, 1}};
  else
    return static_cast<Value>(place);
}
template <class Value>
std::size_t place_of(Value const& v) {
  if constexpr (std::is_same_v<Value, Tensor>)
    return static_cast<std::size_t>(v.place[0]);
  else
    return static_cast<std::size_t>(v);
}

template <class Key, class Value, class Space, class Order, class... Comparator>
void sorts_by_key(Order const& less, Comparator... comparator) {
  for (std::size_t n : lengths) {
    for (unsigned kinds : {0u, 5u}) {
      if (kinds == 5 && n > 5000 && !is_thorough()) continue;
      auto const keys = random_numbers<Key>(n, kinds);
      std::vector<Value> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = value_of<Value>(static_cast<double>(keys[i]), i);
      auto const key_view   = to_device<Key, Space>(keys);
      auto const value_view = to_device<Value, Space>(values);
      KE::sort_by_key(Space(), key_view, value_view, comparator...);
      auto const sorted_keys   = to_host(key_view);
      auto const sorted_values = to_host(value_view);
      std::vector<bool> seen(n);
      for (std::size_t i = 0; i < n; ++i) {
        std::size_t const place = place_of(sorted_values[i]);
        ASSERT_LT(place, n);
        ASSERT_FALSE(seen[place]);
        seen[place] = true;
        ASSERT_EQ(sorted_keys[i], keys[place]);
        ASSERT_FALSE(i > 0 && less(sorted_keys[i], sorted_keys[i - 1]));
      }
    }
  }
}

TYPED_TEST(SortTest, SortsByKey) {
  sorts_by_key<int, std::size_t, TypeParam>(std::less<>());
  sorts_by_key<double, int, TypeParam>(std::less<>());
  sorts_by_key<unsigned, Tensor, TypeParam>(std::less<>());
  sorts_by_key<float, int, TypeParam>(std::greater<>(), Greater());
}

TYPED_TEST(SortTest, SortsStridedViewsByKey) {
  std::size_t const n = 2500;
  Kokkos::View<int**, Kokkos::LayoutRight, TypeParam> table("table", n, 2);
  auto const keys = Kokkos::subview(table, Kokkos::ALL(), 0), values = Kokkos::subview(table, Kokkos::ALL(), 1);
  auto const numbers = random_numbers<int>(n);
  Kokkos::deep_copy(keys, to_device<int, TypeParam>(numbers));
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  Kokkos::deep_copy(values, to_device<int, TypeParam>(places));
  KE::sort_by_key(keys, values);
  auto const sorted_keys = to_host(keys), sorted_places = to_host(values);
  EXPECT_TRUE(std::is_sorted(sorted_keys.begin(), sorted_keys.end()));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sorted_keys[i], numbers[sorted_places[i]]);
  KE::sort_by_key(keys, values, Greater());
  auto const falling_keys = to_host(keys), falling_places = to_host(values);
  EXPECT_TRUE(std::is_sorted(falling_keys.rbegin(), falling_keys.rend()));
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(falling_keys[i], numbers[falling_places[i]]);
}

TEST(SortByKeyDeathTest, RefusesKeysWithoutValues) {
  Kokkos::View<int*> keys("keys", 3), values("values", 2);
  EXPECT_DEATH(KE::sort_by_key(Kokkos::DefaultExecutionSpace(), keys, values),
               "values and keys extents must be the same, but there are 3 keys and 2 values");
}

}  // namespace
