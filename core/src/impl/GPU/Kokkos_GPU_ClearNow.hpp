// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CLEAR_NOW_HPP
#define KOKKOS_GPU_CLEAR_NOW_HPP

/// \file
/// Clears device memory before its next user gets it, whichever stream that user submits to.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Sets bytes of the current device's memory to 0 and waits until that is done. Work that the host enqueues afterwards,
/// in any stream, sees the zeros. The host waits for nothing else.
///
/// Uses a stream of its own. The default stream is unsuitable because it is ordered with streams that may be under
/// capture. A wait for the device is unsuitable because it invalidates every capture on the device. Call this within a
/// RelaxedCaptureScope, because the wait for the stream would otherwise invalidate captures by other threads.
/// \throws GPUError if the runtime refuses
template <class Runtime>
void gpu_clear_now(void* memory, std::size_t bytes, char const* purpose) {
  typename Runtime::stream_t stream = nullptr;
  Impl::gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered", purpose);
  auto const error = Runtime::memset_async(memory, 0, bytes, stream);
  auto const end   = Runtime::stream_synchronize(stream);
  (void)Impl::gpu_succeeded<Runtime>(Runtime::stream_destroy(stream));
  Impl::gpu_check<Runtime>(error, "memset_async", purpose);
  Impl::gpu_check<Runtime>(end, "stream_synchronize", purpose);
}

}  // namespace Kokkos::Impl

#endif
