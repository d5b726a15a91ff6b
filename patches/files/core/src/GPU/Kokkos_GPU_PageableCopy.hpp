// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PAGEABLE_COPY_HPP
#define KOKKOS_GPU_PAGEABLE_COPY_HPP

/// \file
/// Copies between memory of malloc and a device by the copy engine, where a program has asked for it.

#include <GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

namespace Kokkos::Impl {

/// Enqueues the copy in `stream`, and returns before it has happened; false if it has to go another way. Exactly one of
/// the sides is host memory that the runtime was not told of. Nobody may free or touch that before `stream` has been
/// waited for; a small source is read before this returns.
/// \throws GPUError if the runtime refuses
template <class Runtime>
bool copy_pageable(InstanceStream<Runtime> const& stream, void* dst, void const* src, std::size_t bytes,
                   bool dst_is_pageable) {
  bool capturing = false;
  gpu_check<Runtime>(Runtime::stream_is_capturing(stream.get(), &capturing), "stream_is_capturing",
                     "looking whether a copy becomes part of a graph");
  if (capturing || bytes == 0) return false;
  [[maybe_unused]] static const bool configured = [] {
    CopySettings settings;
    settings.device_waits          = Runtime::device_may_wait_for_host;
    settings.starts_behind         = true;
    settings.read_by_runtime_bytes = Runtime::read_during_call_bytes;
    if (const char* threads = std::getenv("KOKKOS_STAGING_THREADS")) settings.threads = std::atoi(threads);
    CopyEngines<Runtime>::configure(settings);
    return true;
  }();
  char* const host   = static_cast<char*>(const_cast<void*>(dst_is_pageable ? dst : src));
  char* const device = static_cast<char*>(const_cast<void*>(dst_is_pageable ? src : dst));
  const BlockCopy block{!dst_is_pageable, device, host, bytes};
  CopyEngines<Runtime>::of(stream.device()).enqueue_block(block, stream, [&] {
    StagedCopy copy;
    copy.to_device = block.to_device;
    copy.bytes     = bytes;
    copy.device    = DeviceRows::block(device, bytes);
    copy.host      = std::make_unique<HostBlock>(host, bytes);
    copy.what      = "Kokkos::deep_copy";
    return copy;
  });
  return true;
}

/// After a wait for `stream`. What the device does not do, that wait has told. This tells what the threads could not do.
/// \throws std::runtime_error with the labels of the copies
template <class Runtime>
void check_copies(InstanceStream<Runtime> const& stream) {
  CopyEngines<Runtime>::throw_pending(stream.token());
}
/// The same for all streams, after a wait for all devices.
template <class Runtime>
void check_all_copies() {
  CopyEngines<Runtime>::throw_all_pending();
}

/// Gives back memory and threads. Every stream must have been waited for.
template <class Runtime>
void release_copy_engines() {
  CopyEngines<Runtime>::release_all();
}

}  // namespace Kokkos::Impl

#endif
