// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_WORK_MARKER_HPP
#define KOKKOS_GPU_WORK_MARKER_HPP

/// \file
/// Detects whether all work that had been submitted to a device when a marker was placed has ended.
///
/// Work is submitted to three kinds of streams:
///
/// | streams | how the end of their work is detected |
/// |---|---|
/// | ordered with the default stream (note below) | a query of the default stream covers all of them |
/// | of instances that use a stream of the program | one event in each stream with work |
/// | of instances on other devices | the same |
///
/// Ordered with the default stream are the streams of instances that Kokkos creates, streams of the program without the
/// non-blocking flag, and the default stream itself. Streams of the program that are neither ordered with the default
/// stream nor passed to an instance are not covered.
///
/// A query of the default stream is cheap and orders nothing. If the device is never idle, the query never succeeds;
/// then an event in the default stream marks the end of the work. That event is a barrier on the device between all streams that
/// are ordered with the default stream, so a caller should request it rarely.
///
/// All this needs calls with streams that the program may capture. While another thread can capture one of them, or
/// this thread is capturing one, no such call is allowed. Then only a wait for the whole device is possible.

#include <impl/GPU/portable/Kokkos_GPU_CompletionEvent.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// \tparam Streams has two static functions. `visit_unordered(device, f)` calls `f(stream)` with the InstanceStream of
/// each instance of the second and third kind. `visit_default_stream(f)` calls `f()`, or returns false if another thread
/// may capture any stream meanwhile.
template <class Runtime, class Streams>
class GPUWorkMarker {
 public:
  enum class Answer {
    ended,   ///< all work that was submitted before has ended
    marked,  ///< call has_ended()
    unknown  ///< no marker was placed
  };
  /// The means that the caller allows while the device is busy. Each value includes those before it.
  enum class Effort {
    query,    ///< no more than queries
    barrier,  ///< an event in the default stream
    wait      ///< a wait for the device, if nothing else is possible
  };

  /// Whether a query of the default stream covers the streams that are ordered with it. Otherwise only the event does.
  static constexpr bool queries_default_stream = Runtime::default_stream_query_covers_ordered;

  /// Marks the work that has been submitted so far. The caller is in a DeviceScope of `device` and a RelaxedCaptureScope.
  Answer place(int device, Effort effort) {
    Answer answer = Answer::unknown;
    (void)Streams::visit_default_stream([&] {
      if (!is_default_stream_captured()) answer = take_by_streams(device, effort != Effort::query);
    });
    if (answer == Answer::unknown && effort == Effort::wait) {
      WaitScope const waits(WaitReason::pool_barrier);
      if (Impl::wait_for_device<Runtime>(device) == Runtime::success) answer = Answer::ended;
    }
    return answer;
  }

  bool has_ended() {
    while (!m_marks.empty()) {
      if (m_marks.back().event->query(m_marks.back().device) != Runtime::success) {
        Runtime::clear_last_error();
        return false;
      }
      m_marks.pop_back();
    }
    return true;
  }

  /// All work of the stream has ended, and its events must not be queried any more.
  void forget(StreamToken token) noexcept {
    for (std::size_t i = m_marks.size(); i > 0; --i)
      if (m_marks[i - 1].token == token) m_marks.erase(m_marks.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }

 private:
  struct Mark {
    StreamToken token;
    int device;
    std::unique_ptr<CompletionEvent<Runtime>> event;
  };

  static bool is_default_stream_captured() {
    bool capturing = false;
    if (Impl::gpu_succeeded<Runtime>(Runtime::stream_is_capturing(Runtime::default_stream(), &capturing)) && !capturing)
      return false;
    Streams::note_capture_in_default_stream();
    return true;
  }

  Answer take_by_streams(int device, bool barrier_allowed) {
    auto const stream = Runtime::default_stream();
    bool busy         = true;
    if constexpr (queries_default_stream) busy = is_busy(Runtime::stream_query(stream));
    if (busy && !barrier_allowed) return Answer::unknown;
    bool known = true;
    Streams::visit_unordered(device, [&](InstanceStream<Runtime> const& other) { known = mark(other) && known; });
    if (known && busy) known = record(no_stream, device, stream);
    if (!known) {
      m_marks.clear();
      return Answer::unknown;
    }
    return m_marks.empty() ? Answer::ended : Answer::marked;
  }

  /// After an error nothing is known, so the work counts as running. A failed device keeps its memory.
  static bool is_busy(typename Runtime::error_t answer) { return !Impl::gpu_succeeded<Runtime>(answer); }

  bool mark(InstanceStream<Runtime> const& other) {
    bool capturing = false;
    if (Runtime::stream_is_capturing(other.get(), &capturing) != Runtime::success) {
      Runtime::clear_last_error();
      return true;  // the stream was destroyed, and its work has ended
    }
    if (capturing) return false;  // it may contain work from before the capture
    if (!is_busy(Runtime::stream_query(other.get()))) return true;
    DeviceScope<Runtime> scope(other.device());
    return record(other.token(), other.device(), other.get());
  }

  bool record(StreamToken token, int device, typename Runtime::stream_t stream) {
    try {
      auto event = std::make_unique<CompletionEvent<Runtime>>();
      if (Impl::gpu_succeeded<Runtime>(event->record(stream, token == no_stream))) {
        m_marks.push_back({token, device, std::move(event)});
        return true;
      }
    } catch (...) {
      Runtime::clear_last_error();
    }
    return false;
  }

  std::vector<Mark> m_marks;
};

}  // namespace Kokkos::Impl

#endif
