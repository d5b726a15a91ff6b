// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_COPYSETTINGS_HPP
#define KOKKOS_RUNTIME_COPYSETTINGS_HPP

/// \file
/// The settings of Kokkos::initialize for copies between host and devices.

#include <Kokkos_InitializationSettings.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// When deep_copy with an instance returns, if one side is pageable memory. docs/copies.md compares the three modes.
enum class PageableCopies {
  blocking,      ///< when the copy has ended
  by_ownership,  ///< the default: at once if a view owns the memory, otherwise when the copy no longer uses the memory
  always_async,  ///< at once
};

struct CopyPreferences {
  PageableCopies pageable   = PageableCopies::by_ownership;
  bool check                = false;  ///< poison host destinations until the data has arrived
  std::size_t staging_bytes = 0;  ///< pinned memory in each device's staging buffer; 0: as the device's vendor suggests
  int staging_threads       = 0;  ///< maximum number of threads that fill and empty the buffer; 0: chosen for
                                  ///< the machine
};

/// KOKKOS_COPY_EXPLAIN: each copy writes a line about its route. Read by every copy, so it is a variable.
inline bool copies_are_explained = false;

/// Written by initialize before any backend starts, and not changed until the next initialize.
CopyPreferences const& copy_preferences() noexcept;
void set_copy_preferences(InitializationSettings const& settings);

}  // namespace Kokkos::Impl

#endif
