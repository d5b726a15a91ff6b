// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_IMPL_HPP
#define KOKKOS_GPU_INSTANCE_IMPL_HPP

/// \file
/// The members of GPUInstance; included by the one source file of each vendor that instantiates them.

#include <impl/GPU/instance/Kokkos_GPU_LockTable.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DefaultStream_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DeviceReach.hpp>
#include <impl/GPU/instance/Kokkos_GPU_FenceMarks.hpp>
#include <impl/GPU/instance/Kokkos_GPU_FenceOfAll_Impl.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/instance/Kokkos_GPU_InstanceErrors_Impl.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>

namespace Kokkos::Impl {

/// The live instances of a vendor. The list is doubly linked so that one of thousands of instances is removed in
/// constant time.
template <class Runtime>
struct GPUInstanceList {
  std::mutex mutex;
  std::condition_variable left;  // notified when the last visit of an instance or of the default stream ends
  GPUInstance<Runtime>* first            = nullptr;
  GPUInstance<Runtime>* default_instance = nullptr;
  GPUInstance<Runtime>* closed           = nullptr;  // the target of handles to the default instance after finalize
  std::uint32_t last_id                  = 0;
  int visits_of_default_stream           = 0;
  bool has_unknown_captures              = false;  // of streams that no instance has

  static GPUInstanceList& get() {
    static auto* list = new GPUInstanceList;  // never destroyed: handles in static storage may outlive main
    return *list;
  }
};

template <class Runtime>
GPUInstance<Runtime>::GPUInstance(int device) : m_properties(&properties_of(device)), m_stream(device) {
  enlist();
}

template <class Runtime>
GPUInstance<Runtime>::GPUInstance(stream_t stream, int device)
    : m_properties(&properties_of(device)), m_stream(typename InstanceStream<Runtime>::Adopt{}, stream, device) {
  m_adopted = true;
  enlist();
}

template <class Runtime>
GPUInstance<Runtime>::GPUInstance(ForRecording, stream_t stream, int device)
    : m_id(0),
      m_properties(&properties_of(device)),
      m_stream(typename InstanceStream<Runtime>::Adopt{}, stream, device) {}

template <class Runtime>
void GPUInstance<Runtime>::enlist() {
  auto& list = GPUInstanceList<Runtime>::get();
  std::unique_lock<std::mutex> lock(list.mutex);
  m_id   = ++list.last_id;
  m_next = list.first;
  if (m_next) m_next->m_previous = this;
  list.first = this;
  m_listed   = true;
  // A visit of the default stream that has begun before does not know this stream of the program.
  if (m_adopted) list.left.wait(lock, [&] { return list.visits_of_default_stream == 0; });
}

template <class Runtime>
GPUInstance<Runtime>::~GPUInstance() {
  leave();
}

template <class Runtime>
void GPUInstance<Runtime>::leave() noexcept {
  m_stream.drain();
  if (!m_listed) return;
  m_listed   = false;
  auto& list = GPUInstanceList<Runtime>::get();
  std::unique_lock<std::mutex> lock(list.mutex);
  m_leaving = true;
  list.left.wait(lock, [&] { return m_visits == 0; });
  (m_previous ? m_previous->m_next : list.first) = m_next;
  if (m_next) m_next->m_previous = m_previous;
}

template <class Runtime>
template <class Wanted, class Visit>
void GPUInstance<Runtime>::visit_if(Wanted const& is_wanted, Visit const& visit) {
  // A visit of one instance, which stays in the list meanwhile, so that its successor can be found afterwards.
  struct Pin {
    Pin(GPUInstanceList<Runtime>& l, std::unique_lock<std::mutex>& held, Wanted const& w)
        : list(l), lock(held), wanted(w) {
      move_to(list.first);
    }
    ~Pin() {
      if (!lock.owns_lock()) lock.lock();
      move_to(nullptr);
    }
    void move_to(GPUInstance* next) {
      while (next && (next->m_leaving || !wanted(*next))) next = next->m_next;
      if (next) ++next->m_visits;
      if (at && --at->m_visits == 0) list.left.notify_all();
      at = next;
    }
    GPUInstanceList<Runtime>& list;
    std::unique_lock<std::mutex>& lock;
    Wanted const& wanted;
    GPUInstance* at = nullptr;
  };
  auto& list = GPUInstanceList<Runtime>::get();
  std::unique_lock<std::mutex> lock(list.mutex);
  for (Pin pin(list, lock, is_wanted); pin.at; pin.move_to(pin.at->m_next)) {
    lock.unlock();
    visit(*pin.at);
    lock.lock();
  }
}

template <class Runtime>
void GPUInstance<Runtime>::add_user() const noexcept {
  auto& list = GPUInstanceList<Runtime>::get();
  std::unique_lock<std::mutex> lock(list.mutex);
  list.left.wait(lock, [&] { return m_visits == 0 && list.visits_of_default_stream == 0; });
  m_stream.users().add_this_thread();
}

template <class Runtime>
template <class F>
bool GPUInstance<Runtime>::visit_default_stream(F const& f) {
  auto& list = GPUInstanceList<Runtime>::get();
  std::unique_lock<std::mutex> lock(list.mutex);
  if (list.has_unknown_captures) return false;
  for (GPUInstance* i = list.first; i; i = i->m_next)
    if (i->m_stream.users().has_others()) return false;
  ++list.visits_of_default_stream;
  lock.unlock();
  f();
  lock.lock();
  if (--list.visits_of_default_stream == 0) list.left.notify_all();
  return true;
}

template <class Runtime>
void GPUInstance<Runtime>::note_capture_in_default_stream() noexcept {
  bool known = false;  // a capture by this thread, which no visit disturbs, since the thread is here
  visit_if([](GPUInstance const& i) { return !i.m_stream.users().is_empty() && !i.m_stream.users().has_others(); },
           [&](GPUInstance& i) {
             bool capturing = false;
             known          = known || (i.query_capturing(&capturing) == Runtime::success && capturing);
           });
  if (known) return;
  auto& list = GPUInstanceList<Runtime>::get();
  std::lock_guard<std::mutex> lock(list.mutex);
  list.has_unknown_captures = true;
}

template <class Runtime>
GPUInstanceState GPUInstance<Runtime>::look_at(std::uint32_t id, char const* purpose) {
  auto state = GPUInstanceState::ended;
  visit_if([&](GPUInstance const& i) { return i.m_id == id; },
           [&](GPUInstance& i) {
             state = GPUInstanceState::unknown;
             if (!i.may_wait()) return;
             RelaxedCaptureScope<Runtime> const relaxed;
             auto const answer = Runtime::stream_query(i.m_stream.get());
             (void)Impl::gpu_succeeded<Runtime>(answer);
             state = answer == Runtime::success ? GPUInstanceState::idle : GPUInstanceState::busy;
             if (answer != Runtime::success && answer != Runtime::not_ready)
               i.m_errors.throw_failed_wait(answer, "stream_query", purpose);
           });
  return state;
}

template <class Runtime>
GPUProperties const& GPUInstance<Runtime>::properties_of(int device) {
  static std::mutex mutex;
  static GPUProperties all[FunctorRings<Runtime>::max_devices];
  std::lock_guard<std::mutex> lock(mutex);
  GPUProperties& properties = all[device];
  if (properties.warp_size == 0) {
    GPUProperties found;  // a failed call may have set some of them
    Impl::gpu_check<Runtime>(Runtime::device_properties(&found, device), "device_properties", "looking up a device");
    properties = found;
    if constexpr (requires { Runtime::share_memory_pools(device, device); }) {
      RelaxedCaptureScope<Runtime> relaxed;
      for (int other = 0; properties.async_allocation && other < FunctorRings<Runtime>::max_devices; ++other)
        if (other != device && all[other].async_allocation &&
            Runtime::share_memory_pools(device, other) != Runtime::success) {
          Runtime::clear_last_error();
          GPUDeviceReach::set(device, other, false);
        }
    }
  }
  GPULockTable<Runtime>::get().add_device(device);
  return properties;
}

template <class Runtime>
void GPUInstance<Runtime>::close() noexcept {
  leave();
  m_stream.end();
  m_scratch.clear();
  m_mailbox.clear();
  m_work_memory.clear();
  GPUInstanceList<Runtime>::get().closed = this;  // keeps the object reachable for leak checkers
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize(char const* purpose) {
  if (!default_instance()) require_initialized(purpose);
  if (refuses_fence_in_report()) return;
  if (!has_work()) return;
  std::uint64_t const submitted = m_submitted.load(std::memory_order_acquire);
  if (auto const error = wait(); error != Runtime::success)
    m_errors.throw_failed_wait(error, "stream_synchronize", purpose);
  m_ended.store(submitted, std::memory_order_relaxed);
  throw_pending();
}

template <class Runtime>
std::string GPUInstance<Runtime>::errors_of_copies() const {
  std::string const errors = CopyEngines<Runtime>::take_errors(m_stream.token());
  return errors.empty() ? errors : errors + m_errors.details(Runtime::success);
}

template <class Runtime>
void GPUInstance<Runtime>::throw_pending() const {
  std::string const errors = errors_of_copies();
  CopyEngines<Runtime>::pool().collect();
  if (!errors.empty()) throw std::runtime_error(errors);
}

template <class Runtime>
typename Runtime::error_t GPUInstance<Runtime>::wait() noexcept {
  RelaxedCaptureScope<Runtime> relaxed;
  FunctorRing<Runtime>* const ring = FunctorRings<Runtime>::find(device());
  std::uint64_t const ticket       = ring ? ring->next_ticket() : 0;
  CopyEngines<Runtime>::pool().help_stream(m_stream.token());
  auto const error = Runtime::stream_synchronize(m_stream.get());
  if (error == Runtime::success)
    note_end(ring, ticket);
  else
    Runtime::clear_last_error();
  return error;
}

template <class Runtime>
void GPUInstance<Runtime>::note_end(FunctorRing<Runtime>* ring, std::uint64_t ticket) noexcept {
  if (ring) ring->drained(m_stream.token(), ticket);
  m_errors.all_done();
}

template <class Runtime>
bool GPUInstance<Runtime>::may_wait() const noexcept {
  bool capturing = false;
  // If the query fails, the wait fails, too, and reports why.
  return !m_stream.users().has_others() && (query_capturing(&capturing) != Runtime::success || !capturing);
}

template <class Runtime>
bool GPUInstance<Runtime>::is_capturing(char const* purpose) const {
  if (!default_instance()) [[unlikely]]
    Impl::require_initialized(
        (std::string("A kernel, copy or fence on an instance of Kokkos::") + Runtime::vendor).c_str());
  bool capturing = false;
  if (auto const error = query_capturing(&capturing); error != Runtime::success)
    m_errors.throw_failed_wait(error, "stream_is_capturing", purpose);
  if (capturing) note_user();  // the thread captures, so it has the handle
  return capturing;
}

template <class Runtime>
void GPUInstance<Runtime>::require_working_device(char const* purpose) const {
  bool capturing = false;
  if (auto const error = Runtime::stream_is_capturing(m_stream.get(), &capturing); error != Runtime::success)
    m_errors.throw_failed_wait(error, "stream_is_capturing", purpose);
}

template <class Runtime>
void GPUInstance<Runtime>::require_waitable(char const* call) const {
  bool capturing = false;
  // If the query itself fails, the message of the failed call already gives the reason.
  if (query_capturing(&capturing) != Runtime::success || !capturing) return;
  throw_runtime_exception(std::string(call) +
                          " was called without an instance, so it waits for the default one, whose stream is being "
                          "captured. Nothing runs during a capture, so there is nothing to wait for: pass an instance "
                          "where the call takes one, or end the capture first.");
}

template <class Runtime>
typename Runtime::error_t GPUInstance<Runtime>::query_capturing(bool* capturing) const noexcept {
  *capturing = false;
  if (m_stream.users().is_empty()) return Runtime::success;
  auto const error = Runtime::stream_is_capturing(m_stream.get(), capturing);
  if (error != Runtime::success) Runtime::clear_last_error();
  return error;
}

template <class Runtime>
void GPUInstance<Runtime>::caught_up(std::uint64_t submissions) {
  m_errors.all_done();
  // A submission is counted after its call. Another thread may have submitted work behind the completed work. Either
  // that submission is already counted, and the numbers differ, or it will be counted, and the instance then has work.
  if (m_submitted.load(std::memory_order_acquire) == submissions) m_ended.store(submissions, std::memory_order_relaxed);
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
  // Kernels that were launched with a smaller piece use its counters and reset them to zero. None of them sees the new
  // piece. Its counters are cleared in stream order, before the first kernel that uses them.
  if (m_scratch.bytes() < bytes)
    m_errors.with_context([&] {
      DeviceScope<Runtime> scope(device());
      RelaxedCaptureScope<Runtime> relaxed;
      auto larger = m_scratch.larger(bytes);
      Impl::gpu_check<Runtime>(Runtime::memset_async(larger.get(), 0, counter_bytes, stream()), "memset_async",
                               "clearing the counters of reductions");
      m_scratch.replace(std::move(larger));
    });
  return static_cast<std::byte*>(m_scratch.get());
}

template <class Runtime>
void* GPUInstance<Runtime>::work_memory(std::size_t bytes, char const* purpose) {
  auto& memory = m_work_memory;
  if (memory.bytes() < bytes)
    m_errors.with_context([&] {
      DeviceScope<Runtime> scope(device());
      try {
        memory.replace(memory.larger(bytes));
        return;
      } catch (GPUError const&) {
        Runtime::clear_last_error();
      }
      WaitScope const waits(WaitReason::library_memory);
      // Memory is short: free the old piece and allocate exactly the requested size. Work that uses the old piece must
      // end first. No more can be enqueued, because that requires the mutex.
      (void)wait();
      memory.clear();
      try {
        memory.replace(DeviceMemory<Runtime>(bytes));
      } catch (GPUError const& error) {
        throw GPUError("Cannot allocate " + std::to_string(bytes) + " bytes of " + purpose + ". " + error.what(),
                       error.code());
      }
    });
  return memory.get();
}

template <class Runtime>
void GPUInstance<Runtime>::release_idle_work_memory(int device) {
  visit_if([=](GPUInstance const& i) { return device == all_devices || i.device() == device; },
           [](GPUInstance& i) {
             if (std::unique_lock<std::mutex> own(i.m_work_memory_mutex, std::try_to_lock); own)
               i.m_work_memory.clear();
           });
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
void GPUInstance<Runtime>::synchronize_all(char const* purpose, GPUInstance* next) {
  if (refuses_fence_in_report()) return;
  FenceOfAll fence(purpose, next);
  fence.wait_for_instances();
  fence.wait_for_marks();
  // Streams of Kokkos are ordered with the default stream, so this comes after their part of the host.
  fence.wait_for_default_streams();
  fence.wait_for_devices();
  // Outside of visits, because this may release the last handle of an instance.
  GraphKeeper<Runtime>::collect();
  CopyEngines<Runtime>::pool().collect();
  fence.throw_failures();
}

template <class Runtime>
template <class F>
void GPUInstance<Runtime>::visit_unordered(int device, F const& f) {
  auto const unordered = [&](GPUInstance const& instance) { return instance.m_adopted || instance.device() != device; };
  visit_if(unordered, [&](GPUInstance& instance) { f(instance.m_stream); });
}

template <class Runtime>
typename Runtime::error_t GPUInstance<Runtime>::wait_for_all_of(int device) noexcept {
  // The host's part of copies is not work on the device, so the copies must be complete first.
  visit_if([&](GPUInstance const& instance) { return instance.device() == device; },
           [](GPUInstance& instance) { CopyEngines<Runtime>::pool().help_stream(instance.m_stream.token()); });
  FunctorRing<Runtime>* const ring = FunctorRings<Runtime>::find(device);
  std::uint64_t const ticket       = ring ? ring->next_ticket() : 0;
  auto const error                 = Impl::wait_for_device<Runtime>(device);
  if (error == Runtime::success)
    visit_if([&](GPUInstance const& instance) { return instance.device() == device; },
             [&](GPUInstance& instance) { instance.note_end(ring, ticket); });
  return error;
}

template <class Runtime>
void GPUInstance<Runtime>::synchronize_device(int device) noexcept {
  if (!refuses_fence_in_report()) (void)wait_for_all_of(device);
}

}  // namespace Kokkos::Impl

#endif
