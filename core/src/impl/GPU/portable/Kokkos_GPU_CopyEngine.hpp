// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINE_HPP
#define KOKKOS_GPU_COPY_ENGINE_HPP

/// \file
/// Copies between pageable host memory and a device, at the speed of the link and without blocking the host.
/// Kokkos_GPU_CopyEngines.hpp creates one engine for each device.
///
/// A copy is one request, one decision and one executor: CopyEngine::copy() takes every copy in which a device takes
/// part, and asks choose() of Kokkos_GPU_CopyChoice.hpp for its route. The engine has three executors: the runtime's own
/// copy, one pinned slot, and slabs. The request makes all other copies.
///
/// A staged copy goes through pinned slabs. Staging threads copy between host memory and slabs
/// (Kokkos_GPU_StagingPool.hpp). The stream of the copy copies between slabs and the device, with asynchronous copies
/// of pinned memory. The two sides synchronise through two words in pinned memory, because streams can wait for a word
/// and write one. For piece k of a copy
///
///     to the device:  [write device word: piece k-1 is off its slab] [wait: piece k is in its slab]  [slab -> device]
///     to the host:    [write device word: piece k-1 is in its slab]  [wait: slab of piece k is free] [device -> slab]
///
/// The last step writes the device's word. A copy to the host then also waits for the last byte, so that any wait for
/// the stream includes the copy. All of these steps are enqueued in the copy's stream during the call. So the stream
/// orders the copy like any other operation, and the host continues. A full queue of the driver blocks every thread, so
/// one kernel makes all steps of a long copy (Kokkos_GPU_SlabCopy.hpp). Where there is no such kernel, or a few run
/// already, the caller makes the copy.
///
/// **Why no wait is circular.** A step in a stream waits for a copy of memory by the host, which waits only for earlier
/// steps of the same copy. If the channel of a copy is in use, the copy waits for the previous copy on that channel,
/// all of whose steps were enqueued earlier. Streams that share a hardware queue also wait for one another in the order
/// of enqueueing. So each wait refers to something earlier in one total order: no wait refers to a step that is
/// enqueued later. This is why the staging threads never call the runtime. If they enqueued copies of slabs for a
/// stream that waits, and both streams shared a hardware queue, these copies could be queued behind that very wait.
///
/// A wait for a word may also hold up unrelated streams: in ROCm it is a kernel that spins, and a profiler that counts
/// events runs one kernel at a time (CopySettings::waits_may_hold_others). Then a step may wait only for what host
/// threads do without the device. A step that waits for a piece does so: the slab of the piece is free, because the
/// steps before it in the same stream have ended, so a staging thread can move the piece and notify the stream. Two
/// waits for the progress of other copies are left out: copies do not use the link one after the other, and no copy
/// uses a channel in which another stream's copy is in progress. If no channel is free, the runtime makes the copy, and
/// the caller waits.
///
/// Slabs are parts of one block of pinned memory for each device; its size is a setting. Each copy uses a *channel*:
/// adjacent slabs, and a pair of words. Copies in one stream use one channel in order. Other streams can use the
/// channel once its last copy has completed. If there is no memory for one more channel, streams share channels.
///
/// If streams must not wait for the host (CopySettings::device_waits), the caller enqueues a copy piece by piece and
/// waits for it (StepIssuer::caller). Without pinned memory, or on one or two cores, the runtime makes the
/// copy, and the caller waits.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/GPU/portable/Kokkos_GPU_SlabCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_SlotCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagedCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingArena.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingBuffer.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingSteps.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The engine of one device. Its mutex guards the channels, and orders the steps of copies that are enqueued at once.
/// It is never held during a wait, nor while a stream ends or objects that a copy kept alive are destroyed.
template <class Runtime>
class CopyEngine final : public StreamObserver {
 public:
  using stream_t = typename Runtime::stream_t;

  CopyEngine(StagingPool& pool, int device, CopySettings const& settings)
      : m_pool(pool),
        m_device(device),
        m_settings(settings),
        m_staging(pool, device, settings),
        m_slots(settings.slot_bytes),
        m_streams(0) {
    StreamObservers<Runtime>::get().add(this);
  }
  /// Precondition: all streams have been synchronised.
  ~CopyEngine() {
    m_streams.clear();
    (void)(m_staging.state() == StagingState::preparing && m_staging.is_usable());
    if (m_staging.state() == StagingState::usable)
      m_staging.arena().for_each_channel([&](auto& channel) { m_pool.settle(channel); });
    StreamObservers<Runtime>::get().remove(this);
    m_pool.collect();
  }

  /// Makes the copy of a request, which PageableRequest defines, by the route that choose() returns. Returns when the
  /// event in `wait` has happened. With CopyWait::nothing, the program must not touch the host's memory until it has
  /// waited for the stream. As in the runtimes, a small source may be read before the call returns, unless a copy in
  /// progress writes it, or the request forbids that. Returns true if the engine made the copy, and if it and all earlier
  /// work in the stream have ended.
  /// \throws GPUError if the runtime refuses a step; part of the destination may have been written then.
  /// std::runtime_error with the error of packing or unpacking
  template <class Request>
  bool copy(Request&& request) {
    DeviceScope<Runtime> scope(m_device);
    State<std::remove_reference_t<Request>> state(*this, request);
    CopyDecision const decision = choose(request, m_settings, state);
    request.explain(decision);
    request.begin(decision);
    if (!is_by_engine(decision.method)) {
      request.make(decision.method);
      return false;
    }
    m_pool.collect();
    // A few bytes that the runtime reads need no other call of it.
    if (decision.method != CopyMethod::runtime_reads || request.facts().bytes > m_settings.unasked_bytes) state.relax();
    poison(request);
    try {
      if (request.has_stream()) {
        auto const& stream = request.stream();
        return execute(decision.method, request, state, stream, true);
      }
      auto own = take_stream();  // destroyed if an error occurs in it
      (void)execute(decision.method, request, state, *own, false);
      m_streams.give_back(std::move(own));
      return true;
    } catch (GPUError const& e) {
      throw GPUError(request.name() + ": " + e.what(), e.code());
    }
  }
  /// A copy whose StagedCopy exists. With a stream, the copy follows the stream's earlier work, and the stream must not be
  /// under capture.
  bool copy(StagedCopy whole, InstanceStream<Runtime> const* stream) {
    return copy(pageable_request<Runtime>(std::move(whole), stream));
  }

  void forget(StreamToken token) noexcept override {
    if (m_is_of_parent) return;
    m_pool.settle(token);
    std::string const lost = m_pool.take_errors(token);
    if (!lost.empty())
      std::fprintf(stderr, "Kokkos: a stream has ended without a wait for its copies. %s\n", lost.c_str());
    if (m_staging.state() != StagingState::usable) return;
    std::lock_guard<std::mutex> lock(m_mutex);
    m_staging.arena().forget(token);
  }
  /// Marks the engine as unusable in a forked process: its threads and pinned memory belong to the parent.
  void leave_to_parent() noexcept { m_is_of_parent = true; }

  /// Whether the staging buffer does not exist, or not yet, so that the caller may leave a copy of `bytes` bytes to the
  /// runtime. Counts those bytes: enough of them start the preparation of the buffer.
  bool has_no_staging_for(std::size_t bytes) {
    if (m_staging.state_for_copy() == StagingState::usable) return false;
    m_staging.copied_without(bytes);
    return true;
  }

  /// Bytes of pinned memory that the engine currently owns.
  std::size_t pinned_bytes() { return m_staging.bytes() + m_slots.bytes(); }
  /// Whether there is a staging buffer. The first call creates it, and every call waits until it exists.
  bool is_usable() { return m_staging.is_usable(); }
  std::string describe_staging() const { return m_staging.describe(); }

 private:
  using Stream       = InstanceStream<Runtime>;
  using ChannelState = StagingCopyChannel::State;

  /// A stream for a copy that no instance orders. \throws GPUError if none is free and the runtime cannot create one
  std::unique_ptr<Stream> take_stream() {
    auto stream = m_streams.take();
    return stream ? std::move(stream) : std::make_unique<Stream>(typename Stream::Unordered{}, m_device);
  }

  /// Answers the questions of choose() to the engine, and owns what it reserves.
  template <class Request>
  struct State {
    State(CopyEngine& e, Request& r) : engine(e), request(r) {}

    CopyWait wait() { return engine.m_settings.blocking ? CopyWait::end : request.outline().wait; }
    bool reports() { return request.outline().reports; }
    bool host_is_block() { return request.outline().block != nullptr; }
    bool source_may_be_early() {
      PageableCopy const& copy = request.outline();
      return copy.to_device && copy.may_read_early && !engine.m_pool.touches(copy.span, false);
    }
    bool takes_slot() {
      PageableCopy const& copy = request.outline();
      relax();
      slot.emplace(engine.m_slots, engine.m_pool, copy.device, copy.bytes, wait() != CopyWait::nothing);
      return static_cast<bool>(*slot);
    }
    bool takes_kernel() {
      if (!HasSlabKernel<Runtime>::value || !engine.m_settings.long_by_kernel) return false;
      DeviceRows const& device = request.outline().device;
      // The kernel moves words of 16 bytes.
      if (device.pitch != device.width || reinterpret_cast<std::uintptr_t>(device.data) % 16 != 0) return false;
      relax();
      auto own = engine.take_stream();
      control  = engine.m_controls.acquire(own->get());
      engine.m_streams.give_back(std::move(own));
      return control != nullptr;
    }
    StagingState staging() {
      wants_staging = true;
      return engine.m_staging.state_for_copy();
    }
    bool streams_wait() { return engine.m_settings.device_waits; }

    /// Calls of the runtime from here on invalidate no capture by another thread.
    void relax() {
      if (!relaxed) relaxed.emplace();
    }

    CopyEngine& engine;
    Request& request;
    std::optional<RelaxedCaptureScope<Runtime>> relaxed;
    std::optional<SlotCopy<Runtime>> slot;
    std::shared_ptr<SlabCopyControl> control;
    bool wants_staging = false;
  };

  /// `of_program`: the stream may contain earlier work. Returns whether the copy and that work have ended.
  template <class Request>
  bool execute(CopyMethod method, Request& request, State<Request>& state, InstanceStream<Runtime> const& stream,
               bool of_program) {
    PageableCopy const& copy = request.outline();
    if (method == CopyMethod::runtime_reads) {
      copy_rows_async<Runtime>(true, copy.device, copy.block, 0, copy.bytes, stream.get());
      return false;
    }
    if (method == CopyMethod::slot) {
      if (!copy_by_slot(request, *state.slot, stream)) return false;
    } else {
      if (is_staged(method)) {
        request.whole().wait = state.wait();
        if (stage(request.whole(), method, std::move(state.control), stream, of_program)) return false;
        request.explain({CopyMethod::runtime_waits, "no slabs are free, or one element is larger than all of them"});
      }
      copy_by_runtime(copy, copy.block ? nullptr : request.whole().host.get(), stream.get(), of_program);
      // After the copy, because creating a staging buffer would have delayed it.
      if (state.wants_staging) m_staging.copied_without(copy.bytes);
    }
    if (copy.reports) report_completion(request.whole());
    return true;
  }

  /// Copies, and waits for the end. `host` is needed if the host's side is not one block.
  void copy_by_runtime(PageableCopy const& copy, HostSide const* host, stream_t stream, bool of_program) const {
    auto const synchronize = [&] {
      gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", "deep_copy");
    };
    // The runtime may read a source during the call, before the work in the stream that writes it has ended.
    if (of_program && copy.to_device) synchronize();
    if (copy.block) {
      copy_rows_async<Runtime>(copy.to_device, copy.device, copy.block, 0, copy.bytes, stream);
      return synchronize();
    }
    std::size_t const granule = host->granule();
    std::size_t const piece   = std::min(copy.bytes, std::max(m_settings.gathered_bytes, granule) / granule * granule);
    auto const packed         = std::make_unique<char[]>(piece);
    for (std::size_t first = 0; first < copy.bytes; first += piece) {
      std::size_t const n = std::min(piece, copy.bytes - first);
      if (copy.to_device) host->gather(packed.get(), first, n);
      copy_rows_async<Runtime>(copy.to_device, copy.device, packed.get(), first, n, stream);
      synchronize();
      if (!copy.to_device) host->scatter(packed.get(), first, n);
    }
  }

  /// False if a host function of the stream ends the copy.
  template <class Request>
  bool copy_by_slot(Request& request, SlotCopy<Runtime>& slot, InstanceStream<Runtime> const& stream) {
    PageableCopy const& copy = request.outline();
    HostBlock const block(copy.block, copy.bytes);
    HostSide const* const host = copy.block ? &block : request.whole().host.get();
    std::chrono::microseconds const timeout(m_settings.slot_timeout_us + copy.bytes / m_settings.slot_bytes_per_us);
    if (slot.copy_to(*host, stream.get(), timeout)) return true;
    slot.leave_to_function(request.whole(), stream);
    return false;
  }

  template <class Request>
  void poison(Request& request) {
    if (!m_settings.check) return;
    PageableCopy const& copy = request.outline();
    if (!copy.to_device && copy.may_read_early && copy.wait == CopyWait::nothing && !m_settings.blocking &&
        !m_pool.touches(copy.span, true))
      request.whole().host->poison();
  }

  // ---- staged copies ----

  /// Copies through slabs. Returns false without any effect if no channel is free, or has room for one granule.
  bool stage(StagedCopy& copy, CopyMethod method, std::shared_ptr<SlabCopyControl> control, Stream const& stream,
             bool of_program) {
    bool const by_caller = method == CopyMethod::staged_by_caller;
    bool const waits =
        by_caller || copy.wait == CopyWait::end || (copy.wait == CopyWait::host_memory && !copy.to_device);
    std::unique_lock<std::mutex> lock(m_mutex);
    StagingLease const lease =
        m_staging.arena().acquire(stream.token(), wanted_staging_bytes(copy.bytes, copy.to_device, waits, m_settings),
                                  by_caller ? ChannelState::owned : ChannelState::shared);
    if (by_caller) lock.unlock();
    if (!lease.channel || (!by_caller && holds_others_of(*lease.channel, stream.token()))) return false;
    StagingJobPtr const job = make_job(copy, lease, waits, std::move(control), stream.token());
    if (!job) {
      if (by_caller) give_back(*lease.channel);
      return false;
    }
    m_pool.submit(*lease.channel, job, waits ? StagingPool::Wake::all : StagingPool::Wake::one);
    if (by_caller)
      enqueue_by_caller(*lease.channel, job, stream, of_program);
    else
      enqueue_ahead(std::move(lock), *lease.channel, job, stream, waits);
    return true;
  }

  /// The caller owns the channel. It helps the threads until it may issue the next step, and until the copy has ended.
  void enqueue_by_caller(StagingCopyChannel& channel, StagingJobPtr const& job, Stream const& stream, bool of_program) {
    StagingSteps<Runtime> steps(m_pool, channel, job, stream.get(), StepIssuer::caller);
    try {
      for (steps.start(of_program); !steps.has_all_pieces(); steps.next())
        m_pool.help_until(channel, [&] { return steps.may_issue(job->done); }, steps);
      m_pool.help_until(channel, [&] { return job->has_completed(); }, steps);
    } catch (GPUError const&) {
      steps.recover();
      lose(channel, *job, stream, true);
      throw;
    }
    give_back(channel);
    throw_error_of(*job);
  }

  /// All steps are enqueued at once. The channel is shared, and the lock is held meanwhile, because two threads may use one
  /// stream.
  void enqueue_ahead(std::unique_lock<std::mutex> lock, StagingCopyChannel& channel, StagingJobPtr const& job,
                     Stream const& stream, bool waits) {
    StagingSteps<Runtime> steps(m_pool, channel, job, stream.get(),
                                job->control ? StepIssuer::kernel : StepIssuer::stream);
    bool holds = true;
    try {
      while (!steps.has_all_pieces()) steps.next();
      holds = steps.finish();
    } catch (GPUError const&) {
      steps.recover();
      channel.lose(job->token);
      throw;
    }
    if (steps.is_lost()) channel.lose(job->token);
    lock.unlock();
    if (waits || !holds)  // the stream does not wait for the host although it should
      wait_for(channel, *job, stream, [&] { return job->has_completed(); }, steps);
    else if (job->wait == CopyWait::host_memory)
      wait_for(channel, *job, stream, [&] { return job->has_completed() || job->done >= job->pieces; }, steps);
  }

  void give_back(StagingCopyChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_staging.arena().release(channel);
  }
  /// Takes the channel of a failed copy out of use, because steps of the stream may still use it. It becomes free when
  /// the stream has ended, or never, if waiting for the stream fails. If the caller does not own the channel and the
  /// job has completed, this does nothing, because another copy may already use the channel.
  void lose(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream, bool owned) {
    bool const ends = gpu_succeeded<Runtime>(Runtime::stream_synchronize(stream.get()));
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!owned && m_pool.has_completed(job)) return;
    channel.lose(ends ? stream.token() : no_stream);
  }

  /// Helps until `ready()`. \throws GPUError if the device has failed meanwhile
  template <class Ready>
  void wait_for(StagingCopyChannel& channel, StagingJob const& job, Stream const& stream, Ready const& ready,
                StagingSteps<Runtime>& steps) {
    try {
      m_pool.help_until(channel, ready, steps);
    } catch (GPUError const&) {
      lose(channel, job, stream, false);
      m_pool.settle(stream.token());
      (void)m_pool.take_errors(stream.token());
      throw;
    }
    throw_error_of(job);
  }
  void throw_error_of(StagingJob const& job) {
    std::string error = m_pool.take_errors(job.token);
    if (error.empty()) error = m_pool.error_of(job);  // already taken by a thread that checked all streams
    if (!error.empty()) throw std::runtime_error(error);
  }

  /// Whether the first step of a copy on the channel would wait for another stream, and might itself hold up that
  /// stream.
  bool holds_others_of(StagingCopyChannel& channel, StreamToken token) const {
    return m_settings.waits_may_hold_others && channel.last_stream() != no_stream && channel.last_stream() != token &&
           !m_pool.idle(channel);
  }

  /// Null if the channel is too small for one granule, or has too few piece numbers left.
  StagingJobPtr make_job(StagedCopy& copy, StagingLease const& lease, bool waits,
                         std::shared_ptr<SlabCopyControl> control, StreamToken token) const {
    StagingCopyChannel const& channel = *lease.channel;
    CopyCut const cut =
        size_copy(copy.bytes, copy.host->granule(), waits, lease.space, m_staging.threads(), m_settings);
    if (cut.pieces == 0 || !channel.has_numbers(cut.pieces)) return nullptr;
    auto job                    = std::make_shared<StagingJob>();
    static_cast<CopyCut&>(*job) = cut;
    job->link                   = m_device;
    // Serialized copies use the link one after the other, the oldest first. This excludes three kinds of copies. A caller
    // that waits pays for each delay. The steps of a long copy may follow the steps of younger copies, or keep others from
    // the link. Host memory that is not contiguous is packed more slowly than the link can transfer it, so the link would be
    // idle.
    job->serialized = !m_settings.waits_may_hold_others && copy.to_device && !waits && !control && copy.host->block() &&
                      copy.bytes > m_settings.serialized_bytes;
    job->control    = std::move(control);
    job->past_cache = copy.to_device && lease.space.alone && copy.bytes <= m_settings.past_cache_bytes;
    job->slab       = channel.memory();
    job->words      = channel.words();
    job->first      = channel.next_number();
    job->take(copy, token);
    return job;
  }

  StagingPool& m_pool;
  int m_device;
  CopySettings m_settings;
  std::mutex m_mutex;
  StagingBuffer<Runtime> m_staging;
  SlabCopyControls<Runtime> m_controls;
  CopySlots<Runtime> m_slots;
  FreeList<std::unique_ptr<Stream>> m_streams;
  bool m_is_of_parent = false;
};

}  // namespace Kokkos::Impl

#endif
