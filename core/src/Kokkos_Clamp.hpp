// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CLAMP_HPP
#define KOKKOS_CLAMP_HPP

/// \file
/// `clamp` of the standard library's <algorithm>, also in kernels.

#include <Kokkos_Macros.hpp>

namespace Kokkos {

/// \return `low` if `before(value, low)`, `high` if `before(high, value)`, otherwise `value`.
/// \pre `before(high, low)` is false.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& clamp(T const& value, T const& low, T const& high, Before before) {
  if (before(value, low)) return low;
  return before(high, value) ? high : value;
}

/// Like `clamp` above, with `operator<`. A value that is equivalent to a bound is itself returned.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& clamp(T const& value, T const& low, T const& high) {
  if (value < low) return low;
  return high < value ? high : value;
}

}  // namespace Kokkos

#endif
