// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_SLICE_HPP
#define KOKKOS_VIEW_SLICE_HPP

/// \file
/// The arguments that select a part of one dimension: an index, a pair [begin, end), or ALL.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Pair.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos {

/// Selects a whole dimension in subview.
struct ALL_t {
  KOKKOS_FUNCTION constexpr ALL_t const& operator()() const { return *this; }     ///< so that `ALL()` is ALL
  KOKKOS_FUNCTION constexpr bool operator==(ALL_t const&) const { return true; }  ///< always true
};
/// `Kokkos::ALL` and `Kokkos::ALL()` are equivalent.
inline constexpr ALL_t ALL{};

namespace Impl {

enum class SliceKind : unsigned char { index, range, all, invalid };

template <class T>
inline constexpr bool is_index_range_v = false;
template <class A, class B>
inline constexpr bool is_index_range_v<std::pair<A, B>> = std::is_convertible_v<A, std::size_t>;
template <class A, class B>
inline constexpr bool is_index_range_v<Kokkos::pair<A, B>> = std::is_convertible_v<A, std::size_t>;

template <class T>
inline constexpr SliceKind slice_kind_v =
    std::is_same_v<T, ALL_t>                                                ? SliceKind::all
    : is_index_range_v<T>                                                   ? SliceKind::range
    : std::is_convertible_v<T, std::size_t> && !std::is_floating_point_v<T> ? SliceKind::index
                                                                            : SliceKind::invalid;

template <class S>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t slice_begin([[maybe_unused]] S const& slice) {
  if constexpr (slice_kind_v<S> == SliceKind::range)
    return static_cast<std::size_t>(slice.first);
  else if constexpr (slice_kind_v<S> == SliceKind::index)
    return static_cast<std::size_t>(slice);
  else
    return 0;
}

template <class S>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t slice_end([[maybe_unused]] S const& slice,
                                                            [[maybe_unused]] std::size_t extent) {
  if constexpr (slice_kind_v<S> == SliceKind::range)
    return static_cast<std::size_t>(slice.second);
  else if constexpr (slice_kind_v<S> == SliceKind::index)
    return static_cast<std::size_t>(slice) + 1;
  else
    return extent;
}

}  // namespace Impl
}  // namespace Kokkos

#endif
