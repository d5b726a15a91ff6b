// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_DEEPCOPY_HPP
#define KOKKOS_COPY_DEEPCOPY_HPP

/// \file
/// deep_copy: from view to view, from a value to all elements of a view, and from a view of rank 0 to a variable.
///
/// Without an execution space instance, deep_copy waits for all work that was submitted to any space, and the copy is
/// complete when the call returns. It fences all spaces ("Kokkos::deep_copy: fence before the copy"), copies, and
/// fences the copying space if that is asynchronous ("Kokkos::deep_copy: fence after the copy"). A space whose device puts
/// the copy behind its earlier work need not wait for that work first. With an instance, the copy runs after earlier work
/// and before later work of that instance; the call may return earlier.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_View.hpp>
#include <impl/copy/Kokkos_CopyRoute.hpp>
#include <impl/copy/Kokkos_ElementKernels.hpp>
#include <impl/copy/Kokkos_HostCopyPolicy.hpp>
#include <impl/runtime/Kokkos_RequireWaitable.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The description of a view for copy plans. Later stages do not depend on the view's type.
template <class ViewType>
CopySide copy_side(ViewType const& view) {
  CopySide side;
  side.data  = view.data();
  side.label = view.impl_track().label();
  side.space = ViewType::memory_space::name();
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(view.impl_track())>, AllocationTracker>) {
    if (view.impl_track().has_record()) side.owner = &view.impl_track();
  }
  side.rank = ViewType::rank();
  for (std::size_t r = 0; r < ViewType::rank(); ++r) {
    side.extent[r] = view.extent(r);
    side.stride[r] = view.stride(r);
  }
  return side;
}

/// A single value on the host.
inline CopySide copy_side_of_value(void const* value) {
  CopySide side;
  side.data        = value;
  side.label       = "Scalar";
  side.is_variable = true;
  side.space       = HostSpace::name();
  return side;
}

/// Whether code of `Exec` can access both memory spaces.
template <class Exec, class DstSpace, class SrcSpace>
inline constexpr bool reaches_both_v =
    SpaceAccessibility<Exec, DstSpace>::accessible && SpaceAccessibility<Exec, SrcSpace>::accessible;

/// The space that assigns elements: the given one, or the space of either view, if it can access both sides; or None.
template <class Exec, class Dst, class Src>
constexpr auto assigning_space() {
  using D = typename Dst::memory_space;
  using S = typename Src::memory_space;
  if constexpr (!std::is_same_v<Exec, None>) {
    if constexpr (reaches_both_v<Exec, D, S>) {
      return std::type_identity<Exec>();
    } else {
      return Impl::assigning_space<None, Dst, Src>();
    }
  } else if constexpr (reaches_both_v<typename Dst::execution_space, D, S>) {
    return std::type_identity<typename Dst::execution_space>();
  } else if constexpr (reaches_both_v<typename Src::execution_space, D, S>) {
    return std::type_identity<typename Src::execution_space>();
  } else {
    return std::type_identity<None>();
  }
}

/// Waits for an instance, or for all work that was submitted to any space.
template <class Exec>
void fence_before([[maybe_unused]] Exec const& exec) {
  if constexpr (std::is_same_v<Exec, None>)
    Kokkos::fence(fence_before_copy);
  else
    exec.fence(fence_before_copy);
}

/// Calls `work(instance)` with an instance of Runner, in the order of `exec`; if `exec` is None, the work follows all work
/// that was submitted to any space, and is complete when this returns.
template <class Runner, class Exec, class Work>
void run_ordered([[maybe_unused]] Exec const& exec, Work const& work) {
  if constexpr (std::is_same_v<Runner, Exec>) {
    work(exec);
  } else {
    // A different space from the given one can only be ordered by waiting.
    Runner const runner;
    if constexpr (std::is_same_v<Exec, None> && requires { runner.impl_fence_before_next(fence_before_copy); })
      runner.impl_fence_before_next(fence_before_copy);
    else
      Impl::fence_before(exec);
    Impl::require_waitable(runner, "Kokkos::deep_copy");
    work(runner);
    runner.fence(fence_after_copy);
  }
}

template <class T>
T* elements(CopySide const& side) {
  return static_cast<T*>(const_cast<void*>(side.data));
}

inline CopyJob copy_job(CopyPlan const& plan, CopySide const& dst, CopySide const& src, CopyReport* report) {
  return {plan,           const_cast<void*>(dst.data), src.data, dst.owner, src.owner, dst.label, src.label, report,
          dst.is_variable};
}

template <class Exec, class DstSpace, class SrcSpace>
void copy_bytes(Exec const& exec, CopyPlan const& plan, CopySide const& dst, CopySide const& src,
                CopyReport* report = nullptr) {
  using Route = CopyRoute<route_space_t<DstSpace>, route_space_t<SrcSpace>>;
  Impl::run_route<Route>(exec, copy_job(plan, dst, src, report));
}

/// The part of a side from the element `offset` on.
template <class T>
CopySide side_from(CopySide const& side, std::size_t offset) {
  CopySide part = side;
  part.data     = static_cast<T const*>(side.data) + offset;
  return part;
}
/// Elements in a temporary, without gaps.
inline CopySide side_of_buffer(void const* data) {
  CopySide side;
  side.data  = data;
  side.label = "Kokkos::deep_copy: staging";
  return side;
}

/// Whether device code can convert elements. Other types may be assignable only on the host.
template <class T, class U>
inline constexpr bool converts_anywhere_v = std::is_arithmetic_v<T> && std::is_arithmetic_v<U>;

/// Whether elements that no space can access on both sides are converted on the side of the source: numbers that leave a
/// device are converted there.
template <class Dst, class Src>
inline constexpr bool converts_at_source_v =
    converts_anywhere_v<typename Dst::value_type, typename Src::non_const_value_type> &&
    runs_on_host_v<typename Dst::execution_space> && !runs_on_host_v<typename Src::execution_space>;

/// The space that converts them.
template <class Dst, class Src>
using converting_space_t =
    std::conditional_t<converts_at_source_v<Dst, Src>, typename Src::execution_space, typename Dst::execution_space>;

/// For elements that must be converted although no space can access both sides. They go through a temporary on the side
/// that converts, in chunks, in the order in which the other side stores them.
template <class Dst, class Src, class Exec>
void copy_converting_across(Exec const& exec, CopySide const& dst, CopySide const& src) {
  using T        = typename Dst::value_type;
  using U        = typename Src::non_const_value_type;
  using DstSpace = typename Dst::memory_space;
  using SrcSpace = typename Src::memory_space;
  static_assert(std::is_trivially_copyable_v<U>,
                "Kokkos::deep_copy: no execution space can access both views, and the elements of the source are not "
                "trivially copyable, so they can be neither assigned nor copied as bytes.");
  constexpr bool at_src = converts_at_source_v<Dst, Src>;
  using Runner          = converting_space_t<Dst, Src>;
  using Buffer          = typename Runner::memory_space;
  using OnTheWay        = std::conditional_t<at_src, T, U>;

  std::size_t const unit  = sizeof(OnTheWay);
  PackedOrder const order = packed_order(plan_copy(unit, dst, src), at_src ? CopyEnd::dst : CopyEnd::src);
  std::size_t const most  = host_copy_policy.converting_bytes / unit;
  std::size_t const limit = most < 1 ? 1 : most;
  if (order.size == 0) {
    if constexpr (std::is_same_v<Exec, None>) Impl::fence_before(exec);
    return;
  }
  Impl::run_ordered<Runner>(exec, [&](Runner const& runner) {
    CopyBuffer<Runner> const buffer(runner, (order.size < limit ? order.size : limit) * unit);
    CopySide const staging = Impl::side_of_buffer(buffer.data());
    CopyChunks chunks(order, limit);
    for (CopyChunk chunk; chunks.next(&chunk);) {
      if constexpr (at_src) {
        Impl::copy_elements(runner, chunk.plan, static_cast<T*>(buffer.data()),
                            Impl::elements<U const>(src) + chunk.other_offset);
        Impl::copy_bytes<Runner, DstSpace, Buffer>(runner, chunk.own_plan, Impl::side_from<T>(dst, chunk.own_offset),
                                                   staging);
      } else {
        Impl::copy_bytes<Runner, Buffer, SrcSpace>(runner, chunk.own_plan, staging,
                                                   Impl::side_from<U>(src, chunk.own_offset));
        Impl::copy_elements(runner, chunk.plan, Impl::elements<T>(dst) + chunk.other_offset,
                            static_cast<U const*>(buffer.data()));
      }
    }
  });
}

/// Whether a view type can refer to memory that holds no elements yet, to which one could assign: programs place
/// objects with destructors into raw memory by a deep_copy to a view that wraps it. Unmanaged views are aliases of
/// elements that exist elsewhere.
template <class Dst>
inline constexpr bool may_lack_elements_v =
    Dst::traits::is_managed && !std::is_trivially_destructible_v<typename Dst::value_type>;

/// Whether the memory of dst, of such a type, holds elements: a view will destroy them.
inline bool holds_elements(CopySide const& dst) { return dst.owner && dst.owner->record()->destroys_elements(); }

/// Copies between sides of equal extents. `exec` is an execution space instance or None; Dst and Src are the view
/// types.
template <class Dst, class Src, class Exec>
void copy_sides(Exec const& exec, CopySide const& dst, CopySide const& src, CopyReport* report) {
  using T                              = typename Dst::value_type;
  using U                              = typename Src::non_const_value_type;
  using Runner                         = typename decltype(assigning_space<Exec, Dst, Src>())::type;
  [[maybe_unused]] auto const as_bytes = [&] {
    Impl::copy_bytes<Exec, typename Dst::memory_space, typename Src::memory_space>(
        exec, Impl::plan_copy(sizeof(T), dst, src), dst, src, report);
  };
  if constexpr (std::is_same_v<T, U> && (std::is_trivially_copyable_v<T> || std::is_same_v<Runner, None>)) {
    as_bytes();
  } else {
    if constexpr (std::is_same_v<T, U> && may_lack_elements_v<Dst>) {
      if (!holds_elements(dst)) return as_bytes();
    }
    static_assert(is_element_assignable_v<T, U>,
                  "Kokkos::deep_copy: an element of the source cannot be assigned to one of the destination.");
    if constexpr (std::is_same_v<Runner, None>) {
      Impl::copy_converting_across<Dst, Src>(exec, dst, src);
    } else {
      if (copies_are_explained)
        Impl::explain_copy(Impl::copy_job(Impl::plan_copy(sizeof(T), dst, src), dst, src, nullptr), src.space,
                           dst.space, "kernel", "elements of these types are assigned one by one");
      Impl::run_ordered<Runner>(exec, [&](Runner const& runner) {
        Impl::copy_elements(runner, plan_copy(sizeof(T), dst, src), Impl::elements<T>(dst),
                            Impl::elements<U const>(src));
      });
    }
  }
}

/// Whether two views of one layout are single blocks of the same extents, small enough for one thread, that do not
/// overlap.
template <class Dst, class Src>
bool are_small_blocks(Dst const& dst, Src const& src) {
  constexpr std::size_t rank = Dst::rank(), unit = sizeof(typename Dst::value_type);
  for (std::size_t r = 0; r < rank; ++r)
    if (dst.extent(r) != src.extent(r)) return false;
  if (!dst.span_is_contiguous() || !src.span_is_contiguous()) return false;
  std::size_t const bytes = dst.span() * unit;
  auto const to = reinterpret_cast<std::uintptr_t>(dst.data()), from = reinterpret_cast<std::uintptr_t>(src.data());
  return bytes > 0 && dst.span() <= host_copy_policy.alone_bytes / unit && to != 0 && from != 0 &&
         (to < from ? from - to : to - from) >= bytes;
}

/// For a copy of a microsecond, composing a plan and a report takes longer than the copy. Returns false, without any
/// effect, if the copy needs them.
template <class Exec, class Dst, class Src>
bool copy_small_blocks(Exec const& exec, Dst const& dst, Src const& src) {
  using T     = typename Dst::value_type;
  using Route = CopyRoute<route_space_t<typename Dst::memory_space>, route_space_t<typename Src::memory_space>>;
  constexpr bool one_order =
      Dst::rank() <= 1 || (std::is_same_v<typename Dst::array_layout, typename Src::array_layout> &&
                           Dst::array_layout::is_extent_constructible);
  if constexpr (one_order && std::is_same_v<T, typename Src::non_const_value_type> && std::is_trivially_copyable_v<T> &&
                !std::is_volatile_v<T> && !is_program_layout_v<typename Dst::array_layout> &&
                !is_program_layout_v<typename Src::array_layout> &&
                requires { Route::run_block(exec, nullptr, nullptr, std::size_t()); }) {
    if (tools_loaded() || copies_are_explained || !Impl::are_small_blocks(dst, src)) return false;
    Route::run_block(exec, dst.data(), src.data(), dst.span() * sizeof(T));
    return true;
  } else {
    return false;
  }
}

template <class Exec, class Dst, class Src>
void copy_views(Exec const& exec, Dst const& dst_view, Src const& src_view) {
  using T = typename Dst::value_type;
  static_assert(Dst::rank() == Src::rank(), "Kokkos::deep_copy: both views must have the same rank.");
  static_assert(!std::is_const_v<T>, "Kokkos::deep_copy: the elements of the destination are const.");
  if constexpr (!std::is_same_v<Exec, None>)
    if (Impl::copy_small_blocks(exec, dst_view, src_view)) return;
  CopySide const dst = Impl::copy_side(dst_view);
  CopySide const src = Impl::copy_side(src_view);
  [[maybe_unused]] CopyWaitScope<Exec> const waits(src.label, dst.label);
  CopyReport report(dst.space, dst.label, dst.data, src.space, src.label, src.data, dst.size() * sizeof(T),
                    !std::is_same_v<Exec, None>);
  require_copyable(dst, src);
  // Addresses in different memory spaces cannot be compared.
  if constexpr (std::is_same_v<typename Dst::memory_space, typename Src::memory_space>) {
    if (is_copy_to_itself(dst, sizeof(T), src, sizeof(typename Src::value_type))) {
      if constexpr (std::is_same_v<Exec, None>) Impl::fence_before(exec);
      return;
    }
  }
  Impl::copy_sides<Dst, Src>(exec, dst, src, &report);
}

template <class Exec, class Dst>
void fill_view(Exec const& exec, Dst const& dst_view, typename Dst::const_value_type& value) {
  using T = typename Dst::value_type;
  static_assert(!std::is_const_v<T>, "Kokkos::deep_copy: the elements of the destination are const.");
  CopySide const dst = Impl::copy_side(dst_view);
  [[maybe_unused]] CopyWaitScope<Exec> const waits("a value", dst.label);
  CopyReport report(dst.space, dst.label, dst.data, HostSpace::name(), "Scalar", &value, dst.size() * sizeof(T),
                    !std::is_same_v<Exec, None>);
  require_memory(dst);
  CopyPlan const plan = plan_fill(sizeof(T), dst);
  if constexpr (std::is_trivially_copyable_v<T>) {
    using Route = FillRoute<route_space_t<typename Dst::memory_space>>;
    Impl::run_route<Route>(
        exec, FillJob{plan, dst_view.data(), &value, Impl::is_byte_pattern(&value, sizeof(T)), dst.owner, &report});
  } else {
    using Runner = typename decltype(assigning_space<Exec, Dst, Dst>())::type;
    Impl::run_ordered<Runner>(exec,
                              [&](Runner const& runner) { Impl::fill_elements(runner, plan, dst_view.data(), value); });
  }
}

template <class Exec, class Src>
void copy_to_value(Exec const& exec, typename Src::non_const_value_type& value, Src const& src_view) {
  using T = typename Src::non_const_value_type;
  static_assert(Src::rank() == 0, "Kokkos::deep_copy: only a view of rank 0 can be copied to a variable.");
  CopySide const dst = Impl::copy_side_of_value(&value);
  CopySide const src = Impl::copy_side(src_view);
  [[maybe_unused]] CopyWaitScope<Exec> const waits(src.label, dst.label);
  CopyReport report(dst.space, dst.label, dst.data, src.space, src.label, src.data, sizeof(T),
                    !std::is_same_v<Exec, None>);
  require_memory(src);
  constexpr bool on_host = SpaceAccessibility<HostSpace, typename Src::memory_space>::accessible;
  if constexpr (!std::is_trivially_copyable_v<T> && on_host) {
    Impl::fence_before(exec);
    value = *src_view.data();
  } else {
    Impl::copy_bytes<Exec, HostSpace, typename Src::memory_space>(exec, plan_copy(sizeof(T), dst, src), dst, src,
                                                                  &report);
  }
}

/// If a view's elements are views, an element is a value, not a source of elements.
template <class ViewType, class Element>
concept HasElement = std::is_same_v<typename ViewType::non_const_value_type, Element>;

}  // namespace Impl

/// Copies all elements of `src` to `dst`, converting their type if it differs.
/// \pre Both have the same rank and extents. Contiguous views do not overlap, unless they are the same elements.
/// \throws std::runtime_error, which names labels and extents, if this does not hold.
template <class DT, class... DP, class ST, class... SP>
  requires(!Impl::HasElement<View<DT, DP...>, View<ST, SP...>>)
void deep_copy(View<DT, DP...> const& dst, View<ST, SP...> const& src) {
  Impl::copy_views(Impl::None(), dst, src);
}

/// Like `deep_copy` above, in the order of an instance.
KOKKOS_IMPL_CALLED_BY_HOSTS
template <ExecutionSpace ExecSpace, class DT, class... DP, class ST, class... SP>
  requires(!Impl::HasElement<View<DT, DP...>, View<ST, SP...>>)
KOKKOS_FUNCTION void deep_copy(ExecSpace const& exec, View<DT, DP...> const& dst, View<ST, SP...> const& src) {
  Impl::copy_views(exec, dst, src);
}

/// Assigns `value` to every element.
template <class DT, class... DP>
void deep_copy(View<DT, DP...> const& dst, typename ViewTraits<DT, DP...>::const_value_type& value) {
  Impl::fill_view(Impl::None(), dst, value);
}

/// Like `deep_copy` above, in the order of an instance; `value` is read before the call returns.
KOKKOS_IMPL_CALLED_BY_HOSTS
template <ExecutionSpace ExecSpace, class DT, class... DP>
KOKKOS_FUNCTION void deep_copy(ExecSpace const& exec, View<DT, DP...> const& dst,
                               typename ViewTraits<DT, DP...>::const_value_type& value) {
  Impl::fill_view(exec, dst, value);
}

/// Copies the element of a view of rank 0 to a variable on the host.
template <class ST, class... SP>
void deep_copy(typename ViewTraits<ST, SP...>::non_const_value_type& value, View<ST, SP...> const& src) {
  Impl::copy_to_value(Impl::None(), value, src);
}

/// Like `deep_copy` above, in the order of an instance: the variable must exist until the instance has been fenced.
template <ExecutionSpace ExecSpace, class ST, class... SP>
void deep_copy(ExecSpace const& exec, typename ViewTraits<ST, SP...>::non_const_value_type& value,
               View<ST, SP...> const& src) {
  Impl::copy_to_value(exec, value, src);
}

}  // namespace Kokkos

#endif
