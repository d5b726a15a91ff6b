// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DRIVEN_STEPS_HPP
#define KOKKOS_GPU_DRIVEN_STEPS_HPP

/// \file
/// A copy through slabs in which no step of a stream waits for the host. The caller enqueues a piece when its slab is
/// ready, and queries events for the device's progress.
///
/// This cannot deadlock, even if a device runs one kernel at a time, or if streams share hardware queues: the stream
/// contains only copies that are ready to run, and the host waits only for these copies and its own threads.
///
/// Needs a `Runtime`, its neighbours and the standard library: patches carry this file unchanged.

#include <impl/GPU/portable/Kokkos_GPU_StagingSteps.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The steps of one job, which was submitted to the pool. The caller owns the channel.
template <class Runtime>
class DrivenSteps {
 public:
  using stream_t = typename Runtime::stream_t;

  /// \throws GPUError if no events can be created
  DrivenSteps(StagingJob& job, DeviceRows const& device, stream_t stream)
      : m_job(job), m_device(device), m_stream(stream), m_pieces(job.pieces_of_all()) {
    for (unsigned k = 0; k < std::min(m_pieces, job.slabs); ++k) m_events.emplace_back();
  }

  /// Reports that earlier work in the stream has ended, so that the source may be read.
  void begin() noexcept { StagingWords::set(m_job.words.device, m_job.first); }

  /// The host has finished `done` pieces. Enqueues the pieces that are ready, and records the pieces that the device
  /// has finished. Returns whether it made progress. \throws GPUError from the runtime
  bool drive(unsigned done) {
    const unsigned before = m_enqueued + m_ended;
    const unsigned limit  = std::min(m_pieces, m_job.to_device ? done : done + m_job.slabs);
    for (; m_enqueued < limit; ++m_enqueued) {
      const std::size_t first = m_enqueued * m_job.piece;
      copy_rows_async<Runtime>(m_job.to_device, m_device, m_job.slab_of(m_enqueued), first,
                               std::min(m_job.piece, m_job.bytes - first), m_stream);
      gpu_check<Runtime>(Runtime::event_record(event(m_enqueued), m_stream), "event_record", "copying by pieces");
    }
    for (; m_ended < m_enqueued; ++m_ended) {
      const auto answer = Runtime::event_query(event(m_ended));
      if (answer == Runtime::not_ready) {
        Runtime::clear_last_error();
        break;
      }
      gpu_check<Runtime>(answer, "event_query", "copying by pieces");
      StagingWords::set(m_job.words.device, m_job.first + m_ended + 1);
    }
    return m_enqueued + m_ended != before;
  }

 private:
  /// There are as many events as slabs: the previous piece in this piece's slab has ended.
  typename Runtime::event_t event(unsigned k) const noexcept { return m_events[k % m_events.size()].get(); }

  StagingJob& m_job;
  DeviceRows m_device;
  stream_t m_stream;
  unsigned m_pieces;
  unsigned m_enqueued = 0, m_ended = 0;  // pieces
  std::vector<Event<Runtime>> m_events;
};

}  // namespace Kokkos::Impl

#endif
