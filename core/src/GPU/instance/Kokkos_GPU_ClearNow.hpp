// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CLEAR_NOW_HPP
#define KOKKOS_GPU_CLEAR_NOW_HPP

/// \file
/// Clears device memory for whoever uses it next, in whichever stream.

#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Sets bytes of the current device's memory to 0, and returns when they are: the host waits for that and nothing else,
/// so that all that it enqueues afterwards, in any stream, finds them so.
///
/// Has a stream of its own. The default stream would not do, because it is ordered with streams that may be under
/// capture; nor would a wait for the device, which spoils every capture on it. To be called in a RelaxedCaptureScope,
/// since the wait for that stream would otherwise spoil captures by other threads.
/// \throws GPUError if the runtime refuses
template <class Runtime>
void gpu_clear_now(void* memory, std::size_t bytes, const char* purpose) {
  typename Runtime::stream_t stream = nullptr;
  gpu_check<Runtime>(Runtime::stream_create_unordered(&stream), "stream_create_unordered", purpose);
  const auto error = Runtime::memset_async(memory, 0, bytes, stream);
  const auto end   = Runtime::stream_synchronize(stream);
  (void)Runtime::stream_destroy(stream);
  gpu_check<Runtime>(error, "memset_async", purpose);
  gpu_check<Runtime>(end, "stream_synchronize", purpose);
}

}  // namespace Kokkos::Impl

#endif
