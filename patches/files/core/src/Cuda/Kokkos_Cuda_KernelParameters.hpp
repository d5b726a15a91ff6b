// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_KERNEL_PARAMETERS_HPP
#define KOKKOS_CUDA_KERNEL_PARAMETERS_HPP

/// \file
/// The limit for the parameters of a kernel, and the declaration of large ones.

#include <Kokkos_Macros.hpp>

#include <Cuda/Kokkos_Cuda_GPURuntime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cuda_runtime_api.h>

// From CUDA 12.1 on, devices of compute capability 7.0 and newer accept 32,764 bytes of parameters; others accept
// 4,096.
#if defined(KOKKOS_ARCH_KEPLER) || defined(KOKKOS_ARCH_MAXWELL) || defined(KOKKOS_ARCH_PASCAL)
#define KOKKOS_IMPL_CUDA_BEFORE_VOLTA
#endif
#if CUDART_VERSION >= 12010 && !defined(KOKKOS_IMPL_CUDA_BEFORE_VOLTA)
#define KOKKOS_IMPL_CUDA_KERNEL_ARGUMENT_LIMIT 32764
#else
#define KOKKOS_IMPL_CUDA_KERNEL_ARGUMENT_LIMIT 4096
#endif

// If a kernel uses the address of a parameter, for example to call a member function, each thread makes a copy of the
// parameter, unless it is declared as constant for the grid.
#if defined(KOKKOS_COMPILER_NVCC) && CUDART_VERSION >= 11070 && !defined(KOKKOS_IMPL_CUDA_BEFORE_VOLTA)
#define KOKKOS_IMPL_CUDA_GRID_CONSTANT __grid_constant__
#else
#define KOKKOS_IMPL_CUDA_GRID_CONSTANT
#endif

namespace Kokkos::Impl {

/// The stream of an instance. Its destructor drains the stream, then all objects that refer to the stream release it.
using CudaInstanceStream = InstanceStream<CudaGPURuntime>;

}  // namespace Kokkos::Impl

#endif
