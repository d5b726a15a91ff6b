// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_REQUEST_HPP
#define KOKKOS_GPU_COPY_REQUEST_HPP

/// \file
/// One request for a copy in which a memory space of a GPU takes part. It answers the questions of choose(), of which
/// some cost a call of the runtime, once each, and makes the copies that the copy engine does not make.

#include <impl/GPU/copy/Kokkos_GPU_HostElements.hpp>
#include <impl/GPU/copy/Kokkos_GPU_MailboxCopy.hpp>
#include <impl/GPU/copy/Kokkos_GPU_PackKernels.hpp>
#include <impl/GPU/copy/Kokkos_GPU_RuntimeCopies.hpp>
#include <impl/GPU/instance/Kokkos_GPU_WorkMemory.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace Kokkos::Impl {

template <class Runtime>
class GPUCopyRequest : private GPURuntimeCopies<Runtime> {
  using Base     = GPURuntimeCopies<Runtime>;
  using Instance = GPUInstance<Runtime>;
  using Base::device;
  using Base::m_instance;
  using Base::m_order;
  using Base::policy;

 public:
  using FenceBefore = void (*)(Instance& next, std::string const& label);

  /// \param fence_before GPUExecutionSpace::impl_fence_before
  GPUCopyRequest(Instance& instance, MemoryKind dst, MemoryKind src, CopyJob const& job, CopyOrder order,
                 FenceBefore fence_before)
      : Base(instance, order),
        m_dst_type(dst),
        m_src_type(src),
        m_job(job),
        m_fence_before(fence_before),
        m_why(order == CopyOrder::in_stream ? WaitReason::copy_of_pageable : WaitReason::copy_without_instance,
              job.src_label, job.dst_label) {}

  // ---- questions of choose() ----------------------------------------------------------------------------------------

  CopyFacts facts() const { return {m_job.plan.bytes(), shape(), m_order}; }
  bool has_mailbox() const {
    bool const to_device = is_of_types(MemoryKind::device, MemoryKind::pageable);
    return (to_device || is_of_types(MemoryKind::pageable, MemoryKind::device)) &&
           GPUMailboxCopy<Runtime>::fits(m_instance, m_job, to_device);
  }
  /// Larger memory may have been registered with the runtime, which then does not read it during the call. Nobody asks
  /// whether smaller memory is registered. During a capture, the runtime's call would read the memory whenever the graph
  /// is launched, which may be after its last view has gone.
  bool has_known_source() {
    bool const is_known = is_of_types(MemoryKind::device, MemoryKind::pageable) && m_job.dst_owner && m_job.src_owner &&
                          shape() == CopyShape::block && !tools_loaded() &&
                          copy_preferences().pageable != PageableCopies::blocking &&
                          !GPUDeviceReach::has_several_devices<Runtime>() && !is_captured();
    if (is_known) m_sides = Sides{{MemoryKind::device, device()}, {MemoryKind::pageable, device()}};
    return is_known;
  }
  MemoryKind destination() { return sides().dst.memory; }
  MemoryKind source() { return sides().src.memory; }
  bool is_captured() const { return Base::is_capturing(); }
  bool graph_keeps_memory() const { return Base::graph_keeps_objects(); }
  /// The device has the address of memory in a pinned space. Pageable memory that was registered may have another.
  bool may_be_graph_kernel() {
    return GraphKeptList::of_this_thread() && host_type() == MemoryKind::pinned && reaches_device();
  }
  bool reaches_device() { return Base::reaches(device_side().device); }
  /// Whether slabs can be copied to and from the device's side directly. Long rows must be rows of the runtime's pitched
  /// copy, and have the same order on both sides: overlapping rows are stored in the order of their columns.
  bool is_packed_on_device() {
    return shape() == CopyShape::block || order().other_is_packed() ||
           (shape() == CopyShape::long_rows && Base::is_pitched(m_job.plan));
  }

  // ---- for the engine -----------------------------------------------------------------------------------------------

  PageableCopy const& outline() {
    if (m_outline) return *m_outline;
    PageableCopy& copy = m_outline.emplace();
    bool const to_host = is_to_host();
    copy.to_device     = !to_host;
    copy.bytes         = m_job.plan.bytes();
    copy.device        = device_rows();
    copy.wait          = wait_of(host_owner());
    copy.reports       = may_report() && m_job.report->is_detachable();
    // A source that kernels or functions in streams may write is read only when the copy's predecessors have ended.
    copy.may_read_early = is_quiet();
    if (is_block()) {
      copy.block = static_cast<char*>(const_cast<void*>(host_data()));
      copy.span  = {copy.block, copy.block + copy.bytes};
    } else {
      copy.span = HostElements(order(), host_data(), 0, order().size).span();
    }
    return copy;
  }
  StagedCopy& whole() {
    if (!m_whole) {
      m_whole.emplace(staged(outline(), host_side(0, m_job.plan.size())));
      end_report_with(*m_whole);
    }
    return *m_whole;
  }
  std::string name() const { return Base::describe(m_job); }
  /// Otherwise the engine uses a stream of its own.
  bool has_stream() const { return m_order == CopyOrder::in_stream; }
  auto stream() const { return m_instance.stream(); }
  void begin(CopyDecision const& decision) {
    if (waits_are_recorded()) [[unlikely]]
      note_wait(decision.method);
    if (decision.method == CopyMethod::mailbox) return;
    bool const by_device = decision.method == CopyMethod::runtime || decision.method == CopyMethod::kernel ||
                           decision.method == CopyMethod::between_devices;
    Base::begin(m_order == CopyOrder::after_all && by_device && destination() != MemoryKind::pageable &&
                    source() != MemoryKind::pageable,
                m_fence_before);
    if (copy_preferences().check && is_on_host(destination()) && !is_on_host(source()) && !is_quiet()) poison();
  }
  void explain(CopyDecision const& decision) {
    if (!copies_are_explained || decision.method == CopyMethod::host_threads)
      return;  // the host's route explains itself
    // Without sides, the choice did not depend on the kinds.
    explain_copy(m_job, memory_kind_name(m_sides ? source() : m_src_type),
                 memory_kind_name(m_sides ? destination() : m_dst_type), copy_method_name(decision.method),
                 decision.reason);
  }
  void make(CopyMethod method) {
    switch (method) {
      case CopyMethod::mailbox:
        return GPUMailboxCopy<Runtime>::run(m_instance, m_job, m_dst_type == MemoryKind::device);
      case CopyMethod::runtime:
        return by_runtime();
      case CopyMethod::between_devices:
        Base::between_devices(m_job, m_sides->dst.device, m_sides->src.device);
        return Base::enqueued(m_job.report);
      case CopyMethod::kernel:
        pack(m_job.plan, m_job.dst, m_job.src);
        return Base::enqueued(m_job.report);
      case CopyMethod::packed:
        return packed();
      case CopyMethod::host_threads:
        return CopyRoute<HostSpace, HostSpace>::run(m_job);
      case CopyMethod::host_function:
        return by_host_function();
      case CopyMethod::graph_staged:
        return through_graph();
      default:
        return;  // there are no bytes
    }
  }

 private:
  using Side = GPUCopySide;
  struct Sides {
    Side dst, src;
  };

  // ---- the record of waits ------------------------------------------------------------------------------------------

  /// If the copy waits on its way, records the time until its end.
  void note_wait(CopyMethod method) {
    if (m_order != CopyOrder::in_stream) {
      m_waiting.emplace();
      return;
    }
    bool const on_host = is_on_host(destination()) && is_on_host(source());
    if (is_captured() || (!is_on_host(destination()) && !is_on_host(source()))) return;
    PageableCopies const mode = copy_preferences().pageable;
    bool const owned          = on_host ? m_job.dst_owner && m_job.src_owner : host_owner() != nullptr;
    if (mode == PageableCopies::blocking)
      m_why.because(WaitReason::copy_blocking);
    else if (mode == PageableCopies::by_ownership && !owned)
      m_why.because(WaitReason::copy_of_unmanaged);
    else if (method == CopyMethod::slot)
      m_why.because(WaitReason::small_copy);
    bool const streams_wait = Runtime::device_may_wait_for_host || mode == PageableCopies::always_async;
    bool const may_return   = mode == PageableCopies::always_async || (owned && mode != PageableCopies::blocking);
    bool const always       = method == CopyMethod::slot || method == CopyMethod::staged_by_caller ||
                        (method == CopyMethod::packed && !streams_wait);
    // A wait in a call of the runtime has its own HostWait. These are waits for words, and for staging threads.
    if (always || (!may_return && (is_staged(method) || method == CopyMethod::packed))) m_waiting.emplace();
  }

  // ---- facts --------------------------------------------------------------------------------------------------------

  CopyShape shape() const {
    if (m_job.plan.rank == 0) return CopyShape::block;
    return m_job.plan.rank == 1 && m_job.plan.block * m_job.plan.element_bytes >= policy.long_row_bytes
               ? CopyShape::long_rows
               : CopyShape::strided;
  }
  bool is_of_types(MemoryKind dst, MemoryKind src) const { return m_dst_type == dst && m_src_type == src; }
  Sides const& sides() {
    std::size_t const bytes = m_job.plan.bytes();
    if (!m_sides)
      m_sides = Sides{Base::side(m_dst_type, m_job.dst, m_job.dst_owner, bytes),
                      Base::side(m_src_type, m_job.src, m_job.src_owner, bytes)};
    return *m_sides;
  }
  // For copies between host and device.
  bool is_to_host() { return is_on_host(sides().dst.memory); }
  Side const& device_side() { return is_to_host() ? sides().src : sides().dst; }
  Side const& host_of_sides() { return is_to_host() ? sides().dst : sides().src; }
  /// The kind of memory that the type of the host's view states.
  MemoryKind host_type() { return is_to_host() ? m_dst_type : m_src_type; }
  void const* host_data() { return is_to_host() ? m_job.dst : m_job.src; }
  char* device_data() { return static_cast<char*>(is_to_host() ? const_cast<void*>(m_job.src) : m_job.dst); }
  AllocationTracker const* host_owner() { return is_to_host() ? m_job.dst_owner : m_job.src_owner; }
  PackedOrder const& order() {
    if (!m_packed_order) m_packed_order = packed_order(m_job.plan, is_to_host() ? CopyEnd::dst : CopyEnd::src);
    return *m_packed_order;
  }
  bool is_block() { return shape() == CopyShape::block || order().is_dense(); }
  /// Whether no kernel of the instance's device, and no function in a stream, is about to access pageable memory.
  bool is_host_quiet() const { return GPUHostWrites::none_pending() && !m_instance.properties().pageable_access; }
  /// The same for this copy's memory of the host. False for pinned memory, which no copy reads early.
  bool is_quiet() {
    if (!m_is_quiet) m_is_quiet = host_of_sides().memory != MemoryKind::pinned && is_host_quiet();
    return *m_is_quiet;
  }
  DeviceRows device_rows() {
    if (shape() == CopyShape::block || order().other_is_packed())
      return DeviceRows::block(device_data(), m_job.plan.bytes());
    CopyDimension const& rows = m_job.plan.dimension[0];
    return {device_data(), m_job.plan.block * m_job.plan.element_bytes,
            (is_to_host() ? rows.src_stride : rows.dst_stride) * m_job.plan.element_bytes};
  }
  CopyWait wait_of(AllocationTracker const* owner) const {
    PageableCopies const mode = copy_preferences().pageable;
    if (m_order != CopyOrder::in_stream || mode == PageableCopies::blocking) return CopyWait::end;
    // Memory without an owner may be on the stack.
    return !owner && mode == PageableCopies::by_ownership ? CopyWait::host_memory : CopyWait::nothing;
  }
  bool may_report() const { return m_order == CopyOrder::in_stream && m_job.report; }

  /// Elements [first, first + count) of the packed sequence.
  std::unique_ptr<HostSide> host_side(std::size_t first, std::size_t count) {
    std::size_t const unit = m_job.plan.element_bytes;
    if (is_block())
      return std::make_unique<HostBlock>(static_cast<char const*>(host_data()) + first * unit, count * unit);
    return std::make_unique<HostElements>(order(), host_data(), first, count);
  }
  StagedCopy staged(PageableCopy const& outline, std::unique_ptr<HostSide> host) {
    StagedCopy copy;
    static_cast<PageableCopy&>(copy) = outline;
    copy.host                        = std::move(host);
    if (copy.wait == CopyWait::nothing && host_owner())
      copy.keep = std::make_shared<AllocationTracker>(Base::tracked(host_owner()));
    copy.what = Base::describe(m_job);
    return copy;
  }
  void end_report_with(StagedCopy& copy) const {
    if (CopyReport::End const end = may_report() ? m_job.report->detach() : nullptr)
      copy.on_completion = [end] { CopyReport::end_in_background(end); };
  }

  // ---- routes -------------------------------------------------------------------------------------------------------

  void by_runtime() {
    if (!is_on_host(sides().dst.memory) && !is_on_host(sides().src.memory)) {
      Base::by_runtime(m_job);
      return Base::enqueued(m_job.report);
    }
    if (!reaches_device() && is_captured()) Base::require_reach(m_job, device_side().device);
    // A graph may write host memory at any time. No copy reads the memory of a pinned space early.
    bool const is_pinned_space = host_of_sides().memory == MemoryKind::pinned && host_type() == MemoryKind::pinned;
    if (is_to_host() && !is_pinned_space && is_captured()) Base::note_host_writes_of_graph();
    Base::by_runtime(m_job);
    // Freeing registered pageable memory waits for nothing. Freeing pinned memory of a GPU waits for the device.
    Base::enqueued(m_job.report, host_type() == MemoryKind::pageable ? host_owner() : nullptr);
  }

  void by_host_function() {
    bool const keeps_dst = m_dst_type == MemoryKind::pageable, keeps_src = m_src_type == MemoryKind::pageable;
    GPUHostCopy work{{}, m_job, {}, {}};
    // Keeps the owners of host memory. Not the owners of a GPU's memory: a function in the stream would free it, and
    // freeing it would wait for the stream.
    if (keeps_dst) work.dst = Base::tracked(m_job.dst_owner);
    if (keeps_src) work.src = Base::tracked(m_job.src_owner);
    Base::call_host(std::move(work));
    Base::enqueued(m_job.report);
    bool const all_kept       = (!keeps_dst || m_job.dst_owner) && (!keeps_src || m_job.src_owner);
    PageableCopies const mode = copy_preferences().pageable;
    if (!is_captured() && (mode == PageableCopies::blocking || (mode == PageableCopies::by_ownership && !all_kept)))
      m_instance.synchronize("Kokkos::deep_copy of memory that no view owns");
  }

  /// In a capture, in chunks, with the elements in the order in which the host stores them. A function of the graph
  /// gathers or scatters them in pinned memory of the graph's, unless the host's side is pinned and one block; a kernel
  /// reorders them in device memory of the graph's, unless the device stores them in that order. Few elements are not
  /// copied on their way: the kernel accesses the pinned memory.
  void through_graph() {
    if (is_to_host()) Base::note_host_writes_of_graph();
    std::size_t const unit         = m_job.plan.element_bytes;
    std::size_t const bytes        = std::max(unit, std::min(m_job.plan.bytes(), policy.packing_bytes));
    bool const is_direct_on_host   = host_of_sides().memory == MemoryKind::pinned && is_block();
    bool const is_direct_on_device = shape() == CopyShape::block || order().other_is_packed();
    char* const slab =
        is_direct_on_host ? nullptr : static_cast<char*>(Impl::graph_memory<PinnedMemory>(m_instance, bytes));
    bool const is_kernel = slab && m_job.plan.bytes() <= policy.graph_kernel_bytes;
    char* const buffer   = is_direct_on_device || is_kernel
                               ? nullptr
                               : static_cast<char*>(Impl::graph_memory<DeviceMemory>(m_instance, bytes));
    auto const at        = [&](CopyChunk const& chunk) { return device_data() + chunk.other_offset * unit; };
    by_chunks(
        bytes / unit,
        [&](CopyChunk const& chunk) {
          char* const packed = is_kernel ? slab : buffer;
          if (packed) pack(chunk.plan, is_to_host() ? packed : at(chunk), is_to_host() ? at(chunk) : packed);
        },
        [&](CopyChunk const& chunk) {
          char* const on_host   = slab ? slab : static_cast<char*>(const_cast<void*>(host_data())) + chunk.first * unit;
          char* const on_device = buffer ? buffer : at(chunk);
          if (slab && !is_to_host()) host_part(slab, chunk);
          if (!is_kernel)
            Base::check(Runtime::memcpy_async(is_to_host() ? on_host : on_device, is_to_host() ? on_device : on_host,
                                              chunk.count * unit, m_instance.stream()),
                        "memcpy_async");
          if (slab && is_to_host()) host_part(slab, chunk);
        });
  }
  /// The host's part of a chunk, in pinned memory of the graph's.
  void host_part(void* slab, CopyChunk const& chunk) {
    Base::call_host(GPUGraphHostCopy{host_side(chunk.first, chunk.count), Base::tracked(host_owner()), slab,
                                     chunk.count * m_job.plan.element_bytes, is_to_host()});
  }

  /// Calls `reorder` and `transfer` for each chunk of at most `limit` elements in the order of the host's side: what the
  /// device does to its elements, and the way between its memory and the host.
  template <class Reorder, class Transfer>
  void by_chunks(std::size_t limit, Reorder const& reorder, Transfer const& transfer) {
    CopyChunks chunks(order(), limit);
    for (CopyChunk chunk; chunks.next(&chunk);) {
      if (is_to_host()) reorder(chunk);
      transfer(chunk);
      if (!is_to_host()) reorder(chunk);
    }
  }

  /// Enqueues the overwriting of the destination before this copy. No work between them reads the destination.
  void poison() {
    if (m_order != CopyOrder::in_stream || is_captured()) return;
    constexpr unsigned char byte = HostSide::poison_byte;
    GPUFill<Runtime>::enqueue(m_instance.stream(), device(), GPUFillMethod::host,
                              Base::fill_job(m_job.plan, m_job.dst, &byte, 1));
    Base::note_host_work();
  }

  /// Through a buffer of the instance's stream, in chunks. Each chunk is a copy of pageable memory.
  void packed() {
    std::size_t const unit  = m_job.plan.element_bytes;
    std::size_t const bytes = m_job.plan.bytes();
    std::size_t const room  = std::max(unit, std::min(bytes, policy.packing_bytes));
    std::optional<GPUWorkMemory<Runtime>> memory;
    named([&] { memory.emplace(m_instance, room, "packed elements", room); });
    void* const space = memory->data();
    by_chunks(
        room / unit,
        [&](CopyChunk const& chunk) {
          char* const at = device_data() + chunk.other_offset * unit;
          int const here = device(), there = device_side().device;
          named([&] {
            is_to_host() ? repack({chunk.plan, space, at}, here, there) : repack({chunk.plan, at, space}, there, here);
          });
        },
        [&](CopyChunk const& chunk) {
          PageableCopy part = outline();
          part.bytes        = chunk.count * unit;
          part.device       = DeviceRows::block(space, part.bytes);
          StagedCopy copy   = staged(part, host_side(chunk.first, chunk.count));
          if (is_to_host() && chunk.first + chunk.count == order().size) end_report_with(copy);
          enqueue(std::move(copy));
        });
    if (m_order != CopyOrder::in_stream || !is_to_host()) Base::enqueued(m_job.report);
  }
  void enqueue(StagedCopy copy) const {
    auto const use                        = m_instance.stream();
    InstanceStream<Runtime> const& stream = use;
    CopyEngines<Runtime>::of(device()).copy(std::move(copy), &stream);
  }
  /// Packs or unpacks elements on the device. Copies them if the side is on another device: kernels cannot access it.
  void repack(CopyJob const& job, int dst_device, int src_device) {
    if (device_side().memory == MemoryKind::elsewhere) return Base::between_devices(job, dst_device, src_device);
    pack(job.plan, job.dst, job.src);
  }
  void pack(CopyPlan const& plan, void* dst, void const* src) {
    KernelLabelScope label("Kokkos::deep_copy: strided");
    GPUPack<Runtime>::copy(m_instance, plan, dst, src);
  }
  /// Adds the labels of the views to errors.
  template <class Action>
  void named(Action const& action) const {
    try {
      action();
    } catch (GPUInstanceError const& e) {
      throw GPUInstanceError(name() + ": " + e.what(), e.code());
    } catch (GPUError const& e) {
      throw GPUError(name() + ": " + e.what(), e.code());
    }
  }

  MemoryKind m_dst_type, m_src_type;
  CopyJob const& m_job;
  FenceBefore m_fence_before;
  std::optional<Sides> m_sides;
  std::optional<bool> m_is_quiet;
  std::optional<PackedOrder> m_packed_order;
  std::optional<PageableCopy> m_outline;
  std::optional<StagedCopy> m_whole;
  WaitScope m_why;
  std::optional<HostWait> m_waiting;  // ends before m_why
};

}  // namespace Kokkos::Impl

#endif
