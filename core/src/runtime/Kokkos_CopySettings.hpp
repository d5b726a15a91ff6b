// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_COPYSETTINGS_HPP
#define KOKKOS_RUNTIME_COPYSETTINGS_HPP

/// \file
/// How copies between host and devices are to be done, as Kokkos::initialize was told.

#include <Kokkos_InitializationSettings.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// When deep_copy with an instance returns, if one side is pageable memory. docs/copies.md has the three side by side.
enum class PageableCopies {
  blocking,      ///< when the copy has ended
  by_ownership,  ///< the default: at once if a view owns the memory, otherwise when the memory is not needed any more
  always_async,  ///< at once
};

struct CopyPreferences {
  PageableCopies pageable   = PageableCopies::by_ownership;
  bool check                = false;     ///< poison host destinations until the data lands
  std::size_t staging_bytes = 64 << 20;  ///< pinned memory of each device's staging
  int staging_threads       = 0;         ///< most threads that fill and empty it; 0: as the machine suggests
};

/// Written by initialize before any backend starts, and not changed until the next initialize.
CopyPreferences const& copy_preferences() noexcept;
void set_copy_preferences(InitializationSettings const& settings);

}  // namespace Kokkos::Impl

#endif
