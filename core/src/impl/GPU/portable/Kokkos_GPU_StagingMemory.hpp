// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_MEMORY_HPP
#define KOKKOS_GPU_STAGING_MEMORY_HPP

/// \file
/// The block of pinned memory for staged copies. It is created quickly, because the first copy waits for it.
///
/// A runtime's allocation of pinned memory clears small pages one after the other: half a millisecond for each MiB
/// (CUDA 13.0). Several threads that touch large pages, which are then registered with the runtime, take a sixth of the
/// time.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostNode.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace Kokkos::Impl {

/// Owns pages of pageable memory, or nothing.
///
/// The pages are large if the system has large pages. They are on one NUMA node, whichever threads touched them first: on
/// the one that the constructor was given, or on that of the thread that created them. They are excluded from `fork`: if a
/// child process shared them, the parent's next write would go to a different page from the one that the device accesses.
class HostPages {
 public:
  static constexpr std::size_t small_page = CopyPolicy::small_page, large_page = CopyPolicy::large_page;

  HostPages() = default;
  /// Allocates `bytes` zeroed bytes with the help of `threads` threads. Owns nothing if the system has no memory.
  /// \param node the NUMA node, or -1
  HostPages([[maybe_unused]] std::size_t bytes, [[maybe_unused]] int threads, [[maybe_unused]] int node = -1) {
#ifdef __linux__
    void* const mapped = mmap(nullptr, bytes + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return;
    m_mapped = {mapped, Unmap{bytes + large_page}};
    m_bytes  = bytes;
    // Only advice: if the system ignores it, pages are small, or on any NUMA node.
    (void)madvise(get(), bytes, MADV_HUGEPAGE);
    if (!Impl::prefer_host_node(get(), bytes, node))
      (void)Impl::prefer_host_node(get(), bytes, Impl::host_node_of_this_thread());
    if (madvise(get(), bytes, MADV_DONTFORK) == 0)
      touch(threads);
    else
      *this = HostPages();
#endif
  }
  /// Aligned to a large page. Null if there are no pages.
  char* get() const noexcept {
    auto const address = reinterpret_cast<std::uintptr_t>(m_mapped.get());
    return reinterpret_cast<char*>((address + large_page - 1) / large_page * large_page);
  }
  std::size_t bytes() const noexcept { return m_mapped ? m_bytes : 0; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()([[maybe_unused]] void* mapped) const noexcept {
#ifdef __linux__
      (void)munmap(mapped, bytes);
#endif
    }
  };

  void touch(int threads) {
    std::atomic<std::size_t> next{0};
    auto const work = [&] {
      for (std::size_t first; (first = next.fetch_add(large_page, std::memory_order_relaxed)) < m_bytes;)
        for (std::size_t i = first; i < std::min(first + large_page, m_bytes); i += small_page)
          *static_cast<char volatile*>(get() + i) = 0;
    };
    std::vector<std::thread> others;
    try {
      for (int i = 1; i < threads; ++i) others.push_back(start_staging_thread(CoreSet(), work));
    } catch (std::exception const&) {  // continue with fewer threads
    }
    work();
    for (auto& other : others) other.join();
  }

  std::unique_ptr<void, Unmap> m_mapped;
  std::size_t m_bytes = 0;
};

/// Whether a runtime can register existing memory, for copies and for the words of streams alike.
template <class Runtime, class = void>
inline constexpr bool registers_host_memory = false;
template <class Runtime>
inline constexpr bool
    registers_host_memory<Runtime, std::void_t<decltype(Runtime::register_host(nullptr, std::size_t()))>> = true;

/// Owns pinned memory, either registered pages or a block of the runtime, or nothing.
template <class Runtime>
class StagingMemory {
 public:
  StagingMemory() = default;
  /// Memory beside the thread's current device: the registered pages are on the NUMA node that the system reports for the
  /// device; the runtime places its own blocks.
  /// \throws GPUError if neither method yields `bytes` bytes
  explicit StagingMemory(std::size_t bytes, int threads = 1) {
    if constexpr (registers_host_memory<Runtime>) {
      HostPages pages(bytes, std::min(threads, max_threads), Impl::host_node_beside_current_device<Runtime>());
      RelaxedCaptureScope<Runtime> relaxed;
      if (pages.get() && gpu_succeeded<Runtime>(Runtime::register_host(pages.get(), bytes))) {
        m_pages = std::move(pages);
        m_registration.reset(m_pages.get());
        return;
      }
    }
    m_block = PinnedMemory<Runtime>(bytes);
  }
  StagingMemory(StagingMemory&&) = default;
  StagingMemory& operator=(StagingMemory&& other) noexcept {
    m_registration = std::move(other.m_registration);  // before the pages are freed
    m_pages        = std::move(other.m_pages);
    m_block        = std::move(other.m_block);
    return *this;
  }

  void* get() const noexcept { return m_pages.get() ? m_pages.get() : m_block.get(); }
  std::size_t bytes() const noexcept { return m_pages.get() ? m_pages.bytes() : m_block.bytes(); }

 private:
  static constexpr int max_threads = 8;

  struct Unregister {
    void operator()([[maybe_unused]] char* data) const noexcept {
      if constexpr (registers_host_memory<Runtime>) {
        RelaxedCaptureScope<Runtime> relaxed;
        (void)gpu_succeeded<Runtime>(Runtime::unregister_host(data));
      }
    }
  };

  HostPages m_pages;
  std::unique_ptr<char, Unregister> m_registration;  // destroyed before the pages
  PinnedMemory<Runtime> m_block;
};

}  // namespace Kokkos::Impl

#endif
