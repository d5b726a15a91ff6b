// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VALUE_BITS_HPP
#define KOKKOS_VALUE_BITS_HPP

/// \file
/// The bits of an object that represent its value. The others are padding: they may have any value, and copies need not
/// preserve them.
///
/// g++ has a builtin function that clears padding. Other compilers reveal padding in constant expressions: there a byte
/// that no member defines cannot be read, or reads as 0 (nvcc). This needs a type whose objects a constant expression
/// can create from bytes: not one with a pointer or a union, nor one whose constructors are not constexpr.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

// nvcc's host pass has the builtin function, too, but not for functions that are also compiled for devices.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOKKOS_IMPL_HAS_CLEAR_PADDING 1
#else
#define KOKKOS_IMPL_HAS_CLEAR_PADDING 0
#endif

namespace Kokkos::Impl {

template <std::size_t Count>
struct ObjectBytes {
  unsigned char bytes[Count];
};
template <std::size_t Count>
constexpr ObjectBytes<Count> bytes_of_one() {
  ObjectBytes<Count> ones{};
  for (unsigned char& byte : ones.bytes) byte = 1;
  return ones;
}

/// One bit of an object of Before + 1 + After bytes. The other members are padding or unsigned char, which constant
/// expressions may copy without a value.
template <std::size_t Before, unsigned Bit, std::size_t After>
struct ObjectBit {
  unsigned char before[Before];
  unsigned char : Bit;
  unsigned char bit : 1;
  unsigned char : 7 - Bit;
  unsigned char after[After];
};
template <unsigned Bit, std::size_t After>
struct ObjectBit<0, Bit, After> {
  unsigned char : Bit;
  unsigned char bit : 1;
  unsigned char : 7 - Bit;
  unsigned char after[After];
};
template <std::size_t Before, unsigned Bit>
struct ObjectBit<Before, Bit, 0> {
  unsigned char before[Before];
  unsigned char : Bit;
  unsigned char bit : 1;
  unsigned char : 7 - Bit;
};
template <unsigned Bit>
struct ObjectBit<0, Bit, 0> {
  unsigned char : Bit;
  unsigned char bit : 1;
  unsigned char : 7 - Bit;
};

template <auto>
struct ConstantExpression {};

/// The bytes of an object that was created from bytes that are all 1, as an object of another type.
///
/// Not 0, because nvcc reads padding as 0; not more than 1, because a bool has no other value.
#define KOKKOS_IMPL_BYTES_READ_AS(...) \
  __builtin_bit_cast(__VA_ARGS__, __builtin_bit_cast(T, Impl::bytes_of_one<sizeof(T)>()))

template <class T>
constexpr bool is_readable() {
  [[maybe_unused]] auto const bytes = KOKKOS_IMPL_BYTES_READ_AS(ObjectBytes<sizeof(T)>);
  return true;
}
template <class T, std::size_t Byte>
constexpr unsigned char read_byte() {
  return KOKKOS_IMPL_BYTES_READ_AS(ObjectBytes<sizeof(T)>).bytes[Byte];
}
template <class T, std::size_t Byte, unsigned Bit>
constexpr unsigned char read_bit() {
  return KOKKOS_IMPL_BYTES_READ_AS(ObjectBit<Byte, Bit, sizeof(T) - 1 - Byte>).bit;
}

#undef KOKKOS_IMPL_BYTES_READ_AS

/// Whether constant expressions reveal the padding of T.
template <class T>
concept HasKnownPadding = requires { typename ConstantExpression<Impl::is_readable<T>()>; };
/// Whether all bits of a byte are defined.
template <class T, std::size_t Byte>
concept IsDefinedByte = requires { typename ConstantExpression<Impl::read_byte<T, Byte>()>; };
template <class T, std::size_t Byte, unsigned Bit>
concept IsDefinedBit = requires { typename ConstantExpression<Impl::read_bit<T, Byte, Bit>()>; };

/// The bits of a byte that belong to members. Bit-fields may use only some of them.
template <class T, std::size_t Byte>
constexpr unsigned char value_bits() {
  if constexpr (IsDefinedByte<T, Byte>) {
    return Impl::read_byte<T, Byte>() != 0 ? 0xff : 0;
  } else {
    return []<unsigned... Bit>(std::integer_sequence<unsigned, Bit...>) {
      return static_cast<unsigned char>((0u | ... | (IsDefinedBit<T, Byte, Bit> ? 1u << Bit : 0u)));
    }(std::make_integer_sequence<unsigned, 8>());
  }
}

// Each pass of each compiler must agree, or else members would be taken for padding, and every value for the same.
struct ValueBitsExample {
  short first;
  bool second;
};
static_assert(!HasKnownPadding<ValueBitsExample> ||
                  (value_bits<ValueBitsExample, 1>() == 0xff && value_bits<ValueBitsExample, 2>() != 0 &&
                   value_bits<ValueBitsExample, 3>() == 0),
              "This compiler reveals padding in another way than those that this header knows.");

/// Whether clear_padding() clears the padding of objects of type T.
template <class T>
constexpr bool can_clear_padding() {
#if KOKKOS_IMPL_HAS_CLEAR_PADDING
  return true;
#else
  return HasKnownPadding<T>;
#endif
}

/// Sets the bits that do not belong to the value to zero, if they are known.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void clear_padding(T& object) {
  static_assert(std::is_trivially_copyable_v<T>);
#if KOKKOS_IMPL_HAS_CLEAR_PADDING
  __builtin_clear_padding(&object);
#else
  if constexpr (HasKnownPadding<T>) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&object);
    [&]<std::size_t... Byte>(std::index_sequence<Byte...>) {
      ((bytes[Byte] &= Impl::value_bits<T, Byte>()), ...);
    }(std::make_index_sequence<sizeof(T)>());
  }
#endif
}

/// Whether all bits of two objects are the same.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool has_same_bits(T const& a, T const& b) {
  auto const* const x = reinterpret_cast<unsigned char const*>(&a);
  auto const* const y = reinterpret_cast<unsigned char const*>(&b);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    if (x[i] != y[i]) return false;
  }
  return true;
}

/// Whether the bits of two objects are the same, except padding. Padding that is not known counts.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool has_same_value_bits(T const& a, T const& b) {
  T x(a), y(b);
  Impl::clear_padding(x);
  Impl::clear_padding(y);
  return Impl::has_same_bits(x, y);
}

}  // namespace Kokkos::Impl

#undef KOKKOS_IMPL_HAS_CLEAR_PADDING

#endif
