// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWASSIGNMENT_HPP
#define KOKKOS_VIEW_VIEWASSIGNMENT_HPP

/// \file
/// The assignability of views: by type, and, if the types leave it open, by extents and strides.

#include <Kokkos_Macros.hpp>
#include <impl/view/Kokkos_ViewErrors.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// True if no dimension has different static extents in the two data types. With `at_all_times`, Src must also fix
/// every extent that Dst fixes.
template <class Dst, class Src>
KOKKOS_FUNCTION constexpr bool static_extents_agree(bool at_all_times) {
  for (std::size_t r = 0; r < Dst::rank; ++r) {
    std::size_t const d = Dst::static_extent(r);
    std::size_t const s = Src::static_extent(r);
    if (d != 0 && d != s && (s != 0 || at_all_times)) return false;
  }
  return true;
}

/// The requirements of assigning a view with traits Src to one with traits Dst.
template <class Dst, class Src>
struct ViewAssignment {
  using DstLayout  = typename Dst::array_layout;
  using SrcLayout  = typename Src::array_layout;
  using DstMapping = ViewMapping<DstLayout, typename Dst::dimension>;
  using SrcMapping = ViewMapping<SrcLayout, typename Src::dimension>;

  static constexpr std::size_t rank = Dst::dimension::rank;

  static constexpr bool same_rank = rank == Src::dimension::rank;
  static constexpr bool same_value =
      std::is_same_v<typename Dst::non_const_value_type, typename Src::non_const_value_type>;
  static constexpr bool keeps_const =
      std::is_const_v<typename Dst::value_type> || !std::is_const_v<typename Src::value_type>;
  static constexpr bool from_strided = std::is_same_v<SrcLayout, LayoutStride>;
  static constexpr bool to_strided   = std::is_same_v<DstLayout, LayoutStride>;
  static constexpr bool layouts_fit =
      std::is_same_v<DstLayout, SrcLayout> || to_strided ||
      (!is_program_layout_v<DstLayout> && !is_program_layout_v<SrcLayout> && (from_strided || rank <= 1));
  static constexpr bool spaces_fit =
      MemorySpaceAccess<typename Dst::memory_space, typename Src::memory_space>::assignable;

  static constexpr bool possible() {
    if constexpr (same_rank && same_value && keeps_const && layouts_fit && spaces_fit)
      return Impl::static_extents_agree<typename Dst::dimension, typename Src::dimension>(false);
    else
      return false;
  }

  /// Whether strides must be checked at run time.
  KOKKOS_FUNCTION static constexpr bool checks_strides() {
    if constexpr (to_strided || rank == 0)
      return false;
    else
      return from_strided || (SrcMapping::stores_stride && !DstMapping::stores_stride);
  }
  KOKKOS_FUNCTION static constexpr bool checks_extents() {
    return !Impl::static_extents_agree<typename Dst::dimension, typename Src::dimension>(true);
  }
  static constexpr bool checks_alignment = Dst::memory_traits::is_aligned && !Src::memory_traits::is_aligned;

  static constexpr bool always() {
    if constexpr (possible())
      return !checks_strides() && !checks_extents() && !checks_alignment;
    else
      return false;
  }

  static constexpr char const* layout_name = std::is_same_v<DstLayout, LayoutLeft> ? "LayoutLeft" : "LayoutRight";
};

/// Extents or strides of a mapping as a list.
template <class Mapping>
KOKKOS_FUNCTION constexpr ExtentList extents_of(Mapping const& mapping) {
  ExtentList list;
  for (std::size_t r = 0; r < Mapping::rank; ++r) list.value[r] = mapping.extents()[r];
  return list;
}
template <class Mapping>
KOKKOS_FUNCTION constexpr ExtentList strides_of(Mapping const& mapping) {
  ExtentList list;
  for (std::size_t r = 0; r < Mapping::rank; ++r) list.value[r] = mapping.stride(r);
  return list;
}

/// The mapping of the destination for the source's elements. Aborts if extents or strides do not match.
template <class Assignment, class Label>
KOKKOS_FUNCTION constexpr typename Assignment::DstMapping convert_mapping(typename Assignment::SrcMapping const& source,
                                                                          [[maybe_unused]] Label const& label) {
  using Dst = typename Assignment::DstMapping;
  if constexpr (std::is_same_v<Dst, typename Assignment::SrcMapping>) {
    return source;
  } else {
    [[maybe_unused]] ExtentList const extents = Impl::extents_of(source);
    [[maybe_unused]] ExtentList const strides = Impl::strides_of(source);
    // nvcc 13.0 rejects this without the outer braces in some instantiations ("expected a }").
    if constexpr (Assignment::checks_extents()) {
      for (std::size_t r = Dst::extents_type::rank_dynamic; r < Dst::rank; ++r) {
        if (extents.value[r] != Dst::extents_type::static_extent(r)) {
          KOKKOS_IF_ON_HOST(
              (Impl::abort_extent_mismatch(label(), r, extents.value[r], Dst::extents_type::static_extent(r));))
          abort_on_device("Kokkos::View: incompatible View assignment: an extent differs from that in the data type.");
        }
      }
    }
    if constexpr (Assignment::checks_strides()) {
      if (!Dst::allows(extents, strides)) {
        KOKKOS_IF_ON_HOST((Impl::abort_layout_mismatch(label(), Assignment::layout_name, Dst::rank, extents, strides);))
        abort_on_device("Kokkos::View: incompatible View assignment: the strides do not fit the layout.");
      }
      return Dst::adopt(extents, strides);
    } else if constexpr (is_program_layout_v<typename Dst::layout_type>) {
      return Dst(source);
    } else {
      return Dst(extents, strides);
    }
  }
}

/// Whether convert_mapping would succeed.
template <class Assignment>
KOKKOS_FUNCTION constexpr bool mapping_converts(typename Assignment::SrcMapping const& source) {
  using Dst                = typename Assignment::DstMapping;
  ExtentList const extents = Impl::extents_of(source);
  for (std::size_t r = Dst::extents_type::rank_dynamic; r < Dst::rank; ++r)
    if (extents.value[r] != Dst::extents_type::static_extent(r)) return false;
  if constexpr (Assignment::checks_strides()) return Dst::allows(extents, Impl::strides_of(source));
  return true;
}

}  // namespace Kokkos::Impl

#endif
