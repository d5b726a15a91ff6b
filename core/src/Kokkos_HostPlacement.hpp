// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PLACEMENT_HPP
#define KOKKOS_HOST_PLACEMENT_HPP

/// \file
/// Kokkos::Experimental::HostPlacement: the NUMA nodes on which the memory of a view of HostSpace is. An extension of this
/// project.

#include <cstddef>

namespace Kokkos {

class HostSpace;

namespace Experimental {

/// On which NUMA nodes host memory is. A view gets its memory by a placement in view_alloc:
///
///     using Kokkos::Experimental::HostPlacement;
///     Kokkos::View<double*, Kokkos::HostSpace> const table(Kokkos::view_alloc(HostPlacement::interleaved(), "table"), n);
///
/// A MemoryResource<HostSpace> takes a placement, too. Each allocation is a mapping of its own, of whole pages, so give
/// placements to large views, and a MemoryResource to many small ones. On a machine with one node, placements have no
/// effect. If the system refuses them, as in some containers, memory is placed by first touch, and a warning says so once.
class HostPlacement {
 public:
  using memory_space = HostSpace;

  enum class Kind : unsigned char { first_touch, interleaved, node };

  /// Each page is on the node of the thread that first writes to it. The initialization of a view distributes pages over the
  /// threads of its execution space as a parallel_for distributes iterations. This is also what views without a placement
  /// get, unless their memory was used before.
  static constexpr HostPlacement first_touch() noexcept { return {Kind::first_touch, 0}; }
  /// The pages are distributed over all nodes in turn, for memory that all threads read at random places.
  static constexpr HostPlacement interleaved() noexcept { return {Kind::interleaved, 0}; }
  /// On the node, and on others when it is full. \throws std::runtime_error if this process has no memory on the node
  static HostPlacement on_node(int node);
  /// On the node beside the device of an instance, for memory that is copied to and from the device. First touch for an
  /// instance of a host, and if the system does not report the node.
  template <class ExecutionSpace>
  static HostPlacement beside(ExecutionSpace const& exec) {
    if constexpr (requires { exec.impl_host_numa_node(); })
      return on_node_if_known(exec.impl_host_numa_node());
    else
      return first_touch();
  }

  /// For tests: the machine need not have the node.
  static constexpr HostPlacement impl_unchecked(int node) noexcept { return {Kind::node, node}; }

  constexpr Kind kind() const noexcept { return m_kind; }
  /// Of on_node() and beside(); 0 for the others.
  constexpr int node() const noexcept { return m_node; }

  /// For views: `bytes` bytes, aligned to a page.
  /// \throws Experimental::RawMemoryAllocationFailure if there is not enough memory
  void* allocate(char const* label, std::size_t bytes) const;
  /// For views. `bytes` is that of allocate().
  void deallocate(char const* label, void* p, std::size_t bytes) const noexcept;

  friend constexpr bool operator==(HostPlacement const&, HostPlacement const&) noexcept = default;

 private:
  constexpr HostPlacement(Kind kind, int node) noexcept : m_kind(kind), m_node(node) {}
  static HostPlacement on_node_if_known(int node) noexcept;

  Kind m_kind;
  int m_node;
};

}  // namespace Experimental
}  // namespace Kokkos

#endif
