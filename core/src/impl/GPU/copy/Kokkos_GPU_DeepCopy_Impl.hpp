// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEEP_COPY_IMPL_HPP
#define KOKKOS_GPU_DEEP_COPY_IMPL_HPP

/// \file
/// The implementation of copies and fills; included by the one source file of each vendor that instantiates it.
/// choose() decides about every copy; docs/copies.md has tables of its routes.

#include <impl/GPU/copy/Kokkos_GPU_CopyRequest.hpp>

#include <algorithm>

namespace Kokkos::Impl {

/// One fill.
template <class Runtime>
class GPUFillRequest : private GPURuntimeCopies<Runtime> {
  using Base = GPURuntimeCopies<Runtime>;
  using Base::device;
  using Base::m_instance;
  using Base::policy;

 public:
  GPUFillRequest(GPUInstance<Runtime>& instance, CopyOrder order) : Base(instance, order) {}

  template <class FenceBefore>
  void fill(MemoryKind type, FillJob const& job, FenceBefore fence_before) {
    GPUCopySide const dst = Base::side(type, job.dst, job.dst_owner, job.plan.bytes());
    Base::begin(dst.memory != MemoryKind::pageable, fence_before);
    if (dst.memory == MemoryKind::elsewhere) {
      fill_elsewhere(job, dst.device);
    } else {
      m_instance.errors().launched("Kokkos::deep_copy: fill");
      GPUFill<Runtime>::enqueue(m_instance.stream(), m_instance.device(), fill_method(dst),
                                Base::fill_job(job.plan, job.dst, job.element, job.plan.element_bytes));
      if (fill_method(dst) == GPUFillMethod::host) Base::note_host_work();
    }
    Base::enqueued(job.report);
  }

 private:
  GPUFillMethod fill_method(GPUCopySide const& dst) const {
    return Impl::gpu_fill_method(dst.memory != MemoryKind::pageable, m_instance.properties().pageable_access);
  }

  /// Memory of another device: the runtime can copy to it, but kernels of this device may not be able to access it.
  void fill_elsewhere(FillJob const& job, int other) {
    if (Base::is_capturing()) Base::require_reach(CopyJob{job.plan, job.dst, nullptr}, other);
    std::size_t const unit  = job.plan.element_bytes;
    std::size_t const bytes = std::max(unit, policy.filling_bytes);
    GPUWorkMemory<Runtime> const values(m_instance, bytes, "the value of a fill, repeated", bytes);
    std::size_t const limit = bytes / unit;
    CopyPlan block;
    block.element_bytes = unit;
    block.block         = std::min(limit, job.plan.size());
    GPUFill<Runtime>::enqueue(m_instance.stream(), m_instance.device(), GPUFillMethod::runtime,
                              Base::fill_job(block, values.data(), job.element, unit));
    PackedOrder const order = packed_order(job.plan, CopyEnd::src);
    CopyChunks chunks(order, limit);
    for (CopyChunk chunk; chunks.next(&chunk);)
      Base::between_devices(CopyJob{chunk.plan, static_cast<char*>(job.dst) + chunk.other_offset * unit, values.data()},
                            other, device());
  }
};

template <class ExecSpace>
void GPUCopies<ExecSpace>::make(GPUInstance<Runtime>& instance, MemoryKind dst, MemoryKind src, CopyJob const& job,
                                CopyOrder order) {
  instance.errors().with_context([&] {
    if (!GPUInstance<Runtime>::default_instance()) (void)instance.is_capturing();  // aborts with a message
    GPUCopyRequest<Runtime> request(instance, dst, src, job, order, &ExecSpace::impl_fence_before);
    std::uint64_t const before = instance.submissions();
    bool const has_ended       = CopyEngines<Runtime>::of(instance.device()).copy(request);
    if (has_ended && order == CopyOrder::in_stream) instance.caught_up(before + 1);
  });
}

template <class ExecSpace>
void GPUCopies<ExecSpace>::make(GPUInstance<Runtime>& instance, MemoryKind dst, FillJob const& job, CopyOrder order) {
  instance.errors().with_context([&] {
    if (!GPUInstance<Runtime>::default_instance()) (void)instance.is_capturing();  // aborts with a message
    // A fill in the order of the instance waits for nothing.
    WaitScope const waits(WaitReason::copy_without_instance, "a value", job.dst_owner ? job.dst_owner->label() : "");
    GPUFillRequest<Runtime>(instance, order).fill(dst, job, &ExecSpace::impl_fence_before);
  });
}

}  // namespace Kokkos::Impl

#endif
