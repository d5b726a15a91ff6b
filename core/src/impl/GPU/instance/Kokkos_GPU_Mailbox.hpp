// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MAILBOX_HPP
#define KOKKOS_GPU_MAILBOX_HPP

/// \file
/// Pinned memory through which a stream delivers a few bytes to the host.

#include <impl/GPU/instance/Kokkos_GPU_GrowingMemory.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// The memory, and a word that the device sets to the ticket of a delivery when the bytes are complete. The caller holds
/// the instance's mutex until it has taken the bytes.
template <class Runtime>
class GPUMailbox {
 public:
  GPUMailbox() : m_flag(sizeof(std::uint32_t)) { *flag() = 0; }

  /// At least `bytes` bytes. \throws GPUError if there is no memory
  std::byte* memory(std::size_t bytes) {
    if (m_memory.bytes() < bytes) m_memory.replace(m_memory.larger(bytes));
    return static_cast<std::byte*>(m_memory.get());
  }
  std::uint32_t* flag() const noexcept { return static_cast<std::uint32_t*>(m_flag.get()); }
  std::uint32_t next_ticket() noexcept { return ++m_ticket; }

  /// Releases everything; no delivery may be in progress.
  void clear() noexcept {
    m_memory.clear();
    m_flag = {};
  }

 private:
  GPUGrowingMemory<PinnedMemory<Runtime>> m_memory{4096};
  PinnedMemory<Runtime> m_flag;
  std::uint32_t m_ticket = 0;
};

}  // namespace Kokkos::Impl

#endif
