// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMIC_OPERATORS_HPP
#define KOKKOS_ATOMIC_OPERATORS_HPP

/// \file
/// The operations of atomic updates: each is a pure function from the old value to the new value.

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace Kokkos::Impl {

// A type with `a + b` is updated by that; a type with only `a += b`, by that. The conversion to T undoes integral
// promotion.
#define KOKKOS_IMPL_ATOMIC_BINARY(NAME, SIGN)                                  \
  struct NAME {                                                                \
    template <class T, class U>                                                \
    KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, U const& by) { \
      if constexpr (requires { static_cast<T>(before SIGN by); }) {            \
        return static_cast<T>(before SIGN by);                                 \
      } else {                                                                 \
        T after(before);                                                       \
        after SIGN## = by;                                                     \
        return after;                                                          \
      }                                                                        \
    }                                                                          \
  };

KOKKOS_IMPL_ATOMIC_BINARY(AtomicPlus, +)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicMinus, -)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicTimes, *)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicDiv, /)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicMod, %)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicAnd, &)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicOr, |)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicXor, ^)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicLShift, <<)
KOKKOS_IMPL_ATOMIC_BINARY(AtomicRShift, >>)

#undef KOKKOS_IMPL_ATOMIC_BINARY

// Atomic instructions wrap around, also for signed integers; operations without an instruction must agree.
template <class T>
inline constexpr bool wraps_around_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;

struct AtomicAdd {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    if constexpr (wraps_around_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(before) + static_cast<Unsigned>(by));
    } else {
      return AtomicPlus::apply(before, by);
    }
  }
};

struct AtomicSub {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    if constexpr (wraps_around_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(before) - static_cast<Unsigned>(by));
    } else {
      return AtomicMinus::apply(before, by);
    }
  }
};

struct AtomicMul {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    if constexpr (wraps_around_v<T>) {
      // At least unsigned: two factors of 16 bits are promoted to int, which their product may exceed.
      using Unsigned = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
      return static_cast<T>(static_cast<Unsigned>(before) * static_cast<Unsigned>(by));
    } else {
      return AtomicTimes::apply(before, by);
    }
  }
};

struct AtomicNand {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    return static_cast<T>(~(before & by));
  }
};

// Comparisons with a NaN are false, so neither min nor max replaces a value by a NaN.
//
// `keeps` reports that `apply` returns its first argument. These operations often do, and it takes one comparison to
// find out.
struct AtomicMin {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static bool keeps(T const& before, T const& by) {
    return !(by < before);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    return keeps(before, by) ? before : by;
  }
};

struct AtomicMax {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static bool keeps(T const& before, T const& by) {
    return !(before < by);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& by) {
    return keeps(before, by) ? before : by;
  }
};

/// The second operand of an operation that has none.
struct AtomicNoOperand {};

struct AtomicInc {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, AtomicNoOperand) {
    if constexpr (wraps_around_v<T>) {
      return AtomicAdd::apply(before, T(1));
    } else {
      T after(before);
      after++;
      return after;
    }
  }
};

struct AtomicDec {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, AtomicNoOperand) {
    if constexpr (wraps_around_v<T>) {
      return AtomicSub::apply(before, T(1));
    } else {
      T after(before);
      after--;
      return after;
    }
  }
};

/// Increments up to the bound, then restarts at 0.
struct AtomicIncMod {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& bound) {
    return before >= bound ? T(0) : static_cast<T>(before + 1);
  }
};

/// Decrements down to 0, then restarts at the bound; a value above the bound becomes the bound.
struct AtomicDecMod {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T apply(T const& before, T const& bound) {
    return before == T(0) || before > bound ? bound : static_cast<T>(before - 1);
  }
};

}  // namespace Kokkos::Impl

#endif
