// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_PATTERNS_HPP
#define KOKKOS_THREADS_PATTERNS_HPP

/// \file
/// The patterns of Kokkos::Threads: the implementation of all host backends, with its thread team.

#include <impl/Host/Kokkos_Host_NumberViews.hpp>
#include <impl/Host/Kokkos_Host_Patterns.hpp>
#include <Threads/Kokkos_Threads_Instance.hpp>

namespace Kokkos::Impl {
KOKKOS_IMPL_HOST_NUMBER_VIEWS(extern, Threads)
}  // namespace Kokkos::Impl

#endif
