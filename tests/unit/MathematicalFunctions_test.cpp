// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
/// \file
/// Mathematical functions: the overload set, and agreement with <cmath> on the host and in kernels.

#include "NumericsKernel.hpp"
#include "RandomCases.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace Kokkos::Testing;

// ---- the overload set ---------------------------------------------------------------------------------------------

// clang-format off: it takes the calls for a declaration
#define KOKKOS_TEST_UNARY_FUNCTIONS(X)                                                                              \
  X(fabs) X(exp) X(exp2) X(expm1) X(log) X(log10) X(log2) X(log1p) X(sqrt) X(cbrt) X(sin) X(cos) X(tan) X(asin)     \
  X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(tgamma) X(lgamma) X(ceil)     \
  X(floor) X(trunc) X(round) X(nearbyint) X(rint) X(logb)
#define KOKKOS_TEST_BINARY_FUNCTIONS(X) \
  X(fmod) X(remainder) X(fmax) X(fmin) X(fdim) X(pow) X(hypot) X(atan2) X(copysign) X(nextafter)
// clang-format on

#define KOKKOS_TEST_RETURN_TYPES(NAME)                                                  \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1.0f)), float>);                   \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1.0)), double>);                   \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1.0L)), long double>);             \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1)), double>);                     \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(static_cast<short>(1))), double>); \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1ull)), double>);                  \
  static_assert(std::is_same_v<decltype(Kokkos::NAME##f(1.0f)), float>);                \
  static_assert(std::is_same_v<decltype(Kokkos::NAME##l(1.0L)), long double>);
KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_RETURN_TYPES)
KOKKOS_TEST_RETURN_TYPES(rsqrt)
KOKKOS_TEST_RETURN_TYPES(rcp)

#define KOKKOS_TEST_RETURN_TYPES2(NAME)                                        \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1.0f, 1.0f)), float>);    \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1.0, 1.0f)), double>);    \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1, 1.0f)), double>);      \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1, 1u)), double>);        \
  static_assert(std::is_same_v<decltype(Kokkos::NAME(1, 1.0L)), long double>); \
  static_assert(std::is_same_v<decltype(Kokkos::NAME##f(1.0f, 1.0f)), float>); \
  static_assert(std::is_same_v<decltype(Kokkos::NAME##l(1.0L, 1.0L)), long double>);
KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_RETURN_TYPES2)

static_assert(std::is_same_v<decltype(Kokkos::abs(short(-1))), int>);
static_assert(std::is_same_v<decltype(Kokkos::abs(-1l)), long> && std::is_same_v<decltype(Kokkos::abs(1.f)), float>);
static_assert(std::is_same_v<decltype(Kokkos::abs(-1ll)), long long>);
static_assert(std::is_same_v<decltype(Kokkos::abs(-1.0L)), long double>);
static_assert(std::is_same_v<decltype(Kokkos::fma(1, 2.0f, 3.0f)), double>);
static_assert(std::is_same_v<decltype(Kokkos::fma(1.0f, 2.0f, 3.0f)), float>);
static_assert(std::is_same_v<decltype(Kokkos::hypot(1, 2.0f, 3.0L)), long double>);
static_assert(std::is_same_v<decltype(Kokkos::lround(1.5f)), long>);
static_assert(std::is_same_v<decltype(Kokkos::llrint(1)), long long>);
static_assert(std::is_same_v<decltype(Kokkos::ilogb(1)), int>);

/// A type that converts to double, such as a reference to an atomic element, selects the double overload.
struct ConvertsToDouble {
  operator double() const { return 4.0; }
};
template <class T>
concept HasSqrt = requires(T x) { Kokkos::sqrt(x); };
static_assert(!HasSqrt<void*> && !HasSqrt<char const*>);

TEST(MathematicalFunctions, FunctionPointersCanBeTaken) {
  double (*root)(double) = &Kokkos::sqrt;
  float (*rootf)(float)  = &Kokkos::sqrtf;
  EXPECT_EQ(root(9.0), 3.0);
  EXPECT_EQ(rootf(9.0f), 3.0f);
}

// ---- agreement with <cmath> ---------------------------------------------------------------------------------------

template <class T>
std::vector<T> arguments() {
  T const inf = std::numeric_limits<T>::infinity();
  std::vector<T> x{T(0),
                   -T(0),
                   inf,
                   -inf,
                   std::numeric_limits<T>::quiet_NaN(),
                   std::numeric_limits<T>::min(),
                   std::numeric_limits<T>::denorm_min(),
                   std::numeric_limits<T>::max(),
                   T(1e-10),
                   T(-1e9)};
  for (int i = -200; i <= 200; ++i) x.push_back(static_cast<T>(i) / T(20));
  for (int i = 0; i < 40; ++i) x.push_back(std::ldexp(T(1.3), 2 * i - 40));
  return x;
}

template <class T>
struct Two {
  T x, y;
};

template <class T>
std::vector<Two<T>> pairs() {
  std::vector<T> const x = arguments<T>();
  std::vector<Two<T>> all;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    for (std::size_t j = i % 7; j < x.size(); j += 11) all.push_back({x[i], x[j]});
  }
  return all;
}

/// Equal, both NaN, or within `ulps` units in the last place of the expected value (devices round differently), or
/// within `least` if that is more: near its roots lgamma is only accurate to an absolute error.
template <class T>
bool agrees(T found, T wanted, int ulps, T least = 0) {
  if (std::isnan(wanted)) return std::isnan(found);
  if (found == wanted) return true;
  T const size = std::fabs(wanted) > least ? std::fabs(wanted) : least;
  return std::fabs(found - wanted) <=
         static_cast<T>(ulps) * std::numeric_limits<T>::epsilon() * size + std::numeric_limits<T>::min();
}

/// A number of any exponent, or one at which most functions have neither 0 nor infinity as their value. NaNs are quiet,
/// because devices treat others as quiet ones.
template <class T>
T any_argument(Random& random) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  T const x  = Kokkos::bit_cast<T>(static_cast<Bits>(random.bits()));
  if (random.once_in(2)) return std::isnan(x) ? std::numeric_limits<T>::quiet_NaN() : x;
  return static_cast<T>(random.between(-1000000, 1000000)) / T(30000);
}
template <class T>
std::vector<T> with_random(std::vector<T> x) {
  for_each_case(200, 40000, [&](Random& random) { x.push_back(any_argument<T>(random)); });
  return x;
}
template <class T>
std::vector<Two<T>> with_random(std::vector<Two<T>> p) {
  for_each_case(200, 40000, [&](Random& random) { p.push_back({any_argument<T>(random), any_argument<T>(random)}); });
  return p;
}

#define KOKKOS_TEST_COUNT(NAME) +1
constexpr int unary_count  = KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_COUNT);
constexpr int binary_count = KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_COUNT);

/// The values of every function at one argument, from one kernel: one kernel for each would mean compiling hundreds.
template <class T, int Count>
struct Values {
  T of[Count];
};

struct CallAll {
#define KOKKOS_TEST_CALL(NAME) Kokkos::NAME(x),
  template <class T>
  KOKKOS_FUNCTION Values<T, unary_count> operator()(T x) const {
    return {{KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_CALL)}};
  }
#define KOKKOS_TEST_CALL2(NAME) Kokkos::NAME(p.x, p.y),
  template <class T>
  KOKKOS_FUNCTION Values<T, binary_count> operator()(Two<T> const& p) const {
    return {{KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_CALL2)}};
  }
};

/// The same with <cmath>.
#define KOKKOS_TEST_STANDARD(NAME) std::NAME(x),
template <class T>
Values<T, unary_count> standard(T x) {
  return {{KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_STANDARD)}};
}
#define KOKKOS_TEST_STANDARD2(NAME) std::NAME(p.x, p.y),
template <class T>
Values<T, binary_count> standard(Two<T> const& p) {
  return {{KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_STANDARD2)}};
}

#define KOKKOS_TEST_NAME(NAME) #NAME,
constexpr const char* unary_names[]  = {KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_NAME)};
constexpr char const* binary_names[] = {KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_NAME)};

template <class T, int Count>
void agrees_with_standard(Values<T, Count> const& found, Values<T, Count> const& wanted,
                          char const* const (&names)[Count], std::size_t argument) {
  for (int f = 0; f < Count; ++f) {
    T const least = std::string(names[f]) == "lgamma" ? T(1) : T(0);
    ASSERT_TRUE(agrees(found.of[f], wanted.of[f], 16, least))
        << names[f] << " at the argument of number " << argument << " gave " << found.of[f] << ", not " << wanted.of[f];
  }
}

template <class Space, class Argument, std::size_t Count>
void functions_agree(std::vector<Argument> const& at, char const* const (&names)[Count]) {
  auto const found = evaluate_at<Space>(at, CallAll());
  for (std::size_t i = 0; i < at.size() && !::testing::Test::HasFatalFailure(); ++i)
    agrees_with_standard(found[i], standard(at[i]), names, i);
}

template <class Space>
struct MathematicalFunctionsTest : ::testing::Test {};
TYPED_TEST_SUITE(MathematicalFunctionsTest, ExecutionSpaces, SpaceName);

TYPED_TEST(MathematicalFunctionsTest, OneArgument) {
  functions_agree<TypeParam>(with_random(arguments<float>()), unary_names);
  functions_agree<TypeParam>(with_random(arguments<double>()), unary_names);
}

TYPED_TEST(MathematicalFunctionsTest, TwoArguments) {
  functions_agree<TypeParam>(with_random(pairs<float>()), binary_names);
  functions_agree<TypeParam>(with_random(pairs<double>()), binary_names);
}

// ---- functions with several results -------------------------------------------------------------------------------

template <class T>
struct Parts {
  T remquo, frexp, modf, whole, ldexp, scalbn, scalbln, fma, hypot3, rsqrt, rcp;
  int quotient, exponent, ilogb, category;
  long long lround, llround, lrint, llrint;
  bool finite, inf, nan, normal, negative, greater, greater_equal, less, less_equal, less_greater, unordered;
};

struct TakeApart {
  template <class T>
  KOKKOS_FUNCTION Parts<T> operator()(Two<T> const& p) const {
    Parts<T> r{};
    T const x = p.x, y = p.y;
    r.remquo  = Kokkos::remquo(x, y, &r.quotient);
    r.frexp   = Kokkos::frexp(x, &r.exponent);
    r.modf    = Kokkos::modf(x, &r.whole);
    r.ldexp   = Kokkos::ldexp(x, 3);
    r.scalbn  = Kokkos::scalbn(x, -3);
    r.scalbln = Kokkos::scalbln(x, 5L);
    r.fma     = Kokkos::fma(x, y, x);
    r.hypot3  = Kokkos::hypot(x, y, T(2));
    r.rsqrt   = Kokkos::rsqrt(x);
    r.rcp     = Kokkos::rcp(x);
    r.ilogb   = Kokkos::ilogb(x);
    if (Kokkos::fabs(x) < T(1e9)) {
      r.lround  = Kokkos::lround(x);
      r.llround = Kokkos::llround(x);
      r.lrint   = Kokkos::lrint(x);
      r.llrint  = Kokkos::llrint(x);
    }
    r.category = Kokkos::fpclassify(x);
    r.finite = Kokkos::isfinite(x), r.inf = Kokkos::isinf(x), r.nan = Kokkos::isnan(x);
    r.normal = Kokkos::isnormal(x), r.negative = Kokkos::signbit(x);
    r.greater = Kokkos::isgreater(x, y), r.greater_equal = Kokkos::isgreaterequal(x, y);
    r.less = Kokkos::isless(x, y), r.less_equal = Kokkos::islessequal(x, y);
    r.less_greater = Kokkos::islessgreater(x, y), r.unordered = Kokkos::isunordered(x, y);
    return r;
  }
};

template <class T>
void parts_agree(Two<T> const& p, Parts<T> const& r) {
  T const x = p.x, y = p.y;
  int quotient = 0, exponent = 0;
  T whole = 0;
  EXPECT_TRUE(agrees(r.remquo, std::remquo(x, y, &quotient), 0));
  if (std::isfinite(x) && !std::isnan(y) && y != 0) {
    EXPECT_EQ(r.quotient & 7, quotient & 7);
  }
  EXPECT_TRUE(agrees(r.frexp, std::frexp(x, &exponent), 0));
  EXPECT_TRUE(!std::isfinite(x) || r.exponent == exponent);
  EXPECT_TRUE(agrees(r.modf, std::modf(x, &whole), 0) && agrees(r.whole, whole, 0));
  EXPECT_TRUE(agrees(r.ldexp, std::ldexp(x, 3), 0) && agrees(r.scalbn, std::scalbn(x, -3), 0));
  EXPECT_TRUE(agrees(r.scalbln, std::scalbln(x, 5L), 0) && agrees(r.fma, std::fma(x, y, x), 0));
  EXPECT_TRUE(agrees(r.hypot3, std::hypot(std::hypot(x, y), T(2)), 4));
  EXPECT_TRUE(agrees(r.rsqrt, 1 / std::sqrt(x), 4) && agrees(r.rcp, 1 / x, 1));
  EXPECT_EQ(r.ilogb, std::ilogb(x));
  EXPECT_EQ(r.category, std::fpclassify(x));
  EXPECT_EQ(Kokkos::fpclassifyf(static_cast<float>(x)), std::fpclassify(static_cast<float>(x)));
  EXPECT_EQ(Kokkos::fpclassifyl(static_cast<long double>(x)), std::fpclassify(static_cast<long double>(x)));
  if (std::fabs(x) < T(1e9)) {
    EXPECT_TRUE(r.lround == std::lround(x) && r.llround == std::llround(x));
    EXPECT_TRUE(r.lrint == std::lrint(x) && r.llrint == std::llrint(x));
  }
  EXPECT_TRUE(r.finite == std::isfinite(x) && r.inf == std::isinf(x) && r.nan == std::isnan(x));
  EXPECT_TRUE(r.normal == std::isnormal(x) && r.negative == std::signbit(x));
  EXPECT_TRUE(r.greater == (x > y) && r.greater_equal == (x >= y) && r.less == (x < y) && r.less_equal == (x <= y));
  EXPECT_TRUE(r.less_greater == (x < y || x > y) && r.unordered == (std::isnan(x) || std::isnan(y)));
}

template <class Space, class T>
void all_parts_agree() {
  auto const at    = pairs<T>();
  auto const found = evaluate_at<Space>(at, TakeApart());
  for (std::size_t i = 0; i < at.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << "at " << at[i].x << " and " << at[i].y);
    parts_agree(at[i], found[i]);
    if (::testing::Test::HasFailure()) return;
  }
}

TYPED_TEST(MathematicalFunctionsTest, PartsAndClasses) {
  all_parts_agree<TypeParam, float>();
  all_parts_agree<TypeParam, double>();
}

// ---- only on the host ---------------------------------------------------------------------------------------------

TEST(MathematicalFunctions, LongDoubleKeepsItsPrecision) {
  EXPECT_EQ(Kokkos::sqrt(2.0L), std::sqrt(2.0L));
  EXPECT_EQ(Kokkos::powl(2.0L, 0.5L), std::pow(2.0L, 0.5L));
  EXPECT_EQ(Kokkos::pow(2.0f, 0.3L), std::pow(2.0L, 0.3L));
  EXPECT_EQ(Kokkos::fma(2, 0.3L, 1.0f), std::fma(2.0L, 0.3L, 1.0L));
  EXPECT_EQ(Kokkos::fma(0.3L, 2, 1.0f), std::fma(0.3L, 2.0L, 1.0L));
  EXPECT_EQ(Kokkos::fma(1.0f, 2, 0.3L), std::fma(1.0L, 2.0L, 0.3L));
  for (long double const third :
       {Kokkos::hypot(0.3L, 2, 1.0f), Kokkos::hypot(2, 0.3L, 1.0f), Kokkos::hypot(1.0f, 2, 0.3L)})
    EXPECT_NEAR(static_cast<double>((third * third - 5.09L) * 0x1p63L), 0, 40) << "as precise as a double at most";
  EXPECT_EQ(Kokkos::remquo(0.3L, 2, std::vector<int>(1).data()), std::remainder(0.3L, 2.0L));
  EXPECT_EQ(Kokkos::nextafter(1, 2.0L), std::nextafter(1.0L, 2.0L));
  EXPECT_EQ(Kokkos::abs(-0.1L), 0.1L);
  EXPECT_EQ(Kokkos::nexttoward(1.0f, 2.0L), std::nexttoward(1.0f, 2.0L));
  EXPECT_EQ(Kokkos::nexttoward(1.0, 0.0L), std::nexttoward(1.0, 0.0L));
  EXPECT_TRUE(Kokkos::isnormal(1.0L) && Kokkos::fpclassify(0.0L) == FP_ZERO && Kokkos::isless(1, 2.0L));
  EXPECT_EQ(Kokkos::rsqrt(4.0L), 0.5L);
  long double whole = 0;
  EXPECT_TRUE(Kokkos::modf(7 + 0x1p-60L, &whole) == 0x1p-60L && whole == 7);
  EXPECT_TRUE(Kokkos::modfl(-7 - 0x1p-60L, &whole) == -0x1p-60L && whole == -7);
  int quotient = 0;
  EXPECT_TRUE(Kokkos::remquol(7.5L, 2, &quotient) == -0.5L && quotient == 4);
  EXPECT_EQ(Kokkos::nextafterl(1, 2), std::nextafter(1.0L, 2.0L));
  EXPECT_EQ(Kokkos::nexttowardl(1, 0), std::nexttoward(1.0L, 0.0L));
  EXPECT_EQ(Kokkos::nexttoward(1.0L, 2.0L), std::nexttoward(1.0L, 2.0L));
  EXPECT_EQ(Kokkos::nexttowardf(1, 2), std::nexttoward(1.0f, 2.0L));
}

/// Equal, or both NaN.
template <class T>
bool same(T found, T wanted) {
  return found == wanted || (std::isnan(found) && std::isnan(wanted));
}

// The names that end with f and l, and the overloads for integers. 0.3 has another value in each type.
TEST(MathematicalFunctions, EachNameOfAFunctionHasTheSameValue) {
#define KOKKOS_TEST_NAMES(NAME)                                                                          \
  for (int n : {0, 1, 3}) {                                                                              \
    float const f       = 0.3f + static_cast<float>(n);                                                  \
    long double const l = 0.3L + n;                                                                      \
    EXPECT_TRUE(same(Kokkos::NAME##f(f), Kokkos::NAME(f))) << #NAME "f at " << f;                        \
    EXPECT_TRUE(same(Kokkos::NAME##l(l), std::NAME(l)) && same(Kokkos::NAME(l), std::NAME(l))) << #NAME; \
    EXPECT_TRUE(same(Kokkos::NAME(n), std::NAME(double(n)))) << #NAME " at " << n;                       \
    EXPECT_TRUE(same(Kokkos::NAME(static_cast<unsigned char>(n)), std::NAME(double(n)))) << #NAME;       \
  }
  KOKKOS_TEST_UNARY_FUNCTIONS(KOKKOS_TEST_NAMES)
#define KOKKOS_TEST_NAMES2(NAME)                                                                               \
  for (int n : {0, 1, 3}) {                                                                                    \
    float const f       = 0.3f + static_cast<float>(n);                                                        \
    long double const l = 0.3L + n;                                                                            \
    EXPECT_TRUE(same(Kokkos::NAME##f(f, 1.7f), Kokkos::NAME(f, 1.7f))) << #NAME "f at " << f;                  \
    EXPECT_TRUE(same(Kokkos::NAME##l(l, 1.7L), std::NAME(l, 1.7L))) << #NAME "l";                              \
    EXPECT_TRUE(same(Kokkos::NAME(l, 2), std::NAME(l, 2.0L)) && same(Kokkos::NAME(2, l), std::NAME(2.0L, l))); \
    EXPECT_TRUE(same(Kokkos::NAME(n, 0.3f), std::NAME(double(n), double(0.3f)))) << #NAME " at " << n;         \
    EXPECT_TRUE(same(Kokkos::NAME(0.3f, n), std::NAME(double(0.3f), double(n)))) << #NAME " at " << n;         \
    EXPECT_TRUE(same(Kokkos::NAME(n, 2u), std::NAME(double(n), 2.0))) << #NAME " of integers at " << n;        \
  }
  KOKKOS_TEST_BINARY_FUNCTIONS(KOKKOS_TEST_NAMES2)
  for (int n : {1, 3, 49}) {
    EXPECT_EQ(Kokkos::rsqrt(n), 1 / std::sqrt(double(n)));
    EXPECT_EQ(Kokkos::rcp(n), 1 / double(n));
    EXPECT_EQ(Kokkos::rsqrtf(static_cast<float>(n)), Kokkos::rsqrt(static_cast<float>(n)));
    EXPECT_EQ(Kokkos::rcpf(static_cast<float>(n)), Kokkos::rcp(static_cast<float>(n)));
    EXPECT_EQ(Kokkos::rsqrtl(0.3L + n), 1 / std::sqrt(0.3L + n));
    EXPECT_EQ(Kokkos::rcpl(0.3L + n), 1 / (0.3L + n));
  }
}

// Each argument counts, and with its value as a double.
TEST(MathematicalFunctions, ThreeArgumentsOfMixedTypes) {
  auto const product_and_sum = [](auto x, auto y, auto z) {
    EXPECT_EQ(Kokkos::fma(x, y, z), std::fma(double(x), double(y), double(z))) << x << ' ' << y << ' ' << z;
    double const length = std::hypot(double(x), double(y), double(z));
    EXPECT_NEAR(Kokkos::hypot(x, y, z), length, 4 * std::numeric_limits<double>::epsilon() * length);
  };
  product_and_sum(2, 0.3f, 0.7);
  product_and_sum(0.3f, 2, 0.7);
  product_and_sum(0.7, 0.3f, 2);
  product_and_sum(0.7, 2, 0.3f);
  product_and_sum(2u, 3, 5L);
  product_and_sum(0.3f, 2u, 5);
  product_and_sum(2, 3, 0.3f);
}

TEST(MathematicalFunctions, NamesOfFloatSplitNumbers) {
  for (float const x : {-7.3f, 0.3f, 1e-40f, 1e30f}) {
    float whole = 0, wanted = 0;
    EXPECT_EQ(Kokkos::modff(x, &whole), std::modf(x, &wanted));
    EXPECT_EQ(whole, wanted);
    int exponent = 0, quotient = 0, other = 0;
    EXPECT_EQ(Kokkos::frexpf(x, &exponent), std::frexp(x, &other));
    EXPECT_EQ(exponent, other);
    EXPECT_EQ(Kokkos::remquof(x, 2, &quotient), std::remquo(x, 2.0f, &other));
    EXPECT_EQ(quotient, other);
    EXPECT_TRUE(Kokkos::ldexpf(x, 3) == std::ldexp(x, 3) && Kokkos::scalbnf(x, -3) == std::scalbn(x, -3));
    EXPECT_TRUE(Kokkos::scalblnf(x, 5L) == std::scalbln(x, 5L) && Kokkos::ilogbf(x) == std::ilogb(x));
    EXPECT_EQ(Kokkos::fmaf(x, 3, 0.7f), std::fma(x, 3.0f, 0.7f));
    EXPECT_EQ(Kokkos::hypotf(x, 3, 0.7f), Kokkos::hypot(x, 3.0f, 0.7f));
  }
  EXPECT_TRUE(Kokkos::lroundf(-7.5f) == -8 && Kokkos::llroundf(2.5f) == 3);
  EXPECT_TRUE(Kokkos::lrintf(-7.5f) == -8 && Kokkos::llrintf(2.5f) == 2);
}

// A number that is subnormal as a float is normal as a double; a payload distinguishes NaNs.
TEST(MathematicalFunctions, EachTypeHasItsOwnKinds) {
  EXPECT_TRUE(Kokkos::fpclassify(1e-40f) == FP_SUBNORMAL && Kokkos::fpclassifyf(1e-40f) == FP_SUBNORMAL);
  EXPECT_TRUE(!Kokkos::isnormal(1e-40f) && Kokkos::isnormal(static_cast<double>(1e-40f)));
  EXPECT_TRUE(Kokkos::fpclassify(1e-310) == FP_SUBNORMAL && Kokkos::fpclassify(1e-310L) == FP_NORMAL);
  auto const float_bits = [](float x) { return Kokkos::bit_cast<std::uint32_t>(x); };
  auto const bits       = [](double x) { return Kokkos::bit_cast<std::uint64_t>(x); };
  for (char const* payload : {"", "1", "77", "0x123"}) {
    EXPECT_EQ(float_bits(Kokkos::nanf(payload)), float_bits(std::nanf(payload))) << payload;
    EXPECT_EQ(bits(Kokkos::nan(payload)), bits(std::nan(payload))) << payload;
    EXPECT_TRUE(std::isnan(Kokkos::nanl(payload)));
  }
  EXPECT_NE(float_bits(Kokkos::nanf("77")), float_bits(Kokkos::nanf("")));
}

TEST(MathematicalFunctions, IntegersCountAsDouble) {
  EXPECT_EQ(Kokkos::sqrt(2), std::sqrt(2.0));
  EXPECT_EQ(Kokkos::pow(2, 10u), 1024.0);
  EXPECT_EQ(Kokkos::abs(-3), 3);
  EXPECT_EQ(Kokkos::abs(-3000000000LL), 3000000000LL);
  EXPECT_EQ(Kokkos::fabs(-3), 3.0);
  EXPECT_EQ(Kokkos::fmax(3, 2.5f), 3.0);
  EXPECT_EQ(Kokkos::ldexp(3, 4), 48.0);
  EXPECT_TRUE(Kokkos::isfinite(3) && !Kokkos::isnan(3) && !Kokkos::isinf(3u) && Kokkos::signbit(-3));
  EXPECT_TRUE(Kokkos::fpclassify(0) == FP_ZERO && Kokkos::isnormal(7) && Kokkos::isgreater(3, 2.5));
  EXPECT_EQ(Kokkos::sqrt(ConvertsToDouble()), 2.0);
  double whole = 0;
  EXPECT_TRUE(Kokkos::modf(-7, &whole) == 0 && whole == -7);
  EXPECT_EQ(Kokkos::nextafter(1.0f, 2), std::nextafter(1.0, 2.0));
  EXPECT_EQ(Kokkos::nextafter(1, 0.5f), std::nextafter(1.0, 0.5));
  EXPECT_EQ(Kokkos::nexttoward(1, 2.0L), std::nexttoward(1.0, 2.0L));
}

TEST(MathematicalFunctions, LengthsNeitherOverflowNorLoseInfinities) {
  EXPECT_DOUBLE_EQ(Kokkos::hypot(3e300, 4e300, 12e300), 13e300);
  EXPECT_FLOAT_EQ(Kokkos::hypot(3e-30f, 4e-30f, 12e-30f), 13e-30f);
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Kokkos::hypot(1.0, inf, 2.0), inf);
  EXPECT_EQ(Kokkos::hypot(nan, -inf, 2.0), inf);
  EXPECT_TRUE(std::isnan(Kokkos::hypot(1.0, 2.0, nan)));
}

// ---- lengths of three numbers at all magnitudes -------------------------------------------------------------------

template <class T>
struct Three {
  T x, y, z;
};
struct Length {
  template <class T>
  KOKKOS_FUNCTION T operator()(Three<T> const& p) const {
    return Kokkos::hypot(p.x, p.y, p.z);
  }
};

/// The length, from numbers of which the largest is about 1.
template <class T>
long double exact_length(Three<T> const& p) {
  int const up       = -std::ilogb(std::fmax(std::fabs(p.x), std::fmax(std::fabs(p.y), std::fabs(p.z))));
  auto const squared = [up](T v) {
    return std::scalbn(static_cast<long double>(v), up) * std::scalbn(static_cast<long double>(v), up);
  };
  return std::scalbn(std::sqrt(squared(p.x) + squared(p.y) + squared(p.z)), -up);
}

/// Three numbers of each exponent: all large, or one or two of them smaller.
template <class T>
std::vector<Three<T>> of_all_magnitudes() {
  using Limits = std::numeric_limits<T>;
  std::vector<Three<T>> all;
  for (int exponent = Limits::min_exponent - Limits::digits; exponent < Limits::max_exponent - 1; ++exponent) {
    auto const scaled = [exponent](double v, int less) { return std::scalbn(static_cast<T>(v), exponent - less); };
    for (int less : {0, 1, 5, 40})
      for (int other : {0, 3, 60}) {
        all.push_back({scaled(1.37, 0), scaled(-1.91, less), scaled(1.13, other)});
        all.push_back({scaled(1.79, other), scaled(1.03, 0), scaled(-1.61, less)});
      }
  }
  return all;
}

template <class Space, class T>
void lengths_are_exact() {
  auto const at    = of_all_magnitudes<T>();
  auto const found = evaluate_at<Space>(at, Length());
  for (std::size_t i = 0; i < at.size(); ++i) {
    long double const wanted = exact_length(at[i]);
    long double const within =
        std::fmax(5 * std::numeric_limits<T>::epsilon() * wanted, 2.L * std::numeric_limits<T>::denorm_min());
    ASSERT_NEAR(static_cast<long double>(found[i]), wanted, within) << at[i].x << " " << at[i].y << " " << at[i].z;
  }
}

TYPED_TEST(MathematicalFunctionsTest, LengthsOfThreeNumbersOfAllMagnitudes) {
  lengths_are_exact<TypeParam, float>();
  lengths_are_exact<TypeParam, double>();
}

TEST(MathematicalFunctions, MakesNaN) {
  EXPECT_TRUE(std::isnan(Kokkos::nan("")) && std::isnan(Kokkos::nanf("")) && std::isnan(Kokkos::nanl("")));
}

}  // namespace
