// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_PATTERNS_HPP
#define KOKKOS_HIP_PATTERNS_HPP

/// \file
/// The patterns, copies and fills of Kokkos::HIP: the implementation of all GPU backends, with its runtime.

#include <impl/GPU/backend/Kokkos_GPU_Patterns.hpp>
#include <HIP/Kokkos_HIP.hpp>

namespace Kokkos::Impl {
/// The member of a team, under the name that programs use in the parameters of their functions.
using HIPTeamMember = TeamPolicy<HIP>::member_type;
}  // namespace Kokkos::Impl

#endif
