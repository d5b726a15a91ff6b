// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MIN_MAX_HPP
#define KOKKOS_MIN_MAX_HPP

/// \file
/// `min`, `max` and `minmax` of the standard library's <algorithm>, also in kernels.
///
/// As in the standard, min and max return the first of equivalent values, while minmax returns the first as the
/// smallest and the last as the largest. A list must contain at least one value.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Clamp.hpp>
#include <Kokkos_Pair.hpp>

#include <initializer_list>

namespace Kokkos {

namespace Impl {

/// std::less<void> without <functional>, and for kernels.
struct Less {
  template <class A, class B>
  KOKKOS_FUNCTION constexpr bool operator()(A const& a, B const& b) const {
    return a < b;
  }
};

}  // namespace Impl

/// The smaller value; `a` if both are equivalent. The reference is one of the arguments. `before(a, b)` is true if a is
/// ordered before b.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& min(T const& a, T const& b, Before before) {
  return before(b, a) ? b : a;
}

/// The smaller value by <; `a` if both are equivalent. The reference is one of the arguments.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& min(T const& a, T const& b) {
  return b < a ? b : a;
}

/// The first of the smallest values. `before(a, b)` is true if a is ordered before b.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr T min(std::initializer_list<T> values, Before before) {
  T const* least = values.begin();
  for (T const* v = least + 1; v < values.end(); ++v) {
    if (before(*v, *least)) least = v;
  }
  return *least;
}

/// The first of the smallest values by <.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr T min(std::initializer_list<T> values) {
  return Kokkos::min(values, Impl::Less{});
}

/// The larger value; `a` if both are equivalent. The reference is one of the arguments. `before(a, b)` is true if a is
/// ordered before b.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& max(T const& a, T const& b, Before before) {
  return before(a, b) ? b : a;
}

/// The larger value by <; `a` if both are equivalent. The reference is one of the arguments.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr T const& max(T const& a, T const& b) {
  return a < b ? b : a;
}

/// The first of the largest values. `before(a, b)` is true if a is ordered before b.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr T max(std::initializer_list<T> values, Before before) {
  T const* greatest = values.begin();
  for (T const* v = greatest + 1; v < values.end(); ++v) {
    if (before(*greatest, *v)) greatest = v;
  }
  return *greatest;
}

/// The first of the largest values by <.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr T max(std::initializer_list<T> values) {
  return Kokkos::max(values, Impl::Less{});
}

/// The smaller and the larger value. The pair refers to the arguments, which must outlive it.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr pair<T const&, T const&> minmax(T const& a, T const& b, Before before) {
  using result = pair<T const&, T const&>;
  return before(b, a) ? result(b, a) : result(a, b);
}

/// The smaller and the larger value by <. The pair refers to the arguments, which must outlive it.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr pair<T const&, T const&> minmax(T const& a, T const& b) {
  return Kokkos::minmax(a, b, Impl::Less{});
}

/// The first of the smallest values and the last of the largest values. `before(a, b)` is true if a is ordered before
/// b.
template <class T, class Before>
[[nodiscard]] KOKKOS_FUNCTION constexpr pair<T, T> minmax(std::initializer_list<T> values, Before before) {
  T const* least    = values.begin();
  T const* greatest = least;
  for (T const* v = least + 1; v < values.end(); ++v) {
    if (before(*v, *least)) least = v;
    if (!before(*v, *greatest)) greatest = v;
  }
  return pair<T, T>(*least, *greatest);
}

/// The first of the smallest values and the last of the largest values by <.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION constexpr pair<T, T> minmax(std::initializer_list<T> values) {
  return Kokkos::minmax(values, Impl::Less{});
}

}  // namespace Kokkos

#endif
