// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pools of generators, the ranges of numbers, fill_random, and statistics of the numbers. Seeds are fixed; one seed in
/// a million would exceed the bounds of the statistics.

#include "Journal.hpp"
#include "Messages.hpp"
#include "TestSpaces.hpp"
#include "Thorough.hpp"

#include <Kokkos_Random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

template <class Space>
class RandomTest : public ::testing::Test {};
TYPED_TEST_SUITE(RandomTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

template <class Space>
using Pools = std::tuple<Kokkos::Random_XorShift64_Pool<Space>, Kokkos::Random_XorShift1024_Pool<Space>,
                         Kokkos::Random_SFC64_Pool<Space>>;

/// Calls check.operator()<Pool>() for each kind of pool.
template <class Space, class Check>
void for_each_pool(Check const& check) {
  [&]<class... Pool>(std::type_identity<std::tuple<Pool...>>) {
    (check.template operator()<Pool>(), ...);
  }(std::type_identity<Pools<Space>>());
}

template <class ViewType>
auto on_host(ViewType const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Row s contains consecutive numbers of the stream with state s.
template <class Pool>
std::vector<std::vector<std::uint64_t>> streams(Pool const& pool, int count, int length) {
  using Space = typename Pool::execution_space;
  Kokkos::View<std::uint64_t**, Space> numbers("numbers", count, length);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(int s) {
        auto generator = pool.get_state(s);
        for (int i = 0; i < length; ++i) numbers(s, i) = generator.urand64();
        pool.free_state(generator);
      });
  auto const here = on_host(numbers);
  std::vector<std::vector<std::uint64_t>> rows(count, std::vector<std::uint64_t>(length));
  for (int s = 0; s < count; ++s)
    for (int i = 0; i < length; ++i) rows[s][i] = here(s, i);
  return rows;
}

// ---- statistics: each is normal with mean 0 and deviation 1 for random numbers --------------------------------------

constexpr double one_in_a_million = 4.9;

double unit(std::uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53; }

double of_mean(std::vector<std::uint64_t> const& x) {
  double sum = 0;
  for (auto v : x) sum += unit(v) - 0.5;
  return sum / std::sqrt(x.size() / 12.0);
}
double of_variance(std::vector<std::uint64_t> const& x) {
  double sum = 0;
  for (auto v : x) sum += (unit(v) - 0.5) * (unit(v) - 0.5) - 1 / 12.0;
  return sum / std::sqrt(x.size() / 180.0);
}
double of_serial_correlation(std::vector<std::uint64_t> const& x, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i + lag < x.size(); ++i) sum += (unit(x[i]) - 0.5) * (unit(x[i + lag]) - 0.5);
  return sum * 12 / std::sqrt(static_cast<double>(x.size() - lag));
}
double of_runs(std::vector<std::uint64_t> const& x) {  // number of runs up and down
  double runs = 1;
  for (std::size_t i = 2; i < x.size(); ++i) runs += (x[i] > x[i - 1]) != (x[i - 1] > x[i - 2]);
  double const n = static_cast<double>(x.size());
  return (runs - (2 * n - 1) / 3) / std::sqrt((16 * n - 29) / 90);
}
double of_byte(std::vector<std::uint64_t> const& x, int byte) {  // chi-square for 256 classes
  std::vector<double> count(256);
  for (auto v : x) count[v >> (8 * byte) & 255] += 1;
  double const expected = x.size() / 256.0;
  double chi            = 0;
  for (double c : count) chi += (c - expected) * (c - expected) / expected;
  return (chi - 255) / std::sqrt(2 * 255.0);
}
/// 512 birthdays in a year of 2^24 days have, on average, 2 equal spacings (Marsaglia).
double of_birthday_spacings(std::vector<std::uint64_t> const& x) {
  double equal = 0, expected = 0;
  for (std::size_t first = 0; first + 512 <= x.size(); first += 512) {
    std::vector<std::int64_t> days(512);
    for (int i = 0; i < 512; ++i) days[i] = static_cast<std::int64_t>(x[first + i] >> 40);
    std::sort(days.begin(), days.end());
    for (int i = 511; i > 0; --i) days[i] -= days[i - 1];
    std::sort(days.begin(), days.end());
    for (int i = 1; i < 512; ++i) equal += days[i] == days[i - 1];
    expected += 2;
  }
  return (equal - expected) / std::sqrt(expected);
}

void expect_random(std::vector<std::uint64_t> const& x) {
  EXPECT_LT(std::abs(of_mean(x)), one_in_a_million);
  EXPECT_LT(std::abs(of_variance(x)), one_in_a_million);
  for (std::size_t lag : {1, 2, 3, 7, 8, 16, 17}) EXPECT_LT(std::abs(of_serial_correlation(x, lag)), one_in_a_million);
  EXPECT_LT(std::abs(of_runs(x)), one_in_a_million);
  for (int byte = 0; byte < 8; ++byte) EXPECT_LT(std::abs(of_byte(x, byte)), 5.6);  // chi-square has a longer tail
  EXPECT_LT(std::abs(of_birthday_spacings(x)), one_in_a_million);
}

TYPED_TEST(RandomTest, PassesStatistics) {
  for_each_pool<TypeParam>([]<class Pool>() {
    int const count = 8, length = Kokkos::Testing::is_thorough() ? 1 << 14 : 1 << 12;
    auto const rows = streams(Pool(20240229, count), count, length);
    std::vector<std::uint64_t> along, across;
    for (auto const& row : rows) along.insert(along.end(), row.begin(), row.end());
    for (int i = 0; i < length; ++i)
      for (auto const& row : rows) across.push_back(row[i]);
    expect_random(along);
    expect_random(across);  // streams are independent of each other
  });
}

TYPED_TEST(RandomTest, NeighbouringSeedsAndStreamsAreIndependent) {
  for_each_pool<TypeParam>([]<class Pool>() {
    std::vector<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
      for (auto const& row : streams(Pool(seed, 256), 256, 1)) firsts.push_back(row[0]);
    }
    expect_random(firsts);
    EXPECT_EQ(std::set<std::uint64_t>(firsts.begin(), firsts.end()).size(), firsts.size());
  });
}

// ---- the documented engines ----------------------------------------------------------------------------------------

TYPED_TEST(RandomTest, XorShift64FollowsItsDefinition) {
  std::uint64_t state = 0x123456789abcdefULL;
  Kokkos::Random_XorShift64<TypeParam> generator(state);
  for (int i = 0; i < 100; ++i) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    ASSERT_EQ(generator.urand64(), state * 2685821657736338717ULL - 1);
  }
  Kokkos::Random_XorShift64<TypeParam> of_zero(0);  // the state 0 would never change
  EXPECT_NE(of_zero.urand64(), of_zero.urand64());
}

TEST(RandomEngines, XorShift1024FollowsItsDefinition) {
  std::uint64_t words[17], s[16];
  using HostEngine   = Kokkos::Impl::XorShift1024HostEngine;
  using DeviceEngine = Kokkos::Impl::XorShift1024DeviceEngine;
  HostEngine::seed({words, 1}, 5, 3);
  std::copy(words, words + 16, s);
  auto unstored = HostEngine::make(5, 3);
  HostEngine engine(Kokkos::Impl::StateWords{words, 1});
  std::uint64_t of_device[3 * 16] = {};
  Kokkos::Impl::StateWords const strided{of_device, 3};
  DeviceEngine::seed(strided, 5, 3);
  DeviceEngine in_registers(strided);
  auto unstored_in_registers = DeviceEngine::make(5, 3);
  int p                      = 0;
  for (int i = 0; i < 100; ++i) {
    std::uint64_t s0 = s[p];
    std::uint64_t s1 = s[p = (p + 1) & 15];
    s1 ^= s1 << 31;
    s1 ^= s1 >> 11;
    s0 ^= s0 >> 30;
    s[p] = s0 ^ s1;
    ASSERT_EQ(engine.next(), s[p] * 1181783497276652981ULL);
    ASSERT_EQ(unstored.next(), s[p] * 1181783497276652981ULL);
    ASSERT_EQ(in_registers.next(), s[p] * 1181783497276652981ULL);
    ASSERT_EQ(unstored_in_registers.next(), s[p] * 1181783497276652981ULL);
    if (i % 7 == 0) {
      in_registers.store(strided);
      in_registers = DeviceEngine(strided);
    }
  }
}

TEST(RandomEngines, SFC64FollowsItsDefinition) {
  std::uint64_t words[4] = {11, 22, 33, 44};
  Kokkos::Impl::SFC64Engine engine(Kokkos::Impl::StateWords{words, 1});
  std::uint64_t a = 11, b = 22, c = 33, counter = 44;
  for (int i = 0; i < 100; ++i) {
    std::uint64_t const number = a + b + counter++;
    a                          = b ^ (b >> 11);
    b                          = c + (c << 3);
    c                          = ((c << 24) | (c >> 40)) + number;
    ASSERT_EQ(engine.next(), number);
  }
}

// ---- ranges --------------------------------------------------------------------------------------------------------

/// Counts numbers outside of [start, end), and records the extremes.
template <class Pool, class T>
void check_range(T start, T end, bool reaches_ends) {
  using Space  = typename Pool::execution_space;
  using Number = Kokkos::rand<typename Pool::generator_type, T>;
  Pool pool(4, 64);
  int const n = 4000;
  Kokkos::View<T*, Space> drawn("drawn", n), from_zero("from_zero", n), whole("whole", n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) {
        auto generator = pool.get_state();
        drawn(i)       = static_cast<T>(Number::draw(generator, start, end));
        from_zero(i)   = static_cast<T>(Number::draw(generator, end));
        whole(i)       = static_cast<T>(Number::draw(generator));
        pool.free_state(generator);
      });
  auto d = on_host(drawn), z = on_host(from_zero), w = on_host(whole);
  T least = end, greatest = start;
  bool different = false;
  for (int i = 0; i < n; ++i) {
    ASSERT_TRUE(!(d(i) < start) && d(i) < end) << i;
    ASSERT_TRUE(!(T(0) < end) || (!(z(i) < T(0)) && z(i) < end)) << i;
    ASSERT_TRUE(!(w(i) < T(0)) && !(static_cast<T>(Number::max()) < w(i))) << i;
    if (d(i) < least) least = d(i);
    if (greatest < d(i)) greatest = d(i);
    different = different || w(i) != w(0);
  }
  EXPECT_TRUE(different);
  if (reaches_ends) {
    EXPECT_EQ(least, start);
    EXPECT_EQ(greatest, static_cast<T>(end - T(1)));
  }
}

template <class Pool>
void check_more_ranges() {
  check_range<Pool, char>(3, 17, true);
  check_range<Pool, short>(-7, 20, true);
  check_range<Pool, unsigned short>(65500, 65535, true);
  check_range<Pool, unsigned>(4294967290U, 4294967295U, true);
  check_range<Pool, long>(-5, 5, true);
  check_range<Pool, long long>(-9223372036854775807LL - 1, 9223372036854775807LL, false);
  check_range<Pool, unsigned long>(3, 11, true);
  check_range<Pool, unsigned long long>(1ULL << 63, (1ULL << 63) + 9, true);
  check_range<Pool, float>(1e8f, 1e8f + 16, false);  // sums are rounded, here often to the end
  // The distance of the ends overflows.
  check_range<Pool, float>(-3e38f, 3e38f, false);
  if constexpr (sizeof(Kokkos::Experimental::bhalf_t) == 2)
    check_range<Pool, Kokkos::Experimental::bhalf_t>(Kokkos::Experimental::bhalf_t(-3e38f),
                                                     Kokkos::Experimental::bhalf_t(3e38f), false);
  check_range<Pool, Kokkos::Experimental::half_t>(Kokkos::Experimental::half_t(1.0f),
                                                  Kokkos::Experimental::half_t(2.0f), false);
}

TEST(RandomNumbers, BoundsAreTheLargestOfTheirTypes) {
  using Generator = Kokkos::Random_SFC64<Kokkos::DefaultHostExecutionSpace>;
  static_assert(Generator::MAX_URAND == std::numeric_limits<std::uint32_t>::max());
  static_assert(Generator::MAX_URAND64 == std::numeric_limits<std::uint64_t>::max());
  static_assert(Generator::MAX_RAND == std::numeric_limits<std::int32_t>::max());
  static_assert(Generator::MAX_RAND64 == std::numeric_limits<std::int64_t>::max());
  static_assert(Kokkos::rand<Generator, unsigned long long>::max() == Generator::MAX_URAND64);
  static_assert(Kokkos::rand<Generator, long long>::max() == Generator::MAX_RAND64);
}

TYPED_TEST(RandomTest, NumbersLieInTheirRanges) {
  for_each_pool<TypeParam>([]<class Pool>() {
    check_range<Pool, int>(-10, 10, true);
    check_range<Pool, int>(-2147483647 - 1, 2147483647, false);  // wider than the range of int
    check_range<Pool, double>(-2.5, 0.5, false);
    check_range<Pool, double>(-std::numeric_limits<double>::max(), 1e308, false);  // wider than the range of double
    // One kind of pool is sufficient: every generator converts its words by the same functions.
    if constexpr (Kokkos::Testing::every_type || std::is_same_v<Pool, Kokkos::Random_XorShift64_Pool<TypeParam>>)
      check_more_ranges<Pool>();
  });
}

TEST(RandomNumbers, OfARangeWiderThanTheTypeAreOnBothSides) {
  Kokkos::Random_XorShift64<Kokkos::DefaultHostExecutionSpace> generator(7);
  constexpr double most = std::numeric_limits<double>::max();
  int counts[4]         = {};  // in each quarter
  for (int i = 0; i < 1000; ++i) {
    double const drawn = generator.drand(-most, most);
    ++counts[drawn < -most / 2 ? 0 : drawn < 0 ? 1 : drawn < most / 2 ? 2 : 3];
  }
  for (int const count : counts) EXPECT_GT(count, 180);
}

TEST(RandomNumbers, BothTruthValuesAreDrawn) {
  Kokkos::Random_XorShift64<Kokkos::DefaultHostExecutionSpace> generator(7);
  int drawn[2] = {};
  for (int i = 0; i < 1000; ++i) ++drawn[Kokkos::rand<decltype(generator), bool>::draw(generator) ? 1 : 0];
  EXPECT_GT(drawn[0], 400);
  EXPECT_GT(drawn[1], 400);
}

template <class... T>
void draw_below_two() {
  Kokkos::Random_XorShift64<Kokkos::DefaultHostExecutionSpace> generator(7);
  auto const draw = [&]<class Number>(Number const& two) {
    int counts[2] = {};
    for (int i = 0; i < 100; ++i)
      ++counts[static_cast<int>(Kokkos::rand<decltype(generator), Number>::draw(generator, two))];
    EXPECT_EQ(counts[0] + counts[1], 100);
    EXPECT_GT(counts[0], 20) << sizeof(Number);
    EXPECT_GT(counts[1], 20) << sizeof(Number);
  };
  (draw(T(2)), ...);
}
TEST(RandomNumbers, RangesWithoutAStartBeginAtZero) {
  draw_below_two<signed char, short, int, unsigned, long, unsigned long long, float, double>();
}

TYPED_TEST(RandomTest, EmptyRangesGiveTheirStart) {
  Kokkos::Random_XorShift64<TypeParam> generator(7);
  EXPECT_EQ(generator.urand(0), 0u);
  EXPECT_EQ(generator.urand64(0), 0u);
  EXPECT_EQ(generator.rand(-4), 0);
  EXPECT_EQ(generator.rand64(-4), 0);
  for (int const end : {9, 8, 3, 0}) {  // none of them is after the start
    EXPECT_EQ(generator.urand(9, static_cast<std::uint32_t>(end)), 9u) << end;
    EXPECT_EQ(generator.urand64(9, static_cast<std::uint64_t>(end)), 9u) << end;
    EXPECT_EQ(generator.rand(9, end), 9) << end;
    EXPECT_EQ(generator.rand64(9, end), 9) << end;
    EXPECT_EQ(generator.rand(-3, -end - 3), -3) << end;
    EXPECT_EQ(generator.rand64(-3, -end - 3), -3) << end;
  }
  EXPECT_EQ(generator.frand(1.5f, 1.5f), 1.5f);
  EXPECT_EQ(generator.drand(1.5, 1.5), 1.5);
}

template <class Pool, class Counts>
void count_thirds(Pool const& pool, Counts const& count, std::uint32_t range32, std::uint64_t range64) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<typename Pool::execution_space>(0, 1), KOKKOS_LAMBDA(int) {
        auto generator = pool.get_state();
        for (int i = 0; i < 30000; ++i) {
          ++count(generator.urand(range32) >> 30);
          ++count(3 + (generator.urand64(range64) >> 62));
        }
        pool.free_state(generator);
      });
}

template <class Pool, class Numbers>
void draw_normal(Pool const& pool, Numbers const& x) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<typename Pool::execution_space>(0, x.extent(0)), KOKKOS_LAMBDA(int i) {
        auto generator = pool.get_state();
        x(i)           = generator.normal(3, 2);
        pool.free_state(generator);
      });
}

template <class Pool, class Numbers>
void draw_from_two_generators(Pool const& pool, Numbers const& numbers) {
  Kokkos::parallel_for(
      Kokkos::RangePolicy<typename Pool::execution_space>(0, numbers.extent(0)), KOKKOS_LAMBDA(int i) {
        auto a        = pool.get_state();
        auto b        = pool.get_state();
        numbers(i, 0) = a.urand64();
        numbers(i, 1) = b.urand64();
        numbers(i, 2) = a.urand64();
        numbers(i, 3) = b.urand64();
        pool.free_state(a);
        pool.free_state(b);
      });
}

/// If the size of a range does not divide 2^32 or 2^64, its thirds are still equally likely: a remainder would prefer
/// the lower ones.
TYPED_TEST(RandomTest, LargeRangesAreNotBiased) {
  Kokkos::Random_SFC64_Pool<TypeParam> pool(1, 1);
  std::uint32_t const range32 = 3u << 30;
  std::uint64_t const range64 = 3ull << 62;
  Kokkos::View<int*, TypeParam> count("count", 6);
  count_thirds(pool, count, range32, range64);
  auto const here = on_host(count);
  for (int third = 0; third < 6; ++third)
    EXPECT_LT(std::abs(here(third) - 10000) / std::sqrt(30000 * 2 / 9.0), one_in_a_million);
}

TYPED_TEST(RandomTest, NormalDeviatesHaveTheirMoments) {
  for_each_pool<TypeParam>([]<class Pool>() {
    using Space = typename Pool::execution_space;
    Pool pool(99, 16);
    int const n = 20000;
    Kokkos::View<double*, Space> x("x", n);
    draw_normal(pool, x);
    auto const here = on_host(x);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < n; ++i) {
      double const z = (here(i) - 3) / 2;
      m1 += z, m2 += z * z, m3 += z * z * z, m4 += z * z * z * z;
    }
    EXPECT_LT(std::abs(m1) / std::sqrt(n), one_in_a_million);
    EXPECT_LT(std::abs(m2 - n) / std::sqrt(2.0 * n), one_in_a_million);
    EXPECT_LT(std::abs(m3) / std::sqrt(15.0 * n), one_in_a_million);
    EXPECT_LT(std::abs(m4 - 3.0 * n) / std::sqrt(96.0 * n), one_in_a_million);
  });
}

// ---- pools ---------------------------------------------------------------------------------------------------------

TYPED_TEST(RandomTest, StreamsContinueAfterFreeState) {
  for_each_pool<TypeParam>([]<class Pool>() {
    auto const whole = streams(Pool(8, 2), 2, 40);
    Pool pool(8, 2);
    auto const first = streams(pool, 2, 15), second = streams(pool, 2, 25);
    for (int s = 0; s < 2; ++s) {
      EXPECT_TRUE(std::equal(first[s].begin(), first[s].end(), whole[s].begin()));
      EXPECT_TRUE(std::equal(second[s].begin(), second[s].end(), whole[s].begin() + 15));
    }
    TypeParam exec;
    EXPECT_EQ(streams(Pool(exec, 8, 2), 2, 40), whole);
    pool.init(8, 2);
    EXPECT_EQ(streams(pool, 2, 40), whole);
    EXPECT_NE(streams(Pool(9, 2), 2, 40), whole);
  });
}

/// With a pool of one state, every work item holds two generators: all draw different numbers, and nothing waits.
TYPED_TEST(RandomTest, ExhaustedPoolMakesNewStreams) {
  for_each_pool<TypeParam>([]<class Pool>() {
    using Space = typename Pool::execution_space;
    int const n = 500;
    Pool pool(17, 1);
    Kokkos::View<std::uint64_t**, Space> numbers("numbers", n, 4);
    draw_from_two_generators(pool, numbers);
    auto const here = on_host(numbers);
    std::set<std::uint64_t> different;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 4; ++j) different.insert(here(i, j));
    EXPECT_EQ(different.size(), 4u * n);
    // Every state was returned.
    EXPECT_EQ(streams(Pool(17, 1), 1, 10).size(), 1u);
    EXPECT_EQ(pool.impl_num_lent(), 0u);
  });
}

/// A thread of a host keeps a state during its part of a kernel. The numbers continue as if it were returned each time.
TEST(RandomPoolOnHost, StatesAreReturnedAtTheEndOfAKernel) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for_each_pool<Space>([]<class Pool>() {
    auto const whole = streams(Pool(8, 1), 1, 40)[0];
    Pool const pool(8, 1);
    std::vector<std::uint64_t> drawn;
    auto const draw_from = [&](auto generator) {
      drawn.push_back(generator.urand64());
      pool.free_state(generator);
    };
    auto const in_kernel = [](auto const& body) {
      Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), [&](int) { body(); });
    };
    draw_from(pool.get_state());
    in_kernel([&] {
      for (int i = 0; i < 5; ++i) draw_from(pool.get_state());
      auto first = pool.get_state(), second = pool.get_state();
      EXPECT_NE(first.urand64(), second.urand64());
      EXPECT_EQ(second.impl_state_index(), -1);
      pool.free_state(second);
      drawn.push_back(whole[drawn.size()]);  // that of `first`
      pool.free_state(first);
      in_kernel([&] { draw_from(pool.get_state()); });
      draw_from(pool.get_state());
    });
    EXPECT_EQ(pool.impl_num_lent(), 0u);
    in_kernel([&] {
      draw_from(pool.get_state());
      draw_from(pool.get_state(0));
      draw_from(pool.get_state());
    });
    EXPECT_EQ(pool.impl_num_lent(), 0u);
    // A generator that outlives the kernel keeps its state.
    std::vector<typename Pool::generator_type> kept;
    in_kernel([&] { kept.push_back(pool.get_state()); });
    EXPECT_EQ(pool.impl_num_lent(), 1u);
    draw_from(kept[0]);
    EXPECT_EQ(pool.impl_num_lent(), 0u);
    in_kernel([&] { draw_from(pool.get_state()); });
    ASSERT_LE(drawn.size(), whole.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i], whole[i]) << i;
  });
}

/// The stream of a state that is not the first one continues, and the state is returned.
TEST(RandomPoolOnHost, AThreadKeepsTheStateThatItTook) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for_each_pool<Space>([]<class Pool>() {
    auto whole = streams(Pool(8, 3), 3, 4);
    Pool const pool(8, 3);
    auto const first = pool.get_state();
    std::vector<std::uint64_t> drawn;
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), [&](int) {
      for (int i = 0; i < 4; ++i) {
        auto generator = pool.get_state();
        EXPECT_EQ(generator.impl_state_index(), 1);
        drawn.push_back(generator.urand64());
        pool.free_state(generator);
      }
    });
    EXPECT_EQ(drawn, whole[1]);
    pool.free_state(first);
    EXPECT_EQ(pool.impl_num_lent(), 0u);
  });
}

TEST(RandomPoolOnHost, AThreadAlternatesBetweenPools) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for_each_pool<Space>([]<class Pool>() {
    std::vector<Pool> const pools = {Pool(8, 1), Pool(9, 1), Pool(10, 1)};
    std::vector<std::vector<std::uint64_t>> drawn(3), whole;
    for (std::uint64_t const seed : {8, 9, 10}) whole.push_back(streams(Pool(seed, 1), 1, 4)[0]);
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), [&](int) {
      for (int i = 0; i < 12; ++i) {
        auto generator = pools[i % 3].get_state();
        drawn[i % 3].push_back(generator.urand64());
        pools[i % 3].free_state(generator);
      }
    });
    EXPECT_EQ(drawn, whole);
    for (Pool const& pool : pools) EXPECT_EQ(pool.impl_num_lent(), 0u);
  });
}

/// Behind the last state, the search for a free one goes on at the first.
TEST(RandomPoolOnHost, TheSearchForAStateWrapsAround) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for_each_pool<Space>([]<class Pool>() {
    Pool const pool(8, 2);
    std::set<std::int64_t> taken;
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 2), [&](int i) {
      if (i == 0) return;
      auto const a = pool.get_state(), b = pool.get_state(), c = pool.get_state();
      taken = {a.impl_state_index(), b.impl_state_index()};
      EXPECT_EQ(c.impl_state_index(), -1);
      for (auto const* generator : {&a, &b, &c}) pool.free_state(*generator);
    });
    EXPECT_EQ(taken, (std::set<std::int64_t>{0, 1}));
    EXPECT_EQ(pool.impl_num_lent(), 0u);
  });
}

/// One state for each work item that the instance can run at once.
template <class Space>
void pools_of_partitions() {
  for (Space const& part : Kokkos::Experimental::partition_space(Space(), 1, 1)) {
    auto const states = static_cast<std::uint32_t>(part.impl_concurrency());
    EXPECT_EQ((Kokkos::Random_XorShift64_Pool<Space>(part, 5).impl_num_states()), states);
    EXPECT_EQ((Kokkos::Random_XorShift1024_Pool<Space>(part, 5).impl_num_states()), states);
    EXPECT_EQ((Kokkos::Random_SFC64_Pool<Space>(part, 5).impl_num_states()), states);
  }
}
TEST(RandomPoolOnHost, HasAStateForEachThreadOfItsInstance) {
  pools_of_partitions<Kokkos::DefaultHostExecutionSpace>();
}

TYPED_TEST(RandomTest, SFC64PoolsShareOutTheStreamsOfASeed) {
  using Pool = Kokkos::Random_SFC64_Pool<TypeParam>;
  auto whole = streams(Pool(31, 10), 10, 5), lower = streams(Pool(31, 0, 4), 4, 5);
  auto const upper = streams(Pool(TypeParam(), 31, 4, 6), 6, 5);
  lower.insert(lower.end(), upper.begin(), upper.end());
  EXPECT_EQ(lower, whole);
}

TYPED_TEST(RandomTest, SFC64StatesCompare) {
  using Pool = Kokkos::Random_SFC64_Pool<TypeParam>;
  Pool const a(7, 0, 3), b(7, 0, 3);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == Pool(7, 1, 3));
  EXPECT_FALSE(a == Pool(7, 0, 2));
  using Generator = Kokkos::Random_SFC64<TypeParam>;
  Generator one(Kokkos::Impl::SFC64Engine::make(7, 0), 0), two = one;
  EXPECT_TRUE(one == two);
  one.urand64();
  EXPECT_FALSE(one == two);
  EXPECT_EQ(one.urand64(), (two.urand64(), two.urand64()));
}

TYPED_TEST(RandomTest, RefusesAPoolWithoutStates) {
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([] { Kokkos::Random_XorShift64_Pool<TypeParam>(1, 0); }),
      {"a pool of random number generators was requested with 0 states. It can have 1 to 2147483647"});
  Kokkos::Testing::expect_all(
      Kokkos::Testing::thrown_message([] { Kokkos::Random_XorShift64_Pool<TypeParam>(1, 0x80000000u); }),
      {"was requested with 2147483648 states"});
  Kokkos::Random_XorShift64_Pool<TypeParam> unusable;
  unusable = Kokkos::Random_XorShift64_Pool<TypeParam>(1);
  EXPECT_EQ(streams(unusable, 1, 3).size(), 1u);
}

// ---- fill_random ---------------------------------------------------------------------------------------------------

template <class ViewType, class T>
void expect_filled(ViewType const& view, T start, T end, double mean) {
  auto const here = on_host(view);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < here.extent(0); ++i)
    for (std::size_t j = 0; j < here.extent(1); ++j) {
      ASSERT_GE(here(i, j), start);
      ASSERT_LT(here(i, j), end);
      sum += static_cast<double>(here(i, j)), count += 1;
    }
  double const deviation = (static_cast<double>(end) - static_cast<double>(start)) / std::sqrt(12 * count);
  EXPECT_LT(std::abs(sum / count - mean) / deviation, one_in_a_million);
}

TYPED_TEST(RandomTest, FillRandomSetsEveryElement) {
  using Pool = Kokkos::Random_XorShift64_Pool<TypeParam>;
  Pool pool(55);
  TypeParam exec;
  Kokkos::View<double**, TypeParam> x("x", 100, 7);
  Kokkos::fill_random(x, pool, 4.0);
  expect_filled(x, 0.0, 4.0, 2.0);
  Kokkos::fill_random(x, pool, -1.0, 1.0);
  expect_filled(x, -1.0, 1.0, 0.0);
  Kokkos::fill_random(exec, x, pool, 8.0);
  exec.fence();
  expect_filled(x, 0.0, 8.0, 4.0);
  Kokkos::fill_random(exec, x, pool, 10, 20);
  exec.fence();
  expect_filled(x, 10.0, 20.0, 15.0);

  // Elements between those of a strided view are not changed.
  Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> y("y", 40, 30);
  auto part = Kokkos::subview(y, std::pair(5, 25), std::pair(10, 20));
  Kokkos::fill_random(part, pool, 1.0f, 2.0f);
  auto const here = on_host(y);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 30; ++j) {
      bool const inside = i >= 5 && i < 25 && j >= 10 && j < 20;
      ASSERT_EQ(here(i, j) != 0, inside) << i << " " << j;
    }

  Kokkos::View<int, TypeParam> scalar("scalar");
  Kokkos::fill_random(scalar, pool, 100, 101);
  EXPECT_EQ(on_host(scalar)(), 100);
  Kokkos::View<int****, TypeParam> none("none", 3, 0, 2, 2);
  Kokkos::fill_random(none, pool, 10);
  Kokkos::View<Kokkos::complex<double>*, TypeParam> z("z", 50);
  Kokkos::fill_random(z, pool, Kokkos::complex<double>(1, -1), Kokkos::complex<double>(2, 0));
  auto const z_here = on_host(z);
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(z_here(i).real() >= 1 && z_here(i).real() < 2);
    EXPECT_TRUE(z_here(i).imag() >= -1 && z_here(i).imag() < 0);
  }
}

TYPED_TEST(RandomTest, FillRandomIsReproducible) {
  for_each_pool<TypeParam>([]<class Pool>() {
    using Space = typename Pool::execution_space;
    std::vector<std::vector<double>> runs;
    for (std::uint64_t seed : {1, 1, 2}) {
      Pool pool(seed);
      Kokkos::View<double*, Space> x("x", 5000);
      Kokkos::fill_random(x, pool, 1.0);
      auto const here = on_host(x);
      runs.emplace_back(here.data(), here.data() + 5000);
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_NE(runs[0], runs[2]);
    std::set<double> different(runs[0].begin(), runs[0].end());
    EXPECT_EQ(different.size(), 5000u);
  });
}

// ---- fill_random on hosts ------------------------------------------------------------------------------------------

TEST(RandomLanes, AreTheFirstStreamsOfTheirSeed) {
  auto const check = []<class Engine>(std::type_identity<Engine>) {
    constexpr int lanes = Kokkos::Impl::random_lane_count;
    std::vector<Engine> streams;
    for (int lane = 0; lane < lanes; ++lane) streams.push_back(Engine::make(77, static_cast<std::uint64_t>(lane)));
    Kokkos::Impl::LanesEngine<Engine> engine(77);
    for (int i = 0; i < 700; ++i) ASSERT_EQ(engine.next(), streams[i % lanes].next()) << i;
  };
  check(std::type_identity<Kokkos::Impl::XorShift64Engine>());
  check(std::type_identity<Kokkos::Impl::XorShift1024HostEngine>());
  check(std::type_identity<Kokkos::Impl::SFC64Engine>());
}

/// Units that generators make of the smallest and the greatest words, and of one in the middle.
template <class T, class Space>
void converts_words() {
  Kokkos::View<T[4], Space> units("units");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        units(0) = Kokkos::Impl::random_unit<T>(0);
        units(1) = Kokkos::Impl::random_unit<T>(~std::uint64_t(0));
        units(2) = Kokkos::Impl::random_unit<T>(~std::uint64_t(0) - (std::uint64_t(1) << 9));
        units(3) = Kokkos::Impl::random_unit<T>(std::uint64_t(1) << 63);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), units);
  EXPECT_EQ(host(0), 0);
  for (int i : {1, 2}) {
    EXPECT_LT(host(i), 1);
    EXPECT_GT(host(i), T(1) - 2 * std::numeric_limits<T>::epsilon());
  }
  EXPECT_NEAR(host(3), 0.5, std::numeric_limits<T>::epsilon());
}
TYPED_TEST(RandomTest, UnitsAreBelowOne) {
  converts_words<float, TypeParam>();
  converts_words<double, TypeParam>();
}

template <class Engine>
void lanes_continue_where_they_stopped() {
  constexpr int lanes = Kokkos::Impl::random_lane_count;
  std::uint64_t at_once[11 * lanes], in_parts[11 * lanes];
  Kokkos::Impl::RandomLanes<Engine>(4).fill(at_once, 11);
  Kokkos::Impl::RandomLanes<Engine> parts(4);
  parts.fill(in_parts, 5);
  parts.fill(in_parts + 5 * lanes, 6);
  for (int i = 0; i < 11 * lanes; ++i) ASSERT_EQ(in_parts[i], at_once[i]) << i;
}
TEST(RandomLanes, ContinueWhereTheyStopped) {
  lanes_continue_where_they_stopped<Kokkos::Impl::XorShift64Engine>();
  lanes_continue_where_they_stopped<Kokkos::Impl::XorShift1024HostEngine>();
  lanes_continue_where_they_stopped<Kokkos::Impl::SFC64Engine>();
}

template <class T>
void lanes_convert_words_like_generators() {
  constexpr int lanes = Kokkos::Impl::random_lanes_per_vector;
  auto generator      = Kokkos::Impl::SFC64Engine::make(3, 0);
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t word[lanes];
    for (std::uint64_t& w : word) w = i == 0 ? 0 : i == 1 ? ~std::uint64_t(0) : generator.next();
    Kokkos::Impl::RandomLaneWords words;
    typename Kokkos::Impl::RandomLanesOf<T>::type units;
    std::memcpy(&words, word, sizeof(words));
    Kokkos::Impl::random_units<T>(words, units);
    T unit[lanes];
    std::memcpy(unit, &units, sizeof(units));
    for (int lane = 0; lane < lanes; ++lane) ASSERT_EQ(unit[lane], Kokkos::Impl::random_unit<T>(word[lane]));
  }
}
TEST(RandomLanes, ConvertWordsLikeGenerators) {
  lanes_convert_words_like_generators<double>();
  lanes_convert_words_like_generators<float>();
}

/// Draws 1 - 2^-20 of the range only.
struct GreatWords {
  std::uint64_t next() { return std::uint64_t(0xfffff) << 44; }
};

/// A number that rounds to the end of its range stays as near to it as possible. If it became the start, one of 512
/// numbers of type bhalf_t in [0, 1) would be 0 instead of a number close to 1. `epsilon`: the distance of 1 to the next
/// number.
template <class Half>
void great_number_is_just_below_the_end(float epsilon) {
  using Generator = Kokkos::Impl::RandomNumbers<GreatWords>;
  Generator generator(GreatWords(), -1);
  auto const draw = [&](float start, float end) {
    return float(Kokkos::rand<Generator, Half>::draw(generator, Half(start), Half(end)));
  };
  EXPECT_EQ(float(Kokkos::rand<Generator, Half>::draw(generator)), 1 - epsilon / 2);
  EXPECT_EQ(draw(0, 3), 3 - 2 * epsilon);
  EXPECT_EQ(draw(-2, -1), -1 - epsilon);
  EXPECT_EQ(draw(2, 2), 2);
  float const below_zero = draw(-0x1p-6f, 0);
  EXPECT_LT(below_zero, 0);
  EXPECT_GE(below_zero, -0x1p-24f);
}
TEST(RandomHalf, GreatNumberIsJustBelowTheEnd) {
  using namespace Kokkos::Experimental;
  if constexpr (sizeof(half_t) == 2) great_number_is_just_below_the_end<half_t>(0x1p-10f);
  if constexpr (sizeof(bhalf_t) == 2) great_number_is_just_below_the_end<bhalf_t>(0x1p-7f);
}

/// Draws a word that the test sets.
struct OneWord {
  std::uint64_t word;
  std::uint64_t next() { return word; }
};

/// The numbers of the smallest and the greatest units, and of some between, do not decrease and lie in their range.
template <class T>
void units_of_range_are_in_it(T start, T end) {
  using Generator = Kokkos::Impl::RandomNumbers<OneWord>;
  using Number    = Kokkos::rand<Generator, T>;
  T before        = start;
  for (std::uint64_t word : {std::uint64_t(0), std::uint64_t(1) << 11, std::uint64_t(1) << 40, std::uint64_t(1) << 62,
                             std::uint64_t(1) << 63, ~std::uint64_t(0) << 62, ~std::uint64_t(0)}) {
    Generator generator(OneWord{word}, -1);
    T const x = Number::draw(generator, start, end), from_zero = Number::draw(generator, end);
    EXPECT_TRUE(start <= x && x < end) << x << " in [" << start << ", " << end << "), word " << word;
    EXPECT_TRUE(x == start || before <= x) << x << " after " << before << " in [" << start << ", " << end << ")";
    EXPECT_TRUE(end <= 0 || (0 <= from_zero && from_zero < end)) << from_zero << " in [0, " << end << ")";
    before = x;
  }
}

template <class T>
void ranges_of_reals() {
  using Limits = std::numeric_limits<T>;
  T const max = Limits::max(), smallest = Limits::denorm_min(), epsilon = Limits::epsilon();
  std::vector<T> const ends{-max, -max / 2, -1 - epsilon, -1,      -epsilon, -3 * smallest, -smallest,
                            0,    smallest, 3 * smallest, epsilon, 1,        1 + epsilon,   1 + 3 * epsilon,
                            1e8,  max / 2,  max};
  for (T start : ends)
    for (T end : ends)
      if (start < end) units_of_range_are_in_it<T>(start, end);
}
TEST(RandomReals, EveryUnitGivesANumberInTheRange) {
  ranges_of_reals<float>();
  ranges_of_reals<double>();
  ranges_of_reals<long double>();
}

/// fill_from_lanes writes whole blocks to contiguous elements directly, past the caches if they are aligned. All other
/// elements get their numbers from a buffer.
template <class T>
void fills_with_the_numbers_of_its_streams(T begin, T end) {
  using Engine = Kokkos::Impl::SFC64Engine;
  Kokkos::Impl::LanesEngine<Engine> engine(9);
  std::vector<T> expected(1003);
  for (T& x : expected)
    x = Kokkos::Impl::random_real(begin, end, end - begin, Kokkos::Impl::random_unit<T>(engine.next()));
  std::vector<T> x(1004, T(-1));
  Kokkos::Impl::fill_from_lanes<Engine>(9, x.data(), 0, 1003, begin, end, false);
  EXPECT_EQ(x.back(), T(-1));
  for (std::size_t offset : {0, 1, 2, 3, 8}) {
    alignas(64) T memory[1020];
    T* const streamed = memory;
    std::fill(std::begin(memory), std::end(memory), T(-1));
    Kokkos::Impl::fill_from_lanes<Engine>(9, streamed, offset, offset + 1003, begin, end, true);
    for (std::size_t i = 0; i < 1020; ++i)
      ASSERT_EQ(streamed[i], i < offset || i >= offset + 1003 ? T(-1) : x[i - offset]) << i << " from " << offset;
  }
  Kokkos::View<T* [2], Kokkos::LayoutRight, Kokkos::HostSpace> pairs("pairs", 1003);
  auto const column = Kokkos::subview(pairs, Kokkos::ALL, 1);
  Kokkos::Impl::fill_from_lanes<Engine>(9, Kokkos::Impl::FilledElements<T>(column), 0, 1003, begin, end, true);
  for (int i = 0; i < 1003; ++i) {
    // The compiler may fuse the product and the sum in one of them.
    ASSERT_NEAR(x[i], expected[i], (end - begin) * std::numeric_limits<T>::epsilon()) << i;
    ASSERT_EQ(column(i), x[i]) << i;
    ASSERT_EQ(pairs(i, 0), 0) << i;
  }
}
TEST(RandomLanes, FillAnyElementsWithTheSameNumbers) {
  fills_with_the_numbers_of_its_streams<double>(0, 1);
  fills_with_the_numbers_of_its_streams<float>(0, 1);
  fills_with_the_numbers_of_its_streams<double>(0, 0x1p-1074);  // may reach the end: every sum is 0 or the end
}

template <class T, class Pool>
std::vector<T> filled(Pool const& pool, int n, T start, T end) {
  Kokkos::View<T*, typename Pool::execution_space> x("x", n);
  Kokkos::fill_random(x, pool, start, end);
  auto const here = on_host(x);
  return std::vector<T>(here.data(), here.data() + n);
}

/// The length selects whether a state fills its share by itself or by lanes.
TYPED_TEST(RandomTest, FillRandomOfEveryLengthIsInItsRange) {
  for_each_pool<TypeParam>([]<class Pool>() {
    for (int n : {1, 255, 256, 257, 511, 512, 1000}) {
      for (float x : filled(Pool(n, 1), n, 1e8f, 1e8f + 16)) ASSERT_TRUE(x >= 1e8f && x < 1e8f + 16) << n;
      for (double x : filled(Pool(n, 1), n, -2.0, 3.0)) ASSERT_TRUE(x >= -2 && x < 3) << n;
      for (double x : filled(Pool(n, 1), n, -1.5e308, 1.5e308)) ASSERT_TRUE(x >= -1.5e308 && x < 1.5e308) << n;
      for (float x : filled(Pool(n, 1), n, -3e38f, 3e38f)) ASSERT_TRUE(x >= -3e38f && x < 3e38f) << n;
      for (int x : filled(Pool(n, 1), n, -7, 20)) ASSERT_TRUE(x >= -7 && x < 20) << n;
      for (short x : filled(Pool(n, 1), n, short(5), short(5))) ASSERT_EQ(x, 5) << n;  // an empty range
    }
    // Shares that are not equal: 0 is in none of the ranges, and an element without a number is 0.
    for (int states : {3, 7})
      for (int n : {1, 2, 8, 1000, 5003})
        for (double x : filled(Pool(1, states), n, 1.0, 2.0)) ASSERT_TRUE(x >= 1 && x < 2) << n << ' ' << states;
  });
}

TYPED_TEST(RandomTest, FillRandomPassesStatistics) {
  for_each_pool<TypeParam>([]<class Pool>() {
    Pool pool(20240301, 2);
    int const n      = Kokkos::Testing::is_thorough() ? 1 << 16 : 1 << 14;
    auto const first = filled<std::uint64_t>(pool, n, 0, ~std::uint64_t(0));
    auto second      = filled<std::uint64_t>(pool, n, 0, ~std::uint64_t(0));
    expect_random(first);
    expect_random(second);
    second.insert(second.end(), first.begin(), first.end());
    EXPECT_EQ(std::set<std::uint64_t>(second.begin(), second.end()).size(), second.size());
    std::vector<std::uint64_t> words;
    for (double x : filled(pool, n, 0.0, 1.0)) words.push_back(static_cast<std::uint64_t>(x * 0x1p53) << 11);
    EXPECT_LT(std::abs(of_mean(words)), one_in_a_million);
    EXPECT_LT(std::abs(of_variance(words)), one_in_a_million);
    EXPECT_LT(std::abs(of_runs(words)), one_in_a_million);
    for (int byte = 2; byte < 8; ++byte) EXPECT_LT(std::abs(of_byte(words, byte)), 5.6);
  });
}

// Without rejection, a third of the numbers of this range would come up twice as often as the others.
TEST(RandomNumbers, EachNumberOfARangeHasTheSameChance) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  Kokkos::Random_XorShift64_Pool<Space> const pool(7);
  auto generator = pool.get_state();
  int thirds[3] = {}, thirds64[3] = {};
  for (int i = 0; i < 30000; ++i) {
    ++thirds[generator.urand(3u << 30) % 3];
    ++thirds64[generator.urand64(std::uint64_t(3) << 62) % 3];
  }
  pool.free_state(generator);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(thirds[k], 10000, 600) << k;
    EXPECT_NEAR(thirds64[k], 10000, 600) << k;
  }
}

TEST(RandomNumbersDeathTest, NoStateBeyondThoseOfThePool) {
  Kokkos::Random_XorShift64_Pool<Kokkos::DefaultHostExecutionSpace> const pool(7, 4);
  for (int state : {-1, 4, 5})
    EXPECT_DEATH((void)pool.get_state(state), "index that is not one of the pool's states") << state;
  pool.free_state(pool.get_state(3));
}

TEST(RandomNumbersDeathTest, APoolThatWasNotSeeded) {
  Kokkos::Random_XorShift64_Pool<Kokkos::DefaultHostExecutionSpace> const pool;
  EXPECT_DEATH((void)pool.get_state(), "constructed without a seed and has no states");
}

// Outside of kernels: each call gets another state until all are lent, and then new streams.
TEST(RandomPoolOnHost, StatesAreLentOneAfterTheOther) {
  for_each_pool<Kokkos::DefaultHostExecutionSpace>([]<class Pool>() {
    Pool const pool(8, 3);
    std::vector<typename Pool::generator_type> taken;
    std::set<int> states;
    for (unsigned i = 1; i <= 3; ++i) {
      taken.push_back(pool.get_state());
      states.insert(taken.back().impl_state_index());
      EXPECT_EQ(pool.impl_num_lent(), i);
    }
    EXPECT_EQ(states, (std::set<int>{0, 1, 2}));
    taken.push_back(pool.get_state());
    taken.push_back(pool.impl_take_state(1));
    EXPECT_TRUE(taken[3].impl_state_index() == -1 && taken[4].impl_state_index() == -1);
    EXPECT_NE(taken[3].urand64(), taken[4].urand64());
    pool.free_state(taken[1]);
    auto const again = pool.impl_take_state(static_cast<std::uint32_t>(taken[1].impl_state_index()));
    EXPECT_EQ(again.impl_state_index(), taken[1].impl_state_index());
    taken[1] = again;
    for (auto const& generator : taken) pool.free_state(generator);
    EXPECT_EQ(pool.impl_num_lent(), 0u);
  });
}

// ---- a table of numbers -----------------------------------------------------------------------------------------------

/// All digits of a number, or ten of one whose last ones depend on the library of mathematics.
template <class T>
std::string digits(T const& x, int count) {
  std::ostringstream text;
  if constexpr (std::is_integral_v<T>) {
    text << +x;
  } else if constexpr (requires { x.imag(); }) {
    text << digits(x.real(), count) << '+' << digits(x.imag(), count) << 'i';
  } else {
    text.precision(count);
    text << static_cast<double>(x);
  }
  return text.str();
}

template <class Generator, class T>
void add_numbers(std::ostringstream& lines, Generator& generator, char const* type, T low, T high) {
  using Number = Kokkos::rand<Generator, T>;
  lines << "  " << type << ", max " << digits(Number::max(), 17) << ':';
  for (int i = 0; i < 3; ++i) lines << ' ' << digits(Number::draw(generator), 17);
  lines << ", below " << digits(high, 17) << ':';
  for (int i = 0; i < 4; ++i) lines << ' ' << digits(Number::draw(generator, high), 17);
  lines << ", from " << digits(low, 17) << ':';
  for (int i = 0; i < 4; ++i) lines << ' ' << digits(Number::draw(generator, low, high), 17);
  lines << '\n';
}

template <class Pool>
void add_numbers_of(char const* name) {
  std::ostringstream lines;
  for (std::uint64_t const seed : {std::uint64_t(1), std::uint64_t(53), ~std::uint64_t(0)}) {
    Pool pool(seed, 3);
    auto generator = pool.get_state(seed == 53 ? 2 : 0);
    lines << "  seed " << seed << ": " << generator.urand() << ' ' << generator.urand(1000) << ' '
          << generator.urand(5, 8) << ' ' << generator.urand64() << ' ' << generator.urand64(1000000000000) << ' '
          << generator.urand64(5, 8) << ' ' << generator.rand() << ' ' << generator.rand(7) << ' '
          << generator.rand(-3, 3) << ' ' << generator.rand64() << ' ' << generator.rand64(7) << ' '
          << generator.rand64(-3, 3) << ' ' << digits(generator.frand(), 9) << ' ' << digits(generator.frand(2.f), 9)
          << ' ' << digits(generator.frand(-1.f, 1.f), 9) << ' ' << digits(generator.drand(), 17) << ' '
          << digits(generator.drand(2.), 17) << ' ' << digits(generator.drand(-1., 1.), 17) << ' '
          << digits(generator.normal(), 10) << ' ' << digits(generator.normal(5., 2.), 10) << '\n';
    add_numbers<decltype(generator), signed char>(lines, generator, "signed char", -5, 5);
    add_numbers<decltype(generator), unsigned char>(lines, generator, "unsigned char", 100, 200);
    add_numbers<decltype(generator), short>(lines, generator, "short", -300, 300);
    add_numbers<decltype(generator), unsigned short>(lines, generator, "unsigned short", 3, 4);
    add_numbers<decltype(generator), int>(lines, generator, "int", std::numeric_limits<int>::min(),
                                          std::numeric_limits<int>::max());
    add_numbers<decltype(generator), unsigned>(lines, generator, "unsigned", 1, 3000000000u);
    add_numbers<decltype(generator), long>(lines, generator, "long", std::numeric_limits<long>::min(),
                                           std::numeric_limits<long>::max());
    add_numbers<decltype(generator), unsigned long>(lines, generator, "unsigned long", 7, ~0ul);
    add_numbers<decltype(generator), float>(lines, generator, "float", -2.5f, 1e30f);
    add_numbers<decltype(generator), double>(lines, generator, "double", -2.5, 1e300);
    add_numbers<decltype(generator), Kokkos::complex<double>>(lines, generator, "complex", {-1, 2}, {1, 3});
    add_numbers<decltype(generator), Kokkos::Experimental::half_t>(
        lines, generator, "half", Kokkos::Experimental::half_t(-2.f), Kokkos::Experimental::half_t(3.f));
    pool.free_state(generator);
  }
  Kokkos::Testing::Journal::of_this_test().add(name, lines.str());
}

// A change of a condition, a constant or an order changes numbers; programs keep seeds in order to repeat a run.
TEST(RandomNumbers, OfEachTypeAndGenerator) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  add_numbers_of<Kokkos::Random_XorShift64_Pool<Host>>("XorShift64");
  add_numbers_of<Kokkos::Random_XorShift1024_Pool<Host>>("XorShift1024");
  add_numbers_of<Kokkos::Random_SFC64_Pool<Host>>("SFC64");
  Kokkos::Testing::Journal::of_this_test().expect_as_in("RandomNumbers");
}

}  // namespace
