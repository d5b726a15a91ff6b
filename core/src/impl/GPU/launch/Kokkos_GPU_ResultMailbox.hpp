// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RESULT_MAILBOX_HPP
#define KOKKOS_GPU_RESULT_MAILBOX_HPP

/// \file
/// How the result of a reduction, or the total of a scan, reaches the program.
///
/// The kernel writes it to memory that the device can access. For other host memory it goes through the instance's
/// mailbox: the kernel writes pinned memory and then a flag, which the host watches. That takes a third of the time
/// of a copy and a synchronisation. If the host reads the value later, its slot takes the place of the mailbox.

#include <impl/GPU/Kokkos_GPU_ClearNow.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ResultCells.hpp>
#include <impl/GPU/instance/Kokkos_GPU_WorkMemory.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/pattern/Kokkos_Reduction.hpp>
#include <impl/runtime/Kokkos_ResultSlot.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>

namespace Kokkos::Impl {

/// The data that a kernel needs to deliver its result.
template <class T>
struct GPUResult {
  T* data              = nullptr;
  std::uint32_t* flag  = nullptr;  // null if the host does not watch
  std::uint32_t ticket = 0;

  template <class Intrinsics>
  KOKKOS_IMPL_DEVICE void announce() const {
    if (!flag) return;
    Intrinsics::store_release_system(flag, ticket);
  }
};

/// Delivers one result. Holds the instance's mutex from the launch to the delivery, because both use the instance's
/// scratch memory and mailbox. While it holds the mutex, the host waits only for its own kernel.
template <class ExecSpace, class T, class MemorySpace>
class GPUResultPath {
 public:
  using Runtime                   = typename ExecSpace::runtime_type;
  static constexpr bool reachable = SpaceAccessibility<ExecSpace, MemorySpace>::accessible;

  GPUResultPath(GPUInstance<Runtime>& instance, ReductionTarget<T, MemorySpace> const& target, std::size_t bytes)
      : m_instance(instance),
        m_target(target),
        m_bytes(bytes),
        m_device(instance.device()),
        m_lock(locked(instance.mutex())),
        m_capturing(instance.is_capturing()) {
    if (reachable || !target.data) {
      m_result.data = target.data;
    } else {
      refuse_host_in_capture();
      m_result.data =
          instance.errors().with_context([&] { return reinterpret_cast<T*>(instance.mailbox().memory(bytes)); });
    }
    if (target.data && (!target.asynchronous || target.flag)) refuse_host_in_capture();
    if (target.flag) {
      m_result.flag   = target.flag;
      m_result.ticket = ResultSlot::arrived;
    } else if (target.data && (!target.asynchronous || !reachable)) {
      m_result.flag   = instance.mailbox().flag();
      m_result.ticket = instance.mailbox().next_ticket();
    }
  }

  /// Device memory whose first counter_bytes are 0 when this launch's kernel begins, if every kernel leaves them 0.
  std::byte* scratch(std::size_t bytes) {
    if (!m_capturing) return m_instance.scratch(bytes);
    return m_instance.errors().with_context([&] { return graph_scratch(bytes); });
  }

  GPUResult<T> const& result() const { return m_result; }

  /// After the launch: returns when the value has arrived, or at once if it may arrive later.
  void deliver() {
    if (!m_result.flag || m_target.flag) return;
    {
      HostWait const wait(WaitReason::result);
      wait_for_flag();
    }
    if (!reachable) std::memcpy(static_cast<void*>(m_target.data), static_cast<void const*>(m_result.data), m_bytes);
  }

 private:
  static std::unique_lock<std::mutex> locked(std::mutex& mutex) {
    Impl::lock_busy_instance(mutex);
    return {mutex, std::adopt_lock};
  }
  /// Scratch memory of a captured kernel, whose graph may run at the same time as other kernels.
  ///
  /// The memory is cleared once, when it is allocated, and not by a graph node before each replay. That suffices for
  /// the counters at its beginning: each kernel that counts resets them when it ends (GPUReduceDriver::finish,
  /// GPUScanTiles::finish), and the replays of an executable graph run one after the other on any streams. The first
  /// replay is launched after the clearing has completed. A failed kernel leaves other values, but then the device runs
  /// nothing more.
  ///
  /// Memory that must be 0 before each run, such as the tiles of a scan, is cleared by the launch in its stream,
  /// captured or not. It is cleared here as well, because tools that look for uninitialized reads do not follow graph
  /// nodes.
  std::byte* graph_scratch(std::size_t bytes) {
    RelaxedCaptureScope<Runtime> relaxed;
    WaitScope const waits(WaitReason::recording);
    void* const data = Impl::graph_memory<DeviceMemory>(m_instance, bytes);
    Impl::gpu_clear_now<Runtime>(data, bytes, "clearing the scratch memory of a captured reduction or scan");
    return static_cast<std::byte*>(data);
  }
  void refuse_host_in_capture() const {
    if (!m_capturing) return;
    throw std::runtime_error(
        "A reduction or scan with a result on the host was launched into a stream that is being captured. Nothing runs "
        "during a capture, so there is no result to wait for: pass a view that the device can access as the result.");
  }

  /// Watches the flag, and from time to time queries whether the kernel has failed.
  void wait_for_flag() {
    auto const arrived = [&] {
      // acquire: the value was written before the flag
      return __atomic_load_n(m_result.flag, __ATOMIC_ACQUIRE) == m_result.ticket;
    };
    for (;;) {
      for (int spin = 0; spin < 2000; ++spin)
        if (arrived()) return;
      RelaxedCaptureScope<Runtime> relaxed;
      auto const state = Runtime::stream_query(m_instance.stream());
      (void)Impl::gpu_succeeded<Runtime>(state);
      if (state == Runtime::not_ready) continue;
      m_instance.synchronize("waiting for the result of a reduction");
      if (arrived()) return;
      throw std::runtime_error("The kernel of a reduction ended without a result; was it changed to return early?");
    }
  }

  GPUInstance<Runtime>& m_instance;
  ReductionTarget<T, MemorySpace> m_target;
  std::size_t m_bytes;
  DeviceScope<Runtime> m_device;  // guards scratch memory and the order of calls in the stream
  std::unique_lock<std::mutex> m_lock;
  bool m_capturing;
  GPUResult<T> m_result;
};

/// Slots in pinned memory (GPUResultSlot).
template <class ExecSpace>
struct GPUResultSlots {
  static constexpr bool arrives_later = true;

  template <class T>
  static SharedPtr<ResultSlot> take(ExecSpace const& space) {
    static_assert(alignof(T) <= GPUResultCell<typename ExecSpace::runtime_type>::value_offset);
    auto slot = GPUResultSlot<typename ExecSpace::runtime_type>::take(space.impl_instance(), sizeof(T));
    ::new (slot->data()) T();
    return slot;
  }
};

}  // namespace Kokkos::Impl

#endif
