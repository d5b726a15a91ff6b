// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYROUTE_HPP
#define KOKKOS_COPY_COPYROUTE_HPP

/// \file
/// The routes of copies, which backends specialise, and the choice between a route's two functions.

#include <Kokkos_Macros.hpp>
#include <Kokkos_Concepts.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>
#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <string>
#include <type_traits>

namespace Kokkos::Impl {

// CopyRoute<DstSpace, SrcSpace> is declared in Kokkos_Core_fwd.hpp. Its members:
//
//     static void run(CopyJob const&);                                  // complete when it returns
//     template <class ExecSpace>                                        // constrained to the spaces that it supports
//     static void run(ExecSpace const&, CopyJob const&);                // runs in the order of the instance

// and, if the route itself waits for all work that was submitted before, because it can combine that with the copy:
//
//     static void run_after_all(CopyJob const&);                        // complete when it returns

// and, if copies between blocks of at most host_copy_policy.alone_bytes need no plan:
//
//     static void run_block(ExecSpace const&, void* dst, void const* src, std::size_t bytes);  // like run(exec, job)

/// Like the route of copies, for fills: run(FillJob) and run(exec, FillJob).
template <class Space>
struct FillRoute;

/// A temporary for elements in ExecSpace's own memory space; constructed as (instance, bytes). It must live while its
/// uses are being enqueued. Backends with asynchronous instances specialise it, so that the memory is used in their
/// order.
template <class ExecSpace>
class CopyBuffer {
 public:
  CopyBuffer(ExecSpace const&, std::size_t bytes) : m_bytes(bytes), m_data(Space().allocate(label, bytes)) {}
  ~CopyBuffer() { Space().deallocate(label, m_data, m_bytes); }
  CopyBuffer(CopyBuffer const&)            = delete;
  CopyBuffer& operator=(CopyBuffer const&) = delete;
  void* data() const noexcept { return m_data; }

 private:
  using Space                        = typename ExecSpace::memory_space;
  static constexpr char const* label = "Kokkos::deep_copy: staging";

  std::size_t m_bytes;
  void* m_data;
};

/// Whether a memory space has routes of its own: those of backends, and those of programs that specialise both
/// templates.
template <class Space>
concept HasRoutes = requires { sizeof(FillRoute<Space>); };

/// The memory space whose routes copy and fill the memory of `Space`. For a space of the program without routes, it is
/// the host's space if the host can access the memory, or else that of the default execution space.
template <class Space, class Device = DefaultExecutionSpace>
struct RouteSpace {
  using device_space              = typename Device::memory_space;
  static constexpr bool on_host   = MemorySpaceAccess<HostSpace, Space>::accessible;
  static constexpr bool on_device = MemorySpaceAccess<device_space, Space>::accessible;
  static_assert(on_host || on_device,
                "Kokkos::deep_copy: neither the host nor the default execution space can access this memory space. "
                "Specialize Kokkos::Impl::MemorySpaceAccess so that one of them can, or Kokkos::Impl::CopyRoute and "
                "FillRoute for it.");
  using type = std::conditional_t<on_host, HostSpace, device_space>;
};
template <HasRoutes Space, class Device>
struct RouteSpace<Space, Device> {
  using type = Space;
};

/// The memory space that selects the routes for views in `Space`.
template <class Space>
using route_space_t =
    typename RouteSpace<typename std::conditional_t<std::is_same_v<Space, AnonymousSpace>,
                                                    typename Space::execution_space, Space>::memory_space>::type;

/// Of a copy without an instance, all waits are one in the record of waits.
template <class Exec>
struct CopyWaitScope {
  CopyWaitScope(char const*, char const*) {}
};
template <>
struct CopyWaitScope<None> {
  CopyWaitScope(char const* src, char const* dst) : scope(WaitReason::copy_without_instance, src, dst) {}
  WaitScope scope;
};

inline constexpr char const* fence_before_copy = "Kokkos::deep_copy: fence before the copy";
inline constexpr char const* fence_after_copy  = "Kokkos::deep_copy: fence after the copy";

/// With KOKKOS_COPY_EXPLAIN=1, each copy writes a line to the error stream: labels, size, kinds of memory, route, and
/// the reason for the route, which ends a sentence.
void explain_copy(CopyJob const& job, char const* from, char const* to, char const* route, char const* reason);

/// Runs a job in the order of an instance. If `Exec` is None, the job follows all work that was submitted to any space,
/// and is complete when this returns. If the route cannot order copies in the instance, this waits for the instance.
template <class Route, class Exec, class Job>
void run_route([[maybe_unused]] Exec const& exec, Job const& job) {
  if constexpr (std::is_same_v<Exec, None>) {
    if constexpr (requires { Route::run_after_all(job); }) {
      if (job.plan.block > 0) return Route::run_after_all(job);
    }
    Kokkos::fence(fence_before_copy);
    if (job.plan.block > 0) Route::run(job);
  } else if (job.plan.block == 0) {
    return;
  } else if constexpr (requires { Route::run(exec, job); }) {
    Route::run(exec, job);
  } else {
    exec.fence("Kokkos::deep_copy: fence of an instance in which this copy cannot be ordered");
    Route::run(job);
  }
}

}  // namespace Kokkos::Impl

#endif
