// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_DEFINITION_HPP
#define KOKKOS_GRAPH_GRAPH_DEFINITION_HPP

/// \file
/// The state that Graph objects and their nodes share: the backend's graph and its phase, one of three.

#include <Kokkos_Graph_fwd.hpp>
#include <impl/graph/Kokkos_GraphErrors.hpp>
#include <impl/view/Kokkos_Allocation.hpp>

#include <mutex>
#include <string>
#include <utility>

namespace Kokkos::Impl {

template <class ExecSpace>
class GraphDefinition {
 public:
  using Backend = GraphBackend<ExecSpace>;
  using Node    = typename Backend::Node;

  template <class... Native>
  explicit GraphDefinition(ExecSpace const& space, Native... native) : m_space(space), m_backend(space, native...) {}

  ExecSpace const& space() const noexcept { return m_space; }
  Backend const& backend() const noexcept { return m_backend; }
  Node root() const { return m_backend.root(); }

  /// Adds a node after `after` with the work that `make_work()` returns, on the device of `where`.
  template <class MakeWork>
  Node add(Node const& after, ExecSpace const& where, MakeWork const& make_work) {
    auto work = make_tracked(make_work);
    require_open(work.label);
    return m_backend.add(after, where, std::move(work));
  }

  template <class... Nodes>
  Node join(Nodes const&... nodes) {
    require_open("when_all");
    return m_backend.join(nodes...);
  }

  void instantiate() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_instantiated) refuse_second_instantiation();
    instantiate_locked();
  }

  void submit(ExecSpace const& where) {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (!m_instantiated) instantiate_locked();
    }
    // From here on, only submissions use the backend's graph.
    m_backend.submit(where);
  }

 private:
  /// The node owns the memory that its functor's views refer to.
  template <class MakeWork>
  static auto make_tracked(MakeWork const& make_work) {
    TrackedScope tracked;
    return make_work();
  }

  void require_open(std::string const& label) {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_instantiated) refuse_node_after_instantiation(label);
  }

  void instantiate_locked() {
    m_backend.instantiate();
    m_instantiated = true;
  }

  ExecSpace m_space;
  Backend m_backend;
  std::mutex m_mutex;           // of several concurrent first submissions one instantiates, and the others wait for it
  bool m_instantiated = false;  // never becomes false again
};

}  // namespace Kokkos::Impl

#endif
