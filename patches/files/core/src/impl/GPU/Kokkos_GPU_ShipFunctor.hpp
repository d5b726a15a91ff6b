// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_SHIP_FUNCTOR_HPP
#define KOKKOS_GPU_SHIP_FUNCTOR_HPP

/// \file
/// Transfers functors that exceed the limit of kernel parameters: through the ring of the device, or, in a stream that
/// is being captured, through memory that the graph owns.

#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

namespace Kokkos::Impl {

/// The device's copy of a functor whose launch is part of a graph.
template <class Runtime>
struct CapturedFunctor final : GraphKept {
  /// Copies in a separate stream while another one is being captured; the copy is complete when this returns.
  CapturedFunctor(void const* functor, std::size_t bytes, int device) {
    RelaxedCaptureScope<Runtime> relaxed;
    DeviceScope<Runtime> scope(device);
    on_device = DeviceMemory<Runtime>(bytes);
    PinnedMemory<Runtime> staging(bytes);
    std::memcpy(staging.get(), functor, bytes);
    InstanceStream<Runtime> stream(device);
    gpu_check<Runtime>(Runtime::memcpy_async(on_device.get(), staging.get(), bytes, stream.get()), "memcpy_async",
                       "sending a captured functor to the device");
    gpu_check<Runtime>(Runtime::stream_synchronize(stream.get()), "stream_synchronize",
                       "sending a captured functor to the device");
  }
  DeviceMemory<Runtime> on_device;
};

/// Calls `launch(pointer)`, which enqueues a kernel in `stream`; `pointer` is the address of the functor on the device.
/// Does not wait for the kernel. Waits for an earlier kernel only if all slots of the ring are busy.
/// \throws GPUError if a call of the runtime fails
template <class Runtime, class Launch>
void ship_functor(void const* functor, std::size_t bytes, InstanceStream<Runtime> const& stream, Launch const& launch) {
  GraphKeeper<Runtime>::collect();
  bool capturing = false;
  gpu_check<Runtime>(Runtime::stream_is_capturing(stream.get(), &capturing), "stream_is_capturing",
                     "checking whether the stream of a launch is being captured");
  if (capturing) {
    auto kept       = std::make_unique<CapturedFunctor<Runtime>>(functor, bytes, stream.device());
    void* on_device = kept->on_device.get();
    GraphKeeper<Runtime>::keep(stream.get(), std::move(kept));
    launch(on_device);
  } else {
    FunctorRings<Runtime>::of(stream.device())
        .ship(bytes, [=](void* staging) { std::memcpy(staging, functor, bytes); }, stream, launch);
  }
}

/// Releases the memory of earlier launches. All streams must be idle.
template <class Runtime>
void release_shipped_functors() {
  FunctorRings<Runtime>::release_all();
  ObservingStreams<Runtime>::release_all();
  GraphKeeper<Runtime>::collect();
}

}  // namespace Kokkos::Impl

#endif
