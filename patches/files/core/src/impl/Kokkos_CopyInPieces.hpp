// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_IN_PIECES_HPP
#define KOKKOS_COPY_IN_PIECES_HPP

/// \file
/// Copies of elements with any strides between host and device. Each piece is packed in pinned memory: one side is
/// accessed by threads of the host, the other one by a kernel, which reads or writes the pinned memory over the link.
/// Kernels move some pieces while the host works on others.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_HostSpace.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_View.hpp>
#include <impl/Kokkos_CopyThreads.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace Kokkos {

void push_finalize_hook(std::function<void()> f);

namespace Experimental {
template <class ExecSpace, class T>
std::vector<ExecSpace> partition_space(ExecSpace const& base_instance, std::vector<T> const& weights);
}

namespace Impl {

/// A copy has up to four pieces in pinned memory at a time. A large piece hides the times of a launch and of a fence; a
/// small one lets a copy of a megabyte overlap, too.
inline constexpr std::size_t pinned_pieces = 4, min_piece_bytes = std::size_t(256) << 10,
                             max_piece_bytes = std::size_t(2) << 20;
/// Each thread takes one chunk of a piece after another.
inline constexpr std::size_t chunks_per_piece = 16;
/// For smaller copies one thread is as fast, because it takes about 50 microseconds to wake the others.
inline constexpr std::size_t min_bytes_for_threads = std::size_t(512) << 10;

/// Memory that only the device accesses, in the spaces of the vendors for which this is tested.
template <class Space>
inline constexpr bool is_device_memory = false;
#ifdef KOKKOS_ENABLE_CUDA
template <>
inline constexpr bool is_device_memory<CudaSpace> = true;
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
inline constexpr bool is_device_memory<HIPSpace> = true;
#endif

/// A DynamicView, for example, has no strides.
template <class View, class = void>
inline constexpr bool has_strides = false;
template <class View>
inline constexpr bool has_strides<View, std::void_t<decltype(std::declval<View const&>().stride(std::size_t()))>> =
    true;

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
      auto const extent = static_cast<Index>(dimension[r].extent);
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
    std::size_t const element = first + static_cast<std::size_t>(i);
    // A division of 64 bits takes several times as long as one of 32 bits.
    std::size_t const at =
        all.size >> 32 == 0 ? all.on_device(static_cast<std::uint32_t>(element)) : all.on_device(element);
    if constexpr (ToDevice)
      device[at] = packed[i];
    else
      packed[i] = device[at];
  }
};

/// The same on the host: `left` elements from `element` on.
template <class Value, bool ToDevice>
struct MoveOnHost {
  StridedElements const& all;
  Value* host;

  void operator()(std::size_t element, Value* to_or_from, std::size_t left) const {
    std::size_t index[StridedElements::max_rank] = {};
    Value* row                                   = host;  // the begin of the current row
    for (int r = 0; r < all.rank; ++r) {
      bool const is_last = r + 1 == all.rank;
      index[r]           = is_last ? element : element % all.dimension[r].extent;
      element /= all.dimension[r].extent;
      if (r > 0) row += index[r] * all.dimension[r].host;
    }
    auto const inner = all.dimension[0];
    for (std::size_t column = index[0]; left > 0; column = 0) {
      std::size_t const n = std::min(inner.extent - column, left);
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

 private:
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
/// What all such copies between the host and the devices of an execution space use. It is kept until finalize, because
/// creating it takes longer than most copies.
template <class Exec>
class PinnedPieces {
 public:
  /// Never destroyed: its view must not outlive finalize, and a program may end without it.
  static PinnedPieces& get() {
    static PinnedPieces& pieces = *new PinnedPieces;
    return pieces;
  }
  std::mutex& mutex() { return m_mutex; }

  // The others are called under the mutex.

  /// Memory for all pieces, of the given size each.
  char* memory(std::size_t piece_bytes) {
    std::size_t const bytes = pinned_pieces * piece_bytes;
    if (m_memory.size() < bytes) {
      if (m_memory.size() == 0) push_finalize_hook([] { get().release(); });
      std::size_t size = std::size_t(1) << 16;
      while (size < bytes) size *= 2;
      m_memory = {};
      m_memory = Memory(view_alloc("Kokkos::deep_copy: pinned memory for pieces", WithoutInitializing), size);
    }
    return m_memory.data();
  }
  /// The instance that moves a piece. With one for each, the host can wait for one piece while another one is moved.
  Exec const& instance(std::size_t piece) {
    if (m_instances.empty())
      m_instances = Kokkos::Experimental::partition_space(Exec(), std::vector<int>(pinned_pieces, 1));
    return m_instances[piece % pinned_pieces];
  }
  CopyThreads& threads() { return m_threads; }

 private:
  void release() {
    m_memory = {};
    m_instances.clear();
    m_threads.stop();
  }

  using Memory = View<char*, SharedHostPinnedSpace>;
  std::mutex m_mutex;
  Memory m_memory;
  std::vector<Exec> m_instances;
  CopyThreads m_threads;
};

/// Copies all elements; the copy is complete when this returns.
template <bool ToDevice, class Exec, class Value>
void copy_in_pieces(StridedElements const& all, Value* host, Value* device, PinnedPieces<Exec>& pinned) {
  constexpr std::size_t slots = pinned_pieces;
  auto const divide           = [](std::size_t a, std::size_t b) { return (a + b - 1) / b; };
  std::size_t const piece     = std::clamp(divide(all.size, slots), divide(min_piece_bytes, sizeof(Value)),
                                           divide(max_piece_bytes, sizeof(Value)));
  std::size_t const chunk     = divide(piece, chunks_per_piece);
  std::size_t const pieces    = divide(all.size, piece);
  Value* const memory         = reinterpret_cast<Value*>(pinned.memory(piece * sizeof(Value)));
  auto const packed           = [&](std::size_t k) { return memory + k % slots * piece; };
  auto const count            = [&](std::size_t k) { return std::min(piece, all.size - k * piece); };

  MoveOnHost<Value, ToDevice> const move_on_host{all, host};
  std::atomic<std::size_t> done[slots] = {};  // chunks, since the begin of the copy
  ChunkedWork work(pieces * chunks_per_piece, [&](std::size_t c) {
    std::size_t const k = c / chunks_per_piece, at = c % chunks_per_piece * chunk;
    if (at < count(k)) move_on_host(k * piece + at, packed(k) + at, std::min(chunk, count(k) - at));
    done[k % slots].fetch_add(1, std::memory_order_release);
  });
  auto const allow_on_host = [&](std::size_t k) { work.allow(k * chunks_per_piece); };
  auto const wait_for_host = [&](std::size_t k) {
    std::size_t const all_done = (k / slots + 1) * chunks_per_piece;
    work.work_until([&] { return done[k % slots].load(std::memory_order_acquire) >= all_done; });
  };
  auto const move_on_device = [&](std::size_t k) {
    parallel_for("Kokkos::deep_copy: pieces on the device",
                 RangePolicy<Exec, IndexType<std::int64_t>>(pinned.instance(k), 0, std::int64_t(count(k))),
                 MoveOnDevice<Value, ToDevice>{all, packed(k), device, k * piece});
  };
  auto const wait_for_device = [&](std::size_t k) {
    pinned.instance(k).fence("Kokkos::deep_copy: the device has moved a piece");
  };

  std::optional<CopyThreads::Help> help;
  if (all.size >= min_bytes_for_threads / sizeof(Value)) {
    pinned.threads().start();
    help.emplace(pinned.threads(), work);
  }
  if constexpr (ToDevice) {
    allow_on_host(slots);
    for (std::size_t k = 0; k < pieces; ++k) {
      wait_for_host(k);
      move_on_device(k);
      if (k == 0) continue;
      wait_for_device(k - 1);
      allow_on_host(k + slots);
    }
    wait_for_device(pieces - 1);
  } else {
    for (std::size_t k = 0; k < std::min(slots, pieces); ++k) move_on_device(k);
    for (std::size_t k = 0; k < pieces; ++k) {
      wait_for_device(k);
      allow_on_host(k + 1);
      if (k == 0 || k - 1 + slots >= pieces) continue;
      wait_for_host(k - 1);
      move_on_device(k - 1 + slots);
    }
    for (std::size_t k = pieces - std::min(slots, pieces); k < pieces; ++k) wait_for_host(k);
  }
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
      is_device_memory<typename DstType::memory_space> && std::is_same_v<typename SrcType::memory_space, HostSpace>;
  constexpr bool to_host =
      is_device_memory<typename SrcType::memory_space> && std::is_same_v<typename DstType::memory_space, HostSpace>;
  if constexpr ((to_device || to_host) && has_strides<DstType> && has_strides<SrcType> &&
                std::is_same_v<Value, typename SrcType::non_const_value_type> && std::is_trivially_copyable_v<Value> &&
                sizeof(Value) <= max_piece_bytes) {
    using Exec = typename std::conditional_t<to_device, DstType, SrcType>::execution_space;
    if (src.size() == 0) return true;
    auto& pinned = PinnedPieces<Exec>::get();
    std::unique_lock<std::mutex> lock(pinned.mutex(), std::try_to_lock);
    if (!lock) return false;
    Value* const from = const_cast<Value*>(src.data());
    if constexpr (to_device)
      copy_in_pieces<true>(strided_elements(src, dst), from, dst.data(), pinned);
    else
      copy_in_pieces<false>(strided_elements(dst, src), dst.data(), from, pinned);
    return true;
  }
#endif
  return false;
}

}  // namespace Impl
}  // namespace Kokkos

#endif
