// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCE_RESULT_HPP
#define KOKKOS_PATTERN_REDUCE_RESULT_HPP

/// \file
/// The forms of a reduction's result: a variable, an array, a view, a reducer, a handle for a result that is read later.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_PendingResult.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <Kokkos_View.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/pattern/Kokkos_CombinedReduction.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace Kokkos::Impl {

/// Throws std::runtime_error: the result has fewer elements than the functor's value_count.
[[noreturn]] void refuse_short_result(std::size_t elements, std::size_t value_count);
/// Throws std::runtime_error: the elements of a result view are not contiguous.
[[noreturn]] void refuse_strided_result(char const* label);

enum class ResultForm { reducer, view, array, pointer, pending, variable };

template <class R>
constexpr ResultForm result_form() {
  if constexpr (is_reducer_v<R>) {
    return ResultForm::reducer;
  } else if constexpr (is_view_v<R>) {
    return ResultForm::view;
  } else if constexpr (std::is_array_v<R>) {
    return ResultForm::array;
  } else if constexpr (std::is_pointer_v<R>) {
    return ResultForm::pointer;
  } else if constexpr (is_pending_result_v<R>) {
    return ResultForm::pending;
  } else {
    return ResultForm::variable;
  }
}

template <class Reducer>
using reducer_memory_space = typename decltype(std::declval<Reducer const&>().view())::memory_space;

/// Whether the value must be stored when the call returns. The reducer may decide; otherwise it must be if the host can
/// access it.
template <class Reducer>
bool references_scalar(Reducer const& reducer) {
  if constexpr (requires { reducer.references_scalar(); }) {
    return reducer.references_scalar();
  } else {
    return SpaceAccessibility<HostSpace, reducer_memory_space<Reducer>>::accessible;
  }
}

/// Joins the values of a pending result: by its reducer, or by addition.
template <class R, class Reducer = typename R::reducer_type>
struct PendingCombiner {
  using type = ReducerCombiner<Reducer>;
  static_assert(std::is_constructible_v<Reducer, typename Reducer::result_view_type const&>,
                "Kokkos::Experimental::PendingResult: the reducer needs a constructor that takes a result_view_type.");
  // The value is stored in the result's slot. The reducer has a view of nothing.
  static type make() { return {Reducer(typename Reducer::result_view_type())}; }
};
template <class R>
struct PendingCombiner<R, void> {
  using type = SumCombiner<typename R::value_type>;
  static type make() { return {}; }
};

// ---- one of several results ---------------------------------------------------------------------------------------

template <class R>
constexpr auto combiner_type() {
  if constexpr (Impl::result_form<R>() == ResultForm::reducer) {
    return std::type_identity<ReducerCombiner<R>>{};
  } else if constexpr (Impl::result_form<R>() == ResultForm::view) {
    static_assert(R::rank == 0 && !std::is_const_v<typename R::value_type>,
                  "Kokkos::parallel_reduce: a view among several results has rank 0 and elements that are not const.");
    return std::type_identity<SumCombiner<typename R::non_const_value_type>>{};
  } else if constexpr (Impl::result_form<R>() == ResultForm::pending) {
    return std::type_identity<typename PendingCombiner<R>::type>{};
  } else {
    static_assert(Impl::result_form<R>() == ResultForm::variable,
                  "Kokkos::parallel_reduce: among several results there can be no array; pass single values.");
    return std::type_identity<SumCombiner<R>>{};
  }
}
template <class R>
using combiner_for = typename decltype(combiner_type<R>())::type;

template <class R>
combiner_for<R> make_combiner([[maybe_unused]] R const& result) {
  if constexpr (Impl::result_form<R>() == ResultForm::reducer) {
    return {result};
  } else if constexpr (Impl::result_form<R>() == ResultForm::pending) {
    return PendingCombiner<R>::make();
  } else {
    return {};
  }
}

/// Whether a kernel on the execution space itself stores a result in a view or reducer, so that nothing has to wait. With
/// `also_for_host`, this includes memory that the host can access, too.
template <class ExecSpace, class R>
constexpr bool is_stored_by_kernel(bool also_for_host) {
  constexpr auto form = Impl::result_form<R>();
  if constexpr (form == ResultForm::reducer) {
    using Memory = reducer_memory_space<R>;
    return SpaceAccessibility<ExecSpace, Memory>::accessible && !SpaceAccessibility<HostSpace, Memory>::accessible;
  } else if constexpr (form == ResultForm::view) {
    using Memory = typename R::memory_space;
    return SpaceAccessibility<ExecSpace, Memory>::accessible &&
           (also_for_host || !SpaceAccessibility<HostSpace, Memory>::accessible);
  } else {
    return form == ResultForm::pending;
  }
}

/// Whether a kernel stores all of several results itself. Without a handle among them, programs expect results that the
/// host can access to be there when the call returns, as with the original Kokkos. Kernels of hosts have ended then.
template <class ExecSpace, class... Results>
constexpr bool are_stored_by_kernel() {
  constexpr bool is_pending = (is_pending_result_v<Results> || ...);
  return ResultSlots<ExecSpace>::arrives_later && (Impl::is_stored_by_kernel<ExecSpace, Results>(is_pending) && ...);
}

/// Where the kernel stores a result; null for a result in a slot.
template <class T, class R>
T* destination_of(R const& result) {
  if constexpr (Impl::result_form<R>() == ResultForm::reducer) {
    return result.view().data();
  } else if constexpr (Impl::result_form<R>() == ResultForm::view) {
    return result.data();
  } else {
    return nullptr;
  }
}

/// A kernel of one iteration that stores a value in memory that the host cannot access.
template <class T>
struct StoreValue {
  T* to;
  T value;
  template <class Index>
  KOKKOS_FUNCTION void operator()(Index const&) const {
    *to = value;
  }
};

template <class MemorySpace, class ExecSpace, class T>
void store_at(ExecSpace const& space, T* to, T const& value) {
  if constexpr (SpaceAccessibility<HostSpace, MemorySpace>::accessible) {
    *to = value;
  } else {
    ParallelForExecutor<ExecSpace>::run(RangePolicy<ExecSpace>(space, 0, 1),
                                        Body<void, StoreValue<T>>(StoreValue<T>{to, value}));
  }
}

/// Stores the value of a reduction, which is on the host, in the program's result.
template <class ExecSpace, class Result, class T>
void store_result(ExecSpace const& space, Result& result, T const& value) {
  using R = std::remove_cv_t<Result>;
  if constexpr (Impl::result_form<R>() == ResultForm::reducer) {
    Impl::store_at<reducer_memory_space<R>>(space, result.view().data(), value);
  } else if constexpr (Impl::result_form<R>() == ResultForm::view) {
    Impl::store_at<typename R::memory_space>(space, result.data(), value);
  } else if constexpr (Impl::result_form<R>() == ResultForm::pending) {
    SharedPtr<ResultSlot> slot(new HostResultSlot<T>(value));
    auto* const place = static_cast<T const*>(slot->data());
    PendingResultAccess::set(result, std::move(slot), place);
  } else {
    result = value;
  }
}

/// A slot for a value that the host reads later, with the label of its kernel if waits are recorded.
template <class T, class ExecSpace, class Functor>
SharedPtr<ResultSlot> take_result_slot(ExecSpace const& space, [[maybe_unused]] std::string const& label) {
  auto slot = ResultSlots<ExecSpace>::template take<T>(space);
  if constexpr (ResultSlots<ExecSpace>::arrives_later)
    if (waits_are_recorded()) {
      KernelLabelScope const scope(label.empty() ? typeid(Functor).name() : label.c_str());
      slot->set_label(Impl::readable_kernel_label());
    }
  return slot;
}

}  // namespace Kokkos::Impl

#endif
