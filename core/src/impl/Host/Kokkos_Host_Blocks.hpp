// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_BLOCKS_HPP
#define KOKKOS_HOST_BLOCKS_HPP

/// \file
/// Copies and fills of contiguous host memory by one thread. Compiled once for all types: elements are bytes.

#include <impl/Host/Kokkos_Host_StreamingStores.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <cstddef>
#include <cstring>
#include <new>

namespace Kokkos::Impl {

/// The element of a fill. Contains small ones, because the threads of a team would wait for the cache line in which the
/// launching thread has the element.
class HostFillElement {
 public:
  explicit HostFillElement(FillJob const& job);

  std::size_t size() const { return m_size; }
  void const* data() const { return m_size <= sizeof(m_bytes) ? m_bytes : m_address; }
  /// Whether all bytes are equal.
  bool is_byte_pattern() const { return m_is_byte_pattern; }

 private:
  union {
    unsigned char m_bytes[16];
    void const* m_address;
  };
  unsigned m_size;
  bool m_is_byte_pattern;
};

/// Writes blocks of host memory. All of them are ordered before later stores of the thread when this is destroyed.
class HostBlocks {
 public:
  /// `streamed`: writes long blocks by stores that bypass the caches.
  explicit HostBlocks(bool streamed) : m_streamed(streamed) {
    if (streamed) ::new (&m_stores) HostStreamingStores;
  }
  ~HostBlocks() {
    if (m_streamed) m_stores.~HostStreamingStores();
  }
  HostBlocks(HostBlocks const&)            = delete;
  HostBlocks& operator=(HostBlocks const&) = delete;

  void copy(void* to, void const* from, std::size_t bytes) {
    if (streams(bytes))
      m_stores.copy(to, from, bytes);
    else
      std::memcpy(to, from, bytes);
  }
  /// Writes the element again and again; `bytes` is a multiple of its size.
  void fill(void* to, HostFillElement const& element, std::size_t bytes);

 private:
  bool streams(std::size_t bytes) const { return m_streamed && bytes >= host_copy_policy.shortest_streamed_bytes; }

  bool const m_streamed;
  union {  // an object if m_streamed; <optional> would cost more than a percent of the time in which a program compiles
    HostStreamingStores m_stores;
  };
};

}  // namespace Kokkos::Impl

#endif
