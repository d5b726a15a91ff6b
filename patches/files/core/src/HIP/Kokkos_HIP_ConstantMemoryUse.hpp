// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_CONSTANT_MEMORY_USE_HPP
#define KOKKOS_HIP_CONSTANT_MEMORY_USE_HPP

/// \file
/// Who uses the constant-memory buffer of a device, and when it may be written again.

#include <GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <HIP/Kokkos_HIP_GPURuntime.hpp>

#include <memory>
#include <mutex>

namespace Kokkos::Impl {

/// One per device. The event of the last launch through the buffer is forgotten when the stream of that launch ends:
/// HIP answers a wait for an event of a destroyed stream with an error, while no wait is needed for a drained one.
class HIPConstantMemoryUse final : public StreamObserver {
 public:
  HIPConstantMemoryUse() { StreamObservers<HIPGPURuntime>::get().add(this); }
  ~HIPConstantMemoryUse() { StreamObservers<HIPGPURuntime>::get().remove(this); }
  HIPConstantMemoryUse(HIPConstantMemoryUse const&)            = delete;
  HIPConstantMemoryUse& operator=(HIPConstantMemoryUse const&) = delete;

  /// The right to write the buffer and to launch a kernel that reads it, from construction to destruction.
  class Turn {
   public:
    /// Waits until the last kernel that reads the buffer has ended. Captures elsewhere neither forbid that nor notice.
    Turn(HIPConstantMemoryUse& use, HIPInstanceStream const& stream)
        : m_use(use), m_stream(stream), m_lock(use.m_mutex) {
      RelaxedCaptureScope<HIPGPURuntime> relaxed;
      if (!use.m_event) use.m_event = std::make_unique<Event<HIPGPURuntime>>();
      if (use.m_last == no_stream) return;
      gpu_check<HIPGPURuntime>(hipEventSynchronize(use.m_event->get()), "hipEventSynchronize",
                               "waiting for the buffer of functors in constant memory");
      use.m_last = no_stream;
    }
    Turn(Turn const&)            = delete;
    Turn& operator=(Turn const&) = delete;
    /// From here on the buffer is busy until what has been enqueued in the stream is done.
    ~Turn() {
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

  /// The stream is drained. A thread that has the turn waits, at most, for a kernel in another stream.
  void forget(StreamToken token) noexcept override {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_last != token) return;
    m_event.reset();
    m_last = no_stream;
  }

 private:
  std::mutex m_mutex;  // guards both of:
  std::unique_ptr<Event<HIPGPURuntime>> m_event;
  StreamToken m_last = no_stream;  // where the event was recorded, if someone has to wait for it
};

}  // namespace Kokkos::Impl

#endif
