// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCERS_HPP
#define KOKKOS_PATTERN_REDUCERS_HPP

/// \file
/// The built-in reducers that combine only values: sums, products, extrema, logical and bitwise operations.
///
/// A reducer defines how two values are combined, and refers to the location of the result. Kernels can use it, too,
/// for the result of a nested reduction. The identities come from Kokkos::reduction_identity, which a program
/// specialises for its own types.

#include <Kokkos_HostSpace.hpp>
#include <Kokkos_Macros.hpp>
#include <Kokkos_ReductionIdentity.hpp>
#include <Kokkos_View.hpp>

#include <type_traits>

namespace Kokkos {

namespace Impl {

/// The base of all built-in reducers: the location of the result.
template <class Value, class Space>
class ResultLocation {
 public:
  using value_type       = Value;
  using result_view_type = View<Value, Space>;

  /// The result is a variable; a reduction to it returns when the value is stored.
  KOKKOS_INLINE_FUNCTION ResultLocation(value_type& value) : m_view(&value), m_references_scalar(true) {}
  /// The result is a view of rank 0; a reduction to it is asynchronous.
  KOKKOS_INLINE_FUNCTION ResultLocation(result_view_type const& view) : m_view(view), m_references_scalar(false) {}

  KOKKOS_INLINE_FUNCTION value_type& reference() const { return *m_view.data(); }
  KOKKOS_INLINE_FUNCTION result_view_type view() const { return m_view; }
  KOKKOS_INLINE_FUNCTION bool references_scalar() const { return m_references_scalar; }

 private:
  result_view_type m_view;
  bool m_references_scalar;
};

/// A reducer defined by an operation type: `identity<T>()` is the initial value, `join(into, from)` combines two
/// values.
template <class Operation, class Value, class Space>
class OperationReducer : public ResultLocation<Value, Space> {
 public:
  using ResultLocation<Value, Space>::ResultLocation;

  KOKKOS_INLINE_FUNCTION void init(Value& v) const { v = Operation::template identity<Value>(); }
  KOKKOS_INLINE_FUNCTION void join(Value& into, Value const& from) const { Operation::join(into, from); }
};

// An operation on single values: the name of its identity in reduction_identity, and the statement that joins `from`
// into `into`.
#define KOKKOS_IMPL_OPERATION(NAME, IDENTITY, JOIN)                   \
  struct NAME {                                                       \
    template <class T>                                                \
    KOKKOS_INLINE_FUNCTION static T identity() {                      \
      return reduction_identity<T>::IDENTITY();                       \
    }                                                                 \
    template <class T>                                                \
    KOKKOS_INLINE_FUNCTION static void join(T& into, T const& from) { \
      JOIN;                                                           \
    }                                                                 \
  };

KOKKOS_IMPL_OPERATION(AddValues, sum, into += from)
KOKKOS_IMPL_OPERATION(MultiplyValues, prod, into *= from)
KOKKOS_IMPL_OPERATION(SmallerValue, min, if (from < into) into = from)
KOKKOS_IMPL_OPERATION(LargerValue, max, if (from > into) into = from)
KOKKOS_IMPL_OPERATION(AllTrue, land, into = into && from)
KOKKOS_IMPL_OPERATION(AnyTrue, lor, into = into || from)
KOKKOS_IMPL_OPERATION(CommonBits, band, into = into & from)
KOKKOS_IMPL_OPERATION(UnitedBits, bor, into = into | from)

#undef KOKKOS_IMPL_OPERATION

}  // namespace Impl

/// The sum, by +=.
template <class Scalar, class Space = HostSpace>
class Sum : public Impl::OperationReducer<Impl::AddValues, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = Sum;
  using Sum::OperationReducer::OperationReducer;
};

/// The product, by *=.
template <class Scalar, class Space = HostSpace>
class Prod : public Impl::OperationReducer<Impl::MultiplyValues, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = Prod;
  using Prod::OperationReducer::OperationReducer;
};

/// The smallest value, by <.
template <class Scalar, class Space = HostSpace>
class Min : public Impl::OperationReducer<Impl::SmallerValue, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = Min;
  using Min::OperationReducer::OperationReducer;
};

/// The largest value, by >.
template <class Scalar, class Space = HostSpace>
class Max : public Impl::OperationReducer<Impl::LargerValue, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = Max;
  using Max::OperationReducer::OperationReducer;
};

/// True if all values are true.
template <class Scalar, class Space = HostSpace>
class LAnd : public Impl::OperationReducer<Impl::AllTrue, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = LAnd;
  using LAnd::OperationReducer::OperationReducer;
};

/// True if any value is true.
template <class Scalar, class Space = HostSpace>
class LOr : public Impl::OperationReducer<Impl::AnyTrue, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = LOr;
  using LOr::OperationReducer::OperationReducer;
};

/// The bits that are set in all values.
template <class Scalar, class Space = HostSpace>
class BAnd : public Impl::OperationReducer<Impl::CommonBits, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = BAnd;
  using BAnd::OperationReducer::OperationReducer;
};

/// The bits that are set in any value.
template <class Scalar, class Space = HostSpace>
class BOr : public Impl::OperationReducer<Impl::UnitedBits, std::remove_cv_t<Scalar>, Space> {
 public:
  using reducer = BOr;
  using BOr::OperationReducer::OperationReducer;
};

/// The result of MinMax.
template <class Scalar>
struct MinMaxScalar {
  Scalar min_val;
  Scalar max_val;
};

namespace Impl {

struct BothExtrema {
  template <class Value>
  KOKKOS_INLINE_FUNCTION static Value identity() {
    using T = decltype(Value::min_val);
    return {SmallerValue::identity<T>(), LargerValue::identity<T>()};
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static void join(Value& into, Value const& from) {
    SmallerValue::join(into.min_val, from.min_val);
    LargerValue::join(into.max_val, from.max_val);
  }
};

}  // namespace Impl

/// The smallest and the largest value.
template <class Scalar, class Space = HostSpace>
class MinMax : public Impl::OperationReducer<Impl::BothExtrema, MinMaxScalar<std::remove_cv_t<Scalar>>, Space> {
 public:
  using reducer = MinMax;
  using MinMax::OperationReducer::OperationReducer;
};

// A reducer for a view: `Sum(view)` is `Sum<value type, memory space of the view>`.
#define KOKKOS_IMPL_REDUCER_GUIDE(REDUCER, VALUE)                   \
  template <class Scalar, class... Properties>                      \
  KOKKOS_DEDUCTION_GUIDE REDUCER(View<VALUE, Properties...> const&) \
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
