// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_NESTEDREDUCERS_HPP
#define KOKKOS_PATTERN_NESTEDREDUCERS_HPP

/// \file
/// One interface for every result argument of a nested parallel_reduce: a variable, a view of rank 0, a reducer, or
/// several of these. With one variable or view, members init, join and final of the body are part of it. It provides
/// the identity, the join of two values, the final step, and the destination of the result.

#include <Kokkos_Concepts.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>

#include <type_traits>

namespace Kokkos::Impl {

/// A sum whose result is stored in a variable. Its identity is a default constructed value.
template <class T>
class NestedSum {
 public:
  using value_type = T;

  KOKKOS_FUNCTION explicit NestedSum(T& result) : m_result(result) {}

  KOKKOS_FORCEINLINE_FUNCTION value_type identity() const { return value_type(); }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type& into, value_type const& from) const { into += from; }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const { m_result = value; }

 private:
  T& m_result;
};

/// Whether a nested body defines the initial value, join or final step of its values of type T. These members take no
/// work tag, because nested ranges have none.
template <class Body, class T>
concept NestedBodyCombines = HasInit<Body, T&> || HasJoin<Body, T&, T const&> || HasFinal<Body, T&>;

/// A result in a variable. Uses the members init, join and final of the body; for a member that the body lacks, the
/// operation of a sum.
template <class T, class Body>
class NestedBodyReducer {
  using Combiner = FunctorCombiner<T, void>;

 public:
  using value_type = T;

  KOKKOS_FUNCTION NestedBodyReducer(T& result, Body const& body) : m_result(result), m_body(body) {}

  KOKKOS_FORCEINLINE_FUNCTION value_type identity() const {
    value_type value{};
    if constexpr (HasInit<Body, T&>) m_body.init(value);
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type& into, value_type const& from) const {
    Combiner().join(m_body, &into, &from);
  }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type& value) const { Combiner().final(m_body, &value); }
  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const { m_result = value; }

 private:
  T& m_result;
  Body const& m_body;
};

/// A sum whose result is not needed, for scans without a total.
template <class T>
struct NestedSumOnly {
  using value_type = T;

  KOKKOS_FORCEINLINE_FUNCTION value_type identity() const { return value_type(); }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type& into, value_type const& from) const { into += from; }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type&) const {}
  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const&) const {}
};

/// A model of the documented Reducer concept, whose `init` and `final` are optional.
template <class Reducer>
class NestedReducer {
 public:
  using value_type = std::remove_cv_t<typename Reducer::value_type>;

  KOKKOS_FUNCTION explicit NestedReducer(Reducer const& reducer) : m_reducer(reducer) {}

  KOKKOS_FORCEINLINE_FUNCTION value_type identity() const {
    value_type value{};
    if constexpr (requires { m_reducer.init(value); }) m_reducer.init(value);
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type& into, value_type const& from) const { m_reducer.join(into, from); }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type& value) const {
    if constexpr (requires { m_reducer.final(value); }) m_reducer.final(value);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const { m_reducer.reference() = value; }

 private:
  Reducer const& m_reducer;
};

template <class T>
concept NestedResultView = requires(T const& view) {
  typename T::non_const_value_type;
  typename T::array_layout;
  view.data();
};

/// The interface of one result argument, which must outlive it.
template <class Result>
KOKKOS_FORCEINLINE_FUNCTION auto nested_reducer(Result& result) {
  using Plain = std::remove_cv_t<Result>;
  if constexpr (is_reducer_v<Plain>) {
    return NestedReducer<Plain>(result);
  } else if constexpr (NestedResultView<Plain>) {
    static_assert(
        Plain::rank() == 0,
        "A parallel_reduce inside a team takes a variable, a reducer or a view of rank 0 for its result; this "
        "view has a higher rank.");
    return NestedSum<typename Plain::non_const_value_type>(*result.data());
  } else {
    static_assert(
        !std::is_const_v<Result> && !std::is_array_v<Plain> && !std::is_pointer_v<Plain>,
        "A parallel_reduce inside a team takes a variable, a reducer or a view of rank 0 for its result; this "
        "is a constant, an array or a pointer.");
    return NestedSum<Plain>(result);
  }
}

/// The interface of the only result of a body; both must outlive it.
template <class Body, class Result>
KOKKOS_FORCEINLINE_FUNCTION auto nested_reducer_for(Body const& body, Result& result) {
  using Plain = std::remove_cv_t<Result>;
  if constexpr (is_reducer_v<Plain>) {
    return NestedReducer<Plain>(result);
  } else if constexpr (NestedResultView<Plain>) {
    using T = typename Plain::non_const_value_type;
    if constexpr (NestedBodyCombines<Body, T> && Plain::rank() == 0)
      return NestedBodyReducer<T, Body>(*result.data(), body);
    else
      return Impl::nested_reducer(result);
  } else if constexpr (NestedBodyCombines<Body, Plain> && !std::is_const_v<Result>) {
    return NestedBodyReducer<Plain, Body>(result, body);
  } else {
    return Impl::nested_reducer(result);
  }
}

/// Several results reduced in one pass: a linked list of reducers, and of values. (nvcc accepts this, unlike
/// std::tuple.)
template <class First, class... Others>
class NestedReducerList {
  using Rest = NestedReducerList<Others...>;

 public:
  struct value_type {
    typename First::value_type first;
    typename Rest::value_type rest;
  };

  KOKKOS_FUNCTION explicit NestedReducerList(First const& first, Others const&... others)
      : m_first(first), m_rest(others...) {}

  KOKKOS_FORCEINLINE_FUNCTION value_type identity() const { return {m_first.identity(), m_rest.identity()}; }
  KOKKOS_FORCEINLINE_FUNCTION void join(value_type& into, value_type const& from) const {
    m_first.join(into.first, from.first);
    m_rest.join(into.rest, from.rest);
  }
  KOKKOS_FORCEINLINE_FUNCTION void final(value_type& value) const {
    m_first.final(value.first);
    m_rest.final(value.rest);
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(value_type const& value) const {
    m_first.store(value.first);
    m_rest.store(value.rest);
  }
  /// Calls f(before..., values...) with each of the values.
  template <class F, class... Before>
  KOKKOS_FORCEINLINE_FUNCTION static void spread(value_type& value, F const& f, Before&... before) {
    Rest::spread(value.rest, f, before..., value.first);
  }

 private:
  First m_first;
  Rest m_rest;
};

template <class Last>
class NestedReducerList<Last> : public Last {
 public:
  KOKKOS_FUNCTION explicit NestedReducerList(Last const& last) : Last(last) {}

  template <class F, class... Before>
  KOKKOS_FORCEINLINE_FUNCTION static void spread(typename Last::value_type& value, F const& f, Before&... before) {
    f(before..., value);
  }
};

}  // namespace Kokkos::Impl

#endif
