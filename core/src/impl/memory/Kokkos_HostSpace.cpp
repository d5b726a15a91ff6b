// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Allocation of host memory.

#include <Kokkos_HostSpace.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace Kokkos {

namespace {

constexpr std::size_t alignment = KOKKOS_MEMORY_ALIGNMENT;

// Large pages (2 MiB on most processors) need fewer page faults when a program first writes to the memory, and fewer
// reads of page tables when it accesses elements at random. A smaller block contains at most one.
constexpr std::size_t fewest_bytes_in_large_pages = std::size_t(4) << 20;

// Asks the system for large pages. It is only advice, which the system may not follow. The range includes the whole
// pages at both ends of the block, so that blocks that are neighbours stay one mapping. A process may have only some
// 65000 mappings.
void advise_large_pages([[maybe_unused]] void* p, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (p == nullptr || bytes < fewest_bytes_in_large_pages) return;
  static std::uintptr_t const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::uintptr_t const before      = reinterpret_cast<std::uintptr_t>(p) % page;
  std::size_t const pages          = (before + bytes + page - 1) / page;
  (void)madvise(static_cast<char*>(p) - before, pages * page, MADV_HUGEPAGE);
#endif
}

// The large block that was freed last. A program that needs a temporary array in each of its steps gets this block
// again, without the system call above. The C library keeps such blocks, too, but does not report whether the large pages
// of one are still there. Larger blocks are returned to the system, as the C library returns them.
// Not for the address sanitizer, which must see each block that is freed.
#if defined(__has_feature)
#define KOKKOS_IMPL_HAS_FEATURE(NAME) __has_feature(NAME)
#else
#define KOKKOS_IMPL_HAS_FEATURE(NAME) 0
#endif
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !KOKKOS_IMPL_HAS_FEATURE(address_sanitizer)
class SpareBlock {
 public:
  // Null if the block is shorter, or longer by more than an eighth.
  void* take(std::size_t bytes) noexcept {
    if (bytes < fewest_bytes_in_large_pages || bytes > most_bytes) return nullptr;
    // acquire, and release in keep(): the accesses of the thread that freed the block come before those of the next.
    void* const p = m_block.exchange(nullptr, std::memory_order_acquire);
    if (p == nullptr) return nullptr;
    std::size_t const size = malloc_usable_size(p);
    if (size >= bytes && size - bytes <= size / 8) return p;
    std::free(p);
    return nullptr;
  }
  // Frees the block, or keeps it and frees the one before it.
  void keep(void* p) noexcept {
    std::size_t const size = p == nullptr ? 0 : malloc_usable_size(p);
    if (size < fewest_bytes_in_large_pages || size > most_bytes)
      std::free(p);
    else
      std::free(m_block.exchange(p, std::memory_order_acq_rel));
  }
  void release() noexcept { std::free(m_block.exchange(nullptr, std::memory_order_acquire)); }

 private:
  static constexpr std::size_t most_bytes = std::size_t(32) << 20;

  std::atomic<void*> m_block{nullptr};
};
#else
struct SpareBlock {
  void* take(std::size_t) noexcept { return nullptr; }
  void keep(void* p) noexcept { std::free(p); }
  void release() noexcept {}
};
#endif
constinit SpareBlock spare_block;

// Null if there is not enough memory. The C function requires a multiple of the alignment. Rounding up must not wrap
// around. More than PTRDIFF_MAX bytes are refused, so that differences of pointers into the block are defined.
void* allocate_aligned(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - alignment) return nullptr;
  std::size_t const whole = (bytes + alignment - 1) / alignment * alignment;
  if (void* const spare = spare_block.take(whole)) return spare;
  void* p = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (p == nullptr) {
    spare_block.release();
    p = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  }
  advise_large_pages(p, whole);
  return p;
}

}  // namespace

void* HostSpace::allocate(std::size_t bytes) const {
  void* p = allocate_aligned(bytes);
  if (p == nullptr) Impl::throw_out_of_memory(name(), bytes, "[unlabeled]");
  return p;
}

void* HostSpace::allocate(char const* label, std::size_t bytes, std::size_t reported_bytes) const {
  void* p = allocate_aligned(bytes);
  if (p == nullptr) Impl::throw_out_of_memory(name(), bytes, label);
  Impl::report_allocation(name(), label, p, reported_bytes == 0 ? bytes : reported_bytes);
  return p;
}

void HostSpace::deallocate(void* p, std::size_t) const noexcept { spare_block.keep(p); }

void HostSpace::deallocate(char const* label, void* p, std::size_t bytes, std::size_t reported_bytes) const noexcept {
  if (p != nullptr) Impl::report_deallocation(name(), label, p, reported_bytes == 0 ? bytes : reported_bytes);
  spare_block.keep(p);
}

}  // namespace Kokkos
