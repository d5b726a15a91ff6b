// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_PATTERNS_HPP
#define KOKKOS_CUDA_PATTERNS_HPP

/// \file
/// The patterns, copies and fills of Kokkos::Cuda: the implementation of all GPU backends, with its runtime.

#include <Cuda/Kokkos_Cuda.hpp>
#include <impl/GPU/backend/Kokkos_GPU_Patterns.hpp>

namespace Kokkos::Impl {
/// The member of a team, under the name that programs use in the parameters of their functions.
using CudaTeamMember = TeamPolicy<Cuda>::member_type;
}  // namespace Kokkos::Impl

#endif
