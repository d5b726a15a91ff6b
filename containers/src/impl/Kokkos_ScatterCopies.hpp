// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_SCATTERCOPIES_HPP
#define KOKKOS_IMPL_SCATTERCOPIES_HPP

/// \file
/// The assignment of a ScatterView's copies to threads.
///
/// On the host a thread uses the copy with its thread number, which no other live thread has, so access() only reads a
/// number. No thread waits. Threads whose numbers exceed the number of copies (of several concurrent instances, or of
/// other thread pools) get copies of their own when they first contribute. So no copy is shared, and the loop of
/// contributions needs no test of whether it must update atomically. On a device a work item holds a token during the
/// life of its access object.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_ScatterSpares.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace Kokkos::Impl {

/// The number of elements from one copy to the next, and the function that sets elements to the identity.
struct ScatterCopyShape {
  std::size_t stride;
  ScatterSpares::Fill fill;
};

/// For contributions to the elements themselves, which count as the only copy.
struct NoScatterCopies {
  struct Held {};
  KOKKOS_FUNCTION static constexpr std::size_t size() { return 1; }
  KOKKOS_FUNCTION static constexpr void release(Held const&) {}
  static std::vector<void*> spares() { return {}; }
};

/// Numbers the threads of an instance in the order of their ranks, unless the calling thread has a number. So iteration i of
/// `copies` iterations tends to run on the thread whose copy is copy i. Each rank is a thread of its own that waits only for
/// lower ranks, so the wait ends.
template <class ExecSpace>
void number_threads_by_rank(ExecSpace const& exec) {
  if (host_thread_number_if_any != ~std::uint32_t(0)) return;
  std::atomic<int> next{0};
  HostThreadTeam<ExecSpace>::run(exec, [&next](int rank, int) {
    while (next.load(std::memory_order_acquire) != rank) std::this_thread::yield();
    host_thread_number();
    next.store(rank + 1, std::memory_order_release);
  });
}

template <class ExecSpace>
class HostScatterCopies {
 public:
  struct Held {};

  HostScatterCopies() = default;
  explicit HostScatterCopies(ExecSpace const& exec)
      : m_spares(Kokkos::view_alloc("Kokkos::ScatterView: copies for more threads", SequentialHostInit)),
        m_size(static_cast<std::size_t>(exec.impl_concurrency())) {
    Impl::number_threads_by_rank(exec);
  }

  /// Number of copies, without spares.
  std::size_t size() const { return m_size; }
  std::vector<void*> spares() const { return m_size == 0 ? std::vector<void*>() : m_spares().all(); }

  /// The calling thread's copy, if `first` is the first one; null if there are no elements. Programs take access to
  /// ScatterViews that they leave empty, and contribute to others.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T* acquire(T* first, ScatterCopyShape const& shape, Held&) const {
    T* own = first;
    KOKKOS_IF_ON_HOST((std::size_t const number = host_thread_number_if_any; own = __builtin_expect(number < m_size, 1)
                                                                                       ? first + number * shape.stride
                                                                                       : acquire_slowly(first, shape);))
    return own;
  }
  KOKKOS_FUNCTION static void release(Held const&) {}

 private:
  /// Separate from acquire(), so that a loop has few instructions between one contribution and the next. Declared pure,
  /// although it may number the thread and make a copy: both have no further effect the second time, and a thread
  /// always gets the same copy. So the compiler may find the copy once, before a loop of contributions.
  /// Not declared cold: g++ would then optimise the loop itself for size.
  template <class T>
  [[gnu::noinline, gnu::pure]] T* acquire_slowly(T* first, ScatterCopyShape const& shape) const {
    std::uint32_t const number = host_thread_number();
    if (number < m_size) return first + number * shape.stride;
    if (m_size == 0) return nullptr;
    return static_cast<T*>(m_spares().of_thread(number, shape.stride, sizeof(T), shape.fill));
  }

  View<ScatterSpares, HostSpace> m_spares;
  std::size_t m_size = 0;
};

template <class ExecSpace>
class DeviceScatterCopies {
 public:
  /// The token of a copy.
  struct Held {
    std::uint32_t copy = 0;
  };

  DeviceScatterCopies() = default;
  explicit DeviceScatterCopies(ExecSpace const& exec)
      : m_tokens(exec, static_cast<std::size_t>(exec.impl_concurrency())) {}

  KOKKOS_FUNCTION std::size_t size() const { return m_tokens.size(); }
  static std::vector<void*> spares() { return {}; }
  template <class T>
  KOKKOS_FUNCTION T* acquire(T* first, ScatterCopyShape const& shape, Held& held) const {
    if (size() == 0) return nullptr;
    held.copy = m_tokens.acquire();
    return first + held.copy * shape.stride;
  }
  KOKKOS_FUNCTION void release(Held const& held) const {
    if (size() > 0) m_tokens.release(held.copy);
  }

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

/// Number of elements that a work item on the host combines: no fewer than the divisions at its start are worth, nor
/// than a pair of cache lines has.
inline std::size_t combined_per_item(std::size_t n) {
  constexpr std::size_t least = 16;
  std::size_t const of_copies = Impl::elements_per_item(n);
  return of_copies < least ? least : of_copies;
}

/// Combines the elements [c * chunk, (c + 1) * chunk) of copies [first, end) with those of the destination.
template <class T, class Operation>
struct CombineCopies {
  T* dst;
  T const* src;
  std::size_t stride;
  std::size_t first, end;
  CopyPlan loops;
  std::size_t chunk;

  KOKKOS_FUNCTION void operator()(std::size_t c) const {
    std::size_t const d = loops.dimension[0].dst_stride, s = loops.dimension[0].src_stride;
    Impl::for_each_row(loops, c * chunk, chunk, [&](std::size_t to, std::size_t from, std::size_t n) {
      for (std::size_t copy = first; copy < end; ++copy) {
        T* const sum         = dst + to;
        T const* const terms = src + copy * stride + from;
        if (d == 1 && s == 1)  // known to be neighbours, so that the loop is vectorised
          for (std::size_t i = 0; i < n; ++i) Operation::combine(sum[i], terms[i]);
        else
          for (std::size_t i = 0; i < n; ++i) Operation::combine(sum[i * d], terms[i * s]);
      }
    });
  }
};

}  // namespace Kokkos::Impl

#endif
