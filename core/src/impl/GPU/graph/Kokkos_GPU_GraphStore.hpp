// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRAPH_STORE_HPP
#define KOKKOS_GPU_GRAPH_STORE_HPP

/// \file
/// A graph of the vendor's runtime, recorded node by node, and the objects that must live as long as the graph.
///
/// A node is what an executor enqueues in a stream while the stream is recorded: one kernel, a few commands of a
/// reduction, or the program's own calls. Its *ends* are the native nodes that the next node must follow. So
/// executors do not use graphs, and graphs do not use executors.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/instance/Kokkos_GPU_WorkMemory.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CompletionEvent.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// A stream that records nodes on one device. It is not ordered with the legacy default stream, where work of the
/// program would spoil the recording. No other code has this stream, so nothing else gets into the recording.
template <class Runtime>
class GPURecorder {
 public:
  explicit GPURecorder(int device);
  int device() const noexcept { return m_instance.get()->device(); }
  GPUInstanceHandle<Runtime> const& instance() const noexcept { return m_instance; }

 private:
  struct Stream {
    explicit Stream(int device);
    ~Stream();
    Stream(Stream const&)             = delete;
    Stream& operator=(Stream const&)  = delete;
    typename Runtime::stream_t stream = nullptr;
  };
  Stream m_stream;  // declared first, so that it outlives the instance that uses it
  GPUInstanceHandle<Runtime> m_instance;
};

/// The parts of a graph that do not depend on the work of its nodes. One thread adds nodes; after instantiate, any
/// thread may submit.
template <class Runtime>
class GPUGraphStore {
 public:
  using graph_t      = typename Runtime::graph_t;
  using graph_exec_t = typename Runtime::graph_exec_t;
  using node_t       = typename Runtime::graph_node_t;
  using Ends         = std::vector<node_t>;

  /// Owns `native`, or creates a graph if `native` is null.
  explicit GPUGraphStore(graph_t native);
  /// Waits for submissions that have not ended.
  ~GPUGraphStore();
  GPUGraphStore(GPUGraphStore const&)            = delete;
  GPUGraphStore& operator=(GPUGraphStore const&) = delete;

  graph_t graph() const noexcept { return m_graph; }
  graph_exec_t exec() const noexcept { return m_exec; }
  GraphKeptList& kept() noexcept { return *m_kept; }
  /// A function of the graph may write host memory: while the graph exists, no copy reads its source early.
  void note_host_writes();
  Ends const& root() const noexcept { return m_root; }
  Ends join(std::vector<Ends const*> const& parts);
  /// The instance of this graph that records nodes on `device`.
  GPUInstanceHandle<Runtime> const& recorder(int device);

  /// \throws GPUError if the runtime refuses the graph; std::runtime_error if a node could not be recorded
  void instantiate();
  void submit(GPUInstance<Runtime>& instance);
  /// "graph of 3 nodes (first, second, third)"
  std::string const& description() const noexcept { return m_description; }

  /// Throws if an earlier recording left a part of a node behind.
  void require_whole() const;
  void add_label(std::string const& label);
  void spoil(std::string const& label) { m_spoiled_by = label, m_spoiled = true; }

 private:
  graph_t m_graph     = nullptr;
  graph_exec_t m_exec = nullptr;
  Ends m_root;
  std::vector<std::unique_ptr<GPURecorder<Runtime>>> m_recorders;
  std::shared_ptr<GraphKeptList> m_kept;  // shared with graphs that captured a submission of this one
  std::string m_description;
  std::size_t m_nodes = 0;
  std::string m_spoiled_by;
  bool m_spoiled = false;

  std::mutex m_mutex;                       // guards the members below, and launches: a runtime accepts one at a time
  std::vector<StreamToken> m_submitted_to;  // streams that GraphSubmissions has recorded
};

/// Records what one thread enqueues in a stream as one node of a graph.
template <class Runtime>
class GPURecording {
 public:
  using Ends = typename GPUGraphStore<Runtime>::Ends;

  /// \throws GPUError if the stream cannot be recorded, for example because it is already captured
  GPURecording(GPUGraphStore<Runtime>& store, GPUInstance<Runtime>& instance, Ends const& after,
               std::string const& label);
  /// Without finish() the graph may contain a part of the node and becomes unusable.
  ~GPURecording();
  GPURecording(GPURecording const&)            = delete;
  GPURecording& operator=(GPURecording const&) = delete;

  Ends finish();

 private:
  GPUGraphStore<Runtime>& m_store;
  typename Runtime::stream_t m_stream;
  Ends const& m_after;
  std::string const& m_label;
  DeviceScope<Runtime> m_device;
  KernelRecordingScope m_recording;
  GraphKeptList* m_kept_before;
  bool m_open = false;
};

/// The streams that each graph was submitted to. At the end of a graph, the objects that it keeps must not be freed
/// before the kernels that use them have ended.
///
/// The mutex guards the list. While it is held, no stream in the list ends, because `forget` waits for it, so events
/// can be recorded in these streams. No thread waits for the device while it holds the mutex.
template <class Runtime>
class GraphSubmissions final : public StreamObserver {
 public:
  static GraphSubmissions& get();

  void add(void const* graph, InstanceStream<Runtime> const& stream);
  /// Returns when every submission has ended. Waits for the whole device where a stream must not be used, because it is
  /// being captured or another thread can capture it.
  void wait(void const* graph) noexcept;
  void forget(StreamToken token) noexcept override;

 private:
  struct Submission {
    void const* graph;
    InstanceStream<Runtime> const* stream;
    std::unique_ptr<CompletionEvent<Runtime>> event;  // set when the graph is about to end
  };
  /// If the result is false and the submission has no event, its device must be waited for.
  bool has_ended(Submission&) noexcept;

  std::mutex m_mutex;
  std::vector<Submission> m_open;
};

}  // namespace Kokkos::Impl

#endif
