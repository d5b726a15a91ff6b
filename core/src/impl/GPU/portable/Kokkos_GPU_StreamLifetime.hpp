// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STREAM_LIFETIME_HPP
#define KOKKOS_GPU_STREAM_LIFETIME_HPP

/// \file
/// Owners of a GPU runtime's objects, and the order in which a stream and the objects that refer to it end.
///
/// The rule of this file: **after a stream was destroyed, nothing waits for an event that was recorded in it.** CUDA
/// allows a program to synchronise an event whose stream has been destroyed. HIP does not, and returns an error about
/// capture. So a stream ends in three steps: it is drained, so that all of its events have happened; all observers
/// forget it; only then is it destroyed. One user needs what CUDA allows, and is left out where the runtime's struct
/// denies it: a fence of all instances marks their streams with events (Kokkos_GPU_FenceMarks.hpp).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// A failed call of the GPU runtime. The message is a sentence; `code` is the runtime's error number.
class GPUError : public std::runtime_error {
 public:
  GPUError(std::string const& sentence, int code) : std::runtime_error(sentence), m_code(code) {}
  int code() const noexcept { return m_code; }

 private:
  int m_code;
};

/// The text that the runtime's struct adds to an error by `explain`, if it has that function; else null.
template <class Runtime, class = void>
struct GPUErrorExplanation {
  static char const* of(typename Runtime::error_t) { return nullptr; }
};
template <class Runtime>
struct GPUErrorExplanation<Runtime, std::void_t<decltype(Runtime::explain(Runtime::success))>> {
  static char const* of(typename Runtime::error_t error) { return Runtime::explain(error); }
};

/// The vendor's name for an operation of the runtime's struct, from its function `call_name`; without that function,
/// the name of the operation.
template <class Runtime, class = void>
struct GPUVendorCallName {
  static std::string of(char const* operation) { return operation; }
};
template <class Runtime>
struct GPUVendorCallName<Runtime, std::void_t<decltype(Runtime::call_name(""))>> {
  static std::string of(char const* operation) { return Runtime::call_name(operation); }
};

/// "name (text; explanation)"
template <class Runtime>
std::string gpu_error_text(typename Runtime::error_t error) {
  std::string text = std::string(Runtime::error_name(error)) + " (" + Runtime::error_string(error);
  if (char const* more = GPUErrorExplanation<Runtime>::of(error)) text += std::string("; ") + more;
  return text + ')';
}

/// Throws GPUError unless `error` is success. `call` is the operation of the runtime's struct, `purpose` describes the
/// caller's intention.
template <class Runtime>
void gpu_check(typename Runtime::error_t error, char const* call, char const* purpose) {
  if (error == Runtime::success) return;
  Runtime::clear_last_error();
  throw GPUError(
      GPUVendorCallName<Runtime>::of(call) + " failed while " + purpose + ": " + gpu_error_text<Runtime>(error) + '.',
      static_cast<int>(error));
}

/// Returns whether a call succeeded, for callers that handle the failure themselves. After a failure, clears the
/// runtime's last error, so that the program's next query of the last error does not report this one.
template <class Runtime>
bool gpu_succeeded(typename Runtime::error_t error) noexcept {
  if (error == Runtime::success) return true;
  Runtime::clear_last_error();
  return false;
}

/// Makes `device` the calling thread's current one for the life of the object.
template <class Runtime>
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    if (has_single_device()) return;
    gpu_check<Runtime>(Runtime::get_device(&m_before), "get_device", "looking up the current device");
    m_changed = m_before != device;
    if (m_changed) gpu_check<Runtime>(Runtime::set_device(device), "set_device", "choosing a device");
  }
  ~DeviceScope() {
    if (m_changed) (void)gpu_succeeded<Runtime>(Runtime::set_device(m_before));
  }
  DeviceScope(DeviceScope const&)            = delete;
  DeviceScope& operator=(DeviceScope const&) = delete;

 private:
  /// With one device there is no choice, so a launch needs no query.
  static bool has_single_device() {
    static bool const single = [] {
      int count = 0;
      return gpu_succeeded<Runtime>(Runtime::device_count(&count)) && count == 1;
    }();
    return single;
  }

  int m_before   = 0;
  bool m_changed = false;
};

/// During its life, this thread may make calls that a capture elsewhere in the process would forbid, without
/// invalidating that capture. These calls must not involve a stream that is being captured.
template <class Runtime>
class RelaxedCaptureScope {
 public:
  RelaxedCaptureScope() noexcept : m_mode(Runtime::capture_mode_relaxed) {
    m_exchanged = gpu_succeeded<Runtime>(Runtime::thread_exchange_capture_mode(&m_mode));
  }
  ~RelaxedCaptureScope() {
    if (m_exchanged) (void)gpu_succeeded<Runtime>(Runtime::thread_exchange_capture_mode(&m_mode));
  }
  RelaxedCaptureScope(RelaxedCaptureScope const&)            = delete;
  RelaxedCaptureScope& operator=(RelaxedCaptureScope const&) = delete;

 private:
  typename Runtime::capture_mode_t m_mode;
  bool m_exchanged;
};

// ---- owners -------------------------------------------------------------------------------------------------------

/// Owns an event without timing.
template <class Runtime>
class Event {
 public:
  Event() { gpu_check<Runtime>(Runtime::event_create(&m_event), "event_create", "making an event"); }
  ~Event() {
    if (m_event) (void)gpu_succeeded<Runtime>(Runtime::event_destroy(m_event));
  }
  Event(Event&& other) noexcept : m_event(std::exchange(other.m_event, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(m_event, other.m_event);
    return *this;
  }
  typename Runtime::event_t get() const noexcept { return m_event; }

 private:
  typename Runtime::event_t m_event = nullptr;
};

/// The allocator of a block of memory. Each kind has `allocate(void**, bytes)` and `release(void*)`.
template <class Runtime>
struct DeviceMemoryKind {
  static constexpr char const* call = "malloc_device";
  static constexpr char const* name = "device memory";
  static auto allocate(void** p, std::size_t bytes) { return Runtime::malloc_device(p, bytes); }
  static auto release(void* p) { return Runtime::free_device(p); }
};
template <class Runtime>
struct PinnedMemoryKind {
  static constexpr char const* call = "malloc_pinned";
  static constexpr char const* name = "pinned host memory";
  static auto allocate(void** p, std::size_t bytes) { return Runtime::malloc_pinned(p, bytes); }
  static auto release(void* p) { return Runtime::free_pinned(p); }
};

/// Owns a block of memory of one kind, or nothing.
template <class Runtime, template <class> class Kind>
class GPUMemory {
 public:
  GPUMemory() = default;
  /// \throws GPUError if `bytes` bytes of that kind cannot be allocated
  explicit GPUMemory(std::size_t bytes) : m_bytes(bytes) {
    RelaxedCaptureScope<Runtime> relaxed;
    gpu_check<Runtime>(Kind<Runtime>::allocate(&m_data, bytes), Kind<Runtime>::call,
                       ("asking for " + std::to_string(bytes) + " bytes of " + Kind<Runtime>::name).c_str());
  }
  ~GPUMemory() {
    if (!m_data) return;
    RelaxedCaptureScope<Runtime> relaxed;
    (void)gpu_succeeded<Runtime>(Kind<Runtime>::release(m_data));
  }
  GPUMemory(GPUMemory&& other) noexcept
      : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}
  GPUMemory& operator=(GPUMemory&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
  }
  void* get() const noexcept { return m_data; }
  std::size_t bytes() const noexcept { return m_bytes; }

 private:
  void* m_data        = nullptr;
  std::size_t m_bytes = 0;
};

template <class Runtime>
using DeviceMemory = GPUMemory<Runtime, DeviceMemoryKind>;
template <class Runtime>
using PinnedMemory = GPUMemory<Runtime, PinnedMemoryKind>;

// ---- captures by other threads ------------------------------------------------------------------------------------

/// The threads that may begin a capture of a stream at any moment, because they have its handle.
///
/// While a thread captures a stream, no other thread may use the stream: a query or a wait invalidates the capture, and
/// recording an event crashes in CUDA's driver. No check before the call helps, because the capture may begin after the
/// check. So where the library itself decides to use a stream (a fence of all instances, the search for memory that is
/// no longer in use), it does so only if no other thread has the handle.
class StreamUsers {
 public:
  /// Whether the calling thread is known already.
  bool contains_this_thread() const noexcept {
    return m_several.load(std::memory_order_acquire) ||
           m_thread.load(std::memory_order_acquire) == std::this_thread::get_id();
  }
  /// The calling thread has the handle. The caller excludes concurrent calls.
  void add_this_thread() noexcept {
    if (contains_this_thread()) return;
    if (m_thread.load(std::memory_order_relaxed) == std::thread::id())
      m_thread.store(std::this_thread::get_id(), std::memory_order_release);
    else
      m_several.store(true, std::memory_order_release);
  }
  bool is_empty() const noexcept { return m_thread.load(std::memory_order_acquire) == std::thread::id(); }
  /// Whether a thread other than the calling one has the handle.
  bool has_others() const noexcept {
    return m_several.load(std::memory_order_acquire) || (!is_empty() && !contains_this_thread());
  }

 private:
  std::atomic<std::thread::id> m_thread{std::thread::id()};
  std::atomic<bool> m_several{false};
};

/// Waits for all work that was submitted to the device before, in every stream, and disturbs no capture.
///
/// The runtimes' functions that wait for a device or a stream invalidate captures, even those of other threads. Freeing
/// memory also waits for the device, and leaves captures alone if the calling thread is in relaxed mode. HIP documents
/// the wait of hipFree and hipHostFree; that cudaFree waits, also for what preceded a capture in its stream, was seen on
/// an H100 with CUDA 13. On an idle device this takes 4 us there.
template <class Runtime>
typename Runtime::error_t wait_for_device(int device) noexcept {
  constexpr std::size_t smallest = 256;
  try {
    DeviceScope<Runtime> scope(device);
    RelaxedCaptureScope<Runtime> relaxed;
    void* memory = nullptr;
    auto error   = Runtime::malloc_device(&memory, smallest);
    if (error == Runtime::success) {
      error = Runtime::free_device(memory);
    } else {  // device memory may be exhausted
      Runtime::clear_last_error();
      error = Runtime::malloc_pinned(&memory, smallest);
      if (error == Runtime::success) error = Runtime::free_pinned(memory);
    }
    if (error != Runtime::success) Runtime::clear_last_error();
    return error;
  } catch (GPUError const& error) {
    return static_cast<typename Runtime::error_t>(error.code());
  }
}

// ---- streams and their observers ----------------------------------------------------------------------------------

/// Identifies the life of one stream. Tokens are never reused, unlike a handle's value.
using StreamToken = std::uint64_t;
/// The token of no stream.
inline constexpr StreamToken no_stream = 0;

/// An object that keeps events which were recorded in streams.
class StreamObserver {
 public:
  /// Called when all work of the stream has ended and before it is destroyed. When it returns, no thread uses an event
  /// of that stream for the observer, now or later. Must not start work or take a lock under which streams end.
  virtual void forget(StreamToken) noexcept = 0;

 protected:
  ~StreamObserver() = default;
};

/// The observers of one vendor's streams.
///
/// The mutex guards the list and is held while observers forget, so an observer's removal does not return before a
/// `forget` in progress has ended. Inside, observers take only their own slots' states, never this mutex, so no wait is
/// circular.
template <class Runtime>
class StreamObservers {
 public:
  static constexpr int capacity = 256;

  static StreamObservers& get() {
    static StreamObservers observers;
    return observers;
  }

  void add(StreamObserver* observer) {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (m_size == capacity) throw std::runtime_error("More than 256 owners of GPU events: release devices first.");
    m_observers[m_size++] = observer;
  }

  void remove(StreamObserver* observer) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (int i = 0; i < m_size; ++i)
      if (m_observers[i] == observer) m_observers[i--] = m_observers[--m_size];
  }

  void forget(StreamToken token) noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (int i = 0; i < m_size; ++i) m_observers[i]->forget(token);
  }

  StreamToken next_token() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return ++m_last_token;
  }

 private:
  std::mutex m_mutex;
  StreamObserver* m_observers[capacity] = {};
  int m_size                            = 0;
  StreamToken m_last_token              = no_stream;
};

/// A stream of an instance: the handle, its device, the token of its life, and whether the instance owns the handle. It
/// ends in the order that the file comment describes.
template <class Runtime>
class InstanceStream {
 public:
  using stream_t = typename Runtime::stream_t;
  struct Adopt {};
  struct Unordered {};

  /// Creates a stream on `device`. It is ordered with the legacy default stream, as programs with raw calls expect.
  explicit InstanceStream(int device) : m_device(device), m_owned(true) {
    DeviceScope<Runtime> scope(device);
    RelaxedCaptureScope<Runtime> relaxed;
    gpu_check<Runtime>(Runtime::stream_create(&m_stream), "stream_create", "making a stream");
    m_token = StreamObservers<Runtime>::get().next_token();
  }
  /// Creates a stream that is not ordered with the legacy default stream, for work that no program sees.
  InstanceStream(Unordered, int device) : m_device(device), m_owned(true) {
    DeviceScope<Runtime> scope(device);
    RelaxedCaptureScope<Runtime> relaxed;
    gpu_check<Runtime>(Runtime::stream_create_unordered(&m_stream), "stream_create_unordered",
                       "making a stream for copies");
    m_token = StreamObservers<Runtime>::get().next_token();
  }

  /// Uses a stream of another owner, which must outlive this object.
  InstanceStream(Adopt, stream_t stream, int device)
      : m_stream(stream), m_token(StreamObservers<Runtime>::get().next_token()), m_device(device) {
    m_users.add_this_thread();
  }

  ~InstanceStream() { end(); }
  InstanceStream(InstanceStream const&)            = delete;
  InstanceStream& operator=(InstanceStream const&) = delete;

  /// Waits for the stream, once: all work that was enqueued before has ended then, and no work may follow.
  void drain() noexcept {
    if (m_stream == nullptr || m_drained) return;
    // During a capture of the stream, work from before the capture may still run. If the query fails, the stream is
    // drained.
    bool capturing = m_users.has_others();
    if (!capturing && Runtime::stream_is_capturing(m_stream, &capturing) != Runtime::success) capturing = false;
    if (capturing) {
      (void)wait_for_device<Runtime>(m_device);
    } else {
      RelaxedCaptureScope<Runtime> relaxed;
      (void)gpu_succeeded<Runtime>(Runtime::stream_synchronize(m_stream));
    }
    m_drained = true;
  }

  /// Does the destructor's work; afterwards there is no stream.
  void end() noexcept {
    if (m_stream == nullptr) return;
    drain();
    StreamObservers<Runtime>::get().forget(m_token);
    if (m_owned) (void)gpu_succeeded<Runtime>(Runtime::stream_destroy(m_stream));
    m_stream = nullptr;
    Runtime::clear_last_error();
  }

  stream_t get() const noexcept { return m_stream; }
  StreamToken token() const noexcept { return m_token; }
  int device() const noexcept { return m_device; }
  /// The threads of the program that have the handle.
  StreamUsers& users() const noexcept { return m_users; }

 private:
  mutable StreamUsers m_users;
  stream_t m_stream   = nullptr;
  StreamToken m_token = no_stream;
  int m_device        = 0;
  bool m_owned        = false;
  bool m_drained      = false;
};

}  // namespace Kokkos::Impl

#endif
