// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of a stream's launches as a graph.
#include "state.hpp"

#include <algorithm>

namespace hip_model {

namespace {

// The capture that forbids the calling thread an unsafe call, if there is one. A thread in global mode is restricted by
// its own captures and by those that any thread began in global mode; in thread-local mode by its own; in relaxed mode
// by none. Captures that began in relaxed mode restrict no thread.
Capture* forbidding_capture(hipStreamCaptureMode mode) {
  ThreadState const& thread = this_thread();
  if (mode == hipStreamCaptureModeRelaxed) return nullptr;
  for (CapturePtr const& c : State::get().captures) {
    if (c->mode == hipStreamCaptureModeRelaxed) continue;
    if (c->thread == thread.number) return c.get();
    if (c->mode == hipStreamCaptureModeGlobal && mode == hipStreamCaptureModeGlobal) return c.get();
  }
  return nullptr;
}

}  // namespace

hipError_t check_capture_allows(Call& call, Lock& lock) { return check_capture_allows(call, lock, this_thread().mode); }

hipError_t check_capture_allows(Call& call, Lock&, hipStreamCaptureMode mode) {
  Capture* capture = forbidding_capture(mode);
  if (!capture) return hipSuccess;
  capture->valid = false;
  return call.violation(hipErrorStreamCaptureUnsupported, "capture-forbids",
                        "a capture of " + capture->origin->name() + ", begun by thread " +
                            std::to_string(capture->thread) + ", forbids this call to thread " +
                            std::to_string(this_thread().number) +
                            ", and is spoilt by it; hipThreadExchangeStreamCaptureMode would have allowed it",
                        capture->origin.get());
}

hipError_t check_no_implicit_capture(Call& call, Lock&, Stream const& stream) {
  if (!stream.is_default) return hipSuccess;
  for (CapturePtr const& c : State::get().captures)
    for (StreamPtr const& s : c->streams)
      if (s->device == stream.device && s->ordered_with_default()) {
        c->valid = false;
        return call.violation(
            hipErrorStreamCaptureImplicit, "capture-implicit",
            "the default stream is ordered with " + s->name() + ", which is being captured and cannot take part",
            s.get());
      }
  return hipSuccess;
}

void end_capture_of(Lock&, CapturePtr capture) {
  capture->ended = true;
  for (StreamPtr const& s : capture->streams) {
    s->capture = nullptr;
    s->tail.clear();
  }
  auto& all = State::get().captures;
  all.erase(std::remove(all.begin(), all.end(), capture), all.end());
  capture->graph->under_capture = false;
  if (!capture->valid && !capture->of_program) destroy_graph(capture->graph);
}

namespace {

// Streams that joined must have returned: the origin's next node would have to depend on all of their last nodes.
bool all_joined(Capture const& c) {
  std::vector<NodePtr> reached = c.origin->tail;
  reached.insert(reached.end(), c.let_go.begin(), c.let_go.end());
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (auto const& w : reached[i]->after)
      if (NodePtr n = w.lock(); n && std::find(reached.begin(), reached.end(), n) == reached.end())
        reached.push_back(n);
  for (StreamPtr const& s : c.streams)
    for (NodePtr const& n : s->tail)
      if (std::find(reached.begin(), reached.end(), n) == reached.end()) return false;
  return true;
}

bool is_captured_implicitly(Stream const& stream) {
  if (!stream.is_default) return false;
  for (CapturePtr const& c : State::get().captures)
    for (StreamPtr const& s : c->streams)
      if (s->device == stream.device && s->ordered_with_default()) return true;
  return false;
}

template <class Body>
hipError_t ask_stream(char const* function, hipStream_t handle, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    // This error does not invalidate the other capture.
    if (is_captured_implicitly(*stream)) return hipErrorStreamCaptureImplicit;
    return body(call, lock, stream);
  });
}

hipStreamCaptureStatus status_of(Stream const& s) {
  if (!s.capture) return hipStreamCaptureStatusNone;
  return s.capture->valid ? hipStreamCaptureStatusActive : hipStreamCaptureStatusInvalidated;
}

}  // namespace

hipError_t begin_capture(Call& call, Lock& lock, hipStream_t handle, hipStreamCaptureMode mode, GraphPtr graph,
                         std::vector<NodePtr> const& after) {
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return hipErrorInvalidValue;
  StreamPtr stream;
  if (auto error = find_stream(call, lock, handle, &stream)) return error;
  if (stream->is_default)
    return call.violation(hipErrorStreamCaptureUnsupported, "capture-default-stream",
                          "the default stream cannot be captured");
  if (stream->capture)
    return call.violation(hipErrorIllegalState, "captured-twice", stream->name() + " is already being captured",
                          stream.get());
  static std::uint64_t last_id  = 0;
  auto capture                  = std::make_shared<Capture>();
  capture->id                   = ++last_id;
  capture->mode                 = mode;
  capture->thread               = this_thread().number;
  capture->of_program           = graph != nullptr;
  capture->graph                = graph ? graph : make_graph();
  capture->graph->under_capture = true;
  capture->graph->history.add(call, "begun");
  capture->origin = stream;
  capture->streams.push_back(stream);
  stream->capture = capture;
  stream->tail    = after;
  stream->history.add(call, "captured");
  State::get().captures.push_back(capture);
  return hipSuccess;
}

}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode mode) {
  return api("hipStreamBeginCapture", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    return begin_capture(call, lock, handle, mode, nullptr, {});
  });
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* out) {
  return api("hipStreamEndCapture", [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    *out               = nullptr;
    CapturePtr capture = stream->capture;
    if (!capture)
      return call.violation(hipErrorIllegalState, "not-captured", stream->name() + " is not being captured",
                            stream.get());
    if (capture->origin != stream)
      return call.violation(
          hipErrorStreamCaptureUnmatched, "capture-unmatched",
          stream->name() + " joined the capture of " + capture->origin->name() + ", where it must end", stream.get());
    if (capture->mode != hipStreamCaptureModeRelaxed && capture->thread != this_thread().number)
      return call.violation(
          hipErrorStreamCaptureWrongThread, "capture-wrong-thread",
          "the capture of " + stream->name() + " was begun by thread " + std::to_string(capture->thread), stream.get());
    hipError_t error = capture->valid ? hipSuccess : hipErrorStreamCaptureInvalidated;
    if (error == hipSuccess && !all_joined(*capture)) {
      capture->valid = false;
      error          = call.violation(hipErrorStreamCaptureUnjoined, "capture-unjoined",
                                      "streams that joined the capture have not come back", stream.get());
    }
    if (error == hipErrorStreamCaptureInvalidated && current_profile().invalidated_captures_stay) {
      capture->stays = true;
      return error;
    }
    if (error == hipSuccess) *out = capture->graph->handle;
    stream->history.add(call, "capture ended");
    capture->graph->history.add(call, "made");
    end_capture_of(lock, capture);
    return error;
  });
}

hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  if (!status) return api("hipStreamIsCapturing", [](Call&) { return hipErrorInvalidValue; });
  return api("hipStreamIsCapturing", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    // For a default stream that is ordered with one under capture, an error reports this, without invalidating the
    // capture.
    if (is_captured_implicitly(*stream)) return hipErrorStreamCaptureImplicit;
    *status = status_of(*stream);
    return hipSuccess;
  });
}

hipError_t hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id) {
  if (!status) return api("hipStreamGetCaptureInfo", [](Call&) { return hipErrorInvalidValue; });
  return ask_stream("hipStreamGetCaptureInfo", handle, [&](Call&, Lock&, StreamPtr const& s) {
    *status = status_of(*s);
    if (s->capture && id) *id = s->capture->id;
    return hipSuccess;
  });
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, hipGraphNode_t const** dependencies, size_t* count) {
  if (!status) return api("hipStreamGetCaptureInfo_v2", [](Call&) { return hipErrorInvalidValue; });
  return ask_stream("hipStreamGetCaptureInfo_v2", handle, [&](Call&, Lock&, StreamPtr const& s) {
    *status = status_of(*s);
    if (*status != hipStreamCaptureStatusActive) return hipSuccess;
    if (id) *id = s->capture->id;
    if (graph) *graph = s->capture->graph->handle;
    // The array is valid until the thread's next query.
    thread_local std::vector<hipGraphNode_t> handles;
    handles.clear();
    for (NodePtr const& n : s->tail) handles.push_back(n->handle);
    if (dependencies) *dependencies = handles.data();
    if (count) *count = handles.size();
    return hipSuccess;
  });
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies, size_t count,
                                              unsigned flags) {
  return ask_stream(
      "hipStreamUpdateCaptureDependencies", handle, [&](Call& call, Lock&, StreamPtr const& s) -> hipError_t {
        if (flags > hipStreamSetCaptureDependencies || (count && !dependencies)) return hipErrorInvalidValue;
        if (!s->capture) return hipErrorIllegalState;
        std::vector<NodePtr> nodes;
        for (size_t i = 0; i < count; ++i) {
          NodePtr node;
          if (auto error =
                  find_object(call, State::get().nodes, dependencies[i], hipErrorInvalidValue, "graph node", &node))
            return error;
          nodes.push_back(node);
        }
        if (flags == hipStreamSetCaptureDependencies) {
          // Dependencies that the program removes need not be joined.
          s->capture->let_go.insert(s->capture->let_go.end(), s->tail.begin(), s->tail.end());
          s->tail.clear();
        }
        s->tail.insert(s->tail.end(), nodes.begin(), nodes.end());
        return hipSuccess;
      });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api("hipThreadExchangeStreamCaptureMode", [&](Call&) -> hipError_t {
    if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) return hipErrorInvalidValue;
    std::swap(*mode, this_thread().mode);
    return hipSuccess;
  });
}
}
