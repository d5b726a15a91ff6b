// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_DEVICE_TEST_HPP
#define KOKKOS_TEST_DEVICE_TEST_HPP

/// \file
/// Common parts of the tests of GPU backends: one name for the enabled backend, streams of the program, captures, and a
/// gate that blocks a stream.

#include "../unit/Messages.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#ifdef KOKKOS_IMPL_GPU_MODEL
#include <hip_model.hpp>
#endif

namespace Kokkos::Testing {

using GPU     = DefaultExecutionSpace;
using Runtime = GPU::runtime_type;
using Stream  = Runtime::stream_t;

inline std::string words(Runtime::error_t error) { return Runtime::error_name(error); }

inline int device_count() {
  int count = 0;
  return Runtime::device_count(&count) == Runtime::success ? count : 0;
}

/// Whether copies of pageable memory with an instance return before its stream gets to them. A test that calls one
/// behind a closed gate would wait for ever otherwise.
inline bool pageable_copies_return_at_once() {
  auto const wanted = Impl::copy_preferences().pageable;
  return wanted == Impl::PageableCopies::always_async ||
         (wanted == Impl::PageableCopies::by_ownership && Runtime::device_may_wait_for_host);
}
#define KOKKOS_TEST_SKIP_UNLESS_COPIES_RETURN_AT_ONCE()   \
  if (!Kokkos::Testing::pageable_copies_return_at_once()) \
  GTEST_SKIP() << "The copy behind the gate would wait for the gate. KOKKOS_PAGEABLE_COPY=async runs this test"

/// Whether streams share hardware queues (a mode of the HIP model). A stream that is held back then also holds back the
/// streams of its queue, and every later copy, because copies share one queue. With a seed the model does one piece of
/// work at a time, so all streams are held back.
inline bool streams_share_queues() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  return hip_model::modes().queues > 0 || hip_model::has_seed();
#else
  return false;
#endif
}
#define KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES() \
  if (Kokkos::Testing::streams_share_queues())     \
  GTEST_SKIP() << "Work behind the gate holds back the hardware queue or the model, and so the work of other streams"

/// Whether streams can wait for a word in pinned memory. In a mode of the HIP model they only wait for signal memory.
inline bool streams_wait_for_words() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  return !hip_model::modes().signal_memory;
#else
  return true;
#endif
}
#define KOKKOS_TEST_SKIP_UNLESS_STREAMS_WAIT_FOR_WORDS()            \
  if (!Kokkos::Testing::streams_wait_for_words())                   \
  GTEST_SKIP() << "Asynchronous copies need streams that wait for " \
                  "words"

/// A stream of the program, on `device`.
class OwnStream {
 public:
  explicit OwnStream(int device = Kokkos::device_id()) {
    Impl::DeviceScope<Runtime> scope(device);
    Impl::RelaxedCaptureScope<Runtime> const relaxed;
    Impl::gpu_check<Runtime>(Runtime::stream_create_unordered(&m_stream), "stream_create", "making a stream");
  }
  ~OwnStream() { destroy(); }
  OwnStream(OwnStream const&)            = delete;
  OwnStream& operator=(OwnStream const&) = delete;
  void destroy() {
    if (m_stream) (void)Runtime::stream_destroy(m_stream);
    m_stream = nullptr;
  }
  Stream get() const { return m_stream; }

 private:
  Stream m_stream = nullptr;
};

/// A stream of the program that is ordered with the default stream, and belongs to no instance.
class OrderedStream {
 public:
  OrderedStream() { EXPECT_EQ(words(Runtime::stream_create(&m_stream)), words(Runtime::success)); }
  ~OrderedStream() { (void)Runtime::stream_destroy(m_stream); }
  OrderedStream(OrderedStream const&)            = delete;
  OrderedStream& operator=(OrderedStream const&) = delete;
  Stream get() const { return m_stream; }

 private:
  Stream m_stream = nullptr;
};

/// Blocks later work in a stream until it is opened.
class Gate {
 public:
  ~Gate() { open(); }
  void close(Stream stream) {
    ASSERT_EQ(words(Runtime::launch_host_function(stream, &Gate::wait, &m_state)), words(Runtime::success));
  }
  /// The same, and returns when work is blocked. Host functions of all streams may run on one thread, one after the
  /// other, so of several gates the one that opens first has to block first.
  void close_now(Stream stream) {
    close(stream);
    std::unique_lock<std::mutex> lock(m_state.mutex);
    while (!m_state.changed.wait_for(lock, std::chrono::milliseconds(1), [&] { return m_state.blocks; })) {
#ifdef KOKKOS_IMPL_GPU_MODEL
      lock.unlock();
      hip_model::advance();
      lock.lock();
#endif
    }
  }
  void open() {
    std::lock_guard<std::mutex> lock(m_state.mutex);
    m_state.open = true;
    m_state.changed.notify_all();
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool blocks = false, open = false;
  };
  // Kept until the program ends, because the stream may still wake up when the gate goes out of scope.
  static State& new_state() {
    static std::mutex mutex;
    static auto* const states = new std::deque<State>;
    std::lock_guard<std::mutex> lock(mutex);
    return states->emplace_back();
  }
  static void wait(void* state) {
    auto& self = *static_cast<State*>(state);
    std::unique_lock<std::mutex> lock(self.mutex);
    self.blocks = true;
    self.changed.notify_all();
    self.changed.wait(lock, [&] { return self.open; });
  }
  State& m_state = new_state();
};

enum class CaptureMode { global, relaxed };

/// A graph captured from a stream, for repeated launches.
class CapturedGraph {
 public:
  explicit CapturedGraph(Stream stream, CaptureMode mode = CaptureMode::global) : m_stream(stream) {
    auto const native =
        mode == CaptureMode::global ? KOKKOS_IMPL_GPU_VENDOR(StreamCaptureModeGlobal) : Runtime::capture_mode_relaxed;
    EXPECT_EQ(words(KOKKOS_IMPL_GPU_VENDOR(StreamBeginCapture)(stream, native)), words(Runtime::success));
  }
  /// Ends the capture. The captured work has not run.
  void end() {
    EXPECT_EQ(words(KOKKOS_IMPL_GPU_VENDOR(StreamEndCapture)(m_stream, &m_graph)), words(Runtime::success));
    if (!m_graph) return;
    Impl::RelaxedCaptureScope<Runtime> const relaxed;  // other threads may be capturing
    EXPECT_EQ(words(Runtime::graph_instantiate(&m_exec, m_graph)), words(Runtime::success));
  }
  void launch(Stream stream) {
    ASSERT_NE(m_exec, nullptr);
    Impl::RelaxedCaptureScope<Runtime> const relaxed;
    EXPECT_EQ(words(Runtime::graph_launch(m_exec, stream)), words(Runtime::success));
  }
  ~CapturedGraph() {
    Impl::RelaxedCaptureScope<Runtime> const relaxed;
    if (m_exec) (void)Runtime::graph_exec_destroy(m_exec);
    if (m_graph) (void)Runtime::graph_destroy(m_graph);
#ifdef KOKKOS_IMPL_GPU_MODEL
    hip_model::wait_for_releases();  // functors of the graph may keep memory, which finalize releases
#endif
  }
  CapturedGraph(CapturedGraph const&)            = delete;
  CapturedGraph& operator=(CapturedGraph const&) = delete;

 private:
  Stream m_stream;
  Runtime::graph_t m_graph     = nullptr;
  Runtime::graph_exec_t m_exec = nullptr;
};

/// Adds its payload's first and last element to each element. From about 4000 doubles on, it exceeds the maximum size
/// of kernel parameters.
template <class View, int N>
struct AddPayload {
  View view;
  double payload[N];

  AddPayload(View v, double value) : view(v) {
    for (double& x : payload) x = 0;
    payload[0] = value;
    payload[N - 1] += value;
  }
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += payload[0] + payload[N - 1]; }
};

/// The value that all elements have; fails the test if they differ.
template <class View>
double common_value(View const& view) {
  auto const host = create_mirror_view_and_copy(HostSpace(), view);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    if (host(i) != host(0)) {
      ADD_FAILURE() << "element " << i << " is " << host(i) << ", element 0 " << host(0);
      break;
    }
  return host(0);
}

/// Whether a test must report leaks: the model counts every object of the runtime.
inline void expect_no_leaks() {
#ifdef KOKKOS_IMPL_GPU_MODEL
  EXPECT_EQ(hip_model::check_leaks(), 0u) << hip_model::last_report().message;
#endif
}

}  // namespace Kokkos::Testing

#endif
