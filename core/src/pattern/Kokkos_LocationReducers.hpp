// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_LOCATION_REDUCERS_HPP
#define KOKKOS_PATTERN_LOCATION_REDUCERS_HPP

/// \file
/// The built-in reducers with a location: of an extremum, or the first and last location where a condition holds.
///
/// A location is of any assignable type, an index or a struct of indices. Its initial value is an identity that is not
/// a valid location. Therefore a candidate with a valid location replaces an equal value without one (when every value
/// equals the identity of the extremum).

#include <pattern/Kokkos_Reducers.hpp>

#include <type_traits>

namespace Kokkos {

/// A value and its location.
template <class Scalar, class Index>
struct ValLocScalar {
  Scalar val;
  Index loc;
};

/// Two extrema and their locations.
template <class Scalar, class Index>
struct MinMaxLocScalar {
  Scalar min_val;
  Scalar max_val;
  Index min_loc;
  Index max_loc;
};

/// The result of FirstLoc: the smallest index at which the condition held.
template <class Index>
struct FirstLocScalar {
  Index min_loc_true;
};

/// The result of LastLoc: the largest index at which the condition held.
template <class Index>
struct LastLocScalar {
  Index max_loc_true;
};

/// The result of StdIsPartitioned: the last index at which the predicate held and the first at which it did not.
template <class Index>
struct StdIsPartScalar {
  Index max_loc_true;
  Index min_loc_false;
};

/// The result of StdPartitionPoint: the first index at which the predicate did not hold.
template <class Index>
struct StdPartPointScalar {
  Index min_loc_false;
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

/// Whether nothing has been joined to an extremum yet: value and location are the identities.
template <class Start, class LocationStart, class T, class Index>
KOKKOS_INLINE_FUNCTION bool is_untouched([[maybe_unused]] T const& value, [[maybe_unused]] Index const& location) {
  if constexpr (requires { static_cast<bool>(location == location); }) {
    return location == LocationStart::template identity<Index>() && value == Start::template identity<T>();
  } else {
    return false;
  }
}

/// Joins one extremum and its location; among locations of equal extrema, Location chooses. The identities are finite,
/// so a first infinity that is worse than the identity replaces it, too.
template <class Extremum, class Start, class LocationStart, class Location, class T, class Index>
KOKKOS_INLINE_FUNCTION void join_extremum(T& value, Index& location, T const& from_value, Index const& from_location) {
  const bool wins = Extremum::better(from_value, value);
  if (wins) value = from_value;
  if (wins || (!Extremum::better(value, from_value) && Location::better(from_location, location))) {
    location = from_location;
  } else if constexpr (Real<T> && !Integral<T>) {
    if (Extremum::better(value, from_value) && is_untouched<Start, LocationStart>(value, location) &&
        !is_untouched<Start, LocationStart>(value, from_location)) {
      value    = from_value;
      location = from_location;
    }
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
    join_extremum<Extremum, Start, SmallerValue, Location>(into.val, into.loc, from.val, from.loc);
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
    join_extremum<Smaller, SmallerValue, SmallerValue, MinLocation>(into.min_val, into.min_loc, from.min_val,
                                                                    from.min_loc);
    join_extremum<Larger, LargerValue, LastStart, MaxLocation>(into.max_val, into.max_loc, from.max_val, from.max_loc);
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

template <class Operation, class Scalar, class Index, class Space>
using ValLocReducer =
    OperationReducer<Operation, ValLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>, Space>;
template <class Operation, class Scalar, class Index, class Space>
using MinMaxLocReducer =
    OperationReducer<Operation, MinMaxLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>, Space>;

using AnyMin          = ExtremumWithLocation<Smaller, SmallerValue, AnyLocation>;
using AnyMax          = ExtremumWithLocation<Larger, LargerValue, AnyLocation>;
using FirstMin        = ExtremumWithLocation<Smaller, SmallerValue, Smaller>;
using FirstMax        = ExtremumWithLocation<Larger, LargerValue, Smaller>;
using AnyMinMax       = ExtremaWithLocations<AnyLocation, AnyLocation, SmallerValue>;
using FirstMinLastMax = ExtremaWithLocations<Smaller, Larger, LargerValue>;

template <class Index, class Value = FirstLocScalar<std::remove_cv_t<Index>>>
using FirstLocation = ExtremeLocation<SmallerValue, Value, &Value::min_loc_true>;
template <class Index, class Value = LastLocScalar<std::remove_cv_t<Index>>>
using LastLocation = ExtremeLocation<LargerValue, Value, &Value::max_loc_true>;
template <class Index, class Value = StdPartPointScalar<std::remove_cv_t<Index>>>
using FirstFalse = ExtremeLocation<SmallerValue, Value, &Value::min_loc_false>;

}  // namespace Impl

/// The smallest value and one of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MinLoc : public Impl::ValLocReducer<Impl::AnyMin, Scalar, Index, Space> {
 public:
  using reducer = MinLoc;
  using MinLoc::OperationReducer::OperationReducer;
};

/// The largest value and one of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MaxLoc : public Impl::ValLocReducer<Impl::AnyMax, Scalar, Index, Space> {
 public:
  using reducer = MaxLoc;
  using MaxLoc::OperationReducer::OperationReducer;
};

/// The smallest value and the first of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MinFirstLoc : public Impl::ValLocReducer<Impl::FirstMin, Scalar, Index, Space> {
 public:
  using reducer = MinFirstLoc;
  using MinFirstLoc::OperationReducer::OperationReducer;
};

/// The largest value and the first of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MaxFirstLoc : public Impl::ValLocReducer<Impl::FirstMax, Scalar, Index, Space> {
 public:
  using reducer = MaxFirstLoc;
  using MaxFirstLoc::OperationReducer::OperationReducer;
};

/// The smallest and the largest value, each with one of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MinMaxLoc : public Impl::MinMaxLocReducer<Impl::AnyMinMax, Scalar, Index, Space> {
 public:
  using reducer = MinMaxLoc;
  using MinMaxLoc::OperationReducer::OperationReducer;
};

/// The smallest value with the first of its locations, and the largest with the last of its locations.
template <class Scalar, class Index, class Space = HostSpace>
class MinMaxFirstLastLoc : public Impl::MinMaxLocReducer<Impl::FirstMinLastMax, Scalar, Index, Space> {
 public:
  using reducer = MinMaxFirstLastLoc;
  using MinMaxFirstLastLoc::OperationReducer::OperationReducer;
};

/// The first location where a condition holds; reduction_identity<Index>::min() if it holds nowhere.
template <class Index, class Space = HostSpace>
class FirstLoc
    : public Impl::OperationReducer<Impl::FirstLocation<Index>, FirstLocScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer = FirstLoc;
  using FirstLoc::OperationReducer::OperationReducer;
};

/// The last location where a condition holds; reduction_identity<Index>::max() if it holds nowhere.
template <class Index, class Space = HostSpace>
class LastLoc
    : public Impl::OperationReducer<Impl::LastLocation<Index>, LastLocScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer = LastLoc;
  using LastLoc::OperationReducer::OperationReducer;
};

/// The last location where a predicate holds and the first where it does not.
template <class Index, class Space = HostSpace>
class StdIsPartitioned
    : public Impl::OperationReducer<Impl::LastTrueFirstFalse, StdIsPartScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer = StdIsPartitioned;
  using StdIsPartitioned::OperationReducer::OperationReducer;
};

/// The first location where a predicate does not hold.
template <class Index, class Space = HostSpace>
class StdPartitionPoint
    : public Impl::OperationReducer<Impl::FirstFalse<Index>, StdPartPointScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer = StdPartitionPoint;
  using StdPartitionPoint::OperationReducer::OperationReducer;
};

#define KOKKOS_IMPL_LOCATION_GUIDE(REDUCER, VALUE)                                 \
  template <class Scalar, class Index, class... Properties>                        \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE<Scalar, Index>, Properties...> const&) \
      ->REDUCER<Scalar, Index, typename View<VALUE<Scalar, Index>, Properties...>::memory_space>;
#define KOKKOS_IMPL_INDEX_GUIDE(REDUCER, VALUE)                            \
  template <class Index, class... Properties>                              \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE<Index>, Properties...> const&) \
      ->REDUCER<Index, typename View<VALUE<Index>, Properties...>::memory_space>;

KOKKOS_IMPL_LOCATION_GUIDE(MinLoc, ValLocScalar)
KOKKOS_IMPL_LOCATION_GUIDE(MaxLoc, ValLocScalar)
KOKKOS_IMPL_LOCATION_GUIDE(MinMaxLoc, MinMaxLocScalar)
KOKKOS_IMPL_LOCATION_GUIDE(MinFirstLoc, ValLocScalar)
KOKKOS_IMPL_LOCATION_GUIDE(MaxFirstLoc, ValLocScalar)
KOKKOS_IMPL_LOCATION_GUIDE(MinMaxFirstLastLoc, MinMaxLocScalar)
KOKKOS_IMPL_INDEX_GUIDE(FirstLoc, FirstLocScalar)
KOKKOS_IMPL_INDEX_GUIDE(LastLoc, LastLocScalar)
KOKKOS_IMPL_INDEX_GUIDE(StdIsPartitioned, StdIsPartScalar)
KOKKOS_IMPL_INDEX_GUIDE(StdPartitionPoint, StdPartPointScalar)

#undef KOKKOS_IMPL_LOCATION_GUIDE
#undef KOKKOS_IMPL_INDEX_GUIDE

}  // namespace Kokkos

#endif
