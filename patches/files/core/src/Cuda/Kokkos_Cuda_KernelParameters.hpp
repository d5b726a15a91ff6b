// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_KERNEL_PARAMETERS_HPP
#define KOKKOS_CUDA_KERNEL_PARAMETERS_HPP

/// \file
/// How large the parameters of a kernel may be, and how a large one is declared.

#include <Kokkos_Macros.hpp>

#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cuda_runtime_api.h>

// From CUDA 12.1 on, devices of compute capability 7.0 and newer take 32,764 bytes of parameters; others take 4,096.
#if defined(KOKKOS_ARCH_KEPLER) || defined(KOKKOS_ARCH_MAXWELL) || defined(KOKKOS_ARCH_PASCAL)
#define KOKKOS_IMPL_CUDA_BEFORE_VOLTA
#endif
#if CUDART_VERSION >= 12010 && !defined(KOKKOS_IMPL_CUDA_BEFORE_VOLTA)
#define KOKKOS_IMPL_CUDA_KERNEL_ARGUMENT_LIMIT 32764
#else
#define KOKKOS_IMPL_CUDA_KERNEL_ARGUMENT_LIMIT 4096
#endif

// A kernel that takes the address of a parameter, as calling one of its functions does, gets a copy of it in each
// thread unless the parameter says that nobody will write it.
#if defined(KOKKOS_COMPILER_NVCC) && CUDART_VERSION >= 11070 && !defined(KOKKOS_IMPL_CUDA_BEFORE_VOLTA)
#define KOKKOS_IMPL_CUDA_GRID_CONSTANT __grid_constant__
#else
#define KOKKOS_IMPL_CUDA_GRID_CONSTANT
#endif

namespace Kokkos::Impl {

/// The stream of an instance: drained, and forgotten by everyone, when the object ends.
using CudaInstanceStream = InstanceStream<CudaGPURuntime>;

}  // namespace Kokkos::Impl

#endif
