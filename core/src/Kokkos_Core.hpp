// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CORE_HPP
#define KOKKOS_CORE_HPP

/// \file
/// All of Kokkos Core.

#include <Kokkos_Macros.hpp>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <impl/runtime/Kokkos_StandardHeaders.hpp>
#endif
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Concepts.hpp>

// numerics: need only the macros
#include <Kokkos_Array.hpp>
#include <Kokkos_Pair.hpp>
#include <Kokkos_MinMax.hpp>
#include <Kokkos_Swap.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_DetectionIdiom.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <Kokkos_MathematicalSpecialFunctions.hpp>
#endif
#include <Kokkos_Half.hpp>
#include <Kokkos_Complex.hpp>
#include <Kokkos_ReductionIdentity.hpp>
#include <Kokkos_Atomic.hpp>

// runtime
#include <Kokkos_Abort.hpp>
#include <Kokkos_Assert.hpp>
#include <Kokkos_Printf.hpp>
#include <Kokkos_Timer.hpp>
#include <Kokkos_InitializationSettings.hpp>
#include <Kokkos_Initialize.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>

// spaces
#include <Kokkos_SpaceAccessibility.hpp>
#include <Kokkos_HostSpace.hpp>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <Kokkos_IdleMemory.hpp>
#endif
#include <Kokkos_AnonymousSpace.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <KokkosCore_BackendsSpaces.hpp>

// view
#include <Kokkos_Layout.hpp>
#include <Kokkos_MemoryTraits.hpp>
#include <Kokkos_View.hpp>
#include <Kokkos_Subview.hpp>

// policy
#include <Kokkos_ExecPolicy.hpp>

// pattern
#include <Kokkos_Parallel.hpp>
#include <Kokkos_Parallel_Reduce.hpp>
#include <Kokkos_Parallel_Scan.hpp>
#include <Kokkos_NestedPatterns.hpp>
#include <Kokkos_UniqueToken.hpp>
#include <Kokkos_PartitionSpace.hpp>

// copy
#include <Kokkos_CopyViews.hpp>
#include <Kokkos_MemoryManagement.hpp>
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
#include <Kokkos_MemoryResource.hpp>
#endif

#include <KokkosCore_BackendsPatterns.hpp>

// features that combine the above
#include <Kokkos_Crs.hpp>
#include <Kokkos_WorkGraphPolicy.hpp>
#include <Kokkos_MemoryPool.hpp>

// names that programs use
#include <Kokkos_hwloc.hpp>
#include <Kokkos_TypeInfo.hpp>
#ifdef KOKKOS_ENABLE_TUNING
#include <Kokkos_Tuners.hpp>
#endif
#include <impl/atomic/Kokkos_DesulNames.hpp>
#include <impl/Kokkos_ClockTic.hpp>
#include <impl/Kokkos_StringManipulation.hpp>

#endif
