// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GROWING_MEMORY_HPP
#define KOKKOS_GPU_GROWING_MEMORY_HPP

/// \file
/// Memory that kernels of one stream use, and that grows while they run.

#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// Device or pinned memory that grows without waiting for anything.
///
/// To give a piece back would wait: the runtimes' functions for that wait for the whole device, also for kernels of
/// other instances, and not only for those that use the piece. So a fence is no time for it either. A piece that has
/// been outgrown stays where it is, good for kernels that were launched with it, until the owner ends, which is after
/// it has drained the stream. The price is bounded: each piece is at least twice as large as the one before, so all
/// that were outgrown are together smaller than the one in use.
///
/// Not for several threads at once: the owner has a lock for it.
template <class Memory>
class GPUGrowingMemory {
 public:
  /// \param least bytes of the first piece
  explicit GPUGrowingMemory(std::size_t least) : m_least(least) {}

  void* get() const noexcept { return m_pieces.empty() ? nullptr : m_pieces.back().get(); }
  std::size_t bytes() const noexcept { return m_pieces.empty() ? 0 : m_pieces.back().bytes(); }

  /// A piece that may take the place of the one in use.
  /// \throws GPUError if it cannot be had; nothing has changed then
  Memory larger(std::size_t bytes) const {
    std::size_t size = m_pieces.empty() ? m_least : 2 * this->bytes();
    while (size < bytes) size *= 2;
    return Memory(size);
  }
  /// From here on, `piece` is the one in use.
  void replace(Memory piece) { m_pieces.push_back(std::move(piece)); }

  /// Gives everything back. Nothing may use it any more.
  void clear() noexcept { m_pieces.clear(); }

 private:
  std::size_t m_least;
  std::vector<Memory> m_pieces;  // the last is in use
};

}  // namespace Kokkos::Impl

#endif
