// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_VIEWERRORS_HPP
#define KOKKOS_VIEW_VIEWERRORS_HPP

/// \file
/// The errors of views. Messages are composed out of line from numbers, so that a check costs only a branch at its
/// place.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Abort.hpp>
#include <impl/view/Kokkos_ViewExtents.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// An element of `extents` above this was a negative number, or exceeds any memory.
inline constexpr std::size_t largest_extent = ~std::size_t(0) >> 1;

// Each of these ends the program by Kokkos::abort, unless an exception is documented. `label` may be empty.

/// "Kokkos::View: out of bounds access to "a": index (3, 7), extents (4, 5)."
[[noreturn]] void abort_out_of_bounds(char const* label, std::size_t rank, ExtentList const& index,
                                      ExtentList const& extents);
/// The host was about to dereference a pointer into memory of `space`.
[[noreturn]] void abort_inaccessible(char const* label, char const* space);
/// Slice number `dimension` of a subview selects [begin, end) of `extent`.
[[noreturn]] void abort_bad_slice(char const* label, std::size_t dimension, std::size_t begin, std::size_t end,
                                  std::size_t extent, bool is_index);
/// The assigned view has other extents, strides or alignment.
[[noreturn]] void abort_extent_mismatch(char const* label, std::size_t dimension, std::size_t found,
                                        std::size_t demanded);
[[noreturn]] void abort_layout_mismatch(char const* label, char const* layout, std::size_t rank,
                                        ExtentList const& extents, ExtentList const& strides);
[[noreturn]] void abort_misaligned(char const* label, void const* data);
/// access(i0, ...) received a nonzero index beyond the rank.
[[noreturn]] void abort_extra_index(char const* label, std::size_t position, std::size_t index, std::size_t rank);
/// The stride of rows in a layout object is less than their extent, so rows would overlap.
[[noreturn]] void abort_short_row_stride(std::size_t stride, std::size_t extent);
/// A constructor received the wrong number of extents.
[[noreturn]] void abort_extent_count(std::size_t given, std::size_t rank_dynamic, std::size_t rank);
/// A layout object has the wrong number of extents.
[[noreturn]] void abort_layout_rank(char const* label, std::size_t found, std::size_t rank_dynamic, std::size_t rank);

/// Checks the extents of a constructor call. Aborts if a number was negative (bit r of `negative`) or if an extent
/// differs from the static one; throws Experimental::RawMemoryAllocationFailure if the size in bytes overflows.
void check_extents(char const* label, char const* space, ExtentList const& extents, unsigned negative,
                   ExtentList const& static_extents, std::size_t rank, std::size_t element_size);

/// Throws Experimental::RawMemoryAllocationFailure: with these strides, or with padding, the size in bytes overflows.
[[noreturn]] void throw_too_large_span(char const* label, char const* space, ExtentList const& extents,
                                       ExtentList const& strides, std::size_t rank, std::size_t element_size);

/// Device code cannot compose strings.
KOKKOS_INLINE_FUNCTION void abort_on_device([[maybe_unused]] char const* sentence) {
  KOKKOS_IF_ON_DEVICE((Kokkos::abort(sentence);))
}

}  // namespace Kokkos::Impl

#endif
