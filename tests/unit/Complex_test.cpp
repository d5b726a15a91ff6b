// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa
/// \file
/// Complex numbers: construction, conversion from and to std::complex, arithmetic, tuple protocol, input and output.
/// Their mathematical functions are in ComplexMath_test.cpp.

#include "NumericsKernel.hpp"

#include <complex>
#include <limits>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <utility>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::half_t;
using Z = Kokkos::complex<double>;
using F = Kokkos::complex<float>;

// ---- the type -----------------------------------------------------------------------------------------------------

static_assert(std::is_trivially_copyable_v<Z> && sizeof(Z) == 16 && sizeof(Kokkos::complex<half_t>) == 4);
#ifdef KOKKOS_ENABLE_COMPLEX_ALIGN
static_assert(alignof(Z) == 16 && alignof(F) == 8 &&
              alignof(Kokkos::complex<long double>) == 2 * sizeof(long double));  // which is 8 in code for AMD GPUs
#endif
static_assert(std::is_same_v<Z::value_type, double>);

static_assert(Z() == 0.0 && Z(3).real() == 3 && Z(3).imag() == 0 && Z(1, 2).imag() == 2);
static_assert(std::is_convertible_v<float, Z> && std::is_convertible_v<F, Z> && std::is_convertible_v<Z, F>);
static_assert(!std::is_convertible_v<Z, double> && !std::is_convertible_v<char const*, Z>);
using H = Kokkos::complex<half_t>;
static_assert(std::is_constructible_v<H, F> && std::is_constructible_v<F, H> && !std::is_convertible_v<H, F>);

constexpr Z modified() {
  Z z(1, 2);
  z.real(3);
  z.imag() += 1;
  z += Z(0, 1);
  z *= 2;
  z -= 2.0;
  z /= Z(0, 2);
  return z;
}
static_assert(modified() == Z(4, -2));

static_assert(Z(1, 2) + Z(3, 5) == Z(4, 7) && Z(1, 2) - Z(3, 5) == Z(-2, -3) && Z(1, 2) * Z(3, 5) == Z(-7, 11));
static_assert(Z(-7, 11) / Z(3, 5) == Z(1, 2) && Z(6, 4) / 2 == Z(3, 2) && 10 / Z(1, 2) == Z(2, -4));
static_assert(1 - Z(3, 5) == Z(-2, -5) && Z(3, 5) - 1 == Z(2, 5) && 2.0f * Z(3, 5) == Z(6, 10));
static_assert(1 + Z(0, 1) == Z(1, 1));
static_assert(+Z(1, 2) == Z(1, 2) && -Z(1, 2) == Z(-1, -2) && Kokkos::conj(Z(1, 2)) == Z(1, -2));
static_assert(Kokkos::real(Z(1, 2)) == 1 && Kokkos::imag(Z(1, 2)) == 2);
static_assert(Z(2) == 2 && 2.0f == Z(2) && Z(2, 1) != 2 && F(0.5f, 1) == Z(0.5, 1));

static_assert(std::is_same_v<decltype(F() * F()), F> && std::is_same_v<decltype(F() * Z()), Z>);
static_assert(std::is_same_v<decltype(F() * 2), F> && std::is_same_v<decltype(2L / F()), F>);
static_assert(std::is_same_v<decltype(F() + 2.0), Z>);
static_assert(std::is_same_v<decltype(2.0L - F()), Kokkos::complex<long double>>);
static_assert(std::is_same_v<decltype(Kokkos::complex<half_t>() * 1.0f), F>);

// ---- tuple protocol -----------------------------------------------------------------------------------------------

static_assert(std::tuple_size_v<Z> == 2 && std::is_same_v<std::tuple_element_t<1, F>, float>);
static_assert(Kokkos::get<0>(Z(1, 2)) == 1 && Kokkos::get<1>(Z(1, 2)) == 2);
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Z&>())), double&>);
static_assert(std::is_same_v<decltype(Kokkos::get<0>(std::declval<Z>())), double&&>);
static_assert(std::is_same_v<decltype(Kokkos::get<1>(std::declval<Z const&>())), double const&>);
static_assert(std::is_same_v<decltype(Kokkos::get<1>(std::declval<Z const>())), double const&&>);

TEST(Complex, IsBoundToTwoNames) {
  Z z(1, 2);
  auto& [re, im] = z;
  re             = 5;
  im *= 3;
  EXPECT_EQ(z, Z(5, 6));
  auto const [a, b] = z;
  EXPECT_EQ(a + b, 11);
}

TEST(Complex, NumbersAreTheirOwnRealPart) {
  static_assert(std::is_same_v<decltype(Kokkos::real(1)), double> &&
                std::is_same_v<decltype(Kokkos::imag(1.f)), float>);
  static_assert(std::is_same_v<decltype(Kokkos::conj(1)), Z>);
  EXPECT_EQ(Kokkos::real(3), 3.);
  EXPECT_EQ(Kokkos::imag(3.5f), 0.f);
  EXPECT_EQ(Kokkos::conj(2.5), Z(2.5, 0));
  EXPECT_EQ(Kokkos::norm(Z(3, 4)), 25.);
}

/// Each function of a part, and each assignment.
template <class C>
void expect_parts() {
  using T = typename C::value_type;
  C z(T(3), T(-4));
  EXPECT_TRUE(z.real() == 3 && z.imag() == -4 && Kokkos::real(z) == 3 && Kokkos::imag(z) == -4);
  EXPECT_TRUE(Kokkos::conj(z) == C(3, 4) && Kokkos::norm(z) == 25 && Kokkos::abs(z) == 5);
  z.real() = 5, z.imag() = 6;
  EXPECT_EQ(z, C(5, 6));
  z.real(T(7)), z.imag(T(8));
  EXPECT_EQ(z, C(7, 8));
  z = T(9);
  EXPECT_EQ(z, C(9, 0));
  z = C(1, 2);
  EXPECT_EQ(z, C(1, 2));
  z = std::complex<T>(3, 4);
  EXPECT_EQ(z, C(3, 4));
}
TEST(Complex, HasParts) {
  expect_parts<F>();
  expect_parts<Z>();
}

// ---- std::complex -------------------------------------------------------------------------------------------------

double takes_standard(std::complex<double> z) { return z.real() + 10 * z.imag(); }
double takes_kokkos(Z z) { return z.real() + 10 * z.imag(); }

static_assert(std::is_convertible_v<std::complex<double>, Z> && std::is_convertible_v<Z, std::complex<double>>);
static_assert(!std::is_convertible_v<std::complex<float>, Z> && std::is_constructible_v<Z, std::complex<float>>);
static_assert(std::is_assignable_v<Z&, std::complex<double>> && std::is_assignable_v<std::complex<double>&, Z>);

TEST(Complex, ConvertsFromAndToStandard) {
  std::complex<double> const s(1, 2);
  Z z = s;
  EXPECT_EQ(takes_standard(z) + takes_kokkos(s), 42);
  z                      = std::complex<double>(3, 4);
  std::complex<double> t = z;
  t                      = t + std::complex<double>(Z(1, 1));
  z += s;
  EXPECT_EQ(z, Z(4, 6));
  EXPECT_TRUE(z == std::complex<double>(4, 6) && std::complex<double>(4, 6) == z);
  EXPECT_TRUE(z != s && s != z);
  EXPECT_EQ(t, std::complex<double>(4, 5));
  EXPECT_EQ(static_cast<std::complex<float>>(F(1, 2)), std::complex<float>(1, 2));
  EXPECT_EQ(s * Z(3, 5), Z(-7, 11));
  EXPECT_EQ(Kokkos::exp(std::complex<double>(0, 0)), Z(1));
}

TEST(Complex, IsWrittenAndReadLikeStandard) {
  std::ostringstream kokkos, standard;
  kokkos.precision(3), standard.precision(3);
  kokkos.width(12), standard.width(12);
  kokkos << Z(1.23456, -2);
  standard << std::complex<double>(1.23456, -2);
  EXPECT_EQ(kokkos.str(), standard.str());

  std::istringstream text("1.5 (2.5) (3.5,-4.5) (oops");
  Z a, b;
  F c, d(7);
  text >> a >> b >> c;
  EXPECT_TRUE(a == 1.5 && b == 2.5 && c == F(3.5f, -4.5f));
  EXPECT_FALSE(text >> d);
  EXPECT_EQ(d, F(7));
}

// ---- division -----------------------------------------------------------------------------------------------------

TEST(Complex, QuotientsNeitherOverflowNorUnderflow) {
  double const big = 1e308, small = 1e-308;
  EXPECT_DOUBLE_EQ((Z(big, big) / Z(big, big)).real(), 1);
  EXPECT_DOUBLE_EQ((Z(big, -big) / Z(big, big)).imag(), -1);
  EXPECT_DOUBLE_EQ((Z(small, small) / Z(small, small)).real(), 1);
  EXPECT_DOUBLE_EQ((Z(big, 0) / Z(1e300, 1e300)).real(), 0.5e8);
  EXPECT_DOUBLE_EQ((1 / Z(1e-300, 1e-300)).real(), 0.5e300);
  EXPECT_DOUBLE_EQ((Z(1, 1) / Z(1, 1e-320)).imag(), 1);
}

// (1 + 2i) / (3 + 4i) with each sign of each part, and with the parts exchanged, at the limits of the numbers.
TEST(Complex, QuotientsHaveTheSignsOfTheirParts) {
  for (double const scale : {1.0, 4e307, 1e-307, 4e-308})
    for (int signs = 0; signs < 16; ++signs)
      for (int exchanged = 0; exchanged < 4; ++exchanged) {
        double a = signs & 1 ? -1 : 1, b = signs & 2 ? -2 : 2, c = signs & 4 ? -3 : 3, d = signs & 8 ? -4 : 4;
        if (exchanged & 1) std::swap(a, b);
        if (exchanged & 2) std::swap(c, d);
        Z const quotient = Z(a * scale, b * scale) / Z(c * scale, d * scale);
        EXPECT_NEAR(quotient.real(), (a * c + b * d) / 25, 1e-14)
            << a << ' ' << b << ' ' << c << ' ' << d << ' ' << scale;
        EXPECT_NEAR(quotient.imag(), (b * c - a * d) / 25, 1e-14)
            << a << ' ' << b << ' ' << c << ' ' << d << ' ' << scale;
      }
}

// A divisor without an imaginary part divides both parts, each rounded once.
TEST(Complex, QuotientsByRealNumbersAreRoundedOnce) {
  for (int i = 1; i < 60; ++i)
    for (int divisor = 1; divisor < 60; ++divisor) {
      double const x = i, y = 100 - i, d = divisor;
      EXPECT_EQ(Z(x, y) / d, Z(x / d, y / d));
      EXPECT_EQ(Z(x, y) / Z(d, 0), Z(x / d, y / d));
      EXPECT_EQ(Z(x, y) / Z(0, d), Z(y / d, -x / d));
      auto const u = static_cast<float>(x), v = static_cast<float>(y), e = static_cast<float>(d);
      EXPECT_EQ(F(u, v) / e, F(u / e, v / e));
      EXPECT_EQ(F(u, v) / F(e, 0), F(u / e, v / e));
      EXPECT_EQ(F(u, v) / F(0, e), F(v / e, -u / e));
    }
}

// The ratio of the divisor's parts is too small for any number, but its product with a large part of the dividend is not.
TEST(Complex, QuotientsOfPartsWhoseRatioUnderflows) {
  auto const expect = [](Z const& found, double re, double im) {
    EXPECT_NEAR(found.real(), re, 1e-14 * std::fabs(re)) << found;
    EXPECT_NEAR(found.imag(), im, 1e-14 * std::fabs(im)) << found;
  };
  double const big = 1e200, small = 1e-200, huge = 1e300, tiny = 1e-100;
  expect(Z(tiny, huge) / Z(big, small), 2 * tiny / big, huge / big);
  expect(Z(tiny, huge) / Z(big, -small), 0, huge / big);
  expect(Z(3 * tiny, -huge) / Z(-big, small), -4 * tiny / big, huge / big);
  expect(Z(huge, tiny) / Z(big, -small), huge / big, 2 * tiny / big);
  expect(Z(huge, 3 * tiny) / Z(big, small), huge / big, 2 * tiny / big);
  expect(Z(huge, tiny) / Z(small, big), 2 * tiny / big, -huge / big);
  expect(Z(tiny, huge) / Z(-small, big), huge / big, -2 * tiny / big);
  expect(Z(-huge, 3 * tiny) / Z(small, -big), -4 * tiny / big, -huge / big);
}

TEST(Complex, QuotientsWithInfinitiesAndZeros) {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Z(1, 2) / Z(inf, 3), Z(0, 0));
  EXPECT_EQ(Z(1, 2) / Z(inf, -inf), Z(0, 0));
  EXPECT_EQ(Z(1, 2) / Z(0, 0), Z(inf, inf));
  EXPECT_EQ(Z(1, 2) / Z(-0.0, 0), Z(-inf, -inf));
  EXPECT_EQ((Z(inf, 1) / Z(1, 1)).real(), inf);
  EXPECT_TRUE((Z(1, 1) / Z(0, nan)).real() != (Z(1, 1) / Z(0, nan)).real());
}

// ---- volatile -----------------------------------------------------------------------------------------------------

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(Complex, VolatileObjectsStillWork) {
  Z volatile v;
  Z const one(1, 1);
  v = one;
  v += one;
  v *= 3.0;
  v -= static_cast<Z const volatile&>(v);
  v.real() = 4;
  Z volatile w;
  Z volatile& assigned = (w = v);
  EXPECT_EQ(&assigned, &w);
  w /= 2.0;
  Z z = w;
  EXPECT_EQ(z, Z(2, 0));
  z = v;
  EXPECT_EQ(z, Z(4, 0));
  EXPECT_EQ(static_cast<Z const volatile&>(w).real(), 2);
  w.imag() = 7;
  EXPECT_EQ(static_cast<Z const volatile&>(w).real(), 2);
  EXPECT_EQ(static_cast<Z const volatile&>(w).imag(), 7);
  EXPECT_EQ(w.real(), 2);
  EXPECT_EQ(w.imag(), 7);
}
#pragma GCC diagnostic pop
#endif

// ---- in kernels ---------------------------------------------------------------------------------------------------

struct Arithmetic {
  KOKKOS_FUNCTION Z operator()(int i) const {
    Z z(i, 1 - i);
    auto const [re, im] = z;
    z += F(1, 2) * re;
    z = (z * Z(2, -1) - 3) / Z(1, i + 1) + 2 / (z + Z(0, im + 100));
    z /= 2;
    return z == 0.0 ? Kokkos::conj(z) : -z;
  }
};

struct Standard {
  std::complex<double> operator()(int i) const {
    using S = std::complex<double>;
    S z(i, 1 - i);
    double const re = z.real(), im = z.imag();
    z += S(1, 2) * re;
    z = (z * S(2, -1) - 3.0) / S(1, i + 1) + 2.0 / (z + S(0, im + 100));
    return -(z / 2.0);
  }
};

template <class Space>
void arithmetic_agrees_with_standard() {
  auto const found = evaluate<Space>(300, Arithmetic());
  for (int i = 0; i < 300; ++i) {
    std::complex<double> const wanted = Standard()(i);
    EXPECT_LE(Kokkos::abs(found[static_cast<std::size_t>(i)] - Z(wanted)), 1e-14 * std::abs(wanted)) << i;
  }
}

template <class Space>
void sums_and_products_reduce() {
  Z sum;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Space>(0, 100), KOKKOS_LAMBDA(int i, Z& update) { update += Z(i, -1); }, sum);
  EXPECT_EQ(sum, Z(4950, -100));
  Z product;
  Kokkos::parallel_reduce(
      "product", Kokkos::RangePolicy<Space>(0, 6), KOKKOS_LAMBDA(int, Z& update) { update *= Z(0, 2); },
      Kokkos::Prod<Z>(product));
  EXPECT_EQ(product, Z(-64, 0));
}

template <class Space>
struct ComplexTest : ::testing::Test {};
TYPED_TEST_SUITE(ComplexTest, ExecutionSpaces, SpaceName);

TYPED_TEST(ComplexTest, ArithmeticInKernels) { arithmetic_agrees_with_standard<TypeParam>(); }

TYPED_TEST(ComplexTest, Reductions) { sums_and_products_reduce<TypeParam>(); }

}  // namespace
