// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// The mathematical constants, on the host and in kernels.

#include "NumericsKernel.hpp"

#include <cmath>
#include <type_traits>

namespace {

using namespace Kokkos::Testing;
namespace numbers = Kokkos::numbers;

static_assert(std::is_same_v<decltype(numbers::pi_v<float>), float const>);
static_assert(numbers::pi == numbers::pi_v<double> && numbers::e == numbers::e_v<double>);
static_assert(numbers::pi_v<long double> * numbers::inv_pi_v<long double> > 0.9999999999999999L);

template <class T>
void is_consistent() {
  T const eps = 4 * std::numeric_limits<T>::epsilon();
  EXPECT_NEAR(numbers::e_v<T>, std::exp(T(1)), eps);
  EXPECT_NEAR(numbers::log2e_v<T>, std::log2(std::exp(T(1))), eps);
  EXPECT_NEAR(numbers::log10e_v<T>, std::log10(std::exp(T(1))), eps);
  EXPECT_NEAR(numbers::pi_v<T>, std::acos(T(-1)), eps);
  EXPECT_NEAR(numbers::inv_pi_v<T>, T(1) / std::acos(T(-1)), eps);
  EXPECT_NEAR(numbers::inv_sqrtpi_v<T>, T(1) / std::sqrt(std::acos(T(-1))), eps);
  EXPECT_NEAR(numbers::ln2_v<T>, std::log(T(2)), eps);
  EXPECT_NEAR(numbers::ln10_v<T>, std::log(T(10)), eps);
  EXPECT_NEAR(numbers::sqrt2_v<T>, std::sqrt(T(2)), eps);
  EXPECT_NEAR(numbers::sqrt3_v<T>, std::sqrt(T(3)), eps);
  EXPECT_NEAR(numbers::inv_sqrt3_v<T>, T(1) / std::sqrt(T(3)), eps);
  EXPECT_NEAR(numbers::egamma_v<T>, T(0.577215664901532860606512090082L), eps);
  EXPECT_NEAR(numbers::phi_v<T>, (T(1) + std::sqrt(T(5))) / T(2), eps);
}

TEST(MathematicalConstants, AreWhatTheyAreCalled) {
  is_consistent<float>();
  is_consistent<double>();
  is_consistent<long double>();
}

template <class T>
struct Constant {
  KOKKOS_FUNCTION T operator()(int i) const {
    switch (i) {
      case 0:
        return numbers::e_v<T>;
      case 1:
        return numbers::log2e_v<T>;
      case 2:
        return numbers::log10e_v<T>;
      case 3:
        return numbers::pi_v<T>;
      case 4:
        return numbers::inv_pi_v<T>;
      case 5:
        return numbers::inv_sqrtpi_v<T>;
      case 6:
        return numbers::ln2_v<T>;
      case 7:
        return numbers::ln10_v<T>;
      case 8:
        return numbers::sqrt2_v<T>;
      case 9:
        return numbers::sqrt3_v<T>;
      case 10:
        return numbers::inv_sqrt3_v<T>;
      case 11:
        return numbers::egamma_v<T>;
      default:
        return numbers::phi_v<T>;
    }
  }
};

template <class Space, class T>
void is_same_in_kernel() {
  auto const values = evaluate<Space>(13, Constant<T>());
  for (int i = 0; i < 13; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], Constant<T>()(i));
}

template <class Space>
struct MathematicalConstantsTest : ::testing::Test {};
TYPED_TEST_SUITE(MathematicalConstantsTest, ExecutionSpaces, SpaceName);

TYPED_TEST(MathematicalConstantsTest, AreTheSameInKernels) {
  is_same_in_kernel<TypeParam, float>();
  is_same_in_kernel<TypeParam, double>();
}

}  // namespace
