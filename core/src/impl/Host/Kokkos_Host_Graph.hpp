// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_GRAPH_HPP
#define KOKKOS_HOST_GRAPH_HPP

/// \file
/// Graphs of host backends: the nodes run one after the other.

#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <Kokkos_Graph_fwd.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// A node can only be added after its predecessors, so the order of definition is a topological order. The nodes run in
/// that order, and dependencies need not be stored. A kernel already uses all threads of the instance.
///
/// A submission writes nothing here, so several threads may submit at the same time.
template <class ExecSpace>
class HostGraph {
 public:
  struct Node {};

  explicit HostGraph(ExecSpace const&) {}

  Node root() const { return {}; }
  template <class... Nodes>
  Node join(Nodes const&...) const {
    return {};
  }

  template <class Work>
  Node add(Node const&, ExecSpace const&, Work&& work) {
    m_steps.push_back(std::make_unique<StepOf<Work>>(std::move(work)));
    return {};
  }

  void instantiate() {}

  void submit(ExecSpace const& where) const {
    for (auto const& step : m_steps) step->run(where);
  }

 private:
  struct Step {
    virtual ~Step()                          = default;
    virtual void run(ExecSpace const&) const = 0;
  };
  template <class Work>
  struct StepOf final : Step {
    explicit StepOf(Work&& w) : work(std::move(w)) {}
    void run(ExecSpace const& where) const override { work.launch(where); }
    Work work;
  };

  std::vector<std::unique_ptr<Step>> m_steps;
};

template <HostExecution Exec>
class GraphBackend<Exec> : public HostGraph<Exec> {
 public:
  using HostGraph<Exec>::HostGraph;
};

}  // namespace Kokkos::Impl

#endif
