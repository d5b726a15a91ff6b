// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_INSTANCE_HPP
#define KOKKOS_HOST_INSTANCE_HPP

/// \file
/// An instance of a host execution space, the handle that shares it, and the lock that a kernel holds on it.
///
/// Locking. Kernels on one instance run one after the other, whichever threads launch them: a launch holds the lock of
/// the instance until its kernel has ended (HostInstanceLock). Why no thread waits forever:
///
/// 1. A thread is *inside a kernel* while it runs the body of a kernel of any backend, and while it belongs to a
///    parallel region that such a body has opened, directly or through further regions. A thread inside a kernel takes
///    no lock: a kernel that it launches runs immediately and on that thread only (a nested launch), and a fence
///    returns immediately.
/// 2. A lock is held only by a thread that is inside the kernel for which it was taken. By 1, neither this thread nor
///    any other thread of the kernel waits for a lock. So the kernel ends, and the lock is released.
/// 3. Hence a thread that waits for a lock holds none, and the kernel that it waits for needs no lock. So locks need no
///    order.
///
/// The threads of a parallel region that the program opened outside of all kernels are not inside a kernel. If two of
/// them launch on one instance, its lock serializes the kernels. Each such kernel has one thread, because the region
/// occupies the others. HostRegionMark distinguishes the two kinds of regions.
///
/// Rule 1 does not cover a thread that a body starts by other means (std::thread), nor a task that a body creates and
/// that a thread of a region around the kernel runs. A body must not wait for such a thread or task if that launches on
/// the instance of the kernel: it would wait for itself.

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Impl {

/// The number of kernels that this thread is inside of. HostInstanceLock counts for the launching thread,
/// HostKernelMark for the other threads of a team.
// constinit avoids the call of an initialisation wrapper at every access.
extern constinit thread_local int host_kernel_depth;

/// Called on this thread when its part of the outermost kernel has ended; null if there is nothing to do.
using HostKernelEnd = void (*)() noexcept;
extern constinit thread_local HostKernelEnd host_at_kernel_end;

/// Detection of whether a parallel region that a program opened is inside a kernel. A backend supplies these functions
/// if its threading runtime has such regions; otherwise they are null.
struct HostRegionMark {
  /// Marks the calling thread, and thereby all regions that it opens. \return the argument for leave()
  std::uintptr_t (*enter)() = nullptr;
  /// Removes the mark.
  void (*leave)(std::uintptr_t before) = nullptr;
  /// Whether the calling thread is in a region that was opened under a mark.
  bool (*is_marked)() = nullptr;
};
/// Written by initialize and finalize, while no kernel runs.
extern HostRegionMark host_region_mark;

/// See rule 1 above.
inline bool host_inside_kernel() {
  return host_kernel_depth > 0 || (host_region_mark.is_marked != nullptr && host_region_mark.is_marked());
}

/// The instances of one host backend, so that a fence finds all of them.
struct HostInstanceList;

/// Threads, lock and scratch memory of one instance. Accessed through handles; see HostInstanceHandle.
class HostInstance {
 public:
  /// An instance without a handle. A `permanent` one (the default instance) is not counted and never ends.
  HostInstance(HostInstanceList& list, int threads, bool permanent = false);
  HostInstance(HostInstance const&)            = delete;
  HostInstance& operator=(HostInstance const&) = delete;
  ~HostInstance();

  /// Number of threads that run kernels on this instance; 0 before initialize and after finalize.
  int threads() const noexcept { return m_threads; }
  /// Affects later launches. initialize and finalize call this for default instances.
  void set_threads(int threads) noexcept { m_threads = threads; }
  /// Unique among the live instances of the backend; the default instance has number 1.
  std::uint32_t id() const noexcept { return m_id; }
  bool permanent() const noexcept { return m_permanent; }

  /// Returns when the kernels that other host threads currently run on this instance have ended; immediately inside a
  /// kernel.
  void wait();
  /// The default instance itself, for a new handle. Before initialize and after finalize it has no threads. Kokkos 4
  /// allows handles then, so with deprecated code of that version this warns once in a run; otherwise it ends the
  /// program.
  HostInstance& for_new_handle() {
    if (m_threads == 0) report_no_threads();
    return *this;
  }
  /// A new instance of this default instance's backend, with the same check.
  HostInstance& new_instance(int threads) { return *new HostInstance(for_new_handle().m_list, threads); }
  /// Frees the scratch memory.
  void release_scratch();

  void retain() noexcept;
  void release() noexcept;

 private:
  friend class HostInstanceLock;
  friend struct HostInstanceList;
  struct State;

  void report_no_threads() const;
  void lock();
  void unlock() noexcept;
  void* reserve(std::size_t bytes);

  State* m_state;
  HostInstanceList& m_list;
  int m_threads;
  std::uint32_t m_id = 0;
  bool m_permanent;
};

/// The live instances of a backend.
HostInstanceList& host_instance_list(char const* backend);
/// Waits for each live instance, one after the other.
void host_fence_all(HostInstanceList&);

/// Shares an instance: copies are cheap and compare equal, and the last one destroys the instance.
class HostInstanceHandle {
 public:
  explicit HostInstanceHandle(HostInstance& instance) noexcept : m_instance(&instance) { retain(); }
  KOKKOS_FUNCTION HostInstanceHandle(HostInstanceHandle const& other) noexcept : m_instance(other.m_instance) {
    KOKKOS_IF_ON_HOST((retain();))
  }
  KOKKOS_FUNCTION HostInstanceHandle(HostInstanceHandle&& other) noexcept : m_instance(other.m_instance) {
    other.m_instance = nullptr;
  }
  KOKKOS_FUNCTION HostInstanceHandle& operator=(HostInstanceHandle other) noexcept {
    HostInstance* mine = m_instance;
    m_instance         = other.m_instance;
    other.m_instance   = mine;
    return *this;
  }
  KOKKOS_FUNCTION ~HostInstanceHandle() {
    KOKKOS_IF_ON_HOST((if (m_instance && !m_instance->permanent()) m_instance->release();))
  }

  HostInstance* get() const noexcept { return m_instance; }
  friend bool operator==(HostInstanceHandle const&, HostInstanceHandle const&) = default;

 private:
  void retain() const noexcept {
    if (m_instance && !m_instance->permanent()) m_instance->retain();
  }

  HostInstance* m_instance;
};

/// The exclusive right to run one kernel on an instance, from construction to destruction.
class HostInstanceLock {
 public:
  /// Waits for the lock. Inside a kernel the launch is nested: it does not wait, and runs on one thread. With `alone`
  /// it waits, and runs on one thread.
  explicit HostInstanceLock(HostInstance& instance, bool alone = false)
      : m_instance(instance), m_nested(host_inside_kernel()), m_alone(alone || m_nested) {
    if (m_nested) return;
    instance.lock();
    ++host_kernel_depth;
  }
  HostInstanceLock(HostInstanceLock const&)            = delete;
  HostInstanceLock& operator=(HostInstanceLock const&) = delete;
  ~HostInstanceLock() {
    if (m_nested) {
      if (m_own_scratch) free_own_scratch();
      return;
    }
    if (host_at_kernel_end) host_at_kernel_end();
    --host_kernel_depth;
    m_instance.unlock();
  }

  bool nested() const noexcept { return m_nested; }
  /// Number of threads that the kernel may use.
  int threads() const noexcept { return m_alone ? 1 : m_instance.threads(); }
  /// Returns `bytes` bytes of memory, aligned to a cache line, which are valid until the lock ends. A later call
  /// invalidates an earlier one. The memory belongs to the instance and is reused by later launches, except in a nested
  /// launch.
  /// \throws std::runtime_error if there is not enough memory
  void* scratch(std::size_t bytes) { return m_nested ? own_scratch(bytes) : m_instance.reserve(bytes); }

 private:
  void* own_scratch(std::size_t bytes);
  void free_own_scratch() noexcept;

  HostInstance& m_instance;
  void* m_own_scratch = nullptr;
  bool m_nested;
  bool m_alone;
};

/// Marks a thread of a thread team as inside a kernel. `other` is false on the launching thread, which its lock has
/// already marked.
class HostKernelMark {
 public:
  explicit HostKernelMark(bool other) noexcept : m_levels(other) { host_kernel_depth += m_levels; }
  HostKernelMark(HostKernelMark const&)            = delete;
  HostKernelMark& operator=(HostKernelMark const&) = delete;
  ~HostKernelMark() {
    if (m_levels > 0 && host_at_kernel_end) host_at_kernel_end();
    host_kernel_depth -= m_levels;
  }

 private:
  int m_levels;
};

/// Yields the processor to another thread.
void host_yield() noexcept;

/// Called between two reads of a value that another thread is about to write. That thread may be waiting for a core, so
/// after a while this one yields its own.
inline void host_pause(int looks) noexcept {
  if (looks > 2000) {
    host_yield();
    return;
  }
#if (defined(__x86_64__) || defined(__i386__)) && !KOKKOS_IMPL_DEVICE_PASS
  __builtin_ia32_pause();
#elif defined(__aarch64__) && !KOKKOS_IMPL_DEVICE_PASS
  asm volatile("yield");
#endif
}

/// Distance in bytes between data of different threads, so that they share neither a cache line nor a pair of lines
/// that the processor fetches together.
inline constexpr std::size_t host_line_bytes = 128;

/// An execution space whose kernels run on the thread team of a HostInstance.
template <class Exec>
concept HostExecution = requires(Exec const& exec) {
  { exec.impl_instance() } -> std::same_as<HostInstance&>;
};

}  // namespace Kokkos::Impl

#endif
