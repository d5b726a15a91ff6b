// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYCHUNKS_HPP
#define KOKKOS_COPY_COPYCHUNKS_HPP

/// \file
/// A copy through a temporary of bounded size: in chunks, in the order in which one side stores the elements.
///
/// The *packed* sequence contains the elements without gaps, in the order of addresses on one chosen side: the side
/// that is expensive to read in any other order (the host's, for a copy between host and device). The code for the
/// other side reorders each chunk.

#include <impl/copy/Kokkos_CopyPlan.hpp>

#include <cstddef>

namespace Kokkos::Impl {

enum class CopyEnd { dst, src };

/// All elements of a copy in the order of one of its sides.
struct PackedOrder {
  struct Dimension {
    std::size_t extent;
    std::size_t stride;  ///< in elements, on the side that defines the order; ascending
    std::size_t other;   ///< in elements, on the other side
  };
  CopyEnd end;
  std::size_t element_bytes;
  std::size_t size;  ///< number of elements
  std::size_t run;   ///< number of adjacent elements on the side that defines the order
  int rank;          ///< at least 1 unless there is a single element
  Dimension dimension[copy_max_rank];

  /// Whether that side has no gaps, so that the packed sequence is its memory.
  bool is_dense() const { return run == size; }
  /// Whether the other side has the same order and no gaps.
  bool other_is_packed() const;
};
PackedOrder packed_order(CopyPlan const& plan, CopyEnd end);

/// A part of the packed sequence, and the plans that copy it through the temporary. Offsets are in elements.
struct CopyChunk {
  std::size_t first;  ///< in the packed sequence
  std::size_t count;
  std::size_t own_offset;    ///< of the first element, on the side that defines the order
  std::size_t other_offset;  ///< of the first element, on the other side
  CopyPlan own_plan;         ///< between the side that defines the order and the temporary
  CopyPlan plan;             ///< between the temporary and the other side
};

/// Iterates over the chunks of a copy:
///
///     CopyChunks chunks(order, limit);
///     for (CopyChunk chunk; chunks.next(&chunk);) ...
class CopyChunks {
 public:
  /// Chunks of at most `limit` elements (at least 1), and of at least half as many if the extents allow it.
  CopyChunks(PackedOrder const& order, std::size_t limit);
  bool next(CopyChunk* chunk);

 private:
  PackedOrder const& m_order;
  int m_level         = 0;  // the dimension that is cut; inner dimensions are whole
  std::size_t m_inner = 1;  // number of elements of the inner dimensions
  std::size_t m_piece = 1;  // number of indices of the cut dimension in a chunk
  std::size_t m_first = 0;
};

}  // namespace Kokkos::Impl

#endif
