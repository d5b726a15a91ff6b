// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_PATTERNS_HPP
#define KOKKOS_OPENMP_PATTERNS_HPP

/// \file
/// The patterns of Kokkos::OpenMP: the implementation of all host backends, with its thread team.

#include <impl/Host/Kokkos_Host_NumberViews.hpp>
#include <impl/Host/Kokkos_Host_Patterns.hpp>
#include <OpenMP/Kokkos_OpenMP_Instance.hpp>

namespace Kokkos::Impl {
KOKKOS_IMPL_HOST_NUMBER_VIEWS(extern, OpenMP)
}  // namespace Kokkos::Impl

#endif
