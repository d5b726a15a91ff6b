// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORYPOOL_HPP
#define KOKKOS_MEMORYPOOL_HPP

/// \file
/// MemoryPool: memory of a fixed size that kernels allocate from and return to.

#include <Kokkos_Atomic.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_CopyViews.hpp>
#include <Kokkos_UniqueToken.hpp>
#include <Kokkos_View.hpp>
#include <impl/memory/Kokkos_MemoryPoolSizes.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace Kokkos {

/// The pool consists of superblocks. While a superblock has allocations it is divided into blocks of one size, a power
/// of two. An empty superblock can be divided into blocks of another size. Copies of a pool refer to the same memory.
template <class DeviceType>
class MemoryPool {
 public:
  using memory_space     = typename DeviceType::memory_space;     ///< stores the blocks
  using execution_space  = typename DeviceType::execution_space;  ///< its kernels allocate
  using usage_statistics = Impl::MemoryPoolStatistics;            ///< set by get_usage_statistics

  /// A pool without memory.
  KOKKOS_DEFAULTED_FUNCTION MemoryPool() = default;

  /// \param total_bytes the minimum capacity; it is rounded up to superblocks
  /// \param min_block_bytes,max_block_bytes the smallest and the largest block; 0 means 64 and 4096
  /// \param superblock_bytes 0 means 1 MiB, or less if the pool is smaller. Block sizes are rounded up to powers of
  /// two. \throws std::runtime_error if the sizes contradict each other or there is not enough memory
  MemoryPool(memory_space const& space, std::size_t total_bytes, std::size_t min_block_bytes = 0,
             std::size_t max_block_bytes = 0, std::size_t superblock_bytes = 0)
      : m_sizes(total_bytes, min_block_bytes, max_block_bytes, superblock_bytes),
        m_memory(Kokkos::view_alloc(WithoutInitializing, "Kokkos::MemoryPool", space), m_sizes.capacity()),
        m_heads(Kokkos::view_alloc("Kokkos::MemoryPool heads", space),
                m_sizes.superblocks * Impl::MemoryPoolSizes::head_spacing),
        m_state(Kokkos::view_alloc("Kokkos::MemoryPool state", space),
                m_sizes.superblocks * m_sizes.words_per_superblock() + words_of_size * m_sizes.block_sizes()) {}

  /// Bytes of all superblocks.
  KOKKOS_FUNCTION std::size_t capacity() const noexcept { return m_sizes.capacity(); }
  /// Bytes of the smallest block; a power of two.
  KOKKOS_FUNCTION std::size_t min_block_size() const noexcept { return std::size_t(1) << m_sizes.min_block_log2; }
  /// Bytes of the largest block, which is the maximum size of an allocation.
  KOKKOS_FUNCTION std::size_t max_block_size() const noexcept { return std::size_t(1) << m_sizes.max_block_log2; }
  /// Number of superblocks. Blocks in one superblock have the same size.
  KOKKOS_FUNCTION int number_of_superblocks() const noexcept { return static_cast<int>(m_sizes.superblocks); }
  /// The block size for an allocation of `bytes`; 0 if it is too large.
  KOKKOS_FUNCTION std::uint32_t allocate_block_size(std::uint64_t bytes) const noexcept {
    return bytes > max_block_size() ? 0u : std::uint32_t(1) << block_log2(bytes);
  }

  /// Allocates a block of at least `bytes` bytes; null if there is none.
  /// \param attempts maximum number of searches through the pool; other threads may free blocks meanwhile
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, std::int32_t attempts = 1) const noexcept {
    if (bytes == 0 || bytes > max_block_size() || m_sizes.superblocks == 0) return nullptr;
    unsigned const log2        = block_log2(bytes);
    std::uint32_t const caller = Impl::token_hint();
    std::size_t s              = reserve_near(log2, caller);
    for (std::int32_t attempt = 0; s == none && (attempt < attempts || attempt == 0); ++attempt)
      s = reserve_anywhere(log2, caller);
    return s == none ? nullptr : take_block(s, log2, caller);
  }

  /// Frees a block from allocate; null is allowed.
  KOKKOS_FUNCTION void deallocate(void* p, std::size_t /*bytes*/) const noexcept {
    if (p == nullptr) return;
    char const* const byte   = static_cast<char const*>(p);
    std::size_t const offset = static_cast<std::size_t>(byte - m_memory.data());
    std::size_t const s      = offset >> m_sizes.superblock_log2;
    if (byte < m_memory.data() || s >= m_sizes.superblocks) {
      Kokkos::abort("Kokkos::MemoryPool::deallocate: the pointer does not come from this pool.");
    }
    std::uint64_t const state = Kokkos::atomic_load(&head(s));
    if (Head::is_empty(state)) Kokkos::abort("Kokkos::MemoryPool::deallocate: the block is not allocated.");
    unsigned const log2 = Head::log2(state);
    if (Kokkos::atomic_load(&exhausted_of(log2)) != 0) Kokkos::atomic_store(&exhausted_of(log2), 0u);
    std::size_t const block = (offset & ((std::size_t(1) << m_sizes.superblock_log2) - 1)) >> log2;
    std::uint32_t const bit = std::uint32_t(1) << block % 32;
    Impl::AtomicPrimitives::fence_acquire_release();  // orders accesses to the block before its next allocation
    std::uint32_t const before = Kokkos::atomic_fetch_and(&word(s, block / 32), ~bit);
    if ((before & bit) == 0) Kokkos::abort("Kokkos::MemoryPool::deallocate: the block is not allocated.");
    end_if_unused(s, Kokkos::atomic_sub_fetch(&head(s), Head::one_block));
  }

  /// Reads the state of the pool; fences.
  void get_usage_statistics(usage_statistics& statistics) const {
    statistics = usage_statistics{};
    if (m_sizes.superblocks == 0) return;
    auto const heads = Kokkos::create_mirror_view_and_copy(HostSpace(), m_heads);
    statistics       = m_sizes.statistics(heads.data());
  }
  /// Writes one line for each superblock that has allocations; fences.
  void print_state(std::ostream& stream) const {
    auto const heads = Kokkos::create_mirror_view_and_copy(HostSpace(), m_heads);
    m_sizes.print(stream, heads.data());
  }

  /// The blocks of one superblock; block_size is 0 if it is empty.
  KOKKOS_FUNCTION void superblock_state(int superblock, int& block_size, int& block_count_capacity,
                                        int& block_count_used) const noexcept {
    block_size = block_count_capacity = block_count_used = 0;
    if (superblock < 0 || superblock >= number_of_superblocks()) return;
    std::uint64_t const value = Kokkos::atomic_load(&head(superblock));
    if (Head::is_empty(value)) return;
    block_size           = 1 << Head::log2(value);
    block_count_capacity = 1 << (m_sizes.superblock_log2 - Head::log2(value));
    block_count_used     = static_cast<int>(Head::blocks(value));
  }

 private:
  // The words of a superblock's state have one bit for each allocated block. Behind them, each block size has three
  // words: its window, the first superblock of its front, and whether it is exhausted.
  using Head                                 = Impl::MemoryPoolHead;
  static constexpr std::size_t none          = ~std::size_t(0);
  static constexpr std::size_t words_of_size = 3;

  KOKKOS_FUNCTION unsigned block_log2(std::uint64_t bytes) const noexcept {
    unsigned log2 = m_sizes.min_block_log2;
    while ((std::uint64_t(1) << log2) < bytes) ++log2;
    return log2;
  }
  KOKKOS_FUNCTION std::uint64_t& head(std::size_t s) const noexcept {
    return m_heads(s * Impl::MemoryPoolSizes::head_spacing);
  }
  KOKKOS_FUNCTION std::uint32_t& word(std::size_t s, std::size_t w) const noexcept {
    return m_state(s * m_sizes.words_per_superblock() + w);
  }

  KOKKOS_FUNCTION std::uint32_t& size_word(unsigned log2, std::size_t which) const noexcept {
    return m_state(m_sizes.superblocks * m_sizes.words_per_superblock() +
                   words_of_size * (log2 - m_sizes.min_block_log2) + which);
  }
  KOKKOS_FUNCTION std::uint32_t& window_of(unsigned log2) const noexcept { return size_word(log2, 0); }
  KOKKOS_FUNCTION std::uint32_t& front_of(unsigned log2) const noexcept { return size_word(log2, 1); }
  KOKKOS_FUNCTION std::uint32_t& exhausted_of(unsigned log2) const noexcept { return size_word(log2, 2); }

  enum class Outcome { reserved, refused, contended };

  /// Whether the threads inside might take all free blocks.
  KOKKOS_FUNCTION static bool is_crowded(std::uint64_t state, std::uint32_t full) {
    return Head::blocks(state) + Head::threads(state) >= full;
  }
  /// Whether a superblock in this state may have a free block of this size.
  KOKKOS_FUNCTION static bool offers(std::uint64_t state, unsigned log2, std::uint32_t full, bool or_empty) {
    if (Head::is_empty(state)) return or_empty;
    return Head::log2(state) == log2 && Head::blocks(state) < full;
  }

  /// Reserves a block of this size, so that a free bit is guaranteed.
  ///
  /// A thread enters the superblock by one addition. It gets a block if the blocks and the threads that entered before
  /// it are fewer than all blocks, even if each of these threads gets one. While a thread is inside, the superblock
  /// keeps its size. The result is `refused` only if there was no free block, and `contended` if threads that entered
  /// before might take the last ones.
  /// \param or_empty also takes an empty superblock
  KOKKOS_FUNCTION Outcome reserve(std::size_t s, unsigned log2, bool or_empty) const noexcept {
    std::uint32_t const full = std::uint32_t(1) << (m_sizes.superblock_log2 - log2);
    std::uint64_t const seen = Kokkos::atomic_load(&head(s));
    if (!offers(seen, log2, full, or_empty)) return Outcome::refused;
    if (is_crowded(seen, full)) return Outcome::contended;
    std::uint64_t const before = Kokkos::atomic_fetch_add(&head(s), Head::one_thread);
    Outcome outcome            = Outcome::refused;
    if (offers(before, log2, full, or_empty)) {
      outcome = is_crowded(before, full) ? Outcome::contended : Outcome::reserved;
      if (outcome == Outcome::reserved && Head::is_empty(before) && !give_size(s, log2, before + Head::one_thread))
        outcome = Outcome::contended;
    }
    if (outcome == Outcome::reserved)
      Kokkos::atomic_add(&head(s), Head::one_block - Head::one_thread);
    else
      end_if_unused(s, Kokkos::atomic_sub_fetch(&head(s), Head::one_thread));
    return outcome;
  }
  /// Reserves a block by an exchange, without entering. A thread that was refused because of threads inside calls this
  /// function. If it entered again, and all such threads did, there could always be too many inside for the last blocks.
  /// This way only threads in their first search enter, and as soon as few are inside, one exchange succeeds.
  KOKKOS_FUNCTION Outcome reserve_from_outside(std::size_t s, unsigned log2, bool or_empty) const noexcept {
    std::uint32_t const full = std::uint32_t(1) << (m_sizes.superblock_log2 - log2);
    std::uint64_t seen       = Kokkos::atomic_load(&head(s));
    while (offers(seen, log2, full, or_empty)) {
      if (is_crowded(seen, full)) return Outcome::contended;
      std::uint64_t const wanted = seen + Head::one_block + (Head::is_empty(seen) ? log2 + 1 : 0);
      std::uint64_t const before = Kokkos::atomic_compare_exchange(&head(s), seen, wanted);
      if (before == seen) return Outcome::reserved;
      seen = before;
    }
    return Outcome::refused;
  }
  /// Divides an empty superblock, which the thread has entered, into blocks of this size. False if another thread
  /// divided it into blocks of another size.
  KOKKOS_FUNCTION bool give_size(std::size_t s, unsigned log2, std::uint64_t seen) const noexcept {
    while (Head::is_empty(seen)) {
      std::uint64_t const before = Kokkos::atomic_compare_exchange(&head(s), seen, seen + log2 + 1);
      if (before == seen) return true;
      seen = before;
    }
    return Head::log2(seen) == log2;
  }
  /// Makes a superblock empty if it has neither blocks nor threads inside.
  KOKKOS_FUNCTION void end_if_unused(std::size_t s, std::uint64_t state) const noexcept {
    if (Head::is_unused(state)) Kokkos::atomic_compare_exchange(&head(s), state, std::uint64_t(0));
  }

  /// Reserves a block in the window of its size: a power of two of superblocks, over which threads are distributed by
  /// their numbers. On a device it starts with one superblock and doubles when threads contend or find superblocks full,
  /// so a small demand leaves superblocks empty for other sizes. A host has few threads, so it starts with one superblock
  /// for each of up to 64: their additions to one head would wait for each other. All windows together are at most half
  /// of the pool.
  /// \return the superblock, or `none`
  KOKKOS_FUNCTION std::size_t reserve_near(unsigned log2, std::uint32_t caller) const noexcept {
    std::size_t const sizes = m_sizes.block_sizes();
    std::size_t const first = (log2 - m_sizes.min_block_log2) * (m_sizes.superblocks / sizes);
    std::size_t const most  = m_sizes.superblocks / (2 * sizes);
    std::uint32_t const old = Kokkos::atomic_load(&window_of(log2));
    std::uint32_t window    = old == 0 ? 1 : old;
    KOKKOS_IF_ON_HOST((while (old == 0 && window < 64 && 2 * window <= most) window *= 2;))
    std::size_t found = none;
    for (int tries = 0; tries < 4 && found == none; ++tries) {
      std::size_t const s = first + ((caller + tries) & (window - 1));
      if (reserve(s, log2, true) == Outcome::reserved) found = s;
      if (found == none && 2 * window <= most) {
        window *= 2;
        tries = 0;
      }
    }
    if (window > old) Kokkos::atomic_store(&window_of(log2), window);
    return found;
  }

  /// Searches all superblocks, first those that already have such blocks, so that empty ones remain for other sizes. If
  /// there is none with a free block, the size is exhausted until a thread frees a block of it. Searches begin with empty
  /// superblocks meanwhile, so not every thread reads all heads first.
  ///
  /// Threads start in a front of a few superblocks, over which they are distributed by their numbers. The front moves by
  /// as many superblocks as a thread had to pass, so it does not leave free blocks behind. All fronts together are at
  /// most an eighth of the pool.
  ///
  /// A thread that contends searches again, and reserves from outside then: the result is `none` only if no superblock had
  /// a free block when this thread looked at it.
  KOKKOS_FUNCTION std::size_t reserve_anywhere(unsigned log2, std::uint32_t caller) const noexcept {
    std::uint32_t const full = std::uint32_t(1) << (m_sizes.superblock_log2 - log2);
    std::size_t const offset = caller & (m_sizes.front() - 1);
    constexpr int batch      = 8;  // loads in flight
    bool or_empty            = Kokkos::atomic_load(&exhausted_of(log2)) != 0;
    for (bool from_outside = false;;) {
      std::size_t const front = Kokkos::atomic_load(&front_of(log2));
      std::size_t first       = m_sizes.wrapped(front + offset);
      bool contended          = false;
      for (std::size_t k = 0; k < m_sizes.superblocks; k += batch) {
        std::uint64_t states[batch];
        for (int j = 0; j < batch; ++j) states[j] = Kokkos::atomic_load(&head(m_sizes.wrapped(first + j)));
        for (int j = 0; j < batch; ++j) {
          if (!offers(states[j], log2, full, or_empty)) continue;
          std::size_t const place = m_sizes.wrapped(first + j);
          Outcome const outcome =
              from_outside ? reserve_from_outside(place, log2, or_empty) : reserve(place, log2, or_empty);
          if (outcome == Outcome::reserved) {
            std::size_t const skipped = k + static_cast<std::size_t>(j);
            if (skipped > 0)
              Kokkos::atomic_store(&front_of(log2), static_cast<std::uint32_t>(m_sizes.wrapped(front + skipped)));
            return place;
          }
          contended |= outcome == Outcome::contended;
        }
        first = m_sizes.wrapped(first + batch);
      }
      if (!or_empty) {
        or_empty = true;
        Kokkos::atomic_store(&exhausted_of(log2), 1u);
        continue;
      }
      if (!contended) return none;
      from_outside = true;
    }
  }

  /// Takes a free block of a superblock in which one is reserved for the caller.
  KOKKOS_FUNCTION void* take_block(std::size_t s, unsigned log2, std::uint32_t caller) const noexcept {
    std::uint32_t const blocks = std::uint32_t(1) << (m_sizes.superblock_log2 - log2);
    std::uint32_t const last   = blocks < 32 ? (std::uint32_t(1) << blocks) - 1 : ~std::uint32_t(0);
    // Threads start at positions that are far from each other, by a multiplicative hash.
    std::uint32_t const start = static_cast<std::uint32_t>((std::uint64_t(caller * 2654435769u) * blocks) >> 32);
    for (std::uint32_t w = start / 32;; w = 32 * (w + 1) >= blocks ? 0 : w + 1) {
      std::uint32_t free = ~Kokkos::atomic_load(&word(s, w)) & last;
      while (free != 0) {
        std::uint32_t const behind = free & (~std::uint32_t(0) << start % 32);
        std::uint32_t const chosen = behind != 0 ? behind : free;
        std::uint32_t const bit    = chosen & (0 - chosen);
        std::uint32_t const before = Kokkos::atomic_fetch_or(&word(s, w), bit);
        if ((before & bit) == 0) {
          Impl::AtomicPrimitives::fence_acquire_release();
          std::size_t const block = 32 * w + static_cast<std::size_t>(Experimental::countr_zero_builtin(bit));
          return m_memory.data() + (s << m_sizes.superblock_log2) + (block << log2);
        }
        free = ~before & last;
      }
    }
  }

  Impl::MemoryPoolSizes m_sizes;
  View<char*, memory_space> m_memory;
  View<std::uint64_t*, memory_space> m_heads;
  View<std::uint32_t*, memory_space> m_state;
};

}  // namespace Kokkos

#endif
