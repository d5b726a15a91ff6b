// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PATTERN_REDUCERS_HPP
#define KOKKOS_PATTERN_REDUCERS_HPP

/// \file
/// The built-in reducers that combine only values: sums, products, extrema, logical and bitwise operations.
///
/// A reducer defines how two values are combined, and refers to the variable, or the view of rank 0, that gets the
/// result. It is an argument of parallel_reduce on the host, or of a nested one in a kernel. All built-in reducers
/// share these properties:
/// - The memory space of the result is `Space`; a variable is in HostSpace.
/// - The previous value of the result is overwritten. A reduction over no iterations returns the identity.
/// - The identity comes from `reduction_identity<Scalar>`, which a program specialises for its own types.
/// - The order in which values are joined is unspecified, so sums and products of floating-point numbers may be rounded
///   differently from run to run.

#include <Kokkos_Concepts.hpp>
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
// Numbers without a branch: then their reduction stays in registers, and compilers make vectors of it.
KOKKOS_IMPL_OPERATION(SmallerValue, min, if constexpr (std::is_arithmetic_v<T>) into = from < into ? from : into;
                      else if (from < into) into = from)
KOKKOS_IMPL_OPERATION(LargerValue, max, if constexpr (std::is_arithmetic_v<T>) into = from > into ? from : into;
                      else if (from > into) into = from)
KOKKOS_IMPL_OPERATION(AllTrue, land, if constexpr (std::is_integral_v<T>) into = T((into != T(0)) & (from != T(0)));
                      else into = into && from)
KOKKOS_IMPL_OPERATION(AnyTrue, lor, if constexpr (std::is_integral_v<T>) into = T((into != T(0)) | (from != T(0)));
                      else into = into || from)
KOKKOS_IMPL_OPERATION(CommonBits, band, into = into & from)
KOKKOS_IMPL_OPERATION(UnitedBits, bor, into = into | from)

#undef KOKKOS_IMPL_OPERATION

template <class T>
using OneValue = T;

}  // namespace Impl

// Defines the reducer NAME<T, Space> with the value type VALUE<T>, and lets `NAME(view)` deduce both parameters from a
// view of rank 0. `T`, the name of the first parameter, may occur in OPERATION. The last user undefines the macro:
// pattern/Kokkos_LocationReducers.hpp.
#define KOKKOS_IMPL_REDUCER(NAME, T, VALUE, OPERATION)                                                \
  template <class T, class Space = HostSpace>                                                         \
  class NAME : public Impl::OperationReducer<Impl::OPERATION, VALUE<Impl::unqualified_t<T>>, Space> { \
   public:                                                                                            \
    /** Marks the type as a reducer. */                                                               \
    using reducer = NAME;                                                                             \
    using NAME::OperationReducer::OperationReducer;                                                   \
  };                                                                                                  \
  /** `NAME(view)` deduces both parameters from a view of rank 0. */                                  \
  template <class T, class... Properties>                                                             \
  KOKKOS_DEDUCTION_GUIDE NAME(View<VALUE<T>, Properties...> const&)                                   \
      -> NAME<T, typename View<VALUE<T>, Properties...>::memory_space>;

/// The sum, by +=. Value type: Scalar. Identity: `reduction_identity<Scalar>::sum()`, which is 0.
KOKKOS_IMPL_REDUCER(Sum, Scalar, Impl::OneValue, AddValues)

/// The product, by *=. Value type: Scalar. Identity: `reduction_identity<Scalar>::prod()`, which is 1.
KOKKOS_IMPL_REDUCER(Prod, Scalar, Impl::OneValue, MultiplyValues)

/// The smallest value, by <. Value type: Scalar. Identity: `reduction_identity<Scalar>::min()`, the largest finite
/// number. Ties: any of the equal values. Joining a NaN changes nothing.
KOKKOS_IMPL_REDUCER(Min, Scalar, Impl::OneValue, SmallerValue)

/// The largest value, by >. Value type: Scalar. Identity: `reduction_identity<Scalar>::max()`, the lowest finite
/// number. Ties: any of the equal values. Joining a NaN changes nothing.
KOKKOS_IMPL_REDUCER(Max, Scalar, Impl::OneValue, LargerValue)

/// Whether all values are true, by &&. Value type: Scalar. Identity: `reduction_identity<Scalar>::land()`, which is
/// true.
KOKKOS_IMPL_REDUCER(LAnd, Scalar, Impl::OneValue, AllTrue)

/// Whether any value is true, by ||. Value type: Scalar. Identity: `reduction_identity<Scalar>::lor()`, which is false.
KOKKOS_IMPL_REDUCER(LOr, Scalar, Impl::OneValue, AnyTrue)

/// The bits that are set in all values, by &. Value type: Scalar. Identity: `reduction_identity<Scalar>::band()`, all
/// bits.
KOKKOS_IMPL_REDUCER(BAnd, Scalar, Impl::OneValue, CommonBits)

/// The bits that are set in any value, by |. Value type: Scalar. Identity: `reduction_identity<Scalar>::bor()`, no
/// bits.
KOKKOS_IMPL_REDUCER(BOr, Scalar, Impl::OneValue, UnitedBits)

/// The result of MinMax.
template <class Scalar>
struct MinMaxScalar {
  Scalar min_val;  ///< the smallest value
  Scalar max_val;  ///< the largest value
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

/// The smallest and the largest value. Value type: `MinMaxScalar<Scalar>`. Identities and ties: those of Min and Max.
KOKKOS_IMPL_REDUCER(MinMax, Scalar, MinMaxScalar, BothExtrema)

}  // namespace Kokkos

#endif
