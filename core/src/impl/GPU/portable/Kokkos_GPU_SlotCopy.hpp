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

/// Objects that any thread may take, and gives back for the next user.
template <class Object>
class FreeList {
 public:
  explicit FreeList(std::size_t most) { m_free.reserve(most); }
  /// A null object if none is free.
  Object take() noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_free.empty()) return {};
    Object object = std::move(m_free.back());
    m_free.pop_back();
    return object;
  }
  /// Cannot fail for as many objects as the constructor was told.
  void give_back(Object&& object) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_free.push_back(std::move(object));
  }
  /// Destroys the free objects.
  void clear() {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_free.clear();
  }

 private:
  std::mutex m_mutex;
  std::vector<Object> m_free;
};

/// The pinned slots of one device. take() allocates a slot if all existing ones are in use.
///
/// To show the host that the bytes have arrived, the stream writes a word after them.
template <class Runtime>
class CopySlots {
 public:
  static constexpr int max_count = CopyPolicy::max_slots;

  /// Owned by its user from take() until give_back(). A word follows the bytes of the copy.
  using Slot = PinnedMemory<Runtime>;

  explicit CopySlots(std::size_t bytes) : m_bytes(bytes), m_free(max_count) {}

  /// The number that shows ArrivalWatch or the word that data has arrived. It differs from the numbers of recent copies.
  std::uint32_t next_pattern() noexcept { return m_pattern.fetch_add(0x9E3779B9u); }

  /// Whether streams write the word. refuse_words() ends this for all later copies.
  bool has_words() const noexcept { return m_has_words.load(std::memory_order_relaxed); }
  void refuse_words() noexcept { m_has_words.store(false, std::memory_order_relaxed); }
  std::uint32_t* word(Slot const& slot) const noexcept {
    return reinterpret_cast<std::uint32_t*>(static_cast<char*>(slot.get()) + m_bytes);
  }

  /// Takes a slot of at least `bytes` bytes. Returns an empty one if all are in use or the runtime has no memory.
  Slot take(std::size_t bytes) noexcept {
    if (bytes > m_bytes) return {};
    if (Slot slot = m_free.take(); slot.get()) return slot;
    if (m_count.fetch_add(1) < max_count) try {
        return Slot(slot_bytes());
      } catch (std::exception const&) {
      }
    --m_count;
    return {};
  }
  void give_back(Slot&& slot) noexcept { m_free.give_back(std::move(slot)); }

  /// Of all slots.
  std::size_t bytes() const noexcept { return static_cast<std::size_t>(m_count.load()) * slot_bytes(); }

 private:
  std::size_t slot_bytes() const noexcept { return m_bytes + CopyPolicy::cache_line; }

  std::atomic<std::uint32_t> m_pattern{0x9E3779B9u};
  std::atomic<bool> m_has_words{true};
  std::size_t m_bytes;  // without the word
  FreeList<Slot> m_free;
  std::atomic<int> m_count{0};
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
      job.host->scatter(job.slot.get(), 0, job.bytes);
    } catch (std::exception const& e) {
      error = e.what();
    } catch (...) {
      error = "an exception of unknown type";
    }
    job.slots->give_back(std::move(job.slot));
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
    if (m_slot.get()) m_slots.give_back(std::move(m_slot));
  }
  SlotCopy(SlotCopy const&)            = delete;
  SlotCopy& operator=(SlotCopy const&) = delete;
  explicit operator bool() const noexcept { return m_slot.get() != nullptr; }

  /// Copies to a slot and from there to `host`. False if the bytes have not arrived for a while, and the caller does not
  /// wait.
  bool copy_to(HostSide const& host, stream_t stream, std::chrono::microseconds timeout) {
    char* const slot   = static_cast<char*>(m_slot.get());
    bool const watched = ArrivalWatch::can_watch(m_bytes) && m_device.pitch == m_device.width;
    auto const pattern = m_slots.next_pattern();
    ArrivalWatch const watch(slot, watched ? m_bytes : 0, pattern);
    try {
      copy_rows_async<Runtime>(false, m_device, slot, 0, m_bytes, stream);
      bool const has_word = !watched && writes_word(stream, pattern);
      if (!(watched    ? watch.has_arrived(timeout)
            : has_word ? StagingWords::awaits_equal(m_slots.word(m_slot), pattern, timeout)
                       : has_ended(stream, timeout))) {
        if (!m_waits) return false;
        gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", "copying from a pinned slot");
        // A device that took the step but never wrote the word would make each copy wait this long.
        if (has_word && !StagingWords::is_equal(m_slots.word(m_slot), pattern)) m_slots.refuse_words();
      }
    } catch (GPUError const&) {
      drain(stream);
      throw;
    }
    // Ordinary stores to a block, because the program soon reads these few bytes.
    if (char* const block = host.block())
      std::memcpy(block, slot, m_bytes);
    else
      host.scatter(slot, 0, m_bytes);
    return true;
  }
  void leave_to_function(StagedCopy& copy, InstanceStream<Runtime> const& stream) {
    auto job   = std::make_shared<SlotJob<Runtime>>();
    job->slots = &m_slots;
    job->pool  = &m_pool;
    job->slot  = std::move(m_slot);
    job->take(copy, stream.token());
    m_pool.add_function(job);
    try {
      gpu_check<Runtime>(Runtime::launch_host_function(stream.get(), &SlotJob<Runtime>::run, job.get()),
                         "launch_host_function", "copying from a pinned slot");
    } catch (GPUError const&) {
      drain(stream.get());
      m_slot = std::move(job->slot);
      m_pool.end_function(*job, "");
      throw;
    }
  }

 private:
  /// Enqueues the sign that the bytes have arrived: the host reads a word faster than it queries the runtime.
  bool writes_word(stream_t stream, std::uint32_t pattern) {
    if (!m_slots.has_words()) return false;
    StagingWords::set(m_slots.word(m_slot), ~pattern);  // until the stream writes the pattern
    GPUValueStep const step{GPUValueStep::write, m_slots.word(m_slot), pattern};
    bool const taken = gpu_succeeded<Runtime>(Runtime::stream_values(stream, &step, 1));
    if (!taken) m_slots.refuse_words();
    return taken;
  }

  static bool has_ended(stream_t stream, std::chrono::microseconds timeout) {
    return StagingWords::spins_until(
        [&] {
          return gpu_has_ended<Runtime>(Runtime::stream_query(stream), "stream_query", "copying to a pinned slot");
        },
        timeout);
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
  typename CopySlots<Runtime>::Slot m_slot;
};

}  // namespace Kokkos::Impl

#endif
