// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COMPLETION_EVENT_HPP
#define KOKKOS_GPU_COMPLETION_EVENT_HPP

/// \file
/// Events that any thread may query, also while the stream in which they were recorded is being captured.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Whether a query of an event invalidates a capture that is in progress in the stream in which the event was recorded
/// before. If so, the runtime also has `stream_create_unordered` and `stream_wait_event`.
template <class Runtime, class = void>
struct EventQueryBreaksCapture : std::false_type {};
template <class Runtime>
struct EventQueryBreaksCapture<Runtime, std::void_t<decltype(Runtime::event_query_breaks_capture)>>
    : std::bool_constant<Runtime::event_query_breaks_capture> {};

/// One stream for each device that no program captures. It waits for the events of streams that a program may capture.
template <class Runtime>
class ObservingStreams {
 public:
  static constexpr int max_devices = 64;

  /// \throws GPUError if the stream cannot be created
  static typename Runtime::stream_t of(int device) {
    std::lock_guard<std::mutex> lock(mutex());
    auto& stream = streams()[device];
    if (!stream) {
      DeviceScope<Runtime> scope(device);
      RelaxedCaptureScope<Runtime> relaxed;
      gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered",
                         "making a stream that observes events");
    }
    return stream;
  }
  /// Called by finalize, when no event is observed any more.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    for (int device = 0; device < max_devices; ++device)
      if (auto stream = std::exchange(streams()[device], nullptr)) {
        (void)gpu_succeeded<Runtime>(Runtime::stream_synchronize(stream));
        (void)gpu_succeeded<Runtime>(Runtime::stream_destroy(stream));
      }
  }

 private:
  static typename Runtime::stream_t* streams() {
    static typename Runtime::stream_t all[max_devices] = {};
    return all;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
};

/// An event that marks the end of a stream's work so far. A thread that submits work to the stream records it; any
/// thread may query it, also while the stream is being captured.
///
/// Some runtimes refuse a query of an event while the stream in which it was recorded is being captured, and invalidate
/// that capture. Then an observing stream waits for the event. This changes nothing if it is refused, and succeeds as
/// soon as the capture has ended. Queries are then about an event in the observing stream.
template <class Runtime>
class CompletionEvent {
 public:
  using error_t = typename Runtime::error_t;

  /// Must not be called while the stream is being captured. The default stream never is.
  error_t record(typename Runtime::stream_t stream, bool is_default_stream = false) {
    m_is_observed = false;
    m_is_direct   = is_default_stream || !EventQueryBreaksCapture<Runtime>::value;
    return Runtime::event_record(m_event.get(), stream);
  }
  /// \return success only if the work has ended; not_ready if it has not, or if nothing is known
  error_t query([[maybe_unused]] int device) {
    if constexpr (EventQueryBreaksCapture<Runtime>::value) {
      if (!m_is_direct) return observe(device) ? Runtime::event_query(m_observed->get()) : Runtime::not_ready;
    }
    return Runtime::event_query(m_event.get());
  }
  error_t synchronize([[maybe_unused]] int device) {
    if constexpr (EventQueryBreaksCapture<Runtime>::value) {
      if (!m_is_direct)
        return observe(device) ? Runtime::event_synchronize(m_observed->get()) : wait_for_device<Runtime>(device);
    }
    return Runtime::event_synchronize(m_event.get());
  }

 private:
  /// Whether m_observed marks the end of the same work. A failure is no error: the next query tries again.
  bool observe(int device) noexcept {
    if (m_is_observed) return true;
    try {
      auto const observer = ObservingStreams<Runtime>::of(device);
      if (!m_observed) {
        DeviceScope<Runtime> scope(device);  // an event can be recorded in streams of its device only
        m_observed = std::make_unique<Event<Runtime>>();
      }
      m_is_observed = gpu_succeeded<Runtime>(Runtime::stream_wait_event(observer, m_event.get())) &&
                      gpu_succeeded<Runtime>(Runtime::event_record(m_observed->get(), observer));
    } catch (std::exception const&) {
    }
    return m_is_observed;
  }

  Event<Runtime> m_event;
  std::unique_ptr<Event<Runtime>> m_observed;
  bool m_is_observed = false;
  bool m_is_direct   = true;
};

}  // namespace Kokkos::Impl

#endif
