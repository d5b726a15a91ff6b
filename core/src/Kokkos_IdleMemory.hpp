// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IDLE_MEMORY_HPP
#define KOKKOS_IDLE_MEMORY_HPP

/// \file
/// Gives memory that Kokkos keeps for later views back to the system. An extension of this project.

namespace Kokkos::Experimental {

/// Waits for all instances, and gives back the device and pinned memory that no view uses any more. For a program that
/// is about to need it elsewhere: in a library with an allocator of its own, or in another process.
///
/// Blocks of views that were dropped while a stream is being captured stay until the capture has ended. Aborts outside
/// of initialize ... finalize.
/// \throws std::runtime_error if a kernel or copy has failed
void release_idle_memory();

}  // namespace Kokkos::Experimental

#endif
