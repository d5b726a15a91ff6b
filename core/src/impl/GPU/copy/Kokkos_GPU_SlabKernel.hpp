// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SLAB_KERNEL_HPP
#define KOKKOS_GPU_SLAB_KERNEL_HPP

/// \file
/// The kernel that copies between slabs of pinned memory and a device, while host threads fill or empty the slabs.
///
/// Blocks claim slices of pieces in order. So the kernel ends even if only one of its blocks ever runs: no block waits
/// for one that has not started. A block that waits for the host waits for a piece that host threads fill, or whose
/// slab they empty, without the device. A block that has copied the last slice of a piece waits for the blocks that
/// copy earlier pieces, which run, and which depend only on the host.
///
/// Two blocks of 512 threads saturate a link of 50 GB/s. There are more, so that some can wait while others move. On an
/// H100, slices of 1 MiB are about as fast as steps of a stream. With slices of 64 KiB, copies take half as long again.

#include <impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>
#include <impl/GPU/portable/Kokkos_GPU_SlabCopy.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

template <class Intrinsics>
struct GPUSlabKernel {
  static constexpr unsigned blocks = 12, threads = 256, loads = 8;
  using Word = GPUWord16;

  SlabCopy copy;
  std::size_t slice;  // bytes
  unsigned slices;    // of a piece: one for each block

  explicit GPUSlabKernel(SlabCopy const& c)
      : copy(c),
        slice((c.piece / blocks + sizeof(Word)) / sizeof(Word) * sizeof(Word)),
        slices(static_cast<unsigned>((c.piece + slice - 1) / slice)) {}

  KOKKOS_IMPL_DEVICE void operator()() const {
    for (;;) {
      unsigned const claim = claim_slice();
      unsigned const k = claim / slices, s = claim % slices;
      if (k >= copy.pieces) return leave();
      std::size_t const begin = std::size_t(k) * copy.piece;
      std::size_t const size  = copy.bytes - begin < copy.piece ? copy.bytes - begin : copy.piece;
      std::size_t const from  = s * slice;
      if (from < size)
        move(copy.device + begin + from, copy.slab + k % copy.slabs * copy.stride + from,
             size - from < slice ? size - from : slice);
      Intrinsics::barrier();
      if (Intrinsics::thread_x() == 0) end_slice(k);
    }
  }

 private:
  /// The next slice, for all threads of the block, once its slab is ready.
  KOKKOS_IMPL_DEVICE unsigned claim_slice() const {
    unsigned* const shared = reinterpret_cast<unsigned*>(Intrinsics::shared());
    if (Intrinsics::thread_x() == 0) {
      *shared = Intrinsics::fetch_add(&copy.control->claimed, 1u);
      if (*shared / slices < copy.pieces) await(*shared / slices);
    }
    Intrinsics::barrier();
    unsigned const claim = *shared;
    Intrinsics::barrier();  // before the first thread changes it
    return claim;
  }
  /// Waits until the slab of piece k is full, or, for a copy to the host, empty.
  KOKKOS_IMPL_DEVICE void await(unsigned k) const {
    if (!copy.to_device && k < copy.slabs) return;
    std::uint32_t const wanted = copy.first + k + 1 - (copy.to_device ? 0 : copy.slabs);
    while (static_cast<std::int32_t>(Intrinsics::load_acquire_system(copy.words.host) - wanted) < 0)
      Intrinsics::pause();
  }

  KOKKOS_IMPL_DEVICE void move(char* device, char* slab, std::size_t bytes) const {
    std::size_t const words = bytes / sizeof(Word), step = threads;
    auto const t          = static_cast<std::size_t>(Intrinsics::thread_x());
    auto* const on_device = reinterpret_cast<Word*>(device);
    auto* const on_host   = reinterpret_cast<Word*>(slab);
    for (std::size_t i = t; i < words; i += loads * step) {
      Word w[loads];
      for (unsigned j = 0; j < loads; ++j) {
        std::size_t const at = i + j * step;
        if (at >= words) continue;
        if (copy.to_device)
          Intrinsics::load_pair_system(on_host[at].half, w[j].half[0], w[j].half[1]);
        else
          w[j] = on_device[at];
      }
      for (unsigned j = 0; j < loads; ++j) {
        std::size_t const at = i + j * step;
        if (at >= words) continue;
        if (copy.to_device)
          on_device[at] = w[j];
        else
          Intrinsics::store_pair_system(on_host[at].half, w[j].half[0], w[j].half[1]);
      }
    }
    // The bytes after the last word.
    for (std::size_t i = words * sizeof(Word) + t; i < bytes; i += step) {
      auto const* const from = static_cast<char const volatile*>(copy.to_device ? slab : device);
      auto* const to         = static_cast<char volatile*>(copy.to_device ? device : slab);
      to[i]                  = from[i];
    }
  }
  /// The block has copied a slice of piece k. The block that copies the last one notifies the host, piece by piece.
  KOKKOS_IMPL_DEVICE void end_slice(unsigned k) const {
    unsigned* const ended = &copy.control->ended[k % copy.slabs];
    Intrinsics::fence_system();  // before the count, so that the host's notification follows this block's accesses
    if (Intrinsics::fetch_add(ended, 1u) != slices - 1) return;
    Intrinsics::store_release(ended, 0u);  // the slab's next piece is claimed later than the notification
    while (Intrinsics::load_acquire(&copy.control->done) != k) Intrinsics::pause();
    if (k + 1 < copy.pieces) Intrinsics::store_release_system(copy.words.device, copy.first + k + 1);
    Intrinsics::store_release(&copy.control->done, k + 1);
  }

  /// The last block to leave resets the words.
  KOKKOS_IMPL_DEVICE void leave() const {
    if (Intrinsics::thread_x() != 0 || Intrinsics::fetch_add(&copy.control->left, 1u) != Intrinsics::grid_dim_x() - 1)
      return;
    for (unsigned* word : {&copy.control->claimed, &copy.control->done, &copy.control->left})
      Intrinsics::store_release(word, 0u);
  }
};

template <class Runtime, class Intrinsics>
struct GPUSlabCopies {
  using Driver = GPUSlabKernel<Intrinsics>;
  using Kernel = GPUKernel<Runtime, Driver, LaunchBounds<Driver::threads, 1>>;
  static_assert(Kernel::by_value);

  static typename Runtime::error_t enqueue(SlabCopy const& copy, typename Runtime::stream_t stream) {
    Driver driver(copy);
    void* arguments[] = {&driver};
    return Runtime::launch_before_others(Kernel::entry(), dim3(Driver::blocks), dim3(Driver::threads), arguments,
                                         sizeof(unsigned), stream);
  }
  static typename Runtime::error_t load() {
    int threads = 0, registers = 0;
    return Runtime::kernel_limits(Kernel::entry(), &threads, &registers);
  }
};

}  // namespace Kokkos::Impl

#endif
