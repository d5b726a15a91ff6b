// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RUNTIME_COPY_HPP
#define KOKKOS_GPU_RUNTIME_COPY_HPP

/// \file
/// Copies between pageable memory and a device by the runtime, for small copies and where there is no staging buffer.
///
/// Needs a `Runtime`, its neighbours and the standard library: patches carry this file unchanged.

#include <impl/GPU/portable/Kokkos_GPU_StagedCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingSteps.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace Kokkos::Impl {

/// \throws GPUError from the runtime; `what` tells the program's operation
template <class Runtime>
void synchronize_stream(typename Runtime::stream_t stream, const char* what) {
  gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", what);
}

inline void report_landed(StagedCopy& copy) {
  if (copy.on_landed) copy.on_landed();
}

/// Enqueues a copy to the device. The runtime has read the source, which is one block, when this returns.
template <class Runtime>
void copy_by_runtime_async(StagedCopy& copy, typename Runtime::stream_t stream) {
  try {
    copy_rows_async<Runtime>(true, copy.device, copy.host->block(), 0, copy.bytes, stream);
  } catch (GPUError const& e) {
    throw GPUError(copy.what + ": " + e.what(), e.code());
  }
}

/// Copies, and waits for the end. `of_program`: the stream may contain earlier work.
template <class Runtime>
void copy_by_runtime(StagedCopy& copy, typename Runtime::stream_t stream, bool of_program, CopyPolicy const& policy) {
  const auto synchronize = [&] { synchronize_stream<Runtime>(stream, copy.what.c_str()); };
  // The runtime may read a source during the call, before the work in the stream that writes it has ended.
  if (of_program && copy.to_device) synchronize();
  if (char* const block = copy.host->block()) {
    copy_rows_async<Runtime>(copy.to_device, copy.device, block, 0, copy.bytes, stream);
    synchronize();
  } else {
    const std::size_t granule = copy.host->granule();
    const std::size_t piece   = std::min(copy.bytes, std::max(policy.gathered_bytes, granule) / granule * granule);
    const auto packed         = std::make_unique<char[]>(piece);
    for (std::size_t first = 0; first < copy.bytes; first += piece) {
      const std::size_t n = std::min(piece, copy.bytes - first);
      if (copy.to_device) copy.host->gather(packed.get(), first, n);
      copy_rows_async<Runtime>(copy.to_device, copy.device, packed.get(), first, n, stream);
      synchronize();
      if (!copy.to_device) copy.host->scatter(packed.get(), first, n);
    }
  }
  report_landed(copy);
}

}  // namespace Kokkos::Impl

#endif
