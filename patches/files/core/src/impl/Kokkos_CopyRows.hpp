// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_ROWS_HPP
#define KOKKOS_COPY_ROWS_HPP

/// \file
/// Copies of long rows between host and device by the vendor's pitched copy, which needs no packing and no memory.

#include <Kokkos_Core_fwd.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <Cuda/Kokkos_Cuda_Error.hpp>
#endif
#if defined(KOKKOS_ENABLE_HIP)
#include <HIP/Kokkos_HIP_Error.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// `count` rows of `width` bytes each. The pitches are the distances in bytes from the begin of one row to the next.
struct PitchedRows {
  std::size_t width = 0, count = 1, dst_pitch = 0, src_pitch = 0;
  /// For shorter rows packing is faster, and CUDA accepts no larger pitch.
  static constexpr std::size_t min_width = 1024, max_pitch = (std::size_t(1) << 31) - 1;
  bool are_suitable() const { return width >= min_width && std::max(dst_pitch, src_pitch) <= max_pitch; }
};

/// Describes both views as rows without gaps, of the same shape; the width is 0 if they have no such rows.
template <class DstType, class SrcType>
PitchedRows rows_of(DstType const& dst, SrcType const& src) {
  struct Dimension {
    std::size_t extent, dst, src;  // the strides in bytes
  };
  constexpr std::size_t rank = DstType::rank, value = sizeof(typename DstType::value_type);
  std::array<Dimension, rank + 1> dimensions{};
  std::size_t n = 0;
  for (std::size_t r = 0; r < rank; ++r)
    if (dst.extent(r) != 1) dimensions[n++] = {dst.extent(r), dst.stride(r) * value, src.stride(r) * value};
  std::sort(dimensions.begin(), dimensions.begin() + n, [](auto const& a, auto const& b) { return a.dst < b.dst; });
  PitchedRows rows{value};
  for (std::size_t i = 0; i < n; ++i) {
    auto const& d = dimensions[i];
    if (rows.count == 1 && d.dst == rows.width && d.src == rows.width)
      rows.width *= d.extent;
    else if (rows.count == 1)
      rows.count = d.extent, rows.dst_pitch = d.dst, rows.src_pitch = d.src;
    else if (d.dst == rows.count * rows.dst_pitch && d.src == rows.count * rows.src_pitch)
      rows.count *= d.extent;
    else
      return {};
  }
  if (rows.count > 1 && (rows.dst_pitch < rows.width || rows.src_pitch < rows.width)) return {};
  return rows;
}

#if defined(KOKKOS_ENABLE_CUDA)
inline void copy_rows(CudaSpace const&, void* dst, void const* src, PitchedRows const& r) {
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemcpy2D(dst, r.dst_pitch, src, r.src_pitch, r.width, r.count, cudaMemcpyDefault));
}
#endif
#if defined(KOKKOS_ENABLE_HIP)
inline void copy_rows(HIPSpace const&, void* dst, void const* src, PitchedRows const& r) {
  KOKKOS_IMPL_HIP_SAFE_CALL(hipMemcpy2D(dst, r.dst_pitch, src, r.src_pitch, r.width, r.count, hipMemcpyDefault));
}
#endif

template <class Space, class = void>
inline constexpr bool has_copy_rows = false;
template <class Space>
inline constexpr bool has_copy_rows<
    Space, std::void_t<decltype(copy_rows(std::declval<Space>(), nullptr, nullptr, PitchedRows()))>> = true;

/// A DynamicView, for example, has no strides.
template <class View, class = void>
inline constexpr bool has_strides = false;
template <class View>
inline constexpr bool
    has_strides<View, std::void_t<decltype(std::declval<View const&>().stride(std::size_t()))>> = true;

/// Copies and returns true if the views are long rows, one of them in host memory and the other one in memory of a
/// device whose vendor has a pitched copy. Otherwise copies nothing and returns false. The caller fences before and
/// after.
template <class DstType, class SrcType>
bool try_copy_rows(DstType const& dst, SrcType const& src) {
  using DstSpace = typename DstType::memory_space;
  using SrcSpace = typename SrcType::memory_space;
  using Value    = typename DstType::value_type;
  constexpr bool to_device = has_copy_rows<DstSpace> && std::is_same_v<SrcSpace, HostSpace>;
  constexpr bool to_host   = has_copy_rows<SrcSpace> && std::is_same_v<DstSpace, HostSpace>;
  if constexpr ((to_device || to_host) && has_strides<DstType> && has_strides<SrcType> &&
                std::is_same_v<Value, typename SrcType::non_const_value_type> && std::is_trivially_copyable_v<Value>) {
    const PitchedRows rows = rows_of(dst, src);
    if (rows.count < 2 || !rows.are_suitable()) return false;
    copy_rows(std::conditional_t<to_device, DstSpace, SrcSpace>(), dst.data(), src.data(), rows);
    return true;
  } else {
    return false;
  }
}

}  // namespace Kokkos::Impl

#endif
