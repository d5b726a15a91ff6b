// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWOFFSET_HPP
#define KOKKOS_VIEW_VIEWOFFSET_HPP

/// \file
/// Layouts of programs. A program defines one by a layout class and a specialization of `Kokkos::Impl::ViewOffset`, as
/// for Kokkos 4 with `Kokkos_ENABLE_IMPL_VIEW_LEGACY`. Here such an offset becomes the mapping of a view.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Layout.hpp>
#include <impl/view/Kokkos_ViewExtents.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// Dimension r of a ViewDimension, with its extent in a member N0 ... N7: static, unless StaticExtent is 0.
template <std::size_t R, std::size_t StaticExtent>
struct NumberedExtent;

#define KOKKOS_IMPL_NUMBERED_EXTENT(R)                                            \
  template <std::size_t StaticExtent>                                             \
  struct NumberedExtent<R, StaticExtent> {                                        \
    static constexpr std::size_t N##R = StaticExtent;                             \
    KOKKOS_FUNCTION explicit constexpr NumberedExtent(std::size_t) {}             \
  };                                                                              \
  template <>                                                                     \
  struct NumberedExtent<R, 0> {                                                   \
    std::size_t N##R;                                                             \
    KOKKOS_FUNCTION explicit constexpr NumberedExtent(std::size_t n) : N##R(n) {} \
  };
KOKKOS_IMPL_NUMBERED_EXTENT(0)
KOKKOS_IMPL_NUMBERED_EXTENT(1)
KOKKOS_IMPL_NUMBERED_EXTENT(2)
KOKKOS_IMPL_NUMBERED_EXTENT(3)
KOKKOS_IMPL_NUMBERED_EXTENT(4)
KOKKOS_IMPL_NUMBERED_EXTENT(5)
KOKKOS_IMPL_NUMBERED_EXTENT(6)
KOKKOS_IMPL_NUMBERED_EXTENT(7)
#undef KOKKOS_IMPL_NUMBERED_EXTENT

/// The extents of a view in the form that the program's ViewOffset takes them. The extents beyond the rank are 1.
template <class Extents, class = std::make_index_sequence<ARRAY_LAYOUT_MAX_RANK>>
struct ViewDimension;
template <class Extents, std::size_t... R>
struct ViewDimension<Extents, std::index_sequence<R...>> : NumberedExtent<R, Extents::static_extent(R)>... {
  static constexpr unsigned rank         = Extents::rank;
  static constexpr unsigned rank_dynamic = Extents::rank_dynamic;

  KOKKOS_FUNCTION constexpr ViewDimension() : NumberedExtent<R, Extents::static_extent(R)>(0)... {}
  /// Ignores the numbers of static extents.
  KOKKOS_FUNCTION explicit constexpr ViewDimension(std::size_t n0, std::size_t n1 = 0, std::size_t n2 = 0,
                                                   std::size_t n3 = 0, std::size_t n4 = 0, std::size_t n5 = 0,
                                                   std::size_t n6 = 0, std::size_t n7 = 0)
      : ViewDimension(ExtentList{{n0, n1, n2, n3, n4, n5, n6, n7}}) {}
  KOKKOS_FUNCTION explicit constexpr ViewDimension(ExtentList const& list)
      : NumberedExtent<R, Extents::static_extent(R)>(list.value[R])... {}
};

/// The offsets of a layout of the program, which specializes it.
template <class Dimension, class Layout, class Enable = void>
struct ViewOffset;

/// Named by constructors of such specializations. This library does not call them: subviews have LayoutStride.
template <unsigned DomainRank, unsigned RangeRank>
struct SubviewExtents;

/// Whether the layout is one of a program.
template <class Layout>
inline constexpr bool is_program_layout_v =
    !std::is_same_v<Layout, LayoutLeft> && !std::is_same_v<Layout, LayoutRight> &&
    !std::is_same_v<Layout, LayoutStride>;

template <class Dimension, class Layout>
concept HasViewOffset = requires { sizeof(ViewOffset<Dimension, Layout>); };

/// The mapping of a layout of the program.
template <class Layout, class Extents>
class ProgramMapping {
 public:
  using layout_type  = Layout;
  using extents_type = Extents;
  using dimension    = ViewDimension<Extents>;

  static_assert(HasViewOffset<dimension, Layout>,
                "Kokkos::View: a layout other than LayoutLeft, LayoutRight and LayoutStride needs a specialization of "
                "Kokkos::Impl::ViewOffset<Dimension, Layout>, which computes the offset of an element.");
  using offset_type = ViewOffset<dimension, Layout>;

  static constexpr std::size_t rank          = Extents::rank;
  static constexpr bool stores_stride        = false;
  static constexpr bool is_always_contiguous = false;

  KOKKOS_DEFAULTED_FUNCTION constexpr ProgramMapping() = default;
  KOKKOS_FUNCTION explicit constexpr ProgramMapping(Layout const& layout)
      : m_offset(std::integral_constant<unsigned, 0>(), layout) {}
  /// From the same layout with other static extents.
  template <class OtherExtents>
  KOKKOS_FUNCTION explicit constexpr ProgramMapping(ProgramMapping<Layout, OtherExtents> const& other)
      : m_offset(other.offset()) {}

  KOKKOS_FUNCTION constexpr offset_type const& offset() const { return m_offset; }

  KOKKOS_FUNCTION constexpr Extents extents() const {
    return Extents(
        ExtentList{{m_offset.dimension_0(), m_offset.dimension_1(), m_offset.dimension_2(), m_offset.dimension_3(),
                    m_offset.dimension_4(), m_offset.dimension_5(), m_offset.dimension_6(), m_offset.dimension_7()}});
  }

  /// Padding is for the layouts of the library.
  KOKKOS_FUNCTION constexpr void pad(std::size_t) {}

  /// Beyond the rank: 0, as for LayoutStride.
  KOKKOS_FUNCTION constexpr std::size_t stride(std::size_t r) const {
    if constexpr (requires { typename offset_type::is_regular; })
      static_assert(offset_type::is_regular::value,
                    "Kokkos::View: the dimensions of this layout have no strides (ViewOffset::is_regular is false), so "
                    "the view cannot be sliced or copied, and has no strides to return.");
    if (r >= rank) return 0;
    switch (r) {
      case 0:
        return m_offset.stride_0();
      case 1:
        return m_offset.stride_1();
      case 2:
        return m_offset.stride_2();
      case 3:
        return m_offset.stride_3();
      case 4:
        return m_offset.stride_4();
      case 5:
        return m_offset.stride_5();
      case 6:
        return m_offset.stride_6();
      default:
        return m_offset.stride_7();
    }
  }

  KOKKOS_FUNCTION constexpr std::size_t span() const { return m_offset.span(); }
  /// The span: only the program can check its own products.
  KOKKOS_FUNCTION constexpr std::size_t checked_span() const { return span(); }
  KOKKOS_FUNCTION constexpr bool is_contiguous() const { return m_offset.span_is_contiguous(); }

  template <class... Index>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t operator()(Index... index) const {
    if constexpr (rank == 0)
      return 0;
    else
      return m_offset(static_cast<std::size_t>(index)...);
  }

  KOKKOS_FUNCTION constexpr Layout layout() const { return m_offset.layout(); }

 private:
  offset_type m_offset{};
};

}  // namespace Kokkos::Impl

#endif
