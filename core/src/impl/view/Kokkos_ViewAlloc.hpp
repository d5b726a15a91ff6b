// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWALLOC_HPP
#define KOKKOS_VIEW_VIEWALLOC_HPP

/// \file
/// view_alloc and view_wrap: the allocation properties of a view, as one argument of its constructor.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Concepts.hpp>

#include <string>
#include <type_traits>

namespace Kokkos {

class HostSpace;

namespace Experimental {
template <class Space>
class MemoryResource;
class HostPlacement;
}  // namespace Experimental

namespace Impl {

struct WithoutInitializing_t {};
struct SequentialHostInit_t {};
struct AllowPadding_t {};

/// The result of common_view_alloc_prop: the common element type of several views.
template <class ValueType>
struct CommonViewProperty {
  using value_type        = ValueType;
  using scalar_array_type = ValueType;
};
template <class T>
inline constexpr bool is_common_view_property_v = false;
template <class ValueType>
inline constexpr bool is_common_view_property_v<CommonViewProperty<ValueType>> = true;

template <class T>
concept AllocationLabel = std::is_convertible_v<T const&, std::string> && !std::is_same_v<T, std::nullptr_t>;

template <class T>
concept WrappedPointer = std::is_pointer_v<T> && !AllocationLabel<T>;

/// An object that provides a view's memory in place of the memory space.
template <class T>
inline constexpr bool is_memory_resource_v = false;
template <class Space>
inline constexpr bool is_memory_resource_v<Experimental::MemoryResource<Space>> = true;
template <>
inline constexpr bool is_memory_resource_v<Experimental::HostPlacement> = true;

template <class T>
struct PropertySpace {
  using type = T;
};
template <class Space>
struct PropertySpace<Experimental::MemoryResource<Space>> {
  using type = Space;
};
template <>
struct PropertySpace<Experimental::HostPlacement> {
  using type = HostSpace;
};

/// The arguments of view_alloc. Each property has its own slot; an empty slot has type None.
template <class Label, class ExecSpace, class MemSpace, class Pointer, bool Initialize, bool Sequential, bool Padding>
struct ViewProperties {
  using execution_space = ExecSpace;
  using memory_space    = typename PropertySpace<MemSpace>::type;
  using pointer_type    = Pointer;

  static constexpr bool has_label            = !std::is_same_v<Label, None>;
  static constexpr bool has_execution_space  = !std::is_same_v<ExecSpace, None>;
  static constexpr bool has_memory_space     = !std::is_same_v<MemSpace, None>;
  static constexpr bool has_pointer          = !std::is_same_v<Pointer, None>;
  static constexpr bool initialize           = Initialize;
  static constexpr bool sequential_host_init = Sequential;
  static constexpr bool allow_padding        = Padding;

  Label label;
  ExecSpace exec;
  MemSpace space;
  Pointer pointer;

  /// The label; empty if none was given.
  decltype(auto) get_label() const {
    if constexpr (has_label)
      return (label);
    else
      return std::string();
  }
};

/// The properties of a view with nothing but a label.
using LabelProperties = ViewProperties<std::string, None, None, None, true, false, false>;

template <class T>
inline constexpr bool is_view_properties_v = false;
template <class L, class E, class M, class P, bool I, bool S, bool A>
inline constexpr bool is_view_properties_v<ViewProperties<L, E, M, P, I, S, A>> = true;

/// The kinds of arguments, as predicates on types.
struct IsLabel {
  template <class T>
  static constexpr bool value = AllocationLabel<T>;
};
struct IsExecutionSpace {
  template <class T>
  static constexpr bool value = is_execution_space_v<T>;
};
struct IsMemorySpace {
  template <class T>
  static constexpr bool value = is_memory_space_v<T> || is_memory_resource_v<T>;
};
struct IsPointer {
  template <class T>
  static constexpr bool value = WrappedPointer<T>;
};

/// The first argument of a kind, or None.
template <class Kind>
KOKKOS_FUNCTION constexpr None pick_property() {
  return {};
}
template <class Kind, class First, class... Rest>
KOKKOS_FUNCTION constexpr decltype(auto) pick_property([[maybe_unused]] First const& first, Rest const&... rest) {
  if constexpr (Kind::template value<First>)
    return (first);
  else
    return Impl::pick_property<Kind>(rest...);
}

template <class T, class... Args>
inline constexpr bool contains_v = (std::is_same_v<T, Args> || ...);
template <class Kind, class... Args>
inline constexpr int count_of_kind_v = (int(Kind::template value<Args>) + ... + 0);

template <class Arg>
inline constexpr bool is_view_property_v =
    AllocationLabel<Arg> || is_execution_space_v<Arg> || is_memory_space_v<Arg> || is_memory_resource_v<Arg> ||
    WrappedPointer<Arg> || std::is_same_v<Arg, WithoutInitializing_t> || std::is_same_v<Arg, SequentialHostInit_t> ||
    std::is_same_v<Arg, AllowPadding_t> || is_common_view_property_v<Arg>;

template <class T>
using slot_t = std::remove_cvref_t<T>;

template <class... Args>
KOKKOS_FUNCTION constexpr auto make_view_properties(Args const&... args) {
  static_assert((is_view_property_v<Args> && ...),
                "Kokkos::view_alloc takes a label, an execution space instance, a memory space instance or resource, "
                "WithoutInitializing, SequentialHostInit, AllowPadding or a pointer; this argument is none of them.");
  static_assert(count_of_kind_v<IsLabel, Args...> <= 1, "Kokkos::view_alloc: two labels are given.");
  static_assert(count_of_kind_v<IsExecutionSpace, Args...> <= 1,
                "Kokkos::view_alloc: two execution space instances are given.");
  static_assert(count_of_kind_v<IsMemorySpace, Args...> <= 1,
                "Kokkos::view_alloc: two memory space instances or resources are given.");
  static_assert(count_of_kind_v<IsPointer, Args...> <= 1, "Kokkos::view_alloc: two pointers are given.");
  static_assert(!contains_v<WithoutInitializing_t, Args...> || !contains_v<SequentialHostInit_t, Args...>,
                "Kokkos::view_alloc: WithoutInitializing and SequentialHostInit exclude each other.");
  using Label = std::conditional_t<(count_of_kind_v<IsLabel, Args...> > 0), std::string, None>;
  using Exec  = slot_t<decltype(Impl::pick_property<IsExecutionSpace>(args...))>;
  using Space = slot_t<decltype(Impl::pick_property<IsMemorySpace>(args...))>;
  using Ptr   = slot_t<decltype(Impl::pick_property<IsPointer>(args...))>;
  return ViewProperties<Label, Exec, Space, Ptr, !contains_v<WithoutInitializing_t, Args...>,
                        contains_v<SequentialHostInit_t, Args...>, contains_v<AllowPadding_t, Args...>>{
      Impl::pick_property<IsLabel>(args...), Impl::pick_property<IsExecutionSpace>(args...),
      Impl::pick_property<IsMemorySpace>(args...), Impl::pick_property<IsPointer>(args...)};
}

template <class A, class B>
constexpr auto const& first_given(A const& a, [[maybe_unused]] B const& b) {
  if constexpr (std::is_same_v<A, None>)
    return b;
  else
    return a;
}

/// `properties`, whose empty slots are filled from `defaults` (arguments as for view_alloc). Flags are combined.
template <class L, class E, class M, class P, bool I, bool S, bool A, class... Defaults>
auto with_default_properties(ViewProperties<L, E, M, P, I, S, A> const& properties, Defaults const&... defaults) {
  auto const d    = Impl::make_view_properties(defaults...);
  using D         = decltype(d);
  using Label     = slot_t<decltype(Impl::first_given(properties.label, d.label))>;
  using ExecSpace = slot_t<decltype(Impl::first_given(properties.exec, d.exec))>;
  using MemSpace  = slot_t<decltype(Impl::first_given(properties.space, d.space))>;
  using Pointer   = slot_t<decltype(Impl::first_given(properties.pointer, d.pointer))>;
  return ViewProperties<Label, ExecSpace, MemSpace, Pointer, I && D::initialize, S || D::sequential_host_init,
                        A || D::allow_padding>{
      Impl::first_given(properties.label, d.label), Impl::first_given(properties.exec, d.exec),
      Impl::first_given(properties.space, d.space), Impl::first_given(properties.pointer, d.pointer)};
}

}  // namespace Impl

/// Elements are neither constructed nor destroyed.
inline constexpr Impl::WithoutInitializing_t WithoutInitializing{};
/// The calling host thread constructs and destroys elements one after the other, outside of any kernel.
inline constexpr Impl::SequentialHostInit_t SequentialHostInit{};
/// Rows may be padded, so that each begins at a multiple of 64 bytes.
inline constexpr Impl::AllowPadding_t AllowPadding{};

/// The allocation properties of a view: any of a label, an execution space instance (elements are constructed on it,
/// without a fence), a memory space instance or an Experimental::MemoryResource, WithoutInitializing, SequentialHostInit and AllowPadding, in any order.
template <class... Args>
auto view_alloc(Args const&... args) {
  return Impl::make_view_properties(args...);
}

/// The same as view_alloc(label, WithoutInitializing): the argument for a View whose elements are not initialized. The
/// name is older than view_alloc.
struct ViewAllocateWithoutInitializing
    : Impl::ViewProperties<std::string, Impl::None, Impl::None, Impl::None, false, false, false> {
  /// `name` is the label of the view.
  explicit ViewAllocateWithoutInitializing(std::string const& name)
      : Impl::ViewProperties<std::string, Impl::None, Impl::None, Impl::None, false, false, false>{name, {}, {}, {}} {}
};
namespace Impl {
template <>
inline constexpr bool is_view_properties_v<ViewAllocateWithoutInitializing> = true;
}  // namespace Impl

/// A property for view_alloc with the common element type of the views. Views of numbers do not need it; it exists for
/// element types with more parameters, such as a number of derivatives.
template <class... Views>
KOKKOS_FUNCTION constexpr auto common_view_alloc_prop(Views const&...) {
  return Impl::CommonViewProperty<std::common_type_t<typename Views::value_type...>>{};
}

/// Like `view_alloc`, for a view of memory that the program provides, at `pointer`.
template <class Pointer>
KOKKOS_FUNCTION auto view_wrap(Pointer pointer) {
  static_assert(std::is_pointer_v<Pointer>, "Kokkos::view_wrap takes a pointer.");
  using Impl::None;
  return Impl::ViewProperties<None, None, None, Pointer, true, false, false>{{}, {}, {}, pointer};
}

}  // namespace Kokkos

#endif
