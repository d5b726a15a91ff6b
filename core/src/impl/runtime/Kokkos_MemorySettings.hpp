// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_MEMORYSETTINGS_HPP
#define KOKKOS_RUNTIME_MEMORYSETTINGS_HPP

/// \file
/// The settings of Kokkos::initialize for the memory that devices' pools keep.

#include <Kokkos_InitializationSettings.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

struct MemoryPreferences {
  bool is_pool_size_given = false;  ///< otherwise in proportion to the device's memory
  std::size_t pool_bytes  = 0;      ///< maximum for each device's pool of memory that no view uses; 0: no pool
  std::string limit       = {};     ///< see memory_limit(); empty: none
};

/// Written by initialize before any backend starts, and not changed until the next initialize.
MemoryPreferences const& memory_preferences() noexcept;
void set_memory_preferences(InitializationSettings const& settings);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

namespace Kokkos::Impl {

/// The bytes that a text such as "40GiB", "512MiB" or "50%" means, for a device with `device_bytes`; 0 if it is not
/// such a text, or means less than a MiB.
std::size_t memory_limit(std::string_view text, std::size_t device_bytes);

}  // namespace Kokkos::Impl

#endif
