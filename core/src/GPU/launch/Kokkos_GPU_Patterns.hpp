// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PATTERNS_HPP
#define KOKKOS_GPU_PATTERNS_HPP

/// \file
/// Everything that a GPU backend derives its specialisations from.

#include <GPU/copy/Kokkos_GPU_DeepCopy.hpp>
#include <GPU/launch/Kokkos_GPU_ElementInitializer.hpp>
#include <GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <GPU/launch/Kokkos_GPU_ParallelReduce.hpp>
#include <GPU/launch/Kokkos_GPU_ParallelScan.hpp>
#include <GPU/launch/Kokkos_GPU_Team.hpp>
#include <GPU/launch/Kokkos_GPU_TileTraits.hpp>

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

}  // namespace Kokkos::Impl

#endif
