// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The headers that patches carry, compiled as C++17 for upstream Kokkos 4, without any other header of this project.
// Kokkos_GPU_Fill.hpp contains kernels, and needs a compiler for GPUs.

#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

static_assert(__cplusplus < 202002L, "This is about C++17.");
