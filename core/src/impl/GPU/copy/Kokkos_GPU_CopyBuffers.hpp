// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_BUFFERS_HPP
#define KOKKOS_GPU_COPY_BUFFERS_HPP

/// \file
/// The device buffer of each stream in which strided copies are packed.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace Kokkos::Impl {

/// A buffer that a graph owns.
template <class Memory>
struct GPUGraphBuffer final : GraphKept {
  explicit GPUGraphBuffer(std::size_t bytes) : memory(bytes) {}
  Memory memory;
};

/// `bytes` bytes that belong to the graph into which the instance's stream is being captured.
/// \throws GPUError if there is not so much memory
template <template <class> class Memory, class Runtime>
void* graph_buffer(GPUInstance<Runtime>& instance, std::size_t bytes) {
  DeviceScope<Runtime> scope(instance.device());
  RelaxedCaptureScope<Runtime> relaxed;
  auto buffer      = std::make_unique<GPUGraphBuffer<Memory<Runtime>>>(bytes);
  void* const data = buffer->memory.get();
  GraphKeeper<Runtime>::keep(instance.stream(), std::move(buffer));
  return data;
}

/// The buffers of a vendor's streams. A buffer is created at its first use and freed when its stream ends.
///
/// m_mutex guards the map and is not held while a buffer is used or created. A buffer's own mutex is held while work on
/// it is enqueued. `forget` is called when the stream has no more users, so no thread holds or requests the lock of its
/// buffer.
template <class Runtime>
class GPUCopyBuffers final : public StreamObserver {
 public:
  static GPUCopyBuffers& get() {
    static auto* buffers = new GPUCopyBuffers;  // never destroyed: streams in static storage may outlive main
    return *buffers;
  }

  /// At least `bytes` bytes of the stream's device, and the lock until the work on them has been enqueued. Never waits
  /// for the device: work in progress continues to use the memory that it was enqueued with.
  std::unique_lock<std::mutex> lock(InstanceStream<Runtime> const& stream, std::size_t bytes, void** data) {
    Buffer& buffer = of(stream);
    std::unique_lock<std::mutex> own(buffer.mutex);
    if (buffer.memory.bytes() < bytes) buffer.memory.replace(buffer.memory.larger(bytes));
    *data = buffer.memory.get();
    return own;
  }

  /// Frees the buffers on a device for which no copy is being enqueued. The runtime waits for work that uses them.
  void release_idle(int device) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (auto& [token, buffer] : m_buffers)
      if (std::unique_lock<std::mutex> own(buffer->mutex, std::try_to_lock); own && buffer->device == device)
        buffer->memory.clear();
  }

  void forget(StreamToken token) noexcept override {
    std::unique_ptr<Buffer> ended;
    std::lock_guard<std::mutex> lock(m_mutex);
    auto const found = m_buffers.find(token);
    if (found == m_buffers.end()) return;
    ended = std::move(found->second);
    m_buffers.erase(found);
  }

 private:
  struct Buffer {
    int device = 0;
    std::mutex mutex;
    GPUGrowingMemory<DeviceMemory<Runtime>> memory{Runtime::copy_policy.min_packing_bytes};
  };

  Buffer& of(InstanceStream<Runtime> const& stream) {
    std::lock_guard<std::mutex> lock(m_mutex);
    auto& buffer = m_buffers[stream.token()];
    if (!buffer) {
      buffer         = std::make_unique<Buffer>();
      buffer->device = stream.device();
    }
    return *buffer;
  }

  GPUCopyBuffers() {
    StreamObservers<Runtime>::get().add(this);
    CopyEngines<Runtime>::set_idle_memory([](int device) { get().release_idle(device); });
  }

  std::mutex m_mutex;
  std::map<StreamToken, std::unique_ptr<Buffer>> m_buffers;
};

/// The buffer of the instance's stream, with its lock. In a capture it is memory of the graph's own, without a lock.
template <class Runtime>
std::unique_lock<std::mutex> lock_copy_buffer(GPUInstance<Runtime>& instance, std::size_t bytes, void** data) {
  DeviceScope<Runtime> scope(instance.device());
  if (!instance.is_capturing()) return GPUCopyBuffers<Runtime>::get().lock(instance.stream(), bytes, data);
  *data = Impl::graph_buffer<DeviceMemory>(instance, bytes);
  return {};
}

}  // namespace Kokkos::Impl

#endif
