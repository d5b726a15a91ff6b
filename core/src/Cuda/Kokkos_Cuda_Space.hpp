// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_SPACE_HPP
#define KOKKOS_CUDA_SPACE_HPP

/// \file
/// CudaSpace, CudaUVMSpace, CudaHostPinnedSpace: the memory spaces of CUDA, and their accessibility.

#include <impl/GPU/instance/Kokkos_GPU_MemorySpace.hpp>

namespace Kokkos {

/// Memory of one CUDA device.
class CudaSpace : public Impl::GPUMemorySpace<CudaSpace, Cuda, Impl::MemoryKind::device> {
 public:
  static constexpr char const* name() { return "Cuda"; }
  static constexpr int impl_dlpack_device_type = 2;
};

/// Memory that host and CUDA devices read and write; pages migrate to their user.
class CudaUVMSpace : public Impl::GPUMemorySpace<CudaUVMSpace, Cuda, Impl::MemoryKind::managed> {
 public:
  static constexpr char const* name() { return "CudaUVM"; }
  static constexpr int impl_dlpack_device_type = 13;
  static constexpr bool available() { return true; }
};

/// Host memory that CUDA devices reach over the link, and copy from at its full speed. Code that works on it by default
/// runs on the host.
class CudaHostPinnedSpace : public Impl::GPUMemorySpace<CudaHostPinnedSpace, Cuda, Impl::MemoryKind::pinned> {
 public:
  static constexpr char const* name() { return "CudaHostPinned"; }
  static constexpr int impl_dlpack_device_type = 3;
};

}  // namespace Kokkos

#endif
