// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCE_RESULT_HPP
#define KOKKOS_PATTERN_REDUCE_RESULT_HPP

/// \file
/// The forms of a reduction's result: a variable, an array, a view, a reducer.

#include <Kokkos_Concepts.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <Kokkos_View.hpp>
#include <impl/pattern/Kokkos_Body.hpp>
#include <impl/pattern/Kokkos_CombinedReduction.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// Throws std::runtime_error: the result has fewer elements than the functor's value_count.
[[noreturn]] void refuse_short_result(std::size_t elements, std::size_t value_count);
/// Throws std::runtime_error: the elements of a result view are not contiguous.
[[noreturn]] void refuse_strided_result(char const* label);

enum class ResultForm { reducer, view, array, pointer, variable };

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

// ---- one of several results ---------------------------------------------------------------------------------------

template <class R>
constexpr auto combiner_type() {
  if constexpr (Impl::result_form<R>() == ResultForm::reducer) {
    return std::type_identity<ReducerCombiner<R>>{};
  } else if constexpr (Impl::result_form<R>() == ResultForm::view) {
    static_assert(R::rank == 0 && !std::is_const_v<typename R::value_type>,
                  "Kokkos::parallel_reduce: a view among several results has rank 0 and elements that are not const.");
    return std::type_identity<SumCombiner<typename R::non_const_value_type>>{};
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
  } else {
    return {};
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
  } else {
    result = value;
  }
}

}  // namespace Kokkos::Impl

#endif
