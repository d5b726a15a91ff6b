// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_HPP
#define KOKKOS_GPU_INSTANCE_HPP

/// \file
/// The object behind a handle such as Kokkos::Cuda: a stream, its device, and the scratch memory of its reductions.

#include <impl/GPU/Kokkos_GPU_Runtime.hpp>
#include <impl/GPU/instance/Kokkos_GPU_GrowingMemory.hpp>
#include <impl/GPU/instance/Kokkos_GPU_InstanceErrors.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Mailbox.hpp>
#include <impl/GPU/portable/Kokkos_GPU_FunctorTransport.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>
#include <Kokkos_Macros.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace Kokkos::Impl {

template <class Runtime>
class GPUInstanceHandle;
template <class Runtime>
class GPUFenceMarks;

/// The state of an instance, or of the default stream, at the time of a query.
enum class GPUInstanceState {
  busy,     ///< its stream has work
  idle,     ///< its stream has none
  ended,    ///< the last handle was destroyed, which waits for the stream
  unknown,  ///< the stream may be captured, so it cannot be queried
};

/// The stream of an instance, for one submission. It converts to the stream type that the runtime's call takes. Its
/// destructor, which runs after that call, records that the instance has work:
///
///     Runtime::memset_async(p, 0, n, instance.stream());
///
/// The order matters. If the instance were marked before the call, a fence by another thread in between would find the
/// stream empty and unmark it. The next fence would then not wait for the submission.
template <class Runtime>
class [[nodiscard]] GPUStreamUse {
 public:
  using stream_t = typename Runtime::stream_t;

  explicit GPUStreamUse(GPUInstance<Runtime> const& instance) noexcept : m_instance(instance) {}
  ~GPUStreamUse() { m_instance.submitted(); }
  GPUStreamUse(GPUStreamUse const&)            = delete;
  GPUStreamUse& operator=(GPUStreamUse const&) = delete;

  operator stream_t() const noexcept { return get(); }
  operator InstanceStream<Runtime> const&() const noexcept { return m_instance.m_stream; }
  stream_t get() const noexcept { return m_instance.m_stream.get(); }
  StreamToken token() const noexcept { return m_instance.m_stream.token(); }
  int device() const noexcept { return m_instance.m_stream.device(); }

 private:
  GPUInstance<Runtime> const& m_instance;
};

/// An instance, owned by its handles. All live instances of a vendor are in a list, so that a fence can wait for all of
/// them.
///
/// A thread that traverses the list *visits* one instance at a time. A visit is no handle and does not prolong the
/// stream's life, because a program may destroy its own stream as soon as the last handle has been destroyed. So the
/// last handle drains the stream, refuses further visits, waits for visits in progress, removes the instance from the
/// list, and only then returns. A fence of all instances therefore also waits for instances that are ending.
///
/// A visitor uses the stream only if no other thread can capture it (StreamUsers). A thread that receives the stream's
/// handle waits first for visits in progress, so the answer that a visitor got holds until the visit ends. The use of
/// the default stream is a visit, too. It is forbidden while another thread can capture any stream, and an instance that
/// is created with a stream of the program waits for its end.
///
/// The list's mutex guards the list, the counts of visits and the users of streams, and is never held during a wait for
/// a stream. No wait is circular. A visitor waits only for work on the device, and the last handle has already waited
/// for that work before it waits for visitors. A visit releases no handle, and receives none.
template <class Runtime>
class GPUInstance {
 public:
  using stream_t = typename Runtime::stream_t;

  /// An instance with its own stream on `device`.
  explicit GPUInstance(int device);
  /// An instance that uses a stream of the program.
  GPUInstance(stream_t stream, int device);
  struct ForRecording {};
  /// An instance whose stream is only captured, by the thread that uses the instance. It never has work to wait for, so
  /// it is not in the list.
  GPUInstance(ForRecording, stream_t stream, int device);
  ~GPUInstance();
  GPUInstance(GPUInstance const&)            = delete;
  GPUInstance& operator=(GPUInstance const&) = delete;

  void retain() noexcept { __atomic_fetch_add(&m_count, 1, __ATOMIC_RELAXED); }
  void release() noexcept {
    // acq_rel: the last owner sees what the other owners wrote to the instance
    if (__atomic_sub_fetch(&m_count, 1, __ATOMIC_ACQ_REL) > 0) return;
    WaitScope const waits(m_listed ? WaitReason::instance_end : WaitReason::recording);
    delete this;
  }

  /// The stream, for submitting work; see GPUStreamUse.
  GPUStreamUse<Runtime> stream() const noexcept { return GPUStreamUse<Runtime>(*this); }
  /// Whether the stream has no unfinished work now. Also false if the runtime does not answer.
  bool is_idle() const noexcept { return Impl::gpu_succeeded<Runtime>(Runtime::stream_query(m_stream.get())); }
  /// The stream, for the program, which may submit work at any time. Every later fence therefore waits for the stream.
  stream_t exposed_stream() const noexcept {
    note_user();
    return m_stream.get();
  }
  /// Records that work was submitted to the stream. release: a thread that sees the new count also finds the work in
  /// the stream.
  void submitted() const noexcept {
    m_submitted.fetch_add(1, std::memory_order_release);
    if (m_adopted) note_user();
  }
  /// Whether the stream may have work that no fence has waited for.
  bool has_work() const noexcept {
    return !m_stream.users().is_empty() ||
           m_submitted.load(std::memory_order_acquire) != m_ended.load(std::memory_order_relaxed);
  }
  int device() const noexcept { return m_stream.device(); }
  /// While the result lives, calls of libraries that take a stream are on the device of this instance.
  DeviceScope<Runtime> device_scope() const { return DeviceScope<Runtime>(device()); }
  GPUProperties const& properties() const noexcept { return *m_properties; }
  /// The properties of any device. At the first call for a device, memory sharing is enabled between it and the devices
  /// of earlier calls, where the hardware supports that.
  /// \throws GPUError from the runtime
  static GPUProperties const& properties_of(int device);
  std::uint32_t id() const noexcept { return m_id; }

  /// Waits for the stream, unless nothing has been submitted since the last wait.
  /// \throws GPUError if work in it has failed; the message lists the kernels that may have failed
  void synchronize(char const* purpose);
  /// Whether the stream is being captured. Every launch calls this, so this also detects a launch after finalize, and
  /// aborts with a message.
  /// \throws GPUError if the runtime does not answer; `purpose` describes the caller's operation
  bool is_capturing(char const* purpose = "querying whether a stream is being captured") const;
  /// One query, for a fence that has nothing to wait for.
  /// \throws GPUError if the device has failed, perhaps by a kernel of another instance
  void require_working_device(char const* purpose) const;
  /// \throws std::runtime_error if the stream is being captured: `call` would have to wait for work that does not run
  /// during a capture
  void require_waitable(char const* call) const;
  /// As is_capturing, for callers that report the runtime's error in a message of their own.
  ///
  /// Asks the runtime only if a thread has received the stream's handle from the library or gave it to the library. A
  /// capture begins with the handle, or reaches a stream by a wait for an event, which needs the handle, too, and the
  /// library itself waits in streams of instances only for events of streams that no program has. Every thread marks the
  /// stream (StreamUsers) before it has the handle. So a launch that the program orders after the begin of a capture
  /// finds the mark; two threads that order nothing may find either state, as if the runtime were asked.
  typename Runtime::error_t query_capturing(bool* capturing) const noexcept;
  /// The number of submissions so far, for caught_up().
  std::uint64_t submissions() const noexcept { return m_submitted.load(std::memory_order_acquire); }
  /// Records that the first `submissions` submissions, and everything before them in the stream, have completed. If
  /// nothing has been submitted since, the next fence has nothing to wait for.
  /// \throws std::runtime_error if a copy in the background has failed
  void caught_up(std::uint64_t submissions);
  /// Whether this is the only instance on all devices.
  bool is_alone() const noexcept;
  /// The errors of calls for this instance, and the labels of its kernels.
  GPUInstanceErrors<Runtime>& errors() noexcept { return m_errors; }
  GPUInstanceErrors<Runtime> const& errors() const noexcept { return m_errors; }

  /// Guards the memory below, and the order of the launches that use it.
  std::mutex& mutex() noexcept { return m_mutex; }
  /// Device memory for partial results, at least `bytes`. The first `counter_bytes` are zero whenever no kernel that
  /// uses them is in flight. It must be used in stream order. Never waits, even when it grows.
  std::byte* scratch(std::size_t bytes);
  /// Where results for the host arrive.
  GPUMailbox<Runtime>& mailbox() noexcept { return m_mailbox; }

  /// Guards work_memory(). The caller holds it until all work that uses the memory has been enqueued. Lock it before
  /// mutex().
  std::mutex& work_memory_mutex() noexcept { return m_work_memory_mutex; }
  /// Device memory of at least `bytes` bytes, for GPUWorkMemory. It must be used in stream order. Grows without waiting,
  /// unless memory is short.
  void* work_memory(std::size_t bytes, char const* purpose);
  /// Frees the work memory of the device's instances for which no thread enqueues work. The runtime waits for work that
  /// uses it.
  static void release_idle_work_memory(int device);
  static constexpr int all_devices = -1;

  static constexpr std::size_t counter_bytes = 256;

  /// Waits for the stream and releases everything except the object itself, so that calls through remaining handles can
  /// report an error. A new member that owns a resource of the runtime must also release it here.
  void close() noexcept;

  /// The instance of a default-constructed handle; null before initialize and after finalize.
  static GPUInstance* default_instance() noexcept;
  static void set_default_instance(GPUInstance*) noexcept;
  /// Waits for every instance, and for raw work that the program gave to the default stream of a device with an instance.
  /// \param next an instance in which the caller submits an operation next, which the device puts behind the work of the
  /// instance, and of the default stream of its device: this does not wait for that work.
  static void synchronize_all(char const* purpose, GPUInstance* next = nullptr);
  /// Calls `f(stream)` for the stream of each instance that is not ordered with the default stream of `device`:
  /// instances of other devices, and instances with a stream of the program.
  template <class F>
  static void visit_unordered(int device, F const& f);
  /// Calls `f`, which may use the default stream. Returns false without a call if another thread could capture a stream
  /// meanwhile that is ordered with the default stream: any use of the default stream would invalidate that capture.
  template <class F>
  static bool visit_default_stream(F const& f);
  /// A stream that is ordered with the default stream is being captured. If no instance has it, no visit of the default
  /// stream will be allowed any more.
  static void note_capture_in_default_stream() noexcept;
  /// Queries the stream of the instance with this number, without a handle.
  /// \throws GPUError if work in it has failed
  static GPUInstanceState look_at(std::uint32_t id, char const* purpose);
  /// Waits for all work on `device`, in every stream, and disturbs no capture. Leaves errors for the next fence to
  /// report.
  static void synchronize_device(int device) noexcept;

 private:
  friend GPUStreamUse<Runtime>;
  friend GPUInstanceErrors<Runtime>;

  void enlist();
  /// Drains the stream, waits for visits to end, and removes the instance from the list.
  void leave() noexcept;
  /// Calls `visit(instance)` for each instance for which `is_wanted(instance)` is true. `is_wanted` is called under the
  /// list's mutex.
  template <class Wanted, class Visit>
  static void visit_if(Wanted const& is_wanted, Visit const& visit);
  template <class Visit>
  static void visit_all(Visit const& visit) {
    visit_if([](GPUInstance const&) { return true; }, visit);
  }
  typename Runtime::error_t wait() noexcept;
  static typename Runtime::error_t wait_for_all_of(int device) noexcept;
  /// The end of the work of an instance, and of the work that the default stream has.
  struct MarkedEnd;
  class FenceOfAll;
  /// Marks the end of this instance's work for a fence of all instances, which visits them from the newest to the oldest.
  /// Returns false, without a mark, if there is no event, or if the vendor does not state that an event in an ordered stream
  /// covers the default stream.
  bool mark_end(std::vector<MarkedEnd>& ends, std::vector<GPUFenceMarks<Runtime>>& marks) noexcept;
  /// Whether an instance of the same device that is older than this one may have work.
  bool has_older_with_work() const noexcept;
  /// All work that was submitted before `ticket` of the device's ring has ended.
  void note_end(FunctorRing<Runtime>* ring, std::uint64_t ticket) noexcept;
  /// Whether this thread may wait for the stream without disturbing a capture.
  bool may_wait() const noexcept;
  /// The calling thread has the stream's handle. Waits for visits in progress if that is news.
  void note_user() const noexcept {
    if (!m_stream.users().contains_this_thread()) [[unlikely]]
      add_user();
  }
  void add_user() const noexcept;
  void throw_pending() const;
  /// The errors of copies whose host side failed, as sentences.
  std::string errors_of_copies() const;

  int m_count = 1;
  std::uint32_t m_id;
  GPUProperties const* m_properties;
  // Guarded by the list's mutex.
  GPUInstance* m_next     = nullptr;
  GPUInstance* m_previous = nullptr;
  int m_visits            = 0;
  bool m_leaving          = false;  // takes no more visits
  bool m_adopted          = false;  // the program owns the stream
  bool m_listed           = false;
  mutable std::atomic<std::uint64_t> m_submitted{0};
  std::atomic<std::uint64_t> m_ended{0};  // value of m_submitted before the stream was last found empty
  std::mutex m_mutex;
  GPUInstanceErrors<Runtime> m_errors{*this};
  GPUGrowingMemory<DeviceMemory<Runtime>> m_scratch{64 * 1024};
  GPUMailbox<Runtime> m_mailbox;
  std::mutex m_work_memory_mutex;
  GPUGrowingMemory<DeviceMemory<Runtime>> m_work_memory{1 << 20};
  // Last, so that it is destroyed first: its destructor waits for the kernels that use the memory above.
  InstanceStream<Runtime> m_stream;
};

/// Shared ownership of an instance. In device code it is a bare pointer without reference counting.
///
/// The default instance is not counted either, because it lives from initialize to finalize regardless of handles, and
/// most handles refer to it. The lowest bit of the pointer marks an uncounted handle.
template <class Runtime>
class GPUInstanceHandle {
 public:
  KOKKOS_FUNCTION GPUInstanceHandle() {}
  /// Takes over one reference.
  explicit GPUInstanceHandle(GPUInstance<Runtime>* adopted) noexcept
      : m_bits(reinterpret_cast<std::uintptr_t>(adopted)) {}
  /// A handle without ownership. The instance must outlive every use of the handle.
  static GPUInstanceHandle uncounted(GPUInstance<Runtime>* instance) noexcept {
    GPUInstanceHandle handle;
    if (instance) handle.m_bits = reinterpret_cast<std::uintptr_t>(instance) | uncounted_bit;
    return handle;
  }

  KOKKOS_FUNCTION GPUInstanceHandle(GPUInstanceHandle const& other) noexcept : m_bits(other.m_bits) {
    KOKKOS_IF_ON_HOST((if (is_counted()) get()->retain();))
  }
  KOKKOS_FUNCTION GPUInstanceHandle(GPUInstanceHandle&& other) noexcept : m_bits(other.m_bits) { other.m_bits = 0; }
  KOKKOS_FUNCTION GPUInstanceHandle& operator=(GPUInstanceHandle other) noexcept {
    std::uintptr_t const mine = m_bits;
    m_bits                    = other.m_bits;
    other.m_bits              = mine;
    return *this;
  }
  KOKKOS_FUNCTION ~GPUInstanceHandle() { KOKKOS_IF_ON_HOST((if (is_counted()) get()->release();)) }

  KOKKOS_FUNCTION GPUInstance<Runtime>* get() const noexcept {
    return reinterpret_cast<GPUInstance<Runtime>*>(m_bits & ~uncounted_bit);
  }

 private:
  static constexpr std::uintptr_t uncounted_bit = 1;
  KOKKOS_FUNCTION bool is_counted() const noexcept { return m_bits != 0 && (m_bits & uncounted_bit) == 0; }

  std::uintptr_t m_bits = 0;
};

}  // namespace Kokkos::Impl

#endif
