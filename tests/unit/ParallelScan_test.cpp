// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: device2 isa team
/// \file
/// parallel_scan: prefixes in the order of the iterations, with and without a total.

#include "PatternTest.hpp"
#include <Thorough.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using Kokkos::Testing::on_host;

template <class Space>
class ParallelScanTest : public ::testing::Test {};
TYPED_TEST_SUITE(ParallelScanTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
struct Prefixes {
  Kokkos::View<std::int64_t*, Space> exclusive, inclusive;

  explicit Prefixes(std::size_t n) : exclusive("exclusive", n), inclusive("inclusive", n) {}

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& update, bool is_final) const {
    if (is_final) exclusive(i) += update;  // one final call
    update += i % 7 + 1;
    if (is_final) inclusive(i) += update;
  }
  /// Iterations [begin, end) must have their prefixes, and the others none. \return the total
  std::int64_t check(std::int64_t begin, std::int64_t end) const {
    auto const before = on_host(exclusive);
    auto const after  = on_host(inclusive);
    std::int64_t sum  = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(before.extent(0)); ++i) {
      bool const inside = i >= begin && i < end;
      EXPECT_EQ(before(i), inside ? sum : 0) << "at " << i;
      if (inside) sum += i % 7 + 1;
      EXPECT_EQ(after(i), inside ? sum : 0) << "at " << i;
      if (::testing::Test::HasFailure()) break;
    }
    return sum;
  }
};

template <class Policy>
void scan(std::int64_t n, Policy const& policy) {
  using Space      = typename Policy::execution_space;
  auto const begin = static_cast<std::int64_t>(policy.begin()), end = static_cast<std::int64_t>(policy.end());
  Prefixes<Space> with(static_cast<std::size_t>(n));
  std::int64_t total = -1;
  Kokkos::parallel_scan("with total", policy, with, total);
  EXPECT_EQ(total, with.check(begin, end));
  Prefixes<Space> without(static_cast<std::size_t>(n));
  Kokkos::parallel_scan(policy, without);
  without.check(begin, end);
}

TYPED_TEST(ParallelScanTest, Lengths) {
  using Policy = Kokkos::RangePolicy<TypeParam>;
  for (std::int64_t n : {0, 1, 2, 3, 31, 1000, 33333}) scan(n, Policy(0, n));
  if (Kokkos::Testing::is_thorough()) scan(300007, Policy(0, 300007));
}

TYPED_TEST(ParallelScanTest, PartsAndSchedules) {
  scan(1000, Kokkos::RangePolicy<TypeParam>(13, 977));
  scan(1000, Kokkos::RangePolicy<TypeParam>(999, 1000));
  scan(1000, Kokkos::RangePolicy<TypeParam, int>(13, 977));
  scan(1000, Kokkos::RangePolicy<TypeParam, Kokkos::Schedule<Kokkos::Dynamic>>(13, 977, Kokkos::ChunkSize(11)));
}

template <class Space, class Total>
void scan_to_view(Total const& total) {
  Space const space;
  Prefixes<Space> prefixes(1000);
  Kokkos::parallel_scan("to view", Kokkos::RangePolicy<Space>(space, 0, 1000), prefixes, total);
  space.fence();
  EXPECT_EQ(on_host(total)(), prefixes.check(0, 1000));
  Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(space, 0, 0), prefixes, total);
  space.fence();
  EXPECT_EQ(on_host(total)(), 0);
}

TYPED_TEST(ParallelScanTest, TotalInAView) {
  scan_to_view<TypeParam>(Kokkos::View<std::int64_t, TypeParam>("total"));
  scan_to_view<TypeParam>(Kokkos::View<std::int64_t, Kokkos::HostSpace>("total"));
}

// ---- forms of the call --------------------------------------------------------------------------------------------

template <class Space>
void scan_with_lambda() {
  Kokkos::View<float*, Space> x("x", 100);
  Kokkos::RangePolicy<Space> const policy(0, 100);
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(int i) { x(i) = i; });
  // Only the lambda determines the type.
  Kokkos::parallel_scan(
      policy, KOKKOS_LAMBDA(int const i, float& update, bool const is_final) {
        float const value = x(i);
        if (is_final) x(i) = update;
        update += value;
      });
  auto const host = on_host(x);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(host(i), static_cast<float>(i * (i - 1) / 2));
}

TYPED_TEST(ParallelScanTest, LambdaWithoutTotal) { scan_with_lambda<TypeParam>(); }

template <class Space>
struct CountFunctor {
  using execution_space = Space;
  using value_type      = int;
  KOKKOS_FUNCTION void operator()(int, int& update, bool) const { ++update; }
};

TYPED_TEST(ParallelScanTest, CountsAndLabels) {
  int total = -1;
  Kokkos::parallel_scan(17, CountFunctor<TypeParam>{}, total);
  EXPECT_EQ(total, 17);
  Kokkos::parallel_scan(std::string("label"), 18u, CountFunctor<TypeParam>{}, total);
  EXPECT_EQ(total, 18);
  Kokkos::parallel_scan("label", std::size_t{3}, CountFunctor<TypeParam>{});
  Kokkos::parallel_scan(0, CountFunctor<TypeParam>{}, total);
  EXPECT_EQ(total, 0);
}

// ---- other operations ---------------------------------------------------------------------------------------------

/// Running maximum.
template <class Space>
struct Peaks {
  using value_type = int;
  Kokkos::View<int*, Space> peaks;

  KOKKOS_FUNCTION static int height(int i) { return (i * 331) % 1009 + i / 10; }
  KOKKOS_FUNCTION void operator()(int i, int& update, bool is_final) const {
    update = height(i) > update ? height(i) : update;
    if (is_final) peaks(i) = update;
  }
  KOKKOS_FUNCTION void init(int& v) const { v = -5; }
  KOKKOS_FUNCTION void join(int& a, int const& b) const { a = b > a ? b : a; }
};

TYPED_TEST(ParallelScanTest, InitAndJoinOfTheFunctor) {
  int const n = 50000;
  Peaks<TypeParam> functor{Kokkos::View<int*, TypeParam>("peaks", n)};
  int total = 0;
  Kokkos::parallel_scan(Kokkos::RangePolicy<TypeParam>(0, n), functor, total);
  auto const host = on_host(functor.peaks);
  int expected    = -5;
  for (int i = 0; i < n; ++i) {
    expected = Peaks<TypeParam>::height(i) > expected ? Peaks<TypeParam>::height(i) : expected;
    ASSERT_EQ(host(i), expected);
  }
  EXPECT_EQ(total, expected);
  Kokkos::parallel_scan(Kokkos::RangePolicy<TypeParam>(0, 0), functor, total);
  EXPECT_EQ(total, -5);
}

/// x -> a x + b, composed in order: not commutative.
struct Affine {
  std::uint32_t a = 1, b = 0;
};
/// The same with other sizes, because a GPU has three kernels for scans: for values of up to 64 bytes, of up to 512
/// bytes, and of more.
template <int Bytes>
struct LargeAffine : Affine {
  std::uint32_t more[Bytes / 4 - 2] = {};
};
template <class Space, class Value = Affine>
struct Compose {
  using value_type = Value;
  Kokkos::View<std::uint32_t*, Space> values;
  int begin;

  KOKKOS_FUNCTION void operator()(int i, Value& update, bool is_final) const {
    Value own;
    own.a = 3u + static_cast<std::uint32_t>(i) % 5u;
    own.b = static_cast<std::uint32_t>(i);
    join(update, own);
    if (is_final) values(i - begin) += update.a * 7 + update.b;
  }
  KOKKOS_FUNCTION void init(Value& v) const { v = Value{}; }
  /// `second` after `first`.
  KOKKOS_FUNCTION void join(Value& first, Value const& second) const {
    first.b = second.a * first.b + second.b;
    first.a = second.a * first.a;
  }
};

template <class Space, class Value>
void compose(int n, int begin = 0) {
  Compose<Space, Value> functor{Kokkos::View<std::uint32_t*, Space>("values", static_cast<std::size_t>(n)), begin};
  Value total;
  Kokkos::parallel_scan("compose", Kokkos::RangePolicy<Space>(begin, begin + n), functor, total);
  auto const host = on_host(functor.values);
  std::uint32_t x = 7;
  for (int i = begin; i < begin + n; ++i) {
    x = (3u + static_cast<std::uint32_t>(i) % 5u) * x + static_cast<std::uint32_t>(i);
    ASSERT_EQ(host(i - begin), x) << "at " << i;
  }
  EXPECT_EQ(total.a * 7 + total.b, x);
}

TYPED_TEST(ParallelScanTest, JoinsInTheOrderOfTheIterations) {
  compose<TypeParam, Affine>(100000);
  compose<TypeParam, Affine>(5000, 17);
}

TYPED_TEST(ParallelScanTest, JoinsStructsInTheOrderOfTheIterations) {
  for (int n : {0, 1, 2, 63, 64, 65, 127, 128, 129, 300}) compose<TypeParam, LargeAffine<68>>(n);
  compose<TypeParam, LargeAffine<68>>(1000, 17);
  if (Kokkos::Testing::is_thorough()) compose<TypeParam, LargeAffine<68>>(5001);
  for (int n : {1, 129, 300}) {
    if constexpr (Kokkos::Testing::every_type) {
      compose<TypeParam, LargeAffine<128>>(n);
      compose<TypeParam, LargeAffine<256>>(n);
    }
    compose<TypeParam, LargeAffine<512>>(n);
  }
}

TYPED_TEST(ParallelScanTest, JoinsLargeValuesInTheOrderOfTheIterations) {
  for (int n : {0, 1, 3, 8, 511, 512, 517, 1024, 5000, 100000}) compose<TypeParam, LargeAffine<516>>(n);
  compose<TypeParam, LargeAffine<516>>(1000, 17);
}

/// An array of sums, of run-time length.
template <class Space>
struct ManyPrefixes {
  using value_type = long[];
  unsigned value_count;
  Kokkos::View<long**, Space> prefixes;

  KOKKOS_FUNCTION void operator()(int i, long* update, bool is_final) const {
    for (unsigned j = 0; j < value_count; ++j) {
      update[j] += static_cast<long>(j) * i;
      if (is_final) prefixes(i, j) += update[j];
    }
  }
};

TYPED_TEST(ParallelScanTest, ArraysOfSums) {
  auto const scan = [](int n, int count) {
    ManyPrefixes<TypeParam> functor{static_cast<unsigned>(count),
                                    Kokkos::View<long**, TypeParam>("prefixes", n, count)};
    Kokkos::parallel_scan(Kokkos::RangePolicy<TypeParam>(0, n), functor);
    auto const host = on_host(functor.prefixes);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < count; ++j) ASSERT_EQ(host(i, j), static_cast<long>(j) * i * (i + 1) / 2);
    }
  };
  scan(5000, 3);
  scan(2, 1);
  scan(0, 5);
}

// Values that own memory; host only. The longer range is scanned in blocks. Few of its iterations append a letter, so that
// the text stays short.
template <class Space>
void scan_strings_on_host() {
  if constexpr (Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible) {
    for (std::size_t n : {1000, 100000}) {
      std::size_t const letters = 1000, step = n / letters;
      std::string total;
      std::vector<std::size_t> lengths(n);
      Kokkos::parallel_scan(
          Kokkos::RangePolicy<Space>(0, n),
          [&](std::size_t i, std::string& update, bool is_final) {
            if (i % step == 0) update += static_cast<char>('a' + i / step % 26);
            if (is_final) lengths[i] = update.size();
          },
          total);
      ASSERT_EQ(total.size(), letters);
      for (std::size_t i = 0; i < letters; ++i) ASSERT_EQ(total[i], static_cast<char>('a' + i % 26));
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(lengths[i], i / step + 1);
    }
  }
}

TYPED_TEST(ParallelScanTest, ValuesThatOwnMemory) { scan_strings_on_host<TypeParam>(); }

}  // namespace
