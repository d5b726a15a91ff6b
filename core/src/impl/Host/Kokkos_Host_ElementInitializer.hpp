// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_ELEMENT_INITIALIZER_HPP
#define KOKKOS_HOST_ELEMENT_INITIALIZER_HPP

/// \file
/// Constructs and destroys the elements of views on the threads that will use them.

#include <impl/Host/Kokkos_Host_ConstructedParts.hpp>
#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/copy/Kokkos_HostCopyPolicy.hpp>
#include <impl/view/Kokkos_ConstructElements.hpp>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace Kokkos::Impl {

/// Implements the interface between view and a backend. Elements are distributed like the iterations of a parallel_for,
/// so the operating system places each page near the thread that will use it.
template <class ExecSpace>
struct HostElementInitializer {
  /// Constructs T() at first, first + 1, ..., first + n - 1, in no particular order. If a constructor throws, destroys the
  /// elements that exist and throws the first exception.
  template <class T>
  static void value_construct(ExecSpace const& space, T* first, std::size_t n) {
    if constexpr (initial_bytes_are_zero_v<T>) {
      construct_parts(space, n * sizeof(T) <= host_copy_policy.alone_bytes, n,
                      [first](std::size_t begin, std::size_t end) {
                        std::memset(static_cast<void*>(first + begin), 0, (end - begin) * sizeof(T));
                      });
    } else if constexpr (!std::is_nothrow_default_constructible_v<T>) {
      if (is_for_one_thread(n, sizeof(T)))
        Impl::construct_sequentially(first, n);
      else
        construct_all_or_none(space, first, n);
    } else {
      construct_parts(space, is_for_one_thread(n, sizeof(T)), n, [first](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ::new (static_cast<void*>(first + i)) T();
      });
    }
  }

  /// Calls the destructors of n elements, in no particular order.
  template <class T>
  static void destroy(ExecSpace const& space, T* first, std::size_t n) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      for_parts(space, is_for_one_thread(n, sizeof(T)), n, [first](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) first[i].~T();
      });
    }
  }

 private:
  static constexpr bool is_for_one_thread(std::size_t n, std::size_t element_bytes) {
    return n * element_bytes <= 16 * 1024 && n <= 1024;
  }

  template <class T>
  static void construct_all_or_none(ExecSpace const& space, T* first, std::size_t n) {
    HostInstanceLock lock = Impl::lock_host_instance(space);
    HostConstructedParts constructed(lock.threads());
    HostThreadTeam<ExecSpace>::run(lock, [&](int rank, int size) {
      HostPart const part = Impl::host_part(n, rank, size);
      if (part.empty()) return;
      try {
        Impl::construct_sequentially(first + part.begin, part.end - part.begin);
        constructed.record(rank, part);
      } catch (...) {
        constructed.record_exception();
      }
    });
    if (!constructed.failed()) return;
    for (HostPart const& part : constructed)
      for (std::size_t i = part.end; i > part.begin; --i) first[i - 1].~T();
    constructed.rethrow();
  }

  // No kernel can use memory whose elements do not exist yet, so a small number of elements needs no lock of the
  // instance.
  template <class Work>
  static void construct_parts(ExecSpace const& space, bool by_one_thread, std::size_t n, Work const& work) {
    if (by_one_thread)
      work(std::size_t{0}, n);
    else
      for_parts(space, false, n, work);
  }
  template <class Work>
  static void for_parts(ExecSpace const& space, bool by_one_thread, std::size_t n, Work const& work) {
    if (n == 0) return;
    HostInstanceLock lock = Impl::lock_host_instance(space);
    if (by_one_thread) {
      work(std::size_t{0}, n);
      return;
    }
    HostThreadTeam<ExecSpace>::run(lock, [&](int rank, int size) {
      HostPart const part = host_part(n, rank, size);
      if (!part.empty()) work(part.begin, part.end);
    });
  }
};

}  // namespace Kokkos::Impl

#endif
