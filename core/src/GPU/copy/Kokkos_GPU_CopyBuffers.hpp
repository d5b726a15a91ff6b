// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_BUFFERS_HPP
#define KOKKOS_GPU_COPY_BUFFERS_HPP

/// \file
/// Device memory of each stream that strided copies are packed in.

#include <GPU/instance/Kokkos_GPU_Instance.hpp>
#include <GPU/portable/Kokkos_GPU_CopyEngines.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace Kokkos::Impl {

/// A buffer that a graph keeps.
template <class Runtime>
struct GPUGraphBuffer final : GraphKept {
  explicit GPUGraphBuffer(std::size_t bytes) : memory(bytes) {}
  DeviceMemory<Runtime> memory;
};

/// The buffers of a vendor's streams, made when first asked for, given back when the stream ends.
///
/// m_mutex guards the map and is not held while a buffer is used or made. A buffer's own mutex is held while work on it
/// is enqueued. `forget` is called when nobody uses the stream any more, so nobody has or wants the lock of its buffer.
template <class Runtime>
class GPUCopyBuffers final : public StreamObserver {
 public:
  /// Copies of more than that are cut into chunks, unless a single element has more.
  static constexpr std::size_t max_bytes = std::size_t(32) << 20;

  struct Buffer {
    int device = 0;
    std::mutex mutex;
    GPUGrowingMemory<DeviceMemory<Runtime>> memory{64 * 1024};
  };

  static GPUCopyBuffers& get() {
    static auto* buffers = new GPUCopyBuffers;  // never destroyed: streams in static storage may outlive main
    return *buffers;
  }

  Buffer& of(InstanceStream<Runtime> const& stream) {
    std::lock_guard<std::mutex> lock(m_mutex);
    auto& buffer = m_buffers[stream.token()];
    if (!buffer) {
      buffer         = std::make_unique<Buffer>();
      buffer->device = stream.device();
    }
    return *buffer;
  }

  /// Gives back the memory of a device that no copy is about to be enqueued in. The runtime waits for work that uses it.
  void release_idle(int device) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (auto& [token, buffer] : m_buffers)
      if (std::unique_lock<std::mutex> own(buffer->mutex, std::try_to_lock); own && buffer->device == device)
        buffer->memory.clear();
  }

  /// At least `bytes` bytes. The caller has the buffer's lock. Waits for nothing: work under way goes on in what it was
  /// enqueued with.
  static void* memory_of(Buffer& buffer, std::size_t bytes) {
    if (buffer.memory.bytes() < bytes) buffer.memory.replace(buffer.memory.larger(bytes));
    return buffer.memory.get();
  }

  void forget(StreamToken token) noexcept override {
    std::unique_ptr<Buffer> ended;
    std::lock_guard<std::mutex> lock(m_mutex);
    const auto found = m_buffers.find(token);
    if (found == m_buffers.end()) return;
    ended = std::move(found->second);
    m_buffers.erase(found);
  }

 private:
  GPUCopyBuffers() {
    StreamObservers<Runtime>::get().add(this);
    CopyEngines<Runtime>::set_idle_memory([](int device) { get().release_idle(device); });
  }

  std::mutex m_mutex;
  std::map<StreamToken, std::unique_ptr<Buffer>> m_buffers;
};

}  // namespace Kokkos::Impl

#endif
