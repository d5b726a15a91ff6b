// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_STEPS_HPP
#define KOKKOS_GPU_STAGING_STEPS_HPP

/// \file
/// The steps of a staged copy, whoever issues them, and the recovery if the runtime refuses a step.

#include <impl/GPU/portable/Kokkos_GPU_DeviceRows.hpp>
#include <impl/GPU/portable/Kokkos_GPU_SlabCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingArena.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingPool.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The issuer of the steps of a staged copy.
enum class StepIssuer {
  stream,  ///< steps in the stream wait for the host, so they are enqueued ahead
  kernel,  ///< one kernel waits for the host and makes all steps
  /// No step waits for the host: the caller enqueues a piece when its slab is ready, and queries events for the device's
  /// progress. This cannot deadlock, even if a device runs one kernel at a time, or if streams share hardware queues: the
  /// stream contains only copies that are ready to run, and the host waits only for these copies and its own threads.
  caller,
};

/// The steps of one job, which was submitted to the pool. The caller has exclusive use of the channel meanwhile.
template <class Runtime>
class StagingSteps {
 public:
  using stream_t = typename Runtime::stream_t;

  StagingSteps(StagingPool& pool, StagingCopyChannel& channel, StagingJobPtr job, stream_t stream, StepIssuer issuer)
      : m_pool(pool),
        m_channel(channel),
        m_job(std::move(job)),
        m_stream(stream),
        m_issuer(issuer),
        m_pieces(m_job->pieces) {
    m_channel.number(m_pieces);
  }

  bool has_all_pieces() const noexcept { return m_enqueued == m_pieces; }
  /// Whether the caller may enqueue the next piece, if the host has finished `done` pieces: the stream contains only copies
  /// that can run now, from a slab that is full, or to one that is empty.
  bool may_issue(unsigned done) const noexcept { return m_enqueued < done + (m_job->to_device ? 0 : m_job->slabs); }
  /// Whether no other copy may use the channel until the stream has ended, because a step was refused.
  bool is_lost() const noexcept { return m_is_lost; }

  /// Call this before the first next(). `of_program`: the stream may contain earlier work.
  /// \throws GPUError if the runtime refuses; as for next() and finish(), the caller must then call recover()
  void start(bool of_program) {
    if (m_issuer != StepIssuer::caller) return;
    for (unsigned k = 0; k < std::min(m_pieces, m_job->slabs); ++k) m_events.emplace_back();
    if (of_program)
      gpu_check<Runtime>(Runtime::stream_synchronize(m_stream), "stream_synchronize", "copying by pieces");
    StagingWords::set(m_job->words.device, m_job->first);  // the source may be read
  }

  /// Enqueues the next piece, or a kernel for all pieces.
  void next() {
    switch (m_issuer) {
      case StepIssuer::stream:
        enqueue_with_waits();
        break;
      case StepIssuer::kernel:
        return all_by_kernel();
      case StepIssuer::caller:
        enqueue_piece();
        gpu_check<Runtime>(Runtime::event_record(event(m_enqueued), m_stream), "event_record", "copying by pieces");
        break;
    }
    ++m_enqueued;
  }

  /// For a thread that waits for the job: whether it should call poll() now.
  bool is_due() const {
    return m_issuer == StepIssuer::caller || Clock::now() - m_polled > std::chrono::milliseconds(1);
  }
  /// Detects that the device has failed. If the caller issues steps, notes the pieces that the device has finished, and
  /// returns whether there are any. \throws GPUError if the device has failed
  bool poll() {
    if (m_issuer == StepIssuer::caller) return note_ended_pieces();
    m_polled = Clock::now();
    (void)gpu_has_ended<Runtime>(Runtime::stream_query(m_stream), "stream_query", m_job->what.c_str());
    return false;
  }

  /// Enqueues the last write, and, to the host, a wait for the host. False if the stream does not wait.
  /// \throws GPUError if the runtime refuses the write
  bool finish() {
    if (m_issuer == StepIssuer::caller) return true;
    StagingJob& job = *m_job;
    m_values_count  = 0;
    add_write(job.end());
    // To the device, the last piece has waited for the host.
    if (!job.to_device) add_wait(job.words.host, job.end());
    note_last_user();
    if (job.to_device) {
      enqueue_values();
      return true;
    }
    if (try_values()) return true;
    // The runtime may have enqueued part of the step that it refused, and the same write follows. The stream could
    // execute the second write while another copy uses the channel.
    m_is_lost      = true;
    m_values_count = 0;
    add_write(job.end());
    enqueue_values();
    return false;
  }

  /// Call this after start(), next() or finish() threw. The steps that were enqueued run to their end, which the host's
  /// threads let them reach; after this, nobody uses the memory of the host for the copy.
  void recover() noexcept {
    if (m_issuer == StepIssuer::caller || gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream)))
      m_pool.cancel(m_channel, m_job);
    else
      m_pool.abandon(m_channel, m_job);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void enqueue_piece() {
    StagingJob& job         = *m_job;
    std::size_t const first = m_enqueued * job.piece;
    copy_rows_async<Runtime>(job.to_device, job.device, job.slab_of(m_enqueued), first,
                             std::min(job.piece, job.bytes - first), m_stream);
  }
  void enqueue_with_waits() {
    StagingJob& job = *m_job;
    auto const seq  = job.first + m_enqueued;
    m_values_count  = 0;
    if (m_enqueued > 0)
      add_write(seq);
    else
      add_first_steps();
    if (job.to_device)
      add_wait(job.words.host, seq + 1);
    else if (m_enqueued >= job.slabs)
      add_wait(job.words.host, seq + 1 - job.slabs);
    enqueue_values();
    enqueue_piece();
  }
  void all_by_kernel() {
    StagingJob& job = *m_job;
    m_values_count  = 0;
    add_first_steps();
    enqueue_values();
    if constexpr (HasSlabKernel<Runtime>::value) {
      SlabCopy const copy{job.to_device, job.device.data, job.slab,  job.bytes, job.piece,        job.stride,
                          job.slabs,     m_pieces,        job.first, job.words, job.control.get()};
      gpu_check<Runtime>(Runtime::copy_slabs(copy, m_stream), "launch", "copying between slabs and device");
    }
    m_enqueued = m_pieces;
  }

  /// There are as many events as slabs: the previous piece in this piece's slab has ended.
  typename Runtime::event_t event(unsigned k) const noexcept { return m_events[k % m_events.size()].get(); }
  bool note_ended_pieces() {
    unsigned const before = m_ended;
    while (m_ended < m_enqueued &&
           gpu_has_ended<Runtime>(Runtime::event_query(event(m_ended)), "event_query", "copying by pieces"))
      StagingWords::set(m_job->words.device, m_job->first + ++m_ended);
    return m_ended != before;
  }

  /// The wait for the last copy of another stream, and, to the device, the start of reading the source.
  void add_first_steps() {
    if (m_channel.last_stream() != no_stream && m_channel.last_stream() != m_job->token)
      add_wait(m_channel.last_word(), m_channel.last_value());
    if (m_job->to_device) add_write(m_job->first);
  }
  void add_write(std::uint32_t value) {
    m_values[m_values_count++] = {GPUValueStep::write, m_job->words.device, value};
  }
  void add_wait(std::uint32_t* word, std::uint32_t value) {
    m_values[m_values_count++] = {GPUValueStep::wait_at_least, word, value};
  }
  bool try_values() noexcept {
    return gpu_succeeded<Runtime>(Runtime::stream_values(m_stream, m_values, m_values_count));
  }
  void enqueue_values() {
    if (m_values_count == 0) return;
    gpu_check<Runtime>(Runtime::stream_values(m_stream, m_values, m_values_count), "stream_values",
                       "letting a stream and the host wait for one another in a copy");
  }
  /// Makes the channel this stream's; the next stream waits for the end of this job.
  void note_last_user() noexcept {
    m_channel.set_last(m_job->token, m_job->to_device ? m_job->words.device : m_job->words.host, m_job->end());
  }

  StagingPool& m_pool;
  StagingCopyChannel& m_channel;
  StagingJobPtr m_job;
  stream_t m_stream;
  StepIssuer m_issuer;
  unsigned m_pieces;
  unsigned m_enqueued = 0;               // number of pieces
  unsigned m_ended    = 0;               // number of pieces that the device has finished, if the caller issues steps
  std::vector<Event<Runtime>> m_events;  // of the slabs, for such copies
  Clock::time_point m_polled = Clock::now();
  bool m_is_lost             = false;
  GPUValueStep m_values[3];  // add_first_steps() adds two, and a piece one
  int m_values_count = 0;
};

}  // namespace Kokkos::Impl

#endif
