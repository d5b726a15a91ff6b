// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Types and functions that the programs of this folder share. The programs use the public interface of Kokkos 4 and the runtime of the GPU only, so
/// that they compile with any Kokkos from 4.5 on, as C++17.
#pragma once

#include <Kokkos_Core.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#if defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime_api.h>
#endif

namespace symptom {

/// The result of a check. Each value becomes an exit status in main.cpp.
enum class Finding { absent, present, not_here };

struct Report {
  Finding finding;
  std::string sentence;
};

inline Report found(bool present, std::string const& if_present, std::string const& if_absent) {
  return present ? Report{Finding::present, if_present} : Report{Finding::absent, if_absent};
}

using Check = Report (*)();

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define SYMPTOM_HAS_GPU

#if defined(KOKKOS_ENABLE_CUDA)
using Device = Kokkos::Cuda;
using Stream = cudaStream_t;
using Graph  = cudaGraph_t;
inline Stream stream_of(Device const& instance) { return instance.cuda_stream(); }
inline bool create(Stream& stream) { return cudaStreamCreate(&stream) == cudaSuccess; }
inline bool destroy(Stream stream) { return cudaStreamDestroy(stream) == cudaSuccess; }
inline bool enqueue(Stream stream, void (*function)(void*), void* data) {
  return cudaLaunchHostFunc(stream, function, data) == cudaSuccess;
}
inline bool begin_capture(Stream stream) {
  return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess;
}
inline bool end_capture(Stream stream) {
  Graph graph = nullptr;
  return cudaStreamEndCapture(stream, &graph) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess;
}
#else
using Device = Kokkos::HIP;
using Stream = hipStream_t;
using Graph  = hipGraph_t;
inline Stream stream_of(Device const& instance) { return instance.hip_stream(); }
inline bool create(Stream& stream) { return hipStreamCreate(&stream) == hipSuccess; }
inline bool destroy(Stream stream) { return hipStreamDestroy(stream) == hipSuccess; }
// hipLaunchHostFunc is newer than ROCm 5.2.
struct Enqueued {
  void (*function)(void*);
  void* data;
  static void call(Stream, hipError_t, void* self) {
    auto const job = static_cast<Enqueued*>(self);
    job->function(job->data);
    delete job;
  }
};
inline bool enqueue(Stream stream, void (*function)(void*), void* data) {
  return hipStreamAddCallback(stream, &Enqueued::call, new Enqueued{function, data}, 0) == hipSuccess;
}
inline bool begin_capture(Stream stream) {
  return hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) == hipSuccess;
}
inline bool end_capture(Stream stream) {
  Graph graph = nullptr;
  return hipStreamEndCapture(stream, &graph) == hipSuccess && hipGraphDestroy(graph) == hipSuccess;
}
#endif

using DeviceInts = Kokkos::View<int*, Device>;
using HostInts   = Kokkos::View<int*, Kokkos::HostSpace>;

/// Adds to a view. `Bytes` is the size of what the functor carries.
template <int Bytes>
struct Add {
  DeviceInts out;
  char carried[Bytes] = {};
  KOKKOS_FUNCTION void operator()(int i) const { out(i) += 1 + carried[i % Bytes]; }
};
template <int Bytes>
void launch(Device const& instance, DeviceInts const& out) {
  Kokkos::parallel_for("add", Kokkos::RangePolicy<Device>(instance, 0, 64), Add<Bytes>{out});
}

/// A host function in a stream, which blocks what follows in the stream until it is opened.
class Gate {
 public:
  explicit Gate(Device const& instance)
      : m_closed(enqueue(stream_of(instance), &Gate::wait, this)), m_open(!m_closed) {}
  ~Gate() { open(); }
  Gate(Gate const&)            = delete;
  Gate& operator=(Gate const&) = delete;

  bool is_open() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return m_open;
  }
  void open() {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_open = true;
    m_changed.notify_all();
  }
  /// Returns when the gate is open, or after some seconds.
  bool opens_soon() {
    std::unique_lock<std::mutex> lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(5), [this] { return m_open; });
  }

 private:
  static void wait(void* self) {
    auto& gate = *static_cast<Gate*>(self);
    std::unique_lock<std::mutex> lock(gate.m_mutex);
    gate.m_changed.wait(lock, [&gate] { return gate.m_open; });
  }
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_closed, m_open;
};

/// True if the call returns while the instance is blocked. A call that waits for the instance gets it opened after some
/// seconds, so nothing hangs.
template <class Call>
bool returns_while_blocked(Device const& instance, Call const& call) {
  Gate gate(instance);
  if (gate.is_open()) return false;
  std::thread guard([&gate] {
    if (!gate.opens_soon()) gate.open();
  });
  call();
  bool const early = !gate.is_open();
  gate.open();
  guard.join();
  instance.fence();  // before the gate is destroyed
  return early;
}
#endif

}  // namespace symptom
