// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_FUNCTOR_TRANSPORT_HPP
#define KOKKOS_GPU_FUNCTOR_TRANSPORT_HPP

/// \file
/// The transfer to the device of functors that are too large for a kernel's parameters.
///
/// Each device has a ring of slots. A slot consists of device memory, pinned staging memory of the same size, and an
/// event that marks the end of the kernel that read it. A launch claims a free slot, copies the functor to the staging
/// memory, enqueues the copy, the kernel and the event, and continues. It waits only if every slot is busy, and then
/// for the oldest slot.
///
/// A launch into a stream under capture uses no slot: nothing runs until the graph does, perhaps many times, perhaps
/// after all other objects are gone. Its functor is copied to memory that the graph owns (GraphKept).

#include <impl/GPU/portable/Kokkos_GPU_CompletionEvent.hpp>
#include <impl/GPU/portable/Kokkos_GPU_GraphKeeper.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_WaitNote.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

// ---- from the staging memory to the device ------------------------------------------------------------------------

/// Whether sending functors in a separate stream is faster with this runtime. If so, the runtime also has
/// `stream_create_unordered` and `stream_wait_event`.
template <class Runtime, class = void>
struct UsesTransferStream : std::false_type {};
template <class Runtime>
struct UsesTransferStream<Runtime, std::void_t<decltype(Runtime::uses_transfer_stream)>>
    : std::bool_constant<Runtime::uses_transfer_stream> {};

/// Sends functors in the stream of their kernels.
template <class Runtime, bool = UsesTransferStream<Runtime>::value>
class FunctorSender {
 public:
  struct PerSlot {};

  explicit FunctorSender(int) {}
  void send(PerSlot&, void* to, void const* from, std::size_t bytes, typename Runtime::stream_t stream) {
    gpu_check<Runtime>(Runtime::memcpy_async(to, from, bytes, stream), "memcpy_async",
                       "sending a functor to the device");
  }
};

/// Sends functors in a separate stream while earlier kernels of the launching stream still run; the kernel waits for an
/// event. If copies and kernels alternate in one stream, each waits until the other's engine is idle.
template <class Runtime>
class FunctorSender<Runtime, true> {
 public:
  struct PerSlot {
    std::unique_ptr<Event<Runtime>> arrived;  // recorded only in the sender's stream, which outlives the slots
  };

  explicit FunctorSender(int device) {
    DeviceScope<Runtime> scope(device);
    RelaxedCaptureScope<Runtime> relaxed;
    gpu_check<Runtime>(Runtime::stream_create_unordered(&m_stream), "stream_create_unordered",
                       "making a stream that sends functors");
  }
  ~FunctorSender() { (void)gpu_succeeded<Runtime>(Runtime::stream_destroy(m_stream)); }
  FunctorSender(FunctorSender const&)            = delete;
  FunctorSender& operator=(FunctorSender const&) = delete;

  /// \throws GPUError; nothing reads `from` afterwards
  void send(PerSlot& slot, void* to, void const* from, std::size_t bytes, typename Runtime::stream_t stream) {
    if (!slot.arrived) slot.arrived = std::make_unique<Event<Runtime>>();
    try {
      check(Runtime::memcpy_async(to, from, bytes, m_stream), "memcpy_async");
      check(Runtime::event_record(slot.arrived->get(), m_stream), "event_record");
      check(Runtime::stream_wait_event(stream, slot.arrived->get()), "stream_wait_event");
    } catch (...) {
      (void)gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream));
      throw;
    }
  }

 private:
  static void check(typename Runtime::error_t error, char const* call) {
    gpu_check<Runtime>(error, call, "sending a functor to the device");
  }

  typename Runtime::stream_t m_stream = nullptr;
};

// ---- the ring -----------------------------------------------------------------------------------------------------

/// The slots of one device.
///
/// A slot's `state` is its lock. Free and in-flight slots belong to the ring. A thread that changes a slot's state to
/// `claimed` by compare-and-exchange has exclusive use of the slot, its event and both blocks of memory. No thread
/// waits for a claimed slot, except `forget`. A claim is short: it lasts for a query of the event or for one launch,
/// or, in the one thread that waits for the oldest slot, until a kernel ends. That kernel's stream is drained before
/// `forget` is called for it, so `forget` waits for nothing that could wait for it.
template <class Runtime>
class FunctorRing final : public StreamObserver {
 public:
  static constexpr int slot_count       = 64;
  static constexpr std::size_t min_size = 16 * 1024;

  /// Creates an empty ring on `device`; slots get their memory at their first use.
  explicit FunctorRing(int device) : m_sender(device), m_device(device) { StreamObservers<Runtime>::get().add(this); }
  ~FunctorRing() { StreamObservers<Runtime>::get().remove(this); }
  FunctorRing(FunctorRing const&)            = delete;
  FunctorRing& operator=(FunctorRing const&) = delete;

  /// Calls `build(memory)`, which constructs an object of `bytes` bytes in pinned memory. Copies it to the device
  /// before later work in `stream`, and calls `launch(pointer)`, which enqueues the kernel that reads it there.
  /// \throws GPUError from the runtime, and any exception of `build` and `launch`. The ring stays valid.
  template <class Build, class Launch>
  void ship(std::size_t bytes, Build const& build, InstanceStream<Runtime> const& stream, Launch const& launch) {
    DeviceScope<Runtime> scope(m_device);
    Claim claim(*this, claim_slot());
    Slot& slot = claim.slot();
    slot.reserve(bytes);
    build(slot.staging.get());
    claim.used_by(stream);
    m_sender.send(slot.sending, slot.memory.get(), slot.staging.get(), bytes, stream.get());
    launch(slot.memory.get());
  }

  void forget(StreamToken token) noexcept override {
    for (Slot& slot : m_slots) {
      while (slot.owner.load(std::memory_order_acquire) == token) {
        if (slot.move(State::in_flight, State::claimed)) {
          slot.release_event();
          slot.publish(no_stream, State::free);
        } else {
          std::this_thread::yield();  // claimed: see the class comment for why this ends
        }
      }
    }
  }

  /// acq_rel: a number is greater than all numbers taken before it in the order of the threads' calls of the runtime.
  std::uint64_t next_ticket() noexcept { return m_tickets.fetch_add(1, std::memory_order_acq_rel); }
  /// Reports that the stream has ended all work that was enqueued before `ticket` was taken: its slots need no query.
  void drained(StreamToken token, std::uint64_t ticket) noexcept { free_older(token, ticket); }

  /// Number of slots with memory; for tests.
  int slots_in_use() const noexcept {
    int n = 0;
    for (Slot const& slot : m_slots) n += slot.state.load(std::memory_order_relaxed) != State::free;
    return n;
  }

 private:
  enum class State : std::uint32_t { free, claimed, in_flight };

  struct Slot {
    std::atomic<State> state{State::free};
    std::atomic<StreamToken> owner{no_stream};  // the stream of the event; written by the thread that holds the claim
    // Two numbers that order the ring's launches: one is taken before the launch begins, the other after its event was
    // recorded.
    std::atomic<std::uint64_t> begun{0};
    std::atomic<std::uint64_t> ticket{0};
    std::unique_ptr<CompletionEvent<Runtime>> event;
    DeviceMemory<Runtime> memory;
    PinnedMemory<Runtime> staging;
    std::vector<std::pair<DeviceMemory<Runtime>, PinnedMemory<Runtime>>> outgrown;
    typename FunctorSender<Runtime>::PerSlot sending;

    bool move(State from, State to) noexcept {
      // acquire: the claimant sees what the thread that released the slot wrote to the other members
      return state.compare_exchange_strong(from, to, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void publish(StreamToken token, State to) noexcept {
      owner.store(token, std::memory_order_release);
      state.store(to, std::memory_order_release);
    }
    /// Whether the event was recorded in that stream before `begun`, so that it happens before all work that is
    /// enqueued in the stream from then on. (If two threads launch at the same time, neither launch is older.)
    bool is_older(StreamToken token, std::uint64_t begun) const noexcept {
      return owner.load(std::memory_order_relaxed) == token && ticket.load(std::memory_order_relaxed) < begun;
    }
    /// An event belongs to the streams that it was recorded in; the next stream gets a new one.
    void release_event() noexcept { event.reset(); }
    /// The slot is claimed and idle: nothing on the device reads the blocks that are replaced. They are nevertheless
    /// kept until the ring ends, because runtimes free memory only when the whole device is idle, and a launch must not
    /// wait for other instances. Sizes double, so all kept blocks together are smaller than the current one.
    void reserve(std::size_t bytes) {
      if (memory.bytes() >= bytes) return;
      std::size_t size = min_size;
      while (size < bytes) size *= 2;
      RelaxedCaptureScope<Runtime> relaxed;
      DeviceMemory<Runtime> larger_memory(size);
      PinnedMemory<Runtime> larger_staging(size);
      outgrown.emplace_back();  // no failure is possible from here on: both blocks are replaced, or none
      outgrown.back().first  = std::exchange(memory, std::move(larger_memory));
      outgrown.back().second = std::exchange(staging, std::move(larger_staging));
    }
  };

  /// Owns the claim of one slot. Its destructor always leaves the slot either in flight behind the enqueued work, or
  /// free.
  class Claim {
   public:
    Claim(FunctorRing& ring, Slot& slot) : m_ring(ring), m_slot(slot) {}
    Claim(Claim const&)            = delete;
    Claim& operator=(Claim const&) = delete;
    ~Claim() {
      if (m_stream) {
        if (m_slot.event && gpu_succeeded<Runtime>(m_slot.event->record(m_stream->get()))) {
          m_slot.ticket.store(m_ring.next_ticket(), std::memory_order_relaxed);
          m_slot.publish(m_stream->token(), State::in_flight);
          return;
        }
        // Without an event the end of the kernel cannot be detected later: wait here, once.
        RelaxedCaptureScope<Runtime> relaxed;
        (void)gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream->get()));
      }
      m_slot.release_event();
      m_slot.publish(no_stream, State::free);
    }
    Slot& slot() const noexcept { return m_slot; }
    void used_by(InstanceStream<Runtime> const& stream) {
      if (!m_slot.event) m_slot.event = std::make_unique<CompletionEvent<Runtime>>();
      m_slot.begun.store(m_ring.next_ticket(), std::memory_order_relaxed);
      m_stream = &stream;
    }

   private:
    FunctorRing& m_ring;
    Slot& m_slot;
    InstanceStream<Runtime> const* m_stream = nullptr;
  };

  Slot& claim_slot() {
    if (Slot* slot = claim_free()) return *slot;
    GPUWaitNote<Runtime> const note(GPUWaitKind::functor_slot);
    RelaxedCaptureScope<Runtime> relaxed;
    for (;;) {
      if (Slot* slot = claim_oldest()) return *slot;
      std::this_thread::yield();  // every slot is claimed: other threads are launching
      if (Slot* slot = claim_free()) return *slot;
    }
  }

  /// Claims the first slot that is free, because its staging memory is the likeliest to be still in the host's cache.
  /// The ring grows only while all slots are busy. Null if it cannot grow any more.
  Slot* claim_free() {
    for (;;) {
      unsigned length = m_length.load(std::memory_order_relaxed);
      for (unsigned i = 0; i < length; ++i) {
        Slot& slot = m_slots[i];
        if (slot.state.load(std::memory_order_relaxed) == State::free && slot.move(State::free, State::claimed))
          return &slot;
      }
      RelaxedCaptureScope<Runtime> relaxed;
      if (free_slots(length)) continue;
      if (length >= slot_count) return nullptr;
      m_length.compare_exchange_strong(length, 2 * length, std::memory_order_relaxed);
    }
  }

  /// Frees slots whose kernels have ended; false if it found none. A query of an event costs half a launch. So this
  /// first queries an event that is half a ring old: if it has happened, so have the older ones of its stream. And if
  /// an event has not happened, this does not query younger ones of its stream.
  bool free_slots(unsigned length) {
    auto const newest = m_tickets.load(std::memory_order_relaxed);
    Slot* guess       = nullptr;
    std::uint64_t age = 0;
    for (Slot& slot : m_slots) {
      auto const ticket = slot.ticket.load(std::memory_order_relaxed);
      // Each launch takes two numbers, so half a ring corresponds to as many numbers as the ring has slots.
      if (slot.state.load(std::memory_order_relaxed) != State::in_flight || ticket + length > newest) continue;
      if (ticket > age) age = ticket, guess = &slot;
    }
    if (guess && free_if_done(*guess)) return true;
    Slot* busy[slot_count];
    int busy_count = 0;
    for (Slot& slot : m_slots) {
      if (slot.state.load(std::memory_order_relaxed) != State::in_flight) continue;
      bool is_behind = false;
      for (int i = 0; i < busy_count && !is_behind; ++i)
        is_behind =
            busy[i]->is_older(slot.owner.load(std::memory_order_relaxed), slot.begun.load(std::memory_order_relaxed));
      if (is_behind) continue;
      if (free_if_done(slot)) return true;
      busy[busy_count++] = &slot;
    }
    return false;
  }

  /// If the slot's kernel has ended, frees the slot and the older slots of its stream.
  bool free_if_done(Slot& slot) {
    if (!slot.move(State::in_flight, State::claimed)) return false;
    auto const answer = slot.event->query(m_device);
    if (answer == Runtime::not_ready) {
      Runtime::clear_last_error();
      slot.state.store(State::in_flight, std::memory_order_release);
      return false;
    }
    check_event(slot, answer, "event_query");
    free_older(slot.owner.load(std::memory_order_relaxed), slot.begun.load(std::memory_order_relaxed));
    slot.publish(no_stream, State::free);
    return true;
  }

  /// Frees the slots of a stream whose events were recorded before the ticket `begun`.
  void free_older(StreamToken token, std::uint64_t begun) noexcept {
    for (Slot& slot : m_slots) {
      if (!slot.is_older(token, begun) || !slot.move(State::in_flight, State::claimed)) continue;
      // Checked again under the claim: the slot may have been reused meanwhile.
      if (slot.is_older(token, begun))
        slot.publish(no_stream, State::free);
      else
        slot.state.store(State::in_flight, std::memory_order_release);
    }
  }

  Slot* claim_oldest() {
    Slot* oldest      = nullptr;
    std::uint64_t age = ~std::uint64_t(0);
    for (Slot& slot : m_slots) {
      if (slot.state.load(std::memory_order_relaxed) != State::in_flight) continue;
      auto const ticket = slot.ticket.load(std::memory_order_relaxed);
      if (ticket < age) age = ticket, oldest = &slot;
    }
    if (!oldest || !oldest->move(State::in_flight, State::claimed)) return nullptr;
    check_event(*oldest, oldest->event->synchronize(m_device), "event_synchronize");
    oldest->owner.store(no_stream, std::memory_order_release);  // from here on, no thread needs to wait for its stream
    return oldest;
  }

  /// If the query of the claimed slot's event returned an error, frees the slot and throws.
  void check_event(Slot& slot, typename Runtime::error_t answer, char const* call) {
    if (answer == Runtime::success) return;
    slot.release_event();
    slot.publish(no_stream, State::free);
    gpu_check<Runtime>(answer, call, "waiting for a kernel that was launched before");
  }

  FunctorSender<Runtime> m_sender;  // before the slots, whose events belong to its stream
  Slot m_slots[slot_count];
  std::atomic<unsigned> m_length{16};  // slots used so far: a power of two
  std::atomic<std::uint64_t> m_tickets{1};
  int m_device;
};

/// The rings of all devices of a vendor. The first request for a ring creates it.
template <class Runtime>
class FunctorRings {
 public:
  static constexpr int max_devices = 64;

  static FunctorRing<Runtime>& of(int device) {
    auto& entry = rings()[device];
    // acquire: pairs with the release below, so that the ring is fully constructed
    if (auto* ring = entry.load(std::memory_order_acquire)) return *ring;
    std::lock_guard<std::mutex> lock(mutex());
    auto* ring = entry.load(std::memory_order_relaxed);
    if (!ring) entry.store(ring = new FunctorRing<Runtime>(device), std::memory_order_release);
    return *ring;
  }

  /// The ring of `device`, or null if there is none yet.
  static FunctorRing<Runtime>* find(int device) noexcept { return rings()[device].load(std::memory_order_acquire); }

  /// Frees the memory of all rings. No launch may be in progress, and every stream must be idle.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    for (int device = 0; device < max_devices; ++device)
      if (auto* ring = rings()[device].exchange(nullptr)) delete ring;
  }

 private:
  static std::atomic<FunctorRing<Runtime>*>* rings() {
    static std::atomic<FunctorRing<Runtime>*> all[max_devices] = {};
    return all;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
};

}  // namespace Kokkos::Impl

#endif
