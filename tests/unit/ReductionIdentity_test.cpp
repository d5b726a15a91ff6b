// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// reduction_identity: each identity leaves every value unchanged, including extreme values.

#include "NumericsKernel.hpp"

#include <limits>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Kokkos::reduction_identity;
using Kokkos::Experimental::bhalf_t;
using Kokkos::Experimental::half_t;

template <class T>
constexpr bool integer_identities_hold() {
  using I          = reduction_identity<T>;
  T const values[] = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(0), T(1), T(85), T(-1)};
  for (T x : values) {
    if (T(I::sum() + x) != x || T(I::prod() * x) != x) return false;
    if ((I::max() < x ? x : I::max()) != x || (x < I::min() ? x : I::min()) != x) return false;
    if (T(I::band() & x) != x || T(I::bor() | x) != x) return false;
    if ((I::land() && x) != (x != 0) || (I::lor() || x) != (x != 0)) return false;
  }
  return true;
}
static_assert(integer_identities_hold<bool>() && integer_identities_hold<char>());
static_assert(integer_identities_hold<signed char>() && integer_identities_hold<unsigned char>());
static_assert(integer_identities_hold<short>() && integer_identities_hold<unsigned short>());
static_assert(integer_identities_hold<int>() && integer_identities_hold<unsigned>());
static_assert(integer_identities_hold<long>() && integer_identities_hold<unsigned long>());
static_assert(integer_identities_hold<long long>() && integer_identities_hold<unsigned long long>());

template <class T>
constexpr bool floating_point_identities_hold() {
  using I          = reduction_identity<T>;
  T const values[] = {Kokkos::finite_min_v<T>, Kokkos::finite_max_v<T>, T(0), T(0.5), T(-1)};
  for (T x : values) {
    if (I::sum() + x != x || I::prod() * x != x) return false;
    if ((I::max() < x ? x : I::max()) != x || (x < I::min() ? x : I::min()) != x) return false;
  }
  // Programs compare the result of an empty range with these.
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  return I::max() == Kokkos::finite_min_v<T> && I::min() == Kokkos::finite_max_v<T>;
#else
  return I::max() == -Kokkos::infinity_v<T> && I::min() == Kokkos::infinity_v<T>;
#endif
}
static_assert(floating_point_identities_hold<float>() && floating_point_identities_hold<double>());
static_assert(floating_point_identities_hold<long double>());
static_assert(floating_point_identities_hold<half_t>() && floating_point_identities_hold<bhalf_t>());

TEST(ReductionIdentities, HoldAtRunTimeToo) {
  EXPECT_TRUE(integer_identities_hold<bool>());
  EXPECT_TRUE(integer_identities_hold<signed char>());
  EXPECT_TRUE(integer_identities_hold<unsigned>());
  EXPECT_TRUE(integer_identities_hold<long long>());
  EXPECT_TRUE(floating_point_identities_hold<float>());
  EXPECT_TRUE(floating_point_identities_hold<double>());
  EXPECT_TRUE(floating_point_identities_hold<half_t>());
  EXPECT_EQ(reduction_identity<Kokkos::complex<double>>::sum(), 0.0);
  EXPECT_EQ(reduction_identity<Kokkos::complex<double>>::prod(), 1.0);
}

static_assert(reduction_identity<Kokkos::complex<double>>::sum() == 0.0);
static_assert(reduction_identity<Kokkos::complex<float>>::prod() == 1.0f);

template <class T>
concept HasMax = requires { reduction_identity<T>::max(); };
template <class T>
concept HasBitAnd = requires { reduction_identity<T>::band(); };
static_assert(HasMax<double> && HasMax<int> && !HasMax<Kokkos::complex<double>> && !HasBitAnd<double>);

struct Vector {
  double x, y;
};

}  // namespace

template <>
struct Kokkos::reduction_identity<Vector> {
  KOKKOS_FUNCTION static Vector sum() { return {0, 0}; }
};

namespace {

struct Identities {
  KOKKOS_FUNCTION double operator()(int i) const {
    switch (i) {
      case 0:
        return reduction_identity<double>::max();
      case 1:
        return reduction_identity<float>::min();
      case 2:
        return reduction_identity<int>::max();
      case 3:
        return static_cast<double>(reduction_identity<half_t>::min());
      case 4:
        return reduction_identity<Kokkos::complex<double>>::prod().real();
      default:
        return reduction_identity<Vector>::sum().x;
    }
  }
};

template <class Space>
struct ReductionIdentityTest : ::testing::Test {};
TYPED_TEST_SUITE(ReductionIdentityTest, ExecutionSpaces, SpaceName);

TYPED_TEST(ReductionIdentityTest, IsAvailableInKernels) {
  double const lowest  = std::numeric_limits<double>::lowest();
  double const largest = std::numeric_limits<float>::max();
  auto const found     = evaluate<TypeParam>(6, Identities());
  EXPECT_EQ(found, (std::vector<double>{lowest, largest, double(std::numeric_limits<int>::min()), 65504, 1, 0}));
}

}  // namespace
