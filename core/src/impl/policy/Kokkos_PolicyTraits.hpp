// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_TRAITS_HPP
#define KOKKOS_POLICY_TRAITS_HPP

/// \file
/// Sorts the template arguments of a policy, which may be in any order, into its member types.
///
/// One fold visits each property once. Duplicate and unknown properties are errors with one sentence each.

#include <Kokkos_Concepts.hpp>
#include <impl/policy/Kokkos_Hints.hpp>

#include <type_traits>

namespace Kokkos::Impl {

template <class...>
inline constexpr bool always_false = false;

// The properties found so far; void for the others.
template <class Exec = void, class Sched = void, class Tag = void, class Index = void, class Pattern = void,
          class Bounds = void, class Hints = Experimental::WorkItemProperty::None_t,
          class Occupancy = Experimental::MaximizeOccupancy>
struct SortedProperties {
  using execution_space    = Exec;
  using schedule_type      = Sched;
  using work_tag           = Tag;
  using index_type         = Index;
  using iteration_pattern  = Pattern;
  using launch_bounds      = Bounds;
  using work_item_property = Hints;
  using occupancy_control  = Occupancy;
};

template <class P>
struct PropertyTag {};

template <class E, class S, class T, class I, class R, class B, class H, class O, class P>
constexpr auto operator<<(SortedProperties<E, S, T, I, R, B, H, O> sorted, PropertyTag<P>) {
  if constexpr (std::is_void_v<P>) {
    return sorted;  // generic code passes void for "no work tag"
  } else if constexpr (is_execution_space_v<P>) {
    static_assert(std::is_void_v<E>, "A Kokkos policy runs in one execution space, but two were given.");
    return SortedProperties<P, S, T, I, R, B, H, O>{};
  } else if constexpr (is_schedule_type_v<P>) {
    static_assert(std::is_void_v<S>, "A Kokkos policy takes one Kokkos::Schedule, but two were given.");
    return SortedProperties<E, P, T, I, R, B, H, O>{};
  } else if constexpr (is_index_type_v<P>) {
    static_assert(std::is_void_v<I>, "A Kokkos policy takes one index type, but two were given.");
    return SortedProperties<E, S, T, typename P::type, R, B, H, O>{};
  } else if constexpr (std::is_integral_v<P>) {
    static_assert(std::is_void_v<I>, "A Kokkos policy takes one index type, but two were given.");
    return SortedProperties<E, S, T, P, R, B, H, O>{};
  } else if constexpr (is_iteration_pattern_v<P>) {
    static_assert(std::is_void_v<R>, "A Kokkos policy takes one Kokkos::Rank, but two were given.");
    return SortedProperties<E, S, T, I, P, B, H, O>{};
  } else if constexpr (is_launch_bounds_v<P>) {
    static_assert(std::is_void_v<B>, "A Kokkos policy takes one Kokkos::LaunchBounds, but two were given.");
    return SortedProperties<E, S, T, I, R, P, H, O>{};
  } else if constexpr (is_work_item_property_v<P>) {
    return SortedProperties<E, S, T, I, R, B, P, O>{};
  } else if constexpr (is_occupancy_control_v<P>) {
    return SortedProperties<E, S, T, I, R, B, H, P>{};
  } else if constexpr (is_static_batch_size_v<P>) {
    return sorted;  // PolicyTraits finds it
  } else if constexpr (is_memory_space_v<P> || is_device_v<P>) {
    static_assert(always_false<P>,
                  "A Kokkos policy was given a memory space or a Kokkos::Device; give it an execution space, such as "
                  "the space's member type execution_space.");
    return sorted;
  } else if constexpr (std::is_class_v<P>) {
    static_assert(std::is_void_v<T>,
                  "A Kokkos policy takes one work tag, but two classes were given that are no other property of it.");
    return SortedProperties<E, S, P, I, R, B, H, O>{};
  } else {
    static_assert(always_false<P>,
                  "A Kokkos policy was given a template argument that is no execution space, Schedule, IndexType, "
                  "integral type, Rank, LaunchBounds or work tag (an empty class).");
    return sorted;
  }
}

template <class T, class Default>
using or_default = std::conditional_t<std::is_void_v<T>, Default, T>;

template <class Index, class Exec>
struct PolicyIndex {
  using type = Index;
};
template <class Exec>
struct PolicyIndex<void, Exec> {
  using type = typename Exec::size_type;
};

/// The member types of every policy, and the values of its hints.
template <class... Properties>
class PolicyTraits {
  using sorted = decltype((SortedProperties<>{} << ... << PropertyTag<Properties>{}));

 public:
  using execution_space    = or_default<typename sorted::execution_space, DefaultExecutionSpace>;
  using schedule_type      = or_default<typename sorted::schedule_type, Schedule<Static>>;
  using work_tag           = typename sorted::work_tag;
  using index_type         = typename PolicyIndex<typename sorted::index_type, execution_space>::type;
  using iteration_pattern  = typename sorted::iteration_pattern;
  using launch_bounds      = or_default<typename sorted::launch_bounds, LaunchBounds<>>;
  using work_item_property = typename sorted::work_item_property;
  using occupancy_control  = typename sorted::occupancy_control;
  using static_batch_size  = typename StaticBatchSizeOf<Properties...>::type;
  static_assert((int(is_static_batch_size_v<Properties>) + ... + 0) <= 1,
                "A Kokkos policy takes one Kokkos::Experimental::StaticBatchSize, but two were given.");

  static constexpr bool experimental_contains_desired_occupancy =
      std::is_same_v<occupancy_control, Experimental::DesiredOccupancy>;

  constexpr PolicyTraits() = default;
  /// Copies the values that both policies have.
  template <class... Others>
  constexpr explicit PolicyTraits(PolicyTraits<Others...> const& other) {
    if constexpr (std::is_same_v<typename PolicyTraits<Others...>::occupancy_control, occupancy_control>) {
      m_occupancy = other.impl_occupancy();
    }
  }

  constexpr occupancy_control impl_occupancy() const { return m_occupancy; }
  constexpr void impl_set_occupancy(occupancy_control occupancy) { m_occupancy = occupancy; }

 private:
  KOKKOS_IMPL_NO_UNIQUE_ADDRESS occupancy_control m_occupancy{};
};

}  // namespace Kokkos::Impl

#endif
