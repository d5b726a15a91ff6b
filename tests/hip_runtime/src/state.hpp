// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_STATE_HPP
#define KOKKOS_TEST_HIP_MODEL_STATE_HPP

/// \file
/// Devices and tables of handles, and the functions of HIP's calls that look up their arguments.

#include "graph.hpp"
#include "memory.hpp"
#include "profile.hpp"
#include "scheduler.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace hip_model {

struct Device {
  StreamPtr default_stream;
  std::vector<std::weak_ptr<Stream>> streams;  ///< also destroyed ones that still have work
  std::set<int> peers;                         ///< devices whose memory this one may touch
  int streams_created         = 0;
  std::size_t objects_made    = 0;
  unsigned flags              = 0;
  hipFuncCache_t cache_config = hipFuncCachePreferNone;
  std::map<int, std::size_t> limits;
  std::map<int, CompletionPtr> last_of_queue;  ///< youngest work of each hardware queue; -1: of copies
};

/// All objects. Guarded by Scheduler::lock.
struct State {
  std::vector<Device> devices;
  HandleTable<hipStream_t, Stream> streams;
  HandleTable<hipEvent_t, Event> events;
  HandleTable<hipGraph_t, Graph> graphs;
  HandleTable<hipGraphNode_t, Node> nodes;
  HandleTable<hipGraphExec_t, GraphExec> execs;
  HandleTable<hipUserObject_t, UserObject> user_objects;
  HandleTable<hipMemPool_t, MemoryPool> pools;
  std::map<std::pair<int, int>, StreamPtr> per_thread_streams;  ///< by thread and device
  std::vector<std::shared_ptr<Capture>> captures;               ///< in progress
  std::vector<hipMemPool_t> default_pools, current_pools;

  static State& get();

 private:
  State();
};

int device_count();
bool valid_device(int device);

/// The stream of a handle. Otherwise reports, and returns the error for the caller to return.
hipError_t find_stream(Call&, Lock&, hipStream_t, StreamPtr* out);
hipError_t find_event(Call&, Lock&, hipEvent_t, EventPtr* out);
StreamPtr default_stream(int device);
/// Reports work on the device that HIP_MODEL_IDLE_DEVICE names.
hipError_t check_in_use(Call&, int device);

/// Reports the use of an invalid handle; for a destroyed one with its history.
template <class T>
hipError_t report_handle(Call& call, hipError_t error, char const* kind, void* handle,
                         std::shared_ptr<T> const& destroyed) {
  if (handle == nullptr) return error;
  if (!destroyed)
    return call.violation(error, "unknown-handle",
                          std::string("a value that never was the handle of a ") + kind + " was given");
  return call.violation(error, "destroyed-handle", destroyed->name() + " has been destroyed", destroyed.get());
}
template <class Handle, class T>
hipError_t find_object(Call& call, HandleTable<Handle, T> const& table, Handle handle, hipError_t error,
                       char const* kind, std::shared_ptr<T>* out) {
  *out = handle ? table.find(handle) : nullptr;
  if (*out && (*out)->alive) return hipSuccess;
  return report_handle(call, error, kind, static_cast<void*>(handle), *out);
}

/// Adds an operation to a stream, or to the graph that the stream is being captured into.
hipError_t submit(Call&, Lock&, StreamPtr const&, Operation);
/// The same, and waits until it has completed.
hipError_t submit_and_wait(Call&, Lock&, StreamPtr const&, Operation);
/// Enqueues in the stream's order with other streams of its device.
CompletionPtr enqueue_ordered(Lock&, StreamPtr const&, Work);
void wait_for(Lock&, CompletionPtr);
/// Waits until the default stream and the streams that are ordered with it are idle.
void wait_for_default_stream(Lock&, int device);
void wait_for_device(Lock&, int device);

hipError_t sticky_error_of_device();  ///< of the calling thread's device; hipSuccess if none
Operation host_operation(hipHostFn_t, void* data);

/// The error for a call that a capture forbids ("potentially unsafe" in HIP's terms); the call invalidates that
/// capture.
hipError_t check_capture_allows(Call&, Lock&);
/// The same for a thread in another mode than its own.
hipError_t check_capture_allows(Call&, Lock&, hipStreamCaptureMode);
/// The error for work of the default stream while a stream that is ordered with it is being captured.
hipError_t check_no_implicit_capture(Call&, Lock&, Stream const&);
/// Captures into a graph of the program, after given nodes of that graph; without a graph, into a new one.
hipError_t begin_capture(Call&, Lock&, hipStream_t, hipStreamCaptureMode, GraphPtr, std::vector<NodePtr> const& after);
void end_capture_of(Lock&, std::shared_ptr<Capture>);

}  // namespace hip_model

#endif
