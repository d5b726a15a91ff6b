// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_WAIT_RECORD_HPP
#define KOKKOS_RUNTIME_WAIT_RECORD_HPP

/// \file
/// The record of waits for KOKKOS_EXPLAIN_WAITS: where, why and how long host threads waited for devices.
///
/// `HostWait` marks that a thread waits, and `WaitScope` states why. Every call of a GPU's runtime that can wait is inside
/// a HostWait (GPU/Kokkos_GPU_RecordedCalls.hpp), and so is each loop in which a thread polls. A wait belongs to the
/// innermost scope of its thread, so only the reasons have to be written at many places. A wait without a scope is
/// recorded, too, under its own reason.
///
/// Without the setting, either object costs a read of one variable, on paths that wait or may wait.

namespace Kokkos::Impl {

/// Why a thread waits. Kokkos_WaitReport.cpp has a row for each, with the text for users.
enum class WaitReason : unsigned char {
  fence,                  ///< of one instance; see WaitScope
  fence_of_all,           ///< of all instances
  view_initialization,    ///< a fence, recognised by its label
  view_destruction,       ///< a fence, recognised by its label
  copy_in_other_space,    ///< a fence, recognised by its label
  library_fence,          ///< any other fence of the library, recognised by its label
  tool_fence,             ///< a fence, recognised by its label
  copy_without_instance,  ///< deep_copy waits for everything before it, and for its end
  copy_of_unmanaged,      ///< no view owns the host memory
  copy_blocking,          ///< KOKKOS_PAGEABLE_COPY=blocking
  copy_of_pageable,       ///< the route of the copy waits
  small_copy,             ///< the caller watches for the data for some microseconds
  result,                 ///< of a reduction or scan, in a variable of the host
  pending_result,         ///< PendingResult::get
  functor_slot,           ///< all slots for large functors are in use
  allocation,             ///< the pool has no free block
  memory_short,           ///< the device has no memory, so idle memory is freed
  pool_bound,             ///< the pool frees memory beyond its bound
  pool_barrier,           ///< streams cannot be queried, so the pool waits for the device
  unpooled,               ///< memory that no pool keeps is allocated or freed
  library_memory,         ///< the library's own memory is allocated or freed
  first_launch,           ///< the runtime loads a kernel or a variable
  recording,              ///< a kernel recorded into a graph needs memory of its own
  graph_end,              ///< a graph is destroyed while it runs
  instance_end,           ///< the last handle of an instance is destroyed
  instance_busy,          ///< another thread uses the instance
  idle_memory,            ///< release_idle_memory
  finalize,               ///< Kokkos::finalize
  background,             ///< not a wait of the program: a thread of the library works ahead
  other,                  ///< none of these
};

/// Nonzero between initialize and finalize if waits are recorded.
extern int waits_recorded;

/// Relaxed, because no other read depends on it: the record has a mutex, and exists for the whole life of the process. At
/// worst, a wait that starts during initialize or finalize is not recorded.
inline bool waits_are_recorded() noexcept { return __atomic_load_n(&waits_recorded, __ATOMIC_RELAXED) != 0; }

/// Waits of this thread during the object's life have this reason, and count as one wait.
///
/// For some reasons (fences, copies without an instance, finalize, ...) the scope covers the whole operation, and scopes
/// inside it have no effect: a deep_copy that fences, copies and fences is one wait. Inside of other scopes, an inner
/// scope has its own reason, and without a label that of the outer scope.
///
/// A fence has a scope because of its label. Labels of the library's own fences begin with "Kokkos::", and say which
/// function fences, so the scope replaces the reason `fence` by the matching one.
class WaitScope {
 public:
  /// `label` is the label of a kernel, view or fence, or null. With `to`, the place is `"label" to "to"`, for copies.
  /// The texts must outlive the scope.
  explicit WaitScope(WaitReason reason, char const* label = nullptr, char const* to = nullptr) noexcept {
    if (waits_are_recorded()) [[unlikely]]
      begin(reason, label, to);
  }
  ~WaitScope() {
    if (m_active) [[unlikely]]
      end();
  }
  WaitScope(WaitScope const&)            = delete;
  WaitScope& operator=(WaitScope const&) = delete;

  /// Replaces the reason, once it is known.
  void because(WaitReason reason) noexcept { m_reason = reason; }

 private:
  friend class HostWait;

  void begin(WaitReason reason, char const* label, char const* to) noexcept;
  void end() noexcept;

  // Set by begin().
  char const* m_label;
  char const* m_to;
  WaitScope* m_outer;
  long long m_nanoseconds;
  bool m_has_waited;
  WaitReason m_reason = WaitReason::other;
  bool m_active       = false;
};

/// The thread waits during the object's life. Inside of another HostWait it has no effect.
class HostWait {
 public:
  /// For a wait without a scope: its reason, and its label, which must outlive the wait. A null label means the label of
  /// the kernel that this thread launches.
  explicit HostWait(WaitReason reason = WaitReason::other, char const* label = nullptr) noexcept {
    if (waits_are_recorded()) [[unlikely]]
      begin(reason, label);
  }
  ~HostWait() {
    if (m_active) [[unlikely]]
      end();
  }
  HostWait(HostWait const&)            = delete;
  HostWait& operator=(HostWait const&) = delete;

 private:
  void begin(WaitReason reason, char const* label) noexcept;
  void end() noexcept;

  // Set by begin().
  WaitScope* m_scope;
  char const* m_label;
  long long m_begin;
  WaitReason m_reason;
  bool m_active = false;
};

/// Locks the mutex of an instance. Another thread may hold it until a kernel has ended. If no thread holds it, this costs as
/// much as lock().
template <class Mutex>
void lock_busy_instance(Mutex& mutex) {
  if (mutex.try_lock()) return;
  HostWait const wait(WaitReason::instance_busy);
  mutex.lock();
}

}  // namespace Kokkos::Impl

#endif
