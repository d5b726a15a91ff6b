// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYPLAN_HPP
#define KOKKOS_COPY_COPYPLAN_HPP

/// \file
/// The shape of a copy or a fill, independent of the views' ranks, layouts and types, and its division into chunks.

#include <Kokkos_Macros.hpp>
#include <impl/view/Kokkos_Allocation.hpp>

#include <cstddef>

namespace Kokkos::Impl {

class CopyReport;

inline constexpr int copy_max_rank = 8;

/// The description of one side of a copy, from its view.
struct CopySide {
  void const* data                  = nullptr;
  char const* label                 = "";
  char const* space                 = "";       ///< name of the memory space
  AllocationTracker const* owner    = nullptr;  ///< null if no view owns the memory
  bool is_variable                  = false;    ///< of the host
  std::size_t rank                  = 0;
  std::size_t extent[copy_max_rank] = {};
  std::size_t stride[copy_max_rank] = {};  ///< in elements

  /// Number of elements.
  std::size_t size() const;
  /// The distance from the first to the last element, inclusive.
  std::size_t span() const;
};

/// A dimension of a plan; strides in elements.
struct CopyDimension {
  std::size_t extent;
  std::size_t dst_stride;
  std::size_t src_stride;
};

/// The elements to copy: blocks that are contiguous on both sides, in `rank` dimensions.
///
/// Dimensions are ordered by their stride in dst, the smallest first. None has extent 1, and no two of them can be
/// merged. So rank 0 is one contiguous block (a memcpy), and rank 1 is blocks with a pitch on each side (a memcpy2D).
struct CopyPlan {
  std::size_t element_bytes              = 0;
  std::size_t block                      = 0;  ///< number of elements in a block; 0 if there is nothing to copy
  int rank                               = 0;
  CopyDimension dimension[copy_max_rank] = {};

  /// Number of blocks.
  KOKKOS_FUNCTION std::size_t blocks() const {
    std::size_t n = 1;
    for (int d = 0; d < rank; ++d) n *= dimension[d].extent;
    return n;
  }
  /// Number of elements.
  KOKKOS_FUNCTION std::size_t size() const { return block * blocks(); }
  /// Number of bytes to write.
  KOKKOS_FUNCTION std::size_t bytes() const { return size() * element_bytes; }
};

/// A copy of bytes in memory, of elements of one trivially copyable type.
struct CopyJob {
  CopyPlan plan;
  void* dst;
  void const* src;
  AllocationTracker const* dst_owner = nullptr;  ///< null if no view owns the memory
  AllocationTracker const* src_owner = nullptr;
  char const* dst_label              = "";
  char const* src_label              = "";
  CopyReport* report                 = nullptr;  ///< detached by a route if the copy outlives the call
  bool dst_is_variable               = false;    ///< of the host
};

/// A fill of elements with one value of a trivially copyable type; the plan's src strides are meaningless.
struct FillJob {
  CopyPlan plan;
  void* dst;
  void const* element;   ///< plan.element_bytes bytes, on the host
  bool is_byte_pattern;  ///< whether all bytes of the element are equal
  AllocationTracker const* dst_owner = nullptr;
  CopyReport* report                 = nullptr;
};

/// The plan of a copy between two sides of equal extents.
CopyPlan plan_copy(std::size_t element_bytes, CopySide const& dst, CopySide const& src);
/// The plan of a fill.
CopyPlan plan_fill(std::size_t element_bytes, CopySide const& dst);

/// The plan as nested loops over single elements, the innermost first: its blocks have one element, and their own
/// elements are a dimension. There is always an innermost loop.
CopyPlan loops_of(CopyPlan const& plan);

/// Checks that the views can be copied.
/// \throws std::runtime_error if the extents differ, with both labels and all extents in the message, or if a view has
/// extents but no memory.
void require_copyable(CopySide const& dst, CopySide const& src);
void require_memory(CopySide const& side);

/// Whether both sides are the same elements, so that there is nothing to copy.
/// \throws std::runtime_error if both are contiguous and overlap without being the same.
///
/// The spans of strided views may overlap although the views share no element (two rows of a matrix), so these are not
/// checked.
bool is_copy_to_itself(CopySide const& dst, std::size_t dst_element_bytes, CopySide const& src,
                       std::size_t src_element_bytes);

/// Whether all bytes are equal.
bool is_byte_pattern(void const* element, std::size_t bytes);

// ---- a copy through a temporary of bounded size -----------------------------------------------------------------------

// The *packed* sequence contains the elements without gaps, in the order of addresses on one chosen side: the side that
// is expensive to read in any other order (the host's, for a copy between host and device). The code for the other side
// reorders each chunk.

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
