// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_IMPL_HPP
#define KOKKOS_GPU_INSTANCE_IMPL_HPP

/// \file
/// The members of GPUInstance; included by the one source file of each vendor that instantiates them.

#include <GPU/Kokkos_GPU_Instance.hpp>
#include <GPU/Kokkos_GPU_LockTable.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// The live instances of a vendor. A doubly linked list, because instances come and go by the thousand.
template <class Runtime>
struct GPUInstanceList {
  std::mutex mutex;
  GPUInstance<Runtime>* first            = nullptr;
  GPUInstance<Runtime>* default_instance = nullptr;
  std::uint32_t last_id                  = 0;

  static GPUInstanceList& get() {
    static auto* list = new GPUInstanceList;  // never destroyed: handles in static storage may outlive main
    return *list;
  }
};

template <class Runtime>
GPUInstance<Runtime>::GPUInstance(int device)
    : m_properties(&properties_of(device)), m_flag(sizeof(std::uint32_t)), m_stream(device) {
  enlist();
}

template <class Runtime>
GPUInstance<Runtime>::GPUInstance(stream_t stream, int device)
    : m_properties(&properties_of(device)),
      m_flag(sizeof(std::uint32_t)),
      m_stream(typename InstanceStream<Runtime>::Adopt{}, stream, device) {
  enlist();
}

template <class Runtime>
void GPUInstance<Runtime>::enlist() {
  *mailbox_flag() = 0;
  auto& list      = GPUInstanceList<Runtime>::get();
  std::lock_guard<std::mutex> lock(list.mutex);
  m_id   = ++list.last_id;
  m_next = list.first;
  if (m_next) m_next->m_previous = this;
  list.first = this;
}

template <class Runtime>
GPUInstance<Runtime>::~GPUInstance() {
  auto& list = GPUInstanceList<Runtime>::get();
  std::lock_guard<std::mutex> lock(list.mutex);
  (m_previous ? m_previous->m_next : list.first) = m_next;
  if (m_next) m_next->m_previous = m_previous;
}

template <class Runtime>
GPUProperties const& GPUInstance<Runtime>::properties_of(int device) {
  static std::mutex mutex;
  static GPUProperties all[FunctorRings<Runtime>::max_devices];
  std::lock_guard<std::mutex> lock(mutex);
  GPUProperties& properties = all[device];
  if (properties.warp_size == 0)
    gpu_check<Runtime>(Runtime::device_properties(&properties, device), "device_properties", "looking up a device");
  GPULockTable<Runtime>::get().add_device(device);
  return properties;
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize(const char* purpose) {
  const auto error = Runtime::stream_synchronize(stream());
  std::lock_guard<std::mutex> lock(m_log_mutex);
  if (error == Runtime::success) return m_log.all_done();
  Runtime::clear_last_error();
  throw GPUError(std::string(Runtime::vendor) + " reported an error while " + purpose + ": " +
                     Runtime::error_name(error) + " (" + Runtime::error_string(error) + ")" + m_log.window() + ".",
                 static_cast<int>(error));
}

template <class Runtime>
bool GPUInstance<Runtime>::is_capturing() const {
  bool capturing = false;
  gpu_check<Runtime>(Runtime::stream_is_capturing(stream(), &capturing), "stream_is_capturing",
                     "asking whether a stream is being captured");
  return capturing;
}

template <class Runtime>
void GPUInstance<Runtime>::launched(const char* label) noexcept {
  std::lock_guard<std::mutex> lock(m_log_mutex);
  m_log.add(label);
}

template <class Runtime>
std::byte* GPUInstance<Runtime>::scratch(std::size_t bytes) {
  if (m_scratch.bytes() < bytes) {
    std::size_t size = 64 * 1024;
    while (size < bytes) size *= 2;
    synchronize("enlarging the scratch memory of reductions");
    DeviceScope<Runtime> scope(device());
    RelaxedCaptureScope<Runtime> relaxed;
    DeviceMemory<Runtime> larger(size);
    gpu_check<Runtime>(Runtime::memset_async(larger.get(), 0, counter_bytes, stream()), "memset_async",
                       "clearing the counters of reductions");
    m_scratch = std::move(larger);
  }
  return static_cast<std::byte*>(m_scratch.get());
}

template <class Runtime>
std::byte* GPUInstance<Runtime>::mailbox(std::size_t bytes) {
  if (m_mailbox.bytes() < bytes) {
    synchronize("enlarging the mailbox of reductions");
    RelaxedCaptureScope<Runtime> relaxed;
    m_mailbox = PinnedMemory<Runtime>(bytes < 4096 ? 4096 : bytes);
  }
  return static_cast<std::byte*>(m_mailbox.get());
}

template <class Runtime>
GPUInstance<Runtime>* GPUInstance<Runtime>::default_instance() noexcept {
  return GPUInstanceList<Runtime>::get().default_instance;
}

template <class Runtime>
void GPUInstance<Runtime>::set_default_instance(GPUInstance* instance) noexcept {
  GPUInstanceList<Runtime>::get().default_instance = instance;
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize_all(const char* purpose) {
  std::vector<GPUInstanceHandle<Runtime>> live;
  {
    auto& list = GPUInstanceList<Runtime>::get();
    std::lock_guard<std::mutex> lock(list.mutex);
    for (GPUInstance* instance = list.first; instance; instance = instance->m_next) {
      // One whose last handle is going right now drains its own stream.
      int count = __atomic_load_n(&instance->m_count, __ATOMIC_RELAXED);
      while (count > 0 && !__atomic_compare_exchange_n(&instance->m_count, &count, count + 1, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
      }
      if (count > 0) live.emplace_back(GPUInstanceHandle<Runtime>(instance));
    }
  }
  for (auto& handle : live)
    if (!handle.get()->is_capturing()) handle.get()->synchronize(purpose);
  GraphKeeper<Runtime>::collect();
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize_device(int device, const char* purpose) {
  DeviceScope<Runtime> scope(device);
  RelaxedCaptureScope<Runtime> relaxed;
  if (Runtime::device_synchronize() == Runtime::success) return;
  // A stream of the device may be under capture, which forbids this call; or a kernel has failed, and then an instance
  // says which.
  Runtime::clear_last_error();
  synchronize_all(purpose);
}

}  // namespace Kokkos::Impl

#endif
