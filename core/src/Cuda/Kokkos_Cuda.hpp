// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_HPP
#define KOKKOS_CUDA_HPP

/// \file
/// Kokkos::Cuda: kernels run on NVIDIA GPUs.

#include <Cuda/Kokkos_Cuda_Runtime.hpp>
#include <Cuda/Kokkos_Cuda_Space.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ExecutionSpace.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ProgramCall.hpp>

namespace Kokkos {

class Cuda : public Impl::GPUExecutionSpace<Cuda, Impl::CudaRuntime, CudaSpace> {
  using Base = Impl::GPUExecutionSpace<Cuda, Impl::CudaRuntime, CudaSpace>;

 public:
  /// The default instance: a stream of the device that initialize chose.
  KOKKOS_DEFAULTED_FUNCTION Cuda() = default;
  /// An instance on a stream of the program, on the stream's device. The stream must outlive the instance.
  /// \throws std::runtime_error if the handle is null or stale
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Cuda(cudaStream_t stream) : Base(stream) {}  // NOLINT(google-explicit-constructor): converted in Kokkos 4
  /// The program destroys the stream, whatever the value of the second argument.
  KOKKOS_DEPRECATED_WITH_COMMENT("Use the constructor from a stream alone.")
  Cuda(cudaStream_t stream, bool) : Base(stream) {}
#else
  explicit Cuda(cudaStream_t stream) : Base(stream) {}
#endif
  explicit Cuda(Impl::GPUInstanceHandle<Impl::CudaRuntime> handle) noexcept
      : Base(static_cast<Impl::GPUInstanceHandle<Impl::CudaRuntime>&&>(handle)) {}

  static constexpr char const* name() noexcept { return "Cuda"; }
  void fence(std::string const& label = "Kokkos::Cuda::fence: Unnamed Instance Fence") const { Base::fence(label); }

  cudaStream_t cuda_stream() const { return impl_instance().exposed_stream(); }
  int cuda_device() const { return impl_instance().device(); }
  /// The properties of this instance's device, as CUDA's runtime reports them; the reference stays valid.
  /// \throws std::runtime_error if the runtime does not report them
  cudaDeviceProp const& cuda_device_prop() const;
};

template <>
struct Tools::Experimental::DeviceTypeTraits<Cuda> {
  static constexpr DeviceType id = DeviceType::Cuda;
  static int device_id(Cuda const& instance) noexcept { return instance.cuda_device(); }
};

}  // namespace Kokkos

/// For programs: throws std::runtime_error if a call of the runtime fails.
#define KOKKOS_IMPL_CUDA_SAFE_CALL(call) \
  ::Kokkos::Impl::check_program_call<::Kokkos::Impl::CudaRuntime>((call), #call, __FILE__, __LINE__)

#endif
