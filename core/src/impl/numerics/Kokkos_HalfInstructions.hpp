// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NUMERICS_HALF_INSTRUCTIONS_HPP
#define KOKKOS_NUMERICS_HALF_INSTRUCTIONS_HPP

/// \file
/// NVIDIA's instructions for numbers of 16 bits. A loop over such numbers moves two bytes for each of them, so the number
/// of its instructions decides its time, and a detour through float takes four instructions instead of one.
///
/// Each instruction rounds its result once, to what rounding a float would give. The compiler makes one instruction of a
/// product and a sum, as it does for float, unless `-fmad=false` forbids that.

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <type_traits>

#ifdef __CUDA_ARCH__
#define KOKKOS_IMPL_HALF_INSTRUCTIONS

namespace Kokkos::Impl {

struct Binary16;
struct BFloat16;

/// The instructions for numbers of a format. Architectures have different ones, and the constants say which exist:
/// `calculate` those for sums, products and comparisons, `fuse` that for fma, `select` those for the larger and the smaller
/// of two numbers, `round_floats` the conversion from float, `round_all` those from integers and double, too.
template <class Format>
struct HalfInstructions;

#define KOKKOS_IMPL_HALF_BINARY(NAME, CODE)                                                 \
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t NAME(std::uint16_t x, std::uint16_t y) { \
    std::uint16_t result;                                                                   \
    asm(CODE " %0, %1, %2;" : "=h"(result) : "h"(x), "h"(y));                               \
    return result;                                                                          \
  }
#define KOKKOS_IMPL_HALF_COMPARISON(NAME, CODE)                                                              \
  KOKKOS_FORCEINLINE_FUNCTION static bool NAME(std::uint16_t x, std::uint16_t y) {                           \
    unsigned result;                                                                                         \
    asm("{ .reg .pred p; setp." CODE " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(result) : "h"(x), "h"(y)); \
    return result != 0;                                                                                      \
  }
// A NaN is unequal to every number.
#define KOKKOS_IMPL_HALF_INSTRUCTIONS_OF(FORMAT)                                                            \
  KOKKOS_IMPL_HALF_BINARY(add, "add." FORMAT)                                                               \
  KOKKOS_IMPL_HALF_BINARY(subtract, "sub." FORMAT)                                                          \
  KOKKOS_IMPL_HALF_BINARY(multiply, "mul." FORMAT)                                                          \
  KOKKOS_IMPL_HALF_BINARY(larger, "max." FORMAT)                                                            \
  KOKKOS_IMPL_HALF_BINARY(smaller, "min." FORMAT)                                                           \
  KOKKOS_IMPL_HALF_COMPARISON(equal, "eq." FORMAT)                                                          \
  KOKKOS_IMPL_HALF_COMPARISON(unequal, "neu." FORMAT)                                                       \
  KOKKOS_IMPL_HALF_COMPARISON(less, "lt." FORMAT)                                                           \
  KOKKOS_IMPL_HALF_COMPARISON(less_or_equal, "le." FORMAT)                                                  \
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t fma(std::uint16_t x, std::uint16_t y, std::uint16_t z) { \
    std::uint16_t result;                                                                                   \
    asm("fma.rn." FORMAT " %0, %1, %2, %3;" : "=h"(result) : "h"(x), "h"(y), "h"(z));                       \
    return result;                                                                                          \
  }                                                                                                         \
  template <class T>                                                                                        \
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t round(T x) {                                             \
    std::uint16_t result;                                                                                   \
    if constexpr (std::is_same_v<T, float>)                                                                 \
      asm("cvt.rn." FORMAT ".f32 %0, %1;" : "=h"(result) : "f"(x));                                         \
    else if constexpr (std::is_same_v<T, double>)                                                           \
      asm("cvt.rn." FORMAT ".f64 %0, %1;" : "=h"(result) : "d"(x));                                         \
    else if constexpr (sizeof(T) < 8 && std::is_signed_v<T>)                                                \
      asm("cvt.rn." FORMAT ".s32 %0, %1;" : "=h"(result) : "r"(static_cast<int>(x)));                       \
    else if constexpr (sizeof(T) < 8)                                                                       \
      asm("cvt.rn." FORMAT ".u32 %0, %1;" : "=h"(result) : "r"(static_cast<unsigned>(x)));                  \
    else if constexpr (std::is_signed_v<T>)                                                                 \
      asm("cvt.rn." FORMAT ".s64 %0, %1;" : "=h"(result) : "l"(static_cast<long long>(x)));                 \
    else                                                                                                    \
      asm("cvt.rn." FORMAT ".u64 %0, %1;" : "=h"(result) : "l"(static_cast<unsigned long long>(x)));        \
    return result;                                                                                          \
  }

template <>
struct HalfInstructions<Binary16> {
  static constexpr bool calculate = __CUDA_ARCH__ >= 530, fuse = calculate, select = __CUDA_ARCH__ >= 800;
  static constexpr bool round_floats = true, round_all = true;
  KOKKOS_IMPL_HALF_INSTRUCTIONS_OF("f16")
};

template <>
struct HalfInstructions<BFloat16> {
  static constexpr bool calculate = __CUDA_ARCH__ >= 900, fuse = __CUDA_ARCH__ >= 800, select = fuse;
  static constexpr bool round_floats = fuse, round_all = calculate;
  KOKKOS_IMPL_HALF_INSTRUCTIONS_OF("bf16")
};

#undef KOKKOS_IMPL_HALF_INSTRUCTIONS_OF
#undef KOKKOS_IMPL_HALF_COMPARISON
#undef KOKKOS_IMPL_HALF_BINARY

}  // namespace Kokkos::Impl

#endif
#endif
