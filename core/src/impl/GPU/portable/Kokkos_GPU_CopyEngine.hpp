// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINE_HPP
#define KOKKOS_GPU_COPY_ENGINE_HPP

/// \file
/// Copies between pageable host memory and a device, at the speed of the link and without blocking the host.
///
/// Needs a `Runtime`, the standard library, and of its neighbours Copy*, DrivenSteps, HostSide, RuntimeCopy, SlabCopy,
/// SlotCopy, StagedCopy, Staging*, StreamLifetime and ValueStep: patches carry these files unchanged.
/// Kokkos_GPU_CopyEngines.hpp creates one engine for each device.
/// Kokkos_GPU_CopyChoice.hpp chooses the route of a copy; small copies use the runtime's copy or one pinned slot.
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
/// already, only a bounded number of steps is enqueued ahead, and the call returns when the last one is enqueued.
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
/// channel once its last copy has landed. If there is no memory for one more channel, streams share channels.
///
/// If streams must not wait for the host (CopySettings::device_waits), the caller enqueues a copy piece by piece and
/// waits for it (Kokkos_GPU_DrivenSteps.hpp). Without pinned memory, or on one or two cores, the runtime makes the
/// copy, and the caller waits.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopySlots.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyStreams.hpp>
#include <impl/GPU/portable/Kokkos_GPU_DrivenSteps.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/GPU/portable/Kokkos_GPU_RuntimeCopy.hpp>
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
#include <stdexcept>
#include <string>
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
        m_slots(settings.slot_bytes, slot_parts(settings)),
        m_streams(device) {
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

  /// Enqueues the copy in `stream`, which must not be under capture, and returns when the event in copy.wait has
  /// happened. With CopyWait::nothing, the program must not touch the host's memory until it has waited for the stream.
  /// As in the runtimes, a small source may be read before the call returns, unless a copy in progress writes it, or
  /// the caller forbids that.
  /// \throws GPUError if the runtime refuses a step; part of the destination may have been written then
  void enqueue(StagedCopy copy, InstanceStream<Runtime> const& stream) {
    if (m_settings.blocking) copy.wait = CopyWait::end;
    start(copy, &stream);
  }

  /// Enqueues a copy to the device by the runtime, which has read the source when this returns. Returns false without
  /// any effect unless choose_copy_method() selects this route. The engine's device must be the current one. The stream
  /// may be under capture: the call is the same.
  bool enqueue_read_by_runtime(BlockCopy const& block, stream_t stream) {
    if (!block.to_device || choose_copy_method(facts_of(block), m_settings) != CopyMethod::runtime_reads) return false;
    m_pool.collect();
    copy_rows_async<Runtime>(true, DeviceRows::block(block.device, block.bytes), block.host, 0, block.bytes, stream);
    return true;
  }

  /// The same for one block. If the copy outlives the call, `make_copy()` creates its StagedCopy. Returns true if the
  /// copy, and all earlier work in the stream, has ended.
  template <class MakeCopy>
  bool enqueue_block(BlockCopy const& block, InstanceStream<Runtime> const& stream, MakeCopy const& make_copy) {
    const CopyFacts facts = facts_of(block);
    const CopyMethod method = choose_copy_method(facts, m_settings);
    if (method != CopyMethod::runtime_reads && (method != CopyMethod::slot || m_settings.check)) {
      enqueue(make_copy(), stream);
      return false;
    }
    m_pool.collect();
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    const DeviceRows device = DeviceRows::block(block.device, block.bytes);
    if (method == CopyMethod::runtime_reads) {
      copy_rows_async<Runtime>(true, device, block.host, 0, block.bytes, stream.get());
      return false;
    }
    SlotCopy<Runtime> slot(m_slots, m_pool, device, block.bytes, facts.wait != CopyWait::nothing);
    if (slot && copy_through(slot, HostBlock(block.host, block.bytes), stream.get())) return true;
    StagedCopy copy = make_copy();
    if (slot)
      slot.leave_to_function(copy, stream);
    else
      enqueue(std::move(copy), stream);
    return false;
  }

  /// Copies, and returns when the copy has completed. With a stream, the copy follows the stream's earlier work.
  /// Without one, it starts at once, and the caller must already have waited for all users of the memory.
  /// \throws GPUError from the runtime; std::runtime_error with the error of packing or unpacking
  void run(StagedCopy copy, InstanceStream<Runtime> const* stream = nullptr) {
    copy.wait = CopyWait::end;
    start(copy, stream);
  }

  /// The same for one block. Returns false without any effect if the block is not small.
  bool run_block(BlockCopy const& block) {
    CopyFacts facts;
    facts.bytes       = block.bytes;
    facts.to_device   = block.to_device;
    facts.wait        = CopyWait::end;
    const CopyMethod method = choose_copy_method(facts, m_settings);
    if (method != CopyMethod::slot && method != CopyMethod::runtime_waits) return false;
    m_pool.collect();
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    LentStream own(m_streams);
    const stream_t stream   = own.get().get();
    const DeviceRows device = DeviceRows::block(block.device, block.bytes);
    SlotCopy<Runtime> slot(m_slots, m_pool, device, method == CopyMethod::slot ? block.bytes : 0, true);
    if (slot) {
      (void)copy_through(slot, HostBlock(block.host, block.bytes), stream);
    } else {
      copy_rows_async<Runtime>(block.to_device, device, block.host, 0, block.bytes, stream);
      synchronize_stream<Runtime>(stream, "deep_copy");
    }
    own.keep();
    return true;
  }

  void forget(StreamToken token) noexcept override {
    if (m_is_of_parent) return;
    m_pool.settle(token);
    const std::string lost = m_pool.take_errors(token);
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
  using LentStream = typename CopyStreams<Runtime>::Lent;
  using State      = StagingCopyChannel::State;

  void start(StagedCopy& copy, InstanceStream<Runtime> const* stream) {
    m_pool.collect();
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    if (stream) return start_in(copy, *stream, true);
    LentStream own(m_streams);
    start_in(copy, own.get(), false);
    own.keep();
  }

  void start_in(StagedCopy& copy, InstanceStream<Runtime> const& stream, bool of_program) {
    poison(copy);
    CopyFacts facts = facts_of(copy);
    if (choose_copy_method(facts, m_settings) == CopyMethod::slot) {
      SlotCopy<Runtime> slot(m_slots, m_pool, copy.device, copy.bytes, copy.wait != CopyWait::nothing);
      if (slot) return copy_by_slot(copy, stream, slot);
      facts.has_slot = false;
    }
    facts.has_kernel          = HasSlabKernel<Runtime>::value && is_for_kernel(copy.device);
    const bool is_for_staging = is_staged(choose_copy_method(facts, m_settings));
    if (is_for_staging) facts.staging = m_staging.state_for_copy();
    switch (choose_copy_method(facts, m_settings)) {
      case CopyMethod::nothing:
        return report_landed(copy);
      case CopyMethod::runtime_reads:
        return copy_by_runtime_async<Runtime>(copy, stream.get());
      case CopyMethod::runtime_waits:
        copy_by_runtime<Runtime>(copy, stream.get(), of_program, m_settings);
        // After the copy, because creating a staging buffer would have delayed it.
        if (is_for_staging) m_staging.copied_without(copy.bytes);
        return;
      case CopyMethod::slot:
        return;  // handled above
      case CopyMethod::staged:
        return enqueue_staged(copy, stream, of_program);
      case CopyMethod::staged_by_kernel:
        if (auto control = acquire_control())
          return enqueue_staged(copy, stream, of_program, std::move(control));
        return stage_gradually(copy, stream, of_program);
      case CopyMethod::staged_gradually:
        return stage_gradually(copy, stream, of_program);
      case CopyMethod::driven:
        return drive(copy, stream, of_program);
    }
  }

  std::shared_ptr<SlabCopyControl> acquire_control() {
    LentStream own(m_streams);
    auto control = m_controls.acquire(own.get().get());
    own.keep();
    return control;
  }

  CopyFacts facts_of(StagedCopy const& copy) {
    CopyFacts facts;
    facts.bytes               = copy.bytes;
    facts.to_device           = copy.to_device;
    facts.host_is_block       = copy.host->block() != nullptr;
    facts.reports             = copy.on_landed != nullptr;
    facts.wait                = copy.wait;
    facts.source_may_be_early = copy.to_device && copy.may_read_early && !m_pool.touches(copy.host->span(), false);
    return facts;
  }
  CopyFacts facts_of(BlockCopy const& block) {
    CopyFacts facts;
    facts.bytes     = block.bytes;
    facts.to_device = block.to_device;
    facts.wait      = m_settings.blocking ? CopyWait::end : block.wait;
    facts.source_may_be_early =
        block.to_device && block.may_read_early && !m_pool.touches({block.host, block.host + block.bytes}, false);
    return facts;
  }
  /// The kernel moves words of 16 bytes.
  static bool is_for_kernel(DeviceRows const& device) {
    return device.pitch == device.width && reinterpret_cast<std::uintptr_t>(device.data) % 16 == 0;
  }
  static bool is_staged(CopyMethod method) {
    return method == CopyMethod::staged || method == CopyMethod::staged_by_kernel ||
           method == CopyMethod::staged_gradually || method == CopyMethod::driven;
  }

  void poison(StagedCopy const& copy) {
    if (m_settings.check && !copy.to_device && copy.may_read_early && copy.wait == CopyWait::nothing &&
        !m_pool.touches(copy.host->span(), true))
      copy.host->poison();
  }

  // ---- staged copies ----

  /// Steps of a copy that the caller does not wait for are enqueued under the lock, because two threads may use one
  /// stream.
  /// With `control`, one kernel makes them.
  void enqueue_staged(StagedCopy& copy, InstanceStream<Runtime> const& stream, bool of_program,
                      std::shared_ptr<SlabCopyControl> control = nullptr) {
    StagingJobPtr job;
    StagingCopyChannel* channel = nullptr;
    bool waits                  = copy.wait == CopyWait::end;
    const bool reads            = copy.wait == CopyWait::host_memory;
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      const StagingLease lease = m_staging.arena().acquire(stream.token(), wanted_bytes(copy, waits), State::shared);
      channel                  = lease.channel;
      if (channel && !holds_others_of(*channel, stream.token())) job = make_job(copy, lease, waits, stream.token());
      if (job && control) {
        // A copy that takes long does not keep others from the link.
        job->serialized = false;
        job->control    = control;
      }
      if (job && !enqueue_steps(*channel, job, copy.device, stream.get(), control.get())) waits = true;
    }
    if (!job) return copy_by_runtime<Runtime>(copy, stream.get(), of_program, m_settings);
    if (waits)
      wait_for(*channel, *job, stream, [&] { return job->landed; });
    else if (reads)
      wait_for(*channel, *job, stream, [&] { return job->landed || job->done >= job->pieces; });
  }

  /// False if the stream does not wait for the host although it should.
  bool enqueue_steps(StagingCopyChannel& channel, StagingJobPtr const& job, DeviceRows const& device, stream_t stream,
                     SlabCopyControl* control) {
    m_pool.submit(channel, job, StagingPool::Wake::one);
    StagingSteps<Runtime> steps(m_pool, channel, job, device, stream);
    try {
      if (control) steps.all_by_kernel(control);
      while (!steps.has_all_pieces()) steps.next();
      const bool holds = steps.finish(true);
      if (steps.is_lost()) channel.lose(job->token);
      return holds;
    } catch (GPUError const& e) {
      steps.salvage();
      channel.lose(job->token);
      throw GPUError(job->what + ": " + e.what(), e.code());
    }
  }

  /// Uses a channel that no other copy uses. A bounded number of steps is enqueued ahead, and the caller helps the
  /// threads meanwhile. A caller that does not wait for the copy returns when the last step is enqueued.
  void stage_gradually(StagedCopy& copy, InstanceStream<Runtime> const& stream, bool of_program) {
    const bool waits         = copy.wait != CopyWait::nothing;
    const unsigned ahead     = waits ? 0 : m_settings.max_pieces_ahead;
    const StagingLease lease = own_channel(copy, stream.token(), waits);
    StagingCopyChannel* const channel = lease.channel;
    StagingJobPtr job = channel ? make_job(copy, lease, waits, stream.token()) : nullptr;
    if (!job) {
      if (channel) give_back(*channel);
      return copy_by_runtime<Runtime>(copy, stream.get(), of_program, m_settings);
    }
    m_pool.submit(*channel, job, StagingPool::Wake::all);
    StagingSteps<Runtime> steps(m_pool, *channel, job, copy.device, stream.get());
    bool holds = true;
    try {
      for (; !steps.has_all_pieces(); steps.next())
        help_until(*channel, *job, stream, [&] { return steps.enqueued() <= job->done + job->slabs + ahead; });
      holds = steps.finish(!waits);
    } catch (GPUError const& e) {
      steps.salvage();
      lose(*channel, *job, stream, true);
      throw GPUError(job->what + ": " + e.what(), e.code());
    }
    if (!waits && holds && !steps.is_lost()) {
      std::lock_guard<std::mutex> lock(m_mutex);
      return channel->share();
    }
    end_owned(*channel, stream, job, steps.is_lost());
  }

  /// The same without a step that waits for the host.
  void drive(StagedCopy& copy, InstanceStream<Runtime> const& stream, bool of_program) {
    const StagingLease lease          = own_channel(copy, stream.token(), true);
    StagingCopyChannel* const channel = lease.channel;
    StagingJobPtr job = channel ? make_job(copy, lease, true, stream.token()) : nullptr;
    if (!job) {
      if (channel) give_back(*channel);
      return copy_by_runtime<Runtime>(copy, stream.get(), of_program, m_settings);
    }
    const DeviceRows device = copy.device;
    channel->number(job->pieces_of_all());
    m_pool.submit(*channel, job, StagingPool::Wake::all);
    try {
      DrivenSteps<Runtime> steps(*job, device, stream.get());
      if (of_program) synchronize_stream<Runtime>(stream.get(), job->what.c_str());
      steps.begin();
      m_pool.drive_until_landed(*channel, *job, [&](unsigned done) { return steps.drive(done); });
    } catch (GPUError const& e) {
      m_pool.cancel(*channel, job);
      lose(*channel, *job, stream, true);
      throw GPUError(job->what + ": " + e.what(), e.code());
    }
    end_owned(*channel, stream, job);
  }

  /// Waits for the copy of a channel that the caller owns, and releases the channel, unless it is unknown whether a
  /// step of the copy will still run.
  void end_owned(StagingCopyChannel& channel, InstanceStream<Runtime> const& stream, StagingJobPtr const& job,
                 bool is_lost = false) {
    const auto end = [&] { is_lost ? lose(channel, *job, stream, true) : give_back(channel); };
    try {
      wait_for(channel, *job, stream, [&] { return job->landed; }, true);
    } catch (GPUError const&) {
      throw;  // the channel is lost
    } catch (std::exception const&) {
      end();
      throw;
    }
    end();
  }

  StagingLease own_channel(StagedCopy const& copy, StreamToken token, bool waits) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_staging.arena().acquire(token, wanted_bytes(copy, waits), State::owned);
  }
  void give_back(StagingCopyChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_staging.arena().release(channel);
  }
  /// Takes the channel of a failed copy out of use, because steps of the stream may still use it. It becomes free when
  /// the stream has ended, or never, if waiting for the stream fails. If the caller does not own the channel and the
  /// job has landed, this does nothing, because another copy may already use the channel.
  void lose(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream, bool owned) {
    const bool ends = Runtime::stream_synchronize(stream.get()) == Runtime::success;
    Runtime::clear_last_error();
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!owned && m_pool.has_landed(job)) return;
    channel.lose(ends ? stream.token() : no_stream);
  }

  /// Helps until `ready()`. \throws GPUError when the device has failed meanwhile
  template <class Ready>
  void help_until(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream,
                  Ready const& ready) {
    m_pool.help_until(channel, ready, [&] {
      const auto answer = Runtime::stream_query(stream.get());
      if (answer == Runtime::not_ready) return Runtime::clear_last_error();
      gpu_check<Runtime>(answer, "stream_query", job.what.c_str());
    });
  }

  template <class Ready>
  void wait_for(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream,
                Ready const& ready, bool owned = false) {
    try {
      help_until(channel, job, stream, ready);
    } catch (GPUError const&) {
      lose(channel, job, stream, owned);
      m_pool.settle(stream.token());
      (void)m_pool.take_errors(stream.token());
      throw;
    }
    std::string error = m_pool.take_errors(stream.token());
    if (error.empty()) error = m_pool.error_of(job);  // already taken by a thread that checked all streams
    if (!error.empty()) throw std::runtime_error(error);
  }

  std::size_t wanted_bytes(StagedCopy const& copy, bool waits) const {
    return wanted_staging_bytes(copy.bytes, copy.to_device, waits, m_settings);
  }

  /// Whether the first step of a copy on the channel would wait for another stream, and might itself hold up that
  /// stream.
  bool holds_others_of(StagingCopyChannel& channel, StreamToken token) const {
    return m_settings.waits_may_hold_others && channel.last_stream() != no_stream && channel.last_stream() != token &&
           !m_pool.idle(channel);
  }

  /// Null if the channel is too small for one granule, or has too few piece numbers left.
  StagingJobPtr make_job(StagedCopy& copy, StagingLease const& lease, bool waits, StreamToken token) const {
    StagingCopyChannel const& channel = *lease.channel;
    const CopyCut cut =
        size_copy(copy.bytes, copy.host->granule(), waits, lease.space, m_staging.threads(), m_settings);
    if (cut.pieces == 0 || !channel.has_numbers(cut.pieces)) return nullptr;
    auto job                    = std::make_shared<StagingJob>();
    static_cast<CopyCut&>(*job) = cut;
    job->to_device              = copy.to_device;
    job->device                 = m_device;
    // Serialized copies use the link one after the other, the oldest first. This excludes two kinds of copies. On a
    // channel that is not shared, steps are enqueued gradually, so they may follow the steps of younger copies. Host
    // memory that is not contiguous is packed more slowly than the link can transfer it, so the link would be idle.
    job->serialized = !m_settings.waits_may_hold_others && copy.to_device && channel.state() == State::shared &&
                      copy.host->block() && copy.bytes > m_settings.serialized_bytes;
    job->past_cache = copy.to_device && lease.space.alone && copy.bytes <= m_settings.past_cache_bytes;
    job->slab       = channel.memory();
    job->words      = channel.words();
    job->first      = channel.next_number();
    fill_staging_job(*job, copy, token);
    return job;
  }

  // ---- small copies to the host through a pinned slot ----

  static unsigned slot_parts(CopySettings const& settings) {
    return static_cast<unsigned>((settings.slot_bytes + settings.slot_part_bytes - 1) / settings.slot_part_bytes);
  }
  bool copy_through(SlotCopy<Runtime>& slot, HostSide const& host, stream_t stream) const {
    return slot.copy_to(host, stream, std::chrono::microseconds(m_settings.slot_patience_us),
                        m_settings.slot_part_bytes);
  }

  void copy_by_slot(StagedCopy& copy, InstanceStream<Runtime> const& stream, SlotCopy<Runtime>& slot) {
    try {
      if (!copy_through(slot, *copy.host, stream.get())) return slot.leave_to_function(copy, stream);
    } catch (GPUError const& e) {
      throw GPUError(copy.what + ": " + e.what(), e.code());
    }
    report_landed(copy);
  }

  StagingPool& m_pool;
  int m_device;
  CopySettings m_settings;
  std::mutex m_mutex;
  StagingBuffer<Runtime> m_staging;
  SlabCopyControls<Runtime> m_controls;
  CopySlots<Runtime> m_slots;
  CopyStreams<Runtime> m_streams;  // for copies without an instance
  bool m_is_of_parent = false;
};

}  // namespace Kokkos::Impl

#endif
