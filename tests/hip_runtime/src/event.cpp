// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modes.hpp"
#include "state.hpp"

#include <bit>

using namespace hip_model;

namespace {

hipError_t create_event(char const* function, hipEvent_t* out, unsigned flags) {
  return api(function, [&](Call& call) -> hipError_t {
    constexpr unsigned disable_system_fence = 0x20000000;  // hipEventDisableSystemFence, since ROCm 5.6
    constexpr unsigned fences               = hipEventReleaseToDevice | hipEventReleaseToSystem | disable_system_fence;
    constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | fences;
    if (!out || (flags & ~known) || std::popcount(flags & fences) > 1 ||
        ((flags & hipEventInterprocess) && !(flags & hipEventDisableTiming)))
      return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (!valid_device(this_thread().device)) return hipErrorNoDevice;
    auto event    = std::make_shared<Event>();
    event->device = this_thread().device;
    event->flags  = flags;
    event->history.add(call, "created");
    ++State::get().devices[event->device].objects_made;
    *out = State::get().events.add(event);
    return hipSuccess;
  });
}

// An event whose stream has been destroyed must not be waited for. The profile determines the result on its platform;
// the attempt is reported in any case.
hipError_t check_stream_alive(Call& call, Event const& event, hipError_t error) {
  if (!event.stream || event.stream->alive || event.stream->is_default || event.stream->internal) return hipSuccess;
  return call.violation(error, "event-of-destroyed-stream",
                        event.name() + " was last recorded in " + event.stream->name() + ", which has been destroyed",
                        &event, event.stream.get());
}

hipError_t check_not_captured(Call& call, Event const& event) {
  if (!event.capture && event.stream && event.stream->capture && current_profile().events_share_capture_of_stream) {
    event.stream->capture->valid = false;
    return call.violation(hipErrorCapturedEvent, "event-of-captured-stream",
                          event.name() + " was recorded in " + event.stream->name() +
                              " before the capture that is in progress there; the call invalidates that capture",
                          &event, event.stream.get());
  }
  if (!event.capture) return hipSuccess;
  if (!event.capture->ended) event.capture->valid = false;
  return call.violation(
      hipErrorCapturedEvent, "captured-event",
      event.name() +
          " was last recorded in a stream that was being captured; nothing can wait for it but another stream",
      &event);
}

// Whether a capture forbids the calling thread to query an event or to wait for it.
hipError_t check_capture_allows_events(Call& call, Lock& lock) {
  return current_profile().events_ignore_mode_of_thread ? check_capture_allows(call, lock, hipStreamCaptureModeGlobal)
                                                        : check_capture_allows(call, lock);
}

hipError_t record_event(Call& call, Lock& lock, EventPtr const& event, StreamPtr const& stream) {
  if (event->device != stream->device)
    return call.violation(hipErrorInvalidHandle, "event-of-other-device",
                          event->name() + " is of device " + std::to_string(event->device) + " and " + stream->name() +
                              " of device " + std::to_string(stream->device),
                          event.get());
  event->history.add(call, "recorded");
  if (stream->capture) {
    if (!stream->capture->valid) return hipErrorStreamCaptureInvalidated;
    if (current_modes().captures_as_cuda && stream->capture->thread != this_thread().number) {
      stream->capture->valid = false;
      return call.violation(hipErrorStreamCaptureWrongThread, "capture-by-other-thread",
                            stream->name() + " is being captured by thread " + std::to_string(stream->capture->thread) +
                                ", and thread " + std::to_string(this_thread().number) + " records an event in it",
                            event.get(), stream.get());
    }
    event->capture        = stream->capture;
    event->captured_after = stream->tail;
    event->stream         = stream;
    event->recorded       = nullptr;
    return hipSuccess;
  }
  if (auto error = check_no_implicit_capture(call, lock, *stream)) return error;
  Work work;
  work.what       = "recording an event";
  event->recorded = enqueue_ordered(lock, stream, std::move(work));
  event->stream   = stream;
  event->capture  = nullptr;
  event->captured_after.clear();
  return hipSuccess;
}

// hipStreamWaitEvent during a capture in the waiting stream or in the event's stream.
hipError_t wait_in_capture(Call& call, Event const& event, StreamPtr const& stream) {
  if (!event.capture)
    return call.violation(
        hipErrorStreamCaptureIsolation, "capture-isolation",
        stream->name() + " is being captured and cannot wait for an event from outside of the capture", &event);
  if (event.capture->ended || !event.capture->valid) return hipErrorStreamCaptureInvalidated;
  if (stream->capture && stream->capture != event.capture) return hipErrorStreamCaptureMerge;
  if (stream->is_default) return hipErrorStreamCaptureImplicit;
  if (!stream->capture) {
    stream->capture = event.capture;
    stream->tail.clear();
    event.capture->streams.push_back(stream);
  }
  for (NodePtr const& node : event.captured_after) stream->tail.push_back(node);
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipEventCreate(hipEvent_t* out) { return create_event("hipEventCreate", out, hipEventDefault); }
hipError_t hipEventCreateWithFlags(hipEvent_t* out, unsigned flags) {
  return create_event("hipEventCreateWithFlags", out, flags);
}

hipError_t hipEventDestroy(hipEvent_t handle) {
  return api("hipEventDestroy", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    EventPtr event;
    if (auto error =
            find_object(call, State::get().events, handle,
                        handle ? current_profile().destroyed_event_again : hipErrorInvalidHandle, "event", &event))
      return error;
    event->history.add(call, "destroyed");
    State::get().events.destroy(handle);
    event->stream  = nullptr;
    event->capture = nullptr;
    event->captured_after.clear();
    return hipSuccess;
  });
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream_handle) {
  return api("hipEventRecord", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    EventPtr event;
    StreamPtr stream;
    if (auto error = find_event(call, lock, handle, &event)) return error;
    if (auto error = find_stream(call, lock, stream_handle, &stream)) return error;
    return record_event(call, lock, event, stream);
  });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  return api("hipEventSynchronize", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    EventPtr event;
    if (auto error = find_event(call, lock, handle, &event)) return error;
    if (auto error = check_stream_alive(call, *event, current_profile().event_of_destroyed_stream)) return error;
    if (auto error = check_not_captured(call, *event)) return error;
    // A default stream takes no part in captures.
    if (event->stream && !event->stream->is_default)
      if (auto error = check_capture_allows_events(call, lock)) return error;
    wait_for(lock, event->recorded);
    lock.unlock();
    return sticky_error_of_device();
  });
}

hipError_t hipEventQuery(hipEvent_t handle) {
  return api("hipEventQuery", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    EventPtr event;
    if (auto error = find_event(call, lock, handle, &event)) return error;
    if (auto error = check_stream_alive(call, *event, current_profile().event_of_destroyed_stream)) return error;
    if (auto error = check_not_captured(call, *event)) return error;
    if (!current_profile().event_query_ignores_captures_elsewhere)
      if (auto error = check_capture_allows_events(call, lock)) return error;
    return !event->recorded || event->recorded->done ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start_handle, hipEvent_t stop_handle) {
  return api("hipEventElapsedTime", [&](Call& call) -> hipError_t {
    if (!milliseconds) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    EventPtr start, stop;
    if (auto error = find_event(call, lock, start_handle, &start)) return error;
    if (auto error = find_event(call, lock, stop_handle, &stop)) return error;
    if (start->device != stop->device) return hipErrorInvalidHandle;
    if ((start->flags | stop->flags) & hipEventDisableTiming) return hipErrorInvalidHandle;
    if (!start->recorded || !stop->recorded) return hipErrorInvalidHandle;
    if (!start->recorded->done || !stop->recorded->done) return hipErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(stop->recorded->when - start->recorded->when).count();
    return hipSuccess;
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream_handle, hipEvent_t handle, unsigned flags) {
  return api("hipStreamWaitEvent", [&](Call& call) -> hipError_t {
    if (flags != 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    EventPtr event;
    StreamPtr stream;
    if (auto error = find_event(call, lock, handle, &event)) return error;
    if (find_stream(call, lock, stream_handle, &stream) != hipSuccess) return hipErrorInvalidHandle;
    if (stream->capture || event->capture) return wait_in_capture(call, *event, stream);
    if (event->stream && event->stream->capture && current_profile().events_share_capture_of_stream)
      return hipErrorStreamCaptureIsolation;
    if (current_profile().wait_for_event_of_destroyed_stream) {
      if (event->stream && !event->stream->alive) return hipSuccess;
    } else if (auto error = check_stream_alive(call, *event, hipErrorInvalidHandle)) {
      return error;
    }
    if (auto error = check_no_implicit_capture(call, lock, *stream)) return error;
    if (!event->recorded || event->recorded->done) return hipSuccess;
    Work work;
    work.what = "waiting for an event";
    work.after.push_back(event->recorded);
    enqueue_ordered(lock, stream, std::move(work));
    return hipSuccess;
  });
}
}
