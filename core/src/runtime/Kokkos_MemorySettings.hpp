// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_MEMORYSETTINGS_HPP
#define KOKKOS_RUNTIME_MEMORYSETTINGS_HPP

/// \file
/// How much memory the pools of devices may keep, as Kokkos::initialize was told.

#include <Kokkos_InitializationSettings.hpp>

#include <cstddef>

namespace Kokkos::Impl {

struct MemoryPreferences {
  bool is_pool_size_given = false;  ///< otherwise in proportion to the device's memory
  std::size_t pool_bytes  = 0;      ///< that stay with the pool of each device while no view uses them; 0: no pool
};

/// Written by initialize before any backend starts, and not changed until the next initialize.
MemoryPreferences const& memory_preferences() noexcept;
void set_memory_preferences(InitializationSettings const& settings);

}  // namespace Kokkos::Impl

#endif
