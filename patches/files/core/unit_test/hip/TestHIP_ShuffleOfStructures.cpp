// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shuffles of structures, and a team's sum over them. A shuffle must see the members that were written just before it.

#include <TestHIP_Category.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace {

/// `N` members of type `T`.
template <class T, int N>
struct Members {
  T member[N];
  KOKKOS_FUNCTION Members() {
    for (int i = 0; i < N; ++i) member[i] = T(0);
  }
  KOKKOS_FUNCTION Members& operator+=(Members const& other) {
    for (int i = 0; i < N; ++i) member[i] += other.member[i];
    return *this;
  }
};

}  // namespace

template <class T, int N>
struct Kokkos::reduction_identity<Members<T, N>> {
  KOKKOS_FUNCTION static Members<T, N> sum() { return {}; }
};

namespace {

using Team = Kokkos::TeamPolicy<Kokkos::HIP>::member_type;

/// Adds the numbers 1, 2, ... of the team's threads, and their multiples.
template <class T, int N>
struct SumOfTeam {
  Kokkos::View<Members<T, N>*, Kokkos::HIP> sums;

  KOKKOS_FUNCTION void operator()(Team const& team) const {
    Members<T, N> sum;
    for (int i = 0; i < N; ++i) sum.member[i] = T(i + 1) * T(team.team_rank() + 1);
    team.team_reduce(Kokkos::Sum<Members<T, N>>(sum));
    if (team.team_rank() == 0) sums(team.league_rank()) = sum;
  }
};

template <class T, int N>
void sum_of_team() {
  constexpr int teams = 3, threads = 6;  // sums fit into a signed char
  Kokkos::View<Members<T, N>*, Kokkos::HIP> sums("sums", teams);
  Kokkos::parallel_for("sum", Kokkos::TeamPolicy<Kokkos::HIP>(teams, threads), SumOfTeam<T, N>{sums});
  auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (int t = 0; t < teams; ++t)
    for (int i = 0; i < N; ++i)
      ASSERT_EQ(double(on_host(t).member[i]), (i + 1) * threads * (threads + 1) / 2.)
          << "member " << i << " of " << N << ", each of " << sizeof(T) << " bytes";
}

/// Each thread gets the value of thread 0 right after it has written its own.
template <class T, int N>
struct FirstOfWarp {
  Kokkos::View<Members<T, N>*, Kokkos::HIP> got;

  KOKKOS_FUNCTION void operator()(Team const& team) const {
    Members<T, N> mine, first;
    for (int i = 0; i < N; ++i) mine.member[i] = T(team.team_rank() + i + 1);
    KOKKOS_IF_ON_DEVICE((first = Kokkos::shfl(mine, 0, team.team_size());))
    got(team.team_rank()) = first;
  }
};

template <class T, int N>
void first_of_warp() {
  constexpr int threads = 32;
  Kokkos::View<Members<T, N>*, Kokkos::HIP> got("got", threads);
  Kokkos::parallel_for("shuffle", Kokkos::TeamPolicy<Kokkos::HIP>(1, threads), FirstOfWarp<T, N>{got});
  auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), got);
  for (int t = 0; t < threads; ++t)
    for (int i = 0; i < N; ++i)
      ASSERT_EQ(double(on_host(t).member[i]), i + 1.)
          << "thread " << t << ", member " << i << " of " << N << ", each of " << sizeof(T) << " bytes";
}

template <class T, int N>
void both() {
  first_of_warp<T, N>();
  sum_of_team<T, N>();
}

}  // namespace

TEST(hip, shuffles_of_structures) {
  both<float, 1>();
  both<float, 2>();
  both<float, 3>();
  both<double, 1>();
  both<double, 2>();
  both<short, 1>();
  both<short, 3>();
  both<short, 4>();
  both<short, 5>();
  both<signed char, 1>();
  both<signed char, 3>();
}
