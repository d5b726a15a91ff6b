// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PATTERNS_HPP
#define KOKKOS_GPU_PATTERNS_HPP

/// \file
/// The patterns, copies and fills of every GPU backend.

#include <impl/GPU/copy/Kokkos_GPU_DeepCopy.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ElementInitializer.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelReduce.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelScan.hpp>
#include <impl/GPU/launch/Kokkos_GPU_Team.hpp>
#include <impl/GPU/launch/Kokkos_GPU_TileTraits.hpp>

#include <cstddef>

namespace Kokkos::Impl {

template <class ExecSpace>
struct GPUFor : GPUParallelFor<ExecSpace> {
  using GPUParallelFor<ExecSpace>::run;
  template <class... Properties, class Body>
  static void run(TeamPolicy<Properties...> const& policy, Body const& body) {
    GPUTeamFor<ExecSpace>::run(policy, body);
  }
};

template <class ExecSpace>
struct GPUReduce : GPUParallelReduce<ExecSpace> {
  using GPUParallelReduce<ExecSpace>::run;
  template <class... Properties, class Reduction, class Target>
  static void run(TeamPolicy<Properties...> const& policy, Reduction const& reduction, Target const& target) {
    GPUTeamReduce<ExecSpace>::run(policy, reduction, target);
  }
};

template <GPUExecution Exec>
struct ElementInitializer<Exec> : GPUElementInitializer<Exec> {};
template <GPUExecution Exec>
struct ParallelForExecutor<Exec> : GPUFor<Exec> {};
template <GPUExecution Exec>
struct ParallelReduceExecutor<Exec> : GPUReduce<Exec> {};
template <GPUExecution Exec>
struct ResultSlots<Exec> : GPUResultSlots<Exec> {};
template <GPUExecution Exec>
struct ParallelScanExecutor<Exec> : GPUParallelScan<Exec> {};
template <GPUExecution Exec>
struct TeamTraits<Exec> : GPUTeamTraits<Exec> {};
template <GPUExecution Exec>
struct TileTraits<Exec> : GPUTileTraits<Exec> {};

template <class Dst, class Src>
  requires HasGPUSpace<Dst, Src>
struct CopyRoute<Dst, Src> : GPUCopyRoute<GPUOf<Dst, Src>, Dst, Src> {};
template <IsGPUSpace Space>
struct FillRoute<Space> : GPUFillRoute<GPUOf<Space>, Space> {};
template <GPUExecution Exec>
class CopyBuffer<Exec> : public GPUWorkMemory<typename Exec::runtime_type> {
 public:
  CopyBuffer(Exec const& exec, std::size_t bytes)
      : GPUWorkMemory<typename Exec::runtime_type>(exec.impl_instance(), bytes, "elements between two types", bytes) {}
};

}  // namespace Kokkos::Impl

#endif
