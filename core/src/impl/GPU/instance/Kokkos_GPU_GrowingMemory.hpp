// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GROWING_MEMORY_HPP
#define KOKKOS_GPU_GROWING_MEMORY_HPP

/// \file
/// Memory for the kernels of one stream, which can grow while they run.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// Device or pinned memory that grows without waiting for anything.
///
/// A piece that is replaced by a larger one is not freed, because the runtimes' functions for that wait for the whole
/// device, including kernels of other instances. A fence is therefore no better moment to free it. The old piece stays
/// valid for kernels that were launched with it. The owner frees it in its destructor, after it has drained the stream.
/// The cost is bounded: each piece is at least twice as large as the one before, so all replaced pieces together are
/// smaller than the current piece.
///
/// Not thread-safe: the owner holds a lock.
template <class Memory>
class GPUGrowingMemory {
 public:
  /// \param first_size minimum size of the first piece, in bytes
  explicit GPUGrowingMemory(std::size_t first_size) : m_first_size(first_size) {}

  void* get() const noexcept { return m_pieces.empty() ? nullptr : m_pieces.back().get(); }
  std::size_t bytes() const noexcept { return m_pieces.empty() ? 0 : m_pieces.back().bytes(); }

  /// Allocates a piece that can replace the current one.
  /// \throws GPUError if the allocation fails; the object is unchanged then
  Memory larger(std::size_t bytes) const {
    std::size_t size = m_pieces.empty() ? m_first_size : 2 * this->bytes();
    while (size < bytes) size *= 2;
    return Memory(size);
  }
  /// Makes `piece` the current piece.
  void replace(Memory piece) { m_pieces.push_back(std::move(piece)); }

  /// Frees all pieces. No work may use them any more.
  void clear() noexcept { m_pieces.clear(); }

 private:
  std::size_t m_first_size;
  std::vector<Memory> m_pieces;  // the last one is the current piece
};

}  // namespace Kokkos::Impl

#endif
