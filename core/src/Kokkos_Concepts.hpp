// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CONCEPTS_HPP
#define KOKKOS_CONCEPTS_HPP

/// \file
/// Traits for the kind of a type (`is_execution_space_v`, `is_view_v`, ...), and the tags of policies.
///
/// A type declares its kind by a member alias of itself: an execution space S has `S::execution_space == S`, a memory
/// space `S::memory_space == S`, a layout `L::array_layout == L`, and so on.

#include <Kokkos_Core_fwd.hpp>

#include <type_traits>

namespace Kokkos {

#define KOKKOS_IMPL_KIND(KIND, ALIAS)                                                                    \
  namespace Impl {                                                                                       \
  template <class T>                                                                                     \
  concept names_itself_##KIND = requires { typename T::ALIAS; } && std::is_same_v<typename T::ALIAS, T>; \
  }                                                                                                      \
  template <class T>                                                                                     \
  inline constexpr bool is_##KIND##_v = Impl::names_itself_##KIND<std::remove_cv_t<T>>;                  \
  template <class T>                                                                                     \
  struct is_##KIND : std::bool_constant<is_##KIND##_v<T>> {};

KOKKOS_IMPL_KIND(execution_space, execution_space)
KOKKOS_IMPL_KIND(memory_space, memory_space)
KOKKOS_IMPL_KIND(device, device_type)
KOKKOS_IMPL_KIND(array_layout, array_layout)
KOKKOS_IMPL_KIND(memory_traits, memory_traits)
KOKKOS_IMPL_KIND(execution_policy, execution_policy)
KOKKOS_IMPL_KIND(reducer, reducer)
KOKKOS_IMPL_KIND(team_handle, team_handle)
KOKKOS_IMPL_KIND(work_item_property, work_item_property)
KOKKOS_IMPL_KIND(schedule_type, schedule_type)
KOKKOS_IMPL_KIND(index_type, index_type)
KOKKOS_IMPL_KIND(iteration_pattern, iteration_pattern)
KOKKOS_IMPL_KIND(launch_bounds, launch_bounds)
KOKKOS_IMPL_KIND(graph_kernel, graph_kernel)

#undef KOKKOS_IMPL_KIND

namespace Impl {

/// T without reference, const and volatile, for types that programs name. std::remove_cv_t and std::remove_cvref_t of
/// g++ 13 and newer are builtins that nvcc writes into the full names of types, and such a g++ takes these names for
/// dependent ones: `typename MinLoc<double, int>::value_type` in a template of a program did not compile.
template <class T>
struct Unqualified {
  using type = T;
};
template <class T>
struct Unqualified<T const> : Unqualified<T> {};
template <class T>
struct Unqualified<T volatile> : Unqualified<T> {};
template <class T>
struct Unqualified<T const volatile> : Unqualified<T> {};
template <class T>
struct Unqualified<T&> : Unqualified<T> {};
template <class T>
struct Unqualified<T&&> : Unqualified<T> {};

template <class T>
using unqualified_t = typename Unqualified<T>::type;

template <class T>
struct ExecutionSpaceOf {
  using type = void;
};
template <class T>
  requires requires { typename T::execution_space; }
struct ExecutionSpaceOf<T> {
  using type = typename T::execution_space;
};
template <class T>
struct MemorySpaceOf {
  using type = void;
};
template <class T>
  requires requires { typename T::memory_space; }
struct MemorySpaceOf<T> {
  using type = typename T::memory_space;
};
}  // namespace Impl

/// An execution space, a memory space or a Device.
template <class T>
inline constexpr bool is_space_v = is_execution_space_v<T> || is_memory_space_v<T> || is_device_v<T>;
template <class T>
struct is_space : std::bool_constant<is_space_v<T>> {
  using execution_space = typename Impl::ExecutionSpaceOf<Impl::unqualified_t<T>>::type;  ///< T's own, or void
  using memory_space    = typename Impl::MemorySpaceOf<Impl::unqualified_t<T>>::type;     ///< T's own, or void
};

template <class T>
concept ExecutionSpace = is_execution_space_v<T>;
template <class T>
concept MemorySpace = is_memory_space_v<T>;
template <class T>
concept ExecutionPolicy = is_execution_policy_v<T>;
template <class T>
concept Reducer = is_reducer_v<T>;
template <class T>
concept TeamHandle = is_team_handle_v<T>;

// ---- tags for policies --------------------------------------------------------------------------------------------

struct Static {};
struct Dynamic {};

/// The distribution of iterations: `Schedule<Static>` in equal parts, `Schedule<Dynamic>` in chunks on demand.
template <class T>
  requires(std::is_same_v<T, Static> || std::is_same_v<T, Dynamic>)
struct Schedule {
  using schedule_type = Schedule;  ///< marks the type as a schedule
  using type          = T;         ///< Static or Dynamic
};

/// The type of the indices that a functor is called with; an integral type.
template <class T>
  requires std::is_integral_v<T>
struct IndexType {
  using index_type = IndexType;  ///< marks the type as an index type
  using type       = T;          ///< the integral type
};

/// At most `MaxThreads` threads in a block, and at least `MinBlocks` blocks on a multiprocessor; 0 means no bound.
template <unsigned int MaxThreads = 0, unsigned int MinBlocks = 0>
struct LaunchBounds {
  /// Marks the type as launch bounds.
  using launch_bounds = LaunchBounds;
  /// The bounds themselves.
  using type = LaunchBounds;
  /// Maximum number of threads in a block; 0 without a bound.
  static constexpr unsigned int maxTperB = MaxThreads;
  /// Minimum number of blocks on a multiprocessor; 0 without a bound.
  static constexpr unsigned int minBperSM = MinBlocks;
};

struct ParallelForTag {};
struct ParallelReduceTag {};
struct ParallelScanTag {};

/// The documented type for "no type".
struct InvalidType {};

/// Lets the library choose a size.
struct AUTO_t {
  /// The object itself, because programs also write `Kokkos::AUTO()`.
  KOKKOS_FUNCTION constexpr const AUTO_t& operator()() const { return *this; }
};
/// The argument that lets the library choose a size.
inline constexpr AUTO_t AUTO{};

namespace Impl {
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
// Names of Kokkos::Impl that programs use.
template <class A, class B>
struct KOKKOS_DEPRECATED_WITH_COMMENT("Use std::is_same.") is_same : std::is_same<A, B> {};
#endif

/// The value "none" of a template parameter.
struct None {};
}  // namespace Impl

}  // namespace Kokkos

#endif
