// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PARALLEL_SCAN_HPP
#define KOKKOS_PARALLEL_SCAN_HPP

/// \file
/// parallel_scan.

#include <Kokkos_View.hpp>
#include <impl/pattern/Kokkos_FunctorValue.hpp>
#include <impl/pattern/Kokkos_Launch.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>

#include <string>
#include <type_traits>

namespace Kokkos {

namespace Impl {

template <class Value, class Policy, class Functor, class MemorySpace>
void launch_scan(std::string const& label, Policy const& policy, Functor const& functor,
                 ReductionTarget<std::remove_extent_t<Value>, MemorySpace> const& total) {
  using Tag = typename Policy::work_tag;
  using Reference =
      std::conditional_t<std::is_array_v<Value>, std::remove_extent_t<Value>*, std::remove_extent_t<Value>&>;
  if constexpr (!Impl::takes_iterations_of<Functor, Policy, Reference, bool>()) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_scan: the functor has no const operator()(index, value_type& update, bool is_final), "
        "with the work tag of the policy, if it has one, before these. Unless the functor names its value_type, it has "
        "the type of the result.");
  } else if constexpr (!std::is_array_v<Value> && Impl::update_is_lost<Functor, std::remove_extent_t<Value>, 1>()) {
    static_assert(always_false<Functor>,
                  "Kokkos::parallel_scan: the functor takes the value that it updates as a copy or as const, so that "
                  "its updates are lost. Take it by reference: value_type& update.");
  } else {
    KernelScope<Policy, Functor> scope(KernelKind::parallel_scan, label, policy);
    using Combiner = FunctorCombiner<Value, Tag>;
    using Scan     = Reduction<Body<Tag, Functor>, Value, Combiner>;
    ParallelScanExecutor<typename Policy::execution_space>::run(policy, Impl::make_untracked<Scan>(functor, Combiner{}),
                                                                total);
  }
}

template <class Policy, class Functor>
void scan_without_total(std::string const& label, Policy const& policy, Functor const& functor) {
  using Value = scan_value_t<Functor, typename Policy::work_tag>;
  if constexpr (std::is_void_v<Value>) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_scan: the type of the scan cannot be deduced from this functor; give it a member type "
        "value_type, or pass a result.");
  } else {
    Impl::launch_scan<Value>(label, policy, functor,
                             ReductionTarget<std::remove_extent_t<Value>, HostSpace>{nullptr, true});
  }
}

template <class Policy, class Functor, class Result>
void scan_with_total(std::string const& label, Policy const& policy, Functor const& functor, Result& total) {
  using R = std::remove_cv_t<Result>;
  if constexpr (is_view_v<R>) {
    using T = typename R::non_const_value_type;
    static_assert(R::rank == 0 && !std::is_const_v<typename R::value_type>,
                  "Kokkos::parallel_scan: a view that takes the total has rank 0 and elements that are not const.");
    static_assert(std::is_same_v<typename DeclaredValue<Functor, T>::type, T>,
                  "Kokkos::parallel_scan: the value_type of the functor is not the type of the result.");
    Impl::launch_scan<T>(label, policy, functor, ReductionTarget<T, typename R::memory_space>{total.data(), true});
  } else {
    static_assert(!std::is_const_v<Result>, "Kokkos::parallel_scan: the result is const and cannot take the total.");
    static_assert(std::is_same_v<typename DeclaredValue<Functor, R>::type, R>,
                  "Kokkos::parallel_scan: the value_type of the functor is not the type of the result.");
    Impl::launch_scan<R>(label, policy, functor, ReductionTarget<R, HostSpace>{&total, false});
  }
}

template <class Result>
concept ScanResult = is_view_v<std::remove_cvref_t<Result>> || std::is_lvalue_reference_v<Result>;

}  // namespace Impl

/// @{
/// Prefix sums over the iterations of `policy`, a RangePolicy or a number of iterations.
///
/// The functor is called as functor(i, update, is_final), after the work tag if there is one. It adds the contribution
/// of iteration i to `update`. If is_final is true, `update` contains the contributions of all iterations before i. The
/// functor is called once for each iteration with is_final true, and any number of times with is_final false, when it
/// must have no other effect. Values start as value_type() and are added by +=, unless the functor has members init and
/// join. The value type is that of the result, the functor's member type value_type, or the type of its operator's
/// update parameter.
///
/// The argument `total`, where there is one, receives the value after the last iteration. With a variable the call
/// returns when the value is stored. With a view of rank 0, and without a total, the call is asynchronous.
template <Impl::KernelPolicy Policy, class Functor>
void parallel_scan(std::string const& label, Policy const& policy, Functor const& functor) {
  Impl::scan_without_total(label, policy, functor);
}

KOKKOS_IMPL_CALLED_BY_HOSTS
template <Impl::KernelPolicy Policy, class Functor>
KOKKOS_FUNCTION void parallel_scan(Policy const& policy, Functor const& functor) {
  Impl::scan_without_total(std::string(), policy, functor);
}

template <Impl::KernelPolicy Policy, class Functor, Impl::ScanResult Result>
void parallel_scan(std::string const& label, Policy const& policy, Functor const& functor, Result&& total) {
  Impl::scan_with_total(label, policy, functor, total);
}

KOKKOS_IMPL_CALLED_BY_HOSTS
template <Impl::KernelPolicy Policy, class Functor, Impl::ScanResult Result>
KOKKOS_FUNCTION void parallel_scan(Policy const& policy, Functor const& functor, Result&& total) {
  Impl::scan_with_total(std::string(), policy, functor, total);
}

template <Impl::KernelCount Count, class Functor>
void parallel_scan(std::string const& label, Count count, Functor const& functor) {
  Impl::scan_without_total(label, Impl::count_policy<Functor>(label, count), functor);
}

template <Impl::KernelCount Count, class Functor>
void parallel_scan(Count count, Functor const& functor) {
  Impl::scan_without_total(std::string(), Impl::count_policy<Functor>(std::string(), count), functor);
}

template <Impl::KernelCount Count, class Functor, Impl::ScanResult Result>
void parallel_scan(std::string const& label, Count count, Functor const& functor, Result&& total) {
  Impl::scan_with_total(label, Impl::count_policy<Functor>(label, count), functor, total);
}

template <Impl::KernelCount Count, class Functor, Impl::ScanResult Result>
void parallel_scan(Count count, Functor const& functor, Result&& total) {
  Impl::scan_with_total(std::string(), Impl::count_policy<Functor>(std::string(), count), functor, total);
}
/// @}

}  // namespace Kokkos

#endif
