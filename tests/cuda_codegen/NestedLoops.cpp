// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three kernels with a loop over a nested range: a parallel_for, a parallel_reduce over threads, and one over lanes. Each
// body has one square root.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<Kokkos::Cuda>;

struct NestedFor {
  Kokkos::View<float*, Kokkos::CudaSpace> data;
  int n;

  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int i) { data(i) = Kokkos::sqrt(data(i)); });
  }
};

struct NestedReduce {
  Kokkos::View<float*, Kokkos::CudaSpace> data;
  int n;

  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    float sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n), [&](int i, float& update) { update += Kokkos::sqrt(data(i)); }, sum);
    data(team.league_rank()) = sum;
  }
};

struct LaneReduce {
  Kokkos::View<float*, Kokkos::CudaSpace> data;
  int n;

  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    float sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, n), [&](int i, float& update) { update += Kokkos::sqrt(data(i)); }, sum);
    data(team.league_rank()) = sum;
  }
};

void nested_for(NestedFor const& body) { Kokkos::parallel_for(Policy(8, 4), body); }
void nested_reduce(NestedReduce const& body) { Kokkos::parallel_for(Policy(8, 4, 8), body); }
void lane_reduce(LaneReduce const& body) { Kokkos::parallel_for(Policy(8, 4, 8), body); }
