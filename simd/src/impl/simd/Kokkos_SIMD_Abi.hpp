// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SIMD_ABI_HPP
#define KOKKOS_SIMD_ABI_HPP

/// \file
/// The widths of vectors, and the flags of loads and stores.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

// Compilers of GPU code compile a source once for each target and must get the same types each time. They get vectors
// of one value, which is the work of one GPU thread; wider vectors that a program requests are arrays.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__NVCC__)
#define KOKKOS_IMPL_SIMD_VECTOR_EXTENSION 1
#else
#define KOKKOS_IMPL_SIMD_VECTOR_EXTENSION 0
#endif

namespace Kokkos::Experimental {

using simd_size_t = std::size_t;  ///< the type of lane numbers

namespace simd_abi {

/// One value. The only width with special support on GPUs.
struct scalar {};

/// N values in one vector; N is a power of two. The compiler maps it to one or more registers, or to parts of one.
template <int N>
struct fixed_size {
  static_assert(N > 1 && (N & (N - 1)) == 0, "The number of values in a vector is a power of two, and at least 2.");
};

/// @{
/// fixed_size under the name that Kokkos gives it for one instruction set.
template <int N>
using avx2_fixed_size = fixed_size<N>;
template <int N>
using avx512_fixed_size = fixed_size<N>;
template <int N>
using neon_fixed_size = fixed_size<N>;
template <int N>
using sve_fixed_size = fixed_size<N>;
/// @}

namespace Impl {

/// Size in bytes of the widest register for this translation unit's target.
inline constexpr int register_bytes =
#if !KOKKOS_IMPL_SIMD_VECTOR_EXTENSION
    0;
#elif defined(__AVX512F__)
    64;
#elif defined(__AVX2__)
    32;
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
    __ARM_FEATURE_SVE_BITS / 8;
#elif defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__)
    16;
#else
    0;
#endif

template <class T>
inline constexpr int native_size =
    register_bytes >= 2 * static_cast<int>(sizeof(T)) ? register_bytes / static_cast<int>(sizeof(T)) : 1;

template <int N>
struct abi_of_size {
  using type = fixed_size<N>;
};
template <>
struct abi_of_size<1> {
  using type = scalar;
};

template <class Abi>
inline constexpr int size_of_abi = 0;  // not an ABI
template <>
inline constexpr int size_of_abi<scalar> = 1;
template <int N>
inline constexpr int size_of_abi<fixed_size<N>> = N;

template <class Space>
inline constexpr bool is_host_space = SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible &&
                                      KOKKOS_IMPL_SIMD_VECTOR_EXTENSION;

}  // namespace Impl

/// The ABI of N values of type T.
template <class T, int N>
using deduce_t = typename Impl::abi_of_size<N>::type;

/// The widest ABI for T in the target's instruction set.
template <class T>
using host_native = deduce_t<T, Impl::native_size<T>>;
/// The same as host_native.
template <class T>
using native = host_native<T>;

/// The ABI for kernels of an execution space: one value on GPUs.
template <class Space, class T = double>
using ForSpace = std::conditional_t<Impl::is_host_space<Space>, host_native<T>, scalar>;

}  // namespace simd_abi

template <class T, class Abi>
class basic_simd;
template <class T, class Abi>
class basic_simd_mask;

/// N values of type T; by default as many as a register of the host contains.
template <class T, int N = simd_abi::Impl::native_size<T>>
using simd = basic_simd<T, simd_abi::deduce_t<T, N>>;
/// N truth values for vectors of N values of type T.
template <class T, int N = simd_abi::Impl::native_size<T>>
using simd_mask = basic_simd_mask<T, simd_abi::deduce_t<T, N>>;

/// As many values of type T as a register of the host contains.
template <class T>
using native_simd = simd<T>;
/// The mask of native_simd.
template <class T>
using native_simd_mask = simd_mask<T>;

struct simd_alignment_vector_aligned {};

/// A guarantee of the program about the address of a load or store.
template <class... Properties>
struct simd_flags {};

using element_aligned_tag = simd_flags<>;                               ///< aligned for the type of the elements
using vector_aligned_tag  = simd_flags<simd_alignment_vector_aligned>;  ///< aligned for the whole vector

inline constexpr element_aligned_tag simd_flag_default{};  ///< the default: aligned for one element
inline constexpr vector_aligned_tag simd_flag_aligned{};   ///< aligned for the whole vector

namespace SimdImpl {

template <class T>
inline constexpr bool is_simd = false;
template <class T, class Abi>
inline constexpr bool is_simd<basic_simd<T, Abi>> = true;

}  // namespace SimdImpl
}  // namespace Kokkos::Experimental

#endif
