// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_RUNTIME_COPIES_HPP
#define KOKKOS_GPU_RUNTIME_COPIES_HPP

/// \file
/// The common part of copies and fills of an instance: the kinds of memory, the runtime's own copies, functions of the
/// host in the stream, and the end of what was enqueued.

#include <impl/GPU/copy/Kokkos_GPU_DeepCopy.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DeviceReach.hpp>
#include <impl/GPU/instance/Kokkos_GPU_HostWrites.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The memory of a side, relative to an instance.
struct GPUCopySide {
  MemoryKind memory;
  int device;  ///< the instance's device, or the other device that the memory belongs to
};

/// Copies host memory, and keeps the memory of views.
struct GPUHostCopy {
  GPUHostWrite counted;  // first, so that it is destroyed last
  CopyJob job;
  AllocationTracker dst, src;

  void operator()() const {
    HostCopyTiles const tiles(job.plan, 1);
    tiles.copy(job, 0, tiles.count(), HostStreamingStores::pay_off(job.plan.bytes()));
  }
};

/// Copies between host memory and pinned memory of a graph.
struct GPUGraphHostCopy {
  std::unique_ptr<HostSide> host;
  AllocationTracker owner;
  void* slab;
  std::size_t bytes;
  bool to_host;

  void operator()() const {
    if (to_host)
      host->scatter(slab, 0, bytes);
    else
      host->gather(slab, 0, bytes);
  }
};

template <class Runtime>
class GPURuntimeCopies {
 protected:
  using Instance = GPUInstance<Runtime>;

  static constexpr CopyPolicy policy = Runtime::copy_policy;

  GPURuntimeCopies(Instance& instance, CopyOrder order) : m_instance(instance), m_order(order) {}

  /// Waits for the work that the order demands to have ended. `by_device`: the device puts the copy or fill behind the
  /// earlier work of the stream. The runtime may read and write pageable memory during the call.
  /// \param fence_before GPUExecutionSpace::impl_fence_before
  template <class FenceBefore>
  void begin(bool by_device, FenceBefore fence_before) const {
    if (m_order == CopyOrder::in_stream) return;
    if (m_order == CopyOrder::after_all && by_device)
      fence_before(m_instance, fence_before_copy);
    else if (m_order == CopyOrder::after_all)
      Kokkos::fence(fence_before_copy);
    if (is_capturing()) m_instance.require_waitable("Kokkos::deep_copy");
  }

  int device() const { return m_instance.device(); }
  void check(typename Runtime::error_t error, char const* call) const {
    m_instance.errors().check(error, call, "copying a view");
  }
  /// Queries the runtime at most once.
  bool is_capturing() const {
    if (!m_capturing) m_capturing = m_instance.is_capturing();
    return *m_capturing;
  }
  static std::string describe(CopyJob const& job) {
    auto name = [](char const* label) {
      return *label ? "\"" + std::string(label) + "\"" : std::string("a view without a label");
    };
    return "Kokkos::deep_copy of " + name(job.src_label) + " to " + name(job.dst_label);
  }

  // ---- kinds of memory ----------------------------------------------------------------------------------------------

  /// The type of a view that owns its memory gives the memory's kind, except in two cases: host memory may have been
  /// registered with the runtime, and there may be several devices. The code checks for registered memory only above a
  /// certain size: the runtime, which knows whether memory is registered, copies small sources itself, and for a small
  /// destination registration makes no difference.
  GPUCopySide side(MemoryKind type, void const* p, AllocationTracker const* owner, std::size_t bytes) const {
    bool const may_be_registered = type == MemoryKind::pageable && bytes > policy.unasked_bytes;
    bool const may_be_elsewhere  = type == MemoryKind::device && GPUDeviceReach::has_several_devices<Runtime>();
    int const here               = device();
    if (owner && !may_be_registered && !may_be_elsewhere) return {type, here};
    MemoryKind kind = MemoryKind::pageable;
    int on          = here;
    RelaxedCaptureScope<Runtime> relaxed;
    if (!gpu_succeeded<Runtime>(Runtime::pointer_kind(p, &kind, &on))) return {MemoryKind::pageable, here};
    if (kind != MemoryKind::device || on == here) return {kind, here};
    (void)Instance::properties_of(on);  // enables memory sharing with the other devices
    return {MemoryKind::elsewhere, on};
  }

  bool reaches(int other) const { return GPUDeviceReach::between(device(), other); }
  void require_reach(CopyJob const& job, int other) const {
    if (reaches(other)) return;
    std::string const there = "device " + std::to_string(other);
    throw std::runtime_error(describe(job) + " cannot be captured: device " + std::to_string(device()) +
                             " cannot access the memory of " + there +
                             ", so the copy goes through the host. Make it before or after the capture, or in a "
                             "stream of " +
                             there + ".");
  }

  // ---- the end of enqueued copies -----------------------------------------------------------------------------------

  /// Reports that the stream's last operation is the end of the copy. `kept` is memory that must not be freed before
  /// that.
  ///
  /// `kept` is registered pageable memory: freeing it waits for nothing. Freeing memory of a GPU, including pinned
  /// memory, waits for the device.
  void enqueued(CopyReport* report, AllocationTracker const* kept = nullptr) {
    if (m_order != CopyOrder::in_stream) return m_instance.synchronize("Kokkos::deep_copy");
    if ((!(report && report->is_active()) && !kept) || is_capturing()) return;
    CopyReport::End const report_end = report ? report->detach() : nullptr;
    if (!report_end && !kept) return;
    call_host([kept = tracked(kept), report_end] {
      if (report_end) CopyReport::end_in_background(report_end);
    });
  }

  /// Whether the graph that is being captured can keep objects: a graph of the library, or one of a runtime that offers it.
  static bool graph_keeps_objects() { return Runtime::graph_owns_objects || GraphKeptList::of_this_thread(); }

  /// Enqueues a call of `function` on the host.
  template <class Function>
  void call_host(Function function) {
    check(Impl::enqueue_host_call<Runtime>(m_instance.stream(), is_capturing(), std::move(function)),
          "launch_host_function");
  }

  /// The graph that is being captured writes host memory. If it cannot keep objects, that stays counted.
  void note_host_writes_of_graph() {
    if (graph_keeps_objects())
      GraphKeeper<Runtime>::keep(m_instance.stream(), std::make_unique<GPUHostWritesOfGraph>());
    else
      GPUHostWrites::begin_one();
  }

  /// The fill of all bytes of a plan with a value of `bytes` bytes, which divides an element.
  static GPUFillJob fill_job(CopyPlan const& plan, void* dst, void const* value, std::size_t bytes) {
    GPUFillJob job{dst, value, bytes, plan.block * (plan.element_bytes / bytes), plan.rank, {}};
    for (int d = 0; d < plan.rank; ++d)
      job.dimension[d] = {plan.dimension[d].extent, plan.dimension[d].dst_stride * plan.element_bytes};
    return job;
  }
  /// A function that writes host memory was enqueued.
  void note_host_work() {
    if (is_capturing()) return note_host_writes_of_graph();
    GPUHostWrites::begin_one();
    // If this fails, it stays counted, so that small copies take the general route.
    (void)gpu_succeeded<Runtime>(Runtime::launch_host_function(m_instance.stream(), &GPUHostWrites::end_one, nullptr));
  }

  static AllocationTracker tracked(AllocationTracker const* owner) {
    if (!owner) return {};
    TrackedScope scope;
    return *owner;
  }

  // ---- by the runtime -----------------------------------------------------------------------------------------------

  /// Whether the runtime can copy the innermost two dimensions as rows. Rows must not overlap, and their pitch is
  /// limited.
  static bool is_pitched(CopyPlan const& plan) {
    CopyDimension const& rows = plan.dimension[0];
    return std::min(rows.dst_stride, rows.src_stride) >= plan.block &&
           std::max(rows.dst_stride, rows.src_stride) <= CopyPolicy::max_pitch_bytes / plan.element_bytes;
  }

  /// Calls `rows(dst, dst_pitch, src, src_pitch, width, count)` once for each pair of innermost dimensions.
  template <class Rows>
  static void for_each_rows(CopyJob const& job, Rows const& rows) {
    CopyPlan const& plan    = job.plan;
    std::size_t const unit  = plan.element_bytes;
    std::size_t const width = plan.block * unit;
    if (plan.rank == 0) return rows(job.dst, width, job.src, width, width, std::size_t(1));
    CopyDimension const& inner  = plan.dimension[0];
    std::size_t const dst_pitch = inner.dst_stride * unit, src_pitch = inner.src_stride * unit;
    std::size_t const groups = plan.blocks() / inner.extent;
    for (std::size_t k = 0; k < groups; ++k) {
      std::size_t rest = k, to = 0, from = 0;
      for (int d = 1; d < plan.rank; ++d) {
        std::size_t const i = rest % plan.dimension[d].extent;
        rest /= plan.dimension[d].extent;
        to += i * plan.dimension[d].dst_stride * unit;
        from += i * plan.dimension[d].src_stride * unit;
      }
      char* const dst       = static_cast<char*>(job.dst) + to;
      char const* const src = static_cast<char const*>(job.src) + from;
      if (is_pitched(plan)) {
        rows(dst, dst_pitch, src, src_pitch, width, inner.extent);
      } else {
        for (std::size_t r = 0; r < inner.extent; ++r)
          rows(dst + r * dst_pitch, width, src + r * src_pitch, width, width, std::size_t(1));
      }
    }
  }

  void by_runtime(CopyJob const& job) {
    auto const stream = m_instance.stream();
    for_each_rows(job, [&](void* dst, std::size_t to, void const* src, std::size_t from, std::size_t n, std::size_t m) {
      if (m == 1)
        check(Runtime::memcpy_async(dst, src, n, stream), "memcpy_async");
      else
        check(Runtime::memcpy_2d_async(dst, to, src, from, n, m, stream), "memcpy_2d_async");
    });
  }

  /// Neither side is host memory. The runtime's call takes both devices, except during a capture, which does not allow
  /// that call.
  void between_devices(CopyJob const& job, int dst_device, int src_device) {
    if (is_capturing()) {
      for (int device : {dst_device, src_device}) require_reach(job, device);
      return by_runtime(job);
    }
    for_each_rows(job, [&](void* dst, std::size_t to, void const* src, std::size_t from, std::size_t n, std::size_t m) {
      check(Runtime::memcpy_2d_between_devices(dst, to, dst_device, src, from, src_device, n, m, m_instance.stream()),
            "memcpy_2d_between_devices");
    });
  }

  Instance& m_instance;
  CopyOrder m_order;

 private:
  mutable std::optional<bool> m_capturing;
};

}  // namespace Kokkos::Impl

#endif
