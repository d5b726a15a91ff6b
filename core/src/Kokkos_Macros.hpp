// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MACROS_HPP
#define KOKKOS_MACROS_HPP

/// \file
/// The macros of Kokkos: the configuration, where code runs, and the function markers for it. Every other header
/// includes this one first; it includes only the configuration.

#include <KokkosCore_config.h>

#ifdef KOKKOS_IMPL_GPU_MODEL
#define HIP_MODEL_WAVEFRONT KOKKOS_IMPL_HIP_WAVEFRONT
#include <hip_model_device.hpp>  // kernels run on the host, as functions of the program
#elif defined(KOKKOS_ENABLE_HIP) && defined(__HIPCC__)
#include <hip/hip_runtime.h>  // nvcc includes CUDA's header itself
#endif

/// @{
/// A part of KOKKOS_VERSION: version 5.1.2 has major 5, minor 1 and patch 2.
#define KOKKOS_VERSION_MAJOR (KOKKOS_VERSION / 10000)
#define KOKKOS_VERSION_MINOR (KOKKOS_VERSION / 100 % 100)
#define KOKKOS_VERSION_PATCH (KOKKOS_VERSION % 100)
/// @}

#define KOKKOS_IMPL_VERSION_CODE(major, minor, patch) ((major) * 10000 + (minor) * 100 + (patch))
/// @{
/// Compares KOKKOS_VERSION with the version major.minor.patch, in a condition of `#if`.
#define KOKKOS_VERSION_LESS(major, minor, patch) (KOKKOS_VERSION < KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_LESS_EQUAL(major, minor, patch) (KOKKOS_VERSION <= KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_GREATER(major, minor, patch) (KOKKOS_VERSION > KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_GREATER_EQUAL(major, minor, patch) \
  (KOKKOS_VERSION >= KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_EQUAL(major, minor, patch) (KOKKOS_VERSION == KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
/// @}

// ---- the compiler -------------------------------------------------------------------------------------------------

#if defined(__CUDACC__)
#if defined(__NVCC__)
#define KOKKOS_COMPILER_NVCC (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ * 10)
#endif
#endif

#if defined(__INTEL_LLVM_COMPILER)
#define KOKKOS_COMPILER_INTEL_LLVM __INTEL_LLVM_COMPILER
#elif defined(__NVCOMPILER)
#define KOKKOS_COMPILER_NVHPC (__NVCOMPILER_MAJOR__ * 10000 + __NVCOMPILER_MINOR__ * 100 + __NVCOMPILER_PATCHLEVEL__)
#elif defined(__clang__)
#define KOKKOS_COMPILER_CLANG (__clang_major__ * 100 + __clang_minor__ * 10 + __clang_patchlevel__)
#elif defined(__GNUC__)
#define KOKKOS_COMPILER_GNU (__GNUC__ * 100 + __GNUC_MINOR__ * 10 + __GNUC_PATCHLEVEL__)
#endif

#if defined(_OPENMP)
#define KOKKOS_COMPILER_OPENMP _OPENMP
#endif

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Kokkos needs C++20: compile with -std=c++20 or newer (or link the CMake target Kokkos::kokkos, which sets it)."
#endif

// ---- where code runs ----------------------------------------------------------------------------------------------

// A device pass compiles the same source a second time, for the GPU.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOKKOS_IMPL_DEVICE_PASS 1
#else
#define KOKKOS_IMPL_DEVICE_PASS 0
#endif

// Defined in every source of a build with a GPU backend, whichever compiler reads it.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define KOKKOS_IMPL_GPU_BACKEND 1
#endif

// Defined in both passes of a compiler that compiles for a GPU.
#if (defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)) || (defined(KOKKOS_ENABLE_HIP) && defined(__HIPCC__))
#define KOKKOS_IMPL_GPU_COMPILER 1
#define KOKKOS_IMPL_HOST_DEVICE __host__ __device__
#define KOKKOS_IMPL_DEVICE __device__
#else
#define KOKKOS_IMPL_HOST_DEVICE
#define KOKKOS_IMPL_DEVICE
#endif

/// Before a KOKKOS_FUNCTION that only hosts call. A function of a program for a handle, an instance or a member, is compiled
/// for both sides and may call it; nvcc does not check what it calls itself.
#ifdef __NVCC__
#define KOKKOS_IMPL_CALLED_BY_HOSTS _Pragma("nv_exec_check_disable")
#else
#define KOKKOS_IMPL_CALLED_BY_HOSTS
#endif
#define KOKKOS_IMPL_FORCEINLINE inline __attribute__((always_inline))

/// Marks a function that may be called on the host and in a kernel.
#define KOKKOS_FUNCTION KOKKOS_IMPL_HOST_DEVICE
/// KOKKOS_FUNCTION for a function that is defined in a header: also `inline`.
#define KOKKOS_INLINE_FUNCTION KOKKOS_IMPL_HOST_DEVICE inline
/// KOKKOS_INLINE_FUNCTION that the compiler must inline into its callers.
#define KOKKOS_FORCEINLINE_FUNCTION KOKKOS_IMPL_HOST_DEVICE KOKKOS_IMPL_FORCEINLINE
/// Marks a defaulted special member function. Compilers make those callable on both sides without a marker.
#define KOKKOS_DEFAULTED_FUNCTION
/// Marks a deleted function; no compiler needs a marker there.
#define KOKKOS_INLINE_FUNCTION_DELETED
/// Marks a deduction guide that kernels may use. clang 22 accepts every guide there, and warns of a marker.
#if defined(__clang__) && __clang_major__ >= 22
#define KOKKOS_DEDUCTION_GUIDE
#else
#define KOKKOS_DEDUCTION_GUIDE KOKKOS_IMPL_HOST_DEVICE
#endif
/// Marks a function that is defined in another translation unit and called from a kernel; needs relocatable device
/// code.
#define KOKKOS_RELOCATABLE_FUNCTION extern KOKKOS_IMPL_HOST_DEVICE

/// Begins a lambda that can be a kernel. It captures by value: a view as a handle of its elements, any other variable
/// as a copy.
#define KOKKOS_LAMBDA [=] KOKKOS_IMPL_HOST_DEVICE
/// KOKKOS_LAMBDA in a member function: captures `*this` as a copy, so that the kernel does not access the host's
/// object.
#define KOKKOS_CLASS_LAMBDA [ =, *this ] KOKKOS_IMPL_HOST_DEVICE
/// @{
/// KOKKOS_LAMBDA and KOKKOS_CLASS_LAMBDA for a kernel that should be inlined. Only g++ accepts an attribute before the
/// parameters of a lambda; other compilers decide themselves.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOKKOS_FORCEINLINE_LAMBDA [=] KOKKOS_IMPL_HOST_DEVICE __attribute__((always_inline))
#define KOKKOS_FORCEINLINE_CLASS_LAMBDA [ =, *this ] KOKKOS_IMPL_HOST_DEVICE __attribute__((always_inline))
#else
#define KOKKOS_FORCEINLINE_LAMBDA KOKKOS_LAMBDA
#define KOKKOS_FORCEINLINE_CLASS_LAMBDA KOKKOS_CLASS_LAMBDA
#endif
/// @}

// The code of KOKKOS_IF_ON_HOST, without the parentheses in which a program may put it. KOKKOS_IMPL_CODE_IN before the
// code is a call, which leaves KOKKOS_IMPL_CODE_OUT, if the code has parentheses; otherwise it stays. Either name is then
// pasted to the name of an empty macro.
#define KOKKOS_IMPL_CODE_IN(...) KOKKOS_IMPL_CODE_OUT __VA_ARGS__
#define KOKKOS_IMPL_DROP_KOKKOS_IMPL_CODE_IN
#define KOKKOS_IMPL_DROP_KOKKOS_IMPL_CODE_OUT
#define KOKKOS_IMPL_DROP_FIRST_NAME(...) KOKKOS_IMPL_DROP_##__VA_ARGS__
#define KOKKOS_IMPL_DROP_FIRST(...) KOKKOS_IMPL_DROP_FIRST_NAME(__VA_ARGS__)
#define KOKKOS_IMPL_STRIP_PARENS(CODE) KOKKOS_IMPL_DROP_FIRST(KOKKOS_IMPL_CODE_IN CODE)

#if KOKKOS_IMPL_DEVICE_PASS
#define KOKKOS_IMPL_IF_HOST_PASS(CODE) \
  {                                    \
  }
#define KOKKOS_IMPL_IF_DEVICE_PASS(CODE) {KOKKOS_IMPL_STRIP_PARENS(CODE)}
#else
#define KOKKOS_IMPL_IF_HOST_PASS(CODE) {KOKKOS_IMPL_STRIP_PARENS(CODE)}
#define KOKKOS_IMPL_IF_DEVICE_PASS(CODE) \
  {                                      \
  }
#endif

// A model of a GPU has one pass for the host and for kernels, so the choice is made at run time. The two forms of
// KOKKOS_IMPL_IF_..._PASS are for functions whose name differs in a device pass, but whose effect does not.
/// @{
/// `KOKKOS_IF_ON_HOST((code;))` compiles the code only in the host pass, `KOKKOS_IF_ON_DEVICE` only in the device pass.
/// Code without a comma may stand in one pair of parentheses: `KOKKOS_IF_ON_HOST(code;)`.
#ifdef KOKKOS_IMPL_GPU_MODEL
#define KOKKOS_IF_ON_HOST(CODE)    \
  if (!::hip_model::in_kernel()) { \
    KOKKOS_IMPL_STRIP_PARENS(CODE) \
  }
#define KOKKOS_IF_ON_DEVICE(CODE)  \
  if (::hip_model::in_kernel()) {  \
    KOKKOS_IMPL_STRIP_PARENS(CODE) \
  }
#else
#define KOKKOS_IF_ON_HOST(CODE) KOKKOS_IMPL_IF_HOST_PASS(CODE)
#define KOKKOS_IF_ON_DEVICE(CODE) KOKKOS_IMPL_IF_DEVICE_PASS(CODE)
#endif
/// @}

/// Code for a GPU's kernels within a function that the host compiles, too. (A model of a GPU on the host runs it
/// there.)
#if KOKKOS_IMPL_DEVICE_PASS || defined(KOKKOS_IMPL_GPU_MODEL)
#define KOKKOS_IMPL_GPU_CODE(...) __VA_ARGS__
#else
#define KOKKOS_IMPL_GPU_CODE(...)
#endif

// ---- hints to the compiler ----------------------------------------------------------------------------------------

/// KOKKOS_IMPL_IVDEP: the iterations of the loop that follows are independent.
// Clang's pragma is more than a hint: it forces vectorisation regardless of the cost model, and warns in the user's
// source if that fails (for an atomic or a `while`). Hence it is only used on request.
#if defined(__clang__) && defined(KOKKOS_ENABLE_AGGRESSIVE_VECTORIZATION)
#define KOKKOS_IMPL_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#elif !defined(__clang__) && defined(__GNUC__)
#define KOKKOS_IMPL_IVDEP _Pragma("GCC ivdep")
#else
#define KOKKOS_IMPL_IVDEP
#endif

#if KOKKOS_IMPL_DEVICE_PASS
#undef KOKKOS_IMPL_IVDEP
#define KOKKOS_IMPL_IVDEP
#endif

// The text of its argument, for programs that use this name.
#define KOKKOS_IMPL_STRINGIFY(x) #x

// Programs write such pragmas themselves if the compiler has them: `#pragma ivdep`, `#pragma unroll`.
#if defined(__INTEL_LLVM_COMPILER) || defined(__NVCOMPILER)
#define KOKKOS_ENABLE_PRAGMA_IVDEP 1
#define KOKKOS_ENABLE_PRAGMA_UNROLL 1
#define KOKKOS_ENABLE_PRAGMA_VECTOR 1
#elif defined(__CUDA_ARCH__)
#define KOKKOS_ENABLE_PRAGMA_UNROLL 1
#endif
#if defined(__INTEL_LLVM_COMPILER)
#define KOKKOS_ENABLE_PRAGMA_LOOPCOUNT 1
#endif

// nvcc 13.0 gives a class with such members different sizes in device code and on the host, so a kernel would read its
// arguments at wrong offsets. All files of a build with CUDA use the same layout, whichever compiler compiles them.
#ifdef KOKKOS_ENABLE_CUDA
#define KOKKOS_IMPL_NO_UNIQUE_ADDRESS
#else
#define KOKKOS_IMPL_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

/// Marks a pointer: in its scope, its elements are accessed through it only (`restrict` of C).
#define KOKKOS_RESTRICT __restrict__
#define KOKKOS_IMPL_UNREACHABLE() __builtin_unreachable()

/// Minimum alignment of a view's allocation, in bytes.
#define KOKKOS_MEMORY_ALIGNMENT 64
/// For programs that read it. Without effect, because every allocation has the alignment KOKKOS_MEMORY_ALIGNMENT.
#define KOKKOS_MEMORY_ALIGNMENT_THRESHOLD 1

// ---- macros that programs check -----------------------------------------------------------------------------------

/// Lambdas can be kernels, and constexpr functions can be called in kernels: always true.
#define KOKKOS_ENABLE_CXX11_DISPATCH_LAMBDA
#ifdef KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#define KOKKOS_ENABLE_CUDA_CONSTEXPR
#endif

/// A program may contain assembly language for this processor.
#if defined(__x86_64__) || defined(__PPC64__)
#define KOKKOS_ENABLE_ASM 1
#endif

/// The default of a view's extents: not given.
#define KOKKOS_IMPL_CTOR_DEFAULT_ARG KOKKOS_INVALID_INDEX

#define KOKKOS_IMPL_DO_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define KOKKOS_IMPL_HOST_FUNCTION
#define KOKKOS_IMPL_DEVICE_FUNCTION KOKKOS_IMPL_DEVICE
#define KOKKOS_IMPL_FUNCTION KOKKOS_FUNCTION
#define KOKKOS_IMPL_INLINE_FUNCTION KOKKOS_INLINE_FUNCTION
#define KOKKOS_IMPL_FORCEINLINE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION
#define KOKKOS_IMPL_HOST_FORCEINLINE KOKKOS_IMPL_FORCEINLINE
#define KOKKOS_IMPL_HOST_FORCEINLINE_FUNCTION KOKKOS_IMPL_FORCEINLINE

/// Between these two macros, uses of deprecated names cause no warning.
#if defined(__GNUC__)
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_PUSH() \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_POP() _Pragma("GCC diagnostic pop")
#else
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_PUSH()
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_POP()
#endif

/// No supported compiler warns about unreachable code.
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_PUSH()
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_POP()

// ---- deprecation --------------------------------------------------------------------------------------------------

#ifdef KOKKOS_ENABLE_DEPRECATION_WARNINGS
#define KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN(...) __VA_ARGS__
#else
#define KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN(...)
#endif
/// @{
/// Mark a declaration as deprecated; the second one names the replacement.
#define KOKKOS_DEPRECATED KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN([[deprecated]])
#define KOKKOS_DEPRECATED_WITH_COMMENT(comment) KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN([[deprecated(comment)]])
/// @}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#define KOKKOS_ATTRIBUTE_NODISCARD [[nodiscard]]
/// Prefetches the cache line at an address before it is read or written.
#define KOKKOS_NONTEMPORAL_PREFETCH_LOAD(address) __builtin_prefetch(address, 0, 0)
#define KOKKOS_NONTEMPORAL_PREFETCH_STORE(address) __builtin_prefetch(address, 1, 0)
#define KOKKOS_IMPL_MEMORY_ALIGNMENT KOKKOS_MEMORY_ALIGNMENT
#define KOKKOS_IMPL_MEMORY_ALIGNMENT_THRESHOLD KOKKOS_MEMORY_ALIGNMENT_THRESHOLD
#endif

#endif
