// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_IMPL_HPP
#define KOKKOS_GPU_INSTANCE_IMPL_HPP

/// \file
/// The members of GPUInstance; included by the one source file of each vendor that instantiates them.

#include <GPU/Kokkos_GPU_CopyEngines.hpp>
#include <GPU/Kokkos_GPU_Instance.hpp>
#include <GPU/Kokkos_GPU_LockTable.hpp>
#include <runtime/Kokkos_Error.hpp>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// The live instances of a vendor. A doubly linked list, because instances come and go by the thousand.
template <class Runtime>
struct GPUInstanceList {
  std::mutex mutex;
  GPUInstance<Runtime>* first            = nullptr;
  GPUInstance<Runtime>* default_instance = nullptr;
  GPUInstance<Runtime>* closed           = nullptr;  // what handles to the default instance point to after finalize
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
  delist();
}

template <class Runtime>
void GPUInstance<Runtime>::delist() noexcept {
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
void GPUInstance<Runtime>::close() noexcept {
  m_stream.end();
  delist();
  m_scratch.clear();
  m_mailbox.clear();
  m_flag = {};
  GPUInstanceList<Runtime>::get().closed = this;  // not lost, for those who look for leaks
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize(const char* purpose) {
  if (!default_instance()) require_initialized(purpose);
  if (const auto error = wait(); error != Runtime::success) report(error, "stream_synchronize", purpose);
  throw_pending();
}

/// Reports copies of the stream that have failed on the host's side.
template <class Runtime>
void GPUInstance<Runtime>::throw_pending() const {
  try {
    CopyEngines<Runtime>::throw_pending(m_stream.token());
  } catch (std::runtime_error const& error) {
    throw std::runtime_error(error.what() + words(Runtime::success));
  }
}

template <class Runtime>
typename Runtime::error_t GPUInstance<Runtime>::wait() noexcept {
  RelaxedCaptureScope<Runtime> relaxed;
  FunctorRing<Runtime>* const ring = FunctorRings<Runtime>::find(device());
  const std::uint64_t moment       = ring ? ring->moment() : 0;
  StagingPool::get().help_stream(m_stream.token());
  const auto error = Runtime::stream_synchronize(stream());
  if (error == Runtime::success) {
    if (ring) ring->drained(m_stream.token(), moment);
    std::lock_guard<std::mutex> lock(m_log_mutex);
    m_log.all_done();
  } else {
    Runtime::clear_last_error();
  }
  return error;
}

/// A kernel that fails takes its device along, so that every stream reports the error. It can have been any kernel that
/// no fence has shown to be well, on whichever instance.
template <class Runtime>
std::string GPUInstance<Runtime>::suspects(const char* first) {
  std::string all;
  for (auto& handle : live_instances()) {
    std::lock_guard<std::mutex> lock(handle.get()->m_log_mutex);
    const std::string window = handle.get()->m_log.window();
    if (!window.empty()) all += (all.empty() ? first : " or in ") + window;
  }
  return all;
}

template <class Runtime>
void GPUInstance<Runtime>::report(typename Runtime::error_t error, const char* call, const char* purpose) const {
  throw GPUInstanceError(std::string(Runtime::vendor) + " reported an error to " + GPUCallWords<Runtime>::of(call) +
                             " while " + purpose + ": " + gpu_error_words<Runtime>(error) + suspects(", in ") + "." +
                             words(error),
                         static_cast<int>(error));
}

template <class Runtime>
void GPUInstance<Runtime>::failed(typename Runtime::error_t error, const char* call, const char* purpose) const {
  blaming([&] { gpu_check<Runtime>(error, call, purpose); });
  std::abort();  // it was an error
}

template <class Runtime>
void GPUInstance<Runtime>::failed(GPUError const& error) const {
  throw GPUInstanceError(error.what() + words(static_cast<typename Runtime::error_t>(error.code())), error.code());
}

/// A code says little of a stream that has gone, or that is being captured.
template <class Runtime>
std::string GPUInstance<Runtime>::words(typename Runtime::error_t error) const {
  std::string sentence =
      " The call was for instance " + std::to_string(id()) +
      (this == default_instance() ? ", the default one, on device " : " on device ") + std::to_string(device());
  bool capturing    = false;
  const auto answer = Runtime::stream_is_capturing(stream(), &capturing);
  Runtime::clear_last_error();
  if (answer == Runtime::success)
    sentence += capturing ? ", whose stream is being captured." : ", whose stream is alive and not being captured.";
  else if (Runtime::is_stale_stream(answer))
    sentence += ", whose stream has been destroyed; a stream that an instance was made with must outlive it.";
  else
    sentence += ", whose stream cannot be asked: it answers with " +
                (answer == error ? "the same error." : gpu_error_words<Runtime>(answer) + ".");
  return sentence;
}

template <class Runtime>
void GPUInstance<Runtime>::refused(typename Runtime::error_t error, const char* call, const char* label) const {
  Runtime::clear_last_error();
  throw GPUInstanceError(std::string(Runtime::vendor) + " did not launch the kernel \"" + label + "\": " +
                             GPUCallWords<Runtime>::of(call) + " answered " + gpu_error_words<Runtime>(error) +
                             suspects(", unless this comes from ") + "." + words(error),
                         static_cast<int>(error));
}

template <class Runtime>
bool GPUInstance<Runtime>::is_capturing(const char* purpose) const {
  if (!default_instance()) [[unlikely]]
    require_initialized((std::string("A kernel, copy or fence on an instance of Kokkos::") + Runtime::vendor).c_str());
  bool capturing = false;
  if (const auto error = ask_capturing(&capturing); error != Runtime::success)
    report(error, "stream_is_capturing", purpose);
  return capturing;
}

template <class Runtime>
typename Runtime::error_t GPUInstance<Runtime>::ask_capturing(bool* capturing) const noexcept {
  const auto error = Runtime::stream_is_capturing(stream(), capturing);
  if (error != Runtime::success) Runtime::clear_last_error();
  return error;
}

template <class Runtime>
void GPUInstance<Runtime>::launched(const char* label) noexcept {
  std::lock_guard<std::mutex> lock(m_log_mutex);
  m_log.add(label);
}

template <class Runtime>
void GPUInstance<Runtime>::caught_up() {
  {
    std::lock_guard<std::mutex> lock(m_log_mutex);
    m_log.all_done();
  }
  throw_pending();
}

template <class Runtime>
bool GPUInstance<Runtime>::is_alone() const noexcept {
  auto& list = GPUInstanceList<Runtime>::get();
  std::lock_guard<std::mutex> lock(list.mutex);
  return list.first == this && !m_next;
}

template <class Runtime>
std::byte* GPUInstance<Runtime>::scratch(std::size_t bytes) {
  // Kernels that were launched with a smaller piece count in its counters and put them back to zero; none of them sees
  // the new piece, whose counters are cleared in the order of the stream, before the first kernel that counts there.
  if (m_scratch.bytes() < bytes) blaming([&] {
      DeviceScope<Runtime> scope(device());
      RelaxedCaptureScope<Runtime> relaxed;
      auto larger = m_scratch.larger(bytes);
      gpu_check<Runtime>(Runtime::memset_async(larger.get(), 0, counter_bytes, stream()), "memset_async",
                         "clearing the counters of reductions");
      m_scratch.replace(std::move(larger));
    });
  return static_cast<std::byte*>(m_scratch.get());
}

template <class Runtime>
std::byte* GPUInstance<Runtime>::mailbox(std::size_t bytes) {
  if (m_mailbox.bytes() < bytes) blaming([&] { m_mailbox.replace(m_mailbox.larger(bytes)); });
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
std::vector<GPUInstanceHandle<Runtime>> GPUInstance<Runtime>::live_instances() {
  std::vector<GPUInstanceHandle<Runtime>> live;
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
  return live;
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize_all(const char* purpose) {
  auto failure     = Runtime::success;
  const char* call = "";
  GPUInstanceHandle<Runtime> failed;
  std::vector<GPUInstanceHandle<Runtime>> pending;  // whose copies have ended, and may have failed on the host's side
  for (auto& handle : live_instances()) {
    bool capturing = false;
    auto error     = handle.get()->ask_capturing(&capturing);
    const bool ask = error != Runtime::success;
    if (!ask && !capturing) error = handle.get()->wait();
    if (error == Runtime::success) {
      if (!capturing) pending.push_back(handle);
      continue;
    }
    failure = error;
    call    = ask ? "stream_is_capturing" : "stream_synchronize";
    failed  = handle;
  }
  GraphKeeper<Runtime>::collect();
  if (failure != Runtime::success) failed.get()->report(failure, call, purpose);
  for (auto const& handle : pending) handle.get()->throw_pending();
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize_device(int device) noexcept {
  for (auto& handle : live_instances()) {
    auto& instance = *handle.get();
    bool capturing = false;
    if (instance.device() != device) continue;
    if (instance.ask_capturing(&capturing) == Runtime::success && !capturing) (void)instance.wait();
  }
  // Waiting for the device itself would spoil any capture under way on it, also one that Kokkos knows nothing of. The
  // default stream stands for the program's own streams. While a stream that is ordered with it is being captured, the
  // question is answered by an error, and harms nothing; waiting would.
  int before = 0;
  if (Runtime::get_device(&before) != Runtime::success || Runtime::set_device(device) != Runtime::success) return;
  RelaxedCaptureScope<Runtime> relaxed;
  bool capturing = false;
  if (Runtime::stream_is_capturing(nullptr, &capturing) == Runtime::success && !capturing)
    (void)Runtime::stream_synchronize(nullptr);
  (void)Runtime::set_device(before);
  Runtime::clear_last_error();
}

}  // namespace Kokkos::Impl

#endif
