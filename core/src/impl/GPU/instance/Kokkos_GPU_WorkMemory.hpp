// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_WORK_MEMORY_HPP
#define KOKKOS_GPU_WORK_MEMORY_HPP

/// \file
/// Memory that only the work of one call uses, such as the scratch memory of teams or the packed elements of a copy.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// An object of any type that a graph keeps.
template <class T>
struct GraphKeptValue final : GraphKept {
  explicit GraphKeptValue(T&& v) : value(static_cast<T&&>(v)) {}
  T value;
};

/// `bytes` bytes that belong to the graph into which the instance's stream is being captured.
/// \throws GPUError if there is not so much memory
template <template <class> class Memory, class Runtime>
void* graph_memory(GPUInstance<Runtime>& instance, std::size_t bytes) {
  DeviceScope<Runtime> scope(instance.device());
  RelaxedCaptureScope<Runtime> relaxed;
  auto kept        = std::make_unique<GraphKeptValue<Memory<Runtime>>>(Memory<Runtime>(bytes));
  void* const data = kept->value.get();
  GraphKeeper<Runtime>::keep(instance.stream(), std::move(kept));
  return data;
}

/// Device memory for the work that the caller enqueues in an instance while this object lives. It belongs to the instance,
/// and then later work that uses it is enqueued behind this work; or it is freed in stream order, if it is large and the
/// device can do that. During a capture it belongs to the graph, which may run at any time.
template <class Runtime>
class GPUWorkMemory {
 public:
  /// \param purpose what the memory is, and why it has this size; part of messages
  /// \param most_kept the size up to which the instance keeps the memory. It keeps up to twice as much.
  GPUWorkMemory(GPUInstance<Runtime>& instance, std::size_t bytes, char const* purpose, std::size_t most_kept)
      : m_instance(instance) {
    if (bytes == 0) return;
    if (instance.is_capturing()) {
      m_data = instance.errors().with_context([&] { return Impl::graph_memory<DeviceMemory>(instance, bytes); });
    } else if (bytes > most_kept && instance.properties().async_allocation) {
      allocate_in_order(bytes, purpose);
    } else {
      m_lock = std::unique_lock<std::mutex>(instance.work_memory_mutex());
      m_data = instance.work_memory(bytes, purpose);
    }
  }
  ~GPUWorkMemory() {
    if (!m_own) return;
    RelaxedCaptureScope<Runtime> relaxed;
    (void)Impl::gpu_succeeded<Runtime>(Runtime::free_device_async(m_data, m_instance.stream()));
  }
  GPUWorkMemory(GPUWorkMemory const&)            = delete;
  GPUWorkMemory& operator=(GPUWorkMemory const&) = delete;
  void* data() const noexcept { return m_data; }

 private:
  void allocate_in_order(std::size_t bytes, char const* purpose) {
    DeviceScope<Runtime> scope(m_instance.device());
    RelaxedCaptureScope<Runtime> relaxed;
    m_instance.errors().check(Runtime::malloc_device_async(&m_data, bytes, m_instance.stream()), "malloc_device_async",
                              ("allocating " + std::to_string(bytes) + " bytes of " + purpose).c_str());
    m_own = true;
  }

  GPUInstance<Runtime>& m_instance;
  std::unique_lock<std::mutex> m_lock;
  void* m_data = nullptr;
  bool m_own   = false;
};

}  // namespace Kokkos::Impl

#endif
