// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_SLOTS_HPP
#define KOKKOS_GPU_COPY_SLOTS_HPP

/// \file
/// Small pieces of pinned memory: a small copy uses one of them and needs neither slabs nor threads.
///
/// Needs a `Runtime`, Kokkos_GPU_{CopyPolicy,StreamLifetime}.hpp and the standard library: patches carry this file unchanged.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The pinned slots of one device, which have two sizes. take() allocates a slot if all existing slots of the size are in
/// use. The mutex guards the lists; it is not held while memory is allocated.
///
/// A copy fills a large slot in several parts: the host empties one part while the link transfers the next. To show the
/// host that a part has arrived, the stream writes a word after the part. Streams that cannot write words record an
/// event instead.
template <class Runtime>
class CopySlots {
  struct Memory {
    PinnedMemory<Runtime> bytes;  // followed by the words
    std::size_t capacity = 0;
    std::vector<Event<Runtime>> events;
  };

 public:
  static constexpr std::size_t small_bytes   = CopyPolicy::small_slot_bytes;
  static constexpr std::size_t word_distance = CopyPolicy::cache_line;  // of the words that follow these bytes
  static constexpr int max_count             = CopyPolicy::max_slots;   // of each size

  /// Large slots have `large_bytes` bytes and are filled by up to `parts` copies.
  CopySlots(std::size_t large_bytes, unsigned parts) : m_bytes{small_bytes, large_bytes}, m_parts(parts) {}

  /// The number that shows ArrivalWatch or a word that data has arrived. It differs from the numbers of recent copies.
  std::uint32_t next_pattern() noexcept { return m_pattern.fetch_add(0x9E3779B9u); }

  /// Whether streams write a word after each part. refuse_words() ends this for all later copies.
  bool has_words() const noexcept { return m_has_words.load(std::memory_order_relaxed); }
  void refuse_words() noexcept { m_has_words.store(false, std::memory_order_relaxed); }

  /// One slot, from take() until give_back(), or empty if none was free.
  class Slot {
   public:
    char* memory() const noexcept { return m_memory ? static_cast<char*>(m_memory->bytes.get()) : nullptr; }
    /// The word that the stream writes after a part. Words of different parts are in different cache lines.
    std::uint32_t* word(unsigned part) const noexcept {
      return reinterpret_cast<std::uint32_t*>(memory() + m_memory->capacity + part * word_distance);
    }
    explicit operator bool() const noexcept { return m_memory != nullptr; }
    /// The number of copies that may fill the slot. Each of them except the last one can be followed by an event.
    unsigned parts() const noexcept { return static_cast<unsigned>(m_memory->events.size()) + 1; }
    typename Runtime::event_t event(unsigned part) const noexcept { return m_memory->events[part].get(); }

   private:
    friend CopySlots;
    Memory* m_memory = nullptr;
    bool m_large     = false;
  };

  /// Takes a slot of at least `bytes` bytes. Returns an empty one if all are in use or the runtime has no memory.
  Slot take(std::size_t bytes) noexcept {
    Slot slot;
    slot.m_large     = bytes > small_bytes;
    bool const large = slot.m_large;
    if (bytes > m_bytes[large]) return {};
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (!m_free[large].empty()) {
        slot.m_memory = m_free[large].back();
        m_free[large].pop_back();
        return slot;
      }
      if (m_count[large] == max_count) return {};
      ++m_count[large];
    }
    try {
      auto memory      = std::make_unique<Memory>();
      memory->capacity = m_bytes[large];
      memory->bytes    = PinnedMemory<Runtime>(m_bytes[large] + (large ? m_parts : 1) * word_distance);
      for (unsigned part = 1; large && part < m_parts; ++part) memory->events.emplace_back();
      std::lock_guard<std::mutex> lock(m_mutex);
      m_free[large].reserve(max_count);  // so that give_back() cannot fail
      m_memory.push_back(std::move(memory));
      slot.m_memory = m_memory.back().get();
      return slot;
    } catch (std::exception const&) {
      std::lock_guard<std::mutex> lock(m_mutex);
      --m_count[large];
      return {};
    }
  }
  void give_back(Slot const& slot) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_free[slot.m_large].push_back(slot.m_memory);
  }

  std::size_t bytes() {
    std::lock_guard<std::mutex> lock(m_mutex);
    std::size_t sum = 0;
    for (auto const& memory : m_memory) sum += memory->bytes.bytes();
    return sum;
  }
  /// Frees all memory. No copy may be in progress.
  void clear() noexcept {
    for (auto& list : m_free) list.clear();
    m_memory.clear();
    m_count[0] = m_count[1] = 0;
  }

 private:
  std::atomic<std::uint32_t> m_pattern{0x9E3779B9u};
  std::atomic<bool> m_has_words{true};
  std::mutex m_mutex;
  std::size_t m_bytes[2];
  unsigned m_parts;
  int m_count[2] = {0, 0};
  std::vector<Memory*> m_free[2];
  std::vector<std::unique_ptr<Memory>> m_memory;
};

}  // namespace Kokkos::Impl

#endif
