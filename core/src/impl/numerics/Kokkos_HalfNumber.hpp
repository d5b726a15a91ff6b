// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_HALF_NUMBER_HPP
#define KOKKOS_NUMERICS_HALF_NUMBER_HPP

/// \file
/// The class that implements `half_t` and `bhalf_t`.

#include <Kokkos_Macros.hpp>
#include <impl/numerics/Kokkos_HalfFormats.hpp>
#include <impl/numerics/Kokkos_Promotion.hpp>

#include <cstdint>
#include <iosfwd>
#include <type_traits>

namespace Kokkos::Impl {

/// A floating-point number of 16 bits. It occupies two bytes on every backend.
///
/// Arithmetic gives the correctly rounded result: that of float, rounded once, or of the processor's instruction. With an
/// integer the result has this type; with float, double or long double it has that wider type. Numbers convert to this
/// type implicitly, rounding to nearest. The conversion back is explicit, so that no mixed expression is ambiguous.
///
/// Operators are inlined everywhere: g++ would call some of them, and make no vectors of the loops.
template <class Format>
class alignas(2) HalfNumber {
 public:
  using impl_type = std::uint16_t;

  /// Zero.
  constexpr HalfNumber() noexcept = default;

  template <class T>
    requires std::is_arithmetic_v<T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr HalfNumber(T value) noexcept : bits_(Impl::half_bits<Format>(value)) {}

  /// Converts between half_t and bhalf_t.
  template <class Other>
    requires(!std::is_same_v<Other, Format>)
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr HalfNumber(HalfNumber<Other> value) noexcept
      : HalfNumber(static_cast<float>(value)) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr HalfNumber from_bits(std::uint16_t bits) noexcept {
    HalfNumber result;
    result.bits_ = bits;
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t bits() const noexcept { return bits_; }

  /// The conversions from and to float around a call of a function (see Kokkos_HalfFormats.hpp).
  KOKKOS_FORCEINLINE_FUNCTION static constexpr HalfNumber from_single_float(float value) noexcept {
    return from_bits(Format::from_single_float(value));
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr float to_single_float() const noexcept {
    return Format::to_single_float(bits_);
  }

  /// Exact for floating-point types; conversions to integers drop the fraction.
  template <class T>
    requires std::is_arithmetic_v<T>
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr operator T() const noexcept {
    return static_cast<T>(Format::to_float(bits_));
  }

  constexpr HalfNumber(HalfNumber const&) noexcept            = default;
  constexpr HalfNumber& operator=(HalfNumber const&) noexcept = default;
  /// The same for elements of views: `a(i) < b(i) ? a(i) : b(i)` is a choice between two references. If the compiler
  /// knows that 16 bits are read of it, and not an object, g++ makes vectors.
  template <class T>
    requires std::is_same_v<T, HalfNumber>
  KOKKOS_FORCEINLINE_FUNCTION constexpr HalfNumber& operator=(T& other) noexcept {
    bits_ = other.bits_;
    return *this;
  }

  KOKKOS_FUNCTION constexpr HalfNumber operator+() const noexcept { return *this; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr HalfNumber operator-() const noexcept {
    return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000u));
  }
  KOKKOS_FUNCTION constexpr HalfNumber& operator++() noexcept { return *this += 1.0f; }
  KOKKOS_FUNCTION constexpr HalfNumber& operator--() noexcept { return *this -= 1.0f; }
  KOKKOS_FUNCTION constexpr HalfNumber operator++(int) noexcept {
    HalfNumber before = *this;
    ++*this;
    return before;
  }
  KOKKOS_FUNCTION constexpr HalfNumber operator--(int) noexcept {
    HalfNumber before = *this;
    --*this;
    return before;
  }

// `wide` is the type that an operation with a T is computed in: float for integers, T itself otherwise.
#define KOKKOS_IMPL_HALF_ARITHMETIC(OP, NAME)                                                                \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr HalfNumber operator OP(HalfNumber a, HalfNumber b) noexcept { \
    return from_bits(Impl::half_##NAME<Format>(a.bits_, b.bits_));                                           \
  }                                                                                                          \
  template <class T>                                                                                         \
    requires std::is_arithmetic_v<T>                                                                         \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr result_with<T> operator OP(HalfNumber a, T b) noexcept {      \
    if (is_exact_constant(b)) return static_cast<result_with<T>>(a OP HalfNumber(b));                        \
    return static_cast<result_with<T>>(static_cast<wide<T>>(a) OP static_cast<wide<T>>(b));                  \
  }                                                                                                          \
  template <class T>                                                                                         \
    requires std::is_arithmetic_v<T>                                                                         \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr result_with<T> operator OP(T a, HalfNumber b) noexcept {      \
    if (is_exact_constant(a)) return static_cast<result_with<T>>(HalfNumber(a) OP b);                        \
    return static_cast<result_with<T>>(static_cast<wide<T>>(a) OP static_cast<wide<T>>(b));                  \
  }                                                                                                          \
  KOKKOS_FORCEINLINE_FUNCTION constexpr HalfNumber& operator OP##=(HalfNumber b) noexcept {                  \
    return *this = *this OP b;                                                                               \
  }                                                                                                          \
  template <class T>                                                                                         \
    requires std::is_arithmetic_v<T>                                                                         \
  KOKKOS_FORCEINLINE_FUNCTION constexpr HalfNumber& operator OP##=(T b) noexcept {                           \
    return *this = HalfNumber(*this OP b);                                                                   \
  }                                                                                                          \
  template <class T>                                                                                         \
    requires std::is_arithmetic_v<T>                                                                         \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr T& operator OP##=(T & a, HalfNumber b) noexcept {             \
    return a = static_cast<T>(static_cast<wide<T>>(a) OP static_cast<wide<T>>(b));                           \
  }

#define KOKKOS_IMPL_HALF_COMPARISON(OP, NAME)                                                          \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator OP(HalfNumber a, HalfNumber b) noexcept { \
    return Impl::half_##NAME<Format>(a.bits_, b.bits_);                                                \
  }                                                                                                    \
  template <class T>                                                                                   \
    requires std::is_arithmetic_v<T>                                                                   \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator OP(HalfNumber a, T b) noexcept {          \
    return static_cast<wide<T>>(a) OP static_cast<wide<T>>(b);                                         \
  }                                                                                                    \
  template <class T>                                                                                   \
    requires std::is_arithmetic_v<T>                                                                   \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr bool operator OP(T a, HalfNumber b) noexcept {          \
    return static_cast<wide<T>>(a) OP static_cast<wide<T>>(b);                                         \
  }

 private:
  template <class T>
  using wide = std::conditional_t<std::is_integral_v<T>, float, T>;
  template <class T>
  using result_with = std::conditional_t<std::is_integral_v<T>, HalfNumber, T>;

  /// Whether this is an integer that the compiler knows to be exact in this format, and operations on two numbers of it
  /// need no float. Their results are the same.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool is_exact_constant([[maybe_unused]] T x) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<typename Format::Operand, float>) {
      if constexpr (sizeof(T) == 1)
        return __builtin_constant_p(x);
      else
        return __builtin_constant_p(x) && x <= T(2048) && (std::is_unsigned_v<T> || x >= T(-2048));
    } else {
      return false;
    }
  }

 public:
  KOKKOS_IMPL_HALF_ARITHMETIC(+, add)
  KOKKOS_IMPL_HALF_ARITHMETIC(-, subtract)
  KOKKOS_IMPL_HALF_ARITHMETIC(*, multiply)
  KOKKOS_IMPL_HALF_ARITHMETIC(/, divide)
  KOKKOS_IMPL_HALF_COMPARISON(==, equal)
  KOKKOS_IMPL_HALF_COMPARISON(!=, unequal)
  KOKKOS_IMPL_HALF_COMPARISON(<, less)
  KOKKOS_IMPL_HALF_COMPARISON(<=, less_or_equal)
  KOKKOS_IMPL_HALF_COMPARISON(>, greater)
  KOKKOS_IMPL_HALF_COMPARISON(>=, greater_or_equal)
#undef KOKKOS_IMPL_HALF_COMPARISON
#undef KOKKOS_IMPL_HALF_ARITHMETIC

  /// Input and output as a float.
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, HalfNumber value) {
    return stream << static_cast<float>(value);
  }
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits>& operator>>(std::basic_istream<Char, Traits>& stream, HalfNumber& value) {
    float wide_value = 0;
    if (stream >> wide_value) value = HalfNumber(wide_value);
    return stream;
  }

 private:
  std::uint16_t bits_ = 0;
};

template <class Format>
inline constexpr bool is_half_precision_v<HalfNumber<Format>> = true;

/// Implements the numeric traits.
template <class Format>
struct NumericLimits<HalfNumber<Format>> {
  using Number                         = HalfNumber<Format>;
  static constexpr bool is_specialized = true;
  static constexpr bool is_integer     = false;
  static constexpr int radix           = 2;
  static constexpr int digits          = Format::digits;
  static constexpr int digits10        = Format::digits10;
  static constexpr int max_digits10    = Format::max_digits10;
  static constexpr int min_exponent    = Format::min_exponent;
  static constexpr int min_exponent10  = Format::min_exponent10;
  static constexpr int max_exponent    = Format::max_exponent;
  static constexpr int max_exponent10  = Format::max_exponent10;
  // The number of fraction bits is digits - 1; the exponent field is above them.
  static constexpr Number min() { return Number::from_bits(std::uint16_t(1u << (digits - 1))); }
  static constexpr Number max() { return Number::from_bits(Format::inf - 1); }
  static constexpr Number lowest() { return Number::from_bits(std::uint16_t(0x8000u | (Format::inf - 1u))); }
  static constexpr Number epsilon() { return Number::from_bits(Format::epsilon); }
  static constexpr Number round_error() { return Number::from_bits(Format::half); }
  static constexpr Number denorm_min() { return Number::from_bits(1); }
  static constexpr Number infinity() { return Number::from_bits(Format::inf); }
  static constexpr Number quiet_NaN() { return Number::from_bits(std::uint16_t(Format::inf | 1u << (digits - 2))); }
  static constexpr Number signaling_NaN() { return Number::from_bits(std::uint16_t(Format::inf | 1u << (digits - 3))); }
};

}  // namespace Kokkos::Impl

#endif
