// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_SUBVIEWPLAN_HPP
#define KOKKOS_VIEW_SUBVIEWPLAN_HPP

/// \file
/// The result of slicing a view: rank, extents, layout and data type at compile time, and the numbers at run time.

#include <Kokkos_Macros.hpp>
#include <impl/view/Kokkos_Slice.hpp>
#include <impl/view/Kokkos_ViewAssignment.hpp>
#include <impl/view/Kokkos_ViewErrors.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The shape of a subview, derived only from the kinds of its slices.
struct SubviewPlan {
  std::size_t rank         = 0;
  std::size_t rank_dynamic = 0;
  /// The dimension of the source that dimension d of the result comes from.
  std::size_t source[ARRAY_LAYOUT_MAX_RANK] = {};
  /// Static extents; 0 for run-time extents.
  std::size_t static_extent[ARRAY_LAYOUT_MAX_RANK] = {};
  /// Whether the result has the source's layout; LayoutStride otherwise.
  bool keeps_layout = false;
};

enum class LayoutKind { left, right, stride };
template <class Layout>
inline constexpr LayoutKind layout_kind_v = std::is_same_v<Layout, LayoutLeft>    ? LayoutKind::left
                                            : std::is_same_v<Layout, LayoutRight> ? LayoutKind::right
                                                                                  : LayoutKind::stride;

/// The kinds of the slices and the static extents of the source, which has at most 8 dimensions.
struct SubviewInput {
  LayoutKind layout;
  std::size_t rank;
  SliceKind kind[ARRAY_LAYOUT_MAX_RANK + 1];
  std::size_t static_extent[ARRAY_LAYOUT_MAX_RANK + 1];
};

/// Whether the kept dimensions are still dense except for one padded stride. Counted from the fastest dimension: the
/// fastest one must be kept; the next kept one may be any dimension, and its stride is the padded one; each further
/// kept dimension must directly follow the one before it, which must be kept whole.
constexpr bool subview_keeps_layout(SubviewInput const& in, SubviewPlan const& plan) {
  if (in.layout == LayoutKind::stride || plan.rank == 0) return true;
  // Position of the k-th kept dimension, counted from the fastest one.
  auto const position = [&](std::size_t k) {
    return in.layout == LayoutKind::left ? plan.source[k] : in.rank - 1 - plan.source[plan.rank - 1 - k];
  };
  auto const kind_at = [&](std::size_t p) { return in.kind[in.layout == LayoutKind::left ? p : in.rank - 1 - p]; };
  if (position(0) != 0) return false;
  for (std::size_t k = 2; k < plan.rank; ++k)
    if (position(k) != position(k - 1) + 1 || kind_at(position(k - 1)) != SliceKind::all) return false;
  return true;
}

constexpr SubviewPlan plan_subview(SubviewInput const& in) {
  SubviewPlan plan;
  for (std::size_t r = 0; r < in.rank; ++r)
    if (in.kind[r] != SliceKind::index) {
      plan.source[plan.rank]        = r;
      plan.static_extent[plan.rank] = in.kind[r] == SliceKind::all ? in.static_extent[r] : 0;
      ++plan.rank;
    }
  plan.keeps_layout = subview_keeps_layout(in, plan);
  if (plan.keeps_layout && plan.rank > 1 && in.layout != LayoutKind::stride) {
    // A static fastest extent would also be the stride of the next dimension: check whether it is.
    std::size_t const fastest = in.layout == LayoutKind::left ? 0 : plan.rank - 1;
    std::size_t const next    = in.layout == LayoutKind::left ? 1 : plan.rank - 2;
    std::size_t const gap     = in.layout == LayoutKind::left ? plan.source[next] - plan.source[fastest]
                                                              : plan.source[fastest] - plan.source[next];
    if (gap != 1) plan.static_extent[fastest] = 0;
  }
  // In a data type, run-time extents come first.
  for (std::size_t d = 0; d < plan.rank; ++d)
    if (plan.static_extent[d] == 0) plan.rank_dynamic = d + 1;
  for (std::size_t d = 0; d < plan.rank_dynamic; ++d) plan.static_extent[d] = 0;
  return plan;
}

template <class ViewType, class... Slices>
inline constexpr SubviewPlan subview_plan_v = [] {
  SubviewInput in{layout_kind_v<typename ViewType::array_layout>,
                  ViewType::dimension::rank,
                  {slice_kind_v<Slices>..., SliceKind::all},
                  {}};
  for (std::size_t r = 0; r < in.rank; ++r) in.static_extent[r] = ViewType::dimension::static_extent(r);
  return plan_subview(in);
}();

template <class ViewType, class... Slices>
struct SubviewType {
  static constexpr SubviewPlan plan = subview_plan_v<ViewType, Slices...>;
  using layout = std::conditional_t<plan.keeps_layout && !is_program_layout_v<typename ViewType::array_layout>,
                                    typename ViewType::array_layout, LayoutStride>;
  // A part of an aligned view may start at any element.
  using traits = MemoryTraits<ViewType::memory_traits::impl_value & ~unsigned(Kokkos::Aligned)>;

  template <std::size_t... R>
  static auto data_type(std::index_sequence<R...>)
      -> std::type_identity<typename MakeViewDataType<typename ViewType::value_type, plan.rank_dynamic,
                                                      plan.static_extent[plan.rank_dynamic + R]...>::type>;
  // nvcc writes the names of the arguments of a subview's type into the code for the host, in a template of a program.
  // g++ takes an expression with a member of `plan` there for a dependent one, and then the whole type.
  using DataType = typename decltype(data_type(std::make_index_sequence<plan.rank - plan.rank_dynamic>()))::type;

  using type = View<DataType, layout, typename ViewType::device_type, traits>;
};

/// Tag of the constructor that creates a subview.
struct MakeSubview {};

/// Whether the slices match ViewType: one for each dimension, each an index, a range or ALL.
template <class ViewType, class... Slices>
inline constexpr bool are_slices_v =
    sizeof...(Slices) == ViewType::dimension::rank && ((slice_kind_v<Slices> != SliceKind::invalid) && ...);

/// Whether a subview of a ViewType with these slices can be a view with traits Dst.
template <class Dst, class ViewType, class... Slices>
constexpr bool is_subview_of() {
  if constexpr (sizeof...(Slices) > 0 && are_slices_v<ViewType, Slices...>)
    return ViewAssignment<Dst, typename SubviewType<ViewType, Slices...>::type::traits>::possible();
  else
    return false;
}

/// Offset, extents and strides of a subview.
struct SubviewShape {
  std::size_t offset = 0;
  ExtentList extents;
  ExtentList strides;
};

template <class Mapping, std::size_t... R, class... Slices>
KOKKOS_FORCEINLINE_FUNCTION constexpr SubviewShape slice_mapping(Mapping const& mapping, std::index_sequence<R...>,
                                                                 Slices const&... slices) {
  SubviewShape shape;
  [[maybe_unused]] std::size_t d   = 0;
  [[maybe_unused]] auto const take = [&](std::size_t r, auto const& slice) {
    using Slice              = std::remove_cvref_t<decltype(slice)>;
    std::size_t const begin  = Impl::slice_begin(slice);
    std::size_t const stride = mapping.stride(r);
    if constexpr (slice_kind_v<Slice> != SliceKind::all) shape.offset += begin * stride;
    if constexpr (slice_kind_v<Slice> != SliceKind::index) {
      shape.extents.value[d] = Impl::slice_end(slice, mapping.extents()[r]) - begin;
      shape.strides.value[d] = stride;
      ++d;
    }
  };
  (take(R, slices), ...);
  return shape;
}

/// Aborts if a slice exceeds the view.
template <class Mapping, class Label, std::size_t... R, class... Slices>
KOKKOS_FUNCTION constexpr void check_slices(Mapping const& mapping, [[maybe_unused]] Label const& label,
                                            std::index_sequence<R...>, Slices const&... slices) {
  [[maybe_unused]] auto const check = [&](std::size_t r, auto const& slice) {
    std::size_t const extent = mapping.extents()[r];
    std::size_t const begin  = Impl::slice_begin(slice);
    std::size_t const end    = Impl::slice_end(slice, extent);
    constexpr bool is_index  = slice_kind_v<std::remove_cvref_t<decltype(slice)>> == SliceKind::index;
    if (is_index ? begin < extent : begin <= end && end <= extent) return;
    KOKKOS_IF_ON_HOST((Impl::abort_bad_slice(label(), r, begin, end, extent, is_index);))
    abort_on_device("Kokkos::subview: a slice is out of bounds.");
  };
  (check(R, slices), ...);
}

}  // namespace Kokkos::Impl

#endif
