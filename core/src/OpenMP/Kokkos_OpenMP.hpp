// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_OPENMP_HPP
#define KOKKOS_OPENMP_HPP

/// \file
/// Kokkos::OpenMP: kernels run on the threads of an OpenMP parallel region.

#include <Kokkos_Core_fwd.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <impl/Host/Kokkos_Host_NewInstance.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

#if !defined(_OPENMP) && !defined(__CUDACC__) && !defined(__HIPCC__)
#error "This Kokkos has the OpenMP backend: compile with -fopenmp, too (or link the CMake target Kokkos::kokkos)."
#endif

namespace Kokkos {

/// Runs kernels on OpenMP threads. A handle with value semantics; copies refer to the same instance. Kernels on one
/// instance run one after the other, whichever host threads launch them. Kernels on different instances, launched by
/// different host threads, run concurrently. A kernel launched inside a parallel region runs on the calling thread
/// only. A kernel launched inside a kernel runs immediately, on any instance. An exception that leaves the body of a
/// kernel on several threads ends the program.
class OpenMP {
 public:
  using execution_space      = OpenMP;
  using memory_space         = HostSpace;
  using device_type          = Device<OpenMP, HostSpace>;
  using array_layout         = LayoutRight;
  using scratch_memory_space = ScratchMemorySpace<OpenMP>;
  using size_type            = std::size_t;
  using index_type           = std::ptrdiff_t;

  /// The default instance, with the number of threads that initialize chose.
  OpenMP();
  /// A new instance with `pool_size` threads.
  /// \throws std::runtime_error unless pool_size is at least 1 and at most what OpenMP allows
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  OpenMP(int pool_size);  // NOLINT(google-explicit-constructor): converted in Kokkos 4
#else
  explicit OpenMP(int pool_size);
#endif
  /// A new instance with as many threads as the default one.
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  OpenMP(NewInstance);  // NOLINT(google-explicit-constructor): converted in Kokkos 4
#else
  explicit OpenMP(NewInstance);
#endif

  static constexpr const char* name() noexcept { return "OpenMP"; }
#ifdef KOKKOS_ENABLE_STATIC_CONCURRENCY
  /// The number of threads of the default instance, also if it is called for another instance.
  static int concurrency(OpenMP const& space = OpenMP()) noexcept { return space.impl_concurrency(); }
#else
  /// The number of threads that run a kernel on this instance.
  int concurrency() const noexcept { return impl_concurrency(); }
#endif
  int impl_concurrency() const noexcept { return m_instance.get()->threads(); }

  /// Waits for kernels that other host threads run on this instance.
  void fence(std::string const& label = "Kokkos::OpenMP::fence: Unnamed Instance Fence") const;
  /// Waits for kernels on every instance.
  static void impl_static_fence(std::string const& label);
  void print_configuration(std::ostream& os, bool verbose = false) const;

  std::uint32_t impl_instance_id() const noexcept { return m_instance.get()->id(); }
  Impl::HostInstance& impl_instance() const noexcept { return *m_instance.get(); }
  /// One new instance for each weight. They share this instance's threads in that proportion, at least one each.
  void impl_partition(double const* weights, std::size_t count, OpenMP* parts) const;

  static int impl_is_initialized() noexcept;
  /// The number of threads of the default instance.
  static int impl_thread_pool_size() noexcept;
  /// Kernels within kernels (a depth of 2 and more) run on one thread.
  static int impl_thread_pool_size(int depth) noexcept { return depth < 2 ? impl_thread_pool_size() : 1; }
  /// The number of the calling thread within its thread team.
  static int impl_thread_pool_rank() noexcept;
  static int impl_hardware_thread_id() noexcept { return impl_thread_pool_rank(); }
  /// The maximum number of threads of an instance.
  static int impl_max_hardware_threads() noexcept;
  /// The number of threads that a parallel region of the caller would have.
  static int impl_get_current_max_threads() noexcept;

  /// Whether the calling thread is inside a kernel or an OpenMP parallel region.
  static bool in_parallel(OpenMP const& = OpenMP()) noexcept;

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  /// Whether a launch returns before its kernel has ended: false.
  static constexpr bool is_asynchronous(OpenMP const& = OpenMP()) noexcept { return false; }
#endif

  friend bool operator==(OpenMP const&, OpenMP const&) = default;

 private:
  Impl::HostInstanceHandle m_instance;
};

template <>
struct Tools::Experimental::DeviceTypeTraits<OpenMP> {
  static constexpr DeviceType id = DeviceType::OpenMP;
  static int device_id(OpenMP const&) noexcept { return 0; }
};

}  // namespace Kokkos

#endif
