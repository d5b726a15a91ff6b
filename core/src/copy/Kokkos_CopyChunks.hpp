// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYCHUNKS_HPP
#define KOKKOS_COPY_COPYCHUNKS_HPP

/// \file
/// A copy through a temporary of bounded size: in chunks, in the order in which one side stores the elements.
///
/// The *packed* sequence has the elements without gaps, in the order of addresses on the side that is chosen: that
/// where reading in any other order is dear (the host's, for a copy between host and device). Whoever reaches the other
/// side brings each chunk into that order, or out of it.

#include <copy/Kokkos_CopyPlan.hpp>

#include <cstddef>

namespace Kokkos::Impl {

enum class CopyEnd { dst, src };

/// All elements of a copy in the order of one of its sides.
struct PackedOrder {
  struct Dimension {
    std::size_t extent;
    std::size_t stride;  ///< on the side whose order it is, in elements; ascending
    std::size_t other;   ///< on the other side
  };
  CopyEnd end;
  std::size_t element_bytes;
  std::size_t size;  ///< elements
  std::size_t run;   ///< elements that are next to one another on the side whose order it is
  int rank;          ///< at least 1 unless there is a single element
  Dimension dimension[copy_max_rank];

  /// That side has no gaps: the packed sequence is its memory.
  bool is_dense() const { return run == size; }
  /// The other side has the same order and no gaps.
  bool other_is_packed() const;
};
PackedOrder packed_order(CopyPlan const& plan, CopyEnd end);

/// A part of the packed sequence, and how it is moved through the temporary. Offsets are in elements.
struct CopyChunk {
  std::size_t first;  ///< in the packed sequence
  std::size_t count;
  std::size_t own_offset;    ///< of the first element on the side whose order it is
  std::size_t other_offset;  ///< ... and on the other side
  CopyPlan own_plan;         ///< between that side and the temporary, which takes the place of the other side
  CopyPlan plan;             ///< between the temporary, which takes the place of that side, and the other side
};

/// The chunks of a copy, one after the other:
///
///     CopyChunks chunks(order, limit);
///     for (CopyChunk chunk; chunks.next(&chunk);) ...
class CopyChunks {
 public:
  /// Chunks of at most `limit` elements (at least 1), and of at least half as many where the extents allow it.
  CopyChunks(PackedOrder const& order, std::size_t limit);
  bool next(CopyChunk* chunk);

 private:
  PackedOrder const& m_order;
  int m_level         = 0;  // the dimension that is cut; those below are whole
  std::size_t m_inner = 1;  // elements of the dimensions below
  std::size_t m_piece = 1;  // indices of the dimension that a chunk has
  std::size_t m_first = 0;
};

}  // namespace Kokkos::Impl

#endif
