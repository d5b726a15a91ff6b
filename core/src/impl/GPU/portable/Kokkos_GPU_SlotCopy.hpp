// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SLOT_COPY_HPP
#define KOKKOS_GPU_SLOT_COPY_HPP

/// \file
/// Small copies to the host through one pinned slot. The caller polls the slot for a short while. If the stream takes
/// longer, and the caller need not wait, a host function in the stream finishes the copy.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagedCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The pinned slots of one device, which have two sizes. take() allocates a slot if all existing slots of the size are in
/// use. The mutex guards the lists; it is not held while memory is allocated.
///
/// A copy fills a large slot in several parts: the host empties one part while the link transfers the next. To show the
/// host that a part has arrived, the stream writes a word after the part. If streams cannot write words, there is one
/// part.
template <class Runtime>
class CopySlots {
  struct Memory {
    PinnedMemory<Runtime> bytes;  // followed by the words
    std::size_t capacity = 0;
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
    bool is_large() const noexcept { return m_large; }

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

  /// The number of copies that may fill a slot.
  unsigned parts_of(Slot const& slot) const noexcept { return slot.is_large() && has_words() ? m_parts : 1; }

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
  std::atomic<bool> m_has_words{HasStreamValues<Runtime>::value};
  std::mutex m_mutex;
  std::size_t m_bytes[2];
  unsigned m_parts;
  int m_count[2] = {0, 0};
  std::vector<Memory*> m_free[2];
  std::vector<std::unique_ptr<Memory>> m_memory;
};

/// A copy that a host function finishes. No other part of it waits for the host.
template <class Runtime>
struct SlotJob : StagingJob {
  CopySlots<Runtime>* slots = nullptr;
  StagingPool* pool         = nullptr;
  typename CopySlots<Runtime>::Slot slot;

  static void run(void* self) {
    SlotJob& job = *static_cast<SlotJob*>(self);
    std::string error;
    try {
      job.host->scatter(job.slot.memory(), 0, job.bytes);
    } catch (std::exception const& e) {
      error = e.what();
    } catch (...) {
      error = "an exception of unknown type";
    }
    job.slots->give_back(job.slot);
    if (job.on_completion) job.on_completion();
    job.pool->end_function(job, std::move(error));  // the job may have been destroyed
  }
};

/// A slot and the copy to it, until the copy has ended or a host function has taken it over.
template <class Runtime>
class SlotCopy {
  using stream_t = typename Runtime::stream_t;

 public:
  /// Takes no slot if `bytes` is 0; has none if all are in use.
  SlotCopy(CopySlots<Runtime>& slots, StagingPool& pool, DeviceRows const& device, std::size_t bytes, bool waits)
      : m_slots(slots), m_pool(pool), m_device(device), m_bytes(bytes), m_waits(waits) {
    if (bytes > 0) m_slot = slots.take(bytes);
  }
  ~SlotCopy() {
    if (m_slot) m_slots.give_back(m_slot);
  }
  SlotCopy(SlotCopy const&)            = delete;
  SlotCopy& operator=(SlotCopy const&) = delete;
  explicit operator bool() const noexcept { return static_cast<bool>(m_slot); }

  /// Copies to a slot and from there to `host`, by parts of about `part_bytes` bytes: the host empties one part while
  /// the link transfers the next. False if the stream has not reached a part for a while, and the caller does not wait.
  bool copy_to(HostSide const& host, stream_t stream, std::chrono::microseconds timeout, std::size_t part_bytes) {
    char* const block  = host.block();
    Parts const parts  = block ? divided(part_bytes) : Parts{m_bytes, m_bytes, 1};  // others have indivisible granules
    bool const watched = ArrivalWatch::can_watch(m_bytes) && m_device.pitch == m_device.width;
    auto const pattern = m_slots.next_pattern();
    ArrivalWatch const watch(m_slot.memory(), watched ? m_bytes : 0, pattern);
    try {
      for (unsigned k = 0; k < parts.count; ++k) {
        std::size_t const first = parts.begin(k);
        copy_rows_async<Runtime>(false, m_device, m_slot.memory() + first, first, parts.begin(k + 1) - first, stream);
        if (!watched) mark(k, stream, pattern);
      }
      bool all_arrived = false;
      for (unsigned k = 0; k < parts.count; ++k) {
        bool const has_word = k < m_words;
        if (!all_arrived && !(watched    ? watch.has_arrived(timeout)
                              : has_word ? StagingWords::awaits_equal(m_slot.word(k), pattern, timeout)
                                         : has_ended(stream, timeout))) {
          if (!m_waits) return false;
          gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", "copying from a pinned slot");
          all_arrived = true;
          // A device that took the step but never wrote the word would make each copy wait this long.
          if (has_word && !StagingWords::is_equal(m_slot.word(k), pattern)) m_slots.refuse_words();
        }
        std::size_t const first = parts.begin(k);
        // Uses ordinary stores, because the program soon reads these few bytes.
        if (block) std::memcpy(block + first, m_slot.memory() + first, parts.begin(k + 1) - first);
      }
    } catch (GPUError const&) {
      drain(stream);
      throw;
    }
    if (!block) host.scatter(m_slot.memory(), 0, m_bytes);
    return true;
  }
  void leave_to_function(StagedCopy& copy, InstanceStream<Runtime> const& stream) {
    auto job   = std::make_shared<SlotJob<Runtime>>();
    job->slots = &m_slots;
    job->pool  = &m_pool;
    job->slot  = m_slot;
    fill_staging_job(*job, copy, stream.token());
    m_pool.add_function(job);
    try {
      gpu_check<Runtime>(Runtime::launch_host_function(stream.get(), &SlotJob<Runtime>::run, job.get()),
                         "launch_host_function", "copying from a pinned slot");
    } catch (GPUError const&) {
      drain(stream.get());
      m_pool.end_function(*job, "");
      throw;
    }
    m_slot = {};
  }

 private:
  /// The first part is half as long as the others, so that the host begins sooner; the last one may be shorter.
  struct Parts {
    std::size_t bytes, length;  // in all; of the parts between the first and the last
    unsigned count;

    std::size_t begin(unsigned part) const noexcept {
      return part == 0 ? 0 : count == 1 ? bytes : std::min(bytes, part * length - length / 2);
    }
  };
  /// Parts of `part_bytes` bytes on average or less, but no more of them than there are words for.
  Parts divided(std::size_t part_bytes) const noexcept {
    constexpr std::size_t alignment = 2 * CopyCut::alignment;  // half a part is aligned, too
    std::size_t const count = std::min<std::size_t>(m_slots.parts_of(m_slot), (m_bytes + part_bytes - 1) / part_bytes);
    if (count < 2) return {m_bytes, m_bytes, 1};
    std::size_t const length = (2 * m_bytes / (2 * count - 1) + alignment) / alignment * alignment;
    return {m_bytes, length, static_cast<unsigned>((m_bytes + length / 2 + length - 1) / length)};
  }

  /// Enqueues the sign that the part has arrived: a word that the stream writes after it. The host reads a word faster
  /// than it queries the runtime. Of parts without a word, the end of the stream shows that they have arrived.
  void mark([[maybe_unused]] unsigned part, [[maybe_unused]] stream_t stream, [[maybe_unused]] std::uint32_t pattern) {
    if constexpr (HasStreamValues<Runtime>::value) {
      if (!m_slots.has_words()) return;
      StagingWords::set(m_slot.word(part), ~pattern);  // until the stream writes the pattern
      GPUValueStep const step{GPUValueStep::write, m_slot.word(part), pattern};
      if (gpu_succeeded<Runtime>(Runtime::stream_values(stream, &step, 1)))
        m_words = part + 1;
      else
        m_slots.refuse_words();
    }
  }

  static bool has_ended(stream_t stream, std::chrono::microseconds timeout) {
    for (auto const begin = std::chrono::steady_clock::now();;) {
      auto const answer = Runtime::stream_query(stream);
      if (answer == Runtime::success) return true;
      Runtime::clear_last_error();
      if (answer != Runtime::not_ready) gpu_check<Runtime>(answer, "stream_query", "copying to a pinned slot");
      if (std::chrono::steady_clock::now() - begin > timeout) return false;
    }
  }
  /// A failed copy may still write to the slot, which the next copy uses. A device that has failed permanently returns
  /// an error for each call and copies nothing.
  static void drain(stream_t stream) {
    for (int tries = 0; tries < 100 && !gpu_succeeded<Runtime>(Runtime::stream_synchronize(stream)); ++tries) continue;
  }

  CopySlots<Runtime>& m_slots;
  StagingPool& m_pool;
  DeviceRows m_device;
  std::size_t m_bytes;
  bool m_waits;
  unsigned m_words = 0;  // a word follows each part before this one
  typename CopySlots<Runtime>::Slot m_slot;
};

}  // namespace Kokkos::Impl

#endif
