// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINE_HPP
#define KOKKOS_GPU_COPY_ENGINE_HPP

/// \file
/// Copies between ordinary host memory and a device, at the speed of the link and without holding up the host.
///
/// Needs a `Runtime`, its neighbours Kokkos_GPU_{ValueStep,StreamLifetime,HostSide,StagedCopy,Staging*,CopyStreams}.hpp
/// and the standard library: patches carry these files as they are. Kokkos_GPU_CopyEngines.hpp has one for each device.
///
/// The bytes move through pinned slabs. Between host memory and slabs threads move them (Kokkos_GPU_StagingPool.hpp),
/// between slabs and the device the stream of the copy does, by asynchronous copies of pinned memory. The two sides
/// wait for one another through two words in pinned memory: streams can wait for a word, and write one. For piece k of
/// a copy
///
///     to the device:  [write device word: piece k-1 is off its slab] [wait: piece k is in its slab]  [slab -> device]
///     to the host:    [write device word: piece k-1 is in its slab]  [wait: slab of piece k is free] [device -> slab]
///
/// and, at the end, a write of the device's word; to the host then a wait for the last byte, so that whoever waits for
/// the stream, by whatever means, waits for the copy. All of these steps are enqueued in the stream of the copy when
/// the copy is asked for. So it is ordered there as any operation is, before and after, and the host goes on.
///
/// **Why no wait is circular.** A step in a stream waits for a copy of memory by the host; that waits for nothing but
/// earlier steps of the same copy. A copy whose channel is not free waits for the copy that had the channel before, all of
/// whose steps were enqueued earlier. Streams that share a queue of the hardware wait for one another in the order of
/// enqueueing, too. So each wait points to something earlier in one total order, and nothing that is waited for is
/// enqueued later than the wait. This is why the threads never call the runtime: were they to enqueue copies of slabs
/// for a stream that waits, these might queue up behind that very wait, where the two streams share a queue.
///
/// Slabs come from one block of pinned memory for each device, of a size that is set. A copy has a *channel*: some slabs
/// next to one another, and a pair of words. Copies in one stream follow one another on one channel; a channel is free for
/// other streams when its last copy has landed. When there is no room for one more channel, channels are shared.
///
/// Without streams that can wait for words, without pinned memory, or on one or two cores, copies go the runtime's own
/// way, and these functions wait for them.

#include <GPU/portable/Kokkos_GPU_CopyStreams.hpp>
#include <GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <GPU/portable/Kokkos_GPU_StagedCopy.hpp>
#include <GPU/portable/Kokkos_GPU_StagingArena.hpp>
#include <GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <GPU/portable/Kokkos_GPU_StagingSteps.hpp>
#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <GPU/portable/Kokkos_GPU_ValueStep.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The engine of one device. Its mutex guards the channels, and orders the steps of copies that are enqueued at once; it
/// is held neither while something is waited for nor while a stream or what a copy kept alive ends.
template <class Runtime>
class CopyEngine final : public StreamObserver {
 public:
  using stream_t = typename Runtime::stream_t;

  CopyEngine(int device, CopySettings const& settings) : m_device(device), m_settings(settings), m_streams(device) {
    StreamObservers<Runtime>::get().add(this);
  }
  /// All streams must have been waited for.
  ~CopyEngine() {
    m_streams.clear();
    if (m_arena) m_arena->for_each_channel([](auto& channel) { StagingPool::get().settle(channel); });
    StreamObservers<Runtime>::get().remove(this);
    StagingPool::get().collect();
    RelaxedCaptureScope<Runtime> relaxed;
    m_arena.reset();
  }

  /// Enqueues the copy in `stream`, which is not being captured, and returns. The host's memory is not to be touched
  /// until the stream has been waited for. A source of up to `inline_bytes` bytes may be read before the call returns,
  /// as the runtimes do, unless a copy on its way writes there, or the caller forbids it.
  /// \throws GPUError if the runtime refuses a step; some of the destination may have been written then
  void enqueue(StagedCopy copy, InstanceStream<Runtime> const& stream) { start(copy, stream, m_settings.blocking); }

  /// Copies; the copy has happened when the call returns. With a stream, behind what is in it; without one, at once: it
  /// is for the caller to have waited for whatever uses the memory.
  /// \throws GPUError from the runtime; std::runtime_error with what packing or unpacking threw
  void run(StagedCopy copy, InstanceStream<Runtime> const* stream = nullptr) {
    const bool small = copy.bytes > 0 && copy.bytes <= StagingArena<Runtime>::mailbox_bytes;
    if (small && is_usable()) return run_small(copy, stream);
    if (stream) return start(copy, *stream, true);
    LentStream own(m_streams);
    if (copy.bytes <= m_settings.runtime_bytes && copy.host->block())
      run_by_runtime(copy, own.get().get());
    else
      run_in(copy, own.get());
    own.keep();
  }

  void forget(StreamToken token) noexcept override {
    StagingPool::get().settle(token);
    const std::string lost = StagingPool::get().take_errors(token);
    if (!lost.empty()) std::fprintf(stderr, "Kokkos: no one waited for a stream that has ended. %s\n", lost.c_str());
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_arena) m_arena->forget(token);
  }

  /// Bytes of pinned memory that the engine has now.
  std::size_t pinned_bytes() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_arena ? m_arena->bytes() : 0;
  }
  /// Do copies go through slabs? Otherwise they go the runtime's own way. Makes slabs and threads when first asked.
  bool is_usable() {
    // acquire: the arena is seen whole
    const State state = m_state.load(std::memory_order_acquire);
    return state == State::unknown ? prepare() : state == State::usable;
  }

 private:
  using LentStream = typename CopyStreams<Runtime>::Lent;
  enum class State { unknown, usable, unusable };
  static constexpr std::size_t min_piece = 256 * 1024;
  static constexpr std::size_t alignment   = 128;  // of slabs

  // ---- what is made at first use ----

  bool prepare() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_state.load(std::memory_order_relaxed) == State::unknown) {
      DeviceScope<Runtime> scope(m_device);
      RelaxedCaptureScope<Runtime> relaxed;
      bool usable = false;
      try {
        usable = make_arena() && streams_know_values() && StagingPool::get().start(m_threads) > 0;
      } catch (std::exception const&) {
      }
      if (!usable) m_arena.reset();
      m_state.store(usable ? State::usable : State::unusable, std::memory_order_release);
    }
    return m_state.load(std::memory_order_relaxed) == State::usable;
  }

  bool make_arena() {
    m_threads = staging_thread_count(m_settings);
    if (m_threads == 0 || m_settings.staging_bytes == 0) return false;
    m_arena = std::make_unique<StagingArena<Runtime>>(m_settings.staging_bytes, m_threads);
    return true;
  }

  template <class R>
  static constexpr bool has_stream_values(
      decltype(R::stream_values(typename R::stream_t{}, static_cast<GPUValueStep const*>(nullptr), 2))*) {
    return true;
  }
  template <class R>
  static constexpr bool has_stream_values(...) {
    return false;
  }

  /// Tries it: some devices and drivers refuse, or take other memory only.
  bool streams_know_values() {
    if constexpr (has_stream_values<Runtime>(nullptr)) {
      stream_t stream = nullptr;
      gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered",
                         "trying what streams can do");
      std::uint32_t* const word  = m_arena->spare_word();
      *word                      = 0;
      const GPUValueStep steps[] = {{GPUValueStep::write, word, 1}, {GPUValueStep::wait_at_least, word, 1}};
      const bool taken = Runtime::stream_values(stream, steps, 2) == Runtime::success;
      const bool ended = Runtime::stream_synchronize(stream) == Runtime::success;
      (void)Runtime::stream_destroy(stream);
      Runtime::clear_last_error();
      return taken && ended && StagingWords::reached(word, 1);
    } else {
      return false;
    }
  }

  // ---- large copies ----

  /// Enqueues a copy in the stream of an instance, and waits if it is to. All steps of a copy are enqueued under the
  /// lock: two threads may use one stream.
  void start(StagedCopy& copy, InstanceStream<Runtime> const& stream, bool wait) {
    if (copy.bytes == 0) return landed(copy);
    StagingPool::get().collect();
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    if (!is_usable()) return go_runtimes_way(copy, stream.get());
    StagingJobPtr job;
    StagingCopyChannel* channel = nullptr;
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (m_settings.check && !copy.to_device && copy.may_read_early &&
          !StagingPool::get().touches(copy.host->span(), true))
        copy.host->poison();
      if (!wait && is_small_source(copy) && !StagingPool::get().touches(copy.host->span(), false) &&
          enqueue_inline(copy, stream))
        return;
      channel = m_arena->acquire(stream.token(), wanted_bytes(copy, false), false);
      if (channel) job = make_job(copy, *channel, false, stream.token());
      if (job && !enqueue_steps(*channel, job, copy.device, stream.get())) wait = true;
    }
    if (!job) return go_runtimes_way(copy, stream.get());
    if (wait) wait_for(*channel, *job, stream, false);
  }

  /// False if the stream does not wait for the host, as it should.
  bool enqueue_steps(StagingCopyChannel& channel, StagingJobPtr const& job, DeviceRows const& device, stream_t stream) {
    channel.takes_inline = false;
    StagingPool::get().submit(channel, job, StagingPool::Wake::one);
    StagingSteps<Runtime> steps(channel, job, device, stream);
    try {
      while (!steps.has_all_pieces()) steps.next();
      return steps.finish(true);
    } catch (GPUError const& e) {
      steps.salvage();
      throw GPUError(job->what + ": " + e.what(), e.code());
    }
  }

  /// A copy in a stream that no one else uses, on a channel that no one else has. Steps are enqueued as they are needed,
  /// and the caller helps the threads meanwhile.
  void run_in(StagedCopy& copy, InstanceStream<Runtime> const& stream) {
    if (copy.bytes == 0) return landed(copy);
    StagingPool& pool = StagingPool::get();
    pool.collect();
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    StagingCopyChannel* channel = is_usable() ? exclusive_channel(copy, stream.token()) : nullptr;
    StagingJobPtr job     = channel ? make_job(copy, *channel, true, stream.token()) : nullptr;
    if (!job) {
      if (channel) give_back(*channel);
      return go_runtimes_way(copy, stream.get());
    }
    pool.submit(*channel, job, StagingPool::Wake::all);
    StagingSteps<Runtime> steps(*channel, job, copy.device, stream.get());
    try {
      for (; !steps.has_all_pieces(); steps.next())
        help_until(*channel, *job, stream, [&] { return steps.enqueued() <= job->done + job->slots; });
      steps.finish(false);
    } catch (GPUError const& e) {
      steps.salvage();
      lose(*channel, *job, stream, true);
      throw GPUError(job->what + ": " + e.what(), e.code());
    }
    try {
      wait_for(*channel, *job, stream, true);
    } catch (GPUError const&) {
      throw;  // the channel is lost
    } catch (std::exception const&) {
      give_back(*channel);
      throw;
    }
    give_back(*channel);
  }

  StagingCopyChannel* exclusive_channel(StagedCopy const& copy, StreamToken token) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_arena->acquire(token, wanted_bytes(copy, true), true);
  }
  void give_back(StagingCopyChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_arena->release(channel);
  }
  /// Steps of the stream may still use the channel: it is free when the stream has ended, or never, if the stream cannot
  /// be waited for. A channel that is not `exclusive` to the caller may be another's by now, if the job has landed.
  void lose(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream, bool exclusive) {
    const bool ends = Runtime::stream_synchronize(stream.get()) == Runtime::success;
    Runtime::clear_last_error();
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!exclusive && StagingPool::get().has_landed(job)) return;
    channel.last      = ends ? stream.token() : no_stream;
    channel.lost      = true;
    channel.exclusive = false;
  }

  /// Helps until `ready()`. \throws GPUError when the device has failed meanwhile
  template <class Ready>
  void help_until(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream,
                  Ready const& ready) {
    StagingPool::get().help_until(channel, ready, [&] {
      const auto answer = Runtime::stream_query(stream.get());
      if (answer == Runtime::not_ready) return Runtime::clear_last_error();
      gpu_check<Runtime>(answer, "stream_query", job.what.c_str());
    });
  }

  void wait_for(StagingCopyChannel& channel, StagingJob const& job, InstanceStream<Runtime> const& stream, bool exclusive) {
    try {
      help_until(channel, job, stream, [&] { return job.landed; });
    } catch (GPUError const&) {
      lose(channel, job, stream, exclusive);
      StagingPool::get().settle(stream.token());
      (void)StagingPool::get().take_errors(stream.token());
      throw;
    }
    std::string error = StagingPool::get().take_errors(stream.token());
    if (error.empty()) error = job.error;  // a thread that looked after all streams has taken it
    if (!error.empty()) throw std::runtime_error(error);
  }

  // ---- jobs ----

  /// A caller who does not wait is held up by each piece; to one who waits, the time counts in which the first piece
  /// fills its slab and the last one leaves it.
  std::size_t max_piece(StagedCopy const& copy, bool waits) const {
    const std::size_t most = waits ? m_settings.sync_piece_bytes : m_settings.piece_bytes;
    return std::clamp(copy.bytes / (waits ? 4 : 2), std::min(min_piece, most), most);
  }
  /// Slabs for three pieces or four. What was just read or written in a slab is still in the caches of the cores that
  /// did it, from where the device gets it, or where it finds old data, more slowly than in memory: with two slabs at
  /// 0.6 of the rate to the host. To the device the fourth gains nothing.
  std::size_t wanted_bytes(StagedCopy const& copy, bool waits) const {
    constexpr std::size_t rounding = 4 * alignment;  // of the pieces' sizes
    return std::min(copy.bytes + rounding, (copy.to_device ? 3 : 4) * max_piece(copy, waits));
  }
  /// While others copy, pieces are small: they interleave, and keep both directions of the link busy. But a large copy
  /// is not cut into hundreds. All pieces are equal: a small rest takes as many steps as a whole piece.
  std::size_t piece_in(StagingCopyChannel const& channel, StagedCopy const& copy, bool waits) const {
    const std::size_t most = max_piece(copy, waits);
    const std::size_t part =
        channel.alone ? channel.bytes / std::max<std::size_t>((channel.bytes + most / 2) / most, 2)
                   : std::clamp(copy.bytes / 16, std::min(most / 2, channel.bytes / 4), channel.bytes / 2);
    const std::size_t largest = std::max(std::min(most, part) / alignment * alignment, alignment);
    const std::size_t count   = (copy.bytes + largest - 1) / largest;
    return ((copy.bytes + count - 1) / count + alignment - 1) / alignment * alignment;
  }

  /// Null if the channel is too small for one granule.
  StagingJobPtr make_job(StagedCopy& copy, StagingCopyChannel const& channel, bool waits, StreamToken token) const {
    const std::size_t granule = copy.host->granule();
    if (granule > channel.bytes) return nullptr;
    const auto round_down  = [&](std::size_t n) { return std::max(n / granule * granule, granule); };
    const unsigned threads = std::clamp(m_settings.copy_threads, 1u, static_cast<unsigned>(m_threads));
    auto job       = std::make_shared<StagingJob>();
    job->to_device = copy.to_device;
    job->device    = m_device;
    // Not if its steps are enqueued as they are needed, perhaps behind those of younger copies, nor if the link may
    // have to wait for it.
    job->in_turn = copy.to_device && !channel.exclusive && copy.host->block() && copy.bytes > m_settings.between_bytes;
    job->past_cache = copy.to_device && channel.alone && copy.bytes <= m_settings.past_cache_bytes;
    job->bytes     = copy.bytes;
    job->piece     = round_down(piece_in(channel, copy, waits));
    job->stride    = (job->piece + alignment - 1) / alignment * alignment;
    job->slots     = std::clamp(static_cast<unsigned>(channel.bytes / job->stride), 1u, StagingJob::max_slots);
    job->threads   = threads;
    job->chunk     = round_down(std::clamp<std::size_t>(job->piece / threads, 32 << 10, 512 << 10));
    job->slab      = channel.memory;
    job->words     = channel.words;
    job->first     = channel.next;
    job->token     = token;
    job->host      = std::move(copy.host);
    job->keep      = std::move(copy.keep);
    job->on_landed = std::move(copy.on_landed);
    job->what      = std::move(copy.what);
    return job;
  }

  // ---- small copies ----

  bool is_small_source(StagedCopy const& copy) const {
    return copy.to_device && copy.may_read_early && copy.bytes <= m_settings.inline_bytes && !copy.on_landed;
  }

  /// The caller fills the slab, as many copies one after the other as the channel has room for. False: go the other way.
  bool enqueue_inline(StagedCopy& copy, InstanceStream<Runtime> const& stream) {
    StagingCopyChannel* channel = m_arena->acquire(stream.token(), m_settings.inline_bytes, false);
    if (!channel || !channel->takes_inline || (channel->last != no_stream && channel->last != stream.token())) return false;
    if (channel->inline_offset + copy.bytes > channel->bytes) return false;
    auto job     = std::make_shared<StagingJob>();
    job->bytes   = job->piece = job->claimed = copy.bytes;
    job->to_device = true;
    job->done = job->told = 1;
    job->words   = channel->words;
    job->first   = channel->next;
    job->token   = stream.token();
    char* slab   = channel->memory + channel->inline_offset;
    copy.host->gather(slab, 0, copy.bytes);
    channel->next += 2;
    channel->last          = stream.token();
    channel->last_word     = channel->words.device;
    channel->last_value    = job->first + 1;
    channel->inline_offset += (copy.bytes + 127) / 128 * 128;
    channel->lost = true;  // until the stream is sure to tell of the end
    copy_rows_async<Runtime>(true, copy.device, slab, 0, copy.bytes, stream.get());
    const GPUValueStep written{GPUValueStep::write, channel->words.device, job->first + 1};
    if (Runtime::stream_values(stream.get(), &written, 1) == Runtime::success) {
      channel->lost = false;
      StagingPool::get().submit(*channel, std::move(job), StagingPool::Wake::nobody);
    } else {
      Runtime::clear_last_error();  // the copy is on its way all the same
    }
    return true;
  }

  /// By way of the mailbox, which the runtime copies to or from at once.
  void run_small(StagedCopy& copy, InstanceStream<Runtime> const* given) {
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    std::unique_ptr<LentStream> own;
    if (!given) own = std::make_unique<LentStream>(m_streams);
    const stream_t stream = (given ? *given : own->get()).get();
    // Not with the lock: others go on while this stream is busy.
    if (given && Runtime::stream_query(stream) != Runtime::success) {
      Runtime::clear_last_error();
      gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", copy.what.c_str());
    }
    std::lock_guard<std::mutex> lock(m_mailbox_mutex);
    char* const mailbox = m_arena->mailbox();
    if (copy.to_device) copy.host->gather(mailbox, 0, copy.bytes);
    const bool watched =
        !copy.to_device && ArrivalWatch::can_watch(copy.bytes) && copy.device.pitch == copy.device.width;
    const ArrivalWatch watch(mailbox, watched ? copy.bytes : 0, m_pattern += 0x9E3779B9u);
    try {
      copy_rows_async<Runtime>(copy.to_device, copy.device, mailbox, 0, copy.bytes, stream);
    } catch (GPUError const& e) {
      empty_mailbox(stream);
      throw GPUError(copy.what + ": " + e.what(), e.code());
    }
    if (!watched || !watch.has_arrived()) {
      const auto answer = Runtime::stream_synchronize(stream);
      if (answer != Runtime::success) empty_mailbox(stream);
      gpu_check<Runtime>(answer, "stream_synchronize", copy.what.c_str());
    }
    if (!copy.to_device) copy.host->scatter(mailbox, 0, copy.bytes);
    if (own) own->keep();
    landed(copy);
  }

  /// A copy that failed may still be on its way to or from the mailbox, which the next one takes. A device that has
  /// failed for good refuses each time, and moves nothing any more.
  static void empty_mailbox(stream_t stream) {
    for (int tries = 0; tries < 100 && Runtime::stream_synchronize(stream) != Runtime::success; ++tries)
      Runtime::clear_last_error();
  }

  // ---- without slabs ----

  /// In a stream of the engine's own, in which nothing is.
  void run_by_runtime(StagedCopy& copy, stream_t stream) {
    if (copy.bytes == 0) return landed(copy);
    DeviceScope<Runtime> scope(m_device);
    RelaxedCaptureScope<Runtime> relaxed;
    copy_rows_async<Runtime>(copy.to_device, copy.device, copy.host->block(), 0, copy.bytes, stream);
    gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", copy.what.c_str());
    landed(copy);
  }

  /// The runtime copies, by whatever way it has, and the host waits.
  void go_runtimes_way(StagedCopy& copy, stream_t stream) {
    const auto wait = [&] {
      gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", copy.what.c_str());
    };
    wait();
    if (char* const block = copy.host->block()) {
      copy_rows_async<Runtime>(copy.to_device, copy.device, block, 0, copy.bytes, stream);
      wait();
    } else {
      const std::size_t granule = copy.host->granule();
      const std::size_t piece   = std::min(copy.bytes, std::max(std::size_t(4) << 20, granule) / granule * granule);
      const auto packed         = std::make_unique<char[]>(piece);
      for (std::size_t first = 0; first < copy.bytes; first += piece) {
        const std::size_t n = std::min(piece, copy.bytes - first);
        if (copy.to_device) copy.host->gather(packed.get(), first, n);
        copy_rows_async<Runtime>(copy.to_device, copy.device, packed.get(), first, n, stream);
        wait();
        if (!copy.to_device) copy.host->scatter(packed.get(), first, n);
      }
    }
    landed(copy);
  }

  static void landed(StagedCopy& copy) {
    if (copy.on_landed) copy.on_landed();
  }

  int m_device;
  CopySettings m_settings;
  int m_threads = 0;
  std::atomic<State> m_state{State::unknown};
  std::mutex m_mutex;
  std::unique_ptr<StagingArena<Runtime>> m_arena;
  CopyStreams<Runtime> m_streams;  // for copies without an instance
  std::mutex m_mailbox_mutex;  // guards the mailbox and the pattern; m_mutex is not taken with it
  std::uint32_t m_pattern = 0;
};

}  // namespace Kokkos::Impl

#endif
