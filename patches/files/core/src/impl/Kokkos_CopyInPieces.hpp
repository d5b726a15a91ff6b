// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_IN_PIECES_HPP
#define KOKKOS_COPY_IN_PIECES_HPP

/// \file
/// Copies of elements with any strides between host and device. Each piece is packed in pinned memory: one side is
/// accessed by the host, the other one by a kernel, which reads or writes the pinned memory over the link. There are
/// two pieces, so that the kernel of one runs while the host works on the other.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_HostSpace.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_View.hpp>
#include <impl/Kokkos_CopyRows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <type_traits>

namespace Kokkos {

void push_finalize_hook(std::function<void()> f);

namespace Impl {

/// A piece is large enough to hide the times of a launch and of a fence.
inline constexpr std::size_t pinned_piece_bytes = std::size_t(4) << 20;

/// Whether the view is in host memory and fits into one piece. Then the vendor's pitched copy of rows is slower: on an
/// H100, 2.2 instead of 7.9 GB/s for 254 rows of 2 KB.
template <class DstType>
bool is_small_destination_on_host(DstType const& dst) {
  return std::is_same_v<typename DstType::memory_space, HostSpace> &&
         dst.size() <= pinned_piece_bytes / sizeof(typename DstType::value_type);
}

/// The elements of two views with the same extents, in the order of the host's memory. Strides count elements.
struct StridedElements {
  static constexpr int max_rank = 8;
  struct Dimension {
    std::size_t extent, host, device;
  };
  Dimension dimension[max_rank];
  int rank         = 0;
  std::size_t size = 1;

  /// The position of an element in the device's memory.
  template <class Index>
  KOKKOS_FUNCTION std::size_t on_device(Index element) const {
    std::size_t at = 0;
    for (int r = 0; r + 1 < rank; ++r) {
      const auto extent = static_cast<Index>(dimension[r].extent);
      at += static_cast<std::size_t>(element % extent) * dimension[r].device;
      element /= extent;
    }
    return at + static_cast<std::size_t>(element) * dimension[rank - 1].device;
  }
};

template <class HostView, class DeviceView>
StridedElements strided_elements(HostView const& host, DeviceView const& device) {
  using Dimension = StridedElements::Dimension;
  StridedElements all;
  for (std::size_t r = 0; r < std::size_t(HostView::rank); ++r) {
    all.size *= host.extent(r);
    if (host.extent(r) != 1) all.dimension[all.rank++] = {host.extent(r), host.stride(r), device.stride(r)};
  }
  if (all.rank == 0) all.dimension[all.rank++] = {1, 1, 1};
  std::sort(all.dimension, all.dimension + all.rank,
            [](Dimension const& a, Dimension const& b) { return a.host < b.host; });
  int last = 0;
  for (int r = 1; r < all.rank; ++r) {
    Dimension& inner       = all.dimension[last];
    Dimension const& outer = all.dimension[r];
    if (outer.host == inner.extent * inner.host && outer.device == inner.extent * inner.device)
      inner.extent *= outer.extent;
    else
      all.dimension[++last] = outer;
  }
  all.rank = last + 1;
  return all;
}

/// A kernel that copies the elements from `first` on between packed memory and the device's view.
template <class Value, bool ToDevice>
struct MoveOnDevice {
  StridedElements all;
  Value* packed;
  Value* device;
  std::size_t first;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::size_t element = first + static_cast<std::size_t>(i);
    // A division of 64 bits takes several times as long as one of 32 bits.
    const std::size_t at =
        all.size >> 32 == 0 ? all.on_device(static_cast<std::uint32_t>(element)) : all.on_device(element);
    if constexpr (ToDevice)
      device[at] = packed[i];
    else
      packed[i] = device[at];
  }
};

/// The same on the host, by chunks, for the threads of the host's execution space.
template <class Value, bool ToDevice>
struct MoveOnHost {
  StridedElements const& all;
  Value* packed;
  Value* host;
  std::size_t first, count, chunk;

  void operator()(int k) const {
    const std::size_t begin = std::size_t(k) * chunk;
    if (begin < count) move(first + begin, packed + begin, std::min(chunk, count - begin));
  }

 private:
  void move(std::size_t element, Value* to_or_from, std::size_t left) const {
    std::size_t index[StridedElements::max_rank] = {};
    Value* row                                   = host;  // the begin of the current row
    for (int r = 0; r < all.rank; ++r) {
      const bool is_last = r + 1 == all.rank;
      index[r]           = is_last ? element : element % all.dimension[r].extent;
      element /= all.dimension[r].extent;
      if (r > 0) row += index[r] * all.dimension[r].host;
    }
    const auto inner = all.dimension[0];
    for (std::size_t column = index[0]; left > 0; column = 0) {
      const std::size_t n = std::min(inner.extent - column, left);
      move_row(row + column * inner.host, to_or_from, n, inner.host);
      to_or_from += n;
      left -= n;
      for (int r = 1; r < all.rank; ++r) {  // the next row
        row += all.dimension[r].host;
        if (++index[r] < all.dimension[r].extent) break;
        row -= all.dimension[r].extent * all.dimension[r].host;
        index[r] = 0;
      }
    }
  }
  static void move_row(Value* in_view, Value* in_piece, std::size_t n, std::size_t stride) {
    if (stride == 1) {
      std::memcpy(static_cast<void*>(ToDevice ? in_piece : in_view), ToDevice ? in_view : in_piece, n * sizeof(Value));
    } else {
      for (std::size_t i = 0; i < n; ++i)
        std::memcpy(static_cast<void*>(ToDevice ? in_piece + i : in_view + i * stride),
                    ToDevice ? in_view + i * stride : in_piece + i, sizeof(Value));
    }
  }
};

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
/// The pinned memory of all such copies. It is kept until finalize, because its allocation takes longer than most
/// copies.
class PinnedPieces {
 public:
  /// Never destroyed: its view must not outlive finalize, and a program may end without it.
  static PinnedPieces& get() {
    static PinnedPieces& pieces = *new PinnedPieces;
    return pieces;
  }
  std::mutex& mutex() { return m_mutex; }

  /// Memory for two pieces of the given size. Called under the mutex.
  char* two_of(std::size_t bytes) {
    if (m_memory.size() < 2 * bytes) {
      if (m_memory.size() == 0) push_finalize_hook([] { get().m_memory = {}; });
      std::size_t size = std::size_t(1) << 16;
      while (size < 2 * bytes) size *= 2;
      m_memory = {};
      m_memory = Memory(view_alloc("Kokkos::deep_copy: pinned memory for pieces", WithoutInitializing), size);
    }
    return m_memory.data();
  }

 private:
  using Memory = View<char*, SharedHostPinnedSpace>;
  std::mutex m_mutex;
  Memory m_memory;
};

/// Copies all elements; the copy is complete when this returns. `two_pieces` is memory for two pieces of `piece`
/// elements.
template <bool ToDevice, class Exec, class Value>
void copy_in_pieces(StridedElements const& all, Value* host, Value* device, Value* two_pieces, std::size_t piece) {
  using HostExec = HostSpace::execution_space;
  const Exec exec;
  const HostExec host_exec;
  const auto chunks      = static_cast<std::size_t>(std::max(1, int(host_exec.concurrency())));
  const std::size_t last = (all.size + piece - 1) / piece;
  const auto count       = [&](std::size_t k) { return std::min(piece, all.size - k * piece); };
  const auto packed      = [&](std::size_t k) { return two_pieces + k % 2 * piece; };
  const auto on_host     = [&](std::size_t k) {
    const MoveOnHost<Value, ToDevice> work{all, packed(k), host, k * piece, count(k), (count(k) + chunks - 1) / chunks};
    if (chunks == 1) return work(0);
    parallel_for("Kokkos::deep_copy: pieces on the host", RangePolicy<HostExec>(host_exec, 0, int(chunks)), work);
    host_exec.fence("Kokkos::deep_copy: the host has moved a piece");
  };
  const auto on_device = [&](std::size_t k) {
    parallel_for("Kokkos::deep_copy: pieces on the device",
                 RangePolicy<Exec, IndexType<std::int64_t>>(exec, 0, std::int64_t(count(k))),
                 MoveOnDevice<Value, ToDevice>{all, packed(k), device, k * piece});
  };
  const auto wait = [&] { exec.fence("Kokkos::deep_copy: the device has moved a piece"); };
  // In step k the device moves its piece while the host moves the next one, or the one before.
  if constexpr (ToDevice) on_host(0);
  for (std::size_t k = 0; k < last; ++k) {
    on_device(k);
    if constexpr (ToDevice) {
      if (k + 1 < last) on_host(k + 1);
    } else {
      if (k > 0) on_host(k - 1);
    }
    wait();
  }
  if constexpr (!ToDevice) on_host(last - 1);
}
#endif

/// Copies and returns true if one view is in host memory and the other one in memory of a device whose vendor has
/// pinned memory, and if elements are copied as bytes. Otherwise, or while another thread makes such a copy, copies
/// nothing and returns false. The caller fences before.
template <class DstType, class SrcType>
bool try_copy_in_pieces([[maybe_unused]] DstType const& dst, [[maybe_unused]] SrcType const& src) {
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
  using Value = typename DstType::value_type;
  constexpr bool to_device =
      has_copy_rows<typename DstType::memory_space> && std::is_same_v<typename SrcType::memory_space, HostSpace>;
  constexpr bool to_host =
      has_copy_rows<typename SrcType::memory_space> && std::is_same_v<typename DstType::memory_space, HostSpace>;
  if constexpr ((to_device || to_host) && has_strides<DstType> && has_strides<SrcType> &&
                std::is_same_v<Value, typename SrcType::non_const_value_type> && std::is_trivially_copyable_v<Value> &&
                sizeof(Value) <= pinned_piece_bytes) {
    using Exec = typename std::conditional_t<to_device, DstType, SrcType>::execution_space;
    if (src.size() == 0) return true;
    auto& pieces = PinnedPieces::get();
    std::unique_lock<std::mutex> lock(pieces.mutex(), std::try_to_lock);
    if (!lock) return false;
    const std::size_t piece = std::min(src.size(), pinned_piece_bytes / sizeof(Value));
    auto* const memory      = reinterpret_cast<Value*>(pieces.two_of(piece * sizeof(Value)));
    Value* const from       = const_cast<Value*>(src.data());
    if constexpr (to_device)
      copy_in_pieces<true, Exec>(strided_elements(src, dst), from, dst.data(), memory, piece);
    else
      copy_in_pieces<false, Exec>(strided_elements(dst, src), dst.data(), from, memory, piece);
    return true;
  }
#endif
  return false;
}

}  // namespace Impl
}  // namespace Kokkos

#endif
