// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_PLATFORM_HPP
#define KOKKOS_HIP_PLATFORM_HPP

/// \file
/// HIP's own headers, for the configured platform; no other file includes them.
///
/// Kokkos_HIP_PLATFORM=model compiles kernels for a model of HIP on the CPU, which this project uses for tests. Its
/// headers are those of a ROCm, with additions.

#include <Kokkos_Macros.hpp>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <hip_model_device.hpp>
#include <hip_model_rocm6.hpp>
#else
#include <hip/hip_runtime.h>
#endif

#include <hip/hip_version.h>

/// Whether this is ROCm `major.minor` or later.
#define KOKKOS_IMPL_ROCM_AT_LEAST(major, minor) \
  (HIP_VERSION_MAJOR > (major) || (HIP_VERSION_MAJOR == (major) && HIP_VERSION_MINOR >= (minor)))

/// Graphs can own objects of the program, and streams call functions by hipLaunchHostFunc (ROCm 5.3; earlier libraries
/// lack that function, although their header declares it).
#if KOKKOS_IMPL_ROCM_AT_LEAST(5, 3) || defined(KOKKOS_IMPL_GPU_MODEL)
#define KOKKOS_IMPL_GPU_HAS_USER_OBJECTS 1
#define KOKKOS_IMPL_HIP_HAS_HOST_FUNCTIONS 1
#else
#define KOKKOS_IMPL_GPU_HAS_USER_OBJECTS 0
#define KOKKOS_IMPL_HIP_HAS_HOST_FUNCTIONS 0
#endif

/// hipStreamGetDevice returns the device of a stream (ROCm 5.6).
#if KOKKOS_IMPL_ROCM_AT_LEAST(5, 6) || defined(KOKKOS_IMPL_GPU_MODEL)
#define KOKKOS_IMPL_HIP_HAS_STREAM_DEVICE 1
#else
#define KOKKOS_IMPL_HIP_HAS_STREAM_DEVICE 0
#endif

#endif
