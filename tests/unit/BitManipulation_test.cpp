// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa not-optimised
/// \file
/// Bit manipulation: in constant expressions, compared with <bit> for many values, and in kernels.

#include "NumericsKernel.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace {

using namespace Kokkos::Testing;

static_assert(Kokkos::popcount(0xf0fu) == 8 && Kokkos::popcount(std::uint8_t(0)) == 0);
static_assert(Kokkos::countl_zero(std::uint8_t(1)) == 7 && Kokkos::countl_zero(std::uint64_t(0)) == 64);
static_assert(Kokkos::countl_one(std::uint16_t(0xff00)) == 8 && Kokkos::countr_one(7u) == 3);
static_assert(Kokkos::countr_zero(8u) == 3 && Kokkos::countr_zero(std::uint16_t(0)) == 16);
static_assert(Kokkos::has_single_bit(64u) && !Kokkos::has_single_bit(0u) && !Kokkos::has_single_bit(65u));
static_assert(Kokkos::bit_ceil(0u) == 1 && Kokkos::bit_ceil(65u) == 128 && Kokkos::bit_ceil(std::uint8_t(128)) == 128);
static_assert(Kokkos::bit_floor(0u) == 0 && Kokkos::bit_floor(127u) == 64 && Kokkos::bit_width(255u) == 8);
static_assert(Kokkos::rotl(std::uint8_t(0x81), 1) == 0x03 && Kokkos::rotr(std::uint8_t(0x81), 1) == 0xc0);
static_assert(Kokkos::byteswap(std::uint32_t(0x01020304)) == 0x04030201u);
static_assert(Kokkos::byteswap(std::int16_t(0x0102)) == 0x0201 && Kokkos::byteswap(std::uint8_t(7)) == 7);
static_assert(Kokkos::byteswap(std::uint64_t(0x0102030405060708)) == 0x0807060504030201u);
static_assert(Kokkos::bit_cast<std::uint32_t>(1.0f) == 0x3f800000u);

template <class T>
concept CanCount = requires(T x) { Kokkos::popcount(x); };
static_assert(CanCount<unsigned char> && CanCount<unsigned long long>);
static_assert(!CanCount<int> && !CanCount<bool> && !CanCount<char> && !CanCount<char32_t>);

/// Values of every bit width, dense and sparse.
template <class T>
std::vector<T> patterns() {
  std::vector<T> values{T(0), T(1), T(~T(0))};
  std::uint64_t mixed = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 128; ++i, mixed = mixed * 6364136223846793005u + 1442695040888963407u) {
    values.push_back(static_cast<T>(mixed >> (i % 64)));
    values.push_back(static_cast<T>(T(1) << (i % (8 * sizeof(T)))));
  }
  return values;
}

// The results of a kernel for one value, and the standard library's results.
struct Counts {
  int popcount, countl_zero, countl_one, countr_zero, countr_one, bit_width;
  bool has_single_bit;
  std::uint64_t bit_floor, bit_ceil, rotl, rotr, swapped, swapped_back;
  bool operator==(Counts const&) const = default;
};

struct Count {
  template <class T>
  KOKKOS_FUNCTION Counts operator()(T x) const {
    return {Kokkos::popcount(x),
            Kokkos::countl_zero(x),
            Kokkos::countl_one(x),
            Kokkos::countr_zero(x),
            Kokkos::countr_one(x),
            Kokkos::bit_width(x),
            Kokkos::has_single_bit(x),
            Kokkos::bit_floor(x),
            Kokkos::bit_ceil(static_cast<T>(x >> 1)),
            Kokkos::rotl(x, 5),
            Kokkos::rotr(x, -3),
            Kokkos::byteswap(x),
            Kokkos::byteswap(Kokkos::byteswap(x))};
  }
};

struct CountBuiltin {
  template <class T>
  KOKKOS_FUNCTION Counts operator()(T x) const {
    using namespace Kokkos::Experimental;
    return {popcount_builtin(x),
            countl_zero_builtin(x),
            countl_one_builtin(x),
            countr_zero_builtin(x),
            countr_one_builtin(x),
            bit_width_builtin(x),
            has_single_bit_builtin(x),
            bit_floor_builtin(x),
            bit_ceil_builtin(static_cast<T>(x >> 1)),
            rotl_builtin(x, 5),
            rotr_builtin(x, -3),
            byteswap_builtin(x),
            byteswap_builtin(byteswap_builtin(x))};
  }
};

template <class T>
T with_bytes_reversed(T x) {
  T reversed = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    reversed = static_cast<T>(reversed | static_cast<T>(x >> (8 * i) & 0xff) << (8 * (sizeof(T) - 1 - i)));
  return reversed;
}

template <class T>
Counts expected(T x) {
  return {std::popcount(x),
          std::countl_zero(x),
          std::countl_one(x),
          std::countr_zero(x),
          std::countr_one(x),
          static_cast<int>(std::bit_width(x)),
          std::has_single_bit(x),
          std::bit_floor(x),
          std::bit_ceil(static_cast<T>(x >> 1)),
          std::rotl(x, 5),
          std::rotr(x, -3),
          with_bytes_reversed(x),
          x};
}

template <class Space, class T>
void agrees_with_standard() {
  auto const values  = patterns<T>();
  auto const counts  = evaluate_at<Space>(values, Count());
  auto const builtin = evaluate_at<Space>(values, CountBuiltin());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_TRUE(counts[i] == expected(values[i])) << +values[i] << " of " << 8 * sizeof(T) << " bits";
    EXPECT_TRUE(builtin[i] == expected(values[i])) << +values[i] << " of " << 8 * sizeof(T) << " bits, builtin";
  }
}

template <class Space>
struct BitManipulationTest : ::testing::Test {};
TYPED_TEST_SUITE(BitManipulationTest, ExecutionSpaces, SpaceName);

TYPED_TEST(BitManipulationTest, AgreesWithStandardInKernels) {
  agrees_with_standard<TypeParam, std::uint8_t>();
  agrees_with_standard<TypeParam, std::uint16_t>();
  agrees_with_standard<TypeParam, std::uint32_t>();
  agrees_with_standard<TypeParam, std::uint64_t>();
}

TEST(BitManipulation, RotatesByAnyNumberOfPlaces) {
  for (int s = -130; s <= 130; ++s) {
    EXPECT_EQ(Kokkos::rotl(std::uint32_t(0x12345678), s), std::rotl(std::uint32_t(0x12345678), s)) << s;
    EXPECT_EQ(Kokkos::rotr(std::uint8_t(0xb1), s), std::rotr(std::uint8_t(0xb1), s)) << s;
  }
}

TEST(BitManipulation, CastsBothWays) {
  struct Pair {
    float a, b;
  };
  auto const whole = Kokkos::bit_cast<std::uint64_t>(Pair{1.5f, -2.0f});
  auto const parts = Kokkos::Experimental::bit_cast_builtin<Pair>(whole);
  EXPECT_EQ(parts.a, 1.5f);
  EXPECT_EQ(parts.b, -2.0f);
}

}  // namespace
