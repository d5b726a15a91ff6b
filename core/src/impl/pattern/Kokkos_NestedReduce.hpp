// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_NESTEDREDUCE_HPP
#define KOKKOS_PATTERN_NESTEDREDUCE_HPP

/// \file
/// parallel_reduce over a range inside a team.

#include <impl/pattern/Kokkos_FunctorValue.hpp>
#include <impl/pattern/Kokkos_NestedLoop.hpp>
#include <impl/pattern/Kokkos_NestedReducers.hpp>

namespace Kokkos {
namespace Impl {

/// Joins the workers' values, and stores the final result for each worker.
template <NestedLevel Level, class Member, class Reducer>
KOKKOS_FORCEINLINE_FUNCTION void nested_finish(Member const& member, Reducer const& reducer,
                                               typename Reducer::value_type& value) {
  if constexpr (Level != NestedLevel::team_thread) member.impl_vector_reduce(reducer, value);
  if constexpr (Level == NestedLevel::thread_vector) {
    reducer.final(value);
    reducer.store(value);
  } else {
    member.impl_team_reduce(reducer, value);
  }
}

template <class Body, class... Reducers, std::size_t... K>
constexpr bool nested_update_is_lost(std::index_sequence<K...>) {
  return (Impl::update_is_lost<Body, typename Reducers::value_type, sizeof...(Reducers) - 1 - K>() || ...);
}

template <class Range, class Body, class Reducer>
KOKKOS_FORCEINLINE_FUNCTION void nested_reduce(Range const& range, Body const& body, Reducer const& reducer) {
  using T = typename Reducer::value_type;
  // A local variable instead of the result itself, so that the compiler can keep it in a register. It is not the
  // variable that other threads access either: the compiler would have to assume that any write of the body to memory
  // changes such a variable.
  T value = reducer.identity();
  Impl::nested_for_each<NestedIterations::in_order>(range, [&](auto&... i) { body(i..., value); });
  T shown = static_cast<T&&>(value);
  Impl::nested_finish<Range::level>(range.member, reducer, shown);
}

template <class Range, class Body, class Reducers>
KOKKOS_FORCEINLINE_FUNCTION void nested_reduce_several(Range const& range, Body const& body, Reducers const& reducers) {
  using T = typename Reducers::value_type;
  T value = reducers.identity();
  Impl::nested_for_each<NestedIterations::in_order>(
      range, [&](auto&... i) { Reducers::spread(value, [&](auto&... parts) { body(i..., parts...); }); });
  T shown = static_cast<T&&>(value);
  Impl::nested_finish<Range::level>(range.member, reducers, shown);
}

}  // namespace Impl

/// Calls body(i, update) (for a range of several dimensions, body(i, j, ..., update)) for each index of the range and
/// joins the updates. A result is a variable or a view of rank 0, which receives a sum, or a reducer. With several
/// results, the body has one update parameter for each. Results are overwritten.
///
/// With one variable or view, a body may have members init(value), join(into, from) and final(value), which then define
/// the initial value, the join and the final value, as in the patterns that start kernels.
///
/// With TeamThreadRange and TeamVectorRange every thread of the team gets the result. All threads must make this call,
/// and they wait for each other. With ThreadVectorRange the calling thread gets the result.
template <Impl::NestedPolicy Range, class Body, class... Results>
  requires(sizeof...(Results) > 0)
KOKKOS_INLINE_FUNCTION void parallel_reduce(Range const& range, Body const& body, Results&&... results) {
  if constexpr (Impl::nested_update_is_lost<Body, decltype(Impl::nested_reducer(results))...>(
                    std::make_index_sequence<sizeof...(Results)>())) {
    static_assert(Impl::always_false<Body>,
                  "A parallel_reduce inside a team: the body takes the value that it updates as a copy or as const, so "
                  "that its updates are lost. Take it by reference: value_type& update.");
  } else if constexpr (sizeof...(Results) == 1) {
    Impl::nested_reduce(range, body, Impl::nested_reducer_for(body, results)...);
  } else {
    Impl::nested_reduce_several(
        range, body,
        Impl::NestedReducerList<decltype(Impl::nested_reducer(results))...>(Impl::nested_reducer(results)...));
  }
}

}  // namespace Kokkos

#endif
