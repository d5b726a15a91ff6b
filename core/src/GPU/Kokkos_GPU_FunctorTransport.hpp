// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_FUNCTOR_TRANSPORT_HPP
#define KOKKOS_GPU_FUNCTOR_TRANSPORT_HPP

/// \file
/// How a functor that is too large for a kernel's parameters reaches the device.
///
/// Needs a `Runtime`, Kokkos_GPU_StreamLifetime.hpp and the standard library: patches carry this file as it is.
///
/// Each device has a ring of slots. A slot is device memory, pinned staging of the same size and an event that says
/// when the kernel that read it has ended. A launch claims a free slot, copies the functor to the staging, enqueues
/// copy, kernel and event in the caller's stream, and goes on. It waits only when every slot is busy, and then for the
/// oldest.
///
/// A launch into a stream that is being captured takes no slot: nothing will run until the graph does, perhaps many
/// times, perhaps after everything else has gone. Its functor goes to memory that the graph keeps (GraphKept).

#include <GPU/Kokkos_GPU_StreamLifetime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

namespace Kokkos::Impl {

// ---- what a graph keeps -------------------------------------------------------------------------------------------

/// Something that lives until the last graph made from a capture has been destroyed.
struct GraphKept {
  virtual ~GraphKept() = default;
  GraphKept* next      = nullptr;
};

/// Objects kept for a graph whose owner in the program outlives every run of it, and destroys them itself.
class GraphKeptList {
 public:
  GraphKeptList() = default;
  ~GraphKeptList() {
    while (m_first) delete std::exchange(m_first, m_first->next);
  }
  GraphKeptList(GraphKeptList const&)            = delete;
  GraphKeptList& operator=(GraphKeptList const&) = delete;

  void add(std::unique_ptr<GraphKept> object) noexcept {
    object->next = m_first;
    m_first      = object.release();
  }

  /// The list that what this thread captures is added to; null if the runtime's graph is to keep it.
  static GraphKeptList*& of_this_thread() noexcept {
    static thread_local GraphKeptList* list = nullptr;
    return list;
  }

 private:
  GraphKept* m_first = nullptr;
};

/// Ties objects to the graph that a stream is being captured into.
///
/// The runtime tells of a graph's end on a thread of its own, where none of its functions may be called, while the end
/// of a GraphKept frees device memory. So the callback only puts the object on a stack of the dead (one exchange, no
/// lock), and `collect` buries them from a thread of the program.
template <class Runtime>
class GraphKeeper {
 public:
  /// \throws GPUError when the runtime does not take the object; it is destroyed then
  static void keep(typename Runtime::stream_t stream, std::unique_ptr<GraphKept> object) {
    if (GraphKeptList* list = GraphKeptList::of_this_thread()) return list->add(std::move(object));
    gpu_check<Runtime>(Runtime::graph_retain(stream, object.get(), &GraphKeeper::bury_later), "graph_retain",
                       "giving a captured launch's functor to its graph");
    object.release();
  }

  static void collect() noexcept {
    if (dead().load(std::memory_order_relaxed) == nullptr) return;
    RelaxedCaptureScope<Runtime> relaxed;
    // acquire: sees what the runtime's thread wrote into the nodes before it pushed them
    GraphKept* first = dead().exchange(nullptr, std::memory_order_acquire);
    while (first) delete std::exchange(first, first->next);
  }

 private:
  static void bury_later(void* object) {
    auto* kept = static_cast<GraphKept*>(object);
    kept->next = dead().load(std::memory_order_relaxed);
    while (!dead().compare_exchange_weak(kept->next, kept, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  static std::atomic<GraphKept*>& dead() {
    static std::atomic<GraphKept*> stack{nullptr};
    return stack;
  }
};

// ---- the ring -----------------------------------------------------------------------------------------------------

/// The slots of one device.
///
/// A slot's `state` is its lock. Free and in-flight slots belong to the ring; whoever moves one to `claimed` by compare
/// and exchange has it alone, with its event and both blocks of memory. No thread waits for a claimed slot, except
/// `forget`, and a claim is short: it lasts for a query of the event or for one launch, or, in the one thread that
/// waits for the oldest slot, until a kernel ends. That kernel's stream is drained before `forget` is called for it, so
/// `forget` waits for nothing that could wait for it.
template <class Runtime>
class FunctorRing final : public StreamObserver {
 public:
  static constexpr int slot_count         = 64;
  static constexpr std::size_t least_size = 16 * 1024;

  /// Makes an empty ring on `device`; slots get their memory when they are first used.
  explicit FunctorRing(int device) : m_device(device) { StreamObservers<Runtime>::get().add(this); }
  ~FunctorRing() { StreamObservers<Runtime>::get().remove(this); }
  FunctorRing(FunctorRing const&)            = delete;
  FunctorRing& operator=(FunctorRing const&) = delete;

  /// Calls `build(memory)`, which puts an object of `bytes` bytes into pinned memory; copies it to the device in the
  /// order of `stream`, and calls `launch(pointer)`, which enqueues the kernel that reads it there. \throws GPUError
  /// from the runtime; whatever `build` and `launch` throw. The ring stays whole.
  template <class Build, class Launch>
  void ship(std::size_t bytes, Build const& build, InstanceStream<Runtime> const& stream, Launch const& launch) {
    DeviceScope<Runtime> scope(m_device);
    Claim claim(*this, claim_slot());
    Slot& slot = claim.slot();
    slot.make_room(bytes);
    build(slot.staging.get());
    claim.used_by(stream);
    gpu_check<Runtime>(Runtime::memcpy_async(slot.memory.get(), slot.staging.get(), bytes, stream.get()),
                       "memcpy_async", "sending a functor to the device");
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

  /// Slots that hold memory now; for tests.
  int slots_in_use() const noexcept {
    int n = 0;
    for (Slot const& slot : m_slots) n += slot.state.load(std::memory_order_relaxed) != State::free;
    return n;
  }

 private:
  enum class State : std::uint32_t { free, claimed, in_flight };

  struct Slot {
    std::atomic<State> state{State::free};
    std::atomic<StreamToken> owner{no_stream};  // whose event this is; written by the thread that has the claim
    std::atomic<std::uint64_t> ticket{0};       // when it was launched, to find the oldest
    std::unique_ptr<Event<Runtime>> event;
    DeviceMemory<Runtime> memory;
    PinnedMemory<Runtime> staging;

    bool move(State from, State to) noexcept {
      // acquire: the claimant sees what the thread that released the slot wrote to the other members
      return state.compare_exchange_strong(from, to, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void publish(StreamToken token, State to) noexcept {
      owner.store(token, std::memory_order_release);
      state.store(to, std::memory_order_release);
    }
    /// An event belongs to the streams that it was recorded in; the next stream gets a new one.
    void release_event() noexcept { event.reset(); }
    /// The slot is claimed and idle: nothing on the device reads the blocks that are replaced.
    void make_room(std::size_t bytes) {
      if (memory.bytes() >= bytes) return;
      std::size_t size = least_size;
      while (size < bytes) size *= 2;
      RelaxedCaptureScope<Runtime> relaxed;
      memory  = DeviceMemory<Runtime>(size);
      staging = PinnedMemory<Runtime>(size);
    }
  };

  /// Has one slot; on its end, however that comes, the slot is in flight behind what was enqueued, or free.
  class Claim {
   public:
    Claim(FunctorRing& ring, Slot& slot) : m_ring(ring), m_slot(slot) {}
    Claim(Claim const&)            = delete;
    Claim& operator=(Claim const&) = delete;
    ~Claim() {
      if (m_stream) {
        m_slot.ticket.store(m_ring.m_tickets.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
        if (m_slot.event && Runtime::event_record(m_slot.event->get(), m_stream->get()) == Runtime::success) {
          m_slot.publish(m_stream->token(), State::in_flight);
          return;
        }
        // Without an event the slot cannot say when it is free again: wait here, once.
        (void)Runtime::stream_synchronize(m_stream->get());
      }
      m_slot.release_event();
      m_slot.publish(no_stream, State::free);
    }
    Slot& slot() const noexcept { return m_slot; }
    void used_by(InstanceStream<Runtime> const& stream) {
      if (!m_slot.event) m_slot.event = std::make_unique<Event<Runtime>>();
      m_stream = &stream;
    }

   private:
    FunctorRing& m_ring;
    Slot& m_slot;
    InstanceStream<Runtime> const* m_stream = nullptr;
  };

  /// Claims a slot whose last kernel has ended. Slots are tried in ring order, which is about the order of their age.
  Slot& claim_slot() {
    RelaxedCaptureScope<Runtime> relaxed;
    for (;;) {
      const unsigned first = m_next.fetch_add(1, std::memory_order_relaxed);
      for (unsigned i = 0; i < slot_count; ++i) {
        Slot& slot = m_slots[(first + i) % slot_count];
        if (slot.move(State::free, State::claimed)) return slot;
        if (claim_if_done(slot)) return slot;
      }
      if (Slot* slot = claim_oldest()) return *slot;
      std::this_thread::yield();  // every slot is claimed: other threads are about to launch
    }
  }

  bool claim_if_done(Slot& slot) {
    if (!slot.move(State::in_flight, State::claimed)) return false;
    const auto answer = Runtime::event_query(slot.event->get());
    if (answer == Runtime::not_ready) {
      Runtime::clear_last_error();
      slot.state.store(State::in_flight, std::memory_order_release);
      return false;
    }
    settle(slot, answer);
    return true;
  }

  Slot* claim_oldest() {
    Slot* oldest      = nullptr;
    std::uint64_t age = ~std::uint64_t(0);
    for (Slot& slot : m_slots) {
      if (slot.state.load(std::memory_order_relaxed) != State::in_flight) continue;
      const auto ticket = slot.ticket.load(std::memory_order_relaxed);
      if (ticket < age) age = ticket, oldest = &slot;
    }
    if (!oldest || !oldest->move(State::in_flight, State::claimed)) return nullptr;
    settle(*oldest, Runtime::event_synchronize(oldest->event->get()));
    return oldest;
  }

  /// The event of a claimed slot has answered: from here on, no one need wait for its stream.
  void settle(Slot& slot, typename Runtime::error_t answer) {
    slot.owner.store(no_stream, std::memory_order_release);
    if (answer == Runtime::success) return;
    slot.release_event();
    slot.publish(no_stream, State::free);
    gpu_check<Runtime>(answer, "event_query", "waiting for a kernel that was launched before");
  }

  Slot m_slots[slot_count];
  std::atomic<unsigned> m_next{0};
  std::atomic<std::uint64_t> m_tickets{1};
  int m_device;
};

/// The rings of all devices of a vendor, each made when it is first asked for.
template <class Runtime>
class FunctorRings {
 public:
  static constexpr int max_devices = 64;

  static FunctorRing<Runtime>& of(int device) {
    auto& entry = rings()[device];
    // acquire: pairs with the release below, so that a ring is seen whole
    if (auto* ring = entry.load(std::memory_order_acquire)) return *ring;
    std::lock_guard<std::mutex> lock(mutex());
    auto* ring = entry.load(std::memory_order_relaxed);
    if (!ring) entry.store(ring = new FunctorRing<Runtime>(device), std::memory_order_release);
    return *ring;
  }

  /// Gives back the memory of all rings. No launch may be under way, and every stream must be idle.
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
