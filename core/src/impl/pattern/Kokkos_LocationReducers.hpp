// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_LOCATION_REDUCERS_HPP
#define KOKKOS_PATTERN_LOCATION_REDUCERS_HPP

/// \file
/// The built-in reducers with a location: of an extremum, or the first and last location where a condition holds.
///
/// They have the properties of all built-in reducers, which pattern/Kokkos_Reducers.hpp lists.
///
/// Index, the type of a location, is an integer or any assignable type, such as a struct of indices. The identity of a
/// location should not be a valid location: a valid location replaces the identity if the values are equal. So the
/// result has a valid location even if every value equals the identity of the extremum.
///
/// "First" and "last" refer to the order of locations by < and >, which Index then needs, not to the order in which
/// values are joined.

#include <impl/pattern/Kokkos_Reducers.hpp>

#include <type_traits>

namespace Kokkos {

/// A value and its location.
template <class Scalar, class Index>
struct ValLocScalar {
  Scalar val;  ///< the value
  Index loc;   ///< the location of val
};

/// Two extrema and their locations.
template <class Scalar, class Index>
struct MinMaxLocScalar {
  Scalar min_val;  ///< the smallest value
  Scalar max_val;  ///< the largest value
  Index min_loc;   ///< the location of min_val
  Index max_loc;   ///< the location of max_val
};

/// The result of FirstLoc: the smallest index at which the condition held.
template <class Index>
struct FirstLocScalar {
  Index min_loc_true;  ///< the largest index (the identity) if the condition never held
};

/// The result of LastLoc: the largest index at which the condition held.
template <class Index>
struct LastLocScalar {
  Index max_loc_true;  ///< the lowest index (the identity) if the condition never held
};

/// The result of StdIsPartitioned: the last index at which the predicate held and the first at which it did not.
template <class Index>
struct StdIsPartScalar {
  Index max_loc_true;   ///< the lowest index (the identity) if the predicate never held
  Index min_loc_false;  ///< the largest index (the identity) if the predicate always held
};

/// The result of StdPartitionPoint: the first index at which the predicate did not hold.
template <class Index>
struct StdPartPointScalar {
  Index min_loc_false;  ///< the largest index (the identity) if the predicate always held
};

namespace Impl {

/// The preferred one of two values: `better(a, b)`.
struct Smaller {
  template <class T>
  KOKKOS_INLINE_FUNCTION static bool better(T const& a, T const& b) {
    return a < b;
  }
};
struct Larger {
  template <class T>
  KOKKOS_INLINE_FUNCTION static bool better(T const& a, T const& b) {
    return a > b;
  }
};
/// Accepts any valid location: the identity is replaced. Locations without == cannot be compared with the identity and
/// are kept.
struct AnyLocation {
  template <class Index>
  KOKKOS_INLINE_FUNCTION static bool better([[maybe_unused]] Index const& a, [[maybe_unused]] Index const& b) {
    if constexpr (requires { static_cast<bool>(a == b); }) {
      return b == SmallerValue::identity<Index>();
    } else {
      return false;
    }
  }
};

/// Whether `value` is worse than the identity, which is finite: an infinity.
template <class Extremum, class Start, class T>
KOKKOS_INLINE_FUNCTION bool is_worse_than_identity([[maybe_unused]] T const& value) {
  if constexpr (Real<T> && !Integral<T>) {
    return Extremum::better(Start::template identity<T>(), value);
  } else {
    return false;
  }
}

/// Joins one extremum and its location; among locations of equal extrema, Location chooses. The identities are finite,
/// so a first infinity that is worse than the identity replaces it, too.
///
/// Most calls are those of a kernel that has a location already, with a value that loses and is not followed by a tie.
/// So these are decided first, and AnyLocation, which keeps a valid location, needs only one comparison of values.
template <class Extremum, class Start, class LocationStart, class Location, class T, class Index>
KOKKOS_INLINE_FUNCTION void join_extremum(T& value, Index& location, T const& from_value, Index const& from_location) {
  if constexpr (requires { static_cast<bool>(location == location); }) {
    Index const none = LocationStart::template identity<Index>();
    if (location == none) [[unlikely]] {
      bool const is_first = Impl::is_worse_than_identity<Extremum, Start>(from_value) && !(from_location == none) &&
                            value == Start::template identity<T>();
      if (is_first || Extremum::better(from_value, value)) {
        value    = from_value;
        location = from_location;
      } else if (!Extremum::better(value, from_value) && Location::better(from_location, location)) {
        location = from_location;
      }
      return;
    }
  }
  if (Extremum::better(from_value, value)) {
    value    = from_value;
    location = from_location;
  } else if (Location::better(from_location, location)) {
    if (!Extremum::better(value, from_value)) [[unlikely]]
      location = from_location;
  }
}

/// For ValLocScalar. Start is the operation whose identity is the initial value.
template <class Extremum, class Start, class Location>
struct ExtremumWithLocation {
  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value identity() {
    return {Start::template identity<decltype(Value::val)>(), SmallerValue::identity<decltype(Value::loc)>()};
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static void join(Value& into, Value const& from) {
    Impl::join_extremum<Extremum, Start, SmallerValue, Location>(into.val, into.loc, from.val, from.loc);
  }
};

/// For MinMaxLocScalar. LastStart is the operation whose identity is the initial location of the maximum.
template <class MinLocation, class MaxLocation, class LastStart>
struct ExtremaWithLocations {
  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value identity() {
    using T     = decltype(Value::min_val);
    using Index = decltype(Value::min_loc);
    return {SmallerValue::identity<T>(), LargerValue::identity<T>(), SmallerValue::identity<Index>(),
            LastStart::template identity<Index>()};
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static void join(Value& into, Value const& from) {
    Impl::join_extremum<Smaller, SmallerValue, SmallerValue, MinLocation>(into.min_val, into.min_loc, from.min_val,
                                                                          from.min_loc);
    Impl::join_extremum<Larger, LargerValue, LastStart, MaxLocation>(into.max_val, into.max_loc, from.max_val,
                                                                     from.max_loc);
  }
};

/// For FirstLocScalar, LastLocScalar and StdPartPointScalar: one extreme index.
template <class Operation, class Value, auto Member>
struct ExtremeLocation {
  using Index = std::remove_reference_t<decltype(Value{}.*Member)>;
  template <class>
  KOKKOS_INLINE_FUNCTION static Value identity() {
    return {Operation::template identity<Index>()};
  }
  KOKKOS_INLINE_FUNCTION static void join(Value& into, Value const& from) {
    Operation::join(into.*Member, from.*Member);
  }
};

/// For StdIsPartScalar.
struct LastTrueFirstFalse {
  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value identity() {
    using Index = decltype(Value::max_loc_true);
    return {LargerValue::identity<Index>(), SmallerValue::identity<Index>()};
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static void join(Value& into, Value const& from) {
    LargerValue::join(into.max_loc_true, from.max_loc_true);
    SmallerValue::join(into.min_loc_false, from.min_loc_false);
  }
};

using AnyMin          = ExtremumWithLocation<Smaller, SmallerValue, AnyLocation>;
using AnyMax          = ExtremumWithLocation<Larger, LargerValue, AnyLocation>;
using FirstMin        = ExtremumWithLocation<Smaller, SmallerValue, Smaller>;
using FirstMax        = ExtremumWithLocation<Larger, LargerValue, Smaller>;
using AnyMinMax       = ExtremaWithLocations<AnyLocation, AnyLocation, SmallerValue>;
using FirstMinLastMax = ExtremaWithLocations<Smaller, Larger, LargerValue>;

template <class Index, class Value = FirstLocScalar<unqualified_t<Index>>>
using FirstLocation = ExtremeLocation<SmallerValue, Value, &Value::min_loc_true>;
template <class Index, class Value = LastLocScalar<unqualified_t<Index>>>
using LastLocation = ExtremeLocation<LargerValue, Value, &Value::max_loc_true>;
template <class Index, class Value = StdPartPointScalar<unqualified_t<Index>>>
using FirstFalse = ExtremeLocation<SmallerValue, Value, &Value::min_loc_false>;

}  // namespace Impl

// Defines the reducer NAME<Scalar, Index, Space> with the value type VALUE<Scalar, Index>, and lets `NAME(view)` deduce
// the parameters from a view of rank 0.
#define KOKKOS_IMPL_LOCATION_REDUCER(NAME, VALUE, OPERATION)                                                          \
  template <class Scalar, class Index, class Space = HostSpace>                                                       \
  class NAME : public Impl::OperationReducer<Impl::OPERATION,                                                         \
                                             VALUE<Impl::unqualified_t<Scalar>, Impl::unqualified_t<Index>>, Space> { \
   public:                                                                                                            \
    /** Marks the type as a reducer. */                                                                               \
    using reducer = NAME;                                                                                             \
    using NAME::OperationReducer::OperationReducer;                                                                   \
  };                                                                                                                  \
  /** `NAME(view)` deduces the parameters from a view of rank 0. */                                                   \
  template <class Scalar, class Index, class... Properties>                                                           \
  KOKKOS_DEDUCTION_GUIDE NAME(View<VALUE<Scalar, Index>, Properties...> const&)                                       \
      -> NAME<Scalar, Index, typename View<VALUE<Scalar, Index>, Properties...>::memory_space>;

/// The smallest value and its location. Value type: `ValLocScalar<Scalar, Index>`. Identities:
/// `reduction_identity<Scalar>::min()` and `reduction_identity<Index>::min()`. Ties: any of the locations.
KOKKOS_IMPL_LOCATION_REDUCER(MinLoc, ValLocScalar, AnyMin)

/// The largest value and its location. Value type: `ValLocScalar<Scalar, Index>`. Identities:
/// `reduction_identity<Scalar>::max()` and `reduction_identity<Index>::min()`. Ties: any of the locations.
KOKKOS_IMPL_LOCATION_REDUCER(MaxLoc, ValLocScalar, AnyMax)

/// The smallest value and its location. Value type: `ValLocScalar<Scalar, Index>`. Identities:
/// `reduction_identity<Scalar>::min()` and `reduction_identity<Index>::min()`. Ties: the smallest location.
KOKKOS_IMPL_LOCATION_REDUCER(MinFirstLoc, ValLocScalar, FirstMin)

/// The largest value and its location. Value type: `ValLocScalar<Scalar, Index>`. Identities:
/// `reduction_identity<Scalar>::max()` and `reduction_identity<Index>::min()`. Ties: the smallest location.
KOKKOS_IMPL_LOCATION_REDUCER(MaxFirstLoc, ValLocScalar, FirstMax)

/// The smallest and the largest value with their locations. Value type: `MinMaxLocScalar<Scalar, Index>`. Identities
/// and ties: those of MinLoc and MaxLoc.
KOKKOS_IMPL_LOCATION_REDUCER(MinMaxLoc, MinMaxLocScalar, AnyMinMax)

/// The smallest and the largest value with their locations. Value type: `MinMaxLocScalar<Scalar, Index>`. Identities:
/// those of MinLoc and MaxLoc, but for `max_loc` `reduction_identity<Index>::max()`. Ties: the smallest location of the
/// minimum, the largest location of the maximum.
KOKKOS_IMPL_LOCATION_REDUCER(MinMaxFirstLastLoc, MinMaxLocScalar, FirstMinLastMax)

#undef KOKKOS_IMPL_LOCATION_REDUCER

/// The smallest location where a condition holds. Value type: `FirstLocScalar<Index>`. Identity, which is the result if
/// it holds nowhere: `reduction_identity<Index>::min()`.
KOKKOS_IMPL_REDUCER(FirstLoc, Index, FirstLocScalar, FirstLocation<Index>)

/// The largest location where a condition holds. Value type: `LastLocScalar<Index>`. Identity, which is the result if
/// it holds nowhere: `reduction_identity<Index>::max()`.
KOKKOS_IMPL_REDUCER(LastLoc, Index, LastLocScalar, LastLocation<Index>)

/// The largest location where a predicate holds, and the smallest location where it does not hold: a range is
/// partitioned if the first of them is smaller. Value type: `StdIsPartScalar<Index>`. Identities:
/// `reduction_identity<Index>::max()` for `max_loc_true`, `reduction_identity<Index>::min()` for `min_loc_false`.
KOKKOS_IMPL_REDUCER(StdIsPartitioned, Index, StdIsPartScalar, LastTrueFirstFalse)

/// The smallest location where a predicate does not hold. Value type: `StdPartPointScalar<Index>`. Identity, which is
/// the result if it holds everywhere: `reduction_identity<Index>::min()`.
KOKKOS_IMPL_REDUCER(StdPartitionPoint, Index, StdPartPointScalar, FirstFalse<Index>)

#undef KOKKOS_IMPL_REDUCER

}  // namespace Kokkos

#endif
