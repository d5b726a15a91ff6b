// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_LOCATION_REDUCERS_HPP
#define KOKKOS_PATTERN_LOCATION_REDUCERS_HPP

/// \file
/// The built-in reducers that tell where: the place of an extremum, the first and last place where a condition holds.
///
/// A location is any type that can be assigned, an index or a struct of indices. It starts as an identity that is no place;
/// a candidate with a place therefore wins over an equal one without (when every value equals the identity of the extremum).

#include <pattern/Kokkos_Reducers.hpp>

#include <type_traits>

namespace Kokkos {

/// A value and where it is.
template <class Scalar, class Index>
struct ValLocScalar {
  Scalar val;
  Index loc;
};

/// Two extrema and where they are.
template <class Scalar, class Index>
struct MinMaxLocScalar {
  Scalar min_val;
  Scalar max_val;
  Index min_loc;
  Index max_loc;
};

/// What FirstLoc reduces to: the smallest index at which something held.
template <class Index>
struct FirstLocScalar {
  Index min_loc_true;
};

/// What LastLoc reduces to: the largest index at which something held.
template <class Index>
struct LastLocScalar {
  Index max_loc_true;
};

/// What StdIsPartitioned reduces to: the last index at which the predicate held and the first at which it did not.
template <class Index>
struct StdIsPartScalar {
  Index max_loc_true;
  Index min_loc_false;
};

/// What StdPartitionPoint reduces to: the first index at which the predicate did not hold.
template <class Index>
struct StdPartPointScalar {
  Index min_loc_false;
};

namespace Impl {

/// Takes `loc` over if `current` is still the identity. Locations without == cannot be told from it and are left alone.
template <class Index>
KOKKOS_INLINE_FUNCTION void take_place_if_none(Index& current, Index const& loc, Index const& none) {
  if constexpr (requires { static_cast<bool>(current == none); }) {
    if (current == none) current = loc;
  }
}

/// Joins for extrema at `val` with place `loc`; Better says whether the first value beats the second.
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

/// The extremum with any of its places.
template <class Better, class T, class Index>
KOKKOS_INLINE_FUNCTION void join_extremum(T& val, Index& loc, T const& src_val, Index const& src_loc,
                                          Index const& none) {
  if (Better::better(src_val, val)) {
    val = src_val;
    loc = src_loc;
  } else if (!Better::better(val, src_val)) {
    take_place_if_none(loc, src_loc, none);
  }
}

/// The extremum with its first (Place = Smaller) or last (Place = Larger) place.
template <class Better, class Place, class T, class Index>
KOKKOS_INLINE_FUNCTION void join_extremum_at(T& val, Index& loc, T const& src_val, Index const& src_loc) {
  if (Better::better(src_val, val)) {
    val = src_val;
    loc = src_loc;
  } else if (!Better::better(val, src_val) && Place::better(src_loc, loc)) {
    loc = src_loc;
  }
}

template <class Scalar, class Index>
using val_loc = ValLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>;
template <class Scalar, class Index>
using min_max_loc = MinMaxLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>;

}  // namespace Impl

/// The smallest value and one of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MinLoc : public Impl::ReducerPlace<Impl::val_loc<Scalar, Index>, Space> {
  using scalar_type = std::remove_cv_t<Scalar>;
  using index_type  = std::remove_cv_t<Index>;

 public:
  using reducer    = MinLoc;
  using value_type = Impl::val_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    Impl::join_extremum<Impl::Smaller>(dest.val, dest.loc, src.val, src.loc, reduction_identity<index_type>::min());
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.val = reduction_identity<scalar_type>::min();
    val.loc = reduction_identity<index_type>::min();
  }
};

/// The largest value and one of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MaxLoc : public Impl::ReducerPlace<Impl::val_loc<Scalar, Index>, Space> {
  using scalar_type = std::remove_cv_t<Scalar>;
  using index_type  = std::remove_cv_t<Index>;

 public:
  using reducer    = MaxLoc;
  using value_type = Impl::val_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    Impl::join_extremum<Impl::Larger>(dest.val, dest.loc, src.val, src.loc, reduction_identity<index_type>::min());
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.val = reduction_identity<scalar_type>::max();
    val.loc = reduction_identity<index_type>::min();
  }
};

/// The smallest and the largest value, each with one of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MinMaxLoc : public Impl::ReducerPlace<Impl::min_max_loc<Scalar, Index>, Space> {
  using scalar_type = std::remove_cv_t<Scalar>;
  using index_type  = std::remove_cv_t<Index>;

 public:
  using reducer    = MinMaxLoc;
  using value_type = Impl::min_max_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    const index_type none = reduction_identity<index_type>::min();
    Impl::join_extremum<Impl::Smaller>(dest.min_val, dest.min_loc, src.min_val, src.min_loc, none);
    Impl::join_extremum<Impl::Larger>(dest.max_val, dest.max_loc, src.max_val, src.max_loc, none);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.min_val = reduction_identity<scalar_type>::min();
    val.max_val = reduction_identity<scalar_type>::max();
    val.min_loc = reduction_identity<index_type>::min();
    val.max_loc = reduction_identity<index_type>::min();
  }
};

/// The smallest value and the first of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MinFirstLoc : public Impl::ReducerPlace<Impl::val_loc<Scalar, Index>, Space> {
 public:
  using reducer    = MinFirstLoc;
  using value_type = Impl::val_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    Impl::join_extremum_at<Impl::Smaller, Impl::Smaller>(dest.val, dest.loc, src.val, src.loc);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.val = reduction_identity<std::remove_cv_t<Scalar>>::min();
    val.loc = reduction_identity<std::remove_cv_t<Index>>::min();
  }
};

/// The largest value and the first of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MaxFirstLoc : public Impl::ReducerPlace<Impl::val_loc<Scalar, Index>, Space> {
 public:
  using reducer    = MaxFirstLoc;
  using value_type = Impl::val_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    Impl::join_extremum_at<Impl::Larger, Impl::Smaller>(dest.val, dest.loc, src.val, src.loc);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.val = reduction_identity<std::remove_cv_t<Scalar>>::max();
    val.loc = reduction_identity<std::remove_cv_t<Index>>::min();
  }
};

/// The smallest value with the first of its places, and the largest with the last of its places.
template <class Scalar, class Index, class Space = HostSpace>
class MinMaxFirstLastLoc : public Impl::ReducerPlace<Impl::min_max_loc<Scalar, Index>, Space> {
 public:
  using reducer    = MinMaxFirstLastLoc;
  using value_type = Impl::min_max_loc<Scalar, Index>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    Impl::join_extremum_at<Impl::Smaller, Impl::Smaller>(dest.min_val, dest.min_loc, src.min_val, src.min_loc);
    Impl::join_extremum_at<Impl::Larger, Impl::Larger>(dest.max_val, dest.max_loc, src.max_val, src.max_loc);
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.min_val = reduction_identity<std::remove_cv_t<Scalar>>::min();
    val.max_val = reduction_identity<std::remove_cv_t<Scalar>>::max();
    val.min_loc = reduction_identity<std::remove_cv_t<Index>>::min();
    val.max_loc = reduction_identity<std::remove_cv_t<Index>>::max();
  }
};

/// The first place where a condition holds; reduction_identity<Index>::min() if it holds nowhere.
template <class Index, class Space = HostSpace>
class FirstLoc : public Impl::ReducerPlace<FirstLocScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer    = FirstLoc;
  using value_type = FirstLocScalar<std::remove_cv_t<Index>>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src.min_loc_true < dest.min_loc_true) dest.min_loc_true = src.min_loc_true;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.min_loc_true = reduction_identity<std::remove_cv_t<Index>>::min();
  }
};

/// The last place where a condition holds; reduction_identity<Index>::max() if it holds nowhere.
template <class Index, class Space = HostSpace>
class LastLoc : public Impl::ReducerPlace<LastLocScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer    = LastLoc;
  using value_type = LastLocScalar<std::remove_cv_t<Index>>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src.max_loc_true > dest.max_loc_true) dest.max_loc_true = src.max_loc_true;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.max_loc_true = reduction_identity<std::remove_cv_t<Index>>::max();
  }
};

/// The last place where a predicate holds and the first where it does not.
template <class Index, class Space = HostSpace>
class StdIsPartitioned : public Impl::ReducerPlace<StdIsPartScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer    = StdIsPartitioned;
  using value_type = StdIsPartScalar<std::remove_cv_t<Index>>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src.max_loc_true > dest.max_loc_true) dest.max_loc_true = src.max_loc_true;
    if (src.min_loc_false < dest.min_loc_false) dest.min_loc_false = src.min_loc_false;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.max_loc_true  = reduction_identity<std::remove_cv_t<Index>>::max();
    val.min_loc_false = reduction_identity<std::remove_cv_t<Index>>::min();
  }
};

/// The first place where a predicate does not hold.
template <class Index, class Space = HostSpace>
class StdPartitionPoint : public Impl::ReducerPlace<StdPartPointScalar<std::remove_cv_t<Index>>, Space> {
 public:
  using reducer    = StdPartitionPoint;
  using value_type = StdPartPointScalar<std::remove_cv_t<Index>>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src.min_loc_false < dest.min_loc_false) dest.min_loc_false = src.min_loc_false;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.min_loc_false = reduction_identity<std::remove_cv_t<Index>>::min();
  }
};

#define KOKKOS_IMPL_LOCATION_GUIDE(REDUCER, VALUE)                                        \
  template <class Scalar, class Index, class... Properties>                               \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE<Scalar, Index>, Properties...> const&)        \
      ->REDUCER<Scalar, Index, typename View<VALUE<Scalar, Index>, Properties...>::memory_space>;
#define KOKKOS_IMPL_INDEX_GUIDE(REDUCER, VALUE)                                           \
  template <class Index, class... Properties>                                             \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE<Index>, Properties...> const&)                \
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
