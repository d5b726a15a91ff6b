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
void synchronize_stream(typename Runtime::stream_t stream, char const* what) {
  gpu_check<Runtime>(Runtime::stream_synchronize(stream), "stream_synchronize", what);
}

/// Copies, and waits for the end. `of_program`: the stream may contain earlier work. `host` is needed if the host's side
/// is not one block.
template <class Runtime>
void copy_by_runtime(PageableCopy const& copy, HostSide const* host, typename Runtime::stream_t stream, bool of_program,
                     char const* what, CopyPolicy const& policy) {
  auto const synchronize = [&] { synchronize_stream<Runtime>(stream, what); };
  // The runtime may read a source during the call, before the work in the stream that writes it has ended.
  if (of_program && copy.to_device) synchronize();
  if (copy.block) {
    copy_rows_async<Runtime>(copy.to_device, copy.device, copy.block, 0, copy.bytes, stream);
    return synchronize();
  }
  std::size_t const granule = host->granule();
  std::size_t const piece   = std::min(copy.bytes, std::max(policy.gathered_bytes, granule) / granule * granule);
  auto const packed         = std::make_unique<char[]>(piece);
  for (std::size_t first = 0; first < copy.bytes; first += piece) {
    std::size_t const n = std::min(piece, copy.bytes - first);
    if (copy.to_device) host->gather(packed.get(), first, n);
    copy_rows_async<Runtime>(copy.to_device, copy.device, packed.get(), first, n, stream);
    synchronize();
    if (!copy.to_device) host->scatter(packed.get(), first, n);
  }
}

}  // namespace Kokkos::Impl

#endif
