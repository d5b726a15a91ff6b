// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each operation on vectors of every width and type, compared lane by lane with the same operation on single values.

#include <Kokkos_SIMD.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "SIMDTest.hpp"
#include "TestSpaces.hpp"

namespace {

using namespace Kokkos::Testing;

template <class C>
class SIMD : public testing::Test {};
TYPED_TEST_SUITE(SIMD, SIMDCases);

TYPED_TEST(SIMD, OperatorsActOnEachLane) {
  using Value   = typename TypeParam::Value;
  using T       = typename Value::value_type;
  Value const a = sample<Value>(5), b = sample<Value>(2);
  expect_lanes(a + b, [&](std::size_t i) { return T(a[i] + b[i]); });
  expect_lanes(a - b, [&](std::size_t i) { return T(a[i] - b[i]); });
  expect_lanes(a * b, [&](std::size_t i) { return T(a[i] * b[i]); });
  expect_lanes(a / b, [&](std::size_t i) { return T(a[i] / b[i]); });
  expect_lanes(-a, [&](std::size_t i) { return T(-a[i]); });
  expect_lanes(a * T(2), [&](std::size_t i) { return T(a[i] * 2); });
  Value c = a;
  c += b;
  c *= Value(3);
  c -= T(1);
  c /= b;
  expect_lanes(c, [&](std::size_t i) { return T(((a[i] + b[i]) * 3 - 1) / b[i]); });
  Value const before = c++;
  expect_lanes(before, [&](std::size_t i) { return T(c[i] - 1); });
}

TYPED_TEST(SIMD, BitsOfIntegers) {
  using Value = typename TypeParam::Value;
  using T     = typename Value::value_type;
  if constexpr (std::is_integral_v<T>) {
    Value const a = sample<Value>(37), b = sample<Value>(1);
    expect_lanes(a & b, [&](std::size_t i) { return T(a[i] & b[i]); });
    expect_lanes(a | b, [&](std::size_t i) { return T(a[i] | b[i]); });
    expect_lanes(a ^ b, [&](std::size_t i) { return T(a[i] ^ b[i]); });
    expect_lanes(~a, [&](std::size_t i) { return T(~a[i]); });
    expect_lanes(a << b, [&](std::size_t i) { return T(a[i] << b[i]); });
    expect_lanes(a >> 2, [&](std::size_t i) { return T(a[i] >> 2); });
  } else {
    static_assert(!requires(Value v) { v & v; }, "Floating-point vectors have no operators for bits.");
    static_assert(!requires(Value v) { v << v; });
  }
}

TYPED_TEST(SIMD, ComparisonsMakeMasks) {
  using Value   = typename TypeParam::Value;
  using Mask    = typename TypeParam::Mask;
  Value const a = sample<Value>(1);
  Value const b(4);  // equal in the second lane, if there is one
  expect_lanes(a < b, [&](std::size_t i) { return a[i] < b[i]; });
  expect_lanes(a <= b, [&](std::size_t i) { return a[i] <= b[i]; });
  expect_lanes(a > b, [&](std::size_t i) { return a[i] > b[i]; });
  expect_lanes(a >= b, [&](std::size_t i) { return a[i] >= b[i]; });
  expect_lanes(a == b, [&](std::size_t i) { return a[i] == b[i]; });
  expect_lanes(a != b, [&](std::size_t i) { return a[i] != b[i]; });
  EXPECT_TRUE(all_of(a == a));
  EXPECT_TRUE(none_of(a != a));
  EXPECT_TRUE(any_of(a < b));
  EXPECT_EQ(all_of(a < b), Value::size() == 1);
  static_assert(std::is_same_v<decltype(a < b), Mask>);
}

TYPED_TEST(SIMD, MasksAreLogical) {
  using Mask = typename TypeParam::Mask;
  Mask const even([](std::size_t i) { return i % 2 == 0; });
  Mask const third([](std::size_t i) { return i % 3 == 0; });
  for (std::size_t i = 0; i < Mask::size(); ++i) {
    bool const a = even[i], b = third[i];
    EXPECT_EQ((even && third)[i], a && b);
    EXPECT_EQ((even || third)[i], a || b);
    EXPECT_EQ((even ^ third)[i], a != b);
    EXPECT_EQ((!even)[i], !a);
    EXPECT_EQ((even == third)[i], a == b);
    EXPECT_EQ((even != third)[i], a != b);
    EXPECT_EQ((even < third)[i], a < b);
    EXPECT_EQ((even <= third)[i], a <= b);
    EXPECT_EQ((even > third)[i], a > b);
    EXPECT_EQ((even >= third)[i], a >= b);
  }
  EXPECT_TRUE(all_of(Mask(true)));
  EXPECT_TRUE(none_of(Mask(false)));
  EXPECT_FALSE(any_of(Mask(false)));
  for (bool const value : {false, true})
    EXPECT_TRUE(Kokkos::Experimental::all_of(value) == value && Kokkos::Experimental::any_of(value) == value &&
                Kokkos::Experimental::none_of(value) == !value);
}

TYPED_TEST(SIMD, WhereChangesSelectedLanes) {
  using Value   = typename TypeParam::Value;
  using Mask    = typename TypeParam::Mask;
  using T       = typename Value::value_type;
  Value const a = sample<Value>(4);
  Mask const odd([](std::size_t i) { return i % 2 == 1; });
  Value b       = a;
  where(odd, b) = T(1);
  expect_lanes(b, [&](std::size_t i) { return i % 2 ? T(1) : a[i]; });
  where(!odd, b) += a;
  expect_lanes(b, [&](std::size_t i) { return i % 2 ? T(1) : T(a[i] + a[i]); });
  Value product = a, difference = a;
  where(odd, product) *= Value(T(3));
  expect_lanes(product, [&](std::size_t i) { return i % 2 ? T(a[i] * T(3)) : a[i]; });
  where(odd, difference) -= Value(T(1));
  expect_lanes(difference, [&](std::size_t i) { return i % 2 ? T(a[i] - T(1)) : a[i]; });
  Value quotient = a;
  where(odd, quotient) /= Value([](std::size_t i) { return T(i % 2 ? 2 : 0); });  // 0 where nothing is divided
  expect_lanes(quotient, [&](std::size_t i) { return i % 2 ? T(a[i] / T(2)) : a[i]; });
  T memory[Value::size()];
  for (T& x : memory) x = T(9);
  where(odd, a).copy_to(memory, KE::simd_flag_default);
  for (std::size_t i = 0; i < Value::size(); ++i) EXPECT_EQ(memory[i], i % 2 ? a[i] : T(9));
  expect_lanes(KE::condition(odd, a, Value(2)), [&](std::size_t i) { return i % 2 ? a[i] : T(2); });
}

TYPED_TEST(SIMD, Reductions) {
  using Value   = typename TypeParam::Value;
  using Mask    = typename TypeParam::Mask;
  using T       = typename Value::value_type;
  Value const a = sample<Value>(2);
  T sum = 0, product = 1, odd_sum = 0;
  for (std::size_t i = 0; i < Value::size(); ++i) {
    sum     = T(sum + a[i]);
    product = T(product * a[i]);
    if (i % 2) odd_sum = T(odd_sum + a[i]);
  }
  Mask const odd([](std::size_t i) { return i % 2 == 1; });
  EXPECT_EQ(KE::reduce(a), sum);
  EXPECT_EQ(KE::reduce(a, std::multiplies<>()), product);
  EXPECT_EQ(KE::reduce(a, odd), odd_sum);
  EXPECT_EQ(KE::reduce(a, Mask(false), std::multiplies<>(), T(12)), T(12)) << "no lane is selected";
  EXPECT_EQ(KE::reduce_min(a), a[0]);
  EXPECT_EQ(KE::reduce_max(a), a[Value::size() - 1]);
  EXPECT_EQ(KE::reduce_max(a, Mask([](std::size_t i) { return i == 0; })), a[0]);
}

template <class T>
bool same_number(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
  else
    return a == b;
}

/// op over the selected lanes, one after the other; `otherwise` if none is selected.
template <class Value, class Op>
typename Value::value_type fold(Value const& value, unsigned selected, Op const& op,
                                typename Value::value_type otherwise) {
  using T    = typename Value::value_type;
  T result   = otherwise;
  bool first = true;
  for (std::size_t i = 0; i < Value::size(); ++i) {
    if ((selected >> i & 1u) == 0) continue;
    result = first ? value[i] : T(op(result, value[i]));
    first  = false;
  }
  return result;
}

/// Vectors of zeros, limits and infinities; the last are of one kind in all lanes.
template <class Value>
std::vector<Value> extreme_vectors() {
  using T = typename Value::value_type;
  using L = std::numeric_limits<T>;
  std::vector<T> values{T(0), T(1), L::lowest(), L::max(), L::min()};
  if constexpr (std::is_floating_point_v<T>)
    values.insert(values.end(), {T(-0.0), L::infinity(), -L::infinity(), L::denorm_min()});
  std::vector<Value> vectors;
  for (std::size_t shift = 0; shift < values.size(); ++shift)
    vectors.push_back(Value([&](std::size_t i) { return values[(i * 2 + shift) % values.size()]; }));
  for (T value : values) vectors.push_back(Value(value));
  return vectors;
}

template <class T>
struct Smaller {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct Larger {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

TYPED_TEST(SIMD, MaskedReductionsUseOnlyTheSelectedLanes) {
  using Value    = typename TypeParam::Value;
  using Mask     = typename TypeParam::Mask;
  using T        = typename Value::value_type;
  using Identity = Kokkos::reduction_identity<T>;
  for (Value const& value : extreme_vectors<Value>()) {
    for (unsigned selected = 0; selected < (1u << Value::size()); ++selected) {
      Mask const mask([=](std::size_t i) { return (selected >> i & 1u) != 0; });
      auto const expect = [&](char const* what, T found, T right) {
        EXPECT_TRUE(same_number(found, right)) << what << " of mask " << selected << ": " << found << ", not " << right
                                               << ", where the first lane is " << value[0];
      };
      T const smallest = fold(value, selected, Smaller<T>(), Identity::min());
      T const largest  = fold(value, selected, Larger<T>(), Identity::max());
      // Which zero is the smaller one is unspecified.
      expect("reduce_min", KE::reduce_min(value, mask) + T(0), smallest + T(0));
      expect("reduce_max", KE::reduce_max(value, mask) + T(0), largest + T(0));
      expect("hmin", KE::hmin(KE::where(mask, value)) + T(0), smallest + T(0));
      expect("hmax", KE::hmax(KE::where(mask, value)) + T(0), largest + T(0));
      // Identities that are not neutral.
      expect("reduce with an own minimum", KE::reduce(value, mask, Smaller<T>(), T(1)) + T(0),
             fold(value, selected, Smaller<T>(), T(1)) + T(0));
      expect("reduce of where", KE::reduce(KE::where(mask, value), T(2), Larger<T>()) + T(0),
             fold(value, selected, Larger<T>(), T(2)) + T(0));
      if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;  // sums of limits wrap
        KE::basic_simd<U, typename Value::abi_type> const bits(value);
        KE::basic_simd_mask<U, typename Value::abi_type> const of_bits(mask);
        auto const sum = fold(bits, selected, std::plus<>(), U(0));
        expect("sum", static_cast<T>(KE::reduce(bits, of_bits)), static_cast<T>(sum));
        expect("bit_and", KE::reduce(value, mask, std::bit_and<>()), fold(value, selected, std::bit_and<>(), T(~T(0))));
        expect("bit_or", KE::reduce(value, mask, std::bit_or<>()), fold(value, selected, std::bit_or<>(), T(0)));
        expect("bit_xor", KE::reduce(value, mask, std::bit_xor<>(), T(7)),
               fold(value, selected, std::bit_xor<>(), T(7)));
      } else if ((selected & (selected - 1)) == 0) {  // more lanes may be rounded in another order
        expect("sum", KE::reduce(value, mask), fold(value, selected, std::plus<>(), T(0)));
        expect("sum with an identity of 3", KE::reduce(value, mask, std::plus<>(), T(3)),
               fold(value, selected, std::plus<>(), T(3)));
        expect("product", KE::reduce(value, mask, std::multiplies<T>(), T(5)),
               fold(value, selected, std::multiplies<>(), T(5)));
      }
    }
  }
}

TYPED_TEST(SIMD, MathematicalFunctions) {
  using Value   = typename TypeParam::Value;
  using T       = typename Value::value_type;
  Value const a = sample<Value>(1), b = sample<Value>(4);
  expect_lanes(Kokkos::min(a, Value(5)), [&](std::size_t i) { return std::min(a[i], T(5)); });
  expect_lanes(Kokkos::max(a, Value(5)), [&](std::size_t i) { return std::max(a[i], T(5)); });
  if constexpr (std::is_integral_v<T>) {
    Value const around = a - Value(T(2));  // -1 in the first lane, and 0
    expect_lanes(Kokkos::abs(around), [&](std::size_t i) {
      return std::is_signed_v<T> && around[i] < T(1) ? static_cast<T>(T(0) - around[i]) : around[i];
    });
  }
  if constexpr (std::is_floating_point_v<T>) {
    Value const x = (a - T(7)) * T(0.5);  // ties, including negative ones
    expect_lanes(Kokkos::abs(x), [&](std::size_t i) { return std::abs(x[i]); });
    expect_lanes(Kokkos::floor(x), [&](std::size_t i) { return std::floor(x[i]); });
    expect_lanes(Kokkos::ceil(x), [&](std::size_t i) { return std::ceil(x[i]); });
    expect_lanes(Kokkos::trunc(x), [&](std::size_t i) { return std::trunc(x[i]); });
    expect_lanes(Kokkos::round(x), [&](std::size_t i) { return std::nearbyint(x[i]); });
    expect_lanes(Kokkos::sqrt(a), [&](std::size_t i) { return std::sqrt(a[i]); });
    Value const unit = (a - T(1)) / T(30);  // 0 to 0.7, where each function is defined
#define EXPECT_FUNCTION(name, v) expect_lanes(KE::name(v), [&](std::size_t i) { return Kokkos::name(v[i]); })
    EXPECT_FUNCTION(exp, x);
    EXPECT_FUNCTION(exp2, x);
    EXPECT_FUNCTION(log, a);
    EXPECT_FUNCTION(log10, a);
    EXPECT_FUNCTION(log2, a);
    EXPECT_FUNCTION(cbrt, x);
    EXPECT_FUNCTION(sin, x);
    EXPECT_FUNCTION(cos, x);
    EXPECT_FUNCTION(tan, x);
    EXPECT_FUNCTION(asin, unit);
    EXPECT_FUNCTION(acos, unit);
    EXPECT_FUNCTION(atan, x);
    EXPECT_FUNCTION(sinh, x);
    EXPECT_FUNCTION(cosh, x);
    EXPECT_FUNCTION(tanh, x);
    EXPECT_FUNCTION(asinh, x);
    EXPECT_FUNCTION(acosh, a);
    EXPECT_FUNCTION(atanh, unit);
    EXPECT_FUNCTION(erf, x);
    EXPECT_FUNCTION(erfc, x);
    EXPECT_FUNCTION(tgamma, a);
    EXPECT_FUNCTION(lgamma, a);
#undef EXPECT_FUNCTION
    expect_lanes(Kokkos::hypot(x, b), [&](std::size_t i) { return Kokkos::hypot(x[i], b[i]); });
    expect_lanes(Kokkos::hypot(x, a, b), [&](std::size_t i) { return Kokkos::hypot(x[i], a[i], b[i]); });
    expect_lanes(Kokkos::pow(a, b), [&](std::size_t i) { return Kokkos::pow(a[i], b[i]); });
    expect_lanes(Kokkos::atan2(x, b), [&](std::size_t i) { return Kokkos::atan2(x[i], b[i]); });
    for (Value const& magnitude : {a, Value(-a), x})  // each sign with each sign
      for (Value const& sign : {a, Value(-a), x})
        expect_lanes(Kokkos::copysign(magnitude, sign),
                     [&](std::size_t i) { return std::copysign(magnitude[i], sign[i]); });
    expect_lanes(Kokkos::fma(a, b, x), [&](std::size_t i) { return std::fma(a[i], b[i], x[i]); });
    // Of a product and its own negative, one rounding leaves the error of the product.
    Value const third = a / Value(T(3)), seventh = b / Value(T(7)), product = third * seventh;
    expect_lanes(Kokkos::fma(third, seventh, -product),
                 [&](std::size_t i) { return std::fma(T(third[i]), T(seventh[i]), T(-product[i])); });
    EXPECT_FALSE(std::signbit(Kokkos::abs(Value(T(-0.0)))[0]));
    EXPECT_TRUE(std::signbit(Value(T(-0.0))[0])) << "a broadcast keeps the sign of zero";
  }
}

TYPED_TEST(SIMD, Conversions) {
  using Value   = typename TypeParam::Value;
  using Abi     = typename Value::abi_type;
  Value const a = sample<Value>(3);
  expect_lanes(KE::basic_simd<float, Abi>(a), [&](std::size_t i) { return static_cast<float>(a[i]); });
  expect_lanes(KE::basic_simd<std::int64_t, Abi>(a), [&](std::size_t i) { return static_cast<std::int64_t>(a[i]); });
  KE::basic_simd_mask<std::int32_t, Abi> const mask(a > Value(4));
  for (std::size_t i = 0; i < Value::size(); ++i) EXPECT_EQ(mask[i], a[i] > 4);
}

TYPED_TEST(SIMD, EachMemberOfVectorsAndMasks) {
  using Value   = typename TypeParam::Value;
  using Mask    = typename TypeParam::Mask;
  using T       = typename Value::value_type;
  Value const a = sample<Value>(5);
  Mask const even([](std::size_t i) { return i % 2 == 0; }), third([](std::size_t i) { return i % 3 == 0; });
  Value up = a, down = a;
  expect_lanes(++up, [&](std::size_t i) { return T(a[i] + 1); });
  expect_lanes(--down, [&](std::size_t i) { return T(a[i] - 1); });
  expect_lanes(down--, [&](std::size_t i) { return T(a[i] - 1); });
  expect_lanes(down, [&](std::size_t i) { return T(a[i] - 2); });
  expect_lanes(+a, [&](std::size_t i) { return a[i]; });
  expect_lanes(!(a - T(5)), [](std::size_t i) { return i == 0; });
  expect_lanes(~even, [&](std::size_t i) { return i % 2 == 1; });
  expect_lanes(even & third, [](std::size_t i) { return i % 6 == 0; });
  expect_lanes(even | third, [](std::size_t i) { return i % 2 == 0 || i % 3 == 0; });
  Mask both = even, either = even, one = even;
  expect_lanes(both &= third, [](std::size_t i) { return i % 6 == 0; });
  expect_lanes(either |= third, [](std::size_t i) { return i % 2 == 0 || i % 3 == 0; });
  expect_lanes(one ^= third, [](std::size_t i) { return (i % 2 == 0) != (i % 3 == 0); });
  if constexpr (std::is_floating_point_v<T>) {  // neither is less, so the first one is the result
    Value const zero(T(0)), negative(-T(0));
    EXPECT_FALSE(std::signbit(Kokkos::min(zero, negative)[0]) || std::signbit(Kokkos::max(zero, negative)[0]));
    EXPECT_TRUE(std::signbit(Kokkos::min(negative, zero)[0]) && std::signbit(Kokkos::max(negative, zero)[0]));
  }
  EXPECT_EQ(KE::condition(true, T(1), T(2)), T(1));
  EXPECT_EQ(KE::condition(false, T(1), T(2)), T(2));
  if constexpr (std::is_integral_v<T>) {
    Value bits = a;
    bits |= Value(T(8));
    bits ^= Value(T(3));
    bits <<= Value(T(2));
    bits >>= Value(T(1));
    bits &= Value(T(0x3a));
    expect_lanes(bits, [&](std::size_t i) { return T(((((a[i] | 8) ^ 3) << 2) >> 1) & 0x3a); });
  }
}

// In kernels of every space, with the width for that space.
template <class ExecSpace>
double sum_of_squares(int n) {
  using Abi   = KE::simd_abi::ForSpace<ExecSpace>;
  using Value = KE::basic_simd<double, Abi>;
  Kokkos::View<double*, ExecSpace> x("x", static_cast<std::size_t>(n));
  Kokkos::parallel_for(Kokkos::RangePolicy<ExecSpace>(0, n), KOKKOS_LAMBDA(int i) { x(i) = i; });
  double result = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<ExecSpace>(0, n / static_cast<int>(Value::size())),
      KOKKOS_LAMBDA(int block, double& sum) {
        Value v;
        v.copy_from(x.data() + static_cast<std::size_t>(block) * Value::size(), KE::simd_flag_default);
        sum += KE::reduce(v * v);
      },
      result);
  return result;
}

template <class ExecSpace>
class SIMDKernels : public testing::Test {};
TYPED_TEST_SUITE(SIMDKernels, Kokkos::Testing::ExecutionSpaces);

TYPED_TEST(SIMDKernels, VectorsOfTheSpace) { EXPECT_EQ(sum_of_squares<TypeParam>(64), 85344.0); }

TEST(SIMDTypes, DefaultsAreTheNativeOnes) {
  static_assert(std::is_same_v<KE::simd<double>, KE::native_simd<double>>);
  static_assert(std::is_same_v<KE::simd<float, 1>, KE::basic_simd<float, KE::simd_abi::scalar>>);
  static_assert(KE::simd<float, 4>::size() == 4);
  static_assert(std::is_same_v<KE::element_aligned_tag, std::remove_const_t<decltype(KE::simd_flag_default)>>);
  static_assert(std::is_trivially_copyable_v<KE::simd<double, 4>>);
}

}  // namespace
