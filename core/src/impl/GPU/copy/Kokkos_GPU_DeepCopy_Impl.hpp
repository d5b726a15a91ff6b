// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEEP_COPY_IMPL_HPP
#define KOKKOS_GPU_DEEP_COPY_IMPL_HPP

/// \file
/// The implementation of copies and fills; included by the one source file of each vendor that instantiates it.
///
/// | between | one block | strided |
/// |---|---|---|
/// | device or managed memory of the instance's device | the runtime's copy | a kernel |
/// | ... and of another device | the runtime's copy of both devices | the runtime's pitched copies |
/// | ... and pinned memory | the runtime's copy | its pitched copy if rows are long; else packed, as below |
/// | ... and pageable memory | the copy engine | the same for long rows; else packed |
/// | pageable or pinned memory on both sides | the host's threads, or a function in the stream | the same |
///
/// *Packed*: elements cross the link in the order in which the host stores them, because the device reorders them a
/// hundred times faster than the link transfers them. If the device's side has another order, or gaps, a kernel packs
/// chunks into a buffer of bounded size. If the host's side has gaps, the engine's threads skip them.
///
/// A copy between host memory and a device that the instance's device cannot access goes through a buffer on the
/// instance's device, in chunks.
///
/// During a capture the runtime copies pageable memory itself: a graph may run many times, and the engine's threads
/// would not be informed of a run.

#include <impl/GPU/copy/Kokkos_GPU_CopyBuffers.hpp>
#include <impl/GPU/copy/Kokkos_GPU_DeepCopy.hpp>
#include <impl/GPU/instance/Kokkos_GPU_DeviceReach.hpp>
#include <impl/GPU/copy/Kokkos_GPU_HostElements.hpp>
#include <impl/GPU/copy/Kokkos_GPU_HostWork.hpp>
#include <impl/GPU/copy/Kokkos_GPU_PackKernels.hpp>
#include <impl/GPU/copy/Kokkos_GPU_SmallCopy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <impl/GPU/portable/Kokkos_GPU_Fill.hpp>
#include <impl/Host/Kokkos_Host_CopyRoute.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace Kokkos::Impl {

/// The kind of a side's memory, relative to an instance.
struct GPUCopySide {
  PointerKind kind;
  int device;              ///< the instance's device, or the other device that the memory belongs to
  bool elsewhere = false;  ///< whether it is the memory of another device

  bool on_host() const { return kind == PointerKind::pageable || kind == PointerKind::pinned; }
};

/// At least `bytes` bytes of the instance's device: the buffer of its stream, with a lock until the work on it has been
/// enqueued. In a capture it is memory of the graph's own, without a lock.
template <class Runtime>
std::unique_lock<std::mutex> lock_copy_buffer(GPUInstance<Runtime>& instance, std::size_t bytes, void** data) {
  DeviceScope<Runtime> scope(instance.device());
  if (instance.is_capturing()) {
    RelaxedCaptureScope<Runtime> relaxed;
    auto kept = std::make_unique<GPUGraphBuffer<Runtime>>(bytes);
    *data     = kept->memory.get();
    GraphKeeper<Runtime>::keep(instance.stream(), std::move(kept));
    return {};
  }
  auto& buffer = GPUCopyBuffers<Runtime>::get().of(instance.owned_stream());
  std::unique_lock<std::mutex> lock(buffer.mutex);
  *data = GPUCopyBuffers<Runtime>::memory_of(buffer, bytes);
  return lock;
}

/// One copy or fill, and the choice of its route.
template <class Runtime>
class GPUCopier {
 public:
  using Instance = GPUInstance<Runtime>;

  GPUCopier(Instance& instance, bool wait) : m_instance(instance), m_wait(wait) {
    if ((m_wait || !Instance::default_instance()) && is_capturing()) m_instance.require_waitable("Kokkos::deep_copy");
  }

  void copy(GPUMemoryType dst_type, GPUMemoryType src_type, CopyJob const& job) {
    DeviceScope<Runtime> scope(m_instance.device());
    const GPUCopySide dst = side(dst_type, job.dst, job.dst_owner, job.plan.bytes());
    const GPUCopySide src = side(src_type, job.src, job.src_owner, job.plan.bytes());
    if (dst.on_host() && src.on_host()) return between_hosts(dst_type, src_type, job);
    if (!dst.on_host() && !src.on_host()) {
      if (dst.elsewhere || src.elsewhere)
        between_devices(job, dst.device, src.device);
      else if (job.plan.rank == 0)
        by_runtime(job);
      else
        pack(job.plan, job.dst, job.src);
      return enqueued(job.report);
    }
    const GPUCopySide host = dst.on_host() ? dst : src, device = dst.on_host() ? src : dst;
    const bool pinned = host.kind == PointerKind::pinned;
    m_is_host_quiet   = !pinned && GPUHostWork::is_host_quiet(m_instance);
    if (!reaches(device.device) && is_capturing()) require_reach(job, device.device);
    if (dst.on_host() && !m_is_host_quiet) poison(job);
    if ((pinned && has_long_rows(job.plan) && reaches(device.device)) || is_capturing()) {
      // A graph may write host memory at any time. No copy reads the memory of a pinned space early.
      if (dst.on_host() && !(pinned && dst_type == GPUMemoryType::pinned) && is_capturing())
        GPUHostWork::pending().fetch_add(1, std::memory_order_relaxed);
      by_runtime(job);
      const bool registered = (dst.on_host() ? dst_type : src_type) == GPUMemoryType::host;
      return enqueued(job.report, !registered ? nullptr : dst.on_host() ? job.dst_owner : job.src_owner);
    }
    packed(job, packed_order(job.plan, dst.on_host() ? CopyEnd::dst : CopyEnd::src), device);
  }

  void fill(GPUMemoryType type, FillJob const& job) {
    const GPUCopySide dst = side(type, job.dst, job.dst_owner, job.plan.bytes());
    if (dst.elsewhere) {
      fill_elsewhere(job, dst.device);
    } else {
      m_instance.launched("Kokkos::deep_copy: fill");
      GPUFill<Runtime>::enqueue(m_instance.stream(), m_instance.device(), fill_method(dst),
                                fill_job(job.plan, job.dst, job.element));
      if (fill_method(dst) == GPUFillMethod::host) note_host_work();
    }
    enqueued(job.report);
  }

 private:
  static constexpr CopyPolicy policy = Runtime::copy_policy;

  void check(typename Runtime::error_t error, const char* call) const {
    m_instance.check(error, call, "copying a view");
  }

  /// Queries the runtime at most once. After finalize, this aborts with a message.
  bool is_capturing() const {
    if (!m_capturing) m_capturing = m_instance.is_capturing();
    return *m_capturing;
  }

  // ---- kinds of memory ----------------------------------------------------------------------------------------------

  /// The type of a view that owns its memory gives the memory's kind, except in two cases: host memory may have been
  /// registered with the runtime, and there may be several devices. The code checks for registered memory only above a
  /// certain size: the runtime, which knows whether memory is registered, copies small sources itself, and for a small
  /// destination registration makes no difference.
  GPUCopySide side(GPUMemoryType type, void const* p, AllocationTracker const* owner, std::size_t bytes) const {
    const bool may_be_registered = type == GPUMemoryType::host && bytes > policy.unasked_bytes;
    const bool may_be_elsewhere =
        type == GPUMemoryType::device && GPUDeviceReach::has_several_devices<Runtime>();
    const bool unsure = !owner || may_be_registered || may_be_elsewhere;
    const int here = m_instance.device();
    if (unsure) {
      PointerKind kind = PointerKind::pageable;
      int device       = here;
      RelaxedCaptureScope<Runtime> relaxed;
      if (Runtime::pointer_kind(p, &kind, &device) != Runtime::success) {
        Runtime::clear_last_error();
        return {PointerKind::pageable, here};
      }
      if (kind != PointerKind::device || device == here) return {kind, here};
      (void)Instance::properties_of(device);  // enables memory sharing with the other devices
      return {kind, device, true};
    }
    switch (type) {
      case GPUMemoryType::device:
        return {PointerKind::device, here};
      case GPUMemoryType::managed:
        return {PointerKind::managed, here};
      case GPUMemoryType::pinned:
        return {PointerKind::pinned, here};
      default:
        return {PointerKind::pageable, here};
    }
  }

  bool reaches(int device) const { return GPUDeviceReach::between(m_instance.device(), device); }
  void require_reach(CopyJob const& job, int device) const {
    if (reaches(device)) return;
    const std::string there = "device " + std::to_string(device);
    throw std::runtime_error(describe(job) + " cannot be captured: device " + std::to_string(m_instance.device()) +
                             " cannot access the memory of " + there +
                             ", so the copy goes through the host. Make it before or after the capture, or in a "
                             "stream of " + there + ".");
  }

  // ---- the end of enqueued copies -----------------------------------------------------------------------------------

  /// The host's work after a copy has completed.
  struct Landing {
    AllocationTracker kept;
    CopyReport::End report_end;
    static void run(void* self) {
      const std::unique_ptr<Landing> landing(static_cast<Landing*>(self));
      if (landing->report_end) CopyReport::end_in_background(landing->report_end);
    }
  };

  /// Reports that the stream's last operation is the end of the copy. `kept` is memory that must not be freed before
  /// that.
  ///
  /// `kept` is registered pageable memory: freeing it waits for nothing. Freeing memory of a GPU, including pinned
  /// memory, waits for the device.
  void enqueued(CopyReport* report, AllocationTracker const* kept = nullptr) {
    if (m_wait) return m_instance.synchronize("Kokkos::deep_copy");
    if ((!(report && report->is_active()) && !kept) || is_capturing()) return;
    const CopyReport::End report_end = report ? report->detach() : nullptr;
    if (!report_end && !kept) return;
    auto landing = std::make_unique<Landing>(Landing{tracked(kept), report_end});
    check(Runtime::launch_host_function(m_instance.stream(), &Landing::run, landing.get()), "launch_host_function");
    (void)landing.release();
  }

  void in_stream(std::unique_ptr<GPUHostWork> work) {
    void* const argument = work.get();
    GPUHostWork::pending().fetch_add(1, std::memory_order_relaxed);
    if (is_capturing()) {
      GraphKeeper<Runtime>::keep(m_instance.stream(), std::move(work));
      return check(Runtime::launch_host_function(m_instance.stream(), &GPUHostWork::run, argument),
                   "launch_host_function");
    }
    const auto error = Runtime::launch_host_function(m_instance.stream(), &GPUHostWork::run_and_end, argument);
    if (error != Runtime::success) GPUHostWork::end_one(nullptr);
    check(error, "launch_host_function");
    (void)work.release();
  }

  /// A function that writes host memory was enqueued.
  void note_host_work() {
    GPUHostWork::pending().fetch_add(1, std::memory_order_relaxed);
    if (is_capturing()) return;
    const auto error = Runtime::launch_host_function(m_instance.stream(), &GPUHostWork::end_one, nullptr);
    if (error != Runtime::success) Runtime::clear_last_error();  // it stays counted, so that small copies take the
                                                                 // general route
  }

  static AllocationTracker tracked(AllocationTracker const* owner) {
    if (!owner) return {};
    TrackedScope scope;
    return *owner;
  }

  // ---- host to host -------------------------------------------------------------------------------------------------

  void between_hosts(GPUMemoryType dst_type, GPUMemoryType src_type, CopyJob const& job) {
    if (m_wait) return CopyRoute<HostSpace, HostSpace>::run(job);
    auto work = std::make_unique<GPUHostWork>();
    work->job = job;
    // Keeps the owners of host memory. Not the owners of a GPU's memory: a function in the stream would free it, and
    // freeing it would wait for the stream.
    if (dst_type == GPUMemoryType::host) work->dst = tracked(job.dst_owner);
    if (src_type == GPUMemoryType::host) work->src = tracked(job.src_owner);
    in_stream(std::move(work));
    enqueued(job.report);
    const bool all_kept = (dst_type != GPUMemoryType::host || job.dst_owner) &&
                          (src_type != GPUMemoryType::host || job.src_owner);
    const PageableCopies mode = copy_preferences().pageable;
    if (!is_capturing() && (mode == PageableCopies::blocking || (mode == PageableCopies::by_ownership && !all_kept)))
      m_instance.synchronize("Kokkos::deep_copy of memory that no view owns");
  }

  /// Enqueues the overwriting of the destination before this copy. No work between them reads the destination.
  void poison(CopyJob const& job) {
    if (!copy_preferences().check || m_wait || is_capturing()) return;
    auto work         = std::make_unique<GPUHostWork>();
    work->job         = job;
    work->poison_only = true;
    in_stream(std::move(work));
  }

  // ---- by the runtime -----------------------------------------------------------------------------------------------

  static bool has_long_rows(CopyPlan const& plan) {
    return plan.rank == 0 || (plan.rank == 1 && plan.block * plan.element_bytes >= policy.long_row_bytes);
  }

  /// Whether the runtime can copy the innermost two dimensions as rows. Rows must not overlap, and their pitch is
  /// limited.
  static bool is_pitched(CopyPlan const& plan) {
    CopyDimension const& rows  = plan.dimension[0];
    return std::min(rows.dst_stride, rows.src_stride) >= plan.block &&
           std::max(rows.dst_stride, rows.src_stride) <= CopyPolicy::max_pitch_bytes / plan.element_bytes;
  }

  /// Calls `rows(dst, dst_pitch, src, src_pitch, width, count)` once for each pair of innermost dimensions.
  template <class Rows>
  static void for_each_rows(CopyJob const& job, Rows const& rows) {
    CopyPlan const& plan    = job.plan;
    const std::size_t unit  = plan.element_bytes;
    const std::size_t width = plan.block * unit;
    if (plan.rank == 0) return rows(job.dst, width, job.src, width, width, std::size_t(1));
    CopyDimension const& inner  = plan.dimension[0];
    const std::size_t dst_pitch = inner.dst_stride * unit, src_pitch = inner.src_stride * unit;
    const std::size_t groups = plan.blocks() / inner.extent;
    for (std::size_t k = 0; k < groups; ++k) {
      std::size_t rest = k, to = 0, from = 0;
      for (int d = 1; d < plan.rank; ++d) {
        const std::size_t i = rest % plan.dimension[d].extent;
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
    const auto stream = m_instance.stream();
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

  // ---- packed -------------------------------------------------------------------------------------------------------

  static std::string describe(CopyJob const& job) {
    auto name = [](const char* label) {
      return *label ? "\"" + std::string(label) + "\"" : std::string("a view without a label");
    };
    return "Kokkos::deep_copy of " + name(job.src_label) + " to " + name(job.dst_label);
  }

  /// Elements [first, first + count) of the packed sequence.
  static std::unique_ptr<HostSide> host_side(PackedOrder const& order, void const* data, std::size_t first,
                                             std::size_t count) {
    const std::size_t unit = order.element_bytes;
    if (order.is_dense())
      return std::make_unique<HostBlock>(static_cast<char const*>(data) + first * unit, count * unit);
    return std::make_unique<HostElements>(order, data, first, count);
  }

  /// Whether slabs can be copied to and from the device's side directly. Long rows must be rows of the runtime's
  /// pitched copy, and have the same order on both sides: overlapping rows are stored in the order of their columns.
  static bool needs_no_kernel(CopyPlan const& plan, PackedOrder const& order) {
    return order.other_is_packed() || (has_long_rows(plan) && is_pitched(plan));
  }
  static DeviceRows device_side(CopyPlan const& plan, PackedOrder const& order, char* data) {
    if (order.other_is_packed()) return DeviceRows::block(data, plan.bytes());
    CopyDimension const& rows = plan.dimension[0];
    return {data, plan.block * plan.element_bytes,
            (order.end == CopyEnd::dst ? rows.src_stride : rows.dst_stride) * plan.element_bytes};
  }

  StagedCopy staged(CopyJob const& job, CopyEnd host_end, DeviceRows const& device, std::unique_ptr<HostSide> host,
                    std::size_t bytes) const {
    StagedCopy copy;
    copy.to_device = host_end == CopyEnd::src;
    copy.bytes     = bytes;
    copy.device    = device;
    copy.host      = std::move(host);
    // A source that kernels or functions in streams may write is read only when the copy's predecessors have ended.
    copy.may_read_early = m_is_host_quiet;
    AllocationTracker const* const owner = copy.to_device ? job.src_owner : job.dst_owner;
    copy.wait                            = wait_of(owner);
    // If the caller waits, it gets an exception, to which the labels are added.
    const bool may_outlive_call = copy.wait == CopyWait::nothing;
    if (may_outlive_call && owner) copy.keep = std::make_shared<AllocationTracker>(tracked(owner));
    copy.what = may_outlive_call ? describe(job) : "deep_copy";
    return copy;
  }
  CopyWait wait_of(AllocationTracker const* owner) const {
    const PageableCopies mode = copy_preferences().pageable;
    if (m_wait || mode == PageableCopies::blocking) return CopyWait::end;
    // Memory without an owner may be on the stack.
    return !owner && mode == PageableCopies::by_ownership ? CopyWait::host_memory : CopyWait::nothing;
  }
  void enqueue(StagedCopy copy) {
    CopyEngines<Runtime>::of(m_instance.device()).enqueue(std::move(copy), m_instance.owned_stream());
  }
  static void report_landing(StagedCopy& copy, CopyReport* report) {
    if (const CopyReport::End end = report ? report->detach() : nullptr)
      copy.on_landed = [end] { CopyReport::end_in_background(end); };
  }

  void packed(CopyJob const& job, PackedOrder const& order, GPUCopySide const& device) {
    try {
      stage(job, order, device);
    } catch (GPUInstanceError const& e) {
      throw GPUInstanceError(describe(job) + ": " + e.what(), e.code());
    } catch (GPUError const& e) {
      throw GPUError(describe(job) + ": " + e.what(), e.code());
    } catch (std::runtime_error const& e) {
      throw std::runtime_error(describe(job) + ": " + e.what());
    }
  }

  void stage(CopyJob const& job, PackedOrder const& order, GPUCopySide const& side) {
    const CopyEnd host_end = order.end;
    const bool to_host     = host_end == CopyEnd::dst;
    void const* host       = to_host ? job.dst : job.src;
    char* device           = static_cast<char*>(to_host ? const_cast<void*>(job.src) : job.dst);
    if (needs_no_kernel(job.plan, order) && reaches(side.device)) {
      const auto whole = [&] {
        return staged(job, host_end, device_side(job.plan, order, device), host_side(order, host, 0, order.size),
                      job.plan.bytes());
      };
      auto& engine = CopyEngines<Runtime>::of(m_instance.device());
      if (job.plan.rank == 0) {
        const BlockCopy block{!to_host, device, static_cast<char*>(const_cast<void*>(host)), job.plan.bytes(),
                              wait_of(to_host ? job.dst_owner : job.src_owner), m_is_host_quiet};
        if (m_wait && engine.run_block(block)) return;
        if (!m_wait && !tools_loaded()) {
          const std::uint64_t before = m_instance.submissions();
          if (engine.enqueue_block(block, m_instance.owned_stream(), whole)) m_instance.caught_up(before + 1);
          return;
        }
      }
      StagedCopy copy = whole();
      if (m_wait) return engine.run(std::move(copy));
      report_landing(copy, job.report);
      return enqueue(std::move(copy));
    }
    const std::size_t unit  = job.plan.element_bytes;
    const std::size_t whole = job.plan.bytes();
    auto& buffer            = GPUCopyBuffers<Runtime>::get().of(m_instance.owned_stream());
    std::lock_guard<std::mutex> lock(buffer.mutex);
    void* const space = GPUCopyBuffers<Runtime>::memory_of(
        buffer, std::max(unit, std::min(whole, GPUCopyBuffers<Runtime>::max_bytes)));
    CopyChunks chunks(order, buffer.memory.bytes() / unit);
    for (CopyChunk chunk; chunks.next(&chunk);) {
      char* const at = device + chunk.other_offset * unit;
      StagedCopy copy =
          staged(job, host_end, DeviceRows::block(space, chunk.count * unit),
                 host_side(order, host, chunk.first, chunk.count), chunk.count * unit);
      if (to_host) {
        if (chunk.first + chunk.count == order.size) report_landing(copy, job.report);
        pack_from(side, CopyJob{chunk.plan, space, at});
        enqueue(std::move(copy));
      } else {
        enqueue(std::move(copy));
        unpack_to(side, CopyJob{chunk.plan, at, space});
      }
    }
    if (m_wait || !to_host) enqueued(job.report);
  }

  /// Packs or unpacks elements on the device. Copies them if the side is on another device: kernels cannot access it.
  void pack_from(GPUCopySide const& side, CopyJob const& job) {
    if (side.elsewhere) return between_devices(job, m_instance.device(), side.device);
    pack(job.plan, job.dst, job.src);
  }
  void unpack_to(GPUCopySide const& side, CopyJob const& job) {
    if (side.elsewhere) return between_devices(job, side.device, m_instance.device());
    pack(job.plan, job.dst, job.src);
  }

  void pack(CopyPlan const& plan, void* dst, void const* src) {
    KernelLabelScope label("Kokkos::deep_copy: strided");
    GPUPack<Runtime>::copy(m_instance, plan, dst, src);
  }

  // ---- fills --------------------------------------------------------------------------------------------------------

  GPUFillMethod fill_method(GPUCopySide const& dst) const {
    return Impl::gpu_fill_method(dst.kind != PointerKind::pageable, m_instance.properties().pageable_access);
  }

  static GPUFillJob fill_job(CopyPlan const& plan, void* dst, void const* element) {
    GPUFillJob job{dst, element, plan.element_bytes, plan.block, plan.rank, {}};
    for (int d = 0; d < plan.rank; ++d)
      job.dimension[d] = {plan.dimension[d].extent, plan.dimension[d].dst_stride * plan.element_bytes};
    return job;
  }

  /// Memory of another device: the runtime can copy to it, but kernels of this device may not be able to access it.
  void fill_elsewhere(FillJob const& job, int device) {
    if (is_capturing()) require_reach(CopyJob{job.plan, job.dst, nullptr}, device);
    const std::size_t unit = job.plan.element_bytes;
    const std::size_t bytes = std::max(unit, policy.filling_bytes);
    void* values            = nullptr;
    const auto lock         = Impl::lock_copy_buffer(m_instance, bytes, &values);
    const std::size_t limit = bytes / unit;
    CopyPlan block;
    block.element_bytes = unit;
    block.block         = std::min(limit, job.plan.size());
    GPUFill<Runtime>::enqueue(m_instance.stream(), m_instance.device(), GPUFillMethod::runtime,
                              fill_job(block, values, job.element));
    const PackedOrder order = packed_order(job.plan, CopyEnd::src);
    CopyChunks chunks(order, limit);
    for (CopyChunk chunk; chunks.next(&chunk);)
      between_devices(CopyJob{chunk.plan, static_cast<char*>(job.dst) + chunk.other_offset * unit, values}, device,
                      m_instance.device());
  }

  Instance& m_instance;
  bool m_wait;
  mutable std::optional<bool> m_capturing;
  bool m_is_host_quiet = false;  // see GPUHostWork; false for pinned memory
};

template <class ExecSpace>
void GPUCopies<ExecSpace>::copy(GPUInstance<Runtime>& instance, GPUMemoryType dst, GPUMemoryType src,
                                CopyJob const& job, bool wait) {
  instance.with_error_context([&] {
    const bool to_device = dst == GPUMemoryType::device && src == GPUMemoryType::host;
    if (to_device && !wait && GPUSmallSource<Runtime>::run(instance, job)) return;
    GPUCopier<Runtime>(instance, wait).copy(dst, src, job);
  });
}

template <class ExecSpace>
void GPUCopies<ExecSpace>::fill(GPUInstance<Runtime>& instance, GPUMemoryType dst, FillJob const& job, bool wait) {
  instance.with_error_context([&] { GPUCopier<Runtime>(instance, wait).fill(dst, job); });
}

template <class ExecSpace>
bool GPUCopies<ExecSpace>::copy_behind_all(GPUInstance<Runtime>& instance, CopyJob const& job, bool to_device) {
  return GPUSmallCopy<Runtime>::run(instance, job, to_device);
}

template <class ExecSpace>
void* GPUCopyBuffer<ExecSpace>::lock(Instance& instance, std::size_t bytes, void** data) {
  return Impl::lock_copy_buffer(instance, bytes, data).release();
}

template <class ExecSpace>
void GPUCopyBuffer<ExecSpace>::unlock(void* buffer) noexcept {
  if (buffer) static_cast<std::mutex*>(buffer)->unlock();
}

}  // namespace Kokkos::Impl

#endif
