// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEEP_COPY_HPP
#define KOKKOS_GPU_DEEP_COPY_HPP

/// \file
/// The routes of copies and fills in which a memory space of a GPU takes part. Their implementation is compiled once
/// for each vendor, in <B>/Kokkos_<B>_DeepCopy.cpp from GPU/copy/Kokkos_GPU_DeepCopy_Impl.hpp.

#include <impl/GPU/instance/Kokkos_GPU_MemorySpace.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <impl/copy/Kokkos_CopyRoute.hpp>

namespace Kokkos::Impl {

template <class Runtime>
class GPUInstance;

/// The kind of memory that follows from a view's type. It is reliable unless the view is unmanaged.
template <class Space>
constexpr MemoryKind gpu_memory_kind() {
  if constexpr (IsGPUSpace<Space>)
    return Space::impl_memory_kind;
  else
    return MemoryKind::pageable;
}

/// Copies and fills in the order of an instance of ExecSpace, between memory of the given kinds.
template <class ExecSpace>
struct GPUCopies {
  using Runtime = typename ExecSpace::runtime_type;

  /// \throws GPUError if the runtime refuses
  static void make(GPUInstance<Runtime>& instance, MemoryKind dst, MemoryKind src, CopyJob const& job, CopyOrder order);
  static void make(GPUInstance<Runtime>& instance, MemoryKind dst, FillJob const& job, CopyOrder order);
};

/// The functions of a route.
template <class ExecSpace, class Job, MemoryKind... kinds>
struct GPURoute {
  static void run(ExecSpace const& exec, Job const& job) {
    GPUCopies<ExecSpace>::make(exec.impl_instance(), kinds..., job, CopyOrder::in_stream);
  }
  static void run(Job const& job) {
    GPUCopies<ExecSpace>::make(ExecSpace().impl_instance(), kinds..., job, CopyOrder::at_once);
  }
  static void run_after_all(Job const& job) {
    GPUCopies<ExecSpace>::make(ExecSpace().impl_instance(), kinds..., job, CopyOrder::after_all);
  }
};
template <class ExecSpace, class Dst, class Src>
struct GPUCopyRoute : GPURoute<ExecSpace, CopyJob, Impl::gpu_memory_kind<Dst>(), Impl::gpu_memory_kind<Src>()> {};
template <class ExecSpace, class Space>
struct GPUFillRoute : GPURoute<ExecSpace, FillJob, Impl::gpu_memory_kind<Space>()> {};

}  // namespace Kokkos::Impl

#endif
