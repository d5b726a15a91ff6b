// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The settings of memory pools, and the functions of programs that concern all of them.

#include <Kokkos_IdleMemory.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>

namespace Kokkos {

namespace Impl {

namespace {
MemoryPreferences chosen_for_memory;
}

MemoryPreferences const& memory_preferences() noexcept { return chosen_for_memory; }

void set_memory_preferences(InitializationSettings const& settings) {
  MemoryPreferences now;
  now.is_pool_size_given = settings.has_device_memory_pool_mb();
  if (now.is_pool_size_given) now.pool_bytes = static_cast<std::size_t>(settings.get_device_memory_pool_mb()) << 20;
  chosen_for_memory = now;
}

}  // namespace Impl

Experimental::DeviceMemoryUsage Experimental::device_memory_usage() {
  for (Impl::Backend const* const* backend = Impl::backend_table; *backend; ++backend)
    if ((*backend)->memory_usage) return (*backend)->memory_usage();
  return {};
}

void Experimental::release_idle_memory() {
  Impl::require_initialized("Kokkos::Experimental::release_idle_memory");
  for (Impl::Backend const* const* backend = Impl::backend_table; *backend; ++backend)
    if ((*backend)->release_memory) (*backend)->release_memory();
}

}  // namespace Kokkos
