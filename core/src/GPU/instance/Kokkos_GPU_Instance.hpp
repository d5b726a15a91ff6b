// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_INSTANCE_HPP
#define KOKKOS_GPU_INSTANCE_HPP

/// \file
/// What a handle like Kokkos::Cuda stands for: a stream, its device, and the scratch memory of its reductions.

#include <GPU/Kokkos_GPU_Runtime.hpp>
#include <GPU/instance/Kokkos_GPU_GrowingMemory.hpp>
#include <GPU/launch/Kokkos_GPU_LaunchLog.hpp>
#include <GPU/portable/Kokkos_GPU_FunctorTransport.hpp>
#include <Kokkos_Macros.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace Kokkos::Impl {

template <class Runtime>
class GPUInstance;
template <class Runtime>
class GPUInstanceHandle;

/// A call of the runtime that was made for an instance and failed. The message ends with a sentence on that instance:
/// which one it is, and whether its stream is alive, is being captured, or has gone.
class GPUInstanceError : public GPUError {
  using GPUError::GPUError;
};

/// The stream of an instance, for one submission. It converts to what the submission takes, and when it ends, which is
/// after the call that it was made for, the instance has work:
///
///     Runtime::memset_async(p, 0, n, instance.stream());
///
/// The order matters. Were the instance marked before the call, a fence by another thread in between would find the
/// stream empty and unmark it, and the next fence would not wait for the submission.
template <class Runtime>
class [[nodiscard]] GPUStreamUse {
 public:
  using stream_t = typename Runtime::stream_t;

  explicit GPUStreamUse(GPUInstance<Runtime> const& instance) noexcept : m_instance(instance) {}
  ~GPUStreamUse() { m_instance.submitted(); }
  GPUStreamUse(GPUStreamUse const&)            = delete;
  GPUStreamUse& operator=(GPUStreamUse const&) = delete;

  operator stream_t() const noexcept { return get(); }
  operator InstanceStream<Runtime> const&() const noexcept { return m_instance.idle_stream(); }
  stream_t get() const noexcept { return m_instance.idle_stream().get(); }
  StreamToken token() const noexcept { return m_instance.idle_stream().token(); }
  int device() const noexcept { return m_instance.idle_stream().device(); }

 private:
  GPUInstance<Runtime> const& m_instance;
};

/// An instance, owned by the handles that stand for it. All live instances of a vendor are in a list, for fences of
/// all.
///
/// Who goes through the list *visits* one instance at a time; a visit is no handle and does not prolong the life of the
/// stream, which may be the program's to destroy as soon as its last handle has gone. So the last handle drains the
/// stream, refuses further visits, waits for those under way, and leaves the list; only then does it return. A fence of
/// all therefore also waits for instances that are ending.
///
/// The list's mutex guards the list and the count of visits, and is never held while a stream is waited for. No wait is
/// circular: a visitor waits only for the work in the stream that it visits, which the last handle has waited for before
/// it waits for visitors; and a visit lets go of no handle.
template <class Runtime>
class GPUInstance {
 public:
  using stream_t = typename Runtime::stream_t;

  /// An instance with a stream of its own on `device`.
  explicit GPUInstance(int device);
  /// An instance that uses someone else's stream.
  GPUInstance(stream_t stream, int device);
  ~GPUInstance();
  GPUInstance(GPUInstance const&)            = delete;
  GPUInstance& operator=(GPUInstance const&) = delete;

  void retain() noexcept { __atomic_fetch_add(&m_count, 1, __ATOMIC_RELAXED); }
  void release() noexcept {
    // acq_rel: the last holder sees what the others did to the instance
    if (__atomic_sub_fetch(&m_count, 1, __ATOMIC_ACQ_REL) == 0) delete this;
  }

  /// The stream, to submit something to it. Both names are for the same; see GPUStreamUse.
  GPUStreamUse<Runtime> stream() const noexcept { return GPUStreamUse<Runtime>(*this); }
  GPUStreamUse<Runtime> owned_stream() const noexcept { return GPUStreamUse<Runtime>(*this); }
  /// The stream, to ask about it. What is submitted to it here is not waited for by fences.
  InstanceStream<Runtime> const& idle_stream() const noexcept { return m_stream; }
  /// The stream, for the program, which may submit work at any time: from here on, each fence waits for the stream.
  stream_t exposed_stream() const noexcept {
    m_exposed.store(true, std::memory_order_relaxed);
    return m_stream.get();
  }
  /// Something has been put in the stream. release: a thread that sees this finds the work in the stream, too.
  void submitted() const noexcept { m_submitted.fetch_add(1, std::memory_order_release); }
  /// Whether the stream may have work that no fence has waited for.
  bool has_work() const noexcept {
    return m_exposed.load(std::memory_order_relaxed) ||
           m_submitted.load(std::memory_order_acquire) != m_ended.load(std::memory_order_relaxed);
  }
  int device() const noexcept { return m_stream.device(); }
  GPUProperties const& properties() const noexcept { return *m_properties; }
  /// Of any device. When first asked, the device and those that were asked about before share what memory they can.
  /// \throws GPUError from the runtime
  static GPUProperties const& properties_of(int device);
  std::uint32_t id() const noexcept { return m_id; }

  /// Waits for the stream, unless nothing has been submitted since that was last done.
  /// \throws GPUError if work in it has failed; the message names the kernels that it can have been.
  void synchronize(const char* purpose);
  /// Whether the stream is being captured. Each launch asks this, so it also finds out that Kokkos has been finalized,
  /// which it says before it aborts.
  /// \throws GPUError if the runtime does not answer; `purpose` says what is asked for
  bool is_capturing(const char* purpose = "asking whether a stream is being captured") const;
  /// \throws std::runtime_error if it is: `call` would have to wait for work that does not run during a capture
  void require_waitable(const char* call) const;
  /// The same for those who have an error of the runtime to report in a sentence of their own.
  typename Runtime::error_t ask_capturing(bool* capturing) const noexcept;
  void launched(const char* label) noexcept;
  /// Counts submissions; for caught_up().
  std::uint64_t submissions() const noexcept { return m_submitted.load(std::memory_order_acquire); }
  /// The last of the first `submissions` submissions is known to have happened, and so is everything before it in the
  /// stream. If nothing has been submitted since, the next fence has nothing to wait for.
  /// \throws std::runtime_error if a copy in the background has failed
  void caught_up(std::uint64_t submissions);
  /// Is there no other instance, of this device or another one?
  bool is_alone() const noexcept;
  /// Throws GPUInstanceError: the runtime refused `call`, without which the kernel is not launched. Errors of earlier
  /// kernels are reported by whatever comes next, so the message names these, too.
  [[noreturn]] void refused(typename Runtime::error_t error, const char* call, const char* label) const;
  /// As gpu_check, for a call that is made for this instance.
  /// \throws GPUInstanceError
  void check(typename Runtime::error_t error, const char* call, const char* purpose) const {
    if (error != Runtime::success) failed(error, call, purpose);
  }
  /// A sentence, with a blank before it: which instance a call that answered with `error` was for, and how its stream
  /// is.
  std::string words(typename Runtime::error_t error) const;
  /// Does something for this instance by functions that know of streams only: an error says which instance it was for.
  /// \throws GPUInstanceError in place of GPUError
  template <class Action>
  decltype(auto) with_error_context(Action const& action) const {
    try {
      return action();
    } catch (GPUInstanceError const&) {
      throw;
    } catch (GPUError const& error) {
      failed(error);
    }
  }

  /// Guards what follows, and the order of launches that use it.
  std::mutex& mutex() noexcept { return m_mutex; }
  /// Device memory for partial results, at least `bytes`; the first `counter_bytes` are zero whenever no kernel that
  /// uses them is in flight. Used in the order of the stream. Waits for nothing, also where it grows.
  std::byte* scratch(std::size_t bytes);
  /// Pinned memory that a kernel writes a result to, and a word beside it that says so. Grows as scratch memory does.
  std::byte* mailbox(std::size_t bytes);
  std::uint32_t* mailbox_flag() noexcept { return static_cast<std::uint32_t*>(m_flag.get()); }
  std::uint32_t next_ticket() noexcept { return ++m_ticket; }

  /// Guards level_1_scratch(); to be held until the kernel that uses the memory has been launched. Taken before mutex().
  std::mutex& level_1_mutex() noexcept { return m_level_1_mutex; }
  /// Device memory for teams, at least `bytes`, where the device has no allocation in the order of a stream. Used in
  /// the order of the stream. Grows without waiting, unless memory is short.
  std::byte* level_1_scratch(std::size_t bytes);

  static constexpr std::size_t counter_bytes = 256;

  /// Waits for the stream and gives back everything but the object itself, so that handles that are still around can be
  /// told. A new member that holds something of the runtime has to end here, too.
  void close() noexcept;

  /// The instance that a default-constructed handle stands for; null outside of initialize ... finalize.
  static GPUInstance* default_instance() noexcept;
  static void set_default_instance(GPUInstance*) noexcept;
  /// Waits for every instance.
  static void synchronize_all(const char* purpose);
  /// Calls `f(stream)` for the stream of each instance that the default stream of `device` is not ordered with: those of
  /// other devices, and those that a program has given to an instance.
  template <class F>
  static void visit_beside(int device, F const& f);
  /// Waits for all work on `device` that was put in instances, or in streams of the program that are ordered with the
  /// default stream; except in streams that are being captured. Disturbs no capture. Errors are left for a fence.
  static void synchronize_device(int device) noexcept;

 private:
  void enlist();
  /// Drains the stream and leaves the list, when no one is visiting any more.
  void leave() noexcept;
  /// Calls `visit(instance)` for each instance of which `is_wanted(instance)` is true. The latter is called under the
  /// list's mutex.
  template <class Wanted, class Visit>
  static void visit_those(Wanted const& is_wanted, Visit const& visit);
  template <class Visit>
  static void visit_all(Visit const& visit) {
    visit_those([](GPUInstance const&) { return true; }, visit);
  }
  typename Runtime::error_t wait() noexcept;
  void throw_pending() const;
  /// What copies of the stream have failed on the host's side, as sentences.
  std::string errors_of_copies() const;
  std::string report_words(typename Runtime::error_t error, const char* call, const char* purpose) const;
  [[noreturn]] void report(typename Runtime::error_t error, const char* call, const char* purpose) const;
  [[noreturn]] void failed(typename Runtime::error_t error, const char* call, const char* purpose) const;
  [[noreturn]] void failed(GPUError const& error) const;
  static std::string suspects(const char* first);

  int m_count = 1;
  std::uint32_t m_id;
  GPUProperties const* m_properties;
  // Guarded by the list's mutex.
  GPUInstance* m_next     = nullptr;
  GPUInstance* m_previous = nullptr;
  int m_visits            = 0;
  bool m_leaving          = false;  // takes no visits any more
  bool m_adopted          = false;  // the stream is the program's
  mutable std::atomic<bool> m_exposed{false};
  mutable std::atomic<std::uint64_t> m_submitted{0};
  std::atomic<std::uint64_t> m_ended{0};  // what m_submitted was before the stream was last found empty
  std::mutex m_mutex;
  std::mutex m_log_mutex;
  LaunchLog m_log;
  std::uint32_t m_ticket = 0;
  GPUGrowingMemory<DeviceMemory<Runtime>> m_scratch{64 * 1024};
  GPUGrowingMemory<PinnedMemory<Runtime>> m_mailbox{4096};
  std::mutex m_level_1_mutex;
  GPUGrowingMemory<DeviceMemory<Runtime>> m_level_1_scratch{1 << 20};
  PinnedMemory<Runtime> m_flag;
  // Last, so that it ends first: it waits for the kernels that use the memory above.
  InstanceStream<Runtime> m_stream;
};

/// Shared ownership of an instance. In device code it is a bare pointer that counts nothing.
///
/// The default instance is not counted either: it lives from initialize to finalize, whoever has a handle, and most
/// handles stand for it. The lowest bit of the pointer says so.
template <class Runtime>
class GPUInstanceHandle {
 public:
  KOKKOS_FUNCTION GPUInstanceHandle() {}
  /// Takes over one reference.
  explicit GPUInstanceHandle(GPUInstance<Runtime>* adopted) noexcept
      : m_bits(reinterpret_cast<std::uintptr_t>(adopted)) {}
  /// A handle on an instance that lives longer than the handle is used.
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
    const std::uintptr_t mine = m_bits;
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
