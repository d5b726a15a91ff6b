// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_LOCK_TABLE_HPP
#define KOKKOS_GPU_LOCK_TABLE_HPP

/// \file
/// The tables of locks in the memory of the devices in use, and the device variables that point to them. Host side of
/// Kokkos_GPU_AtomicLocks.hpp.

#include <impl/atomic/Kokkos_GPU_AtomicLocks.hpp>
#include <impl/GPU/Kokkos_GPU_ClearNow.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <mutex>
#include <vector>

namespace Kokkos::Impl {

/// There is one table for each vendor. Its mutex guards both lists; while a thread holds it, the thread waits only for
/// the runtime's own copy.
template <class Runtime>
class GPULockTable {
 public:
  static GPULockTable& get() {
    static auto* table = new GPULockTable;  // used by static objects of other translation units
    return *table;
  }

  /// Called before main, or when a shared object is loaded.
  void add_variable(void const* variable) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_variables.push_back(variable);
    if (m_locks.empty())
      return;  // before main the runtime is not called: a program may fork or choose its devices first
    RelaxedCaptureScope<Runtime> relaxed;
    for (auto const& [device, locks] : m_locks) fill(variable, device, locks.get());
  }

  /// Before the first kernel on `device`.
  void add_device(int device) {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (auto const& known : m_locks)
      if (known.device == device) return;
    DeviceScope<Runtime> scope(device);
    RelaxedCaptureScope<Runtime> relaxed;
    constexpr std::size_t bytes = gpu_atomic_lock_count * sizeof(unsigned);
    DeviceMemory<Runtime> locks(bytes);
    Impl::gpu_clear_now<Runtime>(locks.get(), bytes, "clearing the locks of large atomics");
    for (void const* variable : m_variables) fill(variable, device, locks.get());
    m_locks.push_back({device, std::move(locks)});
  }

  /// After the last kernel.
  void release() noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_locks.clear();
  }

 private:
  struct Locks {
    int device;
    DeviceMemory<Runtime> memory;
  };

  static void fill(void const* variable, int device, void* locks) {
    DeviceScope<Runtime> scope(device);
    Impl::gpu_check<Runtime>(Runtime::memcpy_to_symbol(variable, &locks, sizeof locks), "memcpy_to_symbol",
                             "passing the locks of large atomics to kernels");
  }

  std::mutex m_mutex;
  std::vector<void const*> m_variables;
  std::vector<Locks> m_locks;  // short
};

}  // namespace Kokkos::Impl

#endif
