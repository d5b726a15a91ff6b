// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Plans of copies, the chunks of a plan, and the errors of impossible copies.

#include <impl/copy/Kokkos_CopyRoute.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace Kokkos::Impl {

std::size_t CopySide::size() const {
  std::size_t n = 1;
  for (std::size_t r = 0; r < rank; ++r) n *= extent[r];
  return n;
}

std::size_t CopySide::span() const {
  if (size() == 0) return 0;
  std::size_t last = 0;
  for (std::size_t r = 0; r < rank; ++r) last += (extent[r] - 1) * stride[r];
  return last + 1;
}

namespace {

/// Whether `inner` and `outer` can be merged: the stride of the outer one is the length of the inner one.
bool is_one_dimension(CopyDimension const& inner, CopyDimension const& outer) {
  return outer.dst_stride == inner.extent * inner.dst_stride && outer.src_stride == inner.extent * inner.src_stride;
}

bool is_faster(CopyDimension const& a, CopyDimension const& b) {
  return a.dst_stride != b.dst_stride ? a.dst_stride < b.dst_stride : a.src_stride < b.src_stride;
}

}  // namespace

CopyPlan plan_copy(std::size_t element_bytes, CopySide const& dst, CopySide const& src) {
  CopyPlan plan;
  plan.element_bytes = element_bytes;
  if (dst.size() == 0) return plan;

  CopyDimension dims[copy_max_rank];
  int n = 0;
  for (std::size_t r = 0; r < dst.rank; ++r) {
    if (dst.extent[r] <= 1) continue;
    // An insertion sort suffices for at most eight dimensions.
    CopyDimension const dim{dst.extent[r], dst.stride[r], src.stride[r]};
    int at = n++;
    for (; at > 0 && is_faster(dim, dims[at - 1]); --at) dims[at] = dims[at - 1];
    dims[at] = dim;
  }

  // The block is a dimension of stride 1 that grows as long as the next dimension continues it.
  CopyDimension grown{1, 1, 1};
  int d = 0;
  while (d < n && is_one_dimension(grown, dims[d])) grown.extent *= dims[d++].extent;
  plan.block = grown.extent;
  for (; d < n; ++d) {
    if (plan.rank > 0 && is_one_dimension(plan.dimension[plan.rank - 1], dims[d])) {
      plan.dimension[plan.rank - 1].extent *= dims[d].extent;
    } else {
      plan.dimension[plan.rank++] = dims[d];
    }
  }
  return plan;
}

CopyPlan plan_fill(std::size_t element_bytes, CopySide const& dst) { return plan_copy(element_bytes, dst, dst); }

CopyPlan loops_of(CopyPlan const& plan) {
  if (plan.block <= 1 && plan.rank > 0) return plan;
  CopyPlan loops     = plan;
  loops.block        = 1;
  loops.dimension[0] = {plan.block, 1, 1};
  loops.rank         = plan.rank + 1;  // at most copy_max_rank: a block consists of at least one dimension of the views
  std::copy(plan.dimension, plan.dimension + plan.rank, loops.dimension + 1);
  return loops;
}

namespace {

std::string describe(CopySide const& side) {
  std::string text = "a view without a label";
  if (side.label[0] != '\0') {
    text = "\"";
    text += side.label;
    text += "\"";
  }
  text += " of extents (";
  for (std::size_t r = 0; r < side.rank; ++r) text += (r == 0 ? "" : ", ") + std::to_string(side.extent[r]);
  return text + ")";
}

std::string describe_with_strides(CopySide const& side) {
  std::string text = describe(side) + " and strides (";
  for (std::size_t r = 0; r < side.rank; ++r) text += (r == 0 ? "" : ", ") + std::to_string(side.stride[r]);
  return text + ")";
}

}  // namespace

void require_memory(CopySide const& side) {
  if (side.data != nullptr || side.size() == 0) return;
  throw_runtime_exception("Kokkos::deep_copy was given " + describe(side) +
                          ", which refers to no memory. Allocate it first: a view that was constructed without "
                          "arguments has none.");
}

void require_copyable(CopySide const& dst, CopySide const& src) {
  if (dst.rank != src.rank || !std::equal(dst.extent, dst.extent + dst.rank, src.extent)) {
    throw_runtime_exception("Kokkos::deep_copy cannot copy " + describe(src) + " to " + describe(dst) +
                            ": all extents must be equal. Copy to or from a subview, or resize one of the views.");
  }
  if (dst.data == nullptr && src.data == nullptr) return;  // both sides are empty, as for two default-constructed views
  require_memory(dst);
  require_memory(src);
}

bool is_copy_to_itself(CopySide const& dst, std::size_t dst_element_bytes, CopySide const& src,
                       std::size_t src_element_bytes) {
  // Compared as integers, because pointers into different arrays have no order.
  auto const dst_begin         = reinterpret_cast<std::uintptr_t>(dst.data);
  auto const src_begin         = reinterpret_cast<std::uintptr_t>(src.data);
  std::size_t const dst_span   = dst.span();
  std::size_t const src_span   = src.span();
  std::uintptr_t const dst_end = dst_begin + dst_span * dst_element_bytes;
  std::uintptr_t const src_end = src_begin + src_span * src_element_bytes;
  if (dst_begin >= src_end || src_begin >= dst_end) return false;
  if (dst_begin == src_begin && dst_element_bytes == src_element_bytes) {
    bool same = true;
    for (std::size_t r = 0; r < dst.rank; ++r) same = same && (dst.extent[r] == 1 || dst.stride[r] == src.stride[r]);
    if (same) return true;
  }
  if (dst_span != dst.size() || src_span != src.size()) return false;
  throw_runtime_exception(
      "Kokkos::deep_copy cannot copy " + describe_with_strides(src) + " to " + describe_with_strides(dst) +
      ": they overlap in memory without being the same elements, so the copy would overwrite its source. Copy through "
      "a third view.");
}

bool is_byte_pattern(void const* element, std::size_t bytes) {
  // All bytes are equal exactly if each equals the next.
  auto const* const b = static_cast<unsigned char const*>(element);
  return bytes > 0 && std::memcmp(b, b + 1, bytes - 1) == 0;
}

void explain_copy(CopyJob const& job, char const* from, char const* to, char const* route, char const* reason) {
  // One call, so that lines of several threads do not mix.
  std::fprintf(stderr, "Kokkos::deep_copy of \"%s\" to \"%s\": %zu bytes, %s to %s, route %s, because %s\n",
               job.src_label, job.dst_label, job.plan.bytes(), from, to, route, reason);
}

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
