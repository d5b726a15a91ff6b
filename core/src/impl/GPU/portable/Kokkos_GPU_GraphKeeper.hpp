// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRAPH_KEEPER_HPP
#define KOKKOS_GPU_GRAPH_KEEPER_HPP

/// \file
/// Objects that a graph keeps, and calls of the host in a stream or a graph.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace Kokkos::Impl {

/// An object that lives until the last graph made from a capture has been destroyed.
struct GraphKept {
  virtual ~GraphKept() = default;
  GraphKept* next      = nullptr;
};

/// Objects for a graph whose owner in the program outlives every run of the graph, and destroys the objects itself.
class GraphKeptList {
 public:
  GraphKeptList() = default;
  ~GraphKeptList() {
    while (m_first) delete std::exchange(m_first, m_first->next);
  }
  GraphKeptList(GraphKeptList const&)            = delete;
  GraphKeptList& operator=(GraphKeptList const&) = delete;

  void add(std::unique_ptr<GraphKept> object) noexcept {
    object->next = m_first;
    m_first      = object.release();
  }

  /// The list that receives the objects of this thread's captures; null if the runtime's graph owns them.
  static GraphKeptList*& of_this_thread() noexcept {
    static thread_local GraphKeptList* list = nullptr;
    return list;
  }

 private:
  GraphKept* m_first = nullptr;
};

/// Ties objects to the graph that a stream is being captured into.
///
/// The runtime reports a graph's end on its own thread, which may not call any function of the runtime, but the
/// destructor of a GraphKept frees device memory. So the callback only adds the object to the deferred destruction
/// queue (one exchange, no lock), and `collect` destroys the objects on a thread of the program.
template <class Runtime>
class GraphKeeper {
 public:
  /// \throws GPUError if the runtime does not accept the object, which is destroyed then
  static void keep(typename Runtime::stream_t stream, std::unique_ptr<GraphKept> object) {
    if (GraphKeptList* list = GraphKeptList::of_this_thread()) return list->add(std::move(object));
    gpu_check<Runtime>(Runtime::graph_retain(stream, object.get(), &GraphKeeper::destroy_later), "graph_retain",
                       "giving a captured launch's functor to its graph");
    object.release();
    kept_by_graphs().fetch_add(1, std::memory_order_relaxed);
  }

  /// Called at the end of finalize: the runtime may report ended graphs with a short delay. Graphs that still live keep
  /// their objects.
  static void collect_last() noexcept {
    for (int i = 0; i < 50; ++i) {
      collect();
      if (kept_by_graphs().load(std::memory_order_relaxed) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static void collect() noexcept {
    if (deferred().load(std::memory_order_relaxed) == nullptr) return;
    RelaxedCaptureScope<Runtime> relaxed;
    // acquire: sees what the runtime's thread wrote into the nodes before it pushed them
    GraphKept* first = deferred().exchange(nullptr, std::memory_order_acquire);
    for (; first; kept_by_graphs().fetch_sub(1, std::memory_order_relaxed)) delete std::exchange(first, first->next);
  }

 private:
  static std::atomic<long>& kept_by_graphs() {
    static std::atomic<long> count{0};
    return count;
  }
  static void destroy_later(void* object) {
    auto* kept = static_cast<GraphKept*>(object);
    kept->next = deferred().load(std::memory_order_relaxed);
    while (!deferred().compare_exchange_weak(kept->next, kept, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  static std::atomic<GraphKept*>& deferred() {
    static std::atomic<GraphKept*> stack{nullptr};
    return stack;
  }
};

/// A function object as the argument of a host function.
template <class Function>
struct GPUHostCall final : GraphKept {
  explicit GPUHostCall(Function&& f) : function(std::move(f)) {}
  static void run(void* self) { static_cast<GPUHostCall*>(self)->function(); }
  static void run_and_end(void* self) {
    run(self);
    delete static_cast<GPUHostCall*>(self);
  }
  Function function;
};

/// Enqueues a call of `function` on the host, which may call no function of the runtime. The function object lives until
/// the call has ended, or, in a capture, as long as the graph. \return the error of the runtime, which then makes no call
template <class Runtime, class Function>
typename Runtime::error_t enqueue_host_call(typename Runtime::stream_t stream, bool is_capturing, Function function) {
  using Call           = GPUHostCall<Function>;
  auto call            = std::make_unique<Call>(std::move(function));
  void* const argument = call.get();
  if (is_capturing) {
    GraphKeeper<Runtime>::keep(stream, std::move(call));
    return Runtime::launch_host_function(stream, &Call::run, argument);
  }
  auto const error = Runtime::launch_host_function(stream, &Call::run_and_end, argument);
  if (error == Runtime::success) (void)call.release();
  return error;
}

}  // namespace Kokkos::Impl

#endif
