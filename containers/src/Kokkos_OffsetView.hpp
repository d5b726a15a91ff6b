// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OFFSETVIEW_HPP
#define KOKKOS_OFFSETVIEW_HPP

/// \file
/// OffsetView: a view whose indices may start at any number in each dimension.

#include <Kokkos_Array.hpp>
#include <Kokkos_Core.hpp>
#include <impl/Kokkos_ContainerMirror.hpp>
#include <impl/Kokkos_OffsetRanges.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

/// Means "not given" for the first index of a dimension.
#define KOKKOS_INVALID_OFFSET std::int64_t(0x7FFFFFFFFFFFFFFFLL)
/// Means "not given" for the range of a dimension.
#define KOKKOS_INVALID_INDEX_RANGE {KOKKOS_INVALID_OFFSET, KOKKOS_INVALID_OFFSET}

namespace Kokkos {
namespace Experimental {

/// The first and the last index of a dimension.
template <class I>
using IndexRange = Kokkos::Array<I, 2>;
/// The first indices, or the ends of the indices, of all dimensions.
using index_list_type = std::initializer_list<std::int64_t>;

template <class DataType, class... Properties>
class OffsetView;

/// @{
/// Whether T is an OffsetView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_offset_view_v = false;
template <class D, class... P>
inline constexpr bool is_offset_view_v<OffsetView<D, P...>> = true;
template <class D, class... P>
inline constexpr bool is_offset_view_v<OffsetView<D, P...> const> = true;
/// @}
template <class T>
struct is_offset_view : std::bool_constant<is_offset_view_v<T>> {};

/// A View and the first index of each dimension. Copies, shape and memory are those of its base View. An access
/// subtracts the first indices, which are constant in a loop.
template <class DataType, class... Properties>
class OffsetView : public View<DataType, Properties...> {
 public:
  /// The View that this class extends by first indices.
  using base_t = View<DataType, Properties...>;
  /// The types and constants of the View.
  using traits = typename base_t::traits;
  using typename base_t::index_type;
  using typename base_t::pointer_type;
  using typename base_t::reference_type;

  /// The first index of each dimension.
  using begins_type = Kokkos::Array<std::int64_t, base_t::rank()>;
  /// The View of the same elements, with indices that start at 0.
  using view_type = typename base_t::type;

  /// The same view with another data type, and a view with its elements in another space.
  template <class OtherData>
  using impl_with_data = OffsetView<OtherData, typename traits::array_layout, typename traits::device_type,
                                    typename traits::memory_traits>;
  template <class Space>
  using impl_mirror_in = OffsetView<typename traits::non_const_data_type, typename traits::array_layout, Space>;

  /// This view with its properties in the order: layout, Device, MemoryTraits.
  using array_type = impl_with_data<typename traits::data_type>;
  /// The view of the same elements that only reads them.
  using const_type = impl_with_data<typename traits::const_data_type>;
  /// The view of the same elements without const.
  using non_const_type = impl_with_data<typename traits::non_const_data_type>;
  /// A view of the same data type and layout in memory that the host can access.
  using host_mirror_type = impl_mirror_in<typename base_t::host_mirror_type::device_type>;
  /// The name from before Kokkos 5.
  using HostMirror = host_mirror_type;

 private:
  static constexpr std::size_t number_of_dimensions = base_t::rank();

  using Range  = Kokkos::Impl::OffsetRange;
  using Ranges = Kokkos::Impl::OffsetRanges<number_of_dimensions>;
  using Begins = Kokkos::Impl::OffsetBegins<number_of_dimensions>;
  using Layout = typename traits::array_layout;

 public:
  // ---- construction -------------------------------------------------------------------------------------------------

  /// A view of nothing.
  OffsetView() = default;

  /// Refers to the elements of a View; indices start at 0, or at `begins`.
  template <class D, class... P>
    requires(std::is_constructible_v<base_t, View<D, P...> const&>)
  KOKKOS_FUNCTION OffsetView(View<D, P...> const& view) : base_t(view) {}
  /// Like the constructor above; indices of dimension r start at `begins[r]`.
  template <class D, class... P>
    requires(std::is_constructible_v<base_t, View<D, P...> const&>)
  KOKKOS_FUNCTION OffsetView(View<D, P...> const& view, begins_type const& begins)
      : base_t(view), m_begins(begins.data(), number_of_dimensions) {}
  /// Like the constructor above, for a braced list, which has a number for each dimension.
  template <class D, class... P>
    requires(std::is_constructible_v<base_t, View<D, P...> const&>)
  KOKKOS_FUNCTION OffsetView(View<D, P...> const& view, index_list_type begins)
      : base_t(view), m_begins(begins.begin(), begins.size()) {}

  /// Refers to the same elements with the same indices and another type.
  template <class D, class... P>
    requires(std::is_constructible_v<base_t, View<D, P...> const&>)
  KOKKOS_FUNCTION OffsetView(OffsetView<D, P...> const& other)
      : base_t(static_cast<View<D, P...> const&>(other)), m_begins(other.begins().data(), number_of_dimensions) {}

  /// Allocates under a label. Each pair contains the first and the last index of a dimension: {-1, 3} means five
  /// indices.
  template <class Label>
    requires Kokkos::Impl::LabelFor<Label, pointer_type>
  explicit OffsetView(Label&& label, Range r0, Range r1 = {}, Range r2 = {}, Range r3 = {}, Range r4 = {},
                      Range r5 = {}, Range r6 = {}, Range r7 = {})
      : OffsetView(view_alloc(std::string(label)), Ranges({r0, r1, r2, r3, r4, r5, r6, r7})) {}
  /// Like the constructor above, with properties of view_alloc.
  template <class L, class E, class M, bool I, bool S, bool A>
  explicit OffsetView(Kokkos::Impl::ViewProperties<L, E, M, Kokkos::Impl::None, I, S, A> const& properties, Range r0,
                      Range r1 = {}, Range r2 = {}, Range r3 = {}, Range r4 = {}, Range r5 = {}, Range r6 = {},
                      Range r7 = {})
      : OffsetView(properties, Ranges({r0, r1, r2, r3, r4, r5, r6, r7})) {}

  /// Allocates, or refers to memory, with the extents of a layout object; indices start at `begins`.
  template <class Label, std::same_as<Layout> L>
    requires Kokkos::Impl::LabelFor<Label, pointer_type>
  explicit OffsetView(Label&& label, L const& layout, index_list_type begins)
      : OffsetView(view_alloc(std::string(label)), layout, begins) {}
  /// With properties of view_alloc and extents from a layout object; `begins` are the first indices.
  template <class P, std::same_as<Layout> L>
    requires Kokkos::Impl::is_view_properties_v<P>
  explicit OffsetView(P const& properties, L const& layout, index_list_type begins)
      : base_t(properties, layout), m_begins(begins.begin(), begins.size()) {}
  /// Like the constructor above, for first indices in an array.
  template <class P, std::same_as<Layout> L>
    requires Kokkos::Impl::is_view_properties_v<P>
  explicit OffsetView(P const& properties, L const& layout, begins_type const& begins)
      : base_t(properties, layout), m_begins(begins.data(), number_of_dimensions) {}

  /// Refers to memory that the program provides; indices of each dimension are in [begin, end).
  KOKKOS_FUNCTION OffsetView(pointer_type const& p, begins_type const& begins, begins_type const& ends)
      : OffsetView(p, begins.data(), number_of_dimensions, ends.data(), number_of_dimensions) {}
  /// Like the constructor above, for a braced list of ends.
  KOKKOS_FUNCTION OffsetView(pointer_type const& p, begins_type const& begins, index_list_type ends)
      : OffsetView(p, begins.data(), number_of_dimensions, ends.begin(), ends.size()) {}
  /// Like the constructor above, for a braced list of first indices.
  KOKKOS_FUNCTION OffsetView(pointer_type const& p, index_list_type begins, begins_type const& ends)
      : OffsetView(p, begins.begin(), begins.size(), ends.data(), number_of_dimensions) {}
  /// Like the constructor above, for two braced lists.
  KOKKOS_FUNCTION OffsetView(pointer_type const& p, index_list_type begins, index_list_type ends)
      : OffsetView(p, begins.begin(), begins.size(), ends.begin(), ends.size()) {}

  // ---- elements -----------------------------------------------------------------------------------------------------

  /// The element at these indices, one for each dimension: from begin(r) to end(r) - 1 in dimension r.
  template <class... I>
    requires(sizeof...(I) == base_t::rank() && (std::is_convertible_v<I, std::int64_t> && ...))
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator()(I... i) const {
    return element(std::make_index_sequence<number_of_dimensions>(), static_cast<std::int64_t>(i)...);
  }
  /// The element at an index of a view of rank 1.
  template <class I>
    requires(base_t::rank() == 1 && std::is_convertible_v<I, std::int64_t>)
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator[](I i) const {
    return (*this)(i);
  }
  /// The element at these indices; indices beyond the rank have no effect.
  template <class... I>
    requires(sizeof...(I) >= base_t::rank() && (std::is_convertible_v<I, std::int64_t> && ...))
  KOKKOS_FORCEINLINE_FUNCTION reference_type access(I... i) const {
    std::int64_t const all[] = {static_cast<std::int64_t>(i)..., 0};
    return element_of(std::make_index_sequence<number_of_dimensions>(), all);
  }

  // ---- indices ------------------------------------------------------------------------------------------------------

  /// The first index of dimension r.
  template <Kokkos::Impl::IndexLike I>
  KOKKOS_FUNCTION std::int64_t begin(I const& r) const {
    auto const d = static_cast<std::size_t>(r);
    return d < number_of_dimensions ? m_begins[d] : KOKKOS_INVALID_OFFSET;
  }
  /// One more than the last index of dimension r.
  template <Kokkos::Impl::IndexLike I>
  KOKKOS_FUNCTION std::int64_t end(I const& r) const {
    return begin(r) + static_cast<std::int64_t>(this->extent(r));
  }
  /// The first index of each dimension.
  KOKKOS_FUNCTION begins_type begins() const {
    begins_type result{};
    for (std::size_t r = 0; r < number_of_dimensions; ++r) result[r] = m_begins[r];
    return result;
  }

  /// A View of the elements, with indices from 0 on.
  KOKKOS_FUNCTION view_type view() const { return view_type(static_cast<base_t const&>(*this)); }

  // For the library
  template <class Mirror, class P>
  Mirror impl_new_mirror(P const& properties, std::string const& label) const {
    return Mirror(Kokkos::Impl::with_default_properties(properties, label), this->layout(), begins());
  }
  /// The part that the slices select. ALL keeps the indices of a dimension; the indices of a pair start at 0.
  template <class... Slices>
  KOKKOS_FUNCTION auto impl_subview(Slices... slices) const {
    return subview_of(std::make_index_sequence<sizeof...(Slices)>(), slices...);
  }

 private:
  explicit OffsetView(auto const& properties, Ranges const& ranges)
      : base_t(properties, ranges.template layout<Layout>()), m_begins(ranges.begins) {}

  KOKKOS_FUNCTION OffsetView(pointer_type const& p, std::int64_t const* begins, std::size_t number_of_begins,
                             std::int64_t const* ends, std::size_t number_of_ends)
      : base_t(p, Kokkos::Impl::layout_between<Layout, number_of_dimensions>(begins, number_of_begins, ends,
                                                                             number_of_ends)),
        m_begins(begins, number_of_begins) {}

  template <std::size_t... R, class... I>
  KOKKOS_FORCEINLINE_FUNCTION reference_type element(std::index_sequence<R...>, I... i) const {
    return base_t::operator()((static_cast<std::size_t>(i) - static_cast<std::size_t>(m_begins[R]))...);
  }
  template <std::size_t... R>
  KOKKOS_FORCEINLINE_FUNCTION reference_type element_of(std::index_sequence<R...> all, std::int64_t const* i) const {
    return element(all, i[R]...);
  }

  template <std::size_t... R, class... Slices>
  KOKKOS_FUNCTION auto subview_of(std::index_sequence<R...>, Slices... slices) const {
    auto const part =
        Kokkos::subview(static_cast<base_t const&>(*this), Kokkos::Impl::slice_from(slices, m_begins[R])...);
    using Part = std::remove_const_t<decltype(part)>;
    Kokkos::Array<std::int64_t, Part::rank()> begins{};
    [[maybe_unused]] std::size_t d = 0;
    ((Kokkos::Impl::slice_kind_v<Slices> == Kokkos::Impl::SliceKind::index
          ? void()
          : void(begins.data()[d++] =
                     Kokkos::Impl::slice_kind_v<Slices> == Kokkos::Impl::SliceKind::all ? m_begins[R] : 0)),
     ...);
    return OffsetView<typename Part::data_type, typename Part::array_layout, typename Part::device_type,
                      typename Part::memory_traits>(part, begins);
  }

  Begins m_begins;
};

/// True if both refer to the same elements in the same way, with the same indices.
template <class LD, class... LP, class RD, class... RP>
KOKKOS_FUNCTION bool operator==(OffsetView<LD, LP...> const& a, OffsetView<RD, RP...> const& b) {
  if (!(static_cast<View<LD, LP...> const&>(a) == static_cast<View<RD, RP...> const&>(b))) return false;
  for (std::size_t r = 0; r < View<LD, LP...>::rank(); ++r)
    if (a.begin(r) != b.begin(r)) return false;
  return true;
}
/// Compares with a View regardless of the first indices.
template <class LD, class... LP, class RD, class... RP>
KOKKOS_FUNCTION bool operator==(OffsetView<LD, LP...> const& a, View<RD, RP...> const& b) {
  return static_cast<View<LD, LP...> const&>(a) == b;
}
/// Like `operator==` above, with the operands swapped.
template <class LD, class... LP, class RD, class... RP>
KOKKOS_FUNCTION bool operator==(View<LD, LP...> const& a, OffsetView<RD, RP...> const& b) {
  return a == static_cast<View<RD, RP...> const&>(b);
}

/// The elements that the slices select, one slice for each dimension, as an OffsetView. ALL keeps the indices of a
/// dimension. A pair {begin, end} of indices keeps those elements, whose indices then start at 0. An index removes the
/// dimension.
template <class D, class... P, class... Slices>
KOKKOS_FUNCTION auto subview(OffsetView<D, P...> const& view, Slices... slices) {
  static_assert(sizeof...(Slices) == View<D, P...>::rank(),
                "Kokkos::subview: there must be one slice for each dimension of the OffsetView.");
  return view.impl_subview(slices...);
}

}  // namespace Experimental

using Experimental::subview;

}  // namespace Kokkos

#endif
