// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPH_GRAPH_COPIES_HPP
#define KOKKOS_GRAPH_GRAPH_COPIES_HPP

/// \file
/// Copies and fills of views as the work of nodes; see Kokkos_GraphWork.hpp.
///
/// Such a node is a call of deep_copy with an instance. Host backends make this call at each submission, and other
/// backends record it. If deep_copy would wait for the instance, the call cannot be recorded; the node then calls deep_copy
/// on the host, if the host can access both views.

#include <impl/copy/Kokkos_DeepCopy.hpp>
#include <impl/graph/Kokkos_GraphWork.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

// ---- how deep_copy orders its work --------------------------------------------------------------------------------

template <class Route, class Exec, class Job>
inline constexpr bool orders_in_v = requires(Exec const& exec, Job const& job) { Route::run(exec, job); };

/// Whether deep_copy(exec, dst, src) waits for nothing, because all its work is in the order of an instance of Exec.
template <class Exec, class Dst, class Src>
constexpr bool copies_in_order() {
  using T      = typename Dst::value_type;
  using U      = typename Src::non_const_value_type;
  using Runner = typename decltype(assigning_space<Exec, Dst, Src>())::type;
  using Route  = CopyRoute<route_space_t<typename Dst::memory_space>, route_space_t<typename Src::memory_space>>;
  if constexpr (std::is_same_v<T, U> && (std::is_trivially_copyable_v<T> || std::is_same_v<Runner, None>))
    return orders_in_v<Route, Exec, CopyJob>;
  else if constexpr (std::is_same_v<T, U> && may_lack_elements_v<Dst>)
    return orders_in_v<Route, Exec, CopyJob> && std::is_same_v<Runner, Exec>;
  else if constexpr (std::is_same_v<Runner, None>)
    return std::is_same_v<converting_space_t<Dst, Src>, Exec>;
  else
    return std::is_same_v<Runner, Exec>;
}

/// Like `copies_in_order` above, for fills.
template <class Exec, class Dst>
constexpr bool fills_in_order() {
  if constexpr (std::is_trivially_copyable_v<typename Dst::value_type>)
    return orders_in_v<FillRoute<route_space_t<typename Dst::memory_space>>, Exec, FillJob>;
  else
    return std::is_same_v<typename decltype(assigning_space<Exec, Dst, Dst>())::type, Exec>;
}

template <class ViewType>
inline constexpr bool is_on_host_v = SpaceAccessibility<HostSpace, typename ViewType::memory_space>::accessible;

// ---- by one thread of the host ------------------------------------------------------------------------------------

/// Assigns the elements of a plan on the calling thread, which may belong to a vendor's runtime: without a kernel, and
/// without a call of any runtime.
template <class T, class Source>
void assign_on_this_thread(CopyPlan const& plan, T* dst, Source const& src) {
  if (plan.size() > 0) AssignElements<T, Source>{dst, src, loops_of(plan), plan.size()}(0);
}

/// A copy of host memory.
template <class Dst, class Src>
struct CopyOnThisThread {
  Dst dst;
  Src src;

  void operator()() const {
    using T             = typename Dst::value_type;
    using U             = typename Src::non_const_value_type;
    CopySide const to   = Impl::copy_side(dst);
    CopySide const from = Impl::copy_side(src);
    CopyPlan const plan = plan_copy(sizeof(T), to, from);
    if constexpr (std::is_same_v<T, U> && std::is_trivially_copyable_v<T>)
      if (plan.rank == 0) return static_cast<void>(std::memmove(dst.data(), src.data(), plan.bytes()));
    Impl::assign_on_this_thread(plan, dst.data(), ElementsOfView<U>{src.data()});
  }
};

/// A fill of host memory.
template <class Dst>
struct FillOnThisThread {
  Dst dst;
  typename Dst::non_const_value_type value;

  void operator()() const {
    using T = typename Dst::value_type;
    Impl::assign_on_this_thread(plan_fill(sizeof(T), Impl::copy_side(dst)), dst.data(), ValueOnHost<T>{&value});
  }
};

// ---- the work of a node -------------------------------------------------------------------------------------------

/// The call of deep_copy with an instance. The backend keeps `result`, both sides, as long as the node.
template <class Space, class Dst, class Src>
struct GraphCopy {
  static constexpr auto kind = GraphWorkKind::kernel;
  struct Sides {
    Dst dst;
    Src src;
  };
  std::string label;
  Space instance;
  Sides result;

  Space const& space() const { return instance; }
  void launch(Space const& where) const { Kokkos::deep_copy(where, result.dst, result.src); }
};

/// Throws what deep_copy would throw about the views, before anything is recorded.
template <class Dst, class Src>
void require_copyable_by_graph(Dst const& dst, Src const& src) {
  static_assert(Dst::rank() == Src::rank(),
                "Kokkos::Experimental::GraphNodeRef::then_deep_copy: both views must have the same rank.");
  static_assert(!std::is_const_v<typename Dst::value_type>,
                "Kokkos::Experimental::GraphNodeRef::then_deep_copy: the elements of the destination are const.");
  CopySide const to   = Impl::copy_side(dst);
  CopySide const from = Impl::copy_side(src);
  require_copyable(to, from);
  if constexpr (std::is_same_v<typename Dst::memory_space, typename Src::memory_space>)
    (void)is_copy_to_itself(to, sizeof(typename Dst::value_type), from, sizeof(typename Src::value_type));
}

/// The work of a node that calls `on_host` if the execution space is asynchronous and cannot order the copy.
template <bool InOrder, bool OnHost, class Space, class Dst, class Src, class Call>
auto graph_copy_or_call(std::string const& label, Space const& space, Dst const& dst, Src const& src,
                        Call const& on_host) {
  if constexpr (InOrder || runs_on_host_v<Space>) {
    return GraphCopy<Space, Dst, Src>{label, space, {dst, src}};
  } else {
    static_assert(
        OnHost,
        "Kokkos::Experimental::GraphNodeRef::then_deep_copy: neither the graph's execution space nor the host "
        "can make this copy without a wait between both: it converts elements that only the host can assign, "
        "or a view is in a memory space that neither can access. Convert the elements in a node of their own.");
    return GraphHostCall<Space, Call>{label, space, on_host};
  }
}

template <class Space, class Dst, class Src>
auto graph_copy(std::string const& label, Space const& space, Dst const& dst, Src const& src) {
  return Impl::graph_copy_or_call < copies_in_order<Space, Dst, Src>(),
         is_on_host_v<Dst> && is_on_host_v < Src >> (label, space, dst, src, CopyOnThisThread<Dst, Src>{dst, src});
}

template <class Space, class Dst>
auto graph_fill(std::string const& label, Space const& space, Dst const& dst, typename Dst::const_value_type& value) {
  return Impl::graph_copy_or_call<fills_in_order<Space, Dst>(), is_on_host_v<Dst>>(label, space, dst, value,
                                                                                   FillOnThisThread<Dst>{dst, value});
}

/// The label of a node to which the program gave none.
template <class Dst, class Src>
std::string graph_copy_label(Dst const& dst, Src const& src) {
  return "deep_copy of \"" + src.label() + "\" to \"" + dst.label() + '"';
}
template <class Dst>
std::string graph_fill_label(Dst const& dst) {
  return "fill of \"" + dst.label() + '"';
}

}  // namespace Kokkos::Impl

#endif
