// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Mathematical functions of complex numbers, compared with std::complex: ordinary arguments of all magnitudes in
/// higher precision, and the special values of C11 Annex G.

#include "NumericsKernel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::half_t;

#define KOKKOS_TEST_COMPLEX_FUNCTIONS(X) \
  X(sqrt)                                \
  X(exp) X(log) X(log10) X(sin) X(cos) X(tan) X(sinh) X(cosh) X(tanh) X(asin) X(acos) X(atan) X(asinh) X(acosh) X(atanh)

#define KOKKOS_TEST_COUNT(NAME) +1
constexpr int function_count = KOKKOS_TEST_COMPLEX_FUNCTIONS(KOKKOS_TEST_COUNT);
#define KOKKOS_TEST_NAME(NAME) #NAME,
constexpr const char* names[] = {KOKKOS_TEST_COMPLEX_FUNCTIONS(KOKKOS_TEST_NAME)};

/// The values of every function at one argument, from one kernel, because one kernel for each takes long to compile.
template <class T>
struct Values {
  Kokkos::complex<T> of[function_count];
};

struct CallAll {
#define KOKKOS_TEST_CALL(NAME) Kokkos::NAME(z),
  template <class T>
  KOKKOS_FUNCTION Values<T> operator()(Kokkos::complex<T> const& z) const {
    return {{KOKKOS_TEST_COMPLEX_FUNCTIONS(KOKKOS_TEST_CALL)}};
  }
};

#ifdef __HIP__
// For HIP, clang's <complex> replaces the C library's functions by formulas that lose small parts of results.
__extension__ using LongComplex = _Complex long double;
#define __builtin_clog10l(Z) (__builtin_clogl(Z) / 2.302585092994045684017991454684364208L)
#define KOKKOS_TEST_STANDARD(NAME) \
  std::complex<T>(std::complex<long double>(__builtin_c##NAME##l(LongComplex(wide.__rep())))),
#else
#define KOKKOS_TEST_STANDARD(NAME) std::NAME(z),
#endif
template <class T>
std::vector<std::complex<T>> standard(std::complex<T> const& z) {
  [[maybe_unused]] std::complex<long double> const wide(z);
  return {KOKKOS_TEST_COMPLEX_FUNCTIONS(KOKKOS_TEST_STANDARD)};
}

/// Points on and near the axes, around 1, and of very different magnitudes in both parts.
template <class T>
std::vector<Kokkos::complex<T>> points() {
  double const parts[] = {1e-30, 3.1e-12, 0.0007, 0.125, 0.6, 0.8, 0.999, 1, 1.001, 1.7, 3.4, 20, 79, 2e4, 1e12, 3e30};
  std::vector<Kokkos::complex<T>> all;
  for (double x : parts) {
    for (double y : parts) {
      for (int quadrant = 0; quadrant < 4; ++quadrant) {
        all.emplace_back(static_cast<T>(quadrant & 1 ? -x : x), static_cast<T>(quadrant & 2 ? -y : y));
      }
    }
  }
  return all;
}

/// Parts from the smallest subnormal number to the largest number, and around the limits of exponential and square root,
/// each beside each other.
template <class T>
std::vector<Kokkos::complex<T>> extreme_points() {
  using Limits     = std::numeric_limits<T>;
  T const smallest = Limits::denorm_min(), normal = Limits::min(), largest = Limits::max();
  T const log_max   = std::log(largest);
  T const log_range = log_max - std::log(smallest);  // beyond it, even e^x times the smallest number is infinite
  T const parts[]   = {smallest,
                       3 * smallest,
                       normal / 4,
                       normal,
                       std::sqrt(normal),
                       T(1e-7),
                       T(0.5),
                       T(1),
                       T(3),
                       log_max / 4,
                       log_max / 2,
                       log_max - T(0.25),
                       log_max + T(0.5),
                       log_max + T(2),
                       T(1.4) * log_max,
                       log_range - 2,
                       log_range + 2,
                       2 * log_max + 5,
                       4 * log_max,
                       T(2) / Limits::epsilon(),
                       std::sqrt(largest),
                       largest / 8,
                       largest};
  std::vector<Kokkos::complex<T>> all;
  for (T x : parts) {
    for (T y : parts) {
      for (int quadrant = 0; quadrant < 4; ++quadrant) all.emplace_back(quadrant & 1 ? -x : x, quadrant & 2 ? -y : y);
    }
  }
  return all;
}

/// Whether one part is within a few units in the last place of the long double result.
template <class T>
bool part_agrees(T found, long double wanted) {
  T const rounded = static_cast<T>(wanted);
  if (std::isnan(rounded)) return std::isnan(found);
  if (std::isinf(rounded)) return found == rounded;
  return std::fabs(found - wanted) <=
         8 * std::numeric_limits<T>::epsilon() * std::fabs(wanted) + 4 * std::numeric_limits<T>::denorm_min();
}

template <class Space, class T>
void all_agree_with_higher_precision(std::vector<Kokkos::complex<T>> const& at) {
  using Wide       = std::complex<long double>;
  auto const found = evaluate_at<Space>(at, CallAll());
  for (std::size_t i = 0; i < at.size(); ++i) {
    auto const wanted = standard(Wide(at[i].real(), at[i].imag()));
    for (int f = 0; f < function_count; ++f) {
      Kokkos::complex<T> const value = found[i].of[f];
      EXPECT_TRUE(part_agrees(value.real(), wanted[f].real()) && part_agrees(value.imag(), wanted[f].imag()))
          << names[f] << at[i] << " gave " << value << ", not " << wanted[f];
    }
  }
}

template <class Space>
struct ComplexMathTest : ::testing::Test {};
TYPED_TEST_SUITE(ComplexMathTest, ExecutionSpaces, SpaceName);

TYPED_TEST(ComplexMathTest, AgreesWithHigherPrecision) {
  all_agree_with_higher_precision<TypeParam>(points<float>());
  all_agree_with_higher_precision<TypeParam>(points<double>());
}

TYPED_TEST(ComplexMathTest, PartsOfVeryDifferentMagnitude) {
  all_agree_with_higher_precision<TypeParam>(extreme_points<float>());
  all_agree_with_higher_precision<TypeParam>(extreme_points<double>());
}

// ---- special values -----------------------------------------------------------------------------------------------

/// Annex G does not specify the sign of a zero or an infinity next to a NaN in the argument or in the result.
bool same_special_value(double found, double wanted, bool with_sign) {
  if (std::isnan(wanted)) return std::isnan(found);
  // Apart from the others, because every finite number differs from infinity by less than a share of infinity.
  if (std::isinf(wanted)) return std::isinf(found) && (!with_sign || std::signbit(found) == std::signbit(wanted));
  return (!with_sign || std::signbit(found) == std::signbit(wanted)) &&
         (found == wanted || std::fabs(found - wanted) <= 4e-16 * std::fabs(wanted) + 1e-323);
}

template <class Space>
void all_have_special_values_of_standard() {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  double const parts[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 1e308, -1e308, 1e-310, 1e20, -1e-20, inf, -inf, nan};
  std::vector<Kokkos::complex<double>> at;
  for (double x : parts) {
    for (double y : parts) at.emplace_back(x, y);
  }
  auto const found = evaluate_at<Space>(at, CallAll());
  for (std::size_t i = 0; i < at.size(); ++i) {
    auto const wanted  = standard(std::complex<double>(at[i]));
    bool const numbers = !std::isnan(at[i].real()) && !std::isnan(at[i].imag());
    for (int f = 0; f < function_count; ++f) {
      Kokkos::complex<double> const value = found[i].of[f];
      EXPECT_TRUE(same_special_value(value.real(), wanted[f].real(), numbers && !std::isnan(wanted[f].imag())) &&
                  same_special_value(value.imag(), wanted[f].imag(), numbers && !std::isnan(wanted[f].real())))
          << names[f] << at[i] << " gave " << value << ", not " << wanted[f];
    }
  }
}

TYPED_TEST(ComplexMathTest, HasSpecialValuesOfAnnexG) { all_have_special_values_of_standard<TypeParam>(); }

TEST(ComplexMath, ExtremeMagnitudes) {
  using Z = Kokkos::complex<double>;
  EXPECT_DOUBLE_EQ(Kokkos::abs(Z(3e307, 4e307)), 5e307);
  EXPECT_DOUBLE_EQ(Kokkos::abs(Z(3e-320, 4e-320)), 5e-320);
  EXPECT_DOUBLE_EQ(Kokkos::sqrt(Z(0, 1.6e308)).real(), std::sqrt(0.8e308));
  EXPECT_DOUBLE_EQ(Kokkos::sqrt(Z(-1.6e308, 1)).imag(), std::sqrt(1.6e308));
  EXPECT_NEAR(Kokkos::log(Z(1.7e308, 1.7e308)).real(), std::log(1.7e308) + 0.5 * std::log(2.0), 1e-12);
  // e^710 overflows, but its product with the sine of a small angle does not; the same applies to sinh and cosh.
  EXPECT_NEAR(Kokkos::exp(Z(710, 1e-3)).imag() / (std::exp(700.0) * std::sin(1e-3) * std::exp(10.0)), 1, 1e-12);
  EXPECT_NEAR(Kokkos::sinh(Z(711, 1.57)).real() / (std::exp(700.0) * std::cos(1.57) * std::exp(11.0) / 2), 1, 1e-12);
  EXPECT_NEAR(Kokkos::cosh(Z(-711, 1e-3)).imag() / (-std::exp(700.0) * std::sin(1e-3) * std::exp(11.0) / 2), 1, 1e-12);
  // Near the unit circle log |z| is small and must keep its digits.
  auto const near_circle = standard(std::complex<long double>(0.6, 0.8))[2];  // log
  EXPECT_NEAR(Kokkos::log(Z(0.6, 0.8)).real(), static_cast<double>(near_circle.real()), 1e-30);
}

// x^2 + y^2 - 1 has few digits of its own there, and the rounding errors of each of its terms count.
TEST(ComplexMath, LogarithmNearTheUnitCircle) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "needs a wider type";
  for (int i = 1; i < 400; ++i)
    for (double distance : {0.0, 1e-15, -1e-13, 1e-10, -1e-7, 1e-5, -1e-3, 0.02, -0.1, 0.2}) {
      double const x = (1 + distance) * std::cos(i * 0.0157), y = (1 + distance) * std::sin(i * 0.0157);
      // The squares with their errors; the sum of the larger one and -1 is exact.
      long double const xx = static_cast<long double>(x) * x, yy = static_cast<long double>(y) * y;
      long double const xx_error = std::fma(static_cast<long double>(x), x, -xx);
      long double const yy_error = std::fma(static_cast<long double>(y), y, -yy);
      long double const larger = std::max(xx, yy), smaller = std::min(xx, yy);
      long double const expected = std::log1p((larger - 1) + smaller + (xx_error + yy_error)) / 2;
      double const value         = Kokkos::log(Kokkos::complex<double>(x, y)).real();
      EXPECT_NEAR(value, static_cast<double>(expected), 1e-15 * static_cast<double>(std::fabs(expected)) + 5e-32)
          << x << ", " << y;
    }
  for (int i = 1; i < 400; ++i)
    for (float distance : {0.f, 1e-6f, -1e-4f, 1e-2f}) {
      float const x         = (1 + distance) * std::cos(static_cast<float>(i) * 0.0157f);
      float const y         = (1 + distance) * std::sin(static_cast<float>(i) * 0.0157f);
      long double const all = static_cast<long double>(x) * x - 1 + static_cast<long double>(y) * y;
      float const expected  = static_cast<float>(std::log1p(all) / 2);
      EXPECT_NEAR(Kokkos::log(Kokkos::complex<float>(x, y)).real(), expected, 5e-7f * std::fabs(expected) + 1e-14f)
          << x << ", " << y;
    }
}

// ---- powers, polar form -------------------------------------------------------------------------------------------

static_assert(std::is_same_v<decltype(Kokkos::pow(Kokkos::complex<float>(), 1.0f)), Kokkos::complex<float>>);
static_assert(std::is_same_v<decltype(Kokkos::pow(Kokkos::complex<float>(), 1)), Kokkos::complex<double>>);
static_assert(std::is_same_v<decltype(Kokkos::pow(1.0f, Kokkos::complex<double>())), Kokkos::complex<double>>);
static_assert(std::is_same_v<decltype(Kokkos::pow(Kokkos::complex<float>(), Kokkos::complex<long double>())),
                             Kokkos::complex<long double>>);

struct Powers {
  Kokkos::complex<double> complex, real, base, polar;
};

struct RaiseToPowers {
  KOKKOS_FUNCTION Powers operator()(Kokkos::complex<double> const& z) const {
    return {Kokkos::pow(z, Kokkos::complex<double>(0.5, -1.5)), Kokkos::pow(z, 3), Kokkos::pow(2, z),
            Kokkos::polar(Kokkos::abs(z), 1.25)};
  }
};

template <class Space>
void powers_agree() {
  using S = std::complex<double>;
  std::vector<Kokkos::complex<double>> at;
  for (int i = 0; i < 300; ++i) at.push_back(Kokkos::polar(0.05 * (i + 1), 0.7 * i));
  auto const found = evaluate_at<Space>(at, RaiseToPowers());
  for (std::size_t i = 0; i < at.size(); ++i) {
    S const z         = at[i];
    S const wanted[]  = {std::pow(z, S(0.5, -1.5)), z * z * z, std::pow(S(2), z), std::polar(std::abs(z), 1.25)};
    S const results[] = {found[i].complex, found[i].real, found[i].base, found[i].polar};
    for (int k = 0; k < 4; ++k) EXPECT_LE(std::abs(results[k] - wanted[k]), 2e-14 * std::abs(wanted[k])) << k << at[i];
  }
}

TYPED_TEST(ComplexMathTest, Powers) { powers_agree<TypeParam>(); }

constexpr double exponents[] = {0, 1, -1, 0.5, -0.5, 2, 0.001};
constexpr int exponent_count = sizeof(exponents) / sizeof(exponents[0]);
constexpr int divisor_count  = 23;

/// Powers and quotients of one number.
template <class T>
struct PowersAndQuotients {
  Kokkos::complex<T> real_power[exponent_count], power[exponent_count], quotient[divisor_count];
};

template <class T>
struct RaiseAndDivide {
  Kokkos::complex<T> exponent[exponent_count], divisor[divisor_count];

  KOKKOS_FUNCTION PowersAndQuotients<T> operator()(Kokkos::complex<T> const& z) const {
    PowersAndQuotients<T> result;
    for (int k = 0; k < exponent_count; ++k) {
      result.real_power[k] = Kokkos::pow(z, exponent[k].real());
      result.power[k]      = Kokkos::pow(z, exponent[k]);
    }
    for (int k = 0; k < divisor_count; ++k) result.quotient[k] = z / divisor[k];
    return result;
  }
};

/// Whether the distance is a small part of the magnitude; for an overflow, whether a part is infinite.
template <class T>
bool number_agrees(Kokkos::complex<T> const& found, std::complex<long double> const& wanted, long double epsilons) {
  using Limits           = std::numeric_limits<T>;
  long double const size = std::abs(wanted);
  if (size > 2 * static_cast<long double>(Limits::max())) return std::isinf(found.real()) || std::isinf(found.imag());
  if (size > static_cast<long double>(Limits::max()) / 2) return true;  // rounding decides whether a part overflows
  return std::abs(std::complex<long double>(found.real(), found.imag()) - wanted) <=
         epsilons * static_cast<long double>(Limits::epsilon()) * size +
             8 * static_cast<long double>(Limits::denorm_min());
}

template <class Space, class T>
void powers_and_quotients_agree() {
  using Wide    = std::complex<long double>;
  auto const at = extreme_points<T>();
  RaiseAndDivide<T> call;
  for (int k = 0; k < exponent_count; ++k) call.exponent[k] = static_cast<T>(exponents[k]);
  for (int k = 0; k < divisor_count; ++k) call.divisor[k] = at[static_cast<std::size_t>(k * 93 % 2116)];
  auto const found = evaluate_at<Space>(at, call);
  for (std::size_t i = 0; i < at.size(); ++i) {
    Wide const z(at[i].real(), at[i].imag());
    for (int k = 0; k < exponent_count; ++k) {
      long double const y        = call.exponent[k].real();
      Wide const wanted          = std::pow(z, y);
      long double const epsilons = 16 + 4 * std::abs(y * std::log(z));  // the error of a logarithm, times y
      EXPECT_TRUE(number_agrees(found[i].real_power[k], wanted, epsilons))
          << at[i] << "^" << y << " gave " << found[i].real_power[k] << ", not " << wanted;
      EXPECT_TRUE(number_agrees(found[i].power[k], wanted, epsilons))
          << at[i] << "^(" << y << ", 0) gave " << found[i].power[k] << ", not " << wanted;
    }
    for (int k = 0; k < divisor_count; ++k) {
      Wide const wanted = z / Wide(call.divisor[k].real(), call.divisor[k].imag());
      EXPECT_TRUE(number_agrees(found[i].quotient[k], wanted, 8))
          << at[i] << "/" << call.divisor[k] << " gave " << found[i].quotient[k] << ", not " << wanted;
    }
  }
}

TYPED_TEST(ComplexMathTest, PowersAndQuotientsOfExtremeNumbers) {
  powers_and_quotients_agree<TypeParam, float>();
  powers_and_quotients_agree<TypeParam, double>();
}

TEST(ComplexMath, InfiniteExponents) {
  using Z            = Kokkos::complex<double>;
  double const inf   = std::numeric_limits<double>::infinity();
  auto const is_zero = [](Z z) { return z == Z(0); };
  EXPECT_TRUE(is_zero(Kokkos::pow(Z(0.5), Z(inf, 0)))) << Kokkos::pow(Z(0.5), Z(inf, 0));
  EXPECT_TRUE(is_zero(Kokkos::pow(Z(-inf, 0), Z(-1, std::nan(""))))) << Kokkos::pow(Z(-inf, 0), Z(-1, std::nan("")));
  EXPECT_FALSE(std::isnan((Z(0, 1e308) / Z(-0.0, -1e-10)).imag())) << "an overflow in one part only";
}

// Annex G.5.1: a factor with an infinite part is infinite, also if its other part is no number.
TEST(ComplexMath, ProductsWithOneInfinitePart) {
  using Z          = Kokkos::complex<double>;
  double const inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (double infinite : {inf, -inf})
    for (double other : {0.0, 3.0, nan})
      for (Z const& z : {Z(infinite, other), Z(other, infinite)})
        for (Z const& finite : {Z(1, 2), Z(-1, 0), Z(0, 2)})
          for (Z const& product :
               {Kokkos::Impl::multiply_infinities(z, finite), Kokkos::Impl::multiply_infinities(finite, z)})
            EXPECT_TRUE(std::isinf(product.real()) || std::isinf(product.imag()))
                << z << " * " << finite << " = " << product;
  EXPECT_EQ(Kokkos::Impl::multiply_infinities(Z(1, 2), Z(3, 4)), Z(-5, 10));
}

// Annex G.5.1: an infinite dividend gives an infinite quotient, an infinite divisor gives zeros, with the signs of the parts.
TEST(ComplexMath, QuotientsWithInfiniteParts) {
  using Z          = Kokkos::complex<double>;
  double const inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (double sign : {1., -1.})
    for (double other : {0., 3., -3., nan})
      for (Z const& z : {Z(sign * inf, other), Z(other, sign * inf)})
        for (Z const& finite : {Z(1, 2), Z(-1, 0), Z(0, 2), Z(3e-320, 1e300), Z(1e308, 1e308)}) {
          Z const quotient = z / finite, inverse = finite / z;
          EXPECT_TRUE(std::isinf(quotient.real()) || std::isinf(quotient.imag()))
              << z << " / " << finite << " = " << quotient;
          if (other == other) {
            EXPECT_EQ(inverse, Z(0)) << finite << " / " << z;
          }
        }
  // Either part of the dividend counts, with its sign.
  for (double a : {1., -1.})
    for (double b : {1., -1.}) {
      Z const straight = Z(a * inf, 1) / Z(b, 0), turned = Z(1, a * inf) / Z(0, b);
      EXPECT_EQ(straight.real(), a * b * inf);
      EXPECT_EQ(turned.real(), a * b * inf);
      EXPECT_EQ((Z(a * inf, nan) / Z(b, 0.5)).real(), a * b * inf);
      EXPECT_EQ((Z(nan, a * inf) / Z(0.5, b)).real(), a * b * inf);
    }
}

TEST(ComplexMath, PowersOfZero) {
  using Z = Kokkos::complex<double>;
  EXPECT_EQ(Kokkos::pow(Z(), Z(2, 1)), Z());
  EXPECT_EQ(Kokkos::pow(Z(), Z()), Z(1));
  EXPECT_EQ(Kokkos::pow(Z(), 2), Z());
  EXPECT_EQ(Kokkos::pow(0, Z(1, 1)), Z());
  EXPECT_EQ(Kokkos::pow(Z(), Z(1e-300, -5)), Z());
  for (Z const exponent : {Z(0, 1), Z(0, -2)}) {
    Z const power = Kokkos::pow(Z(), exponent);  // has no limit
    EXPECT_TRUE(power.real() != power.real() && power.imag() != power.imag()) << exponent << " gave " << power;
  }
  EXPECT_EQ(Kokkos::pow(Z(4), 0.5), Z(2));
  EXPECT_EQ(Kokkos::polar(std::numeric_limits<double>::infinity()), Z(std::numeric_limits<double>::infinity()));
}

// ---- long double and half precision -------------------------------------------------------------------------------

TEST(ComplexMath, LongDoubleKeepsItsPrecision) {
  using L = std::complex<long double>;
  Kokkos::complex<long double> const z(0.3L, -1.7L);
  auto const close = [](L found, L wanted) { return std::abs(found - wanted) <= 1e-18L * std::abs(wanted); };
  EXPECT_TRUE(close(Kokkos::exp(z), std::exp(L(z))) && close(Kokkos::sqrt(z), std::sqrt(L(z))));
  EXPECT_TRUE(close(Kokkos::atanh(z), std::atanh(L(z))) && close(Kokkos::tan(z), std::tan(L(z))));
}

TEST(ComplexMath, HalfPrecisionIsRoundedFromFloat) {
  Kokkos::complex<half_t> const z(half_t(0.75), half_t(-1.5));
  Kokkos::complex<float> const wide(0.75f, -1.5f);
  EXPECT_EQ(Kokkos::exp(z), Kokkos::complex<half_t>(Kokkos::exp(wide)));
  EXPECT_EQ(Kokkos::acosh(z), Kokkos::complex<half_t>(Kokkos::acosh(wide)));
  EXPECT_EQ(Kokkos::pow(z, z), Kokkos::complex<half_t>(Kokkos::pow(wide, wide)));
  EXPECT_EQ(z * z / z, Kokkos::complex<half_t>(Kokkos::complex<half_t>(wide * wide)) / z);
  EXPECT_EQ(Kokkos::abs(z), half_t(Kokkos::abs(wide)));
}

}  // namespace
