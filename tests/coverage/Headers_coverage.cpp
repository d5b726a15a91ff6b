// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Headers of Core under the names by which programs include them.

#include "Probe.hpp"

// clang-format off: a line is a probe
#include <KokkosCore_Config_DeclareBackend.hpp>
#include <KokkosCore_Config_FwdBackend.hpp>
#include <KokkosCore_Config_SetupBackend.hpp>
#include <KokkosCore_config.h>
#include <KokkosExp_InterOp.hpp>
#include <KokkosExp_MDRangePolicy.hpp>
#include <Kokkos_Abort.hpp>
#include <Kokkos_AcquireUniqueTokenImpl.hpp>
#include <Kokkos_AnonymousSpace.hpp>
#include <Kokkos_Array.hpp>
#include <Kokkos_Assert.hpp>
#include <Kokkos_Atomic.hpp>
#include <Kokkos_Atomics_Desul_Wrapper.hpp>
#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Clamp.hpp>
#include <Kokkos_Complex.hpp>
#include <Kokkos_Concepts.hpp>
#include <Kokkos_CopyViews.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Crs.hpp>
#include <Kokkos_DetectionIdiom.hpp>
#include <Kokkos_ExecPolicy.hpp>
#include <Kokkos_Extents.hpp>
#include <Kokkos_Graph.hpp>
#include <Kokkos_GraphNode.hpp>
#include <Kokkos_Graph_fwd.hpp>
#include <Kokkos_Half.hpp>
#include <Kokkos_HostSpace.hpp>
#include <Kokkos_Layout.hpp>
#include <Kokkos_Macros.hpp>
#include <Kokkos_MathematicalConstants.hpp>
#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_MathematicalSpecialFunctions.hpp>
#include <Kokkos_MemoryPool.hpp>
#include <Kokkos_MemoryTraits.hpp>
#include <Kokkos_MinMax.hpp>
#include <Kokkos_NumericTraits.hpp>
#include <Kokkos_Pair.hpp>
#include <Kokkos_Parallel.hpp>
#include <Kokkos_Parallel_Reduce.hpp>
#include <Kokkos_NestedSort.hpp>
#include <Kokkos_PointerOwnership.hpp>
#include <Kokkos_Printf.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_Rank.hpp>
#include <Kokkos_ReductionIdentity.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <Kokkos_Swap.hpp>
#include <Kokkos_TaskScheduler_fwd.hpp>
#include <Kokkos_Timer.hpp>
#include <Kokkos_Tuners.hpp>
#include <Kokkos_TypeInfo.hpp>
#include <Kokkos_UniqueToken.hpp>
#include <Kokkos_Vectorization.hpp>
#include <Kokkos_View.hpp>
#include <Kokkos_WorkGraphPolicy.hpp>
#include <Kokkos_hwloc.hpp>
#include <View/Kokkos_ViewMapping.hpp>
#include <impl/Kokkos_Error.hpp>
#include <impl/Kokkos_QuadPrecisionMath.hpp>
#include <impl/Kokkos_SharedAlloc.hpp>
#include <impl/Kokkos_SharedAlloc_timpl.hpp>
#include <impl/Kokkos_StringManipulation.hpp>
#include <impl/Kokkos_Traits.hpp>
#include <impl/Kokkos_Utilities.hpp>
#include <desul/atomics.hpp>
MISSING("programs", "Kokkos_TaskScheduler.hpp, Kokkos_Future.hpp", "tasks were deprecated in Kokkos 4.5 and removed in 5.0; the first header says so")
MISSING("programs", "shuffles of Kokkos_Vectorization.hpp", "shuffles of lanes are of one backend; nested reductions and scans over ThreadVectorRange are portable")

// ---- a standard header of Kokkos_Graph.hpp that programs do not include themselves
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
NAME("programs", std::set)
#endif
