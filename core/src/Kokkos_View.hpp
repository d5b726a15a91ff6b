// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_HPP
#define KOKKOS_VIEW_HPP

/// \file
/// Kokkos::View: a multidimensional array in a memory space, with a layout and shared ownership.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Concepts.hpp>
#include <impl/view/Kokkos_Allocation.hpp>
#include <impl/view/Kokkos_SubviewPlan.hpp>
#include <impl/view/Kokkos_ViewAlloc.hpp>
#include <impl/view/Kokkos_ViewAllocate.hpp>
#include <impl/view/Kokkos_ViewArguments.hpp>
#include <impl/view/Kokkos_ViewAssignment.hpp>
#include <impl/view/Kokkos_ViewElements.hpp>
#include <impl/view/Kokkos_ViewErrors.hpp>
#include <impl/view/Kokkos_ViewHandle.hpp>
#include <impl/view/Kokkos_ViewMDSpan.hpp>
#include <impl/view/Kokkos_ViewMDSpanArguments.hpp>
#include <impl/view/Kokkos_ViewShape.hpp>
#include <impl/view/Kokkos_ViewTraits.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// A View refers to elements; copies refer to the same ones, and the last owner frees them.
///
/// \tparam DataType an element type followed by a star for each run-time extent, then brackets with the static ones:
/// `const double**[3]` has rank 3. At most 8 dimensions.
/// \tparam Properties in this order, each optional: a layout, an execution space, memory space or Device, MemoryTraits.
template <class DataType, class... Properties>
class View : public ViewTraits<DataType, Properties...>,
             public Impl::ViewMDSpan<View<DataType, Properties...>, ViewTraits<DataType, Properties...>> {
 public:
  using traits = ViewTraits<DataType, Properties...>;  ///< documents the inherited types

  using typename traits::array_layout;
  using typename traits::const_data_type;
  using typename traits::const_value_type;
  using typename traits::data_type;
  using typename traits::device_type;
  using typename traits::dimension;
  using typename traits::execution_space;
  using typename traits::host_mirror_space;
  using typename traits::index_type;
  using typename traits::memory_space;
  using typename traits::memory_traits;
  using typename traits::non_const_data_type;
  using typename traits::non_const_value_type;
  using typename traits::size_type;
  using typename traits::value_type;

  using element_type = value_type;   ///< value_type, under the name that mdspan uses
  using pointer_type = value_type*;  ///< the type of data()

 private:
  static constexpr bool is_atomic  = memory_traits::is_atomic && !std::is_const_v<value_type>;
  static constexpr bool is_aligned = memory_traits::is_aligned;
  using impl_mapping_type          = Impl::ViewMapping<array_layout, dimension>;
  using tracker_type = std::conditional_t<Impl::owns_memory_v<traits>, Impl::AllocationTracker, Impl::NoTracker>;

 public:
  /// The type of an element in an expression: a reference, or for the trait Atomic a proxy with atomic operations.
  using reference_type = Impl::view_reference_t<traits>;
  using reference      = reference_type;  ///< reference_type, under the name that mdspan uses

  static constexpr bool reference_type_is_lvalue_reference = !is_atomic;  ///< false with Atomic

  /// Number of dimensions. `View::rank` is a constant, and `view.rank()` returns the same number.
  static constexpr Impl::RankConstant<dimension::rank> rank{};
  /// Number of dimensions with a run-time extent.
  static constexpr Impl::RankConstant<dimension::rank_dynamic> rank_dynamic{};
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  enum : unsigned { Rank = dimension::rank };
#endif

  // Related view types
  /// This view with its properties in the order: layout, Device, MemoryTraits.
  using type       = View<data_type, array_layout, device_type, memory_traits>;
  using array_type = type;  ///< the same as type
  /// The view of the same elements that only reads them.
  using const_type = View<const_data_type, array_layout, device_type, memory_traits>;
  /// The view of the same elements without const.
  using non_const_type = View<non_const_data_type, array_layout, device_type, memory_traits>;
  /// A view with the same data type, without const, and the same layout, in memory that the host can access.
  using host_mirror_type =
      View<non_const_data_type, array_layout, Device<DefaultHostExecutionSpace, host_mirror_space>>;
  using HostMirror = host_mirror_type;  ///< the name from before Kokkos 5

 private:
  using runtime_data_type =
      typename std::conditional_t<dimension::rank == dimension::rank_dynamic, std::type_identity<data_type>,
                                  Impl::MakeViewDataType<value_type, dimension::rank>>::type;
  using runtime_const_data_type =
      typename std::conditional_t<dimension::rank == dimension::rank_dynamic, std::type_identity<const_data_type>,
                                  Impl::MakeViewDataType<const_value_type, dimension::rank>>::type;
  using anonymous_device = Device<execution_space, AnonymousSpace>;

 public:
  /// The layout of the uniform types. In rank 0 and 1, where LayoutRight and LayoutLeft are the same, it is LayoutLeft.
  using uniform_layout_type =
      std::conditional_t<dimension::rank == 0 || (dimension::rank == 1 && std::is_same_v<array_layout, LayoutRight>),
                         LayoutLeft, array_layout>;
  /// @{
  /// One type for equivalent view types, so that code is instantiated once for all of them. In the names, `const` means
  /// const elements, `runtime` that all extents are run-time extents, and `nomemspace` that the memory space is
  /// AnonymousSpace.
  using uniform_type                  = View<data_type, uniform_layout_type, device_type, memory_traits>;
  using uniform_const_type            = View<const_data_type, uniform_layout_type, device_type, memory_traits>;
  using uniform_runtime_type          = View<runtime_data_type, uniform_layout_type, device_type, memory_traits>;
  using uniform_runtime_const_type    = View<runtime_const_data_type, uniform_layout_type, device_type, memory_traits>;
  using uniform_nomemspace_type       = View<data_type, uniform_layout_type, anonymous_device, memory_traits>;
  using uniform_const_nomemspace_type = View<const_data_type, uniform_layout_type, anonymous_device, memory_traits>;
  using uniform_runtime_nomemspace_type = View<runtime_data_type, uniform_layout_type, anonymous_device, memory_traits>;
  using uniform_runtime_const_nomemspace_type =
      View<runtime_const_data_type, uniform_layout_type, anonymous_device, memory_traits>;
  /// @}

  // ---- construction -------------------------------------------------------------------------------------------------

  /// A view of nothing; run-time extents are 0.
  KOKKOS_DEFAULTED_FUNCTION View() = default;
  /// Refers to the same elements, and shares their ownership unless the view is unmanaged.
  KOKKOS_DEFAULTED_FUNCTION View(View const&) = default;
  /// Takes over the reference and its share of the ownership. The other view may then only be assigned to or destroyed.
  KOKKOS_DEFAULTED_FUNCTION View(View&&) = default;
  /// Releases what the view referred to, then refers to the elements of the other view.
  KOKKOS_DEFAULTED_FUNCTION View& operator=(View const&) = default;
  /// Releases what the view referred to, then takes over the reference of the other view.
  KOKKOS_DEFAULTED_FUNCTION View& operator=(View&&) = default;
  KOKKOS_DEFAULTED_FUNCTION ~View()                 = default;

  /// Refers to the elements of a view of another type. If the types do not guarantee that extents, strides and
  /// alignment match, these are checked at run time, and a mismatch aborts the program.
  template <class D, class... P>
    requires(Impl::ViewAssignment<traits, ViewTraits<D, P...>>::possible())
  KOKKOS_FUNCTION View(View<D, P...> const& source)
      : m(source.data(),
          Impl::convert_mapping<Impl::ViewAssignment<traits, ViewTraits<D, P...>>>(
              source.impl_mapping(), [&source] { return source.impl_track().label(); }),
          source.impl_track()) {
    if constexpr (Impl::ViewAssignment<traits, ViewTraits<D, P...>>::checks_alignment) check_alignment();
  }

  /// Allocates under a label and value-initializes the elements; both are complete when this returns. `n` are the
  /// run-time extents, or all extents. Their number is checked at run time, because generic code for views of any rank
  /// contains branches that are never executed.
  /// \throws std::runtime_error (Experimental::RawMemoryAllocationFailure) if there is not enough memory.
  template <class Label, class... N>
    requires(Impl::LabelFor<Label, pointer_type> && (Impl::ExtentLike<N> && ...))
  explicit View(Label&& label, N... n) : View(Impl::LabelProperties{std::string(label), {}, {}, {}}, n...) {}

  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class Label>
    requires Impl::LabelFor<Label, pointer_type>
  explicit View(Label&& label, array_layout const& layout)
      : View(Impl::LabelProperties{std::string(label), {}, {}, {}}, layout) {}

  /// Allocates with the properties of view_alloc. If they contain an execution space instance, the elements are
  /// initialized in its order, without a fence.
  template <class L, class E, class M, bool I, bool S, bool A, class... N>
    requires(Impl::ExtentLike<N> && ...)
  explicit View(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, N... n)
      : View(properties, Maker::list_of(n...)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class L, class E, class M, bool I, bool S, bool A>
  explicit View(Impl::ViewProperties<L, E, M, Impl::None, I, S, A> const& properties, array_layout const& layout)
      : View(properties, Maker::list_of(layout)) {}

  /// Refers to memory that the program provides, at least required_allocation_size(n...) bytes.
  template <class Pointer, class... N>
    requires(Impl::PointerFor<Pointer, pointer_type> && (Impl::ExtentLike<N> && ...))
  KOKKOS_FUNCTION explicit View(Pointer&& pointer, N... n) : View(Maker::list_of(n...), pointer_type(pointer)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class Pointer>
    requires Impl::PointerFor<Pointer, pointer_type>
  KOKKOS_FUNCTION explicit View(Pointer&& pointer, array_layout const& layout)
      : View(Maker::list_of(layout), pointer_type(pointer)) {}

  /// Like the constructor above, for a null pointer that is written as NULL or 0.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  KOKKOS_FUNCTION explicit View(std::nullptr_t, N... n) : View(Maker::list_of(n...), pointer_type(nullptr)) {}

  /// Deleted, because a label or a pointer must precede the extents. (If there is one more argument than extents, the
  /// constructor above takes the first one as a null pointer.)
  template <class... N>
    requires(sizeof...(N) > 0 && sizeof...(N) <= dimension::rank_dynamic && (std::is_integral_v<N> && ...))
  explicit View(N...) {
    static_assert(sizeof...(N) == 0,
                  "A Kokkos::View that allocates takes a label before its extents: View<double**> a(\"a\", 10, 10).");
  }

  /// Like the constructor above, for view_wrap.
  template <class L, class E, class M, Impl::PointerFor<pointer_type> Ptr, bool I, bool S, bool A, class... N>
    requires(Impl::ExtentLike<N> && ...)
  KOKKOS_FUNCTION explicit View(Impl::ViewProperties<L, E, M, Ptr, I, S, A> const& properties, N... n)
      : View(Maker::list_of(n...), pointer_type(properties.pointer)) {}
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class L, class E, class M, Impl::PointerFor<pointer_type> Ptr, bool I, bool S, bool A>
  KOKKOS_FUNCTION explicit View(Impl::ViewProperties<L, E, M, Ptr, I, S, A> const& properties,
                                array_layout const& layout)
      : View(Maker::list_of(layout), pointer_type(properties.pointer)) {}

  /// Refers to the elements of an mdspan that converts to this view's natural one, view_type::mdspan_type. Explicit for
  /// views that own their memory, because the result does not.
  template <class T, class E, class L, class A>
    requires Impl::NaturalMDSpanFrom<View, mdspan<T, E, L, A>>
  KOKKOS_FUNCTION explicit(!Impl::converts_from_mdspan<View, mdspan<T, E, L, A>>) View(mdspan<T, E, L, A> const& source)
      : View(Impl::shape_of_mapping<Shape>(typename View::mdspan_type(source).mapping()),
             typename View::mdspan_type(source).data_handle()) {}

  /// Refers to elements from a data handle on, with the extents and strides of a mapping. The handle of a view that
  /// owns its memory shares the ownership; a pointer does not.
  template <class Mapping>
    requires(Impl::MappingOf<Mapping, View>)
  KOKKOS_FUNCTION explicit View(Impl::view_handle_t<traits> const& handle, Mapping const& mapping)
      : View(Impl::shape_of_mapping<Shape>(mapping), pointer_type(handle)) {
    if constexpr (Impl::owns_memory_v<traits>) m.tracker() = handle.owner();
  }
  /// From an mdspan with this view's accessor: shares the ownership. Not for layouts without a mapping.
  template <class E, class L, class Self = View>
    requires(std::is_convertible_v<typename mdspan<value_type, E, L>::mapping_type, typename Self::mapping_type>)
  KOKKOS_FUNCTION View(mdspan<value_type, E, L, Impl::view_accessor_t<traits>> const& source)
      : View(source.data_handle(), typename Self::mapping_type(source.mapping())) {}

  /// Allocates scratch memory of a team or thread; data() is null if the policy reserved too little.
  template <class ExecSpace, class... N>
    requires(Impl::ExtentLike<N> && ...)
  KOKKOS_FUNCTION explicit View(ScratchMemorySpace<ExecSpace> const& scratch, N... n)
      : View(Maker::list_of(n...), pointer_type(nullptr)) {
    take_scratch(scratch);
  }
  /// Like the constructor above, with extents (and strides) from a layout object.
  template <class ExecSpace>
  KOKKOS_FUNCTION explicit View(ScratchMemorySpace<ExecSpace> const& scratch, array_layout const& layout)
      : View(Maker::list_of(layout), pointer_type(nullptr)) {
    take_scratch(scratch);
  }

  /// The part of a view that the slices select; see subview.
  template <class D, class... P, class... Slices>
    requires(Impl::is_subview_of<traits, View<D, P...>, Slices...>())
  KOKKOS_FUNCTION View(View<D, P...> const& source, Slices... slices)
      : View(typename Impl::SubviewType<View<D, P...>, Slices...>::type(Impl::MakeSubview{}, source, slices...)) {}

  /// For the library: the subview itself, which must have the type that SubviewType computes.
  template <class Source, class... Slices>
  KOKKOS_FORCEINLINE_FUNCTION View(Impl::MakeSubview, Source const& source, Slices... slices)
      : View(source, Impl::slice_mapping(checked_mapping(source, slices...),
                                         std::make_index_sequence<sizeof...(Slices)>(), slices...)) {}

  /// For the library: elements of `source` from an offset on, with another shape, whose strides must match this layout.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION View(Source const& source, Impl::SubviewShape const& shape)
      : m(source.data() ? source.data() + shape.offset : nullptr,  // an empty view may have a null pointer, to which no
                                                                   // offset may be added
          impl_mapping_type(shape.extents, shape.strides), source.impl_track()) {}

  // ---- elements -----------------------------------------------------------------------------------------------------

  /// The element at these indices, one for each dimension.
  template <class... I>
    requires(sizeof...(I) == dimension::rank && (Impl::IndexLike<I> && ...))
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type operator()(I... i) const {
    check_access(i...);
    return element(m.mapping()(i...));
  }

  /// Like `operator()` above, for indices in floating point; their fractions are cut off.
  template <class... I>
    requires(sizeof...(I) == dimension::rank && (Impl::ExtentLike<I> && ...) && !(Impl::IndexLike<I> && ...))
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type operator()(I... i) const {
    return (*this)(static_cast<std::size_t>(i)...);
  }

#if defined(__cpp_multidimensional_subscript)
  template <class... I>
    requires(sizeof...(I) == dimension::rank && dimension::rank > 0 && (Impl::IndexLike<I> && ...))
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type operator[](I... i) const {
    check_access(i...);
    return element(m.mapping()(i...));
  }
#else
  /// The element at an index of a view of rank 1.
  template <class I>
    requires(dimension::rank == 1 && Impl::IndexLike<I>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type operator[](I i) const {
    check_access(i);
    return element(m.mapping()(i));
  }
#endif

  /// Like `operator[]` above, with more indices than dimensions, up to 8; the surplus indices must be 0.
  template <class... I>
    requires(sizeof...(I) >= dimension::rank && sizeof...(I) <= ARRAY_LAYOUT_MAX_RANK && (Impl::IndexLike<I> && ...))
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type access(I... i) const {
    return access_first(std::make_index_sequence<dimension::rank>(), i...);
  }

  /// The address of the element whose indices are all 0; null if there is no memory. The layout defines the order of
  /// elements.
  KOKKOS_FORCEINLINE_FUNCTION constexpr pointer_type data() const { return m.data; }

  // ---- shape --------------------------------------------------------------------------------------------------------

  /// Number of indices of dimension r, which must be less than the rank.
  template <Impl::IndexLike I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t extent(I const& r) const noexcept {
    return m.mapping().extents()[static_cast<std::size_t>(r)];
  }
  /// `extent(r)` as an int.
  template <Impl::IndexLike I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr int extent_int(I const& r) const noexcept {
    return static_cast<int>(extent(r));
  }
  /// The static extent, or 0 for a run-time extent.
  KOKKOS_FUNCTION static constexpr std::size_t static_extent(std::size_t r) noexcept {
    return dimension::static_extent(r);
  }
  /// Distance in elements from one index of dimension r to the next. Beyond the rank, the value is that of Kokkos 4: 1
  /// for LayoutRight, the stride of one more dimension for LayoutLeft, 0 for LayoutStride, and 1 for any view of rank
  /// 0.
  template <Impl::IndexLike I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t stride(I const& r) const noexcept {
    return m.mapping().stride(static_cast<std::size_t>(r));
  }
  /// Writes the stride of each dimension, then the span: rank + 1 numbers.
  template <class I>
  KOKKOS_FUNCTION void stride(I* strides) const {
    for (std::size_t r = 0; r < dimension::rank; ++r) strides[r] = static_cast<I>(m.mapping().stride(r));
    strides[dimension::rank] = static_cast<I>(span());
  }
  KOKKOS_FUNCTION constexpr std::size_t stride_0() const { return stride(0); }  ///< of dimension 0
  KOKKOS_FUNCTION constexpr std::size_t stride_1() const { return stride(1); }  ///< of dimension 1
  KOKKOS_FUNCTION constexpr std::size_t stride_2() const { return stride(2); }  ///< of dimension 2
  KOKKOS_FUNCTION constexpr std::size_t stride_3() const { return stride(3); }  ///< of dimension 3
  KOKKOS_FUNCTION constexpr std::size_t stride_4() const { return stride(4); }  ///< of dimension 4
  KOKKOS_FUNCTION constexpr std::size_t stride_5() const { return stride(5); }  ///< of dimension 5
  KOKKOS_FUNCTION constexpr std::size_t stride_6() const { return stride(6); }  ///< of dimension 6
  KOKKOS_FUNCTION constexpr std::size_t stride_7() const { return stride(7); }  ///< of dimension 7

  /// Number of elements.
  KOKKOS_FUNCTION constexpr std::size_t size() const noexcept { return m.mapping().extents().product(); }
  /// Distance from the first to the last element in memory, inclusive, with gaps that are not part of the view.
  KOKKOS_FUNCTION constexpr std::size_t span() const { return m.mapping().span(); }
  /// Whether the elements have no gaps in memory, so that size() equals span().
  KOKKOS_FUNCTION constexpr bool span_is_contiguous() const { return m.mapping().is_contiguous(); }
  /// A layout object for creating a view with the same extents.
  KOKKOS_FUNCTION constexpr array_layout layout() const { return m.mapping().layout(); }

  // ---- memory -------------------------------------------------------------------------------------------------------

  /// Number of views that own the allocation; 0 in kernels and for unmanaged views.
  int use_count() const noexcept { return m.tracker().use_count(); }
  /// The label of the allocation.
  std::string label() const { return m.tracker().label(); }
  /// Whether there is an allocation, even one of no elements, or a pointer.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m.data != nullptr || m.tracker().has_record(); }
  /// Releases the allocation and refers to other memory, which the view does not own.
  KOKKOS_FUNCTION void assign_data(pointer_type pointer) {
    m.data      = pointer;
    m.tracker() = tracker_type();
  }

  /// Size in bytes of a view with these extents, which have the constructor's form; the largest std::size_t if it
  /// cannot represent the size.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  KOKKOS_FUNCTION static constexpr std::size_t required_allocation_size(N... n) {
    return Impl::multiply_sizes(Maker::make_mapping(Maker::list_of(n...)).checked_span(), sizeof(value_type));
  }
  /// Like `required_allocation_size` above, with extents (and strides) from a layout object.
  KOKKOS_FUNCTION static constexpr std::size_t required_allocation_size(array_layout const& layout) {
    return Impl::multiply_sizes(Maker::make_mapping(Maker::list_of(layout)).checked_span(), sizeof(value_type));
  }
  /// Bytes to reserve in a policy for a view with these extents in scratch memory.
  template <class... N>
    requires(Impl::ExtentLike<N> && ...)
  KOKKOS_FUNCTION static constexpr std::size_t shmem_size(N... n) {
    return Impl::add_sizes(required_allocation_size(n...), scratch_alignment);
  }
  /// Like `shmem_size` above, with extents (and strides) from a layout object.
  KOKKOS_FUNCTION static constexpr std::size_t shmem_size(array_layout const& layout) {
    return Impl::add_sizes(required_allocation_size(layout), scratch_alignment);
  }

  // For the library
  KOKKOS_FUNCTION constexpr tracker_type const& impl_track() const { return m.tracker(); }
  KOKKOS_FUNCTION constexpr impl_mapping_type const& impl_mapping() const { return m.mapping(); }
  KOKKOS_FUNCTION constexpr Impl::ViewElements<View> impl_map() const { return Impl::ViewElements<View>(*this); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type impl_at_offset(std::size_t offset) const {
    check_reach();
    return element(offset);
  }

 private:
  // ---- helpers of constructors --------------------------------------------------------------------------------------

  using Maker = Impl::ViewShapeMaker<traits, impl_mapping_type>;
  using Shape = typename Maker::shape_type;

  /// Elements of 16, 32, 48, ... bytes are aligned to 16 bytes, so that a kernel can read them by vector loads even
  /// where their type requires less.
  static constexpr std::size_t scratch_alignment = sizeof(value_type) % 16 == 0 && alignof(value_type) < 16 ? 16
                                                   : alignof(value_type) > ScratchMemorySpace<execution_space>::ALIGN
                                                       ? alignof(value_type)
                                                       : ScratchMemorySpace<execution_space>::ALIGN;

  /// The space that initializes elements: the view's execution space, unless it cannot access them.
  using initialization_space = std::conditional_t<SpaceAccessibility<execution_space, memory_space>::accessible,
                                                  execution_space, typename memory_space::execution_space>;

  template <class Allocation>
  View(Allocation const& properties, Shape const& shape) {
    static_assert(Impl::owns_memory_v<traits>,
                  "Kokkos::View: an unmanaged view, or one in scratch memory, cannot be allocated; construct it from a "
                  "pointer or from a team's scratch memory.");
    std::string const& label = properties.get_label();
    Impl::check_extents(label.c_str(), memory_space::name(), shape.extents, shape.negative, Maker::static_extents(),
                        dimension::rank, sizeof(value_type));
    m.mapping() = Maker::make_mapping(shape);
    if constexpr (Allocation::allow_padding && KOKKOS_MEMORY_ALIGNMENT % sizeof(value_type) == 0)
      m.mapping().pad(KOKKOS_MEMORY_ALIGNMENT / sizeof(value_type));
    // Strides can make the span larger than the product of the extents, which is checked above.
    if constexpr (impl_mapping_type::stores_stride || Impl::is_program_layout_v<array_layout>) {
      std::size_t const bytes = Impl::multiply_sizes(m.mapping().checked_span(), sizeof(value_type));
      if (bytes > Impl::largest_extent)
        Impl::throw_too_large_span(label.c_str(), memory_space::name(), shape.extents, shape.strides, dimension::rank,
                                   sizeof(value_type));
    }
    m.tracker() = Impl::allocate_elements<Impl::allocated_t<non_const_value_type>, initialization_space, memory_space>(
        properties, label, m.mapping().span());
    m.data = static_cast<pointer_type>(m.tracker().record()->data());
  }

  KOKKOS_FUNCTION View(Shape const& shape, pointer_type pointer) : m(pointer, Maker::make_mapping(shape)) {
    bool wrong = false;
    for (std::size_t r = dimension::rank_dynamic; r < dimension::rank; ++r)
      wrong |= shape.extents.value[r] != dimension::static_extent(r);
    // Only in builds with bounds checks, since kernels wrap pointers with extents that they compute but may never use.
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    for (std::size_t r = 0; r < dimension::rank_dynamic; ++r) wrong |= shape.extents.value[r] > Impl::largest_extent;
#endif
    if (wrong) {
      KOKKOS_IF_ON_HOST((Impl::check_extents("", memory_space::name(), shape.extents, shape.negative,
                                             Maker::static_extents(), dimension::rank, 1);))
      Impl::abort_on_device("Kokkos::View: an extent is negative or differs from that in the data type.");
    }
  }

  template <class ScratchSpace>
  KOKKOS_FUNCTION void take_scratch(ScratchSpace const& scratch) {
    std::size_t const bytes = m.mapping().span() * sizeof(value_type);
    m.data                  = static_cast<pointer_type>(scratch.get_shmem_aligned(bytes, scratch_alignment));
  }

  // ---- checks -------------------------------------------------------------------------------------------------------

  /// Programs give views with the trait Aligned unaligned pointers, so the trait promises nothing to the compiler. Only
  /// an assignment from a view without the trait is checked.
  KOKKOS_FUNCTION void check_alignment() const {
    if constexpr (is_aligned) {
      KOKKOS_IF_ON_HOST((if (reinterpret_cast<std::uintptr_t>(m.data) % KOKKOS_MEMORY_ALIGNMENT != 0)
                             Impl::abort_misaligned(m.tracker().label(), m.data);))
    }
  }

  template <class Source, class... Slices>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr auto const& checked_mapping(Source const& source,
                                                                           [[maybe_unused]] Slices... slices) {
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    Impl::check_slices(
        source.impl_mapping(), [&source] { return source.impl_track().label(); },
        std::make_index_sequence<sizeof...(Slices)>(), slices...);
#endif
    return source.impl_mapping();
  }

  KOKKOS_FORCEINLINE_FUNCTION constexpr void check_reach() const {
    if constexpr (!SpaceAccessibility<HostSpace, memory_space>::accessible) {
      KOKKOS_IF_ON_HOST((Impl::abort_inaccessible(m.tracker().label(), memory_space::name());))
    }
#ifdef KOKKOS_IMPL_GPU_MODEL
    // A GPU detects this by a fault, but the model's kernels could read the memory.
    if constexpr (!SpaceAccessibility<DefaultExecutionSpace, memory_space>::accessible) {
      if (::hip_model::in_kernel() && m.tracker().has_record())
        Kokkos::abort("Kokkos::View: a kernel accesses a view in host memory that the device cannot access.");
    }
#endif
  }

  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr void check_access([[maybe_unused]] I... i) const {
    check_reach();
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    if constexpr (dimension::rank > 0) check_bounds(std::make_index_sequence<dimension::rank>(), i...);
#endif
  }

  template <std::size_t... R, class... I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr void check_bounds(std::index_sequence<R...>, I... i) const {
    if (((static_cast<std::size_t>(i) < m.mapping().extents()[R]) && ...)) return;
    KOKKOS_IF_ON_HOST(
        (Impl::abort_out_of_bounds(m.tracker().label(), dimension::rank,
                                   Impl::ExtentList{{static_cast<std::size_t>(i)...}}, Impl::extents_of(m.mapping()));))
    Impl::abort_on_device("Kokkos::View: out of bounds access.");
  }

  // ---- access -------------------------------------------------------------------------------------------------------

  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type element(std::size_t offset) const {
    if constexpr (is_atomic) {
      return reference_type(m.data + offset);
    } else if constexpr (memory_traits::is_restrict) {
      value_type* KOKKOS_RESTRICT const p = m.data;
      return p[offset];
    } else {
      return m.data[offset];
    }
  }

  template <std::size_t... R, class... I>
  KOKKOS_FORCEINLINE_FUNCTION constexpr reference_type access_first(std::index_sequence<R...>, I... i) const {
    std::size_t const all[] = {static_cast<std::size_t>(i)..., 0};
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    for (std::size_t r = dimension::rank; r < sizeof...(I); ++r)
      if (all[r] != 0) {
        KOKKOS_IF_ON_HOST((Impl::abort_extra_index(m.tracker().label(), r, all[r], dimension::rank);))
        Impl::abort_on_device("Kokkos::View::access: an index beyond the rank is not 0.");
      }
#endif
    return (*this)(all[R]...);
  }

  Impl::ViewStorage<value_type, impl_mapping_type, tracker_type> m;
};

}  // namespace Kokkos

#include <impl/view/Kokkos_ViewFunctions.hpp>
#include <impl/view/Kokkos_ViewIterator.hpp>

#endif
