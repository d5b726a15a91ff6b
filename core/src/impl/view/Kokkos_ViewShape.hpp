// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_SHAPE_HPP
#define KOKKOS_VIEW_SHAPE_HPP

/// \file
/// Converts the extents or the layout object of a view's constructor to the view's mapping.

#include <Kokkos_Abort.hpp>
#include <impl/view/Kokkos_ViewErrors.hpp>
#include <impl/view/Kokkos_ViewMapping.hpp>

namespace Kokkos::Impl {

/// The numbers of a constructor call.
struct ViewShape {
  ExtentList extents;
  ExtentList strides;     // for LayoutLeft and LayoutRight: the row stride, or 0 if rows are contiguous
  unsigned negative = 0;  // bit r: extent r was given as a negative number
};

template <class Traits, class Mapping>
class ViewShapeMaker {
  using array_layout = typename Traits::array_layout;
  using dimension    = typename Traits::dimension;
  using mapping_type = Mapping;

 public:
  using shape_type = ViewShape;

  static constexpr bool has_row_stride = [] {
    if constexpr (array_layout::is_extent_constructible)
      return mapping_type::stores_stride;
    else
      return false;
  }();

  KOKKOS_FUNCTION static constexpr ExtentList static_extents() {
    ExtentList list;
    for (std::size_t r = 0; r < dimension::rank; ++r) list.value[r] = dimension::static_extent(r);
    return list;
  }

  /// All extents, from those of the program.
  template <class... N>
  KOKKOS_FUNCTION static constexpr ViewShape list_of(N... n) {
    static_assert(sizeof...(N) <= ARRAY_LAYOUT_MAX_RANK, "Kokkos::View: a view has at most 8 extents.");
    static_assert(
        array_layout::is_extent_constructible || dimension::rank == 0,
        "Kokkos::View: a view of LayoutStride is constructed with a LayoutStride object, which has the strides.");
    if constexpr (sizeof...(N) != dimension::rank_dynamic) {
      return list_of_given({{static_cast<std::size_t>(n)...}}, sizeof...(N), Impl::negative_bits(n...));
    } else {
      ViewShape shape{{{static_cast<std::size_t>(n)...}}, {}, Impl::negative_bits(n...)};
      for (std::size_t r = sizeof...(N); r < dimension::rank; ++r) shape.extents.value[r] = dimension::static_extent(r);
      return shape;
    }
  }
  /// Like `list_of` above, for `count` numbers, if there are too few or the last ones are KOKKOS_INVALID_INDEX, which
  /// means "not given".
  KOKKOS_FUNCTION static constexpr ViewShape list_of_given(ExtentList const& numbers, std::size_t count,
                                                           unsigned negative) {
    while (count > dimension::rank_dynamic && numbers.value[count - 1] == KOKKOS_INVALID_INDEX) --count;
    if (!accepts_extent_count(count)) {
      KOKKOS_IF_ON_HOST((Impl::abort_extent_count(count, dimension::rank_dynamic, dimension::rank);))
      abort_on_device("Kokkos::View: the number of extents is not that of the dimensions.");
    }
    ViewShape shape{{}, {}, negative & ((1u << count) - 1)};
    for (std::size_t r = 0; r < dimension::rank; ++r)
      shape.extents.value[r] = r < count ? numbers.value[r] : dimension::static_extent(r);
    return shape;
  }
  KOKKOS_FUNCTION static constexpr bool accepts_extent_count(std::size_t given) {
    return given == dimension::rank || given == dimension::rank_dynamic;
  }
  /// The shape of a layout object. Programs fill all its members, also those beyond the rank, which are ignored.
  KOKKOS_FUNCTION static constexpr ViewShape list_of(array_layout const& layout) {
    ViewShape shape{};
    std::size_t given = 0;
    while (given < dimension::rank && layout.dimension[given] != KOKKOS_INVALID_INDEX) ++given;
    if (given < dimension::rank_dynamic) {
      KOKKOS_IF_ON_HOST((Impl::abort_layout_rank("", given, dimension::rank_dynamic, dimension::rank);))
      abort_on_device("Kokkos::View: the number of extents in a layout object is not that of the view.");
    }
    for (std::size_t r = 0; r < dimension::rank; ++r) {
      shape.extents.value[r] = r < given ? layout.dimension[r] : dimension::static_extent(r);
      if constexpr (!array_layout::is_extent_constructible) shape.strides.value[r] = layout.stride[r];
    }
    if constexpr (has_row_stride) {
      if (layout.stride != KOKKOS_INVALID_INDEX) {
        shape.strides.value[mapping_type::padded] = layout.stride;
        if (layout.stride < shape.extents.value[mapping_type::fastest]) {
          KOKKOS_IF_ON_HOST((Impl::abort_short_row_stride(layout.stride, shape.extents.value[mapping_type::fastest]);))
          abort_on_device("Kokkos::View: the stride in a layout object is less than the extent of a row.");
        }
      }
    }
    return shape;
  }

  KOKKOS_FUNCTION static constexpr mapping_type make_mapping(ViewShape const& shape) {
    if constexpr (has_row_stride) {
      if (shape.strides.value[mapping_type::padded] != 0) return mapping_type(shape.extents, shape.strides);
    }
    if constexpr (array_layout::is_extent_constructible)
      return mapping_type(shape.extents);
    else
      return mapping_type(shape.extents, shape.strides);
  }
};

/// For a layout of the program, whose object is passed on to the mapping.
template <class Traits, class Layout, class Extents>
class ViewShapeMaker<Traits, ProgramMapping<Layout, Extents>> {
  using mapping_type = ProgramMapping<Layout, Extents>;

 public:
  struct shape_type : ViewShape {
    Layout layout;
  };

  KOKKOS_FUNCTION static constexpr ExtentList static_extents() {
    ExtentList list;
    for (std::size_t r = 0; r < Extents::rank; ++r) list.value[r] = Extents::static_extent(r);
    return list;
  }
  template <class... N>
  KOKKOS_FUNCTION static constexpr shape_type list_of(N... n) {
    static_assert(Layout::is_extent_constructible,
                  "Kokkos::View: a view of this layout is constructed with an object of the layout.");
    return shape_of(Layout(static_cast<std::size_t>(n)...), Impl::negative_bits(n...));
  }
  KOKKOS_FUNCTION static constexpr shape_type list_of(Layout const& layout) { return shape_of(layout, 0); }

  KOKKOS_FUNCTION static constexpr mapping_type make_mapping(shape_type const& shape) {
    return mapping_type(shape.layout);
  }

 private:
  KOKKOS_FUNCTION static constexpr shape_type shape_of(Layout const& layout, unsigned negative) {
    mapping_type const mapping(layout);
    shape_type shape{{{}, {}, negative}, layout};
    for (std::size_t r = 0; r < Extents::rank; ++r) shape.extents.value[r] = mapping.extents()[r];
    return shape;
  }
};

}  // namespace Kokkos::Impl

#endif
