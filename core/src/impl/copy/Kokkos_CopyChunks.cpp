// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Cuts copies into chunks.

#include <impl/copy/Kokkos_CopyChunks.hpp>

#include <algorithm>

namespace Kokkos::Impl {

bool PackedOrder::other_is_packed() const {
  std::size_t packed = 1;
  for (int d = 0; d < rank; ++d) {
    if (dimension[d].other != packed) return false;
    packed *= dimension[d].extent;
  }
  return true;
}

PackedOrder packed_order(CopyPlan const& plan, CopyEnd end) {
  PackedOrder order{end, plan.element_bytes, plan.size(), 1, 0, {}};
  auto put = [&](CopyDimension const& dim) {
    if (dim.extent == 1) return;
    bool const by_dst                = end == CopyEnd::dst;
    PackedOrder::Dimension const add = {dim.extent, by_dst ? dim.dst_stride : dim.src_stride,
                                        by_dst ? dim.src_stride : dim.dst_stride};
    int at                           = order.rank++;
    for (; at > 0 && order.dimension[at - 1].stride > add.stride; --at) order.dimension[at] = order.dimension[at - 1];
    order.dimension[at] = add;
  };
  if (plan.block > 1) put({plan.block, 1, 1});
  for (int d = 0; d < plan.rank; ++d) put(plan.dimension[d]);
  for (int d = 0; d < order.rank && order.dimension[d].stride == order.run; ++d) order.run *= order.dimension[d].extent;
  return order;
}

CopyChunks::CopyChunks(PackedOrder const& order, std::size_t limit) : m_order(order) {
  limit = std::max<std::size_t>(limit, 1);
  while (m_level + 1 < order.rank && m_inner * order.dimension[m_level].extent <= limit)
    m_inner *= order.dimension[m_level++].extent;
  if (order.rank > 0) m_piece = std::clamp<std::size_t>(limit / m_inner, 1, order.dimension[m_level].extent);
}

bool CopyChunks::next(CopyChunk* chunk) {
  if (m_first >= m_order.size) return false;
  CopySide packed, own, other;
  std::size_t rest   = m_first / m_inner;  // combined index of dimension m_level and the outer dimensions
  std::size_t stride = 1;
  *chunk             = CopyChunk{m_first, 0, 0, 0, {}, {}};
  for (int d = 0; d < m_order.rank; ++d) {
    PackedOrder::Dimension const& dim = m_order.dimension[d];
    std::size_t extent                = dim.extent;
    if (d >= m_level) {
      std::size_t const index = rest % dim.extent;
      rest /= dim.extent;
      chunk->own_offset += index * dim.stride;
      chunk->other_offset += index * dim.other;
      extent = d > m_level ? 1 : std::min(m_piece, dim.extent - index);
    }
    packed.extent[d] = own.extent[d] = other.extent[d] = extent;
    packed.stride[d]                                   = stride;
    own.stride[d]                                      = dim.stride;
    other.stride[d]                                    = dim.other;
    stride *= extent;
  }
  packed.rank = own.rank = other.rank = static_cast<std::size_t>(m_order.rank);
  chunk->count                        = stride;
  bool const to_own                   = m_order.end == CopyEnd::dst;
  std::size_t const unit              = m_order.element_bytes;
  chunk->own_plan                     = to_own ? plan_copy(unit, own, packed) : plan_copy(unit, packed, own);
  chunk->plan                         = to_own ? plan_copy(unit, packed, other) : plan_copy(unit, other, packed);
  m_first += stride;
  return true;
}

}  // namespace Kokkos::Impl
