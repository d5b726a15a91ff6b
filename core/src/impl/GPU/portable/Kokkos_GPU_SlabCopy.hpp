// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SLAB_COPY_HPP
#define KOKKOS_GPU_SLAB_COPY_HPP

/// \file
/// A copy between slabs and a device by one kernel, instead of by two steps of a stream for each piece.

#include <impl/GPU/portable/Kokkos_GPU_StagingJob.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// The blocks of one kernel count here what they have done. All words are 0 before the kernel starts, and after it has
/// ended.
struct SlabCopyControl {
  unsigned claimed;                       ///< slices that blocks have claimed
  unsigned done;                          ///< pieces, from the first one on, of which the host has been notified
  unsigned left;                          ///< blocks that have nothing more to do
  unsigned ended[CopyPolicy::max_slabs];  ///< slices of the piece in each slab that blocks have copied
};

/// The parameters of the kernel. It does what the steps of a stream do otherwise: for each piece, it waits for the
/// host's word, copies, and writes the device's word. A step of the stream writes that word after the last piece.
struct SlabCopy {
  bool to_device      = false;
  char* device        = nullptr;  ///< aligned to 16 bytes
  char* slab          = nullptr;  ///< of the first piece
  std::size_t bytes   = 0;
  std::size_t piece   = 0;  ///< bytes; a multiple of 16
  std::size_t stride  = 0;  ///< between slabs
  unsigned slabs      = 1;
  unsigned pieces     = 0;
  std::uint32_t first = 0;  ///< number of the first piece
  StagingWords words;
  SlabCopyControl* control = nullptr;  ///< memory of the device
};

/// Whether the runtime has such a kernel: functions `copy_slabs(SlabCopy const&, stream_t)`, which enqueues it, and
/// `load_slab_kernel()`. A runtime may load a kernel at its first launch, and wait for all work of the device then.
template <class Runtime, class = void>
struct HasSlabKernel : std::false_type {};
template <class Runtime>
struct HasSlabKernel<Runtime, std::void_t<decltype(Runtime::copy_slabs(std::declval<SlabCopy const&>(),
                                                                       std::declval<typename Runtime::stream_t>()))>>
    : std::true_type {};

/// The control words of a device's kernels. A few kernels can run at once, because each keeps threads of the device
/// busy while it waits for the host.
template <class Runtime>
class SlabCopyControls {
 public:
  static constexpr unsigned max_kernels = CopyPolicy::max_kernels;

  /// Control words for a kernel. Null if all are in use, or if the device has no memory. They can be used again when
  /// the last owner of the pointer releases it. The kernel must have ended then, or never start. `idle` is a stream
  /// without work.
  std::shared_ptr<SlabCopyControl> acquire(typename Runtime::stream_t idle) noexcept {
    unsigned const k = take();
    if (k == max_kernels) return nullptr;
    try {
      std::shared_ptr<void> taken(nullptr, [this, k](void*) { m_taken[k].store(false, std::memory_order_release); });
      return std::shared_ptr<SlabCopyControl>(std::move(taken), memory(idle) + k);
    } catch (std::exception const&) {
      Runtime::clear_last_error();
      return nullptr;
    }
  }

 private:
  unsigned take() noexcept {
    for (unsigned k = 0; k < max_kernels; ++k)
      if (!m_taken[k].exchange(true, std::memory_order_acquire)) return k;
    return max_kernels;
  }
  /// The first call creates the memory. \throws GPUError if the device has none
  SlabCopyControl* memory(typename Runtime::stream_t idle) {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_memory.get()) {
      constexpr std::size_t bytes = max_kernels * sizeof(SlabCopyControl);
      DeviceMemory<Runtime> made(bytes);
      gpu_check<Runtime>(Runtime::memset_async(made.get(), 0, bytes, idle), "memset_async", "preparing a copy");
      gpu_check<Runtime>(Runtime::stream_synchronize(idle), "stream_synchronize", "preparing a copy");
      m_memory = std::move(made);
    }
    return static_cast<SlabCopyControl*>(m_memory.get());
  }

  std::mutex m_mutex;  // guards the creation of the memory
  DeviceMemory<Runtime> m_memory;
  std::atomic<bool> m_taken[max_kernels] = {};
};

}  // namespace Kokkos::Impl

#endif
