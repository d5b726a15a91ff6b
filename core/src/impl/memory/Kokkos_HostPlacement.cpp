// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Host memory on chosen NUMA nodes.

#include <Kokkos_HostPlacement.hpp>
#include <Kokkos_HostSpace.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_NumaNodes.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>

namespace Kokkos::Experimental {

HostPlacement HostPlacement::on_node(int node) {
  Impl::require_numa_node(node, Impl::numa_nodes());
  return {Kind::node, node};
}

HostPlacement HostPlacement::on_node_if_known(int node) noexcept {
  try {
    auto const allowed = Impl::numa_nodes().allowed;
    if (std::find(allowed.begin(), allowed.end(), node) != allowed.end()) return {Kind::node, node};
  } catch (...) {  // no memory to find the nodes
  }
  return first_touch();
}

void* HostPlacement::allocate(char const* label, std::size_t bytes) const {
  void* const p = Impl::map_pages(bytes, *this);
  if (!p) Impl::throw_out_of_memory(HostSpace::name(), bytes, label);
  Impl::report_allocation(HostSpace::name(), label, p, bytes);
  return p;
}

void HostPlacement::deallocate(char const* label, void* p, std::size_t bytes) const noexcept {
  if (p) Impl::report_deallocation(HostSpace::name(), label, p, bytes);
  Impl::unmap_pages(p, bytes);
}

}  // namespace Kokkos::Experimental
