// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: creation, destruction, waits, host functions, values in memory.
#include "fork.hpp"
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace hip_model;

namespace {

constexpr int min_priority = 1, greatest_priority = -1;

// Occasionally removes streams that were destroyed and are idle.
void remember(std::vector<std::weak_ptr<Stream>>& streams, StreamPtr const& stream) {
  auto finished = [](std::weak_ptr<Stream> const& w) {
    StreamPtr s = w.lock();
    return !s || (!s->alive && s->drained());
  };
  if (streams.size() == streams.capacity())
    streams.erase(std::remove_if(streams.begin(), streams.end(), finished), streams.end());
  streams.push_back(stream);
}

hipError_t create_stream(char const* function, hipStream_t* out, unsigned flags, int priority) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!out || (flags & ~unsigned(hipStreamNonBlocking))) return hipErrorInvalidValue;
    Lock lock        = Scheduler::get().lock();
    State& state     = State::get();
    int const device = this_thread().device;
    if (!valid_device(device)) return hipErrorNoDevice;
    if (auto error = check_in_use(call, device)) return error;
    auto stream    = std::make_shared<Stream>();
    stream->device = device;
    stream->flags  = flags;
    stream->number = ++state.devices[device].streams_created;
    ++state.devices[device].objects_made;
    stream->priority = std::clamp(priority, greatest_priority, min_priority);
    stream->history.add(call, "created");
    *out = stream->handle = state.streams.add(stream);
    remember(state.devices[device].streams, stream);
    return hipSuccess;
  });
}

// The forbidden uses of hipStreamSynchronize and hipStreamQuery: on a stream that is being captured, or on the default
// stream while one that is ordered with it is being captured.
hipError_t check_may_ask(Call& call, Lock& lock, StreamPtr const& stream) {
  if (stream->capture) {
    stream->capture->valid = false;
    return call.violation(hipErrorStreamCaptureUnsupported, "capture-forbids",
                          stream->name() + " is being captured; it has no work whose state could be queried",
                          stream.get());
  }
  if (stream->is_default) return check_no_implicit_capture(call, lock, *stream);
  return check_capture_allows(call, lock);
}

template <class T>
hipError_t write_value(char const* function, hipStream_t handle, void* p, T value) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    Operation operation;
    operation.what   = function;
    operation.engine = Engine::kernel;  // as in ROCm
    operation.touches.resize(1);
    if (auto error = touch(call, p, sizeof(T), "value", &operation.touches[0])) return error;
    if (!operation.touches[0].allocation) return hipErrorInvalidValue;
    if (stream->capture) return hipErrorStreamCaptureUnsupported;
    operation.run = [p, value] { std::atomic_ref<T>(*static_cast<T*>(p)).store(value, std::memory_order_release); };
    return submit(call, lock, stream, std::move(operation));
  });
}

template <class T>
bool value_matches(T found, T wanted, T mask, unsigned flags) {
  switch (flags) {
    case hipStreamWaitValueGte:
      return (found & mask) >= wanted;  // unsigned, as ROCm compares
    case hipStreamWaitValueEq:
      return (found & mask) == wanted;
    case hipStreamWaitValueAnd:
      return (found & mask & wanted) != 0;
    default:
      return static_cast<T>(~((found & mask) | wanted)) != 0;
  }
}

template <class T>
hipError_t wait_value(char const* function, hipStream_t handle, void* p, T value, unsigned flags, T mask) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!p || flags > hipStreamWaitValueNor) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    Touch where;
    if (auto error = touch(call, p, sizeof(T), "value", &where)) return error;
    if (!where.allocation) return hipErrorInvalidValue;
    if (current_modes().signal_memory && where.allocation->flags != hipMallocSignalMemory)
      return call.violation(
          hipErrorInvalidValue, "wait-without-signal-memory",
          "the call makes a stream wait for a value in " + where.allocation->description() +
              "; ROCm documents memory that hipExtMallocWithFlags allocates with hipMallocSignalMemory",
          where.allocation.get());
    if (stream->capture) return hipErrorStreamCaptureUnsupported;
    if (auto error = check_no_implicit_capture(call, lock, *stream)) return error;
    Work work;
    work.what  = function;
    work.ready = [=, keep = where.allocation] {
      return value_matches<T>(std::atomic_ref<T>(*static_cast<T*>(p)).load(std::memory_order_acquire), value, mask,
                              flags);
    };
    work.engine = Engine::kernel;
    if (current_modes().one_kernel) {  // a kernel that spins, as in ROCm
      work.run = [reached = std::move(work.ready)] {
        while (!reached()) std::this_thread::sleep_for(std::chrono::microseconds(50));
      };
      work.ready = nullptr;
    }
    enqueue_ordered(lock, stream, std::move(work));
    return hipSuccess;
  });
}

// All host functions of a process run on one thread, one after the other, as in ROCm: a function that waits for another
// one waits forever.
class HostFunctions {
 public:
  static HostFunctions& get() {
    static HostFunctions* functions = new HostFunctions;  // its thread outlives static objects
    return *functions;
  }
  void call(std::function<void()> const& function) {
    std::unique_lock<std::mutex> lock(m_mutex);
    std::uint64_t const mine = ++m_added;
    m_waiting.push_back(&function);
    if (mine == 1) std::thread([this] { work(); }).detach();
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return m_done >= mine; });
  }

 private:
  void work() {
    this_thread().in_host_function = true;
    std::unique_lock<std::mutex> lock(m_mutex);
    while (true) {
      m_changed.wait(lock, [&] { return !m_waiting.empty(); });
      std::function<void()> const& function = *m_waiting.front();
      m_waiting.pop_front();
      lock.unlock();
      function();
      lock.lock();
      ++m_done;
      m_changed.notify_all();
    }
  }
  void forget_threads() {
    forget_waiting_threads(m_changed);
    m_waiting.clear();
    m_added = m_done = 0;
  }

  ForkedMutex m_mutex{ForkedMutex::Order::other,
                      [](void* self) { static_cast<HostFunctions*>(self)->forget_threads(); }, this};
  std::condition_variable m_changed;
  std::deque<std::function<void()> const*> m_waiting;
  std::uint64_t m_added = 0, m_done = 0;
};

}  // namespace

namespace hip_model {
Operation host_operation(hipHostFn_t function, void* data) {
  Operation operation;
  operation.type = hipGraphNodeTypeHost;
  operation.what = "a host function";
  operation.host = {function, data};
  operation.run  = [=] { HostFunctions::get().call([=] { function(data); }); };
  return operation;
}
}  // namespace hip_model

extern "C" {

hipError_t hipStreamCreate(hipStream_t* out) { return create_stream("hipStreamCreate", out, hipStreamDefault, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t* out, unsigned flags) {
  return create_stream("hipStreamCreateWithFlags", out, flags, 0);
}
hipError_t hipStreamCreateWithPriority(hipStream_t* out, unsigned flags, int priority) {
  return create_stream("hipStreamCreateWithPriority", out, flags, priority);
}
// The mask is stored, but kernels use all compute units.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* out, std::uint32_t words, std::uint32_t const* mask) {
  if (!out) return api("hipExtStreamCreateWithCUMask", [](Call&) { return hipErrorInvalidHandle; });
  if (words == 0 || !mask) return api("hipExtStreamCreateWithCUMask", [](Call&) { return hipErrorInvalidValue; });
  hipError_t const made = create_stream("hipExtStreamCreateWithCUMask", out, hipStreamDefault, 0);
  if (made != hipSuccess) return made;
  Lock lock                                      = Scheduler::get().lock();
  State::get().streams.find(*out)->compute_units = {mask, mask + words};
  return hipSuccess;
}
hipError_t hipExtStreamGetCUMask(hipStream_t handle, std::uint32_t words, std::uint32_t* mask) {
  return api("hipExtStreamGetCUMask", [&](Call& call) -> hipError_t {
    auto const units = static_cast<std::uint32_t>(current_profile().compute_units);
    if (!mask || words * 32 < units) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    for (std::uint32_t i = 0; i < words; ++i) {
      std::uint32_t const here = units > 32 * i ? std::min<std::uint32_t>(units - 32 * i, 32) : 0;
      std::uint32_t const all  = here == 32 ? ~0u : (1u << here) - 1;
      bool const given         = i < stream->compute_units.size();
      mask[i]                  = stream->compute_units.empty() ? all : given ? stream->compute_units[i] & all : 0;
    }
    return hipSuccess;
  });
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api("hipDeviceGetStreamPriorityRange", [&](Call&) {
    if (least) *least = min_priority;
    if (greatest) *greatest = greatest_priority;
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  return api("hipStreamDestroy", [&](Call& call) -> hipError_t {
    if (handle == nullptr || handle == hipStreamLegacy) return hipErrorInvalidHandle;
    if (handle == hipStreamPerThread) return hipErrorInvalidResourceHandle;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (stream->capture) {
      stream->capture->valid = false;
      bool const was_ended   = stream->capture->stays;
      if (stream->capture->origin == stream) end_capture_of(lock, stream->capture);
      if (!was_ended)
        (void)call.violation(hipSuccess, "destroyed-while-captured",
                             stream->name() + " was destroyed while it was being captured", stream.get());
      stream->capture = nullptr;
    }
    stream->history.add(call, "destroyed");
    State::get().streams.destroy(handle);  // its remaining work is still done
    return hipSuccess;
  });
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  return api("hipStreamSynchronize", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (auto error = check_may_ask(call, lock, stream)) return error;
    if (stream->is_default) {
      wait_for_default_stream(lock, stream->device);
    } else if (current_modes().locked_streams) {
      stream->locked_by = this_thread().number;
      wait_for(lock, stream->last);
      stream->locked_by = 0;
      Scheduler::get().notify();
    } else {
      wait_for(lock, stream->last);
    }
    lock.unlock();
    return sticky_error_of_device();
  });
}

hipError_t hipStreamQuery(hipStream_t handle) {
  return api("hipStreamQuery", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (auto error = check_may_ask(call, lock, stream)) return error;
    bool done = stream->drained();
    if (stream->is_default)  // its next work would wait for the streams that are ordered with it
      for (auto const& weak : State::get().devices[stream->device].streams)
        if (StreamPtr other = weak.lock(); other && other->ordered_with_default()) done = done && other->drained();
    return done ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  return api("hipStreamGetFlags", [&](Call& call) -> hipError_t {
    if (!flags || !handle) return hipErrorInvalidValue;  // ROCm refuses the default stream
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    *flags = stream->flags;
    return hipSuccess;
  });
}

hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  return api("hipStreamGetPriority", [&](Call& call) -> hipError_t {
    if (!priority) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    *priority = stream->priority;
    return hipSuccess;
  });
}

hipError_t hipStreamGetDevice(hipStream_t handle, hipDevice_t* device) {
  return api("hipStreamGetDevice", [&](Call& call) -> hipError_t {
    if (!device) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    *device = stream->device;
    return hipSuccess;
  });
}

int hipGetStreamDeviceId(hipStream_t handle) {
  Call call("hipGetStreamDeviceId");
  Lock lock = Scheduler::get().lock();
  StreamPtr stream;
  return find_stream(call, lock, handle, &stream) == hipSuccess ? stream->device : -1;
}

hipError_t hipLaunchHostFunc(hipStream_t handle, hipHostFn_t function, void* data) {
  return api("hipLaunchHostFunc", [&](Call& call) -> hipError_t {
    if (!function) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (stream->capture && current_profile().captures_refuse_host_functions) {
      stream->capture->valid = false;
      return call.violation(hipErrorStreamCaptureUnsupported, "capture-forbids",
                            stream->name() + " is being captured, and this version of ROCm captures no host functions",
                            stream.get());
    }
    return submit(call, lock, stream, host_operation(function, data));
  });
}

hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* data, unsigned flags) {
  return api("hipStreamAddCallback", [&](Call& call) -> hipError_t {
    if (!callback || flags != 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (stream->capture) return hipErrorStreamCaptureUnsupported;
    Operation operation;
    operation.what = "a callback";
    operation.run  = [=] { HostFunctions::get().call([=] { callback(handle, hipSuccess, data); }); };
    return submit(call, lock, stream, std::move(operation));
  });
}

hipError_t hipStreamWriteValue32(hipStream_t s, void* p, std::uint32_t value, unsigned) {
  return write_value("hipStreamWriteValue32", s, p, value);
}
hipError_t hipStreamWriteValue64(hipStream_t s, void* p, std::uint64_t value, unsigned) {
  return write_value("hipStreamWriteValue64", s, p, value);
}
hipError_t hipStreamWaitValue32(hipStream_t s, void* p, std::uint32_t value, unsigned flags, std::uint32_t mask) {
  return wait_value("hipStreamWaitValue32", s, p, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t s, void* p, std::uint64_t value, unsigned flags, std::uint64_t mask) {
  return wait_value("hipStreamWaitValue64", s, p, value, flags, mask);
}
}
