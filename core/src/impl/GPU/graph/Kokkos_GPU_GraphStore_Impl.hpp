// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRAPH_STORE_IMPL_HPP
#define KOKKOS_GPU_GRAPH_STORE_IMPL_HPP

/// \file
/// The members of GPUGraphStore; included by the one source file of each vendor that instantiates them.

#include <impl/GPU/graph/Kokkos_GPU_GraphStore.hpp>
#include <impl/GPU/instance/Kokkos_GPU_HostWrites.hpp>
#include <impl/graph/Kokkos_GraphErrors.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace Kokkos::Impl {

// ---- GPURecorder --------------------------------------------------------------------------------------------------

template <class Runtime>
GPURecorder<Runtime>::Stream::Stream(int device) {
  DeviceScope<Runtime> scope(device);
  Impl::gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered",
                           "making a stream to record a graph with");
}
template <class Runtime>
GPURecorder<Runtime>::Stream::~Stream() {
  (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_destroy(stream));
}

template <class Runtime>
GPURecorder<Runtime>::GPURecorder(int device)
    : m_stream(device),
      m_instance(new GPUInstance<Runtime>(typename GPUInstance<Runtime>::ForRecording{}, m_stream.stream, device)) {}

// ---- GPUGraphStore ------------------------------------------------------------------------------------------------

template <class Runtime>
GPUGraphStore<Runtime>::GPUGraphStore(graph_t native) : m_graph(native), m_kept(std::make_shared<GraphKeptList>()) {
  if (!m_graph) Impl::gpu_check<Runtime>(Runtime::graph_create(&m_graph), "graph_create", "making a graph");
  node_t root      = nullptr;
  auto const error = Runtime::graph_add_empty(&root, m_graph, nullptr, 0);
  if (error != Runtime::success && !native) (void)Impl::gpu_succeeded<Runtime>(Runtime::graph_destroy(m_graph));
  Impl::gpu_check<Runtime>(error, "graph_add_empty", "adding the root node of a graph");
  m_root = {root};
}

template <class Runtime>
GPUGraphStore<Runtime>::~GPUGraphStore() {
  RelaxedCaptureScope<Runtime> relaxed;
  GraphSubmissions<Runtime>::get().wait(this);
  if (m_exec) (void)Impl::gpu_succeeded<Runtime>(Runtime::graph_exec_destroy(m_exec));
  (void)Impl::gpu_succeeded<Runtime>(Runtime::graph_destroy(m_graph));
  m_kept.reset();
}

template <class Runtime>
auto GPUGraphStore<Runtime>::join(std::vector<Ends const*> const& parts) -> Ends {
  Ends all;
  for (Ends const* part : parts) all.insert(all.end(), part->begin(), part->end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());  // a runtime refuses a duplicate dependency
  constexpr std::size_t few = 8;
  if (all.size() <= few) return all;
  // Each later node would depend on each of these. One node in between makes the number of edges a sum instead of a
  // product.
  node_t node = nullptr;
  Impl::gpu_check<Runtime>(Runtime::graph_add_empty(&node, m_graph, all.data(), all.size()), "graph_add_empty",
                           "joining nodes of a graph");
  return {node};
}

template <class Runtime>
GPUInstanceHandle<Runtime> const& GPUGraphStore<Runtime>::recorder(int device) {
  for (auto const& known : m_recorders)
    if (known->device() == device) return known->instance();
  RelaxedCaptureScope<Runtime> relaxed;
  m_recorders.push_back(std::make_unique<GPURecorder<Runtime>>(device));
  return m_recorders.back()->instance();
}

template <class Runtime>
void GPUGraphStore<Runtime>::note_host_writes() {
  m_kept->add(std::make_unique<GPUHostWritesOfGraph>());
}

template <class Runtime>
void GPUGraphStore<Runtime>::require_whole() const {
  if (m_spoiled) refuse_spoiled_graph(m_spoiled_by);
}

template <class Runtime>
void GPUGraphStore<Runtime>::add_label(std::string const& label) {
  constexpr std::size_t longest = 200;
  ++m_nodes;
  if (label.empty() || m_description.size() > longest) return;
  m_description += (m_description.empty() ? "" : ", ") + label;
  if (m_description.size() > longest) m_description += ", ...";
}

template <class Runtime>
void GPUGraphStore<Runtime>::instantiate() {
  require_whole();
  RelaxedCaptureScope<Runtime> relaxed;  // CUDA counts it among the calls that captures elsewhere forbid
  Impl::gpu_check<Runtime>(Runtime::graph_instantiate(&m_exec, m_graph), "graph_instantiate", "instantiating a graph");
  m_recorders.clear();
  m_description = "graph of " + std::to_string(m_nodes) + (m_nodes == 1 ? " node" : " nodes") +
                  (m_description.empty() ? "" : " (" + m_description + ")");
}

template <class Runtime>
void GPUGraphStore<Runtime>::submit(GPUInstance<Runtime>& instance) {
  DeviceScope<Runtime> scope(instance.device());
  std::lock_guard<std::mutex> lock(m_mutex);
  instance.errors().launched(m_description.c_str());
  if (instance.is_capturing()) {
    // The capture gets a copy of the graph, which may run after this graph has been destroyed.
    GraphKeeper<Runtime>::keep(
        instance.stream(), std::make_unique<GraphKeptValue<std::shared_ptr<GraphKeptList>>>(std::shared_ptr(m_kept)));
    instance.errors().check(Runtime::graph_capture(m_graph, instance.stream()), "graph_capture",
                            ("submitting a " + m_description + " into a capture").c_str());
    return;
  }
  // A token is never reused, so a forgotten stream cannot come back.
  auto const& stream = instance.stream();
  if (std::find(m_submitted_to.begin(), m_submitted_to.end(), stream.token()) == m_submitted_to.end()) {
    m_submitted_to.push_back(stream.token());
    GraphSubmissions<Runtime>::get().add(this, stream);
  }
  RelaxedCaptureScope<Runtime> relaxed;  // the first launch may allocate
  instance.errors().check(Runtime::graph_launch(m_exec, instance.stream()), "graph_launch",
                          ("submitting a " + m_description).c_str());
}

// ---- GPURecording -------------------------------------------------------------------------------------------------

template <class Runtime>
GPURecording<Runtime>::GPURecording(GPUGraphStore<Runtime>& store, GPUInstance<Runtime>& instance, Ends const& after,
                                    std::string const& label)
    : m_store(store),
      m_stream(instance.stream()),
      m_after(after),
      m_label(label),
      m_device(instance.device()),
      m_kept_before(GraphKeptList::of_this_thread()) {
  store.require_whole();
  Impl::gpu_check<Runtime>(Runtime::record_begin(m_stream, store.graph(), after.data(), after.size()), "record_begin",
                           ("recording the node \"" + label + "\" of a graph").c_str());
  m_open                          = true;
  GraphKeptList::of_this_thread() = &store.kept();
}

template <class Runtime>
GPURecording<Runtime>::~GPURecording() {
  GraphKeptList::of_this_thread() = m_kept_before;
  if (!m_open) return;
  Ends unwanted;
  (void)Impl::gpu_succeeded<Runtime>(
      Runtime::record_end(m_stream, m_store.graph(), m_after.data(), m_after.size(), &unwanted));
  m_store.spoil(m_label);
}

template <class Runtime>
auto GPURecording<Runtime>::finish() -> Ends {
  Ends ends;
  m_open           = false;
  auto const error = Runtime::record_end(m_stream, m_store.graph(), m_after.data(), m_after.size(), &ends);
  if (error != Runtime::success) m_store.spoil(m_label);
  Impl::gpu_check<Runtime>(error, "record_end", ("recording the node \"" + m_label + "\" of a graph").c_str());
  m_store.add_label(m_label);
  return ends;
}

// ---- GraphSubmissions ---------------------------------------------------------------------------------------------

template <class Runtime>
GraphSubmissions<Runtime>& GraphSubmissions<Runtime>::get() {
  static GraphSubmissions* all = [] {
    auto* made = new GraphSubmissions;  // never destroyed: graphs in static storage may outlive main
    StreamObservers<Runtime>::get().add(made);
    return made;
  }();
  return *all;
}

template <class Runtime>
void GraphSubmissions<Runtime>::add(void const* graph, InstanceStream<Runtime> const& stream) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_open.push_back({graph, &stream, nullptr});
}

template <class Runtime>
void GraphSubmissions<Runtime>::forget(StreamToken token) noexcept {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_open.erase(
      std::remove_if(m_open.begin(), m_open.end(), [&](Submission const& s) { return s.stream->token() == token; }),
      m_open.end());
}

template <class Runtime>
void GraphSubmissions<Runtime>::wait(void const* graph) noexcept {
  for (std::optional<HostWait> waits;;) {
    int device = -1;  // one to wait for
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      bool all_ended = true;
      for (Submission& s : m_open)
        if (s.graph == graph && !has_ended(s)) {
          all_ended = false;
          if (!s.event) device = s.stream->device();
        }
      if (all_ended) {
        m_open.erase(std::remove_if(m_open.begin(), m_open.end(), [&](Submission& s) { return s.graph == graph; }),
                     m_open.end());
        return;
      }
    }
    if (!waits) waits.emplace(WaitReason::graph_end);
    if (device < 0) {
      std::this_thread::yield();
      continue;
    }
    (void)Impl::wait_for_device<Runtime>(device);  // if that fails, the device runs nothing more
    std::lock_guard<std::mutex> lock(m_mutex);
    m_open.erase(std::remove_if(m_open.begin(), m_open.end(),
                                [&](Submission& s) { return s.graph == graph && s.stream->device() == device; }),
                 m_open.end());
  }
}

template <class Runtime>
bool GraphSubmissions<Runtime>::has_ended(Submission& submission) noexcept {
  InstanceStream<Runtime> const& stream = *submission.stream;
  try {
    DeviceScope<Runtime> scope(stream.device());
    if (!submission.event) {
      bool capturing = stream.users().has_others();
      if (!capturing && !Impl::gpu_succeeded<Runtime>(Runtime::stream_is_capturing(stream.get(), &capturing)))
        return false;
      if (capturing) return false;
      auto event = std::make_unique<CompletionEvent<Runtime>>();
      if (!Impl::gpu_succeeded<Runtime>(event->record(stream.get()))) return false;
      submission.event = std::move(event);
    }
    auto const answer = submission.event->query(stream.device());
    if (answer == Runtime::success) return true;
    Runtime::clear_last_error();
    if (answer != Runtime::not_ready) submission.event.reset();
  } catch (...) {
    submission.event.reset();
  }
  return false;
}

}  // namespace Kokkos::Impl

#endif
