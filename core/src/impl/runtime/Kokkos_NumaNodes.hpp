// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_NUMA_NODES_HPP
#define KOKKOS_RUNTIME_NUMA_NODES_HPP

/// \file
/// The NUMA nodes of the machine, and the system call that places pages on them.

#include <Kokkos_HostPlacement.hpp>

#include <cstddef>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// The nodes of a machine, in ascending order.
struct NumaNodes {
  std::vector<int> with_memory;
  std::vector<int> allowed;  ///< the subset that this process may use, according to its cpuset
};

/// The nodes that Linux reports below `root`, which is empty except in tests. A machine without such reports has one
/// node, 0.
NumaNodes numa_nodes(std::string const& root = "");

/// The arguments of mbind(2) for pages.
struct PagePolicy {
  int mode = 0;  ///< MPOL_DEFAULT (0), MPOL_PREFERRED (1) or MPOL_INTERLEAVE (3)
  std::vector<unsigned long> nodes;
};

/// The policy of a placement. On a machine with one node, and for first touch, the default, which needs no system call.
PagePolicy plan_pages(Experimental::HostPlacement const& placement, NumaNodes const& nodes);

/// \throws std::runtime_error with a sentence unless this process may use memory of the node
void require_numa_node(int node, NumaNodes const& nodes);

/// The system's mbind: 0, or the error number. Tests replace it.
using PlacePages = int (*)(void* first, std::size_t bytes, int mode, unsigned long const* nodes, unsigned long bits);

/// Maps pages for `bytes` bytes with the policy. `place` is the system call. Null if there is not enough memory. If the
/// system refuses the policy, as in some containers, the pages are placed by first touch, and a warning says so once.
void* map_pages(std::size_t bytes, PagePolicy const& policy, PlacePages place);
/// Maps pages as above, with the machine's nodes and the system call.
void* map_pages(std::size_t bytes, Experimental::HostPlacement const& placement);
/// `bytes` is the argument of map_pages.
void unmap_pages(void* first, std::size_t bytes) noexcept;

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
