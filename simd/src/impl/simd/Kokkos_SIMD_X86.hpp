// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_X86_HPP
#define KOKKOS_SIMD_X86_HPP

/// \file
/// Operations for which x86 has an instruction but vector types have no operator. Each is an overload for one register
/// type. If simd_has_instruction<Operation, Register> is false, callers loop over the lanes.

#include <impl/simd/Kokkos_SIMD_Register.hpp>

// The header of all instruction sets takes a quarter of a second to compile.
#if KOKKOS_IMPL_SIMD_VECTOR_EXTENSION && defined(__x86_64__)
#if defined(__AVX__) || defined(__FMA__)
#include <immintrin.h>
#elif defined(__SSE4_1__)
#include <smmintrin.h>
#else
#include <emmintrin.h>
#endif
#endif

namespace Kokkos::Experimental::SimdImpl {

// The operations.
struct SimdSqrt {};
struct SimdFloor {};
struct SimdCeil {};
struct SimdTrunc {};
struct SimdRoundToEven {};
struct SimdFma {};
struct SimdSignBits {};  // the sign bits of the lanes as one number, lane 0 in bit 0

#if KOKKOS_IMPL_SIMD_VECTOR_EXTENSION && defined(__x86_64__)

struct SimdX86 {
#define KOKKOS_IMPL_SIMD_SQRT_OF(prefix, suffix, type) \
  static type run(SimdSqrt, type a) { return (type)prefix##_sqrt_##suffix(a); }
#define KOKKOS_IMPL_SIMD_ROUND_OF(prefix, round, suffix, type)                                  \
  static type run(SimdFloor, type a) {                                                          \
    return (type)prefix##_##round##_##suffix(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);     \
  }                                                                                             \
  static type run(SimdCeil, type a) {                                                           \
    return (type)prefix##_##round##_##suffix(a, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);     \
  }                                                                                             \
  static type run(SimdTrunc, type a) {                                                          \
    return (type)prefix##_##round##_##suffix(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);        \
  }                                                                                             \
  static type run(SimdRoundToEven, type a) {                                                    \
    return (type)prefix##_##round##_##suffix(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); \
  }
#define KOKKOS_IMPL_SIMD_FMA_OF(prefix, suffix, type) \
  static type run(SimdFma, type a, type b, type c) { return (type)prefix##_fmadd_##suffix(a, b, c); }

  using float4  = simd_register<float, 4>;
  using double2 = simd_register<double, 2>;
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm, ps, float4)
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm, pd, double2)
  static unsigned run(SimdSignBits, simd_register<std::int32_t, 4> m) { return unsigned(_mm_movemask_ps((__m128)m)); }
  static unsigned run(SimdSignBits, simd_register<std::int64_t, 2> m) { return unsigned(_mm_movemask_pd((__m128d)m)); }
#ifdef __SSE4_1__
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm, round, ps, float4)
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm, round, pd, double2)
#endif
#ifdef __FMA__
  KOKKOS_IMPL_SIMD_FMA_OF(_mm, ps, float4)
  KOKKOS_IMPL_SIMD_FMA_OF(_mm, pd, double2)
#endif
#ifdef __AVX__
  using float8  = simd_register<float, 8>;
  using double4 = simd_register<double, 4>;
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm256, ps, float8)
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm256, pd, double4)
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm256, round, ps, float8)
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm256, round, pd, double4)
  static unsigned run(SimdSignBits, simd_register<std::int32_t, 8> m) {
    return unsigned(_mm256_movemask_ps((__m256)m));
  }
  static unsigned run(SimdSignBits, simd_register<std::int64_t, 4> m) {
    return unsigned(_mm256_movemask_pd((__m256d)m));
  }
#ifdef __FMA__
  KOKKOS_IMPL_SIMD_FMA_OF(_mm256, ps, float8)
  KOKKOS_IMPL_SIMD_FMA_OF(_mm256, pd, double4)
#endif
#endif
#ifdef __AVX512F__
  using float16 = simd_register<float, 16>;
  using double8 = simd_register<double, 8>;
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm512, ps, float16)
  KOKKOS_IMPL_SIMD_SQRT_OF(_mm512, pd, double8)
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm512, roundscale, ps, float16)
  KOKKOS_IMPL_SIMD_ROUND_OF(_mm512, roundscale, pd, double8)
  KOKKOS_IMPL_SIMD_FMA_OF(_mm512, ps, float16)
  KOKKOS_IMPL_SIMD_FMA_OF(_mm512, pd, double8)
  static unsigned run(SimdSignBits, simd_register<std::int32_t, 16> m) {
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m);
  }
  static unsigned run(SimdSignBits, simd_register<std::int64_t, 8> m) {
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m);
  }
#endif
#undef KOKKOS_IMPL_SIMD_SQRT_OF
#undef KOKKOS_IMPL_SIMD_ROUND_OF
#undef KOKKOS_IMPL_SIMD_FMA_OF
};
using SimdInstructions = SimdX86;

#else

/// No instructions. Templates, so that only calls that are made are checked.
struct SimdInstructions {
  template <class... Arguments>
    requires(sizeof...(Arguments) == 0)
  static void run(Arguments...);
};

#endif

/// Whether the target has an instruction for an operation on such registers.
template <class Operation, class... Registers>
concept simd_has_instruction =
    requires(Operation operation, Registers... registers) { SimdInstructions::run(operation, registers...); };

}  // namespace Kokkos::Experimental::SimdImpl

#endif
