// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Locks, scratch memory and the lists of instances of host execution spaces.

#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace Kokkos::Impl {

constinit thread_local int host_kernel_depth            = 0;
constinit thread_local HostKernelEnd host_at_kernel_end = nullptr;
HostRegionMark host_region_mark;

void host_yield() noexcept { std::this_thread::yield(); }

struct HostInstance::State {
  std::mutex mutex;  // held while a HostInstanceLock lives; guards the members up to `busy`
  std::uintptr_t before_mark = 0;
  void* scratch              = nullptr;
  std::size_t scratch_bytes  = 0;
  // Whether the mutex is held, so that the fence of an idle instance only reads. A fence waits for the kernels that were
  // launched before it in the order of happens-before. Of each of them it sees the mark or what came later, and with the
  // end of the mark everything that the kernel wrote.
  std::atomic<bool> busy{false};
  std::atomic<int> handles{0};
};

struct HostInstanceList {
  std::string backend;
  std::mutex mutex;  // guards instances; never held while waiting for an instance
  std::vector<HostInstance*> instances;
  // The default instance, which never ends, if there is no other; otherwise null. A fence reads it without the mutex: an
  // instance whose kernels it must wait for was entered before, in the order of happens-before.
  std::atomic<HostInstance*> only_permanent{nullptr};

  void enter(HostInstance& instance) {
    std::lock_guard guard(mutex);
    auto taken = [&](std::uint32_t id) {
      return std::any_of(instances.begin(), instances.end(), [&](HostInstance* i) { return i->m_id == id; });
    };
    instance.m_id = 1;
    while (taken(instance.m_id)) ++instance.m_id;
    instances.push_back(&instance);
    update_only_permanent();
  }
  void leave(HostInstance& instance) {
    std::lock_guard guard(mutex);
    std::erase(instances, &instance);
    update_only_permanent();
  }
  /// All instances, each kept alive until it is released.
  std::vector<HostInstance*> retain_all() {
    std::lock_guard guard(mutex);
    std::vector<HostInstance*> alive;
    for (HostInstance* i : instances) {
      // An instance whose last handle is being destroyed must not be revived. It has no running kernels, because a
      // launching thread owns a handle.
      if (i->permanent() || retain_unless_ending(*i)) alive.push_back(i);
    }
    return alive;
  }
  static bool retain_unless_ending(HostInstance& instance) {
    int n = instance.m_state->handles.load(std::memory_order_relaxed);
    while (n > 0 && !instance.m_state->handles.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n > 0;
  }

 private:
  void update_only_permanent() {
    bool const only = instances.size() == 1 && instances[0]->permanent();
    only_permanent.store(only ? instances[0] : nullptr, std::memory_order_release);
  }
};

HostInstanceList& host_instance_list(char const* backend) {
  static std::mutex mutex;
  // Never destroyed: handles in static storage may be destroyed after all objects in this file.
  static auto* lists = new std::map<std::string, HostInstanceList>;
  std::lock_guard guard(mutex);
  HostInstanceList& list = (*lists)[backend];
  list.backend           = backend;
  return list;
}

void host_fence_all(HostInstanceList& list) {
  if (HostInstance* const only = list.only_permanent.load(std::memory_order_acquire)) return only->wait();
  for (HostInstance* instance : list.retain_all()) {
    instance->wait();
    if (!instance->permanent()) instance->release();
  }
}

HostInstance::HostInstance(HostInstanceList& list, int threads, bool permanent)
    : m_state(new State), m_list(list), m_threads(threads), m_permanent(permanent) {
  m_list.enter(*this);
}

HostInstance::~HostInstance() {
  m_list.leave(*this);
  std::free(m_state->scratch);
  delete m_state;
}

void HostInstance::retain() noexcept { m_state->handles.fetch_add(1, std::memory_order_relaxed); }

void HostInstance::release() noexcept {
  // acquire and release: all uses of the instance through other handles happen before its end.
  if (m_state->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void HostInstance::lock() {
  if (m_threads == 0) require_initialized(("A kernel or fence of Kokkos::" + m_list.backend).c_str());
  Impl::lock_busy_instance(m_state->mutex);
  m_state->busy.store(true, std::memory_order_relaxed);
  if (host_region_mark.enter) m_state->before_mark = host_region_mark.enter();
}

void HostInstance::unlock() noexcept {
  if (host_region_mark.leave) host_region_mark.leave(m_state->before_mark);
  m_state->busy.store(false, std::memory_order_release);
  m_state->mutex.unlock();
}

void HostInstance::report_no_threads() const {
  std::string const what = "A constructor of Kokkos::" + m_list.backend;
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static int warned = 0;
  warn_once(warned,
            what + " was called " + (is_finalized() ? "after Kokkos::finalize" : "before Kokkos::initialize") +
                ". As in Kokkos 4, this is allowed, but the instance runs no kernel until Kokkos is initialized. "
                "Create it between initialize and finalize.");
#else
  require_initialized(what.c_str());
#endif
}

void HostInstance::wait() {
  if (!m_state->busy.load(std::memory_order_acquire)) return;
  // Inside a kernel this thread may hold the lock itself, or a thread that waits for this one may.
  if (host_inside_kernel()) return;
  Impl::lock_busy_instance(m_state->mutex);
  m_state->mutex.unlock();
}

namespace {

void* allocate_scratch(std::size_t bytes, std::string const& backend) {
  // std::aligned_alloc requires a multiple of the alignment.
  std::size_t const rounded = (bytes + host_line_bytes - 1) / host_line_bytes * host_line_bytes;
  void* p                   = std::aligned_alloc(host_line_bytes, std::max(rounded, host_line_bytes));
  if (!p) throw_out_of_memory("HostSpace", bytes, "scratch memory of Kokkos::" + backend);
  return p;
}

}  // namespace

void* HostInstance::reserve(std::size_t bytes) {
  if (bytes > m_state->scratch_bytes) {
    std::size_t const grown = std::max(bytes, m_state->scratch_bytes + m_state->scratch_bytes / 2);
    release_scratch();
    m_state->scratch       = allocate_scratch(grown, m_list.backend);
    m_state->scratch_bytes = grown;
  }
  return m_state->scratch;
}

void HostInstance::release_scratch() {
  std::free(m_state->scratch);
  m_state->scratch       = nullptr;
  m_state->scratch_bytes = 0;
}

void* HostInstanceLock::own_scratch(std::size_t bytes) {
  free_own_scratch();
  m_own_scratch = allocate_scratch(bytes, m_instance.m_list.backend);
  return m_own_scratch;
}

void HostInstanceLock::free_own_scratch() noexcept {
  std::free(m_own_scratch);
  m_own_scratch = nullptr;
}

}  // namespace Kokkos::Impl
