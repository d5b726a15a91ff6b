// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_CONSTANT_MEMORY_USE_HPP
#define KOKKOS_HIP_CONSTANT_MEMORY_USE_HPP

/// \file
/// The lock of the constant-memory buffer of a device, and the event after which the buffer may be written again.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <HIP/Kokkos_HIP_GPURuntime.hpp>

#include <memory>
#include <mutex>

namespace Kokkos::Impl {

/// One object per device. It stores the event of the last launch through the buffer. When the stream of that launch
/// ends, the event is dropped: the stream is drained, so no wait is needed, and in HIP a wait for an event of a
/// destroyed stream fails.
class HIPConstantMemoryUse final : public StreamObserver {
 public:
  HIPConstantMemoryUse() { StreamObservers<HIPGPURuntime>::get().add(this); }
  ~HIPConstantMemoryUse() { StreamObservers<HIPGPURuntime>::get().remove(this); }
  HIPConstantMemoryUse(HIPConstantMemoryUse const&)            = delete;
  HIPConstantMemoryUse& operator=(HIPConstantMemoryUse const&) = delete;

  /// Exclusive use of the buffer, to write it and to launch a kernel that reads it.
  class Lock {
   public:
    /// Waits until the last kernel that reads the buffer has ended, which is permitted during captures of other
    /// streams. Throws if the stream itself is being captured: an event of a capture can be neither queried nor waited for.
    Lock(HIPConstantMemoryUse& use, HIPInstanceStream const& stream)
        : m_use(use), m_stream(stream), m_lock(use.m_mutex) {
      bool capturing = false;
      gpu_check<HIPGPURuntime>(HIPGPURuntime::stream_is_capturing(stream.get(), &capturing), "hipStreamIsCapturing",
                               "launching a functor through constant memory");
      if (capturing)
        throw GPUError(
            "The functor is too large to be launched into a stream that is being captured: launches share the buffer "
            "in constant memory, so the graph would read the functor of a later launch.",
            int(hipErrorStreamCaptureUnsupported));
      RelaxedCaptureScope<HIPGPURuntime> relaxed;
      if (!use.m_event) use.m_event = std::make_unique<Event<HIPGPURuntime>>();
      if (use.m_last == no_stream) return;
      gpu_check<HIPGPURuntime>(hipEventSynchronize(use.m_event->get()), "hipEventSynchronize",
                               "waiting for the buffer of functors in constant memory");
      use.m_last = no_stream;
    }
    Lock(Lock const&)            = delete;
    Lock& operator=(Lock const&) = delete;
    /// The buffer stays busy until the work that has been enqueued in the stream has ended.
    ~Lock() {
      if (hipEventRecord(m_use.m_event->get(), m_stream.get()) == hipSuccess) {
        m_use.m_last = m_stream.token();
      } else {
        (void)hipGetLastError();
        (void)hipStreamSynchronize(m_stream.get());
      }
    }

   private:
    HIPConstantMemoryUse& m_use;
    HIPInstanceStream const& m_stream;
    std::lock_guard<std::mutex> m_lock;
  };

  /// The stream is drained, so this never waits for a kernel in it; a thread that holds the mutex may wait for a kernel
  /// in another stream.
  void forget(StreamToken token) noexcept override {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_last != token) return;
    m_event.reset();
    m_last = no_stream;
  }

 private:
  std::mutex m_mutex;  // guards the next two members
  std::unique_ptr<Event<HIPGPURuntime>> m_event;
  StreamToken m_last = no_stream;  // the stream in which the event was recorded; no_stream if the buffer is free
};

}  // namespace Kokkos::Impl

#endif
