// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SCATTERVIEW_HPP
#define KOKKOS_SCATTERVIEW_HPP

/// \file
/// ScatterView: contributions of many work items to the same elements, by atomic operations or through separate copies.

#include <Kokkos_Core.hpp>
#include <impl/Kokkos_ScatterCopies.hpp>
#include <impl/Kokkos_ScatterOperations.hpp>

#include <cstddef>
#include <new>
#include <string>
#include <type_traits>

namespace Kokkos {
namespace Impl::Experimental {

// In Kokkos::Impl, `Experimental::simd` must still refer to the name in Kokkos::Experimental.
using namespace ::Kokkos::Experimental;

template <class ExecSpace>
inline constexpr bool is_single_threaded_v = false;
template <class ExecSpace>
  requires(ExecSpace::impl_is_single_threaded)
inline constexpr bool is_single_threaded_v<ExecSpace> = true;

/// The fastest default: one thread needs no synchronisation, a few host threads write to separate copies, and a device,
/// which has too many threads for copies, updates atomically.
template <class ExecSpace>
struct DefaultDuplication {
  using type = std::conditional_t<runs_on_host_v<ExecSpace> && !is_single_threaded_v<ExecSpace>, ScatterDuplicated,
                                  ScatterNonDuplicated>;
};
template <class ExecSpace, class Duplication>
struct DefaultContribution {
  using type = std::conditional_t<is_single_threaded_v<ExecSpace> || std::is_same_v<Duplication, ScatterDuplicated>,
                                  ScatterNonAtomic, ScatterAtomic>;
};

}  // namespace Impl::Experimental

namespace Experimental {

template <class DataType, class Op, class DeviceType, class Layout, class Duplication, class Contribution,
          class OverrideContribution>
class ScatterAccess;

/// Collects contributions to the elements of a view. Kernels contribute through the object that access() returns, and
/// contribute() adds the contributions to the view.
///
/// \tparam DataType, Layout, DeviceType those of the view
/// \tparam Op ScatterSum, ScatterProd, ScatterMin or ScatterMax
/// \tparam Duplication ScatterNonDuplicated: all threads contribute to the elements themselves. ScatterDuplicated: each
/// thread has a copy of all elements, and contribute() combines these.
/// \tparam Contribution ScatterAtomic or ScatterNonAtomic. Without copies and without atomic updates, two threads of a
/// kernel must not contribute to the same element.
template <class DataType, class Layout = DefaultExecutionSpace::array_layout, class DeviceType = DefaultExecutionSpace,
          class Op = ScatterSum,
          class Duplication =
              typename Kokkos::Impl::Experimental::DefaultDuplication<typename DeviceType::execution_space>::type,
          class Contribution = typename Kokkos::Impl::Experimental::DefaultContribution<
              typename DeviceType::execution_space, Duplication>::type>
class ScatterView {
 public:
  using execution_space = typename DeviceType::execution_space;           ///< runs kernels that contribute
  using memory_space    = typename DeviceType::memory_space;              ///< stores the elements
  using device_type     = Kokkos::Device<execution_space, memory_space>;  ///< both spaces
  /// The view that receives contributions.
  using original_view_type  = View<DataType, Layout, device_type>;
  using original_value_type = typename original_view_type::value_type;  ///< an element
  /// An element of the original view in an expression.
  using original_reference_type = typename original_view_type::reference_type;

 private:
  static constexpr bool is_duplicated = std::is_same_v<Duplication, ScatterDuplicated>;

  using Value     = original_value_type;
  using Operation = Kokkos::Impl::ScatterOperation<Op>;
  using Copies =
      std::conditional_t<is_duplicated, Kokkos::Impl::ScatterCopies<execution_space>, Kokkos::Impl::NoScatterCopies>;
  using Unmanaged = View<DataType, Layout, device_type, MemoryUnmanaged>;

 public:
  ScatterView() = default;

  /// Collects contributions to `view`. Memory for copies is allocated in the order of `exec`.
  template <class D, class... P>
    requires(std::is_constructible_v<original_view_type, View<D, P...> const&>)
  ScatterView(View<D, P...> const& view) : ScatterView(execution_space(), view) {}
  /// Like the constructor above, in the order of an instance.
  template <class D, class... P>
    requires(std::is_constructible_v<original_view_type, View<D, P...> const&>)
  ScatterView(execution_space const& exec, View<D, P...> const& view) {
    original_view_type const original(view);
    if constexpr (is_duplicated)
      allocate_copies(exec, original.label() + "_copies", shape_of(original.layout()));
    else
      m_view = original;
  }

  /// Collects contributions without a view: allocates elements and sets them to the identity of the operation.
  template <class... N>
    requires(Kokkos::Impl::ExtentLike<N> && ...)
  explicit ScatterView(std::string const& label, N... n)
      : ScatterView(Kokkos::view_alloc(execution_space(), label), n...) {}
  /// Like the constructor above, with properties of view_alloc: a label, and an execution space instance if the order
  /// matters.
  template <class L, class E, class M, bool I, bool S, bool A, class... N>
    requires(Kokkos::Impl::ExtentLike<N> && ...)
  explicit ScatterView(Kokkos::Impl::ViewProperties<L, E, M, Kokkos::Impl::None, I, S, A> const& properties, N... n) {
    execution_space const exec = [&] {
      if constexpr (std::is_same_v<E, execution_space>)
        return properties.exec;
      else
        return execution_space();
    }();
    allocate(exec, properties.get_label(), Layout(static_cast<std::size_t>(n)...));
  }

  /// Refers to the same elements with other types.
  template <class D, class Device, class OtherContribution>
    requires(std::is_constructible_v<
                original_view_type,
                typename ScatterView<D, Layout, Device, Op, Duplication, OtherContribution>::original_view_type const&>)
  KOKKOS_FUNCTION ScatterView(ScatterView<D, Layout, Device, Op, Duplication, OtherContribution> const& other)
      : m_view(other.m_view), m_copies(other.m_copies), m_shape(other.m_shape) {}

  /// Whether there are elements to which kernels can contribute.
  KOKKOS_FUNCTION constexpr bool is_allocated() const { return m_view.is_allocated(); }

  /// In a kernel: the object through which the calling work item contributes, as in `access(i, j) += x`. `Override`
  /// replaces the ScatterView's kind of contribution.
  template <class Override = Contribution>
  KOKKOS_FORCEINLINE_FUNCTION ScatterAccess<DataType, Op, DeviceType, Layout, Duplication, Contribution, Override>
  access() const {
    return ScatterAccess<DataType, Op, DeviceType, Layout, Duplication, Contribution, Override>(*this);
  }

  /// The elements that receive the contributions: of the first copy, if there are several.
  original_view_type subview() const { return m_view; }

  /// Combines all contributions with the elements of `dest`. The elements of subview() are combined in place.
  /// \throws std::runtime_error with labels and extents if the extents differ.
  template <class D, class... P>
  void contribute_into(View<D, P...> const& dest) const {
    contribute_into(execution_space(), dest);
  }
  /// Like `contribute_into` above, in the order of an instance.
  template <class D, class... P>
  void contribute_into(execution_space const& exec, View<D, P...> const& dest) const {
    static_assert(std::is_same_v<typename View<D, P...>::value_type, Value>,
                  "Kokkos::ScatterView: the elements of the destination must be of the ScatterView's value type.");
    static_assert(SpaceAccessibility<execution_space, typename View<D, P...>::memory_space>::accessible,
                  "Kokkos::ScatterView: the execution space cannot access the memory of the destination.");
    Kokkos::Impl::CopySide const to = Kokkos::Impl::copy_side(dest), from = Kokkos::Impl::copy_side(m_view);
    Kokkos::Impl::require_copyable(to, from);
    contribute_elements(exec, dest.data(), plan_copy(sizeof(Value), to, from));
  }

  /// Sets all contributions to the identity of the operation; without copies, these are the elements of the view.
  void reset(execution_space const& exec = execution_space()) { reset_from(exec, 0); }
  /// Like `reset` above, but does not change the elements of `view` if contributions go there.
  template <class D, class... P>
  void reset_except(View<D, P...> const& view) {
    reset_except(execution_space(), view);
  }
  /// Like `reset_except` above, in the order of an instance.
  template <class D, class... P>
  void reset_except(execution_space const& exec, View<D, P...> const& view) {
    reset_from(exec, view.data() == m_view.data() ? 1 : 0);
  }

  /// Changes the extents; contributions to elements whose indices exist before and after are kept.
  template <class... N>
    requires(Kokkos::Impl::ExtentLike<N> && ...)
  void resize(N... n) {
    ScatterView resized;
    resized.allocate(execution_space(), m_view.label(), Layout(static_cast<std::size_t>(n)...));
    Kokkos::Impl::CopySide to = Kokkos::Impl::copy_side(resized.m_view), from = Kokkos::Impl::copy_side(m_view);
    for (std::size_t r = 0; r < original_view_type::rank(); ++r)
      to.extent[r] = from.extent[r] = to.extent[r] < from.extent[r] ? to.extent[r] : from.extent[r];
    if (to.size() > 0)
      contribute_elements(execution_space(), resized.m_view.data(), plan_copy(sizeof(Value), to, from));
    Kokkos::fence("Kokkos::ScatterView::resize: before the old memory is released");
    *this = resized;
  }
  /// Like `resize` above; the properties have no effect.
  template <Kokkos::Impl::ResizeProperty Property, class... N>
  void resize(Property const&, N... n) {
    resize(n...);
  }
  /// Changes the extents and removes all contributions.
  template <class... N>
    requires(Kokkos::Impl::ExtentLike<N> && ...)
  void realloc(N... n) {
    std::string const label = m_view.label();
    *this                   = ScatterView();
    allocate(execution_space(), label, Layout(static_cast<std::size_t>(n)...));
  }
  /// Like `realloc` above; the properties have no effect.
  template <Kokkos::Impl::ResizeProperty Property, class... N>
  void realloc(Property const&, N... n) {
    realloc(n...);
  }

 private:
  template <class, class, class, class, class, class>
  friend class ScatterView;
  template <class, class, class, class, class, class, class>
  friend class ScatterAccess;

  static Unmanaged shape_of(Layout const& layout) { return Unmanaged(static_cast<Value*>(nullptr), layout); }

  void allocate(execution_space const& exec, std::string const& label, Layout const& layout) {
    if constexpr (is_duplicated) {
      allocate_copies(exec, label, shape_of(layout));
    } else {
      m_view = original_view_type(Kokkos::view_alloc(exec, WithoutInitializing, label), layout);
      reset_from(exec, 0);
    }
  }

  void allocate_copies(execution_space const& exec, std::string const& label, Unmanaged const& shape) {
    using Memory = View<Value*, device_type>;
    m_copies     = Copies(exec);
    m_shape      = {Kokkos::Impl::stride_of_copies<execution_space>(shape.span(), sizeof(Value)), &set_to_identity};
    Memory const memory(Kokkos::view_alloc(exec, WithoutInitializing, label), m_shape.stride * m_copies.size());
    Kokkos::Impl::SubviewShape whole;
    whole.extents = Kokkos::Impl::extents_of(shape.impl_mapping());
    whole.strides = Kokkos::Impl::strides_of(shape.impl_mapping());
    m_view        = original_view_type(memory, whole);
    Kokkos::deep_copy(exec, memory, Operation::template identity<Value>());
  }

  void reset_from(execution_space const& exec, std::size_t first) {
    if (!is_allocated()) return;
    if constexpr (is_duplicated) {
      // Without the gaps between copies, which are longer than small copies.
      using Elements    = View<Value**, LayoutStride, device_type, MemoryUnmanaged>;
      auto const set_to = [&](Value* elements, std::size_t copies) {
        Kokkos::deep_copy(exec, Elements(elements, LayoutStride(copies, m_shape.stride, m_view.span(), 1)),
                          Operation::template identity<Value>());
      };
      bool done = false;
      if constexpr (Kokkos::Impl::runs_on_host_v<execution_space>)
        if (owners_reset()) reset_by_owners(exec, first), done = true;
      if (!done) set_to(m_view.data() + first * m_shape.stride, m_copies.size() - first);
      for (void* spare : m_copies.spares()) set_to(static_cast<Value*>(spare), 1);
    } else if (first == 0) {
      Kokkos::deep_copy(exec, m_view, Operation::template identity<Value>());
    }
  }

  /// Whether copies are so small that they are in a cache of the processor whose thread uses them, and together so large
  /// that a launch takes less time than to fetch them from there.
  bool owners_reset() const {
    std::size_t const bytes = m_view.span() * sizeof(Value);
    return bytes <= 256 * 1024 && bytes * m_copies.size() > 64 * 1024;
  }

  /// Sets each copy on the thread that tends to use it. A single thread would first take all of them out of the caches of
  /// the others.
  void reset_by_owners(execution_space const& exec, std::size_t first) {
    Kokkos::parallel_for("Kokkos::ScatterView::reset",
                         RangePolicy<execution_space, IndexType<std::size_t>>(exec, first, m_copies.size()),
                         [data = m_view.data(), stride = m_shape.stride, n = m_view.span()](std::size_t copy) {
                           Value* const elements = data + copy * stride;
                           Value const identity  = Operation::template identity<Value>();
                           for (std::size_t i = 0; i < n; ++i) elements[i] = identity;
                         });
  }

  void contribute_elements(execution_space const& exec, Value* dest, Kokkos::Impl::CopyPlan const& plan) const {
    std::size_t const first = dest == m_view.data() ? 1 : 0;
    std::size_t const n     = plan.size();
    if (n == 0) return;
    std::size_t const chunk = Kokkos::Impl::runs_on_host_v<execution_space> ? Kokkos::Impl::combined_per_item(n) : 1;
    auto const combine      = [&](Value const* copies, std::size_t begin, std::size_t end) {
      if (begin == end) return;
      Kokkos::parallel_for("Kokkos::ScatterView::contribute",
                                RangePolicy<execution_space, IndexType<std::size_t>>(exec, 0, (n + chunk - 1) / chunk),
                                Kokkos::Impl::CombineCopies<Value, Operation>{dest, copies, m_shape.stride, begin, end,
                                                                         loops_of(plan), chunk});
    };
    combine(m_view.data(), first, m_copies.size());
    for (void const* spare : m_copies.spares()) combine(static_cast<Value const*>(spare), 0, 1);
  }

  static void set_to_identity(void* elements, std::size_t count) {
    Value* const first = static_cast<Value*>(elements);
    for (std::size_t i = 0; i < count; ++i)
      ::new (static_cast<void*>(first + i)) Value(Operation::template identity<Value>());
  }

  original_view_type m_view;  // all elements, or their first copy, which also owns the other copies
  Copies m_copies;
  Kokkos::Impl::ScatterCopyShape m_shape{};
};

/// The object through which a work item contributes, returned by ScatterView::access(). If there are copies of the
/// elements, the object holds one of them during its life.
template <class DataType, class Op, class DeviceType, class Layout, class Duplication, class Contribution,
          class OverrideContribution>
class ScatterAccess {
  using Scatter = ScatterView<DataType, Layout, DeviceType, Op, Duplication, Contribution>;

 public:
  using view_type           = Scatter;                                ///< the ScatterView
  using original_value_type = typename Scatter::original_value_type;  ///< an element of its view
  /// The proxy of an element: `+=` and the other operators contribute to the element.
  using value_type = Kokkos::Impl::ScatterValue<original_value_type, Kokkos::Impl::ScatterOperation<Op>>;

  /// For the library: ScatterView::access() calls this.
  KOKKOS_FORCEINLINE_FUNCTION explicit ScatterAccess(Scatter const& scatter)
      : m_scatter(scatter), m_elements(scatter.m_view) {
    if constexpr (Scatter::is_duplicated) {
      original_value_type* own = scatter.m_copies.acquire(m_elements.data(), scatter.m_shape, m_held);
      // g++ would add the distance of the copy to every index, instead of once to the pointer before a loop.
      KOKKOS_IF_ON_HOST((asm("" : "+r"(own));))
      m_elements.assign_data(own);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION ~ScatterAccess() { m_scatter.m_copies.release(m_held); }
  ScatterAccess(ScatterAccess const&)            = delete;
  ScatterAccess& operator=(ScatterAccess const&) = delete;

  /// Contributes to the element by `+=`, `-=`, `++` and `--`, or `*=` and `/=`, or `update`.
  template <class... I>
  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(I... i) const {
    return value_type(m_elements(i...), is_atomic);
  }
  /// Like `operator()` above, for a view of rank 1.
  template <Kokkos::Impl::IndexLike I>
    requires(Scatter::original_view_type::rank() == 1)
  KOKKOS_FORCEINLINE_FUNCTION value_type operator[](I i) const {
    return (*this)(i);
  }

 private:
  static constexpr bool is_atomic = std::is_same_v<OverrideContribution, ScatterAtomic>;

  Scatter const& m_scatter;
  typename Scatter::Unmanaged m_elements;
  KOKKOS_IMPL_NO_UNIQUE_ADDRESS typename Scatter::Copies::Held m_held;
};

/// A ScatterView for a view, with the default operation, duplication and contribution, or the given ones.
template <class Op = ScatterSum, class Duplication = void, class Contribution = void, class D, class... P>
auto create_scatter_view(View<D, P...> const& view) {
  using ViewType = View<D, P...>;
  using Exec     = typename ViewType::execution_space;
  using Dup =
      typename std::conditional_t<std::is_void_v<Duplication>, Kokkos::Impl::Experimental::DefaultDuplication<Exec>,
                                  std::type_identity<Duplication>>::type;
  using Contrib = typename std::conditional_t<std::is_void_v<Contribution>,
                                              Kokkos::Impl::Experimental::DefaultContribution<Exec, Dup>,
                                              std::type_identity<Contribution>>::type;
  return ScatterView<D, typename ViewType::array_layout, typename ViewType::device_type, Op, Dup, Contrib>(view);
}
/// Like `create_scatter_view` above, with an object that selects the operation, for example `ScatterMax{}`.
template <class Op, class D, class... P>
auto create_scatter_view(Op, View<D, P...> const& view) {
  return Kokkos::Experimental::create_scatter_view<Op>(view);
}
/// Like `create_scatter_view` above, with objects that select the operation, the duplication and the contribution.
template <class Op, class Duplication, class Contribution, class D, class... P>
auto create_scatter_view(Op, Duplication, Contribution, View<D, P...> const& view) {
  return Kokkos::Experimental::create_scatter_view<Op, Duplication, Contribution>(view);
}

/// Combines all contributions with the elements of `dest`, in the order of the instance.
template <class D, class... P, class T, class L, class Device, class Op, class Dup, class C>
void contribute(typename Device::execution_space const& exec, View<D, P...> const& dest,
                ScatterView<T, L, Device, Op, Dup, C> const& src) {
  src.contribute_into(exec, dest);
}
/// Like `contribute` above, in the default instance.
template <class D, class... P, class T, class L, class Device, class Op, class Dup, class C>
void contribute(View<D, P...> const& dest, ScatterView<T, L, Device, Op, Dup, C> const& src) {
  src.contribute_into(dest);
}

/// @{
/// Whether T is a ScatterView, possibly a const one. False for references.
template <class T>
inline constexpr bool is_scatter_view_v = false;
template <class T, class L, class Device, class Op, class Dup, class C>
inline constexpr bool is_scatter_view_v<ScatterView<T, L, Device, Op, Dup, C>> = true;
template <class T, class L, class Device, class Op, class Dup, class C>
inline constexpr bool is_scatter_view_v<ScatterView<T, L, Device, Op, Dup, C> const> = true;
/// @}
template <class T>
struct is_scatter_view : std::bool_constant<is_scatter_view_v<T>> {};

}  // namespace Experimental

/// Changes the extents of a ScatterView; contributions to elements whose indices exist before and after are kept.
template <class T, class L, class Device, class Op, class Dup, class C, class... N>
  requires(Impl::ExtentLike<N> && ...)
void resize(Experimental::ScatterView<T, L, Device, Op, Dup, C>& view, N... n) {
  view.resize(n...);
}
/// Like `resize` above; the properties have no effect.
template <Impl::ResizeProperty Property, class T, class L, class Device, class Op, class Dup, class C, class... N>
void resize(Property const& property, Experimental::ScatterView<T, L, Device, Op, Dup, C>& view, N... n) {
  view.resize(property, n...);
}
/// Changes the extents of a ScatterView and removes all contributions.
template <class T, class L, class Device, class Op, class Dup, class C, class... N>
  requires(Impl::ExtentLike<N> && ...)
void realloc(Experimental::ScatterView<T, L, Device, Op, Dup, C>& view, N... n) {
  view.realloc(n...);
}
/// Like `realloc` above; the properties have no effect.
template <Impl::ResizeProperty Property, class T, class L, class Device, class Op, class Dup, class C, class... N>
void realloc(Property const& property, Experimental::ScatterView<T, L, Device, Op, Dup, C>& view, N... n) {
  view.realloc(property, n...);
}

}  // namespace Kokkos

#endif
