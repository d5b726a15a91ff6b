// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_GRAPH_HPP
#define KOKKOS_GPU_GRAPH_HPP

/// \file
/// Graphs of GPUs: each node is recorded when it is added, and a submission launches all of them at once.

#include <impl/GPU/graph/Kokkos_GPU_GraphStore.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ExecutionSpace.hpp>
#include <Kokkos_Graph_fwd.hpp>
#include <impl/graph/Kokkos_GraphWork.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <memory>
#include <string>
#include <utility>

namespace Kokkos::Impl {

template <class ExecSpace>
class GPUGraph {
 public:
  using Runtime                = typename ExecSpace::runtime_type;
  using Node                   = typename GPUGraphStore<Runtime>::Ends;
  using native_graph_type      = typename Runtime::graph_t;
  using native_graph_exec_type = typename Runtime::graph_exec_t;

  explicit GPUGraph(ExecSpace const&, native_graph_type native = nullptr) : m_store(native) {}

  Node const& root() const noexcept { return m_store.root(); }
  template <class... Nodes>
  Node join(Nodes const&... nodes) {
    return m_store.join({&nodes...});
  }

  /// Each launch keeps what its kernel needs. This keeps what a node needs in addition.
  template <class Work>
  Node add(Node const& after, ExecSpace const& where, Work&& work) {
    if constexpr (Work::kind == GraphWorkKind::capture) {
      auto const& kept = keep(std::move(work));
      GPURecording<Runtime> recording(m_store, where.impl_instance(), after, kept.label);
      kept.launch(where);
      return recording.finish();
    } else {
      auto const& recorder    = m_store.recorder(where.impl_instance().device());
      std::string const label = work.label;
      GPURecording<Runtime> recording(m_store, *recorder.get(), after, label);
      if constexpr (Work::kind == GraphWorkKind::host_call) {
        m_store.note_host_writes();
        call_on_host(*recorder.get(), keep(std::move(work)));
      } else {
        work.launch(ExecSpace(recorder));
        if constexpr (requires { work.result; }) keep(std::move(work.result));
      }
      return recording.finish();
    }
  }

  void instantiate() { m_store.instantiate(); }

  /// Tools receive one kernel with the names of the nodes, because a submission is one launch.
  void submit(ExecSpace const& where) {
    KernelReport report(KernelKind::parallel_for, m_store.description(), Tools::Experimental::device_id(where),
                        "Kokkos::Experimental::Graph");
    m_store.submit(where.impl_instance());
  }

  native_graph_type native_graph() const noexcept { return m_store.graph(); }
  native_graph_exec_type native_graph_exec() const noexcept { return m_store.exec(); }

 private:
  template <class T>
  T const& keep(T&& value) {
    auto kept      = std::make_unique<GraphKeptValue<T>>(std::move(value));
    T const& place = kept->value;
    m_store.kept().add(std::move(kept));
    return place;
  }

  template <class Work>
  void call_on_host(GPUInstance<Runtime>& recorder, Work const& work) {
    auto call = [](void* p) { static_cast<Work const*>(p)->functor(); };
    Impl::gpu_check<Runtime>(Runtime::launch_host_function(recorder.stream(), call, const_cast<Work*>(&work)),
                             "launch_host_function", "recording a call on the host");
  }

  GPUGraphStore<Runtime> m_store;
};

template <GPUExecution Exec>
class GraphBackend<Exec> : public GPUGraph<Exec> {
 public:
  using GPUGraph<Exec>::GPUGraph;
};

}  // namespace Kokkos::Impl

#endif
