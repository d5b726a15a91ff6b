// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PARTITION_HPP
#define KOKKOS_HOST_PARTITION_HPP

/// \file
/// The distribution of iterations over the threads of a team.

#include <Kokkos_Macros.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>

#include <cstdint>

namespace Kokkos::Impl {

/// Iterations [begin, end), counted from 0.
struct HostPart {
  std::uint64_t begin;
  std::uint64_t end;

  bool empty() const noexcept { return end <= begin; }
};

/// host_part for more than one thread. Not inline: programs would compile its divisions in every kernel, of which each
/// thread calls it once.
HostPart host_part_of_several(std::uint64_t n, int rank, int size) noexcept;

/// The part of `rank` when n iterations are divided into equal contiguous parts. It depends only on the arguments, so
/// that memory which a thread first touched in one loop is near the same thread in the next, and sums are the same in
/// every run.
inline HostPart host_part(std::uint64_t n, int rank, int size) noexcept {
  if (size == 1) return {0, n};
  return Impl::host_part_of_several(n, rank, size);
}

/// Distributes chunks of n iterations on demand; shared by the threads of one run.
///
/// The counter has cache lines of its own. Beside it, `m_n` and `m_chunk` would leave a thread's cache whenever another
/// thread takes a chunk, and each chunk would cost up to three transfers of the line instead of one.
class alignas(host_line_bytes) HostChunks {
 public:
  HostChunks(std::uint64_t n, std::uint64_t chunk) noexcept : m_n(n), m_chunk(chunk > 0 ? chunk : 1) {}
  /// Returns the next chunk in ascending order, or an empty chunk once all have been taken.
  // Relaxed: a chunk carries no data, and the end of the run orders the threads' writes.
  HostPart next() noexcept {
    std::uint64_t const begin = __atomic_fetch_add(&m_next, m_chunk, __ATOMIC_RELAXED);
    if (begin >= m_n) return {m_n, m_n};
    return {begin, m_n - begin > m_chunk ? begin + m_chunk : m_n};
  }

 private:
  std::uint64_t m_n;
  std::uint64_t m_chunk;
  alignas(host_line_bytes) std::uint64_t m_next = 0;
};

/// Chunk size for dynamic scheduling if the policy sets none: small enough to balance the load, large enough to be
/// cheap.
inline std::uint64_t host_default_chunk(std::uint64_t n, int size) noexcept {
  std::uint64_t const chunk = n / (static_cast<std::uint64_t>(size) * 32);
  return chunk > 0 ? chunk : 1;
}

}  // namespace Kokkos::Impl

#endif
