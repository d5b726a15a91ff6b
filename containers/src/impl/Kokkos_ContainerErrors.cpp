// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/Kokkos_ContainerErrors.hpp>
#include <Kokkos_Abort.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <mutex>

namespace Kokkos::Impl {

namespace {

/// `Kokkos::DualView "a"`
std::string named(char const* type, std::string const& label) {
  return std::string("Kokkos::") + type + (label.empty() ? " (without a label)" : " \"" + label + "\"");
}

[[noreturn]] void abort_with(std::string const& sentence) { Kokkos::abort(sentence.c_str()); }

}  // namespace

void abort_dual_view_modified_on_both_sides(std::string const& label, char const* side) {
  std::string const other = side[0] == 'h' ? "device" : "host";
  abort_with(named("DualView", label) + ": modify was called for the " + side + " side while the " + other +
             " side has changes that were not copied; one of the changes would be lost. Call sync before modify, or "
             "clear_sync_state to drop the changes of the " +
             other + " side.");
}

void refuse_dual_view_of_two_views(std::string const& label, std::string const& other) {
  std::string const sentence =
      named("DualView", label) +
      ": host and device use the same memory, so both views must refer to the same elements, but the host view \"" +
      other + "\" refers to other elements. Pass the device view twice.";
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static int warned = 0;
  warn_once(warned, sentence + " As in Kokkos 4, sync copies nothing between the two.");
#else
  abort_with(sentence);
#endif
}

void throw_sync_of_const_dual_view(std::string const& label, char const* side) {
  throw_runtime_exception(named("DualView", label) + ": sync of the " + side +
                          " side has changes to copy, but the elements are const. Call sync on the DualView of "
                          "elements that are not const.");
}

void throw_sizes_differ(char const* type, char const* what, std::size_t dst, std::size_t src) {
  throw_runtime_exception(std::string("Kokkos::deep_copy: the destination, a ") + type + ", has " +
                          std::to_string(dst) + " " + what + ", but the source has " + std::to_string(src) +
                          "; the numbers must be equal.");
}

void warn_copy_allocates_map(std::string const& label, std::size_t dst, std::size_t src) {
#if defined(KOKKOS_ENABLE_DEPRECATED_CODE_4) && defined(KOKKOS_ENABLE_DEPRECATION_WARNINGS)
  static std::once_flag once;
  std::call_once(once, [&] {
    warn("Kokkos::deep_copy: the destination " + named("UnorderedMap", label) + " has a capacity of " +
         std::to_string(dst) + ", but the source has " + std::to_string(src) +
         ", so the destination gets new memory. This is deprecated; call create_copy_view, or create the destination "
         "by create_mirror.");
  });
#else
  (void)label, (void)dst, (void)src;
#endif
}

void throw_map_too_large(std::string const& label, std::size_t elements, std::size_t most) {
  throw_runtime_exception(named("UnorderedMap", label) + ": a capacity of " + std::to_string(elements) +
                          " elements was requested, but an index can represent at most " + std::to_string(most) + ".");
}

void abort_rank_mismatch(std::string const& label, char const* what, std::size_t found, std::size_t rank) {
  abort_with(named("DynRankView", label) + " of rank " + std::to_string(rank) + ": " + what + ": " +
             std::to_string(found) + ". That number must be the rank" + (rank == 7 ? ", which is at most 7." : "."));
}

void throw_ranks_differ(std::string const& dst_label, std::size_t dst, std::string const& src_label, std::size_t src) {
  throw_runtime_exception("Kokkos::deep_copy: the destination \"" + dst_label + "\" has rank " + std::to_string(dst) +
                          ", but the source \"" + src_label + "\" has rank " + std::to_string(src) +
                          "; they must be equal.");
}

void abort_offset_count(std::size_t found, std::size_t rank) {
  abort_with("Kokkos::OffsetView of rank " + std::to_string(rank) + ": constructed with indices for " +
             std::to_string(found) + " dimensions. There must be as many as dimensions.");
}

void abort_offset_range(std::size_t dimension, std::int64_t begin, std::int64_t end) {
  abort_with("Kokkos::OffsetView: the indices of dimension " + std::to_string(dimension) + " begin at " +
             std::to_string(begin) + " and end before " + std::to_string(end) + "; " +
             (end < begin ? "they must not end before they begin." : "they are too many to be counted."));
}

void throw_dynamic_view_too_small(std::string const& label, std::size_t wanted, std::size_t most) {
  throw_runtime_exception(named("DynamicView", label) + ": resize_serial was called for " + std::to_string(wanted) +
                          " elements, but the constructor's max_extent allows only " + std::to_string(most) +
                          ". Construct it with a larger max_extent.");
}

}  // namespace Kokkos::Impl
