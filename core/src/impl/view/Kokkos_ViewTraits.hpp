// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWTRAITS_HPP
#define KOKKOS_VIEW_VIEWTRAITS_HPP

/// \file
/// ViewTraits: the meaning of a View's template arguments, with defaults for omitted ones.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Concepts.hpp>
#include <Kokkos_Layout.hpp>
#include <Kokkos_MemoryTraits.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <Kokkos_HostSpace.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <impl/atomic/Kokkos_AtomicReference.hpp>
#include <impl/view/Kokkos_ViewDataType.hpp>
#include <impl/view/Kokkos_ViewMapping.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos {
namespace Impl {

/// Sorts a View's properties into layout, space and memory traits.
template <class Layout, class Space, class Traits, class... Properties>
struct ViewProperty {
  using layout = Layout;
  using space  = std::conditional_t<std::is_void_v<Space>, DefaultExecutionSpace, Space>;
  using traits = std::conditional_t<std::is_void_v<Traits>, MemoryTraits<>, Traits>;
};

template <class Layout, class Space, class Traits, class P, class... More>
struct ViewProperty<Layout, Space, Traits, P, More...>
    : ViewProperty<std::conditional_t<is_array_layout_v<P>, P, Layout>, std::conditional_t<is_space_v<P>, P, Space>,
                   std::conditional_t<is_memory_traits_v<P>, P, Traits>, More...> {
  static_assert(std::is_void_v<P> || is_array_layout_v<P> || is_space_v<P> || is_memory_traits_v<P>,
                "Kokkos::View: after the data type come a layout, an execution or memory space or a Device, and "
                "MemoryTraits<...>, each of which may be left out; this argument is none of them.");
  static_assert(!is_array_layout_v<P> || std::is_void_v<Layout>, "Kokkos::View: two layouts are given.");
  static_assert(!is_space_v<P> || std::is_void_v<Space>,
                "Kokkos::View: two spaces are given; combine them in Kokkos::Device<ExecutionSpace, MemorySpace>.");
  static_assert(!is_memory_traits_v<P> || std::is_void_v<Traits>,
                "Kokkos::View: two MemoryTraits are given; combine the flags with |.");
};

template <class Space>
inline constexpr bool is_scratch_space_v = false;
template <class ExecSpace>
inline constexpr bool is_scratch_space_v<ScratchMemorySpace<ExecSpace>> = true;

/// The space of a host copy of memory in MemorySpace: the same space if the host can access it.
template <class MemorySpace>
using HostMirrorSpace =
    std::conditional_t<SpaceAccessibility<HostSpace, MemorySpace>::accessible, MemorySpace, HostSpace>;

}  // namespace Impl

/// The types and constants that follow from the template arguments of a View, with defaults for omitted arguments. View
/// inherits them.
template <class DataType, class... Properties>
struct ViewTraits {
 private:
  using analysis = Impl::ViewDataType<DataType>;
  using property = Impl::ViewProperty<void, void, void, Properties...>;

 public:
  // The data type, with examples for `const double**[3]`
  using data_type  = DataType;                       ///< `const double**[3]`
  using value_type = typename analysis::value_type;  ///< `const double`
  /// `const double`, with or without const in the data type.
  using const_value_type     = std::add_const_t<value_type>;
  using non_const_value_type = std::remove_const_t<value_type>;                           ///< `double`
  using const_data_type      = typename analysis::template rebind<const_value_type>;      ///< `const double**[3]`
  using non_const_data_type  = typename analysis::template rebind<non_const_value_type>;  ///< `double**[3]`
  /// For the library: the extents.
  using dimension = typename analysis::extents;

  static constexpr unsigned rank         = dimension::rank;          ///< number of dimensions: 3
  static constexpr unsigned rank_dynamic = dimension::rank_dynamic;  ///< number of dimensions with a run-time extent: 2

  // Names from before Kokkos 5
  using scalar_array_type           = data_type;            ///< data_type
  using const_scalar_array_type     = const_data_type;      ///< const_data_type
  using non_const_scalar_array_type = non_const_data_type;  ///< non_const_data_type
  using specialize                  = void;                 ///< always void

  // Spaces
  /// The space whose kernels initialize the elements; DefaultExecutionSpace unless the View names another space.
  using execution_space = typename property::space::execution_space;
  /// The space that stores the elements.
  using memory_space = typename property::space::memory_space;
  /// Device with both spaces.
  using device_type = Device<execution_space, memory_space>;
  /// The integer type for sizes in this memory space.
  using size_type = typename memory_space::size_type;
  /// The integer type of an extent, under the name that mdspan uses.
  using index_type = std::size_t;
  /// The same memory space if the host can access it; else HostSpace.
  using host_mirror_space = Impl::HostMirrorSpace<memory_space>;

  // Layout and memory traits
  /// The order of the elements in memory. Unless given, it is the layout that suits the execution space: LayoutLeft on
  /// GPUs, LayoutRight on hosts.
  using array_layout = std::conditional_t<std::is_void_v<typename property::layout>,
                                          typename execution_space::array_layout, typename property::layout>;
  /// The given MemoryTraits, or `MemoryTraits<>`.
  using memory_traits = typename property::traits;

  /// Whether the memory space is HostSpace.
  static constexpr bool is_hostspace = std::is_same_v<memory_space, HostSpace>;
  /// Whether views share the ownership of their memory. False for MemoryTraits with Unmanaged.
  static constexpr bool is_managed = !memory_traits::is_unmanaged;
  /// Whether the MemoryTraits contain RandomAccess.
  static constexpr bool is_random_access = memory_traits::is_random_access;
};

}  // namespace Kokkos

#endif
