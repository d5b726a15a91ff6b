// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_THREADS_HPP
#define KOKKOS_THREADS_HPP

/// \file
/// Kokkos::Threads: kernels run on threads of the C++ standard library.

#include <Kokkos_Core_fwd.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <impl/Host/Kokkos_Host_NewInstance.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace Kokkos {

/// Runs kernels on C++ threads. A handle with value semantics; copies refer to the same instance. Kernels on one
/// instance run one after the other. Kernels on different instances, launched by different host threads, run
/// concurrently. A kernel launched inside a kernel runs immediately and on the calling thread only. An exception that
/// leaves the body of a kernel on several threads ends the program.
class Threads {
 public:
  using execution_space      = Threads;
  using memory_space         = HostSpace;
  using device_type          = Device<Threads, HostSpace>;
  using array_layout         = LayoutRight;
  using scratch_memory_space = ScratchMemorySpace<Threads>;
  using size_type            = std::size_t;
  using index_type           = std::ptrdiff_t;

  /// The default instance, with the number of threads that initialize chose.
  Threads();
  /// A new instance with `threads` threads.
  /// \throws std::runtime_error unless `threads` is at least 1 and at most 16 times the processors
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Threads(int threads);  // NOLINT(google-explicit-constructor): converted in Kokkos 4
#else
  explicit Threads(int threads);
#endif
  /// A new instance with as many threads as the default one.
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  Threads(NewInstance);  // NOLINT(google-explicit-constructor): converted in Kokkos 4
#else
  explicit Threads(NewInstance);
#endif

  static constexpr const char* name() noexcept { return "Threads"; }
#ifdef KOKKOS_ENABLE_STATIC_CONCURRENCY
  /// The number of threads of the default instance, also if it is called for another instance.
  static int concurrency(Threads const& space = Threads()) noexcept { return space.impl_concurrency(); }
#else
  /// The number of threads that run a kernel on this instance.
  int concurrency() const noexcept { return impl_concurrency(); }
#endif
  int impl_concurrency() const noexcept { return m_instance.get()->threads(); }

  /// Waits for kernels that other host threads run on this instance.
  void fence(std::string const& label = "Kokkos::Threads::fence: Unnamed Instance Fence") const;
  /// Waits for kernels on every instance.
  static void impl_static_fence(std::string const& label);
  void print_configuration(std::ostream& os, bool verbose = false) const;

  std::uint32_t impl_instance_id() const noexcept { return m_instance.get()->id(); }
  Impl::HostInstance& impl_instance() const noexcept { return *m_instance.get(); }
  /// One new instance for each weight. They share this instance's threads in that proportion, at least one each.
  void impl_partition(double const* weights, std::size_t count, Threads* parts) const;

  static int impl_is_initialized() noexcept;
  /// The number of threads of the default instance.
  static int impl_thread_pool_size() noexcept;
  /// Kernels within kernels (a depth of 2 and more) run on one thread.
  static int impl_thread_pool_size(int depth) noexcept { return depth < 2 ? impl_thread_pool_size() : 1; }
  /// The number of the calling thread in its team; 0 outside of kernels.
  static int impl_thread_pool_rank() noexcept;
  static int impl_hardware_thread_id() noexcept { return impl_thread_pool_rank(); }
  static int impl_max_hardware_threads() noexcept { return impl_thread_pool_size(); }

  /// Whether the calling thread is inside a kernel.
  static bool in_parallel(Threads const& = Threads()) noexcept;

  friend bool operator==(Threads const&, Threads const&) = default;

 private:
  Impl::HostInstanceHandle m_instance;
};

template <>
struct Tools::Experimental::DeviceTypeTraits<Threads> {
  static constexpr DeviceType id = DeviceType::Threads;
  static int device_id(Threads const&) noexcept { return 0; }
};

}  // namespace Kokkos

#endif
