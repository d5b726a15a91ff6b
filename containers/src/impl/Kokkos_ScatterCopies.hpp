// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_SCATTERCOPIES_HPP
#define KOKKOS_IMPL_SCATTERCOPIES_HPP

/// \file
/// The assignment of a ScatterView's copies to threads.
///
/// On the host a thread uses the copy with its thread number, which no other live thread has, so access() only reads a
/// number. No thread waits. Threads whose numbers exceed the number of copies (of several concurrent instances, or of
/// other thread pools) share one additional copy, and update it atomically. On a device a work item holds a token
/// during the life of its access object.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// For contributions to the elements themselves, which count as the only copy.
struct NoScatterCopies {
  KOKKOS_FUNCTION static constexpr std::size_t in_use() { return 1; }
  KOKKOS_FUNCTION static constexpr std::size_t acquire() { return 0; }
  KOKKOS_FUNCTION static constexpr void release(std::size_t) {}
  KOKKOS_FUNCTION static constexpr bool is_shared(std::size_t) { return false; }
};

template <class ExecSpace>
class HostScatterCopies {
 public:
  HostScatterCopies() = default;
  explicit HostScatterCopies(ExecSpace const& exec)
      : m_shared_is_used("Kokkos::ScatterView: use of the shared copy"),
        m_size(static_cast<std::size_t>(exec.impl_concurrency())) {}

  std::size_t allocated() const { return m_size + 1; }
  /// Number of copies that may contain contributions.
  std::size_t in_use() const { return m_size == 0 ? 0 : m_size + m_shared_is_used(); }

  KOKKOS_FORCEINLINE_FUNCTION std::size_t acquire() const {
    std::size_t copy = 0;
    KOKKOS_IF_ON_HOST(
        (copy = host_thread_number_if_any; if (__builtin_expect(copy >= m_size, 0)) copy = acquire_slowly();))
    return copy;
  }
  KOKKOS_FUNCTION static void release(std::size_t) {}
  KOKKOS_FORCEINLINE_FUNCTION bool is_shared(std::size_t copy) const { return copy == m_size; }

  void clear() const { m_shared_is_used() = 0; }

 private:
  /// Separate from acquire(), so that a loop has few instructions between one contribution and the next. Declared pure,
  /// although it may number the thread and use the shared copy: both have no further effect the second time, and a
  /// thread always gets the same copy. So the compiler may find the copy once, before a loop of contributions.
  /// Not declared cold: g++ would then optimise the loop itself for size.
  [[gnu::noinline, gnu::pure]] std::size_t acquire_slowly() const {
    std::size_t const number = host_thread_number();
    if (number < m_size) return number;
    if (atomic_load(m_shared_is_used.data()) == 0) atomic_store(m_shared_is_used.data(), 1u);
    return m_size;
  }

  View<std::uint32_t, HostSpace> m_shared_is_used;
  std::size_t m_size = 0;
};

template <class ExecSpace>
class DeviceScatterCopies {
 public:
  DeviceScatterCopies() = default;
  explicit DeviceScatterCopies(ExecSpace const& exec)
      : m_tokens(exec, static_cast<std::size_t>(exec.impl_concurrency())) {}

  std::size_t allocated() const { return m_tokens.size(); }
  std::size_t in_use() const { return m_tokens.size(); }
  KOKKOS_FUNCTION std::size_t acquire() const { return m_tokens.acquire(); }
  KOKKOS_FUNCTION void release(std::size_t copy) const { m_tokens.release(static_cast<std::uint32_t>(copy)); }
  KOKKOS_FUNCTION static constexpr bool is_shared(std::size_t) { return false; }
  static void clear() {}

 private:
  TokenTable<ExecSpace> m_tokens;
};

template <class ExecSpace>
using ScatterCopies =
    std::conditional_t<runs_on_host_v<ExecSpace>, HostScatterCopies<ExecSpace>, DeviceScatterCopies<ExecSpace>>;

/// Distance between copies, in elements. On a host, no two threads write to the same page: a processor prefetches
/// within a page, and would take the lines of another thread's copy from that thread's cache. The additional pair of
/// lines keeps equal elements of copies out of the same set of a cache. A device has too many copies for such gaps.
template <class ExecSpace>
constexpr std::size_t stride_of_copies(std::size_t span, std::size_t element_size) {
  constexpr std::size_t line = 128, page = 4096;
  std::size_t const gap = runs_on_host_v<ExecSpace> ? (page + line) / element_size + 1 : 0;
  if (line % element_size != 0) return span + gap + line / element_size + 1;
  std::size_t const per_line = line / element_size;
  return (span + gap + per_line - 1) / per_line * per_line;
}

/// Combines the elements [c * chunk, (c + 1) * chunk) of copies [first, end) with those of the destination.
template <class T, class Operation>
struct CombineCopies {
  T* dst;
  T const* src;
  std::size_t stride;
  std::size_t first, end;
  CopyLoops loops;
  std::size_t chunk;

  KOKKOS_FUNCTION void operator()(std::size_t c) const {
    std::size_t const d = loops.dimension[0].dst_stride, s = loops.dimension[0].src_stride;
    Impl::for_each_row(loops, c * chunk, chunk, [&](std::size_t to, std::size_t from, std::size_t n) {
      for (std::size_t copy = first; copy < end; ++copy)
        for (std::size_t i = 0; i < n; ++i) Operation::combine(dst[to + i * d], src[copy * stride + from + i * s]);
    });
  }
};

}  // namespace Kokkos::Impl

#endif
