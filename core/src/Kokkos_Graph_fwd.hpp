// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_FWD_HPP
#define KOKKOS_GRAPH_FWD_HPP

/// \file
/// Forward declarations of graphs, and what a backend specialises for them.

#include <Kokkos_Core_fwd.hpp>

namespace Kokkos {

namespace Experimental {

/// Stands where a node's type could say what its kernel is or what it comes after. Nodes here never say so.
struct TypeErasedTag {};

template <class ExecutionSpace = DefaultExecutionSpace>
struct Graph;

template <class ExecutionSpace, class Kernel = TypeErasedTag, class Predecessor = TypeErasedTag>
class GraphNodeRef;

}  // namespace Experimental

namespace Impl {

/// Holds the nodes of one graph and runs them. See docs/interfaces.md for the contract.
template <class ExecSpace>
class GraphBackend;

/// Base of nodes, with the functions that they have in one backend only, such as cuda_capture.
template <class ExecSpace, class NodeRef>
struct GraphNodeExtensions {};

}  // namespace Impl
}  // namespace Kokkos

#endif
