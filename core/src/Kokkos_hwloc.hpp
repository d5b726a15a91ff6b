// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HWLOC_HPP
#define KOKKOS_HWLOC_HPP

/// \file
/// Kokkos::hwloc: queries of the machine's topology. This library does not use hwloc, because the OpenMP runtime binds
/// threads. The functions return the values for an unknown machine.

#include <Kokkos_Macros.hpp>

#include <utility>

namespace Kokkos::hwloc {

/// @{
/// The value for an unknown machine: false, or a count of 1.
inline bool available() { return false; }
inline unsigned get_available_numa_count() { return 1; }
inline unsigned get_available_cores_per_numa() { return 1; }
inline unsigned get_available_threads_per_core() { return 1; }

inline bool can_bind_threads() { return false; }
inline bool bind_this_thread(std::pair<unsigned, unsigned>) { return false; }
inline bool unbind_this_thread() { return false; }
/// @}
/// Number of the NUMA domain, and number of the core in it.
inline std::pair<unsigned, unsigned> get_this_thread_coordinate() { return {0, 0}; }

}  // namespace Kokkos::hwloc

#endif
