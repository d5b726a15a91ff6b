// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POLICY_HINTS_HPP
#define KOKKOS_POLICY_HINTS_HPP

/// \file
/// Hints of a program about a kernel, which do not change its meaning: how expensive and how regular one iteration is
/// (`require`), and which share of a multiprocessor the kernel should use (`prefer`).

#include <Kokkos_Concepts.hpp>

#include <type_traits>

namespace Kokkos::Experimental {

/// Property of a policy: how many iterations each thread of a GPU should run one after the other. A hint, which no
/// backend uses at present: the library chooses the number.
template <unsigned int BatchSize = 1>
struct StaticBatchSize {
  static_assert(BatchSize > 0, "Kokkos::Experimental::StaticBatchSize: a thread runs at least one iteration.");
  /// Marks the type as this property.
  using static_batch_size = StaticBatchSize;
  using type              = StaticBatchSize;  ///< the property itself
  /// The number of iterations.
  static constexpr unsigned int batch_size = BatchSize;
};

/// Hints about the work of one iteration, combined with `|`: `require(policy, WorkItemProperty::HintLightWeight)`.
struct WorkItemProperty {
  /// A set of hints as a type, one bit each.
  template <unsigned long Bits>
  struct Set {
    /// Marks the type as a set of hints.
    using work_item_property = Set;
    /// The bits of the hints.
    static constexpr unsigned long value = Bits;

    /// The hints of both sets.
    template <unsigned long Other>
    KOKKOS_FUNCTION friend constexpr Set<(Bits | Other)> operator|(Set, Set<Other>) {
      return {};
    }
    /// The hints that are in both sets.
    template <unsigned long Other>
    KOKKOS_FUNCTION friend constexpr Set<(Bits & Other)> operator&(Set, Set<Other>) {
      return {};
    }
    /// Whether both sets contain the same hints.
    template <unsigned long Other>
    KOKKOS_FUNCTION friend constexpr bool operator==(Set, Set<Other>) {
      return Bits == Other;
    }
  };

  /// @{
  /// The type of the constant of the same name.
  using None_t            = Set<0>;
  using HintLightWeight_t = Set<1>;
  using HintHeavyWeight_t = Set<2>;
  using HintRegular_t     = Set<4>;
  using HintIrregular_t   = Set<8>;
  /// @}

  /// Has no effect: the size of a functor determines its transfer to the device.
  using ImplForceGlobalLaunch_t = Set<16>;

  /// @{
  /// A hint: one iteration does little work, does much work, does the same work as its neighbours, or does not. No
  /// backend uses them at present.
  static constexpr None_t None{};
  static constexpr HintLightWeight_t HintLightWeight{};
  static constexpr HintHeavyWeight_t HintHeavyWeight{};
  static constexpr HintRegular_t HintRegular{};
  static constexpr HintIrregular_t HintIrregular{};
  static constexpr ImplForceGlobalLaunch_t ImplForceGlobalLaunch{};
  /// @}
};

/// @{
/// Whether T is a set of hints; Kokkos::is_work_item_property under the name in this namespace.
template <class T>
using is_work_item_property = Kokkos::is_work_item_property<T>;
template <class T>
inline constexpr bool is_work_item_property_v = Kokkos::is_work_item_property_v<T>;
/// @}

/// Requests the maximum number of threads on a multiprocessor; this is the default.
struct MaximizeOccupancy {
  /// Marks the type as a preference for the occupancy.
  using occupancy_control = MaximizeOccupancy;
};

/// Requests a share of the maximum number of threads on a multiprocessor, in per cent, 1 to 100.
struct DesiredOccupancy {
  /// Marks the type as a preference for the occupancy.
  using occupancy_control = DesiredOccupancy;

  constexpr DesiredOccupancy() = default;
  /// A number below 1 counts as 1, and a number above 100 as 100.
  constexpr explicit DesiredOccupancy(int percent) : m_percent(percent < 1 ? 1 : percent > 100 ? 100 : percent) {}
  /// Lets the library choose, which chooses 100. Tools::Experimental::RangePolicyOccupancyTuner lets a tool choose.
  constexpr explicit DesiredOccupancy(AUTO_t) : m_percent(automatic) {}
  /// 100 per cent.
  constexpr explicit DesiredOccupancy(MaximizeOccupancy) {}

  /// In per cent.
  constexpr int value() const { return should_tune() ? 100 : m_percent; }
  /// In per cent.
  constexpr explicit operator int() const { return value(); }
  /// Whether the choice is the library's.
  constexpr bool should_tune() const { return m_percent == automatic; }

 private:
  static constexpr int automatic = 0;

  int m_percent = 100;
};

}  // namespace Kokkos::Experimental

namespace Kokkos::Impl {

template <class T>
concept ExecutionPolicy = is_execution_policy_v<T>;

template <class T>
inline constexpr bool is_static_batch_size_v = false;
template <unsigned int N>
inline constexpr bool is_static_batch_size_v<Experimental::StaticBatchSize<N>> = true;

/// The StaticBatchSize among properties, or that of 1.
template <class... Properties>
struct StaticBatchSizeOf {
  using type = Experimental::StaticBatchSize<>;
};
template <class First, class... Others>
struct StaticBatchSizeOf<First, Others...> : StaticBatchSizeOf<Others...> {};
template <unsigned int N, class... Others>
struct StaticBatchSizeOf<Experimental::StaticBatchSize<N>, Others...> {
  using type = Experimental::StaticBatchSize<N>;
};

template <class T>
inline constexpr bool is_occupancy_control_v = std::is_same_v<std::remove_cv_t<T>, Experimental::MaximizeOccupancy> ||
                                               std::is_same_v<std::remove_cv_t<T>, Experimental::DesiredOccupancy>;

// Later hints override earlier ones (see PolicyTraits), so adding a hint never requires the removal of another.
template <class Policy, class Property>
struct AddProperty;
template <template <class...> class Policy, class... Properties, class Property>
struct AddProperty<Policy<Properties...>, Property> {
  using type = Policy<Properties..., Property>;
};

}  // namespace Kokkos::Impl

namespace Kokkos::Experimental {

/// The same policy with hints about its work items. The hints of an earlier call are replaced.
template <Impl::ExecutionPolicy Policy, unsigned long Bits>
constexpr auto require(Policy const& policy, WorkItemProperty::Set<Bits>) {
  if constexpr (std::is_same_v<typename Policy::work_item_property, WorkItemProperty::Set<Bits>>) {
    return policy;
  } else {
    return typename Impl::AddProperty<Policy, WorkItemProperty::Set<Bits>>::type(policy);
  }
}

/// The same policy with a preferred share of a multiprocessor. It replaces an earlier preference.
template <Impl::ExecutionPolicy Policy>
constexpr auto prefer(Policy const& policy, DesiredOccupancy occupancy) {
  if constexpr (Policy::experimental_contains_desired_occupancy) {
    Policy changed(policy);
    changed.impl_set_occupancy(occupancy);
    return changed;
  } else {
    typename Impl::AddProperty<Policy, DesiredOccupancy>::type changed(policy);
    changed.impl_set_occupancy(occupancy);
    return changed;
  }
}

/// The same policy without a preferred share of a multiprocessor.
template <Impl::ExecutionPolicy Policy>
constexpr auto prefer(Policy const& policy, MaximizeOccupancy) {
  if constexpr (Policy::experimental_contains_desired_occupancy) {
    return typename Impl::AddProperty<Policy, MaximizeOccupancy>::type(policy);
  } else {
    return policy;
  }
}

}  // namespace Kokkos::Experimental

#endif
