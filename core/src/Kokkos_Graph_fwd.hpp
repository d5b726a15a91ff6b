// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_FWD_HPP
#define KOKKOS_GRAPH_FWD_HPP

/// \file
/// Forward declarations of graphs, and the templates that a backend specialises for them.

#include <Kokkos_Core_fwd.hpp>

#include <cstdint>

namespace Kokkos {

namespace Experimental {

/// The template arguments of a node for its kernel and its predecessor. Nodes here are always type-erased.
struct TypeErasedTag {};

/// The kinds of nodes of a graph.
enum class GraphNodeKind : std::uint8_t {
  TypeErased,  ///< not known to the type of the handle
  Root,        ///< nothing, before all other nodes
  Kernel,      ///< runs a kernel
  Aggregate,   ///< nothing, after all nodes that when_all was given
  Host,        ///< calls a function on the host
  Capture,     ///< work that was captured in a stream
  DeepCopy     ///< copies or fills a view; an addition of this library
};

template <class ExecutionSpace = DefaultExecutionSpace>
struct Graph;

template <class WorkTag = void>
struct ThenPolicy;

template <class ExecutionSpace, class Kernel = TypeErasedTag, class Predecessor = TypeErasedTag>
class GraphNodeRef;

}  // namespace Experimental

namespace Impl {

/// Holds the nodes of one graph and runs them. See docs/interfaces.md for the contract.
template <class ExecSpace>
class GraphBackend;

/// Base of nodes, with the functions that only one backend provides, such as cuda_capture.
template <class ExecSpace, class NodeRef>
struct GraphNodeExtensions {};

}  // namespace Impl
}  // namespace Kokkos

#endif
