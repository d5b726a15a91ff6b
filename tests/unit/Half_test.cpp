// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: device1 isa not-optimised
/// \file
/// half_t and bhalf_t: every one of their 65536 values, rounding from wider types, arithmetic, and their functions.

#include "NumericsKernel.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::bhalf_t;
using Kokkos::Experimental::cast_from_bhalf;
using Kokkos::Experimental::cast_from_half;
using Kokkos::Experimental::cast_to_bhalf;
using Kokkos::Experimental::cast_to_half;
using Kokkos::Experimental::half_t;

#if KOKKOS_HALF_T_IS_FLOAT || KOKKOS_BHALF_T_IS_FLOAT
#error "half_t and bhalf_t are types of their own"
#endif
static_assert(sizeof(half_t) == 2 && sizeof(bhalf_t) == 2 && alignof(half_t) == 2);
static_assert(std::is_trivially_copyable_v<half_t> && !std::is_same_v<half_t, bhalf_t>);
static_assert(half_t() == 0 && half_t(1.5f) == 1.5 && bhalf_t(-3) == -3.0f && -half_t(2) < half_t(1));
static_assert(std::is_same_v<decltype(half_t() + half_t()), half_t>);
static_assert(std::is_same_v<decltype(half_t() * 2), half_t> && std::is_same_v<decltype(2u / bhalf_t(1)), bhalf_t>);
static_assert(std::is_same_v<decltype(half_t() - 2.0f), float> && std::is_same_v<decltype(2.0 - half_t()), double>);
static_assert(cast_to_half(65519.99).bits() == 0x7bff && cast_to_half(65520).bits() == 0x7c00);
static_assert(cast_to_half(-1e300).bits() == 0xfc00 && cast_to_bhalf(1e300L).bits() == 0x7f80);

/// The value of 16 bits by the definition of the format, in double, which represents all of them exactly.
double value_of(unsigned bits, int digits, int min_exponent) {
  unsigned const fraction_bits = static_cast<unsigned>(digits - 1);
  unsigned const fraction      = bits & ((1u << fraction_bits) - 1);
  unsigned const exponent      = (bits & 0x7fffu) >> fraction_bits;
  bool const special           = exponent == (0x7fffu >> fraction_bits);
  double magnitude             = 0;
  if (special) {
    magnitude = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    unsigned const significand = exponent == 0 ? fraction : fraction | 1u << fraction_bits;
    int const scale            = (exponent == 0 ? 1 : static_cast<int>(exponent)) + min_exponent - 2;
    magnitude                  = std::ldexp(significand, scale - static_cast<int>(fraction_bits));
  }
  return std::copysign(magnitude, bits & 0x8000u ? -1.0 : 1.0);
}

template <class Half>
double value_of(unsigned bits) {
  return value_of(bits, Kokkos::digits_v<Half>, Kokkos::min_exponent_v<Half>);
}

template <class Half>
struct HalfTypeTest : ::testing::Test {};
using HalfTypes = ::testing::Types<half_t, bhalf_t>;
TYPED_TEST_SUITE(HalfTypeTest, HalfTypes);

TYPED_TEST(HalfTypeTest, EveryValueConvertsExactlyAndBack) {
  using Half = TypeParam;
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    Half const h        = Half::from_bits(static_cast<std::uint16_t>(bits));
    double const wanted = value_of<Half>(bits);
    if (std::isnan(wanted)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(h)) && std::isnan(static_cast<double>(h))) << bits;
      ASSERT_TRUE(Kokkos::isnan(Half(static_cast<float>(h)))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(h), wanted) << bits;
    ASSERT_EQ(std::signbit(static_cast<float>(h)), bits >= 0x8000u) << bits;
    ASSERT_EQ(Half(static_cast<float>(h)).bits(), bits);
    ASSERT_EQ(Half(static_cast<double>(h)).bits(), bits);
    ASSERT_EQ(Half(static_cast<long double>(h)).bits(), bits);
  }
}

TYPED_TEST(HalfTypeTest, RoundsToNearestTiesToEven) {
  using Half = TypeParam;
  // Between every two neighbours: the midpoint, and the doubles and floats next to it.
  unsigned const infinity = Kokkos::infinity_v<Half>.bits();
  for (unsigned bits = 0; bits + 1 < infinity; ++bits) {
    double const low = value_of<Half>(bits), high = value_of<Half>(bits + 1), middle = low + (high - low) / 2;
    unsigned const even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(Half(middle).bits(), even) << bits;
    ASSERT_EQ(Half(static_cast<float>(middle)).bits(), even) << bits;
    ASSERT_EQ(Half(-middle).bits(), even | 0x8000u) << bits;
    ASSERT_EQ(Half(std::nextafter(middle, 0.0)).bits(), bits) << bits;
    ASSERT_EQ(Half(std::nextafter(middle, high)).bits(), bits + 1) << bits;
    ASSERT_EQ(Half(std::nextafter(static_cast<float>(middle), 0.0f)).bits(), bits) << bits;
    ASSERT_EQ(Half(std::nextafter(static_cast<float>(middle), static_cast<float>(high))).bits(), bits + 1) << bits;
  }
  double const largest = value_of<Half>(infinity - 1), step = largest - value_of<Half>(infinity - 2);
  EXPECT_EQ(Half(largest + step / 2).bits(), infinity);
  EXPECT_EQ(Half(std::nextafter(largest + step / 2, 0.0)).bits(), infinity - 1);
  EXPECT_EQ(Half(1e300).bits(), infinity);
  EXPECT_EQ(Half(-std::numeric_limits<double>::infinity()).bits(), infinity | 0x8000u);
  EXPECT_EQ(Half(std::numeric_limits<double>::denorm_min()).bits(), 0u);
  EXPECT_EQ(Half(-0.0).bits(), 0x8000u);
}

TEST(Half, BothWaysToRoundGiveTheSameBits) {
  using Format = Kokkos::Impl::Binary16;
  for (std::uint32_t upper = 0; upper < 0x10000u; ++upper)
    for (std::uint32_t lower :
         {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x2000u, 0x3000u, 0x5000u, 0x7fffu, 0x8000u, 0xf000u, 0xffffu}) {
      float const x = Kokkos::bit_cast<float>(upper << 16 | lower);
      ASSERT_EQ(Format::round_in_vectors(x), Format::round_in_software(x)) << upper << ' ' << lower;
    }
}

TYPED_TEST(HalfTypeTest, ConvertsSingleNumbersAsOthers) {
  using Half = TypeParam;
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    Half const h  = Half::from_bits(static_cast<std::uint16_t>(bits));
    float const x = static_cast<float>(h);
    if (std::isnan(x)) {
      ASSERT_TRUE(std::isnan(h.to_single_float()) && Kokkos::isnan(Half::from_single_float(x))) << bits;
      continue;
    }
    ASSERT_EQ(h.to_single_float(), x) << bits;
    float const y = x * 1.0039f;
    ASSERT_EQ(Half::from_single_float(y).bits(), Half(y).bits()) << bits;
    ASSERT_EQ((h + 3).bits(), Half(x + 3.0f).bits()) << bits;
    ASSERT_EQ((100 * h).bits(), Half(100.0f * x).bits()) << bits;
  }
}

TYPED_TEST(HalfTypeTest, NearestIntegersOfAllNumbers) {
  using Half = TypeParam;
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    Half const h  = Half::from_bits(static_cast<std::uint16_t>(bits));
    float const x = static_cast<float>(h);
    if (std::isnan(x)) {
      ASSERT_TRUE(Kokkos::isnan(Kokkos::trunc(h)) && Kokkos::isnan(Kokkos::round(h))) << bits;
      ASSERT_TRUE(Kokkos::isnan(Kokkos::floor(h)) && Kokkos::isnan(Kokkos::ceil(h))) << bits;
      continue;
    }
    ASSERT_EQ(Kokkos::trunc(h).bits(), Half(std::trunc(x)).bits()) << h;
    ASSERT_EQ(Kokkos::floor(h).bits(), Half(std::floor(x)).bits()) << h;
    ASSERT_EQ(Kokkos::ceil(h).bits(), Half(std::ceil(x)).bits()) << h;
    ASSERT_EQ(Kokkos::round(h).bits(), Half(std::round(x)).bits()) << h;
  }
}

TYPED_TEST(HalfTypeTest, LogarithmsOfOneAndAllNumbers) {
  using Half = TypeParam;
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    Half const h = Half::from_bits(static_cast<std::uint16_t>(bits)), found = Kokkos::log1p(h);
    Half const wanted(std::log1p(static_cast<double>(h)));
    if (Kokkos::isnan(wanted))
      ASSERT_TRUE(Kokkos::isnan(found)) << bits;
    else  // a C library may round a logarithm wrongly
      ASSERT_LE(std::abs(int(found.bits()) - int(wanted.bits())), Kokkos::isfinite(wanted) ? 1 : 0) << bits;
  }
}

TYPED_TEST(HalfTypeTest, FunctionsOfBitsAreThoseOfFloat) {
  using Half           = TypeParam;
  unsigned const inf   = Kokkos::infinity_v<Half>.bits();
  unsigned const all[] = {0, 1, 2, inf / 2, inf - 1, inf, inf + 1, 0x7fff};
  for (unsigned sign = 0; sign <= 0x8000u; sign += 0x8000u)
    for (unsigned const magnitude : all) {
      Half const h  = Half::from_bits(static_cast<std::uint16_t>(sign | magnitude));
      float const x = static_cast<float>(h);
      EXPECT_EQ(Kokkos::isnan(h), std::isnan(x)) << h;
      EXPECT_EQ(Kokkos::isinf(h), std::isinf(x)) << h;
      EXPECT_EQ(Kokkos::isfinite(h), std::isfinite(x)) << h;
      EXPECT_EQ(Kokkos::signbit(h), sign != 0) << h;
      EXPECT_EQ(Kokkos::fabs(h).bits(), magnitude) << h;
      EXPECT_EQ(Kokkos::copysign(h, Half(-1)).bits(), 0x8000u | magnitude) << h;
      EXPECT_EQ(Kokkos::copysign(h, Half(1)).bits(), magnitude) << h;
      if (magnitude == inf + 1) continue;  // signalling: std::fmax returns a NaN, or the other number, as it likes
      for (float const y : {-3.0f, 0.5f, 1e4f}) {
        Half const other(y);
        EXPECT_EQ(Kokkos::fmax(h, other), Half(std::fmax(x, static_cast<float>(other)))) << h << y;
        EXPECT_EQ(Kokkos::fmin(other, h), Half(std::fmin(static_cast<float>(other), x))) << h << y;
      }
    }
  EXPECT_TRUE(Kokkos::isnan(Kokkos::fmax(Kokkos::quiet_NaN_v<Half>, Kokkos::quiet_NaN_v<Half>)));
}

TYPED_TEST(HalfTypeTest, RoundsIntegersOnce) {
  using Half = TypeParam;
  EXPECT_EQ(Half(true), 1);
  EXPECT_EQ(Half(static_cast<unsigned char>(200)), 200);
  EXPECT_EQ(Half(short(-3)), -3);
  EXPECT_EQ(static_cast<int>(Half(-2.75)), -2);
  EXPECT_EQ(static_cast<long long>(Half(1024)), 1024);
  EXPECT_TRUE(static_cast<bool>(Half(0.5)));
  // A tie except for the last of 64 bits, which double cannot represent.
  std::uint64_t const tie = std::uint64_t(0x8080) << 48;
  EXPECT_EQ(static_cast<double>(bhalf_t(tie)), std::ldexp(0x80, 56));
  EXPECT_EQ(static_cast<double>(bhalf_t(tie + 1)), std::ldexp(0x81, 56));
  EXPECT_EQ(static_cast<double>(bhalf_t(std::numeric_limits<std::int64_t>::min())), -std::ldexp(1, 63));
}

/// The six comparisons, and the difference and quotient, which are those whose operands must not be exchanged.
template <class A, class B>
std::array<bool, 6> compared(A a, B b) {
  return {a<b, a <= b, a> b, a >= b, a == b, a != b};
}
template <class Half, class T>
void expect_same_as_with_double(T number) {
  double const other = static_cast<double>(number);
  for (double h : {-2.0, -0.0, 0.0, 1.0, 2.0, 3.0}) {
    Half const half(h);
    EXPECT_EQ(compared(half, number), compared(h, other)) << h << ' ' << other;
    EXPECT_EQ(compared(number, half), compared(other, h)) << other << ' ' << h;
    EXPECT_EQ(static_cast<double>(half - number), h - other);
    EXPECT_EQ(static_cast<double>(number - half), other - h);
    T left = number;
    left -= half;
    EXPECT_EQ(static_cast<double>(left), other - h);
    if (h != 0) {
      EXPECT_EQ(static_cast<double>(Half(number / half)), static_cast<double>(Half(other / h)));
    }
    if (other != 0) {
      EXPECT_EQ(static_cast<double>(Half(half / number)), static_cast<double>(Half(h / other)));
    }
  }
}

TYPED_TEST(HalfTypeTest, NumbersOfOtherTypesOnEitherSide) {
  for (int number : {-2, 0, 1, 2}) {
    expect_same_as_with_double<TypeParam>(number);
    expect_same_as_with_double<TypeParam>(static_cast<float>(number));
    expect_same_as_with_double<TypeParam>(static_cast<double>(number));
    expect_same_as_with_double<TypeParam>(static_cast<short>(number));
  }
  // No comparison but != is true for a NaN.
  TypeParam const nan                    = Kokkos::quiet_NaN_v<TypeParam>;
  std::array<bool, 6> const only_unequal = {false, false, false, false, false, true};
  EXPECT_EQ(compared(nan, 1), only_unequal);
  EXPECT_EQ(compared(1.0f, nan), only_unequal);
  EXPECT_EQ(compared(nan, nan), only_unequal);
}

TYPED_TEST(HalfTypeTest, ArithmeticIsCorrectlyRounded) {
  using Half = TypeParam;
  for (unsigned i = 0; i < 0x10000u; i += 251) {
    for (unsigned j = 0; j < 0x10000u; j += 383) {
      Half const x = Half::from_bits(static_cast<std::uint16_t>(i)), y = Half::from_bits(static_cast<std::uint16_t>(j));
      long double const a = value_of<Half>(i), b = value_of<Half>(j);
      if (std::isnan(a) || std::isnan(b)) continue;
      auto const same = [](Half found, long double wanted) {
        return std::isnan(wanted) ? Kokkos::isnan(found) : found.bits() == Half(wanted).bits();
      };
      ASSERT_TRUE(same(x + y, a + b) && same(x - y, a - b)) << i << ' ' << j;
      ASSERT_TRUE(same(x * y, a * b) && same(x / y, a / b)) << i << ' ' << j;
      ASSERT_EQ(x < y, a < b);
      ASSERT_EQ(x == y, a == b);
      ASSERT_EQ(x >= y, a >= b);
      ASSERT_TRUE(same(Kokkos::fmod(x, y), std::fmod(a, b))) << i << ' ' << j;
    }
    long double const a = value_of<Half>(i);
    if (a >= 0) {
      ASSERT_EQ(Kokkos::sqrt(Half::from_bits(static_cast<std::uint16_t>(i))).bits(), Half(std::sqrt(a)).bits());
    }
  }
}

// Whatever the payload of a NaN, results of it are NaN: rounding does not carry it into the sign or to infinity.
TYPED_TEST(HalfTypeTest, ResultsOfEveryNaNAreNaN) {
  using Half          = TypeParam;
  Half const others[] = {Half(0), Half(1), Half(-2.5), Kokkos::infinity_v<Half>, Kokkos::quiet_NaN_v<Half>};
  for (unsigned bits = 0; bits < 0x10000u; ++bits) {
    Half const nan = Half::from_bits(static_cast<std::uint16_t>(bits));
    if (!Kokkos::isnan(nan)) continue;
    for (Half const other : others) {
      ASSERT_TRUE(Kokkos::isnan(nan + other) && Kokkos::isnan(other - nan)) << bits << ' ' << other;
      ASSERT_TRUE(Kokkos::isnan(nan * other) && Kokkos::isnan(other / nan)) << bits << ' ' << other;
    }
  }
  Half const zero = Half(0), infinity = Kokkos::infinity_v<Half>;
  EXPECT_TRUE(Kokkos::isnan(zero / zero) && Kokkos::isnan(infinity - infinity) && Kokkos::isnan(infinity * zero));
}

TYPED_TEST(HalfTypeTest, FusedMultiplyAddRoundsOnce) {
  using Half = TypeParam;
  for (unsigned i = 1; i < 0x10000u; i += 1009) {
    for (unsigned j = 3; j < 0x10000u; j += 1301) {
      for (unsigned k = 7; k < 0x10000u; k += 1511) {
        auto const number = [](unsigned bits) { return Half::from_bits(static_cast<std::uint16_t>(bits)); };
        double const a = value_of<Half>(i), b = value_of<Half>(j), c = value_of<Half>(k);
        if (std::isnan(a * b + c)) continue;
        // The product is exact in long double. If one part of the sum is too small to affect it, that part decides
        // ties.
        long double const product = static_cast<long double>(a) * b, up = std::numeric_limits<long double>::infinity();
        long double sum = product + c;
        if (sum == product && c != 0) sum = std::nextafter(sum, c > 0 ? up : -up);
        if (sum == c && product != 0) sum = std::nextafter(sum, product > 0 ? up : -up);
        Half const found = Kokkos::fma(number(i), number(j), number(k));
        ASSERT_EQ(found.bits() & 0x7fffu, Half(sum).bits() & 0x7fffu) << i << ' ' << j << ' ' << k;
      }
    }
  }
  // Rounding the sum to float first would produce a tie: 1 + 2^-digits + a tiny number.
  Half const half_ulp = Half(std::ldexp(1.0, -Kokkos::digits_v<Half>));
  EXPECT_GT(Kokkos::fma(half_ulp, Half(1) + Kokkos::epsilon_v<Half>, Half(1)), Half(1));
  EXPECT_EQ(Kokkos::fma(half_ulp, Half(1), Half(1)), Half(1));
  Half const tiny = Kokkos::denorm_min_v<Half>;
  EXPECT_EQ(Kokkos::fma(tiny, tiny, Half(1) + Kokkos::epsilon_v<Half>), Half(1) + Kokkos::epsilon_v<Half>);
}

TYPED_TEST(HalfTypeTest, AssignsInPlaceAndMixes) {
  using Half = TypeParam;
  Half h(1);
  h += 2;
  h *= 1.5;
  h -= Half(0.5);
  h /= 2.0f;
  EXPECT_EQ(h, 2);
  EXPECT_EQ(h++, 2);
  EXPECT_EQ(--h, 2);
  EXPECT_EQ(h--, 2);
  EXPECT_EQ(h, 1);
  EXPECT_EQ(++h, 2);
  EXPECT_EQ(+h, 2.0L);
  h = 7.0;
  EXPECT_EQ(h - 7, Half(0));
  EXPECT_TRUE(h > 6.99 && 7 >= h && h != 7.5f && !(h < 7u));
  float f = 1;
  f += h;
  EXPECT_EQ(f, 8.0f);
  int i = 10;
  i /= Half(4);
  EXPECT_EQ(i, 2);
  EXPECT_EQ(1.0e-9 + h, 7.000000001);
}

TYPED_TEST(HalfTypeTest, ComparisonsOfEveryNumberAreThoseOfFloats) {
  using Half           = TypeParam;
  unsigned const inf   = Kokkos::infinity_v<Half>.bits();
  unsigned const all[] = {0, 1, 2, 0x3c00, inf / 2, inf - 1, inf, inf + 1, 0x7fff};
  for (unsigned sign = 0; sign <= 0x8000u; sign += 0x8000u)
    for (unsigned const magnitude : all)
      for (unsigned bits = 0; bits < 0x10000u; ++bits) {
        Half const a  = Half::from_bits(static_cast<std::uint16_t>(bits));
        Half const b  = Half::from_bits(static_cast<std::uint16_t>(sign | magnitude));
        float const x = static_cast<float>(a), y = static_cast<float>(b);
        bool const right = (a < b) == (x < y) && (a <= b) == (x <= y) && (a > b) == (x > y) && (a >= b) == (x >= y) &&
                           (a == b) == (x == y) && (a != b) == (x != y);
        ASSERT_TRUE(right) << bits << ' ' << (sign | magnitude);
        ASSERT_EQ(Kokkos::min(a, b).bits(), (y < x ? b : a).bits()) << bits << ' ' << (sign | magnitude);
        ASSERT_EQ(Kokkos::max(a, b).bits(), (x < y ? b : a).bits()) << bits << ' ' << (sign | magnitude);
        Half const one(1), least = Kokkos::min(b, one), most = Kokkos::max(b, one);
        if (!std::isnan(y))
          ASSERT_EQ(Kokkos::clamp(a, least, most).bits(), (a < least ? least : most < a ? most : a).bits()) << bits;
      }
  static_assert(Half(1) < Half(2) && Half(2) >= Half(2) && Half(-0.0f) == Half(0) && Half(1) != Half(3));
  static_assert(Kokkos::min(Half(3), Half(2)) == Half(2) && Kokkos::clamp(Half(3), Half(0), Half(2)) == Half(2));
  EXPECT_EQ(Kokkos::min<Half>(Half(3), Half(2)), Half(2));
  EXPECT_EQ(Kokkos::max({Half(3), Half(5), Half(2)}), Half(5));
}

TYPED_TEST(HalfTypeTest, ChoicesBetweenElementsCopyTheBits) {
  using Half = TypeParam;
  static_assert(std::is_trivially_copyable_v<Half> && std::is_trivially_copy_assignable_v<Half>);
  struct Pair {
    Half first, second;
  };
  static_assert(std::is_trivially_copyable_v<Pair>);
  Half x[] = {Half(1), Half(4), Half::from_bits(0x7fff)}, y[] = {Half(2), Half(3), Half(5)}, to[3];
  for (int i = 0; i < 3; ++i) to[i] = x[i] < y[i] ? x[i] : y[i];
  EXPECT_EQ(to[0], Half(1));
  EXPECT_EQ(to[1], Half(3));
  EXPECT_EQ(to[2], Half(5));
  EXPECT_EQ(&(to[0] = x[2]), &to[0]);
  EXPECT_EQ(to[0].bits(), 0x7fffu);
  Half const& constant = y[1];
  to[1]                = constant;
  to[2]                = to[1];
  EXPECT_EQ(to[2], Half(3));
}

TYPED_TEST(HalfTypeTest, NeighboursAreOneBitApart) {
  using Half          = TypeParam;
  Half const infinity = Kokkos::infinity_v<Half>;
  for (unsigned bits = 0; bits < infinity.bits(); ++bits) {
    Half const x = Half::from_bits(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(Kokkos::nextafter(x, infinity).bits(), bits + 1);
    ASSERT_EQ(Kokkos::nextafter(-x, -infinity).bits(), (bits + 1) | 0x8000u);
    if (bits > 0) {
      ASSERT_EQ(Kokkos::nextafter(x, -infinity).bits(), bits - 1);
    }
  }
  EXPECT_EQ(Kokkos::nextafter(Half(0), Half(-1)).bits(), 0x8001u);
  EXPECT_EQ(Kokkos::nextafter(Half(1), Half(1)), Half(1));
  EXPECT_TRUE(Kokkos::isnan(Kokkos::nextafter(Half(1), Kokkos::quiet_NaN_v<Half>)));
  EXPECT_TRUE(Kokkos::isnan(Kokkos::nextafter(Kokkos::quiet_NaN_v<Half>, Half(1))));
}

TYPED_TEST(HalfTypeTest, IsClassified) {
  using Half = TypeParam;
  EXPECT_TRUE(Kokkos::isinf(Kokkos::infinity_v<Half>) && !Kokkos::isfinite(Kokkos::infinity_v<Half>));
  EXPECT_TRUE(Kokkos::isfinite(Kokkos::finite_max_v<Half>) && Kokkos::isnormal(Kokkos::norm_min_v<Half>));
  EXPECT_EQ(Kokkos::fpclassify(Kokkos::denorm_min_v<Half>), FP_SUBNORMAL);
  EXPECT_EQ(Kokkos::fpclassify(Half(0)), FP_ZERO);
  EXPECT_EQ(Kokkos::fpclassify(Kokkos::quiet_NaN_v<Half>), FP_NAN);
  EXPECT_TRUE(Kokkos::signbit(Half(-0.0)) && Kokkos::isunordered(Half(1), Kokkos::quiet_NaN_v<Half>));
}

TYPED_TEST(HalfTypeTest, IsWrittenAndRead) {
  std::stringstream stream;
  stream << TypeParam(1.5) << ' ' << TypeParam(-0.25);
  EXPECT_EQ(stream.str(), "1.5 -0.25");
  TypeParam first, second(9);
  stream >> first >> second;
  EXPECT_EQ(first, 1.5);
  EXPECT_EQ(second, -0.25);
  for (char const* text : {"abc", "", "-", "."}) {
    std::istringstream bad(text);
    EXPECT_FALSE(bad >> second) << text;
    EXPECT_EQ(second, -0.25) << "what cannot be read changes nothing: " << text;
  }
}

TEST(Half, ConvertsBetweenBothFormats) {
  EXPECT_EQ(bhalf_t(half_t(1.5)), 1.5);
  EXPECT_EQ(half_t(bhalf_t(1e30f)), Kokkos::infinity_v<half_t>);
  EXPECT_EQ(cast_from_half<float>(cast_to_half(0.1f)), 0.0999755859375f);
  EXPECT_EQ(cast_from_bhalf<double>(cast_to_bhalf(0.1)), 0.10009765625);
  EXPECT_EQ(cast_from_half<int>(cast_to_half(12ull)), 12);
  static_assert(std::is_same_v<decltype(Kokkos::pow(half_t(), half_t())), half_t>);
  static_assert(std::is_same_v<decltype(Kokkos::pow(half_t(), 2.0f)), float>);
  static_assert(std::is_same_v<decltype(Kokkos::hypot(half_t(), 2)), double>);
  static_assert(std::is_same_v<decltype(Kokkos::fmax(half_t(), bhalf_t())), float>);
}

// Functions with a second result, or with operands of other types.
template <class Half>
void expect_parts_of_numbers() {
  for (float const x : {0.0f, 0.25f, 2.75f, -2.75f, 100.5f, -7.0f}) {
    Half whole(99);
    float whole_of_float = 0;
    EXPECT_EQ(Kokkos::modf(Half(x), &whole), std::modf(x, &whole_of_float)) << x;
    EXPECT_EQ(whole, whole_of_float) << x;
    int exponent = 99, exponent_of_float = 0, quotient = 99, quotient_of_float = 0;
    EXPECT_EQ(Kokkos::frexp(Half(x), &exponent), std::frexp(x, &exponent_of_float)) << x;
    EXPECT_EQ(exponent, exponent_of_float) << x;
    EXPECT_EQ(Kokkos::remquo(Half(x), Half(2), &quotient), std::remquo(x, 2.0f, &quotient_of_float)) << x;
    EXPECT_EQ(quotient & 7, quotient_of_float & 7) << x;
    EXPECT_EQ(Kokkos::ldexp(Half(x), 3), std::ldexp(x, 3)) << x;
    EXPECT_EQ(Kokkos::fma(Half(x), Half(2), Half(1)), x * 2 + 1) << x;
    EXPECT_EQ(Kokkos::hypot(Half(3), Half(4), Half(0)), 5) << x;
  }
}
TEST(HalfNumbers, PartsAreThoseOfFloat) {
  expect_parts_of_numbers<half_t>();
  expect_parts_of_numbers<bhalf_t>();
}

// ---- in kernels ---------------------------------------------------------------------------------------------------

template <class Half>
struct RoundTrip {
  KOKKOS_FUNCTION std::uint32_t operator()(int i) const {
    Half const h             = Half::from_bits(static_cast<std::uint16_t>(i));
    Half const one_operation = i % 2 ? h * h : h + Half(i);  // compilers may fuse two of them
    return Half(static_cast<float>(h)).bits() | std::uint32_t(one_operation.bits()) << 16;
  }
};

// clang-format off: it takes the calls for a declaration
#define KOKKOS_TEST_HALF_UNARY(X)                                                                                 \
  X(abs) X(fabs) X(exp) X(exp2) X(expm1) X(log) X(log10) X(log2) X(log1p) X(sqrt) X(cbrt) X(sin) X(cos) X(tan)    \
  X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(tgamma) X(lgamma)   \
  X(ceil) X(floor) X(trunc) X(round) X(nearbyint) X(rint) X(logb) X(rsqrt) X(rcp)
#define KOKKOS_TEST_HALF_BINARY(X) \
  X(fmod) X(remainder) X(fmax) X(fmin) X(fdim) X(pow) X(hypot) X(atan2) X(copysign)
// clang-format on

#define KOKKOS_TEST_COUNT(NAME) +1
constexpr int unary_functions  = 0 KOKKOS_TEST_HALF_UNARY(KOKKOS_TEST_COUNT);
constexpr int binary_functions = 0 KOKKOS_TEST_HALF_BINARY(KOKKOS_TEST_COUNT);

/// All functions at x and y, with arguments and results in T.
template <class T>
struct Functions {
  T results[unary_functions + binary_functions];
};

template <class T>
KOKKOS_FUNCTION Functions<T> all_functions(T x, T y) {
  Functions<T> all;
  int n = 0;
#define KOKKOS_TEST_UNARY(NAME) all.results[n++] = Kokkos::NAME(x);
#define KOKKOS_TEST_BINARY(NAME) all.results[n++] = Kokkos::NAME(x, y);
  KOKKOS_TEST_HALF_UNARY(KOKKOS_TEST_UNARY)
  KOKKOS_TEST_HALF_BINARY(KOKKOS_TEST_BINARY)
  return all;
}

template <class Half>
struct AllFunctions {
  KOKKOS_FUNCTION Functions<Half> operator()(int i) const {
    return all_functions<Half>(Half(0.05f * static_cast<float>(i - 100)), Half(0.7f));
  }
};

template <class Space, class Half>
void every_value_survives_in_kernel() {
  auto const found = evaluate<Space>(0x10000, RoundTrip<Half>());
  for (int i = 0; i < 0x10000; ++i) {
    Half const h = Half::from_bits(static_cast<std::uint16_t>(i));
    if (!Kokkos::isnan(h)) {
      ASSERT_EQ(found[static_cast<std::size_t>(i)], RoundTrip<Half>()(i)) << i;
    }
  }
}

template <class Space, class Half>
void functions_are_rounded_from_float() {
  auto const found = evaluate<Space>(200, AllFunctions<Half>());
  for (int i = 0; i < 200; ++i) {
    Half const x(0.05f * static_cast<float>(i - 100)), y(0.7f);
    auto const wanted = all_functions<float>(static_cast<float>(x), static_cast<float>(y));
    for (int f = 0; f < unary_functions + binary_functions; ++f) {
      float const a = static_cast<float>(found[static_cast<std::size_t>(i)].results[f]), b = wanted.results[f];
      if (std::isnan(b)) {
        EXPECT_TRUE(std::isnan(a)) << "function " << f << " at " << x;
      } else if (static_cast<float>(Half(b)) != a) {
        // A device's float functions may differ in their last bits, which may change the rounded result to a neighbour.
        EXPECT_NEAR(a, b, 2 * static_cast<float>(Kokkos::epsilon_v<Half>) * std::fabs(b)) << f << " at " << x;
      }
    }
  }
}

template <class Space>
struct HalfTest : ::testing::Test {};
TYPED_TEST_SUITE(HalfTest, ExecutionSpaces, SpaceName);

TYPED_TEST(HalfTest, EveryValueSurvivesInKernels) {
  every_value_survives_in_kernel<TypeParam, half_t>();
  every_value_survives_in_kernel<TypeParam, bhalf_t>();
}

TYPED_TEST(HalfTest, FunctionsAreRoundedFromFloat) {
  functions_are_rounded_from_float<TypeParam, half_t>();
  functions_are_rounded_from_float<TypeParam, bhalf_t>();
}

}  // namespace
