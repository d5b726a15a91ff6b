// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PAGEABLE_COPY_HPP
#define KOKKOS_GPU_PAGEABLE_COPY_HPP

/// \file
/// Copies between memory of malloc and a device by the copy engine, in builds that enable it.

#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

namespace Kokkos::Impl {

/// The runtime makes copies to the host of up to this many bytes: it is as fast, and the caller waits for a short time.
inline constexpr std::size_t fetched_by_runtime_bytes = CopyPolicy().slot_bytes;

/// Whether a copy in progress writes the source of a copy to a device. Then the runtime must not make that copy: it may
/// read the source before the stream gets there.
template <class Runtime>
bool is_being_written(void const* source, std::size_t bytes) {
  auto const* const first = static_cast<char const*>(source);
  return CopyEngines<Runtime>::pool().touches({first, first + bytes}, false);
}

/// Whether the copy engine should make a copy between host memory at `host` and a device. Asks the runtime nothing, so
/// that a small copy costs what it costs without the engine.
template <class Runtime>
bool suits_copy_engine(void const* host, std::size_t bytes, bool to_host) {
  if (to_host) return bytes > fetched_by_runtime_bytes;
  return bytes > Runtime::read_during_call_bytes || is_being_written<Runtime>(host, bytes);
}

/// Enqueues the copy in `stream`, and returns before it has completed. Returns false, without copying, if the runtime
/// should make the copy: the stream is being captured, or the engine has no pinned memory, or not yet. Exactly one side
/// must be host memory that the runtime neither allocated nor registered. The program must not free or access it before
/// it has waited for `stream`.
/// \throws GPUError if a call of the runtime fails
template <class Runtime>
bool copy_pageable(InstanceStream<Runtime> const& stream, void* dst, void const* src, std::size_t bytes,
                   bool dst_is_pageable) {
  bool capturing = false;
  gpu_check<Runtime>(Runtime::stream_is_capturing(stream.get(), &capturing), "stream_is_capturing",
                     "checking whether the stream of a copy is being captured");
  if (capturing || bytes == 0) return false;
  [[maybe_unused]] static bool const configured = [] {
    CopySettings settings;
    settings.device_waits          = Runtime::device_may_wait_for_host;
    settings.starts_behind         = true;
    settings.read_by_runtime_bytes = Runtime::read_during_call_bytes;
    if (char const* threads = std::getenv("KOKKOS_STAGING_THREADS")) settings.threads = std::atoi(threads);
    CopyEngines<Runtime>::configure(settings);
    return true;
  }();
  char* const host   = static_cast<char*>(const_cast<void*>(dst_is_pageable ? dst : src));
  char* const device = static_cast<char*>(const_cast<void*>(dst_is_pageable ? src : dst));
  auto& engine       = CopyEngines<Runtime>::of(stream.device());
  if (engine.has_no_staging_for(bytes) && (dst_is_pageable || !is_being_written<Runtime>(host, bytes))) return false;
  PageableCopy outline;
  outline.to_device = !dst_is_pageable;
  outline.bytes     = bytes;
  outline.device    = DeviceRows::block(device, bytes);
  outline.block     = host;
  outline.span      = {host, host + bytes};
  auto const whole  = [&] {
    StagedCopy copy;
    static_cast<PageableCopy&>(copy) = outline;
    copy.host                        = std::make_unique<HostBlock>(host, bytes);
    copy.what                        = "Kokkos::deep_copy";
    return copy;
  };
  engine.copy(PageableRequest<Runtime, decltype(whole)>(outline, &stream, whole));
  return true;
}

/// Reports copies in `stream` that failed in the engine's threads. Call it after a wait for the stream; errors of the
/// device are reported by that wait.
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

/// Releases memory and threads. All streams must be idle.
template <class Runtime>
void release_copy_engines() {
  CopyEngines<Runtime>::release_all();
}

}  // namespace Kokkos::Impl

#endif
