// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRAPH_STORE_HPP
#define KOKKOS_GPU_GRAPH_STORE_HPP

/// \file
/// A graph of the vendor's runtime, recorded node by node, and what has to live as long as it.
///
/// A node is what the ordinary executors put in a stream while it is being recorded: one kernel, or a few commands for
/// a reduction, or whatever a program's own code does. It is known by its *ends*, the native nodes that the next one
/// has to come after. So executors know nothing of graphs, and graphs nothing of executors.

#include <GPU/instance/Kokkos_GPU_Instance.hpp>
#include <runtime/Kokkos_KernelLabel.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// An object of any type that a graph keeps.
template <class T>
struct GraphKeptValue final : GraphKept {
  explicit GraphKeptValue(T&& v) : value(static_cast<T&&>(v)) {}
  T value;
};

/// A stream to record nodes on one device with. It is not ordered with the legacy default stream, where work of the
/// program would spoil the recording; and nobody else knows it, so nothing gets into the recording by accident.
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
  Stream m_stream;  // first, so that it ends after the instance that uses it
  GPUInstanceHandle<Runtime> m_instance;
};

/// The parts of a graph that do not depend on what its nodes do. Nodes are added by one thread; after instantiate, any
/// threads may submit.
template <class Runtime>
class GPUGraphStore {
 public:
  using graph_t      = typename Runtime::graph_t;
  using graph_exec_t = typename Runtime::graph_exec_t;
  using node_t       = typename Runtime::graph_node_t;
  using Ends         = std::vector<node_t>;

  /// Owns `native` from here on, or makes a graph if that is null.
  explicit GPUGraphStore(graph_t native);
  /// Waits for the submissions that have not ended.
  ~GPUGraphStore();
  GPUGraphStore(GPUGraphStore const&)            = delete;
  GPUGraphStore& operator=(GPUGraphStore const&) = delete;

  graph_t graph() const noexcept { return m_graph; }
  graph_exec_t exec() const noexcept { return m_exec; }
  GraphKeptList& kept() noexcept { return *m_kept; }
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
  std::shared_ptr<GraphKeptList> m_kept;  // shared with graphs that a submission was captured into
  std::string m_description;
  std::size_t m_nodes = 0;
  std::string m_spoiled_by;
  bool m_spoiled = false;

  std::mutex m_mutex;                       // guards what follows, and launches: a runtime takes one at a time
  std::vector<StreamToken> m_submitted_to;  // streams that GraphSubmissions has been told of
};

/// Records what one thread puts in a stream as one node of a graph.
template <class Runtime>
class GPURecording {
 public:
  using Ends = typename GPUGraphStore<Runtime>::Ends;

  /// \throws GPUError if the stream cannot be recorded, for example because it is being captured already
  GPURecording(GPUGraphStore<Runtime>& store, GPUInstance<Runtime>& instance, Ends const& after,
               std::string const& label);
  /// Without finish() the graph is spoiled: it may hold a part of the node.
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

/// Which streams each graph has been submitted to, for the end of the graph: what it keeps must not go before the
/// kernels that use it.
///
/// The mutex guards the list. While it is held, no stream in the list ends, since `forget` waits for it; so events can
/// be recorded in them. It is never held while the device is waited for.
template <class Runtime>
class GraphSubmissions final : public StreamObserver {
 public:
  static GraphSubmissions& get();

  void add(const void* graph, InstanceStream<Runtime> const& stream);
  /// Returns when everything that was submitted has ended. What a stream that is being captured has to do cannot be
  /// found out: `kept` goes to the graph of that capture.
  void wait(const void* graph, std::shared_ptr<GraphKeptList> const& kept) noexcept;
  void forget(StreamToken token) noexcept override;

 private:
  struct Submission {
    const void* graph;
    StreamToken token;
    typename Runtime::stream_t stream;
    int device;
    std::unique_ptr<Event<Runtime>> event;  // once the graph is about to end
  };
  bool has_ended(Submission&, std::shared_ptr<GraphKeptList> const& kept) noexcept;

  std::mutex m_mutex;
  std::vector<Submission> m_open;
};

}  // namespace Kokkos::Impl

#endif
