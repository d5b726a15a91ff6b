// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CORE_FWD_HPP
#define KOKKOS_CORE_FWD_HPP

/// \file
/// Forward declarations of the public types.

#include <Kokkos_Macros.hpp>

#include <cstddef>

// Generated at configure time. It declares each enabled backend's spaces and defines the default ones as
// KOKKOS_IMPL_DEFAULT_EXECUTION_SPACE, KOKKOS_IMPL_DEFAULT_HOST_EXECUTION_SPACE, KOKKOS_IMPL_SHARED_SPACE (if any) and
// KOKKOS_IMPL_SHARED_HOST_PINNED_SPACE (if any).
#include <KokkosCore_BackendsFwd.hpp>

namespace Kokkos {

class HostSpace;
class AnonymousSpace;
template <class ExecSpace>
class ScratchMemorySpace;
template <class ExecSpace, class MemSpace>
struct Device;

struct LayoutLeft;
struct LayoutRight;
struct LayoutStride;
template <unsigned Traits>
struct MemoryTraits;

template <class DataType, class... Properties>
class View;

template <class... Properties>
class RangePolicy;
template <class... Properties>
class MDRangePolicy;
template <class... Properties>
class TeamPolicy;

class InitializationSettings;

struct AUTO_t;
struct ALL_t;

/// The execution space of a pattern if the program specifies none.
using DefaultExecutionSpace = KOKKOS_IMPL_DEFAULT_EXECUTION_SPACE;
/// Like `DefaultExecutionSpace` above, among the spaces that run on the host.
using DefaultHostExecutionSpace = KOKKOS_IMPL_DEFAULT_HOST_EXECUTION_SPACE;

#ifdef KOKKOS_IMPL_SHARED_SPACE
#define KOKKOS_HAS_SHARED_SPACE
/// Memory that the host and every device can read and write.
using SharedSpace = KOKKOS_IMPL_SHARED_SPACE;
#endif
#ifdef KOKKOS_IMPL_SHARED_HOST_PINNED_SPACE
#define KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
/// Host memory that devices can access, too.
using SharedHostPinnedSpace = KOKKOS_IMPL_SHARED_HOST_PINNED_SPACE;
#endif

// The templates that each backend folder specialises for its execution space.
namespace Impl {

/// pattern/ calls run(policy, functor). See docs/interfaces.md for these contracts.
template <class ExecSpace>
struct ParallelForExecutor;
/// pattern/ calls run(policy, reduction, target).
template <class ExecSpace>
struct ParallelReduceExecutor;
/// pattern/ calls run(policy, scan, total).
template <class ExecSpace>
struct ParallelScanExecutor;
/// For policy/: member type, limits and defaults of teams. A space without a backend has a policy, but no teams.
template <class ExecSpace>
struct TeamTraits {
  using member_type                   = void;
  static constexpr int auto_team_size = -1;
  static constexpr int vector_length_max() { return 1; }
};
/// For policy/: default tile shapes.
template <class ExecSpace>
struct TileTraits;
/// For view/: constructs and destroys elements.
template <class ExecSpace>
struct ElementInitializer;
/// For copy/: copies bytes from one memory space to another.
template <class DstSpace, class SrcSpace>
struct CopyRoute;

}  // namespace Impl
}  // namespace Kokkos

#endif
