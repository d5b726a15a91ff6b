// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DYNRANKVIEW_HPP
#define KOKKOS_DYNRANKVIEW_HPP

/// \file
/// DynRankView: a view whose rank is the number of extents that its constructor receives, at most 7.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>
#include <impl/Kokkos_ContainerMirror.hpp>
#include <impl/Kokkos_DynRankShape.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

template <class DataType, class... Properties>
class DynRankView;

/// @{
/// Whether T is a DynRankView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_dyn_rank_view_v = false;
template <class D, class... P>
inline constexpr bool is_dyn_rank_view_v<DynRankView<D, P...>> = true;
template <class D, class... P>
inline constexpr bool is_dyn_rank_view_v<DynRankView<D, P...> const> = true;
/// @}
template <class T>
struct is_dyn_rank_view : std::bool_constant<is_dyn_rank_view_v<T>> {};

/// The elements are stored in a View of rank 7, in which the dimensions beyond the rank have extent 1: in LayoutRight
/// the first ones, otherwise the last ones. The offset of an element is computed as in a View of the rank, from the
/// given indices. Its mdspan has 7 dimensions; those beyond the rank come last, with extent 1.
///
/// \tparam DataType the element type
/// \tparam Properties as for View
template <class DataType, class... Properties>
class DynRankView : public Impl::DynRankMDSpan<DynRankView<DataType, Properties...>, DataType, Properties...> {
  static_assert(std::is_same_v<DataType, typename ViewTraits<DataType, Properties...>::value_type>,
                "Kokkos::DynRankView: the first argument is the element type, without stars and brackets.");

 public:
  /// The view of rank 7 that stores the elements; unused dimensions have extent 1.
  using view_type = View<DataType*******, Properties...>;
  /// The types and constants of view_type.
  using traits = typename view_type::traits;

  // The element type, under the names that View has for its element type and for its data type
  using value_type                  = DataType;                       ///< the element type
  using element_type                = DataType;                       ///< the same
  using data_type                   = DataType;                       ///< the same
  using scalar_array_type           = DataType;                       ///< the same
  using const_value_type            = DataType const;                 ///< a const element
  using const_data_type             = DataType const;                 ///< the same
  using const_scalar_array_type     = DataType const;                 ///< the same
  using non_const_value_type        = std::remove_const_t<DataType>;  ///< an element without const
  using non_const_data_type         = std::remove_const_t<DataType>;  ///< the same
  using non_const_scalar_array_type = std::remove_const_t<DataType>;  ///< the same
  using specialize                  = void;                           ///< always void

  using device_type       = typename view_type::device_type;        ///< the execution and memory space
  using memory_space      = typename device_type::memory_space;     ///< stores the elements
  using host_mirror_space = typename view_type::host_mirror_space;  ///< the memory space of a mirror for the host
  using execution_space   = typename device_type::execution_space;  ///< initializes the elements
  using memory_traits     = typename view_type::memory_traits;      ///< the MemoryTraits argument, or `MemoryTraits<>`
  using array_layout      = typename view_type::array_layout;       ///< order of the elements in memory

  using rank_type      = std::size_t;                         ///< the type of rank numbers
  using size_type      = typename view_type::size_type;       ///< type of sizes in the memory space
  using index_type     = typename view_type::index_type;      ///< the type of an extent
  using pointer_type   = value_type*;                         ///< the type of data()
  using reference_type = typename view_type::reference_type;  ///< an element in an expression; a proxy with Atomic
  using reference      = reference_type;                      ///< the same as reference_type

  /// This view with its properties in the order: layout, Device, MemoryTraits.
  using type       = DynRankView<data_type, array_layout, device_type, memory_traits>;
  using array_type = type;  ///< the same as type
  /// The view of the same elements that only reads them.
  using const_type = DynRankView<const_data_type, array_layout, device_type, memory_traits>;
  /// The view of the same elements without const.
  using non_const_type = DynRankView<non_const_data_type, array_layout, device_type, memory_traits>;
  /// A view of the same layout, without const, in memory that the host can access.
  using host_mirror_type =
      DynRankView<non_const_data_type, array_layout, typename view_type::host_mirror_type::device_type>;
  using HostMirror = host_mirror_type;  ///< the name from before Kokkos 5
  template <class Space>
  using impl_mirror_in = DynRankView<non_const_data_type, array_layout, Space>;

  /// False with Atomic.
  static constexpr bool reference_type_is_lvalue_reference = view_type::reference_type_is_lvalue_reference;

 private:
  using Shape = Impl::DynRankShape<array_layout>;

 public:
  // ---- construction -------------------------------------------------------------------------------------------------

  /// A view of nothing; the rank is 0.
  DynRankView() = default;

  /// Refers to the elements of another DynRankView. If the layouts differ, the extents and strides must match the new
  /// layout; otherwise the program is aborted.
  template <class D, class... P>
    requires(Impl::DynRankAssignable<traits, ViewTraits<D, P...>>)
  KOKKOS_FUNCTION DynRankView(DynRankView<D, P...> const& other)
      : m_view(Impl::view_of_rank_7<array_layout>(other.impl_view(), other.impl_extents(), other.impl_strides(),
                                                  other.rank())),
        m_rank(other.rank()) {}

  /// Refers to the elements of a View; the rank is that of the view.
  template <class D, class... P>
    requires(Impl::DynRankAssignable<traits, ViewTraits<D, P...>>)
  KOKKOS_FUNCTION DynRankView(View<D, P...> const& view)
      : m_view(Impl::view_of_rank_7<array_layout>(view, Impl::extents_of(view.impl_mapping()),
                                                  Impl::strides_of(view.impl_mapping()), View<D, P...>::rank())),
        m_rank(static_cast<unsigned>(View<D, P...>::rank())) {}
  /// Like the constructor above, with another rank: dimensions from `rank` on must have extent 1.
  template <class D, class... P>
    requires(Impl::DynRankAssignable<traits, ViewTraits<D, P...>>)
  KOKKOS_FUNCTION DynRankView(View<D, P...> const& view, std::size_t rank)
      : m_view(Impl::view_of_rank_7<array_layout>(view, Impl::extents_of(view.impl_mapping()),
                                                  Impl::strides_of(view.impl_mapping()), rank)),
        m_rank(static_cast<unsigned>(rank)) {}

  /// Refers to the elements of an mdspan that converts to a View of the same rank.
  template <class T, class E, class L, class A>
    requires Impl::DynRankFromMDSpan<mdspan<T, E, L, A>, DataType, Properties...>
  KOKKOS_FUNCTION explicit DynRankView(mdspan<T, E, L, A> const& source)
      : DynRankView(Impl::ViewOfRank<E::rank(), DataType, Properties...>(source)) {}

  /// Allocates under a label; the rank is the number of extents.
  template <class Label, class... N>
    requires(Impl::LabelFor<Label, pointer_type> && Impl::DynRankExtents<N...>)
  explicit DynRankView(Label&& label, N... n) : DynRankView(view_alloc(std::string(label)), n...) {}
  /// Like the constructor above, with extents (and strides) from a layout object, whose unused dimensions have no
  /// extent.
  template <class Label>
    requires Impl::LabelFor<Label, pointer_type>
  explicit DynRankView(Label&& label, array_layout const& layout)
      : DynRankView(view_alloc(std::string(label)), layout) {}

  /// Allocates with the properties of view_alloc.
  template <class L, class E, class M, bool I, bool S, bool A, class... N>
    requires Impl::DynRankExtents<N...>
  explicit DynRankView(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, N... n)
      : DynRankView(properties, Shape::layout_of(n...)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class L, class E, class M, bool I, bool S, bool A>
  explicit DynRankView(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, array_layout const& layout)
      : m_view(properties, Shape::aligned(layout)), m_rank(Shape::rank_of(layout)) {}

  /// Refers to memory that the program provides.
  template <class Pointer, class... N>
    requires(Impl::PointerFor<Pointer, pointer_type> && Impl::DynRankExtents<N...>)
  KOKKOS_FUNCTION explicit DynRankView(Pointer&& pointer, N... n)
      : DynRankView(pointer_type(pointer), Shape::layout_of(n...)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class Pointer>
    requires Impl::PointerFor<Pointer, pointer_type>
  KOKKOS_FUNCTION explicit DynRankView(Pointer&& pointer, array_layout const& layout)
      : m_view(pointer_type(pointer), Shape::aligned(layout)), m_rank(Shape::rank_of(layout)) {}
  /// Like the constructor above, for view_wrap.
  template <class L, class E, class M, Impl::PointerFor<pointer_type> Ptr, bool I, bool S, bool A, class... N>
    requires Impl::DynRankExtents<N...>
  KOKKOS_FUNCTION explicit DynRankView(Impl::ViewProperties<L, E, M, Ptr, I, S, A> const& properties, N... n)
      : DynRankView(pointer_type(properties.pointer), Shape::layout_of(n...)) {}
  /// Like the constructor above, for view_wrap, with extents (and strides) from a layout object.
  template <class L, class E, class M, Impl::PointerFor<pointer_type> Ptr, bool I, bool S, bool A>
  KOKKOS_FUNCTION explicit DynRankView(Impl::ViewProperties<L, E, M, Ptr, I, S, A> const& properties,
                                       array_layout const& layout)
      : DynRankView(pointer_type(properties.pointer), layout) {}

  /// Allocates scratch memory of a team or thread.
  template <class ExecSpace, class... N>
    requires Impl::DynRankExtents<N...>
  KOKKOS_FUNCTION explicit DynRankView(ScratchMemorySpace<ExecSpace> const& scratch, N... n)
      : DynRankView(scratch, Shape::layout_of(n...)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class ExecSpace>
  KOKKOS_FUNCTION explicit DynRankView(ScratchMemorySpace<ExecSpace> const& scratch, array_layout const& layout)
      : m_view(scratch, Shape::aligned(layout)), m_rank(Shape::rank_of(layout)) {}

  /// The part of another DynRankView that the slices select; see subview.
  template <class D, class... P, class First, class... Slices>
  KOKKOS_FUNCTION DynRankView(DynRankView<D, P...> const& whole, First first, Slices... slices)
      : DynRankView(whole.impl_subview(first, slices...)) {}

  // ---- elements -----------------------------------------------------------------------------------------------------

  /// The element at these indices. Indices beyond the rank must be 0, which KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK checks.
  template <class... I>
    requires Impl::DynRankIndices<I...>
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator()(I... i) const {
    check_bounds(i...);
    if constexpr (Shape::is_right && sizeof...(I) > 1)
      return m_view.impl_at_offset(m_factors.offset(static_cast<std::size_t>(i)...));
    else
      return element(std::make_index_sequence<7 - sizeof...(I)>(), i...);
  }
  /// The element at an index; the rank must be 1.
  template <Impl::IndexLike I>
  KOKKOS_FORCEINLINE_FUNCTION reference_type operator[](I i) const {
    return (*this)(i);
  }

  /// Like `operator[]` above.
  template <class... I>
    requires Impl::DynRankIndices<I...>
  KOKKOS_FORCEINLINE_FUNCTION reference_type access(I... i) const {
    return (*this)(i...);
  }

  /// The address of the first element.
  KOKKOS_FORCEINLINE_FUNCTION constexpr pointer_type data() const { return m_view.data(); }

  // ---- shape --------------------------------------------------------------------------------------------------------

  /// Number of dimensions, from 0 to 7.
  KOKKOS_FUNCTION constexpr unsigned rank() const { return m_rank; }
  /// Number of indices of dimension r; 1 for a dimension beyond the rank.
  template <Impl::IndexLike I>
  KOKKOS_FUNCTION constexpr std::size_t extent(I const& r) const {
    auto const d = static_cast<std::size_t>(r);
    // Of an unused dimension: that of the first one, which is 0 in a view without memory, or in rank 7 of none.
    std::size_t const unused = m_rank < Impl::dyn_rank_max ? 0 : Impl::dyn_rank_max;
    return m_view.extent(Shape::is_unused(d, m_rank) ? unused : Shape::dimension(d, m_rank));
  }
  /// `extent(r)` as an int.
  template <Impl::IndexLike I>
  KOKKOS_FUNCTION constexpr int extent_int(I const& r) const {
    return static_cast<int>(extent(r));
  }
  /// Distance in elements from one index of dimension r to the next. In LayoutRight, 1 for a dimension beyond the rank.
  template <Impl::IndexLike I>
  KOKKOS_FUNCTION constexpr std::size_t stride(I const& r) const {
    auto const d = static_cast<std::size_t>(r);
    return Shape::is_unused(d, m_rank) ? 1 : m_view.stride(Shape::dimension(d, m_rank));
  }
  /// Writes the stride of each dimension, then the span.
  template <class I>
  KOKKOS_FUNCTION void stride(I* strides) const {
    for (unsigned r = 0; r < m_rank; ++r) strides[r] = static_cast<I>(stride(r));
    strides[m_rank] = static_cast<I>(span());
  }
  KOKKOS_FUNCTION constexpr std::size_t stride_0() const { return stride(0); }  ///< of dimension 0
  KOKKOS_FUNCTION constexpr std::size_t stride_1() const { return stride(1); }  ///< of dimension 1
  KOKKOS_FUNCTION constexpr std::size_t stride_2() const { return stride(2); }  ///< of dimension 2
  KOKKOS_FUNCTION constexpr std::size_t stride_3() const { return stride(3); }  ///< of dimension 3
  KOKKOS_FUNCTION constexpr std::size_t stride_4() const { return stride(4); }  ///< of dimension 4
  KOKKOS_FUNCTION constexpr std::size_t stride_5() const { return stride(5); }  ///< of dimension 5
  KOKKOS_FUNCTION constexpr std::size_t stride_6() const { return stride(6); }  ///< of dimension 6
  KOKKOS_FUNCTION constexpr std::size_t stride_7() const { return stride(7); }  ///< of a dimension beyond each rank

  /// Number of elements.
  KOKKOS_FUNCTION constexpr std::size_t size() const { return m_view.size(); }
  /// Distance from the first to the last element in memory, in elements, inclusive.
  KOKKOS_FUNCTION constexpr std::size_t span() const { return m_view.span(); }
  /// Whether the elements have no gaps in memory.
  KOKKOS_FUNCTION constexpr bool span_is_contiguous() const { return m_view.span_is_contiguous(); }
  /// A layout object for creating one with the same extents.
  KOKKOS_FUNCTION constexpr array_layout layout() const { return Shape::layout_of_view(*this); }

  // ---- memory -------------------------------------------------------------------------------------------------------

  /// Number of views that own the allocation; 0 in kernels and for unmanaged views.
  int use_count() const noexcept { return m_view.use_count(); }
  /// The label of the allocation.
  std::string label() const { return m_view.label(); }
  /// Whether there is an allocation, even one of no elements, or a pointer.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_view.is_allocated(); }

  /// Size in bytes of a view with these extents.
  template <class... N>
    requires Impl::DynRankExtents<N...>
  KOKKOS_FUNCTION static constexpr std::size_t required_allocation_size(N... n) {
    return required_allocation_size(Shape::layout_of(n...));
  }
  /// Like `required_allocation_size` above, with extents (and strides) from a layout object.
  KOKKOS_FUNCTION static constexpr std::size_t required_allocation_size(array_layout const& layout) {
    return view_type::required_allocation_size(Shape::aligned(layout));
  }
  /// Bytes to request in a policy for a view with these extents in scratch memory.
  template <class... N>
    requires Impl::DynRankExtents<N...>
  KOKKOS_FUNCTION static constexpr std::size_t shmem_size(N... n) {
    return shmem_size(Shape::layout_of(n...));
  }
  /// Like `shmem_size` above, with extents (and strides) from a layout object.
  KOKKOS_FUNCTION static constexpr std::size_t shmem_size(array_layout const& layout) {
    return view_type::shmem_size(Shape::aligned(layout));
  }

  /// The view of rank 7 that stores the elements.
  KOKKOS_FUNCTION view_type DownCast() const { return m_view; }
  KOKKOS_FUNCTION view_type ConstDownCast() const { return m_view; }  ///< the same

  // For the library
  KOKKOS_FUNCTION view_type const& impl_view() const { return m_view; }
  KOKKOS_FUNCTION decltype(auto) impl_track() const { return m_view.impl_track(); }
  KOKKOS_FUNCTION Impl::ExtentList impl_extents() const {
    Impl::ExtentList list;
    for (unsigned r = 0; r < m_rank; ++r) list.value[r] = extent(r);
    return list;
  }
  KOKKOS_FUNCTION Impl::ExtentList impl_strides() const {
    Impl::ExtentList list;
    for (unsigned r = 0; r < m_rank; ++r) list.value[r] = stride(r);
    return list;
  }
  /// The elements in LayoutStride, with the dimensions beyond the rank last: a form that all layouts can represent.
  auto impl_strided_view() const {
    return Impl::view_of_rank_7<LayoutStride>(m_view, impl_extents(), impl_strides(), m_rank);
  }
  template <class Mirror, class P>
  Mirror impl_new_mirror(P const& properties, std::string const& label) const {
    return Mirror(Impl::with_default_properties(properties, label), layout());
  }
  template <class... Slices>
  KOKKOS_FUNCTION DynRankView<value_type, LayoutStride, device_type, memory_traits> impl_subview(
      Slices... slices) const {
    static_assert(
        ((Impl::slice_kind_v<Slices> != Impl::SliceKind::invalid) && ...),
        "Kokkos::subview: a slice is an index, a pair of indices (std::pair or Kokkos::pair) or Kokkos::ALL.");
    if (sizeof...(Slices) < m_rank) {
      KOKKOS_IF_ON_HOST((Impl::abort_rank_mismatch(label(), "subview was given slices", sizeof...(Slices), m_rank);))
      Impl::abort_on_device("Kokkos::subview: there are fewer slices than dimensions of the DynRankView.");
    }
    Impl::DynRankSlicing slicing;
    (slicing.take(*this, slices), ...);
    return {m_view, slicing.shape, slicing.rank};
  }

 private:
  template <class, class...>
  friend class DynRankView;

  template <class D, class... P>
  KOKKOS_FUNCTION DynRankView(View<D, P...> const& whole, Impl::SubviewShape const& shape, unsigned rank)
      : m_view(whole, shape), m_rank(rank) {}

  template <std::size_t... Zero, class... I>
  KOKKOS_FORCEINLINE_FUNCTION reference_type element(std::index_sequence<Zero...>, I... i) const {
    if constexpr (Shape::is_right)
      return m_view((Zero * 0)..., i...);
    else
      return m_view(i..., (Zero * 0)...);
  }

  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION void check_bounds([[maybe_unused]] I... i) const {
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    if (sizeof...(I) < m_rank) {
      KOKKOS_IF_ON_HOST(
          (Impl::abort_rank_mismatch(label(), "an element was accessed by indices", sizeof...(I), m_rank);))
      Impl::abort_on_device("Kokkos::DynRankView: there are fewer indices than dimensions.");
    }
    Impl::ExtentList const at{{static_cast<std::size_t>(i)...}};
    for (unsigned r = 0; r != sizeof...(I); ++r)
      if (at.value[r] >= extent(r)) {
        KOKKOS_IF_ON_HOST((Impl::abort_out_of_bounds(label().c_str(), m_rank, at, impl_extents());))
        Impl::abort_on_device("Kokkos::DynRankView: out of bounds access.");
      }
#endif
  }

  view_type m_view;
  unsigned m_rank = 0;
  Impl::DynRankFactors<Shape::is_right> m_factors{m_view, m_rank};
};

/// The number of dimensions.
template <class D, class... P>
KOKKOS_FUNCTION constexpr unsigned rank(DynRankView<D, P...> const& view) {
  return view.rank();
}

// ---- parts ----------------------------------------------------------------------------------------------------------

/// The elements that the slices select, one slice for each dimension; always in LayoutStride. Slices beyond the rank
/// have no effect.
template <class D, class... P, class... Slices>
KOKKOS_FUNCTION auto subdynrankview(DynRankView<D, P...> const& view, Slices... slices) {
  return view.impl_subview(slices...);
}
/// The same as subdynrankview.
template <class D, class... P, class... Slices>
KOKKOS_FUNCTION auto subview(DynRankView<D, P...> const& view, Slices... slices) {
  return view.impl_subview(slices...);
}
/// The type of subdynrankview(view, slices...).
template <class ViewType, class... Slices>
using Subdynrankview = decltype(Kokkos::subdynrankview(std::declval<ViewType>(), std::declval<Slices>()...));

/// True if both refer to the same elements in the same way.
template <class LD, class... LP, class RD, class... RP>
KOKKOS_FUNCTION constexpr bool operator==(DynRankView<LD, LP...> const& a, DynRankView<RD, RP...> const& b) {
  using L = DynRankView<LD, LP...>;
  using R = DynRankView<RD, RP...>;
  if constexpr (std::is_same_v<typename L::const_value_type, typename R::const_value_type> &&
                std::is_same_v<typename L::array_layout, typename R::array_layout> &&
                std::is_same_v<typename L::memory_space, typename R::memory_space>) {
    return a.rank() == b.rank() && a.impl_view() == b.impl_view();
  } else {
    return false;
  }
}

// ---- copies ---------------------------------------------------------------------------------------------------------

namespace Impl {

/// A DynRankView as a view of rank N; its rank must be N.
template <std::size_t N, class T, class... P>
KOKKOS_FUNCTION View<typename MakeViewDataType<T, N>::type, P...> as_view_of_rank_n(DynRankView<T, P...> const& view) {
  if (view.rank() != N) {
    KOKKOS_IF_ON_HOST((Impl::abort_rank_mismatch(view.label(), "it was converted to a View of rank", N, view.rank());))
    abort_on_device("Kokkos::DynRankView: converted to a View of another rank.");
  }
  SubviewShape shape;
  shape.extents = view.impl_extents();
  shape.strides = view.impl_strides();
  return View<typename MakeViewDataType<T, N>::type, P...>(view.impl_view(), shape);
}

/// Two sides of a copy, of which at least one is a DynRankView and the other one a View or a DynRankView.
template <class Dst, class Src>
concept DynRankCopy = (is_dyn_rank_view_v<Dst> && (is_dyn_rank_view_v<Src> || is_view_v<Src>)) ||
                      (is_view_v<Dst> && is_dyn_rank_view_v<Src>);

template <class V>
decltype(auto) as_dyn_rank_view(V const& view) {
  if constexpr (is_dyn_rank_view_v<V>)
    return (view);
  else
    return DynRankView<typename V::value_type, typename V::array_layout, typename V::device_type,
                       typename V::memory_traits>(view);
}

}  // namespace Impl

/// Copies all elements, like deep_copy of views; with an instance, in its order.
/// \throws std::runtime_error if ranks or extents differ.
template <class Dst, class Src>
  requires Impl::DynRankCopy<Dst, Src>
void deep_copy(Dst const& dst, Src const& src) {
  Impl::copy_dyn_rank_views(Impl::None(), Impl::as_dyn_rank_view(dst), Impl::as_dyn_rank_view(src));
}
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class Dst, class Src>
  requires Impl::DynRankCopy<Dst, Src>
void deep_copy(ExecSpace const& exec, Dst const& dst, Src const& src) {
  Impl::copy_dyn_rank_views(exec, Impl::as_dyn_rank_view(dst), Impl::as_dyn_rank_view(src));
}

/// Assigns a value to every element; with an instance, in its order.
template <class D, class... P>
void deep_copy(DynRankView<D, P...> const& dst, typename ViewTraits<D, P...>::const_value_type& value) {
  Kokkos::deep_copy(dst.impl_view(), value);
}
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class D, class... P>
void deep_copy(ExecSpace const& exec, DynRankView<D, P...> const& dst,
               typename ViewTraits<D, P...>::const_value_type& value) {
  Kokkos::deep_copy(exec, dst.impl_view(), value);
}
/// Copies the element of a view of rank 0 to a variable on the host.
template <class D, class... P>
void deep_copy(typename ViewTraits<D, P...>::non_const_value_type& value, DynRankView<D, P...> const& src) {
  Kokkos::deep_copy(value, Impl::as_view_of_rank_n<0>(src));
}
/// Like `deep_copy` above, in the order of an instance.
template <ExecutionSpace ExecSpace, class D, class... P>
void deep_copy(ExecSpace const& exec, typename ViewTraits<D, P...>::non_const_value_type& value,
               DynRankView<D, P...> const& src) {
  Kokkos::deep_copy(exec, value, Impl::as_view_of_rank_n<0>(src));
}

namespace Impl {
template <class D, class... P>
struct ContainerCopy<DynRankView<D, P...>> {
  template <class Dst, class... Exec>
  static void run(Dst const& dst, DynRankView<D, P...> const& src, Exec const&... exec) {
    Kokkos::deep_copy(exec..., dst, src);
  }
};
}  // namespace Impl

// ---- other extents --------------------------------------------------------------------------------------------------

/// Sets the extents, and the rank to their number. Elements whose indices exist before and after keep their value; an
/// index that is not given counts as 0.
template <Impl::ResizeProperty Property, class D, class... P>
void resize(Property const& property, DynRankView<D, P...>& view,
            typename DynRankView<D, P...>::array_layout const& layout) {
  using ViewType        = DynRankView<D, P...>;
  auto const properties = Impl::resize_properties(property);
  ViewType const resized(Impl::with_default_properties(properties, view.label()), layout);
  if (view.is_allocated())
    Impl::copy_common_elements(properties, resized.impl_strided_view(), view.impl_strided_view());
  view = resized;
}
/// Like `resize` above, with properties of view_alloc.
template <Impl::ResizeProperty Property, class D, class... P, class... N>
  requires Impl::DynRankExtents<N...>
void resize(Property const& property, DynRankView<D, P...>& view, N... n) {
  Kokkos::resize(property, view, Impl::DynRankShape<typename DynRankView<D, P...>::array_layout>::layout_of(n...));
}
/// Like `resize` above, without properties.
template <class D, class... P, class... N>
  requires Impl::DynRankExtents<N...>
void resize(DynRankView<D, P...>& view, N... n) {
  Kokkos::resize(view_alloc(), view, n...);
}

/// Sets the extents, and the rank to their number, and creates new elements. The old memory is released first.
template <Impl::ResizeProperty Property, class D, class... P>
void realloc(Property const& property, DynRankView<D, P...>& view,
             typename DynRankView<D, P...>::array_layout const& layout) {
  using ViewType          = DynRankView<D, P...>;
  std::string const label = view.label();
  view                    = ViewType();
  view                    = ViewType(Impl::with_default_properties(Impl::resize_properties(property), label), layout);
}
/// Like `realloc` above, with properties of view_alloc.
template <Impl::ResizeProperty Property, class D, class... P, class... N>
  requires Impl::DynRankExtents<N...>
void realloc(Property const& property, DynRankView<D, P...>& view, N... n) {
  Kokkos::realloc(property, view, Impl::DynRankShape<typename DynRankView<D, P...>::array_layout>::layout_of(n...));
}
/// Like `realloc` above, without properties.
template <class D, class... P, class... N>
  requires Impl::DynRankExtents<N...>
void realloc(DynRankView<D, P...>& view, N... n) {
  Kokkos::realloc(view_alloc(), view, n...);
}

}  // namespace Kokkos

#endif
