// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.hpp"

#include "../hip_model.hpp"
#include "reports.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace hip_model {

namespace {
int devices_wanted = 0;  // before the first call of HIP

StreamPtr make_internal_stream(int device) {
  auto stream      = std::make_shared<Stream>();
  stream->internal = true;
  stream->device   = device;
  return stream;
}
}  // namespace

State::State() {
  char const* wanted = std::getenv("HIP_MODEL_DEVICES");
  int const count    = devices_wanted > 0 ? devices_wanted : wanted ? std::atoi(wanted) : 1;
  devices.resize(static_cast<std::size_t>(std::clamp(count, 0, 64)));
  for (int i = 0; i < int(devices.size()); ++i) {
    devices[i].default_stream             = make_internal_stream(i);
    devices[i].default_stream->is_default = true;
    auto pool                             = std::make_shared<MemoryPool>();
    pool->internal                        = true;
    pool->device                          = i;
    default_pools.push_back(pools.add(pool));
  }
  current_pools = default_pools;
}

State& State::get() {
  static State* state = new State;
  return *state;
}

void set_device_count(int devices) { devices_wanted = devices; }
int device_count() { return int(State::get().devices.size()); }
bool valid_device(int device) { return device >= 0 && device < device_count(); }
StreamPtr default_stream(int device) { return State::get().devices[device].default_stream; }

hipError_t check_in_use(Call& call, int device) {
  static char const* const idle = std::getenv("HIP_MODEL_IDLE_DEVICE");
  if (idle == nullptr || device != std::atoi(idle)) return hipSuccess;
  return call.violation(hipErrorInvalidDevice, "idle-device",
                        "device " + std::to_string(device) + " is to have no work");
}

hipError_t find_stream(Call& call, Lock& lock, hipStream_t handle, StreamPtr* out) {
  State& state     = State::get();
  int const device = this_thread().device;
  if (!valid_device(device)) return hipErrorNoDevice;
  if (handle == nullptr || handle == hipStreamLegacy) {
    *out = default_stream(device);
    return hipSuccess;
  }
  if (handle == hipStreamPerThread) {
    StreamPtr& stream = state.per_thread_streams[{this_thread().number, device}];
    if (!stream) {
      stream = make_internal_stream(device);
      state.devices[device].streams.push_back(stream);
    }
    *out = stream;
    return hipSuccess;
  }
  if (auto error = find_object(call, state.streams, handle, current_profile().destroyed_stream, "stream", out))
    return error;
  int const me = this_thread().number;
  Scheduler::get().wait(lock, [&] { return (*out)->locked_by == 0 || (*out)->locked_by == me; });
  return hipSuccess;
}

hipError_t find_event(Call& call, Lock&, hipEvent_t handle, EventPtr* out) {
  return find_object(call, State::get().events, handle, hipErrorInvalidHandle, "event", out);
}

CompletionPtr enqueue_ordered(Lock& lock, StreamPtr const& stream, Work work) {
  Device& device = State::get().devices[stream->device];
  auto add       = [&](CompletionPtr const& c) {
    if (c && !c->done) work.after.push_back(c);
  };
  if (stream->is_default) {
    for (auto& weak : device.streams)
      if (StreamPtr other = weak.lock(); other && other->ordered_with_default()) add(other->last);
  } else if (stream->ordered_with_default()) {
    add(device.default_stream->last);
  }
  CompletionPtr completion = work.completion;
  // A queue executes one piece of work after the other, even of different streams. A wait for an event is a barrier
  // packet.
  if (int const queues = current_modes().queues) {
    int const queue     = work.engine == Engine::copy ? -1 : stream->number % queues;
    CompletionPtr& last = device.last_of_queue[queue];
    add(last);
    last = completion;
  }
  Scheduler::get().enqueue(lock, stream, std::move(work));
  if (current_modes().at_once) wait_for(lock, completion);
  return completion;
}

void wait_for(Lock& lock, CompletionPtr completion) {
  if (completion) Scheduler::get().wait(lock, [&] { return completion->done; });
}

namespace {
bool all_done(std::vector<CompletionPtr> const& all) {
  return std::all_of(all.begin(), all.end(), [](CompletionPtr const& c) { return !c || c->done; });
}
}  // namespace

void wait_for_default_stream(Lock& lock, int device) {
  Device& d = State::get().devices[device];
  std::vector<CompletionPtr> wanted{d.default_stream->last};
  for (auto& weak : d.streams)
    if (StreamPtr other = weak.lock(); other && other->ordered_with_default()) wanted.push_back(other->last);
  Scheduler::get().wait(lock, [&] { return all_done(wanted); });
}

void wait_for_device(Lock& lock, int device) {
  std::vector<CompletionPtr> wanted{default_stream(device)->last};
  for (auto& weak : State::get().devices[device].streams)
    if (StreamPtr other = weak.lock()) wanted.push_back(other->last);
  Scheduler::get().wait(lock, [&] { return all_done(wanted); });
}

namespace {
std::deque<Submission> submitted;  // guarded by Scheduler::lock
std::size_t submitted_before = 0;

void record_submission(StreamPtr const& stream, Operation const& operation) {
  bool const moves_bytes = operation.type == hipGraphNodeTypeMemcpy || operation.type == hipGraphNodeTypeMemset;
  submitted.push_back({operation.what, moves_bytes && !operation.touches.empty() ? operation.touches[0].bytes : 0,
                       stream->is_default ? nullptr : stream->handle, stream->device, this_thread().device});
  if (submitted.size() <= 4096) return;
  submitted.pop_front();
  ++submitted_before;
}
}  // namespace

std::vector<Submission> submissions() {
  Lock lock = Scheduler::get().lock();
  return {submitted.begin(), submitted.end()};
}
std::size_t submission_count() {
  Lock lock = Scheduler::get().lock();
  return submitted_before + submitted.size();
}

std::size_t objects_made(int device) {
  Lock lock = Scheduler::get().lock();
  return State::get().devices.at(static_cast<std::size_t>(device)).objects_made;
}

hipError_t submit(Call& call, Lock& lock, StreamPtr const& stream, Operation operation) {
  if (auto error = check_in_use(call, this_thread().device)) return error;
  record_submission(stream, operation);
  if (stream->capture) {
    if (!stream->capture->valid) return hipErrorStreamCaptureInvalidated;
    NodePtr node = add_node(*stream->capture->graph, stream->capture->graph, std::move(operation), stream->tail);
    node->history.add(call, "captured");
    stream->tail = {node};
    return hipSuccess;
  }
  if (auto error = check_no_implicit_capture(call, lock, *stream)) return error;
  Work work;
  work.what   = operation.what;
  work.engine = operation.engine;
  work.run    = [op = std::move(operation)] { op.perform(); };
  enqueue_ordered(lock, stream, std::move(work));
  return hipSuccess;
}

hipError_t submit_and_wait(Call& call, Lock& lock, StreamPtr const& stream, Operation operation) {
  bool const captured = stream->capture != nullptr;
  if (auto error = submit(call, lock, stream, std::move(operation))) return error;
  if (!captured) wait_for(lock, stream->last);
  return hipSuccess;
}

}  // namespace hip_model
