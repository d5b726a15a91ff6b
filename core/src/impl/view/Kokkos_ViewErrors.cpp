// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/view/Kokkos_ViewErrors.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace Kokkos::Impl {
namespace {

/// Formats an index that may have been negative before its conversion.
std::string number(std::size_t n) {
  return n > largest_extent ? std::to_string(static_cast<std::ptrdiff_t>(n)) : std::to_string(n);
}

/// "(3, 4)"
std::string tuple(ExtentList const& list, std::size_t rank) {
  std::string text = "(";
  for (std::size_t r = 0; r < rank; ++r) text += (r == 0 ? "" : ", ") + number(list.value[r]);
  return text + ")";
}

/// Like tuple, for numbers that were not negative.
std::string unsigned_tuple(ExtentList const& list, std::size_t rank) {
  std::string text = "(";
  for (std::size_t r = 0; r < rank; ++r) text += (r == 0 ? "" : ", ") + std::to_string(list.value[r]);
  return text + ")";
}

/// "Kokkos::View "a"" or "Kokkos::View (no label)"
std::string view(char const* label) {
  return *label == '\0' ? "Kokkos::View (without a label)" : "Kokkos::View \"" + std::string(label) + "\"";
}

/// The numbers of extents that a view accepts.
std::string as_many_as(std::size_t rank_dynamic, std::size_t rank) {
  return "as many as there are dimensions, " + std::to_string(rank) +
         (rank_dynamic == rank ? "."
                               : ", or as many as have an extent at run time, " + std::to_string(rank_dynamic) + ".");
}

[[noreturn]] void stop(std::string const& sentence) { Kokkos::abort((sentence + in_which_kernel()).c_str()); }

// Starts like the message of a failed allocation, which programs search for.
[[noreturn]] void throw_too_large(char const* label, char const* space, ExtentList const& extents, std::size_t rank,
                                  std::size_t element_size, std::string const& strides = {}) {
  throw Experimental::RawMemoryAllocationFailure(
      space, std::numeric_limits<std::size_t>::max(), label,
      std::string("Kokkos ERROR: ") + space + " memory space failed to allocate a view (label=\"" + label +
          "\") with extents " + unsigned_tuple(extents, rank) + strides + " and elements of " +
          std::to_string(element_size) + " bytes: it is larger than the address space. Request at most " +
          std::to_string(largest_extent) +
          " bytes; an extent near 2^64 is often the result of a subtraction of unsigned numbers.");
}

}  // namespace

void abort_out_of_bounds(char const* label, std::size_t rank, ExtentList const& index, ExtentList const& extents) {
  std::string text = view(label) + " of rank " + std::to_string(rank) + ": out of bounds access at index " +
                     tuple(index, rank) + ", extents are " + tuple(extents, rank) + ".";
  for (std::size_t r = 0; r < rank; ++r)
    if (index.value[r] >= extents.value[r])
      text += " Index " + std::to_string(r) + " is " + number(index.value[r]) +
              (extents.value[r] == 0 ? ", but there is no element."
                                     : " and must be in [0, " + number(extents.value[r]) + ").");
  stop(text);
}

void abort_inaccessible(char const* label, char const* space) {
  stop(view(label) + ": an element was accessed on the host, but it is in " + space +
       " memory, which the host cannot access. Access it in a kernel of its execution space, or copy it with "
       "Kokkos::create_mirror_view_and_copy.");
}

void abort_bad_slice(char const* label, std::size_t dimension, std::size_t begin, std::size_t end, std::size_t extent,
                     bool is_index) {
  std::string const slice = is_index ? "index " + number(begin) : "[" + number(begin) + ", " + number(end) + ")";
  std::string const legal = is_index ? "an index in" : "a range within";
  stop(view(label) + ": a subview selects " + slice + " of dimension " + std::to_string(dimension) +
       ", whose extent is " + number(extent) + "; out of bounds. It must be " + legal + " [0, " + number(extent) +
       ").");
}

void abort_extent_mismatch(char const* label, std::size_t dimension, std::size_t found, std::size_t demanded) {
  stop(view(label) + ": incompatible View assignment: dimension " + std::to_string(dimension) + " has extent " +
       number(found) + ", but the data type of the view that it is assigned to fixes it to " + number(demanded) + ".");
}

void abort_layout_mismatch(char const* label, char const* layout, std::size_t rank, ExtentList const& extents,
                           ExtentList const& strides) {
  stop(view(label) + ": incompatible View assignment: extents " + tuple(extents, rank) + " with strides " +
       tuple(strides, rank) + " cannot be represented in " + layout +
       ". Assign to a view of LayoutStride, or copy with Kokkos::deep_copy.");
}

void abort_misaligned(char const* label, void const* data) {
  stop(view(label) + ": assigned to a view with the Aligned memory trait, but its first element is at address " +
       std::to_string(reinterpret_cast<std::uintptr_t>(data)) + ", which is not a multiple of " +
       std::to_string(KOKKOS_MEMORY_ALIGNMENT) + ".");
}

void abort_extra_index(char const* label, std::size_t position, std::size_t index, std::size_t rank) {
  stop(view(label) + " of rank " + std::to_string(rank) + ": access() was given " + number(index) + " as index " +
       std::to_string(position) + "; indices beyond the rank must be 0.");
}

void abort_short_row_stride(std::size_t stride, std::size_t extent) {
  stop("Kokkos::View: a layout object has the stride " + number(stride) + " for rows of extent " + number(extent) +
       ", so that rows would overlap. The stride must be at least the extent, or KOKKOS_INVALID_INDEX.");
}

void abort_layout_rank(char const* label, std::size_t found, std::size_t rank_dynamic, std::size_t rank) {
  stop(view(label) + ": constructed with a layout object that has " + std::to_string(found) +
       " extents; it must have " + as_many_as(rank_dynamic, rank));
}

void abort_extent_count(std::size_t given, std::size_t rank_dynamic, std::size_t rank) {
  stop("Kokkos::View: given " + std::to_string(given) + " extents; it must be given " + as_many_as(rank_dynamic, rank));
}

void check_extents(char const* label, char const* space, ExtentList const& extents, unsigned negative,
                   ExtentList const& static_extents, std::size_t rank, std::size_t element_size) {
  for (std::size_t r = 0; r < rank; ++r) {
    if ((negative >> r & 1) != 0)
      stop(view(label) + ": constructed with extents " + tuple(extents, rank) + "; extent " + std::to_string(r) +
           " is negative and must be 0 or more.");
    if (static_extents.value[r] != 0 && static_extents.value[r] != extents.value[r])
      stop(view(label) + ": constructed with extents " + tuple(extents, rank) + ", but the data type fixes extent " +
           std::to_string(r) + " to " + number(static_extents.value[r]) + ".");
  }
  for (std::size_t r = 0; r < rank; ++r)
    if (extents.value[r] == 0) return;
  std::size_t bytes = element_size;
  for (std::size_t r = 0; r < rank; ++r)
    if (__builtin_mul_overflow(bytes, extents.value[r], &bytes) || bytes > largest_extent)
      throw_too_large(label, space, extents, rank, element_size);
}

void throw_too_large_span(char const* label, char const* space, ExtentList const& extents, ExtentList const& strides,
                          std::size_t rank, std::size_t element_size) {
  throw_too_large(label, space, extents, rank, element_size, ", strides " + unsigned_tuple(strides, rank));
}

}  // namespace Kokkos::Impl
