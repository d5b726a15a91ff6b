// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Numeric traits: their values, their absence for types to which they do not apply, and their use in kernels.

#include "NumericsKernel.hpp"

#include <limits>
#include <type_traits>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::bhalf_t;
using Kokkos::Experimental::half_t;

template <class T>
constexpr bool integer_traits_agree() {
  using L = std::numeric_limits<T>;
  return Kokkos::finite_min_v<T> == L::lowest() && Kokkos::finite_max_v<T> == L::max() &&
         Kokkos::digits_v<T> == L::digits && Kokkos::digits10_v<T> == L::digits10 && Kokkos::radix_v<T> == L::radix;
}
static_assert(integer_traits_agree<bool>() && integer_traits_agree<char>() && integer_traits_agree<signed char>());
static_assert(integer_traits_agree<short>() && integer_traits_agree<int>() && integer_traits_agree<unsigned>());
static_assert(integer_traits_agree<long long>() && integer_traits_agree<unsigned long long>());

template <class T>
constexpr bool floating_point_traits_agree() {
  using L = std::numeric_limits<T>;
  return integer_traits_agree<T>() && Kokkos::infinity_v<T> == L::infinity() && Kokkos::epsilon_v<T> == L::epsilon() &&
         Kokkos::round_error_v<T> == L::round_error() && Kokkos::norm_min_v<T> == L::min() &&
         Kokkos::denorm_min_v<T> == L::denorm_min() && Kokkos::quiet_NaN_v<T> != Kokkos::quiet_NaN_v<T> &&
         Kokkos::signaling_NaN_v<T> != Kokkos::signaling_NaN_v<T> && Kokkos::max_digits10_v<T> == L::max_digits10 &&
         Kokkos::min_exponent_v<T> == L::min_exponent && Kokkos::min_exponent10_v<T> == L::min_exponent10 &&
         Kokkos::max_exponent_v<T> == L::max_exponent && Kokkos::max_exponent10_v<T> == L::max_exponent10;
}
static_assert(floating_point_traits_agree<float>() && floating_point_traits_agree<double>());
static_assert(floating_point_traits_agree<long double>());

template <class T>
concept HasInfinity = requires { Kokkos::infinity<T>::value; };
template <class T>
concept HasEpsilon = requires { Kokkos::epsilon<T>::value; };
template <class T>
concept HasMax = requires { Kokkos::finite_max<T>::value; };
template <class T>
concept HasExponent = requires { Kokkos::max_exponent<T>::value; };
struct NoNumber {};
static_assert(HasInfinity<double> && !HasInfinity<int> && !HasInfinity<NoNumber> && !HasEpsilon<long>);
static_assert(HasMax<int> && HasMax<half_t> && !HasMax<NoNumber> && !HasMax<void*> && !HasExponent<int>);

// Qualified types have the same traits, with the unqualified types, as unqualified ones.
static_assert(Kokkos::digits_v<double const> == 53 && Kokkos::finite_max_v<int volatile> == Kokkos::finite_max_v<int>);
static_assert(std::is_same_v<decltype(Kokkos::finite_max_v<int const>), int const>);

// The names in releases before 5.2.
static_assert(Kokkos::Experimental::epsilon_v<float> == Kokkos::epsilon_v<float>);
static_assert(std::is_same_v<Kokkos::Experimental::infinity<double>, Kokkos::infinity<double>>);

static_assert(Kokkos::digits_v<half_t> == 11 && Kokkos::digits_v<bhalf_t> == 8 && Kokkos::radix_v<half_t> == 2);
static_assert(Kokkos::finite_max_v<half_t> == 65504 && Kokkos::finite_min_v<half_t> == -65504);
static_assert(Kokkos::norm_min_v<half_t> == 0x1p-14f && Kokkos::denorm_min_v<half_t> == 0x1p-24f);
static_assert(Kokkos::epsilon_v<half_t> == 0x1p-10f && Kokkos::round_error_v<half_t> == 0.5f);
static_assert(Kokkos::infinity_v<half_t> == Kokkos::infinity_v<float>);
static_assert(Kokkos::quiet_NaN_v<half_t> != Kokkos::quiet_NaN_v<half_t>);
static_assert(Kokkos::signaling_NaN_v<half_t>.bits() != Kokkos::quiet_NaN_v<half_t>.bits());
static_assert(Kokkos::finite_max_v<bhalf_t> == 0x1.fep127f && Kokkos::finite_min_v<bhalf_t> == -0x1.fep127f);
static_assert(Kokkos::norm_min_v<bhalf_t> == 0x1p-126f && Kokkos::denorm_min_v<bhalf_t> == 0x1p-133f);
static_assert(Kokkos::epsilon_v<bhalf_t> == 0x1p-7f && Kokkos::round_error_v<bhalf_t> == 0.5f);
static_assert(Kokkos::infinity_v<bhalf_t> == Kokkos::infinity_v<float>);
static_assert(Kokkos::signaling_NaN_v<bhalf_t> != Kokkos::signaling_NaN_v<bhalf_t>);

/// The exponents follow from the extreme numbers, the decimal digits from the binary ones.
template <class T>
constexpr bool characteristics_fit() {
  double power = 1;
  int exponent = 0;
  for (; power <= static_cast<double>(Kokkos::finite_max_v<T>); power *= 2) ++exponent;
  bool fits = exponent == Kokkos::max_exponent_v<T>;
  power     = 0.5;
  exponent  = 0;
  for (; power > static_cast<double>(Kokkos::norm_min_v<T>); power /= 2) --exponent;
  fits = fits && exponent == Kokkos::min_exponent_v<T>;
  return fits && Kokkos::digits10_v<T> == static_cast<int>((Kokkos::digits_v<T> - 1) * 0.30103) &&
         Kokkos::max_digits10_v<T> == static_cast<int>(Kokkos::digits_v<T> * 0.30103) + 2;
}
static_assert(characteristics_fit<float>() && characteristics_fit<half_t>() && characteristics_fit<bhalf_t>());

template <class T>
struct Trait {
  KOKKOS_FUNCTION double operator()(int i) const {
    switch (i) {
      case 0:
        return static_cast<double>(Kokkos::infinity_v<T>);
      case 1:
        return static_cast<double>(Kokkos::finite_min_v<T>);
      case 2:
        return static_cast<double>(Kokkos::finite_max_v<T>);
      case 3:
        return static_cast<double>(Kokkos::epsilon_v<T>);
      case 4:
        return static_cast<double>(Kokkos::round_error_v<T>);
      case 5:
        return static_cast<double>(Kokkos::norm_min_v<T>);
      case 6:
        return Kokkos::quiet_NaN_v<T> != Kokkos::quiet_NaN_v<T>;
      default:
        return Kokkos::digits_v<T> + Kokkos::max_exponent_v<T>;
    }
  }
};

template <class Space, class T>
void is_same_in_kernel() {
  auto const values = evaluate<Space>(8, Trait<T>());
  for (int i = 0; i < 8; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], Trait<T>()(i)) << i;
}

template <class Space>
struct NumericTraitsTest : ::testing::Test {};
TYPED_TEST_SUITE(NumericTraitsTest, ExecutionSpaces, SpaceName);

TYPED_TEST(NumericTraitsTest, AreTheSameInKernels) {
  is_same_in_kernel<TypeParam, float>();
  is_same_in_kernel<TypeParam, double>();
  is_same_in_kernel<TypeParam, half_t>();
  is_same_in_kernel<TypeParam, bhalf_t>();
}

}  // namespace
