// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_OFFSETRANGES_HPP
#define KOKKOS_IMPL_OFFSETRANGES_HPP

/// \file
/// The indices of an OffsetView: the ranges that its constructors take, and the first indices that it stores.

#include <Kokkos_Array.hpp>
#include <Kokkos_Pair.hpp>
#include <Kokkos_View.hpp>
#include <impl/Kokkos_ContainerErrors.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The first and the last index of a dimension, written as {first, last}, or as a pair or array of both.
struct OffsetRange {
  OffsetRange() = default;
  template <class A, class B>
    requires(std::is_convertible_v<A, std::int64_t> && std::is_convertible_v<B, std::int64_t>)
  OffsetRange(A const& a, B const& b)
      : first(static_cast<std::int64_t>(a)), last(static_cast<std::int64_t>(b)), is_given(true) {}
  template <class A, class B>
  OffsetRange(std::pair<A, B> const& range) : OffsetRange(range.first, range.second) {}
  template <class A, class B>
  OffsetRange(Kokkos::pair<A, B> const& range) : OffsetRange(range.first, range.second) {}
  template <class I>
  OffsetRange(Kokkos::Array<I, 2> const& range) : OffsetRange(range[0], range[1]) {}

  std::int64_t first = 0, last = 0;
  bool is_given = false;
};

/// A distinct type, like the sizes of views: so while a kernel writes integers, the compiler knows that these do not
/// change.
enum class StoredOffset : std::int64_t {};

template <std::size_t Rank>
class OffsetBegins {
 public:
  KOKKOS_DEFAULTED_FUNCTION OffsetBegins() = default;
  KOKKOS_FUNCTION OffsetBegins(std::int64_t const* begins, std::size_t n) {
    if (n != Rank) {
      KOKKOS_IF_ON_HOST((abort_offset_count(n, Rank);))
      abort_on_device("Kokkos::OffsetView: there must be one index for each dimension to begin at.");
    }
    for (std::size_t r = 0; r < Rank; ++r) m_value[r] = StoredOffset{begins[r]};
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](std::size_t r) const {
    return static_cast<std::int64_t>(m_value[r]);
  }

 private:
  StoredOffset m_value[Rank == 0 ? 1 : Rank] = {};
};

/// The number of indices in [begin, end).
KOKKOS_INLINE_FUNCTION std::size_t offset_extent(std::size_t dimension, std::int64_t begin, std::int64_t end) {
  std::size_t const extent = static_cast<std::size_t>(end) - static_cast<std::size_t>(begin);
  if (end < begin || extent > largest_extent) {
    KOKKOS_IF_ON_HOST((abort_offset_range(dimension, begin, end);))
    abort_on_device("Kokkos::OffsetView: the indices of a dimension end before they begin, or are too many.");
  }
  return extent;
}

template <std::size_t Rank>
struct OffsetRanges {
  OffsetRanges(OffsetRange const (&ranges)[ARRAY_LAYOUT_MAX_RANK]) {
    std::int64_t first[ARRAY_LAYOUT_MAX_RANK];
    std::size_t given = 0;
    for (; given < ARRAY_LAYOUT_MAX_RANK && ranges[given].is_given; ++given) {
      OffsetRange const& range = ranges[given];
      first[given]             = range.first;
      // One more than the last index may not be representable.
      extent[given] = range.last >= range.first ? offset_extent(given, range.first, range.last) + 1
                                                : offset_extent(given, range.first, range.last + 1);
    }
    begins = OffsetBegins<Rank>(first, given);
  }

  template <class Layout>
  Layout layout() const {
    Layout result;
    for (std::size_t r = 0; r < Rank; ++r) result.dimension[r] = extent[r];
    return result;
  }

  std::size_t extent[ARRAY_LAYOUT_MAX_RANK] = {};
  OffsetBegins<Rank> begins;
};

/// A layout object for indices in [begins, ends).
template <class Layout, std::size_t Rank>
KOKKOS_FUNCTION Layout layout_between(std::int64_t const* begins, std::size_t number_of_begins,
                                      std::int64_t const* ends, std::size_t number_of_ends) {
  if (number_of_begins != Rank || number_of_ends != Rank) {
    KOKKOS_IF_ON_HOST((abort_offset_count(number_of_begins != Rank ? number_of_begins : number_of_ends, Rank);))
    abort_on_device("Kokkos::OffsetView: there must be one index for each dimension to begin and to end at.");
  }
  Layout layout;
  for (std::size_t r = 0; r < Rank; ++r) layout.dimension[r] = offset_extent(r, begins[r], ends[r]);
  return layout;
}

/// Converts a slice of indices that start at `begin` to a slice of indices that start at 0.
template <class S>
KOKKOS_FORCEINLINE_FUNCTION auto slice_from(S const& slice, [[maybe_unused]] std::int64_t begin) {
  if constexpr (slice_kind_v<S> == SliceKind::range)
    return Kokkos::pair<std::size_t, std::size_t>(
        static_cast<std::size_t>(static_cast<std::int64_t>(slice.first) - begin),
        static_cast<std::size_t>(static_cast<std::int64_t>(slice.second) - begin));
  else if constexpr (slice_kind_v<S> == SliceKind::index)
    return static_cast<std::size_t>(static_cast<std::int64_t>(slice) - begin);
  else
    return slice;
}

}  // namespace Kokkos::Impl

#endif
