// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Special functions of complex numbers in kernels, compared with values that were computed with 40 digits.

#include "SpecialValues.hpp"

#include <TestSpaces.hpp>

#include <Kokkos_MathematicalSpecialFunctions.hpp>

#include <cmath>

namespace {

using Complex = Kokkos::complex<double>;

using Kokkos::Testing::special_functions;

template <class Space>
Kokkos::View<Complex[special_functions], Space> values_at(Complex z) {
  Kokkos::View<Complex[special_functions], Space> const values("values");
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        namespace KE  = Kokkos::Experimental;
        Complex all[] = {KE::erf(z),
                         KE::erfcx(z),
                         KE::expint1(z),
                         KE::cyl_bessel_j0(z),
                         KE::cyl_bessel_j1(z),
                         KE::cyl_bessel_y0(z),
                         KE::cyl_bessel_y1(z),
                         KE::cyl_bessel_i0(z),
                         KE::cyl_bessel_i1(z),
                         KE::cyl_bessel_k0(z),
                         KE::cyl_bessel_k1(z),
                         KE::cyl_bessel_h10(z),
                         KE::cyl_bessel_h11(z),
                         KE::cyl_bessel_h20<Complex, double, int>(z, 25., 70),
                         KE::cyl_bessel_h21(z)};
        for (int f = 0; f < special_functions; ++f) values(f) = all[f];
      });
  return values;
}

template <class Space>
class SpecialFunctionsTest : public ::testing::Test {};
TYPED_TEST_SUITE(SpecialFunctionsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(SpecialFunctionsTest, AgreeWithKnownValues) {
  for (Kokkos::Testing::SpecialValues const& k : Kokkos::Testing::special_values) {
    auto const values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values_at<TypeParam>(k.at));
    for (int f = 0; f < special_functions; ++f) {
      if (Kokkos::isinf(abs(k.values[f]))) continue;  // the value exceeds the range of double
      EXPECT_LE(abs(values(f) - k.values[f]), 2e-13 * abs(k.values[f]))
          << Kokkos::Testing::special_names[f] << " of " << k.at;
    }
  }
}

TEST(SpecialFunctions, AtZero) {
  namespace KE = Kokkos::Experimental;
  EXPECT_EQ(KE::erf(Complex(0)), Complex(0));
  EXPECT_EQ(KE::erfcx(Complex(0)), Complex(1));
  EXPECT_EQ(KE::expint1(Complex(0)), Complex(KE::infinity_v<double>));
  EXPECT_EQ(KE::cyl_bessel_j0(Complex(0)), Complex(1));
  EXPECT_EQ(KE::cyl_bessel_i1(Complex(0)), Complex(0));
  EXPECT_EQ(KE::cyl_bessel_y0(Complex(0)).real(), -KE::infinity_v<double>);
}

TEST(SpecialFunctions, OfRealNumbers) {
  namespace KE = Kokkos::Experimental;
  EXPECT_NEAR(KE::expint1(1.0), 0.21938393439552027, 5e-16);
  EXPECT_NEAR(KE::expint1(10.0), 4.1569689296853243e-06, 1e-20);
  EXPECT_EQ(KE::expint1(0.0), KE::infinity_v<double>);
  EXPECT_EQ(KE::expint1(-0.2), -KE::infinity_v<double>);
  EXPECT_NEAR(KE::expint1(1.0f), 0.21938393f, 1e-7f);
  for (double x : {-20., -1.5, -0.0011, 0.0, 0.0011, 0.25, 0.5, 0.75, 1.0, 1.5, 5.0})
    EXPECT_NEAR(KE::erfcx(x), std::exp(x * x) * std::erfc(x), 3e-15 * std::exp(x * x)) << x;
  EXPECT_NEAR(KE::erfcx(30.0), 0.018795888861416752, 1e-16);
  EXPECT_EQ(KE::erfcx(KE::infinity_v<double>), 0.0);
  EXPECT_EQ(KE::erfcx(-KE::infinity_v<double>), KE::infinity_v<double>);
}

/// Near the nodes of a quadrature rule its terms cancel.
TEST(SpecialFunctions, SmallNumbersKeepTheirDigits) {
  for (double x : {1e-5, 0.0011, 0.01}) {
    // erfcx(z) = 1 - 2z/sqrt(pi) + z^2 - ...
    Complex const z(x, x / 2);
    Complex const series = Complex(1) - z * (2 * Kokkos::numbers::inv_sqrtpi) + z * z -
                           z * z * z * (4 * Kokkos::numbers::inv_sqrtpi / 3) + z * z * z * z / 2.;
    Complex const value = Kokkos::Experimental::erfcx(z);
    EXPECT_NEAR(value.real(), series.real(), 2e-15 + x * x * x * x * x);
    EXPECT_NEAR(value.imag(), series.imag(), 2e-15 + x * x * x * x * x);
  }
}

// The real part of erfcx(ix) is exp(-x^2). x is at, between and beside the nodes of the quadrature rules, which are the
// multiples of half of `step`.
TEST(SpecialFunctions, NodesOfTheQuadratureAreNoPoles) {
  double const step = std::sqrt(Kokkos::numbers::pi / 12);
  for (int eighth = 1; eighth <= 100; ++eighth)
    for (double beside : {0.0, 1e-12, 1e-7, 1e-3, -1e-7})
      for (double sign : {1.0, -1.0}) {
        double const x      = eighth * step / 8 + beside;
        Complex const value = Kokkos::Experimental::erfcx(Complex(0, sign * x));
        EXPECT_NEAR(value.real(), std::exp(-x * x), 1e-15) << x;
        // The imaginary part is that of Dawson's function, which has one maximum, at 0.924.
        Complex const next = Kokkos::Experimental::erfcx(Complex(0, sign * (x + 1e-2)));
        EXPECT_EQ(Kokkos::fabs(next.imag()) < Kokkos::fabs(value.imag()), x > 0.919) << x;
      }
}

TEST(SpecialFunctions, OnTheNegativeAxis) {
  // E1(-1 + 0i) = -Ei(1) - i pi
  Complex const e = Kokkos::Experimental::expint1(Complex(-1, 0));
  EXPECT_NEAR(e.real(), -1.8951178163559368, 1e-14);
  EXPECT_NEAR(e.imag(), -Kokkos::numbers::pi, 1e-14);
  // J0 is even, so it is the common part of the Hankel functions of both kinds there.
  Complex const h1 = Kokkos::Experimental::cyl_bessel_h10(Complex(-2, 0));
  Complex const h2 = Kokkos::Experimental::cyl_bessel_h20(Complex(-2, 0));
  EXPECT_NEAR(((h1 + h2) / 2.).real(), 0.22389077914123567, 1e-14);
}

}  // namespace
