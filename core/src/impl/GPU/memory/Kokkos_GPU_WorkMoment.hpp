// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_WORK_MOMENT_HPP
#define KOKKOS_GPU_WORK_MOMENT_HPP

/// \file
/// Detects whether all work that had been submitted to a device at a certain moment has ended.
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
/// then an event in the default stream marks the moment. That event is a barrier on the device between all streams that
/// are ordered with the default stream, so a caller should request it rarely.
///
/// While a stream that is ordered with the default stream is being captured, neither method is possible, so no moment
/// can be taken.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// \tparam Streams has a static function `visit_unordered(device, f)`, which calls `f(stream)` with the InstanceStream
/// of each instance of the second and third kind.
template <class Runtime, class Streams>
class GPUWorkMoment {
 public:
  enum class Answer {
    ended,   ///< all work that was submitted before has ended
    marked,  ///< call has_ended()
    unknown  ///< no moment was taken: a capture is in progress, or the device is busy and no barrier is allowed
  };

  /// Whether a query of the default stream covers the streams that are ordered with it. Otherwise only the event does.
  static constexpr bool queries_default_stream = Runtime::default_stream_query_covers_ordered;

  /// Takes the current moment. The caller is in a DeviceScope of `device` and a RelaxedCaptureScope.
  Answer take(int device, bool barrier_allowed) {
    bool capturing     = false;
    const auto stream  = Runtime::default_stream();
    const auto capture = Runtime::stream_is_capturing(stream, &capturing);
    if (capture != Runtime::success) Runtime::clear_last_error();
    if (capture != Runtime::success || capturing) return Answer::unknown;
    bool busy = true;
    if constexpr (queries_default_stream) busy = is_busy(Runtime::stream_query(stream));
    if (busy && !barrier_allowed) return Answer::unknown;
    bool known = true;
    Streams::visit_unordered(device, [&](InstanceStream<Runtime> const& other) { known = mark(other) && known; });
    if (known && busy) known = mark_default(stream);
    if (!known) {
      m_marks.clear();
      return Answer::unknown;
    }
    return m_marks.empty() ? Answer::ended : Answer::marked;
  }

  bool has_ended() {
    while (!m_marks.empty()) {
      if (is_busy(Runtime::event_query(m_marks.back().event->get()))) return false;
      m_marks.pop_back();
    }
    return true;
  }

  void wait() {
    for (Mark const& mark : m_marks)
      if (Runtime::event_synchronize(mark.event->get()) != Runtime::success) Runtime::clear_last_error();
    m_marks.clear();
  }

  /// All work of the stream has ended, and its events must not be queried any more.
  void forget(StreamToken token) noexcept {
    for (std::size_t i = m_marks.size(); i > 0; --i)
      if (m_marks[i - 1].token == token) m_marks.erase(m_marks.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }

 private:
  struct Mark {
    StreamToken token;
    std::unique_ptr<Event<Runtime>> event;
  };

  /// A failed device runs nothing any more, so only `not_ready` counts as busy.
  static bool is_busy(typename Runtime::error_t answer) {
    if (answer == Runtime::success) return false;
    Runtime::clear_last_error();
    return answer == Runtime::not_ready;
  }

  bool mark(InstanceStream<Runtime> const& other) {
    bool capturing = false;
    if (Runtime::stream_is_capturing(other.get(), &capturing) != Runtime::success) {
      Runtime::clear_last_error();
      return true;  // the stream was destroyed, and its work has ended
    }
    if (capturing) return false;  // it may contain work from before the capture
    if (!is_busy(Runtime::stream_query(other.get()))) return true;
    DeviceScope<Runtime> scope(other.device());
    return record(other.token(), other.get());
  }
  bool mark_default(typename Runtime::stream_t stream) { return record(no_stream, stream); }

  bool record(StreamToken token, typename Runtime::stream_t stream) {
    try {
      auto event = std::make_unique<Event<Runtime>>();
      if (Runtime::event_record(event->get(), stream) == Runtime::success) {
        m_marks.push_back({token, std::move(event)});
        return true;
      }
      Runtime::clear_last_error();
    } catch (...) {
      Runtime::clear_last_error();
    }
    return false;
  }

  std::vector<Mark> m_marks;
};

}  // namespace Kokkos::Impl

#endif
