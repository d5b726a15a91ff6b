// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Special functions of complex numbers in kernels, compared with values that were computed with 40 digits.

#include <TestSpaces.hpp>

#include <Kokkos_MathematicalSpecialFunctions.hpp>

#include <cmath>
#include <iterator>

namespace {

using Complex = Kokkos::complex<double>;

char const* const names[] = {"erf", "erfcx", "expint1", "j0",  "j1",  "y0",  "y1", "i0",
                             "i1",  "k0",    "k1",      "h10", "h11", "h20", "h21"};
constexpr int functions   = 15;

struct Known {
  Complex at;
  Complex values[functions];
};
// clang-format off
const Known known[] = {
    {{0.5, 0.25},
     {{0.54868936055376216, 0.22199095428837334}, {0.5937088515052158, -0.12476492296402975}, {0.45944998817799981, -0.26751135083437477}, {0.95271009715390975, -0.061039853225906521}, {0.24795115470221499, 0.11436217382852286}, {-0.37479566289352539, 0.3467087511479075}, {-1.2403713257034619, 0.50034960697280695}, {1.0464353015910286, 0.063969471186576254}, {0.25185556358808497, 0.1358463567516793}, {0.80576644511862727, -0.37585233622392378}, {1.2340656284732971, -0.85408286427325153}, {0.60600134600600231, -0.43583551611943194}, {-0.25239845227059188, -1.1260091518749391}, {1.2994188483018172, 0.3137558096676189}, {0.74830076167502191, 1.3547334995319849}}},
    {{3.0, -2.0},
     {{0.99896327885681724, 1.1546724379290603e-05}, {0.13075746966984858, 0.081112650477456652}, {-0.0090959208747947301, 0.0069001792622124924}, {-1.2492348796074222, 0.94798379205773475}, {0.78014884857925382, 1.2609820602388484}, {1.0008031965548903, 1.2314416093034275}, {1.2858493414635994, -0.72508125324193906}, {-0.46951719204407016, -4.3137884094689225}, {-0.81278094107357801, -3.7806829613713}, {-0.020787225587429771, 0.024312663567167655}, {-0.024809520070151529, 0.025570749056351798}, {-2.4806764889108499, 1.948786988612625}, {1.5052301018211929, 2.5468314017024478}, {-0.017793270303994597, -0.05281940449715538}, {0.055067595337314715, -0.024867281224750938}}},
    {{-4.0, 7.0},
     {{13259529390628.82, 7178870339253.9932}, {-0.035263808418037584, -0.060755031098876713}, {-6.3361304469893174, -3.1228937525173182}, {-129.81227143510955, -86.947719943406398}, {86.430030600992183, -119.85587803835263}, {86.947832185696299, -129.81249810375652}, {119.85563609112438, 86.429919067497678}, {7.6076647331490372, -1.3590753381470677}, {-7.3027429685326464, 1.7390610580666155}, {-4.2669806082967527, -23.892625336939915}, {-5.4657917841532004, -22.950180261219195}, {0.00022666864696671649, 0.00011224228990766263}, {0.00011153349450276644, -0.00024194722824787896}, {-259.62476953886608, -173.8955521291027}, {172.85994966848986, -239.71151412947702}}},
    {{30.0, 5.0},
     {{1, -8.6020378273785696e-46}, {0.018289230001030467, -0.003044918133625361}, {1.2915471612495815e-15, 2.6886717329166354e-15}, {-5.6339379855701521, 9.1466181158896838}, {-9.2154039029126658, -5.4701143283728708}, {-9.1473523019083824, -5.633297769498097}, {5.4707444843562625, -9.2146572890141627}, {157514633799.89233, -760094971403.42651}, {157028907008.00504, -747235851320.03857}, {7.6502788258661744e-15, 1.9751666758805441e-14}, {7.825944442489198e-15, 2.0049156730322773e-14}, {-0.00064021607205514677, -0.00073418601869835228}, {-0.000746613898502763, 0.00063015598339111927}, {-11.267235755068249, 18.293970417798068}, {-18.430061191926828, -10.940858812729134}}},
    {{-12.0, -0.5},
     {{-1, -2.7549247660151214e-46}, {4.5407653670417005e+62, -2.8872907423561123e+62}, {-13433.086419170975, -6541.5069360844554}, {0.056196719559848042, 0.11628499388496207}, {0.25103191962679211, -0.034912781963125084}, {-0.02078160248452986, -0.082256056979179565}, {-0.0031043097039155508, -0.38737175741260749}, {16811.287803716379, 8724.4575700243295}, {-16080.275158839851, -8383.843942998561}, {-27408.69180663563, 52814.218260445181}, {-26338.622542152261, 50517.674307855421}, {0.1384527765390276, 0.095503391400432208}, {0.6384036770393996, -0.038017091667040634}, {-0.026059337419331516, 0.13706659636949192}, {-0.13633983778581535, -0.031808472259209533}}},
};
// clang-format on

template <class Space>
Kokkos::View<Complex[functions], Space> values_at(Complex z) {
  Kokkos::View<Complex[functions], Space> const values("values");
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
        for (int f = 0; f < functions; ++f) values(f) = all[f];
      });
  return values;
}

template <class Space>
class SpecialFunctionsTest : public ::testing::Test {};
TYPED_TEST_SUITE(SpecialFunctionsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(SpecialFunctionsTest, AgreeWithKnownValues) {
  for (Known const& k : known) {
    auto const values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values_at<TypeParam>(k.at));
    for (int f = 0; f < functions; ++f)
      EXPECT_LE(abs(values(f) - k.values[f]), 2e-13 * abs(k.values[f])) << names[f] << " of " << k.at;
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
