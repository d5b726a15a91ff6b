// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORY_MANAGEMENT_HPP
#define KOKKOS_MEMORY_MANAGEMENT_HPP

/// \file
/// kokkos_malloc, kokkos_realloc and kokkos_free: raw memory of a memory space.
///
/// The size, label and space of a block are stored on the host, so that no byte of a device's
/// memory has to be read to free one. All three may be called by several host threads at once, and not inside of
/// kernels. Before initialize and after finalize they end the program, except that a null pointer may be freed.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Initialize.hpp>
#include <KokkosCore_BackendsSpaces.hpp>
#include <copy/Kokkos_CopyRoute.hpp>
#include <runtime/Kokkos_Error.hpp>
#include <runtime/Kokkos_RequireWaitable.hpp>

#include <cstddef>
#include <string>

namespace Kokkos {
namespace Impl {

struct RawBlock {
  std::size_t bytes;
  std::string label;
};

/// Remembers a block. `space` is the name of its memory space.
void remember_raw_block(const char* space, void* p, std::size_t bytes, std::string const& label);
/// The record of `p`; with `forget` the record is removed.
/// \throws std::runtime_error if `p` is no block of this space; `function` is who asks.
RawBlock find_raw_block(const char* function, const char* space, void* p, bool forget);

}  // namespace Impl

/// Allocates `bytes` bytes, aligned for any type and not initialized.
/// \param label names the memory for tools
/// \throws Experimental::RawMemoryAllocationFailure, which says space, size and label
template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_malloc(std::string const& label, std::size_t bytes) {
  using MemorySpace = typename Space::memory_space;
  Impl::require_initialized("Kokkos::kokkos_malloc");
  void* const p = MemorySpace().allocate(label.c_str(), bytes);
  Impl::remember_raw_block(MemorySpace::name(), p, bytes, label);
  return p;
}

template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_malloc(std::size_t bytes) {
  return kokkos_malloc<Space>("no-label", bytes);
}

/// Releases what kokkos_malloc or kokkos_realloc of the same space returned; a null pointer is left alone.
/// \throws std::runtime_error if it is something else
template <class Space = DefaultExecutionSpace::memory_space>
void kokkos_free(void* p) {
  using MemorySpace = typename Space::memory_space;
  if (p == nullptr) return;
  Impl::require_initialized("Kokkos::kokkos_free");
  Impl::require_waitable(typename MemorySpace::execution_space(), "Kokkos::kokkos_free");
  Impl::RawBlock const block = Impl::find_raw_block("Kokkos::kokkos_free", MemorySpace::name(), p, true);
  MemorySpace().deallocate(block.label.c_str(), p, block.bytes);
}

/// Moves a block to one of another size under the same label: the bytes that both have are kept.
/// \return The new block; `p` is no longer valid. A null pointer counts as a block of no bytes.
/// \throws Experimental::RawMemoryAllocationFailure; the block at `p` is then unchanged
template <class Space = DefaultExecutionSpace::memory_space>
void* kokkos_realloc(void* p, std::size_t bytes) {
  using MemorySpace = typename Space::memory_space;
  Impl::require_initialized("Kokkos::kokkos_realloc");
  if (p == nullptr) return kokkos_malloc<Space>(bytes);
  Impl::require_waitable(typename MemorySpace::execution_space(), "Kokkos::kokkos_realloc");
  Impl::RawBlock const old = Impl::find_raw_block("Kokkos::kokkos_realloc", MemorySpace::name(), p, false);
  void* const moved        = kokkos_malloc<Space>(old.label, bytes);
  Kokkos::fence("Kokkos::kokkos_realloc: fence before the bytes are moved");
  Impl::CopyPlan plan;
  plan.element_bytes = 1;
  plan.block         = old.bytes < bytes ? old.bytes : bytes;
  Impl::run_route<Impl::CopyRoute<MemorySpace, MemorySpace>>(Impl::None(), Impl::CopyJob{plan, moved, p});
  kokkos_free<Space>(p);
  return moved;
}

}  // namespace Kokkos

#endif
