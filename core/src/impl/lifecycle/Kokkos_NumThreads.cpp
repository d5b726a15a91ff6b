// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// num_threads returns the concurrency of the default host space; the only place of the runtime that depends on the
/// spaces.

#include <Kokkos_Initialize.hpp>
#include <Kokkos_AnonymousSpace.hpp>
#include <Kokkos_HostSpace.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <KokkosCore_BackendsSpaces.hpp>

int Kokkos::num_threads() noexcept {
  Impl::require_initialized("Kokkos::num_threads");
  return DefaultHostExecutionSpace().concurrency();
}
