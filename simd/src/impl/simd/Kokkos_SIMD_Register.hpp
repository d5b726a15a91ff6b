// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_REGISTER_HPP
#define KOKKOS_SIMD_REGISTER_HPP

/// \file
/// The storage of vectors and masks, and the operations that implement their classes.
///
/// On the host a register is a vector type of the compiler, whose operators compile to the instructions of the target.
/// LaneArray has the same operators; it is used for single values, for vectors wider than a register, and with
/// compilers of GPU code. A mask has an integer of the element's size for each lane: 0 or -1.

#include <impl/simd/Kokkos_SIMD_Abi.hpp>

#include <cstdint>
#include <cstring>

namespace Kokkos::Experimental::SimdImpl {

/// The integer of a mask's lane.
template <class T>
using simd_lane_int = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

/// N values with the operators of a vector type.
template <class T, int N>
struct LaneArray {
  T lane[static_cast<std::size_t>(N)];

  KOKKOS_FUNCTION T& operator[](int i) { return lane[i]; }
  KOKKOS_FUNCTION T operator[](int i) const { return lane[i]; }

  template <class Result, class Function>
  KOKKOS_FUNCTION static LaneArray<Result, N> each(Function const& f) {
    LaneArray<Result, N> result;
    for (int i = 0; i < N; ++i) result.lane[i] = f(i);
    return result;
  }
  using Mask = LaneArray<simd_lane_int<T>, N>;

#define KOKKOS_IMPL_SIMD_BINARY(op)                                                      \
  KOKKOS_FUNCTION friend LaneArray operator op(LaneArray const& a, LaneArray const& b) { \
    return each<T>([&](int i) { return static_cast<T>(a.lane[i] op b.lane[i]); });       \
  }
#define KOKKOS_IMPL_SIMD_COMPARISON(op)                                                              \
  KOKKOS_FUNCTION friend Mask operator op(LaneArray const& a, LaneArray const& b) {                  \
    return each<simd_lane_int<T>>([&](int i) { return -simd_lane_int<T>(a.lane[i] op b.lane[i]); }); \
  }
  KOKKOS_IMPL_SIMD_BINARY(+)
  KOKKOS_IMPL_SIMD_BINARY(-)
  KOKKOS_IMPL_SIMD_BINARY(*)
  KOKKOS_IMPL_SIMD_BINARY(/)
  KOKKOS_IMPL_SIMD_BINARY(&)
  KOKKOS_IMPL_SIMD_BINARY(|)
  KOKKOS_IMPL_SIMD_BINARY(^)
  KOKKOS_IMPL_SIMD_BINARY(<<)
  KOKKOS_IMPL_SIMD_BINARY(>>)
  KOKKOS_IMPL_SIMD_COMPARISON(==)
  KOKKOS_IMPL_SIMD_COMPARISON(!=)
  KOKKOS_IMPL_SIMD_COMPARISON(<)
  KOKKOS_IMPL_SIMD_COMPARISON(<=)
  KOKKOS_IMPL_SIMD_COMPARISON(>)
  KOKKOS_IMPL_SIMD_COMPARISON(>=)
#undef KOKKOS_IMPL_SIMD_BINARY
#undef KOKKOS_IMPL_SIMD_COMPARISON
  KOKKOS_FUNCTION LaneArray operator-() const {
    return each<T>([&](int i) { return static_cast<T>(-lane[i]); });
  }
  KOKKOS_FUNCTION LaneArray operator~() const {
    return each<T>([&](int i) { return static_cast<T>(~lane[i]); });
  }
};

/// A vector wider than the registers of the target has no stable calling convention, so it is an array, too.
template <class T, int N, bool FitsARegister = (N > 1 && N * sizeof(T) <= simd_abi::Impl::register_bytes)>
struct SimdRegister {
  using type = LaneArray<T, N>;
};
#if KOKKOS_IMPL_SIMD_VECTOR_EXTENSION
template <class T, int N>
struct SimdRegister<T, N, true> {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
  /// A register in memory, at any address that is aligned for one element.
  typedef T in_memory __attribute__((vector_size(N * sizeof(T)), aligned(alignof(T)), may_alias));
};
#endif

template <class T, int N>
using simd_register = typename SimdRegister<T, N>::type;
template <class T, int N>
using simd_mask_register = simd_register<simd_lane_int<T>, N>;

template <class Register>
inline constexpr bool is_lane_array = false;
template <class T, int N>
inline constexpr bool is_lane_array<LaneArray<T, N>> = true;

/// Reinterprets the bits of a register as another type of the same size.
template <class To, class From>
KOKKOS_FUNCTION To simd_bits(From const& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// A register with the value lane(i) in each lane.
template <class T, int N, class Lane>
KOKKOS_FUNCTION simd_register<T, N> simd_generate(Lane const& lane) {
  simd_register<T, N> result;
  for (int i = 0; i < N; ++i) result[i] = lane(i);
  return result;
}

template <class T, int N>
KOKKOS_FUNCTION simd_register<T, N> simd_broadcast(T value) {
  if constexpr (is_lane_array<simd_register<T, N>>)
    return simd_generate<T, N>([=](int) { return value; });
  else
    return value - simd_register<T, N>{};  // a scalar operand is broadcast; subtracting 0 keeps its sign
}

/// a where the mask is set, else b.
template <class T, int N>
KOKKOS_FUNCTION simd_register<T, N> simd_select(simd_mask_register<T, N> const& mask, simd_register<T, N> const& a,
                                                simd_register<T, N> const& b) {
  if constexpr (is_lane_array<simd_register<T, N>>)
    return simd_generate<T, N>([&](int i) { return mask[i] ? a[i] : b[i]; });
  else
    return mask ? a : b;
}

/// Converts each value.
template <class To, class From, int N>
KOKKOS_FUNCTION simd_register<To, N> simd_convert(simd_register<From, N> const& from) {
  if constexpr (std::is_same_v<To, From>)
    return from;
  else if constexpr (is_lane_array<simd_register<To, N>> || is_lane_array<simd_register<From, N>>)
    return simd_generate<To, N>([&](int i) { return static_cast<To>(from[i]); });
  else
    return __builtin_convertvector(from, simd_register<To, N>);
}

template <class... Flags>
inline constexpr bool is_vector_aligned = (std::is_same_v<Flags, simd_alignment_vector_aligned> || ...);

/// Informs the compiler of the alignment that the flags guarantee.
template <class Register, class U, class... Flags>
KOKKOS_FUNCTION U* simd_address(U* memory, simd_flags<Flags...>) {
  if constexpr (is_vector_aligned<Flags...>) {
    KOKKOS_IMPL_IF_HOST_PASS((return static_cast<U*>(__builtin_assume_aligned(memory, alignof(Register)));))
  }
  return memory;
}

/// Loads N values from memory, and converts them if they have another type.
template <class T, int N, class U, class Flags>
KOKKOS_FUNCTION simd_register<T, N> simd_load_register(U const* memory, Flags flags) {
  simd_register<U, N> loaded;
  std::memcpy(&loaded, simd_address<simd_register<U, N>>(memory, flags), sizeof(loaded));
  return simd_convert<T, U, N>(loaded);
}

/// A vector is stored as such, because g++ 12 stores the result of a memcpy with an integer instruction, which is
/// slower.
template <class T, int N, class U, class Flags>
KOKKOS_FUNCTION void simd_store_register(simd_register<T, N> const& value, U* memory, Flags flags) {
  using Register        = simd_register<U, N>;
  Register const stored = simd_convert<U, T, N>(value);
  U* const to           = simd_address<Register>(memory, flags);
  if constexpr (is_lane_array<Register>)
    std::memcpy(to, &stored, sizeof(stored));
  else
    *reinterpret_cast<typename SimdRegister<U, N>::in_memory*>(to) = stored;
}

}  // namespace Kokkos::Experimental::SimdImpl

#endif
