// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_WORKGRAPHPOLICY_HPP
#define KOKKOS_WORKGRAPHPOLICY_HPP

/// \file
/// WorkGraphPolicy: iterations with dependencies.

#include <Kokkos_Crs.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_View.hpp>
#include <impl/policy/Kokkos_PolicyTraits.hpp>
#include <impl/policy/Kokkos_WorkGraphLevels.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos {

/// Iterations 0 to numRows() - 1 of a graph: i runs before each entry of row i.
///
/// The constructor sorts the iterations into levels, so that each runs after its predecessors; a parallel_for launches
/// a kernel for each level. It is therefore efficient if levels are wide. The constructor reads the graph, which
/// fences; the graph may be changed afterwards.
/// \throws std::runtime_error if iterations depend on each other in a cycle, or an entry is not a row
template <class... Properties>
class WorkGraphPolicy {
  using range_policy = RangePolicy<Properties...>;

 public:
  /// The policy itself, under the name that every policy has.
  using execution_policy = WorkGraphPolicy;
  using execution_space  = typename range_policy::execution_space;  ///< runs the kernels
  using memory_space     = typename execution_space::memory_space;  ///< stores the order
  using index_type       = typename range_policy::index_type;       ///< type of an iteration
  using member_type      = index_type;                              ///< type of an iteration
  /// The first argument of the functor; void if there is none.
  using work_tag = typename range_policy::work_tag;
  /// Row i lists the iterations that must run after iteration i.
  using graph_type = Crs<index_type, execution_space, void, index_type>;

  /// Sorts the iterations of `graph` into levels, on the host.
  explicit WorkGraphPolicy(graph_type const& graph) {
    auto const rows    = Kokkos::create_mirror_view_and_copy(HostSpace(), graph.row_map);
    auto const entries = Kokkos::create_mirror_view_and_copy(HostSpace(), graph.entries);
    m_levels = Impl::SharedPtr(new Impl::WorkGraphLevels(static_cast<std::size_t>(graph.numRows()), entries.extent(0)));
    for (std::size_t row = 0; row < m_levels->size(); ++row)
      for (auto e = rows(row); e < rows(row + 1); ++e)
        m_levels->add(row, static_cast<std::size_t>(entries(static_cast<std::size_t>(e))));
    m_levels->sort();
    m_order =
        View<index_type*, memory_space>(view_alloc(WithoutInitializing, "Kokkos::WorkGraphPolicy"), m_levels->size());
    auto const order = Kokkos::create_mirror_view(m_order);
    for (std::size_t i = 0; i < m_levels->size(); ++i) order(i) = static_cast<index_type>(m_levels->order()[i]);
    Kokkos::deep_copy(m_order, order);
  }

  /// The default instance, which runs the kernels.
  execution_space space() const { return execution_space(); }

  /// The iterations in the order of their levels.
  View<index_type const*, memory_space> impl_order() const { return m_order; }
  /// The ends of the levels in that order.
  Impl::WorkGraphLevels const& impl_levels() const { return *m_levels; }

 private:
  View<index_type*, memory_space> m_order;
  Impl::SharedPtr<Impl::WorkGraphLevels> m_levels;
};

namespace Impl {

/// Calls the functor of a WorkGraphPolicy for a position in the order.
template <class Tag, class Order, class Functor>
struct WorkGraphBody {
  Order order;
  Functor functor;
  KOKKOS_FUNCTION void operator()(std::size_t place) const {
    if constexpr (std::is_void_v<Tag>)
      functor(order(place));
    else
      functor(Tag(), order(place));
  }
};

}  // namespace Impl

/// @{
/// Calls the functor once for each iteration, after its predecessors.
template <class... Properties, class Functor>
void parallel_for(std::string const& label, WorkGraphPolicy<Properties...> const& policy, Functor const& functor) {
  using Policy    = WorkGraphPolicy<Properties...>;
  using ExecSpace = typename Policy::execution_space;
  using Body      = Impl::WorkGraphBody<typename Policy::work_tag, decltype(policy.impl_order()), Functor>;
  Body const body{policy.impl_order(), functor};
  std::size_t begin = 0;
  for (std::size_t level = 0; level < policy.impl_levels().level_count(); ++level) {
    std::size_t const end = policy.impl_levels().level_ends()[level];
    Kokkos::parallel_for(label, RangePolicy<ExecSpace, IndexType<std::size_t>>(begin, end), body);
    begin = end;
  }
}
template <class... Properties, class Functor>
void parallel_for(WorkGraphPolicy<Properties...> const& policy, Functor const& functor) {
  Kokkos::parallel_for(std::string(), policy, functor);
}
/// @}

}  // namespace Kokkos

#endif
