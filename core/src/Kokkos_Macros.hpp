// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MACROS_HPP
#define KOKKOS_MACROS_HPP

/// \file
/// The macros of Kokkos: what is enabled, where code runs, and how functions are marked for it.
/// Every other header includes this one first; it includes nothing but the configuration.

#include <KokkosCore_config.h>

#ifdef KOKKOS_IMPL_GPU_MODEL
#define HIP_MODEL_WAVEFRONT KOKKOS_IMPL_HIP_WAVEFRONT
#include <hip_model_device.hpp>  // kernels run on the host, as functions of the program
#elif defined(KOKKOS_ENABLE_HIP) && defined(__HIPCC__)
#include <hip/hip_runtime.h>  // nvcc includes CUDA's by itself
#endif

#define KOKKOS_VERSION_MAJOR (KOKKOS_VERSION / 10000)
#define KOKKOS_VERSION_MINOR (KOKKOS_VERSION / 100 % 100)
#define KOKKOS_VERSION_PATCH (KOKKOS_VERSION % 100)

#define KOKKOS_IMPL_VERSION_CODE(major, minor, patch) ((major)*10000 + (minor)*100 + (patch))
#define KOKKOS_VERSION_LESS(major, minor, patch) (KOKKOS_VERSION < KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_LESS_EQUAL(major, minor, patch) \
  (KOKKOS_VERSION <= KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_GREATER(major, minor, patch) (KOKKOS_VERSION > KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_GREATER_EQUAL(major, minor, patch) \
  (KOKKOS_VERSION >= KOKKOS_IMPL_VERSION_CODE(major, minor, patch))
#define KOKKOS_VERSION_EQUAL(major, minor, patch) (KOKKOS_VERSION == KOKKOS_IMPL_VERSION_CODE(major, minor, patch))

// ---- which compiler reads this ------------------------------------------------------------------------------------

#if defined(__CUDACC__)
#if defined(__NVCC__)
#define KOKKOS_COMPILER_NVCC (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ * 10)
#endif
#endif

#if defined(__INTEL_LLVM_COMPILER)
#define KOKKOS_COMPILER_INTEL_LLVM __INTEL_LLVM_COMPILER
#elif defined(__NVCOMPILER)
#define KOKKOS_COMPILER_NVHPC \
  (__NVCOMPILER_MAJOR__ * 10000 + __NVCOMPILER_MINOR__ * 100 + __NVCOMPILER_PATCHLEVEL__)
#elif defined(__clang__)
#define KOKKOS_COMPILER_CLANG (__clang_major__ * 100 + __clang_minor__ * 10 + __clang_patchlevel__)
#elif defined(__GNUC__)
#define KOKKOS_COMPILER_GNU (__GNUC__ * 100 + __GNUC_MINOR__ * 10 + __GNUC_PATCHLEVEL__)
#endif

#if defined(_OPENMP)
#define KOKKOS_COMPILER_OPENMP _OPENMP
#endif

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Kokkos needs C++20: compile with -std=c++20 or newer (or link the CMake target Kokkos::kokkos, which asks for it)."
#endif

// ---- where code runs ----------------------------------------------------------------------------------------------

// A device pass compiles the same text a second time, for the GPU.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KOKKOS_IMPL_DEVICE_PASS 1
#else
#define KOKKOS_IMPL_DEVICE_PASS 0
#endif

// In both passes of a compiler that compiles for a GPU.
#if (defined(KOKKOS_ENABLE_CUDA) && defined(__CUDACC__)) || (defined(KOKKOS_ENABLE_HIP) && defined(__HIPCC__))
#define KOKKOS_IMPL_GPU_COMPILER 1
#define KOKKOS_IMPL_HOST_DEVICE __host__ __device__
#define KOKKOS_IMPL_DEVICE __device__
#else
#define KOKKOS_IMPL_HOST_DEVICE
#define KOKKOS_IMPL_DEVICE
#endif

#define KOKKOS_IMPL_FORCEINLINE inline __attribute__((always_inline))

/// Marks a function that may be called on the host and in a kernel.
#define KOKKOS_FUNCTION KOKKOS_IMPL_HOST_DEVICE
#define KOKKOS_INLINE_FUNCTION KOKKOS_IMPL_HOST_DEVICE inline
#define KOKKOS_FORCEINLINE_FUNCTION KOKKOS_IMPL_HOST_DEVICE KOKKOS_IMPL_FORCEINLINE
#define KOKKOS_DEFAULTED_FUNCTION
#define KOKKOS_INLINE_FUNCTION_DELETED
#define KOKKOS_DEDUCTION_GUIDE KOKKOS_IMPL_HOST_DEVICE
/// Marks a function that is defined in another translation unit and called from a kernel; needs relocatable device
/// code.
#define KOKKOS_RELOCATABLE_FUNCTION extern KOKKOS_IMPL_HOST_DEVICE

#define KOKKOS_LAMBDA [=] KOKKOS_IMPL_HOST_DEVICE
#define KOKKOS_CLASS_LAMBDA [ =, *this ] KOKKOS_IMPL_HOST_DEVICE
/// The same, of a kernel that is to be inlined. Only g++ takes an attribute before the parameters of a lambda; other
/// compilers inline kernels as they see fit.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOKKOS_FORCEINLINE_LAMBDA [=] KOKKOS_IMPL_HOST_DEVICE __attribute__((always_inline))
#define KOKKOS_FORCEINLINE_CLASS_LAMBDA [ =, *this ] KOKKOS_IMPL_HOST_DEVICE __attribute__((always_inline))
#else
#define KOKKOS_FORCEINLINE_LAMBDA KOKKOS_LAMBDA
#define KOKKOS_FORCEINLINE_CLASS_LAMBDA KOKKOS_CLASS_LAMBDA
#endif

#define KOKKOS_IMPL_STRIP_PARENTHESES(...) __VA_ARGS__

/// `KOKKOS_IF_ON_HOST((code;))` compiles the code in the host pass alone, `KOKKOS_IF_ON_DEVICE` in the device pass.
#if KOKKOS_IMPL_DEVICE_PASS
#define KOKKOS_IMPL_IF_HOST_PASS(CODE) \
  {}
#define KOKKOS_IMPL_IF_DEVICE_PASS(CODE)  \
  {                                       \
    KOKKOS_IMPL_STRIP_PARENTHESES CODE    \
  }
#else
#define KOKKOS_IMPL_IF_HOST_PASS(CODE)    \
  {                                       \
    KOKKOS_IMPL_STRIP_PARENTHESES CODE    \
  }
#define KOKKOS_IMPL_IF_DEVICE_PASS(CODE) \
  {}
#endif

// There is one pass for the host and the kernels of a model of a GPU: who is asking is known when the program runs. The
// two forms of KOKKOS_IMPL_IF_..._PASS are for functions that have other names in a device pass, not another effect.
#ifdef KOKKOS_IMPL_GPU_MODEL
#define KOKKOS_IF_ON_HOST(CODE)           \
  if (!::hip_model::in_kernel()) {        \
    KOKKOS_IMPL_STRIP_PARENTHESES CODE    \
  }
#define KOKKOS_IF_ON_DEVICE(CODE)         \
  if (::hip_model::in_kernel()) {         \
    KOKKOS_IMPL_STRIP_PARENTHESES CODE    \
  }
#else
#define KOKKOS_IF_ON_HOST(CODE) KOKKOS_IMPL_IF_HOST_PASS(CODE)
#define KOKKOS_IF_ON_DEVICE(CODE) KOKKOS_IMPL_IF_DEVICE_PASS(CODE)
#endif

/// Code of a GPU's kernels within a function that the host compiles, too. (A model of a GPU on the host runs it there.)
#if KOKKOS_IMPL_DEVICE_PASS || defined(KOKKOS_IMPL_GPU_MODEL)
#define KOKKOS_IMPL_GPU_CODE(...) __VA_ARGS__
#else
#define KOKKOS_IMPL_GPU_CODE(...)
#endif

// ---- hints to the compiler ----------------------------------------------------------------------------------------

/// KOKKOS_IMPL_IVDEP: the iterations of the loop that follows are independent.
// Clang's pragma is more than a hint: it forces the vectoriser, against its estimate of the cost, and warns in the
// user's source where that fails (an atomic, a `while`). Hence it is for programs that ask for it.
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

// Programs write such pragmas themselves where the compiler has them: `#pragma ivdep`, `#pragma unroll`.
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

// nvcc 13.0 gives a class with such members one size in device code and another on the host, so that what a kernel is
// passed arrives displaced. All files of a build with CUDA agree on the layout, whichever compiler they go through.
#ifdef KOKKOS_ENABLE_CUDA
#define KOKKOS_IMPL_NO_UNIQUE_ADDRESS
#else
#define KOKKOS_IMPL_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

#define KOKKOS_RESTRICT __restrict__
#define KOKKOS_IMPL_UNREACHABLE() __builtin_unreachable()

/// Alignment in bytes that an allocation of a view has at least.
#define KOKKOS_MEMORY_ALIGNMENT 64
#define KOKKOS_MEMORY_ALIGNMENT_THRESHOLD 1

// ---- what programs ask for ----------------------------------------------------------------------------------------

/// Lambdas can be kernels, and functions that are constexpr can be called there: always.
#define KOKKOS_ENABLE_CXX11_DISPATCH_LAMBDA
#ifdef KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#define KOKKOS_ENABLE_CUDA_CONSTEXPR
#endif

/// Assembly language can stand in a program for this processor.
#if defined(__x86_64__) || defined(__PPC64__)
#define KOKKOS_ENABLE_ASM 1
#endif

/// The default of a view's extents: not given.
#define KOKKOS_IMPL_CTOR_DEFAULT_ARG KOKKOS_INVALID_INDEX

#define KOKKOS_IMPL_STRIP_PARENS(...) KOKKOS_IMPL_STRIP_PARENTHESES __VA_ARGS__
#define KOKKOS_IMPL_DO_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define KOKKOS_IMPL_HOST_FUNCTION
#define KOKKOS_IMPL_DEVICE_FUNCTION KOKKOS_IMPL_DEVICE
#define KOKKOS_IMPL_FUNCTION KOKKOS_FUNCTION
#define KOKKOS_IMPL_INLINE_FUNCTION KOKKOS_INLINE_FUNCTION
#define KOKKOS_IMPL_FORCEINLINE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION
#define KOKKOS_IMPL_HOST_FORCEINLINE KOKKOS_IMPL_FORCEINLINE
#define KOKKOS_IMPL_HOST_FORCEINLINE_FUNCTION KOKKOS_IMPL_FORCEINLINE

/// Between these two no use of a deprecated name warns.
#if defined(__GNUC__)
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_PUSH() \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_POP() _Pragma("GCC diagnostic pop")
#else
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_PUSH()
#define KOKKOS_IMPL_DISABLE_DEPRECATED_WARNINGS_POP()
#endif

/// No compiler in use warns of code that is never reached.
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_PUSH()
#define KOKKOS_IMPL_DISABLE_UNREACHABLE_WARNINGS_POP()

// ---- names that are going away ------------------------------------------------------------------------------------

#ifdef KOKKOS_ENABLE_DEPRECATION_WARNINGS
#define KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN(...) __VA_ARGS__
#else
#define KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN(...)
#endif
/// Mark a declaration; the second one says what to write instead.
#define KOKKOS_DEPRECATED KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN([[deprecated]])
#define KOKKOS_DEPRECATED_WITH_COMMENT(comment) KOKKOS_IMPL_WHERE_DEPRECATIONS_WARN([[deprecated(comment)]])

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
#define KOKKOS_ATTRIBUTE_NODISCARD [[nodiscard]]
/// Asks for the cache line at an address before it is read or written.
#define KOKKOS_NONTEMPORAL_PREFETCH_LOAD(address) __builtin_prefetch(address, 0, 0)
#define KOKKOS_NONTEMPORAL_PREFETCH_STORE(address) __builtin_prefetch(address, 1, 0)
#define KOKKOS_IMPL_MEMORY_ALIGNMENT KOKKOS_MEMORY_ALIGNMENT
#define KOKKOS_IMPL_MEMORY_ALIGNMENT_THRESHOLD KOKKOS_MEMORY_ALIGNMENT_THRESHOLD
#endif

#endif
