// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_DYNRANKSHAPE_HPP
#define KOKKOS_IMPL_DYNRANKSHAPE_HPP

/// \file
/// Conversions between the dimensions of a DynRankView, whose number is its rank, and those of its View of rank 7; and
/// copies by these views.

#include <Kokkos_View.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>
#include <impl/copy/Kokkos_DeepCopy.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

inline constexpr std::size_t dyn_rank_max = 7;

/// Up to 7 extents.
template <class... N>
concept DynRankExtents = sizeof...(N) <= dyn_rank_max && (ExtentLike<N> && ...);

/// Up to 7 indices.
template <class... I>
concept DynRankIndices = sizeof...(I) <= dyn_rank_max && (IndexLike<I> && ...);

/// Whether a view with traits Dst may refer to elements of a view with traits Src, for all ranks.
template <class Dst, class Src>
concept DynRankAssignable = std::is_same_v<typename Dst::non_const_value_type, typename Src::non_const_value_type> &&
                            (std::is_const_v<typename Dst::value_type> || !std::is_const_v<typename Src::value_type>) &&
                            Src::dimension::rank <= dyn_rank_max &&
                            MemorySpaceAccess<typename Dst::memory_space, typename Src::memory_space>::assignable;

/// The View of a rank with the element type and properties of a DynRankView.
template <std::size_t Rank, class T, class... Properties>
using ViewOfRank = View<typename MakeViewDataType<T, Rank>::type, Properties...>;

/// Base of DynRankView: the types and functions for its mdspan of 7 dimensions. It is strided for LayoutRight, because
/// rows of a padded View do not stay the last but one dimension when dimensions of extent 1 follow.
template <class DynRank, class T, class... Properties>
using DynRankMDSpan =
    ViewMDSpan<DynRank,
               ViewTraits<T*******,
                          std::conditional_t<
                              std::is_same_v<typename ViewTraits<T*******, Properties...>::array_layout, LayoutRight>,
                              LayoutStride, typename ViewTraits<T*******, Properties...>::array_layout>,
                          typename ViewTraits<T*******, Properties...>::device_type,
                          typename ViewTraits<T*******, Properties...>::memory_traits>>;

/// Whether a DynRankView can refer to the elements of an mdspan.
template <class MDSpan, class T, class... Properties>
concept DynRankFromMDSpan = MDSpan::rank() <= dyn_rank_max &&
                            std::is_constructible_v<ViewOfRank<MDSpan::rank(), T, Properties...>, MDSpan const&>;

template <class Layout>
struct DynRankShape {
  static constexpr bool is_right = std::is_same_v<Layout, LayoutRight>;

  /// The dimension of the View of rank 7 that corresponds to dimension r.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t dimension(std::size_t r, std::size_t rank) {
    return is_right ? dyn_rank_max - rank + r : r;
  }

  /// Whether dimension r of the seven is beyond the rank, if the layout puts such dimensions first; false for other
  /// layouts.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool is_unused(std::size_t r, std::size_t rank) {
    return is_right && r >= rank;
  }

  /// The numbers of `rank` dimensions, placed among seven, of which the others get `rest`.
  KOKKOS_FUNCTION static constexpr ExtentList aligned(ExtentList const& list, std::size_t rank, std::size_t rest) {
    ExtentList result;
    for (std::size_t r = 0; r < dyn_rank_max; ++r) result.value[r] = rest;
    for (std::size_t r = 0; r < rank; ++r) result.value[dimension(r, rank)] = list.value[r];
    return result;
  }

  /// A layout object with these extents.
  template <class... N>
  KOKKOS_FUNCTION static constexpr Layout layout_of(N... n) {
    static_assert(
        Layout::is_extent_constructible,
        "Kokkos::DynRankView: one of LayoutStride is constructed with a LayoutStride object, which has the strides.");
    return Layout(static_cast<std::size_t>(n)...);
  }
  template <class ViewType>
  KOKKOS_FUNCTION static constexpr Layout layout_of_view(ViewType const& view) {
    Layout layout;
    for (unsigned r = 0; r < view.rank(); ++r) {
      layout.dimension[r] = view.extent(r);
      if constexpr (!Layout::is_extent_constructible) layout.stride[r] = view.stride(r);
    }
    return layout;
  }

  /// The number of extents in a layout object. Programs that fill all its members have an 8th extent of 0 or 1, which
  /// is ignored.
  KOKKOS_FUNCTION static constexpr unsigned rank_of(Layout const& layout) {
    unsigned rank = 0;
    while (rank < ARRAY_LAYOUT_MAX_RANK && layout.dimension[rank] != KOKKOS_INVALID_INDEX) ++rank;
    if (rank > dyn_rank_max && layout.dimension[dyn_rank_max] <= 1) return dyn_rank_max;
    if (rank > dyn_rank_max) {
      KOKKOS_IF_ON_HOST((abort_rank_mismatch("", "it was constructed with extents", rank, dyn_rank_max);))
      abort_on_device("Kokkos::DynRankView: there are at most 7 dimensions.");
    }
    return rank;
  }

  /// The layout object of the view of rank 7.
  KOKKOS_FUNCTION static constexpr Layout aligned(Layout const& layout) {
    unsigned const rank = rank_of(layout);
    Layout result       = layout;
    for (std::size_t r = 0; r < dyn_rank_max; ++r) {
      bool const given    = is_right ? r >= dyn_rank_max - rank : r < rank;
      std::size_t const s = is_right ? r - (dyn_rank_max - rank) : r;
      result.dimension[r] = given ? layout.dimension[s] : 1;
      if constexpr (!Layout::is_extent_constructible)
        if (!given) result.stride[r] = 1;
    }
    return result;
  }
};

/// The elements of `source`, with the given extents and strides of `rank` dimensions, as a view of rank 7 whose
/// dimensions are aligned like those of a DynRankView of `Layout`. It has that layout if the source has it, otherwise
/// LayoutStride.
template <class Layout, class Source>
KOKKOS_FUNCTION auto view_of_rank_7(Source const& source, ExtentList const& extents, ExtentList const& strides,
                                    std::size_t rank) {
  using Shape  = DynRankShape<Layout>;
  using Result = std::conditional_t<std::is_same_v<Layout, typename Source::array_layout>, Layout, LayoutStride>;
  SubviewShape shape;
  shape.extents = Shape::aligned(extents, rank, 1);
  shape.strides = Shape::aligned(strides, rank, 1);
  // The one stride that LayoutLeft and LayoutRight store, if its dimension is not among the given ones.
  if (rank < 2) shape.strides.value[Shape::is_right ? dyn_rank_max - 2 : 1] = rank == 0 ? 1 : extents.value[0];
  if (source.size() == 0 && rank == 0) shape.extents = ExtentList{};
  return View<typename Source::value_type*******, Result, typename Source::device_type, typename Source::memory_traits>(
      source, shape);
}

/// The factors for an offset in LayoutRight, by which it is multiplied before the index of dimension 1, 2, ... is
/// added: the extent of that dimension; for the last dimension, the stride of the one before; beyond the rank, 1. So
/// indices of 0 beyond the rank have no effect. The last index within the rank is only added, which lets compilers
/// vectorise.
template <bool Right>
class DynRankFactors {
 public:
  KOKKOS_DEFAULTED_FUNCTION DynRankFactors() = default;
  template <class ViewType>
  KOKKOS_FUNCTION DynRankFactors(ViewType const& view, unsigned rank) {
    for (unsigned r = 1; r < dyn_rank_max; ++r) {
      std::size_t const factor = r >= rank       ? 1
                                 : r + 1 == rank ? view.stride(dyn_rank_max - 2)
                                                 : view.extent(dyn_rank_max - rank + r);
      m_factor[r - 1]          = StoredSize{factor};
    }
  }
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION std::size_t offset(std::size_t first, I... i) const {
    std::size_t result             = first;
    [[maybe_unused]] std::size_t r = 0;
    ((result = result * static_cast<std::size_t>(m_factor[r++]) + i), ...);
    return result;
  }

 private:
  StoredSize m_factor[dyn_rank_max - 1] = {};
};
template <>
class DynRankFactors<false> {
 public:
  KOKKOS_DEFAULTED_FUNCTION DynRankFactors() = default;
  template <class ViewType>
  KOKKOS_FUNCTION DynRankFactors(ViewType const&, unsigned) {}
};

/// Offset, extents and strides of a part, slice by slice.
struct DynRankSlicing {
  SubviewShape shape;
  unsigned rank = 0;  // of the part
  unsigned next = 0;  // dimension of the whole

  KOKKOS_FUNCTION DynRankSlicing() {
    for (std::size_t r = 0; r < dyn_rank_max; ++r) shape.extents.value[r] = shape.strides.value[r] = 1;
  }

  template <class ViewType, class Slice>
  KOKKOS_FUNCTION void take(ViewType const& whole, Slice const& slice) {
    if (next >= whole.rank()) return;
    std::size_t const extent = whole.extent(next), stride = whole.stride(next);
    std::size_t const begin = Impl::slice_begin(slice), end = Impl::slice_end(slice, extent);
    constexpr bool is_index = slice_kind_v<Slice> == SliceKind::index;
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    if (is_index ? begin >= extent : begin > end || end > extent) {
      KOKKOS_IF_ON_HOST((Impl::abort_bad_slice(whole.label().c_str(), next, begin, end, extent, is_index);))
      abort_on_device("Kokkos::subview: a slice is out of bounds.");
    }
#endif
    shape.offset += begin * stride;
    if constexpr (!is_index) {
      shape.extents.value[rank] = end - begin;
      shape.strides.value[rank] = stride;
      ++rank;
    }
    ++next;
  }
};

/// Copies all elements from a DynRankView to another. Strided views, which both layouts convert to, cost more than a
/// short copy.
template <class Exec, class Dst, class Src>
void copy_dyn_rank_views(Exec const& exec, Dst const& dst, Src const& src) {
  if (dst.rank() != src.rank()) Impl::throw_ranks_differ(dst.label(), dst.rank(), src.label(), src.rank());
  if constexpr (std::is_same_v<typename Dst::array_layout, typename Src::array_layout>)
    Impl::copy_views(exec, dst.impl_view(), src.impl_view());
  else
    Impl::copy_views(exec, dst.impl_strided_view(), src.impl_strided_view());
}

}  // namespace Kokkos::Impl

#endif
