// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SERIAL_HPP
#define KOKKOS_SERIAL_HPP

/// \file
/// Kokkos::Serial: kernels run on the thread that launches them.

#include <Kokkos_Core_fwd.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <impl/Host/Kokkos_Host_NewInstance.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <thread>  // which programs get from this header in other releases
#endif

namespace Kokkos {

/// Runs kernels on the calling thread. A handle with value semantics; copies refer to the same instance. Kernels on one
/// instance run one after the other, whichever host threads launch them. Kernels on different instances, launched by
/// different host threads, run concurrently.
class Serial {
 public:
  using execution_space      = Serial;
  using memory_space         = HostSpace;
  using device_type          = Device<Serial, HostSpace>;
  using array_layout         = LayoutRight;
  using scratch_memory_space = ScratchMemorySpace<Serial>;
  using size_type            = std::size_t;
  using index_type           = std::ptrdiff_t;

  /// The default instance.
  Serial();
  /// A new instance, which ends with the last copy of the handle.
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Serial(NewInstance);  // NOLINT(google-explicit-constructor): converted in Kokkos 4
#else
  explicit Serial(NewInstance);
#endif

  /// Iterations of kernels on one instance never need atomic updates.
  static constexpr bool impl_is_single_threaded = true;

  static constexpr char const* name() noexcept { return "Serial"; }
  /// The number of threads that run a kernel: 1. Static, as in Kokkos 4, because it is the same for all instances.
  static constexpr int concurrency() noexcept { return 1; }
  static constexpr int impl_concurrency() noexcept { return 1; }

  /// Waits for kernels that other host threads run on this instance.
  void fence(std::string const& label = "Kokkos::Serial::fence: Unnamed Instance Fence") const;
  /// Waits for kernels on every instance.
  static void impl_static_fence(std::string const& label);
  void print_configuration(std::ostream& os, bool verbose = false) const;

  std::uint32_t impl_instance_id() const noexcept { return m_instance.get()->id(); }
  Impl::HostInstance& impl_instance() const noexcept { return *m_instance.get(); }
  /// One new instance for each weight.
  void impl_partition(double const* weights, std::size_t count, Serial* parts) const;
  static int impl_is_initialized() noexcept;
  static constexpr int impl_thread_pool_size(int = 0) noexcept { return 1; }
  KOKKOS_INLINE_FUNCTION static constexpr int impl_thread_pool_rank() noexcept { return 0; }
  KOKKOS_INLINE_FUNCTION static constexpr unsigned impl_hardware_thread_id() noexcept { return 0; }
  static constexpr unsigned impl_max_hardware_threads() noexcept { return 1; }

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  static bool in_parallel() noexcept { return Impl::host_kernel_depth > 0; }
#endif

  friend bool operator==(const Serial&, const Serial&) = default;

 private:
  Impl::HostInstanceHandle m_instance;
};

template <>
struct Tools::Experimental::DeviceTypeTraits<Serial> {
  static constexpr DeviceType id = DeviceType::Serial;
  static int device_id(Serial const&) noexcept { return 0; }
};

}  // namespace Kokkos

#endif
