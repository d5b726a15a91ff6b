// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_COMPARATORREDUCERS_HPP
#define KOKKOS_PATTERN_COMPARATORREDUCERS_HPP

/// \file
/// Location reducers with a comparison function of the program: `less(a, b)` means that a is ordered before b.
///
/// Each has the properties of the reducer without `CustomComparator` in its name, in the order of `less`. The
/// identities do not depend on less. Therefore `less(identity, value)` must be false for every value whose minimum is
/// computed, and `less(value, identity)` for every value whose maximum is computed. A type with another order needs its
/// own specialisation of reduction_identity.

#include <impl/pattern/Kokkos_LocationReducers.hpp>

#include <type_traits>

namespace Kokkos {
namespace Impl {

/// The location of the result, and the comparison.
template <class Value, class Less, class Space>
class ComparatorReducer : public ResultLocation<Value, Space> {
 public:
  KOKKOS_INLINE_FUNCTION ComparatorReducer(Value& value, Less less)
      : ResultLocation<Value, Space>(value), m_less(less) {}
  KOKKOS_INLINE_FUNCTION ComparatorReducer(View<Value, Space> const& view, Less less)
      : ResultLocation<Value, Space>(view), m_less(less) {}

 protected:
  /// Keeps the smaller value (the larger one if Largest) and its location; for equal values the first location (or the
  /// last).
  template <bool Largest, bool LastLocation, class T, class Index>
  KOKKOS_INLINE_FUNCTION void keep(T& value, Index& location, T const& other, Index const& other_location) const {
    bool const wins  = Largest ? m_less(value, other) : m_less(other, value);
    bool const loses = Largest ? m_less(other, value) : m_less(value, other);
    if (wins) value = other;
    if (wins || (!loses && (LastLocation ? other_location > location : other_location < location)))
      location = other_location;
  }

 private:
  Less m_less;
};

template <class Scalar, class Index>
using ValLoc = ValLocScalar<unqualified_t<Scalar>, unqualified_t<Index>>;
template <class Scalar, class Index>
using MinMaxLocs = MinMaxLocScalar<unqualified_t<Scalar>, unqualified_t<Index>>;

}  // namespace Impl

/// The smallest value by `less`, and its location: see MinFirstLoc.
template <class Scalar, class Index, class Less, class Space = HostSpace>
class MinFirstLocCustomComparator : public Impl::ComparatorReducer<Impl::ValLoc<Scalar, Index>, Less, Space> {
 public:
  /// Marks the type as a reducer.
  using reducer = MinFirstLocCustomComparator;
  /// The type of the result: `ValLocScalar<Scalar, Index>`.
  using value_type = Impl::ValLoc<Scalar, Index>;
  using MinFirstLocCustomComparator::ComparatorReducer::ComparatorReducer;

  /// Sets `v` to the identity, which is the result if no value is joined.
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { v = Impl::FirstMin::template identity<value_type>(); }
  /// Replaces `into` by `from` where `less` prefers the value of `from`, or the values are equal and the location of
  /// `from` is preferred.
  KOKKOS_INLINE_FUNCTION void join(value_type& into, value_type const& from) const {
    this->template keep<false, false>(into.val, into.loc, from.val, from.loc);
  }
};

/// The largest value by `less`, and its location: see MaxFirstLoc.
template <class Scalar, class Index, class Less, class Space = HostSpace>
class MaxFirstLocCustomComparator : public Impl::ComparatorReducer<Impl::ValLoc<Scalar, Index>, Less, Space> {
 public:
  /// Marks the type as a reducer.
  using reducer = MaxFirstLocCustomComparator;
  /// The type of the result: `ValLocScalar<Scalar, Index>`.
  using value_type = Impl::ValLoc<Scalar, Index>;
  using MaxFirstLocCustomComparator::ComparatorReducer::ComparatorReducer;

  /// Sets `v` to the identity, which is the result if no value is joined.
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { v = Impl::FirstMax::template identity<value_type>(); }
  /// Replaces `into` by `from` where `less` prefers the value of `from`, or the values are equal and the location of
  /// `from` is preferred.
  KOKKOS_INLINE_FUNCTION void join(value_type& into, value_type const& from) const {
    this->template keep<true, false>(into.val, into.loc, from.val, from.loc);
  }
};

/// The smallest and the largest value by `less` with their locations: see MinMaxFirstLastLoc.
template <class Scalar, class Index, class Less, class Space = HostSpace>
class MinMaxFirstLastLocCustomComparator
    : public Impl::ComparatorReducer<Impl::MinMaxLocs<Scalar, Index>, Less, Space> {
 public:
  /// Marks the type as a reducer.
  using reducer = MinMaxFirstLastLocCustomComparator;
  /// The type of the result: `MinMaxLocScalar<Scalar, Index>`.
  using value_type = Impl::MinMaxLocs<Scalar, Index>;
  using MinMaxFirstLastLocCustomComparator::ComparatorReducer::ComparatorReducer;

  /// Sets `v` to the identity, which is the result if no value is joined.
  KOKKOS_INLINE_FUNCTION void init(value_type& v) const { v = Impl::FirstMinLastMax::template identity<value_type>(); }
  /// Replaces `into` by `from` where `less` prefers the value of `from`, or the values are equal and the location of
  /// `from` is preferred.
  KOKKOS_INLINE_FUNCTION void join(value_type& into, value_type const& from) const {
    this->template keep<false, false>(into.min_val, into.min_loc, from.min_val, from.min_loc);
    this->template keep<true, true>(into.max_val, into.max_loc, from.max_val, from.max_loc);
  }
};

#define KOKKOS_IMPL_COMPARATOR_GUIDE(REDUCER, VALUE)                                     \
  template <class Scalar, class Index, class Less, class... Properties>                  \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE<Scalar, Index>, Properties...> const&, Less) \
      -> REDUCER<Scalar, Index, Less, typename View<VALUE<Scalar, Index>, Properties...>::memory_space>;

KOKKOS_IMPL_COMPARATOR_GUIDE(MinFirstLocCustomComparator, ValLocScalar)
KOKKOS_IMPL_COMPARATOR_GUIDE(MaxFirstLocCustomComparator, ValLocScalar)
KOKKOS_IMPL_COMPARATOR_GUIDE(MinMaxFirstLastLocCustomComparator, MinMaxLocScalar)

#undef KOKKOS_IMPL_COMPARATOR_GUIDE

}  // namespace Kokkos

#endif
