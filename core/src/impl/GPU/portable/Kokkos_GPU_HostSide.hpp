// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_HOST_SIDE_HPP
#define KOKKOS_GPU_HOST_SIDE_HPP

/// \file
/// The host's side of a copy between host and device, as threads that fill or empty pinned slabs access it.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_THREAD__)
#define KOKKOS_IMPL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KOKKOS_IMPL_THREAD_SANITIZER 1
#endif
#endif

#if defined(__x86_64__) && !defined(__CUDA_ARCH__) && !defined(KOKKOS_IMPL_THREAD_SANITIZER)
#define KOKKOS_IMPL_HAS_STREAMING_STORES 1
#include <emmintrin.h>
#endif

namespace Kokkos::Impl {

/// Copies to memory that no core will read soon, with non-temporal stores if the machine has them. An ordinary store
/// first fetches the cache line that it overwrites, which costs a third of the memory bandwidth.
inline void copy_past_cache(void* dst, void const* src, std::size_t bytes) {
#ifdef KOKKOS_IMPL_HAS_STREAMING_STORES
  constexpr std::size_t line = CopyPolicy::cache_line;
  char* to                   = static_cast<char*>(dst);
  char const* from           = static_cast<char const*>(src);
  if (bytes >= CopyPolicy::min_past_cache_bytes) {
    std::size_t const head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= line; to += line, from += line, bytes -= line) {
      __m128i const a = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from));
      __m128i const b = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + 16));
      __m128i const c = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + 32));
      __m128i const d = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + 48));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to), a);
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + 16), b);
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + 32), c);
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + 48), d);
    }
    _mm_sfence();  // such stores are not ordered with the store that signals them to other threads
  }
  std::memcpy(to, from, bytes);
#else
  std::memcpy(dst, src, bytes);
#endif
}

/// The address range of the host's memory that a copy accesses.
struct HostSpan {
  char const* begin = nullptr;
  char const* end   = nullptr;
  bool overlaps(HostSpan const& other) const noexcept { return begin < other.end && other.begin < end; }
};

/// The program's memory in a copy: a sequence of `bytes` bytes, in the order in which the device stores them.
///
/// Several threads call `gather` or `scatter` concurrently, each for its own range. A range begins at a multiple of
/// `granule()` and, except for the last one, ends at a multiple. The next fence of the stream reports exceptions from
/// these functions. Neither function may call the GPU's runtime: a thread that waits for the GPU cannot supply it with
/// data.
class HostSide {
 public:
  virtual ~HostSide() = default;
  /// Copies bytes [first, first + bytes) of the sequence to `slab`.
  virtual void gather(void* slab, std::size_t first, std::size_t bytes) const = 0;
  /// Copies `slab` to bytes [first, first + bytes) of the sequence.
  virtual void scatter(void const* slab, std::size_t first, std::size_t bytes) const = 0;
  /// The size of an element that must not be split, in bytes; ranges consist of whole elements. At most
  /// CopyPolicy::max_granule_bytes.
  virtual std::size_t granule() const { return 1; }
  virtual HostSpan span() const = 0;
  /// The address of the sequence if it is one block of memory; else null.
  virtual char* block() const { return nullptr; }
  /// Fills the destination with a pattern that programs are unlikely to contain.
  virtual void poison() const = 0;

  static constexpr int poison_byte = 0xCB;
};

/// One block of memory.
class HostBlock final : public HostSide {
 public:
  HostBlock(void const* data, std::size_t bytes)
      : m_data(static_cast<char*>(const_cast<void*>(data))), m_bytes(bytes) {}

  // The slab stays in the cache, which is faster as long as the threads are ahead of the device.
  void gather(void* slab, std::size_t first, std::size_t bytes) const override {
    std::memcpy(slab, m_data + first, bytes);
  }
  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    copy_past_cache(m_data + first, slab, bytes);
  }
  HostSpan span() const override { return {m_data, m_data + m_bytes}; }
  char* block() const override { return m_data; }
  void poison() const override { std::memset(m_data, poison_byte, m_bytes); }

 private:
  char* m_data;
  std::size_t m_bytes;
};

}  // namespace Kokkos::Impl

#endif
