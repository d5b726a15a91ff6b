// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_COPY_POLICY_HPP
#define KOKKOS_HIP_COPY_POLICY_HPP

/// \file
/// The numbers of copies with HIP. Needs no header of HIP.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>

namespace Kokkos::Impl {

/// No AMD GPU has been measured, so these are the cautious defaults.
inline constexpr CopyPolicy hip_copy_policy{};

}  // namespace Kokkos::Impl

#endif
