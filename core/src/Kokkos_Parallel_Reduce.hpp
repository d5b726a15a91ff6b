// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PARALLEL_REDUCE_HPP
#define KOKKOS_PARALLEL_REDUCE_HPP

/// \file
/// parallel_reduce.

#include <impl/pattern/Kokkos_FunctorValue.hpp>
#include <impl/pattern/Kokkos_Launch.hpp>
#include <impl/pattern/Kokkos_ComparatorReducers.hpp>
#include <impl/pattern/Kokkos_LocationReducers.hpp>
#include <impl/pattern/Kokkos_ReduceChecks.hpp>
#include <impl/pattern/Kokkos_ReduceResult.hpp>
#include <impl/pattern/Kokkos_Reducers.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace Kokkos {

namespace Impl {

template <class Value, class Policy, class Functor, class Combiner, class Target>
void launch_reduce(std::string const& label, Policy const& policy, Functor const& functor, Combiner const& combiner,
                   Target const& target) {
  using T         = std::remove_extent_t<Value>;
  using Reference = std::conditional_t<std::is_array_v<Value>, T*, T&>;
  if constexpr (!Impl::takes_iterations_of<Functor, Policy, Reference>()) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_reduce: the functor has no const operator() that takes the work tag of the policy, if it "
        "has one, one index for each dimension of the policy or its team member, and value_type& (for an array "
        "value_type*) of the type that the result has.");
  } else {
    KernelScope<Policy, Functor> scope(KernelKind::parallel_reduce, label, policy);
    using KernelReduction = Reduction<Body<typename Policy::work_tag, Functor>, Value, Combiner>;
    ParallelReduceExecutor<typename Policy::execution_space>::run(
        policy, Impl::make_untracked<KernelReduction>(functor, combiner), target);
  }
}

/// Reduces to an array of run-time length at `data`, with space for `room` elements.
template <class T, class MemorySpace, class Policy, class Functor>
void reduce_to_array(std::string const& label, Policy const& policy, Functor const& functor, T* data, std::size_t room,
                     bool asynchronous) {
  auto const count = static_cast<std::size_t>(functor.value_count);
  if (room < count) refuse_short_result(room, count);
  Impl::launch_reduce<T[]>(label, policy, functor, FunctorCombiner<T[], typename Policy::work_tag>{},
                           ReductionTarget<T, MemorySpace>{data, asynchronous});
}

template <class T, class MemorySpace, class Policy, class Functor>
void reduce_to_value(std::string const& label, Policy const& policy, Functor const& functor, T* data,
                     bool asynchronous) {
  Impl::launch_reduce<T>(label, policy, functor, FunctorCombiner<T, typename Policy::work_tag>{},
                         ReductionTarget<T, MemorySpace>{data, asynchronous});
}

template <class Policy, class Functor, class View>
void reduce_to_view(std::string const& label, Policy const& policy, Functor const& functor, View const& view) {
  using T      = typename View::non_const_value_type;
  using Memory = typename View::memory_space;
  if constexpr (View::rank == 0) {
    Impl::reduce_to_value<T, Memory>(label, policy, functor, view.data(), true);
  } else {
    if (!view.span_is_contiguous()) Impl::refuse_strided_result(view.label().c_str());
    Impl::reduce_to_array<T, Memory>(label, policy, functor, view.data(), view.extent(0), true);
  }
}

/// A result that the host reads later. The handle gets the slot when the kernel has been launched.
template <class Policy, class Functor, class R>
void reduce_to_pending(std::string const& label, Policy const& policy, Functor const& functor, R& result) {
  using T    = typename R::value_type;
  using Exec = typename Policy::execution_space;
  auto slot  = Impl::take_result_slot<T, Exec, Functor>(policy.space(), label);
  auto* data = static_cast<T*>(slot->data());
  ReductionTarget<T, typename Exec::memory_space> const target{data, true, slot->flag()};
  if constexpr (std::is_void_v<typename R::reducer_type>)
    Impl::launch_reduce<T>(label, policy, functor, FunctorCombiner<T, typename Policy::work_tag>{}, target);
  else
    Impl::launch_reduce<T>(label, policy, functor, PendingCombiner<R>::make(), target);
  PendingResultAccess::set(result, std::move(slot), data);
}

/// One result, in any of its forms.
template <class Policy, class Functor, class Result>
void reduce_to(std::string const& label, Policy const& policy, Functor const& functor, Result& result) {
  using R             = std::remove_cv_t<Result>;
  constexpr auto form = Impl::result_form<R>();
  if constexpr (form == ResultForm::reducer) {
    using T = typename R::value_type;
    Impl::launch_reduce<T>(
        label, policy, functor, ReducerCombiner<R>{result},
        ReductionTarget<T, reducer_memory_space<R>>{result.view().data(), !Impl::references_scalar(result)});
  } else if constexpr (form == ResultForm::view) {
    Impl::reduce_to_view(label, policy, functor, result);
  } else if constexpr (form == ResultForm::array) {
    Impl::reduce_to_array<std::remove_extent_t<R>, HostSpace>(label, policy, functor, &result[0], std::extent_v<R>,
                                                              false);
  } else if constexpr (form == ResultForm::pointer) {
    Impl::reduce_to_array<std::remove_pointer_t<R>, HostSpace>(label, policy, functor, result,
                                                               static_cast<std::size_t>(-1), false);
  } else if constexpr (form == ResultForm::pending) {
    Impl::reduce_to_pending(label, policy, functor, result);
  } else {
    Impl::reduce_to_value<R, HostSpace>(label, policy, functor, &result, false);
  }
}

/// No result: the functor's member `final` receives the value, in the order of the instance.
template <class Policy, class Functor>
void reduce_to_final(std::string const& label, Policy const& policy, Functor const& functor) {
  using Tag   = typename Policy::work_tag;
  using Value = reduce_value_t<Functor, Tag>;
  using T     = std::remove_extent_t<Value>;
  if constexpr (std::is_void_v<Value>) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_reduce was called without a result, and the type of the value cannot be deduced from the "
        "functor; pass a result, or give the functor a member type value_type and a member function final.");
  } else if constexpr (!HasFinal<Functor, std::conditional_t<std::is_array_v<Value>, T*, T&>> &&
                       !HasFinal<Functor, Tag, std::conditional_t<std::is_array_v<Value>, T*, T&>>) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_reduce was called without a result, and the functor has no member function final that "
        "could take the value; pass a result.");
  } else if constexpr (std::is_array_v<Value>) {
    Impl::reduce_to_array<T, HostSpace>(label, policy, functor, nullptr, static_cast<std::size_t>(-1), true);
  } else {
    Impl::reduce_to_value<T, HostSpace>(label, policy, functor, nullptr, true);
  }
}

/// Several results that the kernel stores itself, so the call does not wait.
template <class Policy, class Functor, std::size_t... K, class... Results>
void reduce_to_all_later(std::string const& label, Policy const& policy, Functor const& functor,
                         std::index_sequence<K...>, Results&... results) {
  using Exec     = typename Policy::execution_space;
  using Combiner = StoringPackCombiner<std::index_sequence<K...>, combiner_for<std::remove_cv_t<Results>>...>;
  using Value    = typename Combiner::value_type;
  constexpr bool slot_needed = (is_pending_result_v<std::remove_cv_t<Results>> || ...);
  SharedPtr<ResultSlot> slot;
  if constexpr (slot_needed) slot = Impl::take_result_slot<Value, Exec, Functor>(policy.space(), label);
  Value* const data = slot ? static_cast<Value*>(slot->data()) : nullptr;
  Combiner const combiner{
      {{{Impl::make_combiner(results)}...}},
      {{Impl::destination_of<typename combiner_for<std::remove_cv_t<Results>>::value_type>(results)}...}};
  {
    KernelScope<Policy, Functor> scope(KernelKind::parallel_reduce, label, policy);
    using KernelReduction = Reduction<UnpackingBody<typename Policy::work_tag, Functor, Value>, Value, Combiner>;
    ParallelReduceExecutor<Exec>::run(
        policy, Impl::make_untracked<KernelReduction>(functor, combiner),
        ReductionTarget<Value, typename Exec::memory_space>{data, true, slot ? slot->flag() : nullptr});
  }
  [[maybe_unused]] auto const set = [&](auto& result, auto const* value) {
    if constexpr (is_pending_result_v<std::remove_reference_t<decltype(result)>>)
      PendingResultAccess::set(result, slot, value);
  };
  if constexpr (slot_needed) (set(results, &Impl::element<K>(*data)), ...);
}

/// Several results: one pass over the iterations, then each value is stored separately.
template <class Policy, class Functor, std::size_t... K, class... Results>
void reduce_to_all(std::string const& label, Policy const& policy, Functor const& functor, std::index_sequence<K...>,
                   Results&... results) {
  using Combiner = PackCombiner<std::index_sequence<K...>, combiner_for<std::remove_cv_t<Results>>...>;
  using Value    = typename Combiner::value_type;
  Value value{};
  {
    KernelScope<Policy, Functor> scope(KernelKind::parallel_reduce, label, policy);
    using KernelReduction = Reduction<UnpackingBody<typename Policy::work_tag, Functor, Value>, Value, Combiner>;
    Combiner const combiner{{{Impl::make_combiner(results)}...}};
    ParallelReduceExecutor<typename Policy::execution_space>::run(
        policy, Impl::make_untracked<KernelReduction>(functor, combiner),
        ReductionTarget<Value, HostSpace>{&value, false});
  }
  (Impl::store_result(policy.space(), results, Impl::element<K>(value)), ...);
}

template <class Policy, class Functor, class... Results>
void reduce(std::string const& label, Policy const& policy, Functor const& functor, Results&... results) {
  if constexpr (sizeof...(Results) == 0) {
    Impl::reduce_to_final(label, policy, functor);
  } else if constexpr (sizeof...(Results) == 1) {
    Impl::reduce_to(label, policy, functor, results...);
  } else if constexpr (Impl::are_stored_by_kernel<typename Policy::execution_space, std::remove_cv_t<Results>...>()) {
    Impl::reduce_to_all_later(label, policy, functor, std::make_index_sequence<sizeof...(Results)>{}, results...);
  } else {
    Impl::reduce_to_all(label, policy, functor, std::make_index_sequence<sizeof...(Results)>{}, results...);
  }
}

}  // namespace Impl

/// @{
/// Combines the contributions of all iterations of `policy`, a policy or a number of iterations.
///
/// The functor is called as functor(i, update), functor(i, j, ..., update) or functor(member, update), after the work
/// tag if there is one, and adds its contribution to `update`. With several results it has one update parameter for
/// each.
///
/// \param results each is a variable, a view of rank 0, a reducer, which refers to one of these and defines how
/// values are combined, or a handle for the host (Experimental::PendingResult). For a functor with `value_type = T[]` and a member value_count: a built-in array, a pointer or
/// a view of rank 1. Without results, the functor's member `final` receives the value.
///
/// By default, values start as value_type() and are added by +=. A reducer, or members init, join and final of the
/// functor, override this. The previous value of the result is overwritten; an empty range gives the identity.
///
/// With a variable, the call returns when the values are stored. With one result of another form, or without a result, it
/// is asynchronous, and the value is stored in the order of the instance. The same holds for several results if all of
/// them are handles, or views or reducers in memory of the device that the host cannot access. With a handle among them,
/// views may be in any memory that the device can access. Otherwise, a call with several results waits.
template <Impl::KernelPolicy Policy, class Functor, class... Results>
void parallel_reduce(std::string const& label, Policy const& policy, Functor const& functor, Results&&... results) {
  if constexpr (Impl::check_reduction<Policy, Functor, Results...>()) Impl::reduce(label, policy, functor, results...);
}

KOKKOS_IMPL_CALLED_BY_HOSTS
template <Impl::KernelPolicy Policy, class Functor, class... Results>
KOKKOS_FUNCTION void parallel_reduce(Policy const& policy, Functor const& functor, Results&&... results) {
  if constexpr (Impl::check_reduction<Policy, Functor, Results...>())
    Impl::reduce(std::string(), policy, functor, results...);
}

template <Impl::KernelCount Count, class Functor, class... Results>
void parallel_reduce(std::string const& label, Count count, Functor const& functor, Results&&... results) {
  Kokkos::parallel_reduce(label, Impl::count_policy<Functor>(label, count), functor,
                          static_cast<Results&&>(results)...);
}

template <Impl::KernelCount Count, class Functor, class... Results>
void parallel_reduce(Count count, Functor const& functor, Results&&... results) {
  std::string const none;
  Kokkos::parallel_reduce(none, Impl::count_policy<Functor>(none, count), functor, static_cast<Results&&>(results)...);
}
/// @}

}  // namespace Kokkos

#endif
