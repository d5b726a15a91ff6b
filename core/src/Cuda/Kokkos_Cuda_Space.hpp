// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_SPACE_HPP
#define KOKKOS_CUDA_SPACE_HPP

/// \file
/// CudaSpace, CudaUVMSpace, CudaHostPinnedSpace: the memory spaces of CUDA, and their accessibility.

#include <GPU/instance/Kokkos_GPU_MemorySpace.hpp>

namespace Kokkos {

/// Memory of one CUDA device.
class CudaSpace : public Impl::GPUMemorySpace<CudaSpace, Cuda, Impl::GPUMemoryPlace::device> {
 public:
  static constexpr const char* name() { return "Cuda"; }
};

/// Memory that host and CUDA devices read and write; pages migrate to their user.
class CudaUVMSpace : public Impl::GPUMemorySpace<CudaUVMSpace, Cuda, Impl::GPUMemoryPlace::managed> {
 public:
  static constexpr const char* name() { return "CudaUVM"; }
  static constexpr bool available() { return true; }
};

/// Host memory that CUDA devices access over the link, and copy from at the link's full speed. The default execution
/// space of this memory runs on the host.
class CudaHostPinnedSpace
    : public Impl::GPUMemorySpace<CudaHostPinnedSpace, DefaultHostExecutionSpace, Impl::GPUMemoryPlace::pinned> {
 public:
  static constexpr const char* name() { return "CudaHostPinned"; }
};

namespace Impl {

#define KOKKOS_IMPL_CUDA_ACCESS(DST, SRC, ASSIGNABLE, ACCESSIBLE) \
  template <>                                                     \
  struct MemorySpaceAccess<DST, SRC> {                            \
    static constexpr bool assignable = ASSIGNABLE;                \
    static constexpr bool accessible = ACCESSIBLE;                \
    static constexpr bool deepcopy   = true;                      \
  };

// Arguments: whether a view of the first space may be assigned a view of the second / whether code whose native memory
// is the first space can access the second.
KOKKOS_IMPL_CUDA_ACCESS(HostSpace, CudaSpace, false, false)
KOKKOS_IMPL_CUDA_ACCESS(HostSpace, CudaUVMSpace, false, true)
KOKKOS_IMPL_CUDA_ACCESS(HostSpace, CudaHostPinnedSpace, true, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaSpace, HostSpace, false, false)
KOKKOS_IMPL_CUDA_ACCESS(CudaSpace, CudaUVMSpace, true, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaSpace, CudaHostPinnedSpace, false, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaUVMSpace, HostSpace, false, false)
KOKKOS_IMPL_CUDA_ACCESS(CudaUVMSpace, CudaSpace, false, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaUVMSpace, CudaHostPinnedSpace, false, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaHostPinnedSpace, HostSpace, false, true)
KOKKOS_IMPL_CUDA_ACCESS(CudaHostPinnedSpace, CudaSpace, false, false)
KOKKOS_IMPL_CUDA_ACCESS(CudaHostPinnedSpace, CudaUVMSpace, false, true)

#undef KOKKOS_IMPL_CUDA_ACCESS

}  // namespace Impl
}  // namespace Kokkos

#endif
