// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_EXECUTION_SPACE_HPP
#define KOKKOS_GPU_EXECUTION_SPACE_HPP

/// \file
/// The common base of the execution spaces of GPUs.

#include <impl/GPU/instance/Kokkos_GPU_Instance.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace Kokkos::Impl {

/// Base of Kokkos::Cuda and Kokkos::HIP. A handle with value semantics: copies refer to the same instance, which is one
/// stream of one device. Kernels and copies on one instance run in the order of their calls. Kernels and copies on
/// different instances may run concurrently.
template <class Derived, class Runtime, class MemSpace>
class GPUExecutionSpace {
 public:
  using execution_space      = Derived;
  using memory_space         = MemSpace;
  using device_type          = Device<Derived, MemSpace>;
  using array_layout         = LayoutLeft;
  using scratch_memory_space = ScratchMemorySpace<Derived>;
  using size_type            = unsigned int;
  using index_type           = std::ptrdiff_t;
  using runtime_type         = Runtime;

#ifdef KOKKOS_ENABLE_STATIC_CONCURRENCY
  /// The maximum number of threads that can be resident on the device of the default instance, also if it is called for
  /// another instance.
  static int concurrency(Derived const& space = Derived()) { return space.impl_concurrency(); }
#else
  /// The maximum number of threads that can be resident on the instance's device.
  int concurrency() const { return impl_concurrency(); }
#endif
  int impl_concurrency() const;

  /// Waits for everything on this instance.
  /// \throws std::runtime_error if a kernel or copy on it has failed; the message lists the kernels that may have
  /// failed
  void fence(std::string const& label) const;
  /// Waits for every instance of this space.
  static void impl_static_fence(std::string const& label);
  /// Before an operation in the stream of `next` that accesses memory of the device or pinned memory only: waits for all work
  /// that was submitted to any space, except what the device itself puts before that operation. This is the work of `next`,
  /// and of the default stream.
  static void impl_fence_before(GPUInstance<Runtime>& next, std::string const& label);
  void impl_fence_before_next(std::string const& label) const { impl_fence_before(impl_instance(), label); }
  void print_configuration(std::ostream& os, bool verbose = false) const;

  /// \throws std::runtime_error, which names `call`, if the stream of the instance is being captured
  void impl_require_waitable(char const* call) const;

  KOKKOS_FUNCTION GPUInstance<Runtime>& impl_instance() const noexcept { return *m_instance.get(); }
  std::uint32_t impl_instance_id() const noexcept { return m_instance.get()->id(); }
  /// Returns one new instance for each weight, each with its own stream on this instance's device. Streams share the
  /// device dynamically, so the values of the weights are not used.
  void impl_partition(double const* weights, std::size_t count, Derived* parts) const;
  /// The NUMA node of the host beside the instance's device; -1 if the system does not report it.
  int impl_host_numa_node() const;
  static int impl_is_initialized() noexcept { return GPUInstance<Runtime>::default_instance() != nullptr; }

  friend bool operator==(GPUExecutionSpace const& a, GPUExecutionSpace const& b) noexcept {
    return a.m_instance.get() == b.m_instance.get();
  }

 protected:
  KOKKOS_FUNCTION GPUExecutionSpace() { KOKKOS_IF_ON_HOST((m_instance = shared_default();)) }
  explicit GPUExecutionSpace(GPUInstanceHandle<Runtime> handle) noexcept
      : m_instance(static_cast<GPUInstanceHandle<Runtime>&&>(handle)) {}
  /// \throws std::runtime_error if the runtime cannot report the stream's device
  explicit GPUExecutionSpace(typename Runtime::stream_t stream) : m_instance(adopt(stream)) {}

 private:
  static GPUInstanceHandle<Runtime> shared_default();
  static GPUInstanceHandle<Runtime> adopt(typename Runtime::stream_t stream);

  GPUInstanceHandle<Runtime> m_instance;
};

template <class Exec>
concept GPUExecution = requires { typename Exec::runtime_type; };

}  // namespace Kokkos::Impl

#endif
