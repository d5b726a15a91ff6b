// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCERS_HPP
#define KOKKOS_PATTERN_REDUCERS_HPP

/// \file
/// The built-in reducers that combine values alone: sums, products, extrema, logical and bitwise operations.
///
/// A reducer says how to combine two values and refers to the place of the result. It is usable in kernels, too, where it names
/// the result of a nested reduction. The identities come from Kokkos::reduction_identity, which a program specialises for its
/// own types.

#include <Kokkos_HostSpace.hpp>
#include <Kokkos_Macros.hpp>
#include <Kokkos_ReductionIdentity.hpp>
#include <Kokkos_View.hpp>

#include <type_traits>

namespace Kokkos {

namespace Impl {

/// What all built-in reducers have in common: the place of the result.
template <class Value, class Space>
class ReducerPlace {
 public:
  using value_type       = Value;
  using result_view_type = View<Value, Space>;

  /// The result is a variable; a reduction to it returns when the value is there.
  KOKKOS_INLINE_FUNCTION ReducerPlace(value_type& value) : m_view(&value), m_references_scalar(true) {}
  /// The result is a view of rank 0; a reduction to it is asynchronous.
  KOKKOS_INLINE_FUNCTION ReducerPlace(result_view_type const& view) : m_view(view), m_references_scalar(false) {}

  KOKKOS_INLINE_FUNCTION value_type& reference() const { return *m_view.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return m_view; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return m_references_scalar; }

 private:
  result_view_type m_view;
  bool m_references_scalar;
};

}  // namespace Impl

/// The sum, by +=.
template <class Scalar, class Space = HostSpace>
class Sum : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = Sum;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest += src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::sum(); }
};

/// The product, by *=.
template <class Scalar, class Space = HostSpace>
class Prod : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = Prod;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest *= src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::prod(); }
};

/// The smallest value, by <.
template <class Scalar, class Space = HostSpace>
class Min : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = Min;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src < dest) dest = src;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::min(); }
};

/// The largest value, by >.
template <class Scalar, class Space = HostSpace>
class Max : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = Max;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src > dest) dest = src;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::max(); }
};

/// True if all values are.
template <class Scalar, class Space = HostSpace>
class LAnd : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = LAnd;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest = dest && src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::land(); }
};

/// True if any value is.
template <class Scalar, class Space = HostSpace>
class LOr : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = LOr;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest = dest || src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::lor(); }
};

/// The bits that are set in all values.
template <class Scalar, class Space = HostSpace>
class BAnd : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = BAnd;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest = dest & src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::band(); }
};

/// The bits that are set in any value.
template <class Scalar, class Space = HostSpace>
class BOr : public Impl::ReducerPlace<std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer    = BOr;
  using value_type = std::remove_cv_t<Scalar>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const { dest = dest | src; }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const { val = reduction_identity<value_type>::bor(); }
};

/// What MinMax reduces to.
template <class Scalar>
struct MinMaxScalar {
  Scalar min_val;
  Scalar max_val;
};

/// The smallest and the largest value.
template <class Scalar, class Space = HostSpace>
class MinMax : public Impl::ReducerPlace<MinMaxScalar<std::remove_cv_t<Scalar>>, Space> {
  using scalar_type = std::remove_cv_t<Scalar>;

 public:
  using reducer    = MinMax;
  using value_type = MinMaxScalar<scalar_type>;
  using Impl::ReducerPlace<value_type, Space>::ReducerPlace;

  KOKKOS_INLINE_FUNCTION void join(value_type& dest, value_type const& src) const {
    if (src.min_val < dest.min_val) dest.min_val = src.min_val;
    if (src.max_val > dest.max_val) dest.max_val = src.max_val;
  }
  KOKKOS_INLINE_FUNCTION void init(value_type& val) const {
    val.min_val = reduction_identity<scalar_type>::min();
    val.max_val = reduction_identity<scalar_type>::max();
  }
};

// A reducer of a view: `Sum(view)` is `Sum<value type, memory space of the view>`.
#define KOKKOS_IMPL_REDUCER_GUIDE(REDUCER, VALUE)                            \
  template <class Scalar, class... Properties>                               \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE, Properties...> const&)          \
      ->REDUCER<Scalar, typename View<VALUE, Properties...>::memory_space>;

KOKKOS_IMPL_REDUCER_GUIDE(Sum, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(Prod, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(Min, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(Max, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(LAnd, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(LOr, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(BAnd, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(BOr, Scalar)
KOKKOS_IMPL_REDUCER_GUIDE(MinMax, MinMaxScalar<Scalar>)

#undef KOKKOS_IMPL_REDUCER_GUIDE

}  // namespace Kokkos

#endif
