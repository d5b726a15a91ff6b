// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IDLE_MEMORY_HPP
#define KOKKOS_IDLE_MEMORY_HPP

/// \file
/// Returns memory that Kokkos keeps for later views to the system. An extension of this project.

namespace Kokkos::Experimental {

/// Waits for all instances, and frees the device and pinned memory that no view uses. For a program that needs the
/// memory elsewhere: in a library with its own allocator, or in another process.
///
/// Blocks of views that were destroyed during a capture are kept until the capture has ended. Aborts before initialize
/// and after finalize.
/// \throws std::runtime_error if a kernel or copy has failed
void release_idle_memory();

}  // namespace Kokkos::Experimental

#endif
