// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_HPP
#define KOKKOS_HIP_HPP

/// \file
/// Kokkos::HIP: kernels run on AMD GPUs.

#include <impl/GPU/instance/Kokkos_GPU_ExecutionSpace.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ProgramCall.hpp>
#include <HIP/Kokkos_HIP_Runtime.hpp>
#include <HIP/Kokkos_HIP_Space.hpp>

namespace Kokkos {

class HIP : public Impl::GPUExecutionSpace<HIP, Impl::HIPRuntime, HIPSpace> {
  using Base = Impl::GPUExecutionSpace<HIP, Impl::HIPRuntime, HIPSpace>;

 public:
  /// The default instance: a stream of the device that initialize chose.
  KOKKOS_DEFAULTED_FUNCTION HIP() = default;
  /// An instance on a stream of the program, on the stream's device. The stream must outlive the instance: unlike CUDA,
  /// HIP cannot wait for an event whose stream was destroyed.
  /// \throws std::runtime_error if the handle is null or stale
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  HIP(hipStream_t stream) : Base(stream) {}  // NOLINT(google-explicit-constructor): converted in Kokkos 4
  /// The program destroys the stream, whatever the value of the second argument.
  KOKKOS_DEPRECATED_WITH_COMMENT("Use the constructor from a stream alone.")
  HIP(hipStream_t stream, bool) : Base(stream) {}
#else
  explicit HIP(hipStream_t stream) : Base(stream) {}
#endif
  explicit HIP(Impl::GPUInstanceHandle<Impl::HIPRuntime> handle) noexcept
      : Base(static_cast<Impl::GPUInstanceHandle<Impl::HIPRuntime>&&>(handle)) {}

  static constexpr char const* name() noexcept { return "HIP"; }
  void fence(std::string const& label = "Kokkos::HIP::fence: Unnamed Instance Fence") const { Base::fence(label); }

  hipStream_t hip_stream() const { return impl_instance().exposed_stream(); }
  int hip_device() const { return impl_instance().device(); }
  /// The properties of this instance's device, as HIP's runtime reports them; the reference stays valid.
  /// \throws std::runtime_error if the runtime does not answer
  hipDeviceProp_t const& hip_device_prop() const;
};

template <>
struct Tools::Experimental::DeviceTypeTraits<HIP> {
  static constexpr DeviceType id = DeviceType::HIP;
  static int device_id(HIP const& instance) noexcept { return instance.hip_device(); }
};

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
namespace Experimental {
using HIP                = ::Kokkos::HIP;
using HIPSpace           = ::Kokkos::HIPSpace;
using HIPManagedSpace    = ::Kokkos::HIPManagedSpace;
using HIPHostPinnedSpace = ::Kokkos::HIPHostPinnedSpace;
}  // namespace Experimental
#endif

}  // namespace Kokkos

/// For programs: throws std::runtime_error if a call of the runtime fails.
#define KOKKOS_IMPL_HIP_SAFE_CALL(call) \
  ::Kokkos::Impl::check_program_call<::Kokkos::Impl::HIPRuntime>((call), #call, __FILE__, __LINE__)

#endif
