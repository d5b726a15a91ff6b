// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORY_MANAGEMENT_HPP
#define KOKKOS_MEMORY_MANAGEMENT_HPP

/// \file
/// kokkos_malloc, kokkos_realloc and kokkos_free: raw memory of a memory space.
///
/// The size, label and space of a block are stored on the host, so that freeing a block reads no device memory. Several
/// host threads may call these functions concurrently, but kernels may not. Before initialize and after finalize they
/// end the program, except that a null pointer may be freed.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Initialize.hpp>
#include <KokkosCore_BackendsSpaces.hpp>
#include <impl/copy/Kokkos_CopyRoute.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_RequireWaitable.hpp>

#include <cstddef>
#include <string>

namespace Kokkos {
namespace Impl {

struct RawBlock {
  std::size_t bytes;
  std::string label;
};

/// Registers a block. `space` is the name of its memory space.
void remember_raw_block(char const* space, void* p, std::size_t bytes, std::string const& label);
/// The record of `p`; with `forget` the record is removed.
/// \throws std::runtime_error if `p` is no block of this space; `function` is the name of the calling function.
RawBlock find_raw_block(char const* function, char const* space, void* p, bool forget);

}  // namespace Impl

/// Allocates `bytes` bytes, aligned for any type, without initialization. Returns a null pointer for 0 bytes.
/// \param label the name of the memory in tools
/// \throws Experimental::RawMemoryAllocationFailure with space, size and label
template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_malloc(std::string const& label, std::size_t bytes) {
  using MemorySpace = typename Space::memory_space;
  Impl::require_initialized("Kokkos::kokkos_malloc");
  if (bytes == 0) return nullptr;
  void* const p = MemorySpace().allocate(label.c_str(), bytes);
  Impl::remember_raw_block(MemorySpace::name(), p, bytes, label);
  return p;
}

/// Like `kokkos_malloc` above, with the label "no-label".
template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_malloc(std::size_t bytes) {
  return Kokkos::kokkos_malloc<Space>("no-label", bytes);
}

/// Frees a block of kokkos_malloc or kokkos_realloc in the same space; a null pointer is ignored.
/// \throws std::runtime_error for any other pointer
template <class Space = DefaultExecutionSpace::memory_space>
void kokkos_free(void* p) {
  using MemorySpace = typename Space::memory_space;
  if (p == nullptr) return;
  Impl::require_initialized("Kokkos::kokkos_free");
  Impl::require_waitable(typename MemorySpace::execution_space(), "Kokkos::kokkos_free");
  Impl::RawBlock const block = Impl::find_raw_block("Kokkos::kokkos_free", MemorySpace::name(), p, true);
  MemorySpace().deallocate(block.label.c_str(), p, block.bytes);
}

/// Moves a block to one of another size under the same label, and keeps the common bytes.
/// \return The new block; `p` is no longer valid. A null pointer counts as a block of no bytes.
/// \throws Experimental::RawMemoryAllocationFailure; the block at `p` is then unchanged
template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_realloc(void* p, std::size_t bytes) {
  using MemorySpace = typename Space::memory_space;
  Impl::require_initialized("Kokkos::kokkos_realloc");
  if (p == nullptr) return Kokkos::kokkos_malloc<Space>(bytes);
  Impl::require_waitable(typename MemorySpace::execution_space(), "Kokkos::kokkos_realloc");
  Impl::RawBlock const old = Impl::find_raw_block("Kokkos::kokkos_realloc", MemorySpace::name(), p, false);
  void* const moved        = Kokkos::kokkos_malloc<Space>(old.label, bytes);
  if (moved == nullptr) {
    Kokkos::kokkos_free<Space>(p);
    return nullptr;
  }
  Kokkos::fence("Kokkos::kokkos_realloc: fence before the bytes are moved");
  Impl::CopyPlan plan;
  plan.element_bytes = 1;
  plan.block         = old.bytes < bytes ? old.bytes : bytes;
  if (plan.block > 0) Impl::CopyRoute<MemorySpace, MemorySpace>::run(Impl::CopyJob{plan, moved, p});
  Kokkos::kokkos_free<Space>(p);
  return moved;
}

}  // namespace Kokkos

#endif
