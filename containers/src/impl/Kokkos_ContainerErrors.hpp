// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_CONTAINERERRORS_HPP
#define KOKKOS_IMPL_CONTAINERERRORS_HPP

/// \file
/// Errors of containers. Messages are composed out of line, so that a check costs only a branch at its place.

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Impl {

// Each of these ends the program by Kokkos::abort, unless an exception is documented. `label` may be empty.

[[noreturn]] void abort_dual_view_modified_on_both_sides(std::string const& label, char const* side);
/// With DEPRECATED_CODE_4 one warning, since Kokkos 4 accepts two views, and sync copies nothing between them.
void refuse_dual_view_of_two_views(std::string const& label, std::string const& other);
/// \throws std::runtime_error
[[noreturn]] void throw_sync_of_const_dual_view(std::string const& label, char const* side);

/// A deep_copy between containers with different numbers of `what`.
/// \throws std::runtime_error
[[noreturn]] void throw_sizes_differ(char const* type, char const* what, std::size_t dst, std::size_t src);
/// Like `throw_sizes_differ` above, for an UnorderedMap with Kokkos_ENABLE_DEPRECATED_CODE_4, which allocates instead:
/// one warning in a run.
void warn_copy_allocates_map(std::string const& label, std::size_t dst, std::size_t src);
/// The program requested more elements for an UnorderedMap than an index can represent.
/// \throws std::runtime_error
[[noreturn]] void throw_map_too_large(std::string const& label, std::size_t elements, std::size_t most);

/// A DynRankView of rank `rank`: `what` received `found`, which must equal the rank.
[[noreturn]] void abort_rank_mismatch(std::string const& label, char const* what, std::size_t found, std::size_t rank);
/// \throws std::runtime_error
[[noreturn]] void throw_ranks_differ(std::string const& dst_label, std::size_t dst, std::string const& src_label,
                                     std::size_t src);

/// An OffsetView of rank `rank` was constructed with `found` first (or last) indices.
[[noreturn]] void abort_offset_count(std::size_t found, std::size_t rank);
/// The indices of a dimension of an OffsetView would be in [begin, end).
[[noreturn]] void abort_offset_range(std::size_t dimension, std::int64_t begin, std::int64_t end);
/// resize_serial was called for `wanted` elements.
/// \throws std::runtime_error
[[noreturn]] void throw_dynamic_view_too_small(std::string const& label, std::size_t wanted, std::size_t most);

}  // namespace Kokkos::Impl

#endif
