// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_WORK_HPP
#define KOKKOS_GRAPH_GRAPH_WORK_HPP

/// \file
/// The work of a node: the call of a pattern with its arguments, stored for later.
///
/// Each kind of work has a `label`, a `kind`, `space()` (an instance of its device) and `launch(where)`, which starts
/// it on an instance; some have a `result`, which must live as long as the node.

#include <Kokkos_Parallel.hpp>
#include <Kokkos_Parallel_Reduce.hpp>
#include <Kokkos_Parallel_Scan.hpp>
#include <impl/graph/Kokkos_GraphErrors.hpp>

#include <string>
#include <type_traits>

namespace Kokkos::Impl {

enum class GraphWorkKind {
  kernel,     ///< launch() starts kernels on the given instance
  host_call,  ///< launch() runs on the host, when all predecessors have ended
  capture,    ///< the program's own code starts the work, in the native stream of the given instance
};

/// The policy with a different instance.
template <class Policy, class Space>
Policy on_instance(Policy policy, Space const& space) {
  // Policies give read-only access to their instance. This one is a copy and not a const object, so writing is allowed.
  const_cast<Space&>(policy.space()) = space;
  return policy;
}

/// The call of a pattern without a result, which `Launch::run(label, policy, functor)` makes.
template <class Launch, class Policy, class Functor>
struct GraphPattern {
  static constexpr auto kind = GraphWorkKind::kernel;
  std::string label;
  Policy policy;
  Functor functor;

  auto const& space() const { return policy.space(); }
  template <class Space>
  void launch(Space const& where) const {
    Launch::run(label, Impl::on_instance(policy, where), functor);
  }
};

/// Like `GraphPattern` above, with a result: a view or a reducer that refers to a view.
template <class Launch, class Policy, class Functor, class Result>
struct GraphPatternWithResult {
  static constexpr auto kind = GraphWorkKind::kernel;
  std::string label;
  Policy policy;
  Functor functor;
  Result result;

  auto const& space() const { return policy.space(); }
  template <class Space>
  void launch(Space const& where) const {
    Launch::run(label, Impl::on_instance(policy, where), functor, result);
  }
};

struct GraphLaunchFor {
  template <class Policy, class Functor>
  static void run(std::string const& label, Policy const& policy, Functor const& functor) {
    Impl::launch_for(label, policy, functor);
  }
};

struct GraphLaunchReduce {
  template <class Policy, class Functor, class Result>
  static void run(std::string const& label, Policy const& policy, Functor const& functor, Result const& result) {
    if constexpr (!Impl::check_reduction<Policy, Functor, Result&>()) {
      return;
    } else if constexpr (is_reducer_v<Result>) {
      using T = typename Result::value_type;
      Impl::launch_reduce<T>(label, policy, functor, ReducerCombiner<Result>{result},
                             ReductionTarget<T, reducer_memory_space<Result>>{result.view().data(), true});
    } else {
      Impl::reduce_to_view(label, policy, functor, result);
    }
  }
};

struct GraphLaunchScan {
  template <class Policy, class Functor>
  static void run(std::string const& label, Policy const& policy, Functor const& functor) {
    Impl::scan_without_total(label, policy, functor);
  }
  template <class Policy, class Functor, class View>
  static void run(std::string const& label, Policy const& policy, Functor const& functor, View const& total) {
    Impl::scan_with_total(label, policy, functor, total);
  }
};

template <class Policy, class Functor>
using GraphFor = GraphPattern<GraphLaunchFor, Policy, Functor>;
template <class Policy, class Functor, class Result>
using GraphReduce = GraphPatternWithResult<GraphLaunchReduce, Policy, Functor, Result>;
template <class Policy, class Functor>
using GraphScan = GraphPattern<GraphLaunchScan, Policy, Functor>;
template <class Policy, class Functor, class View>
using GraphScanTotal = GraphPatternWithResult<GraphLaunchScan, Policy, Functor, View>;

/// A functor without arguments, or with a tag, as the body of a loop of one iteration.
template <class Functor, class WorkTag = void>
struct CallOnce {
  static_assert(FunctorTakes<Functor> || !std::is_void_v<WorkTag>,
                "Kokkos::Experimental::GraphNodeRef::then: the functor has no const operator() without arguments.");
  Functor functor;
  template <class Index>
  KOKKOS_FUNCTION void operator()(Index const&) const {
    if constexpr (std::is_void_v<WorkTag>) {
      functor();
    } else {
      functor(WorkTag());
    }
  }
};

template <class Space, class Functor>
struct GraphHostCall {
  static constexpr auto kind = GraphWorkKind::host_call;
  std::string label;
  Space instance;
  Functor functor;

  Space const& space() const { return instance; }
  void launch(Space const&) const { functor(); }
};

template <class Functor>
struct GraphCapture {
  static constexpr auto kind = GraphWorkKind::capture;
  std::string label;
  Functor functor;

  template <class Space>
  void launch(Space const& where) const {
    functor(where);
  }
};

// ---- valid destinations of a result ------------------------------------------------------------------------------

template <class Result>
constexpr auto graph_result_memory() {
  if constexpr (is_reducer_v<Result>)
    return std::type_identity<reducer_memory_space<Result>>{};
  else
    return std::type_identity<typename Result::memory_space>{};
}

template <class Space, class Result>
constexpr bool check_graph_result() {
  if constexpr (!is_view_v<Result> && !is_reducer_v<Result>) {
    static_assert(
        always_false<Result>,
        "The result of a reduction or scan in a graph must be a Kokkos::View, or a reducer that refers to one: the "
        "node runs later, perhaps many times, when a variable may no longer exist.");
    return false;
  } else {
    constexpr bool reached =
        SpaceAccessibility<Space, typename decltype(graph_result_memory<Result>())::type>::accessible;
    static_assert(reached,
                  "The result of a reduction or scan in a graph is in a memory space that the graph's execution space "
                  "cannot write to. Use a view in the memory space of the execution space, and copy it afterwards.");
    return reached;
  }
}

/// Throws for a reducer that refers to a variable.
template <class Result>
void require_view_behind(std::string const& label, Result const& result) {
  if constexpr (is_reducer_v<Result>)
    if constexpr (requires { result.references_scalar(); })
      if (result.references_scalar()) refuse_scalar_in_graph(label);
}

}  // namespace Kokkos::Impl

#endif
