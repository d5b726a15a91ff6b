// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_TEAM_HPP
#define KOKKOS_HOST_TEAM_HPP

/// \file
/// Team policies on host backends: the limits of teams, and parallel_for and parallel_reduce over a league.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_League.hpp>
#include <impl/Host/Kokkos_Host_TeamMember.hpp>
#include <impl/Host/Kokkos_Host_Value.hpp>
#include <impl/policy/Kokkos_TeamShape.hpp>

#include <new>
#include <utility>

namespace Kokkos::Impl {

/// The limits of teams on a host backend; its TeamTraits derive from this.
template <class ExecSpace>
struct HostTeamTraits {
  using member_type = HostTeamMember<ExecSpace>;

  /// The meaning of AUTO: one thread for each team. Teams then run concurrently and never wait for each other.
  static constexpr int auto_team_size = 1;

  template <class Policy, class Functor, class Tag>
  static int team_size_max(Policy const& policy, Functor const& functor, Tag const&) {
    if (HostThreadTeam<ExecSpace>::inside_kernel_or_region()) return 1;
    int const threads = HostThreadTeam<ExecSpace>::size(policy.space());
    return Impl::host_team_size_with_scratch(
        policy.impl_shape(), threads, [&functor](int size) { return Impl::functor_scratch_size(functor, size); });
  }
  template <class Policy, class Functor, class Tag>
  static int team_size_recommended(Policy const&, Functor const&, Tag const&) {
    return auto_team_size;
  }

  /// The compiler vectorises for the host without a vector length. Every length that a GPU might accept is accepted.
  static constexpr int vector_length_max() { return 1024; }
  static constexpr int scratch_size_max(int level) { return host_scratch_size_max(level); }
};

/// parallel_for over a league.
template <class ExecSpace>
struct HostTeamFor {
  template <class Policy, class Body>
  static void run(Policy const& policy, Body const& body) {
    if (policy.league_size() == 0) return;
    HostInstanceLock lock = Impl::lock_host_instance(policy.space());
    HostLeague league(ExecSpace::name(), policy.impl_shape(), lock.threads(), host_is_dynamic<Policy>,
                      Impl::functor_scratch_size(body.functor(), policy.team_size()));
    league.place(lock.scratch(league.bytes()));
    auto const work = [&](int rank, int threads) { league.work<ExecSpace>(rank, threads, body); };
    if (league.is_for_one_thread()) {
      work(0, 1);
    } else {
      HostThreadTeam<ExecSpace>::run(lock, work);
    }
  }
};

/// parallel_reduce over a league. Each thread of each team has a value; the values are joined in the order of the
/// threads.
template <class ExecSpace>
struct HostTeamReduce {
  template <class Policy, class Reduction, class Target>
  static void run(Policy const& policy, Reduction const& reduction, Target const& target) {
    HostInstanceLock lock = Impl::lock_host_instance(policy.space());
    if (policy.league_size() == 0) {
      Values<Reduction> values(lock, reduction, 1, 0);
      reduction.init(values.places[0]);
      values.made = 1;
      return finish(values, reduction, target);
    }
    HostLeague league(ExecSpace::name(), policy.impl_shape(), lock.threads(), host_is_dynamic<Policy>,
                      Impl::functor_scratch_size(reduction.functor(), policy.team_size()));
    Values<Reduction> values(lock, reduction, lock.threads(), league.bytes());
    league.place(values.places[lock.threads()]);
    auto const work = [&, value = values.places](int rank, int threads) {
      if (rank < league.workers(threads)) reduce(league, rank, threads, reduction, value[rank]);
    };
    int threads = 1;
    if (league.is_for_one_thread()) {
      work(0, 1);
    } else {
      threads = HostThreadTeam<ExecSpace>::run(lock, work);
    }
    values.made = league.workers(threads);
    for (int i = 1; i < values.made; ++i) reduction.join(values.places[0], values.places[i]);
    finish(values, reduction, target);
  }

 private:
  /// The values of the threads, followed by the teams' memory: a lock provides one block of scratch memory.
  template <class Reduction>
  struct Values {
    using value_type = typename Reduction::value_type;
    static_assert(alignof(value_type) <= host_line_bytes,
                  "The value of a reduction may be aligned to 128 bytes at most.");

    HostSlotPlaces<value_type> places;
    int made = 0;

    Values(HostInstanceLock& lock, Reduction const& reduction, int threads, std::size_t league_bytes) {
      places.count  = reduction.value_count();
      places.stride = (places.count * sizeof(value_type) + host_line_bytes - 1) / host_line_bytes * host_line_bytes;
      places.memory =
          static_cast<char*>(lock.scratch(static_cast<std::size_t>(threads) * places.stride + league_bytes));
    }
    Values(Values const&)            = delete;
    Values& operator=(Values const&) = delete;
    ~Values() {
      for (int i = 0; i < made; ++i) Impl::host_destroy_values(places[i], places.count);
    }
  };

  /// Stores the result of this thread's part in its slot.
  template <class Reduction>
  static void reduce(HostLeague& league, int rank, int threads, Reduction const& reduction,
                     typename Reduction::value_type* slot) {
    using value_type = typename Reduction::value_type;
    if constexpr (host_is_single<Reduction>) {
      HostLocalValue<Reduction> value(reduction);
      league.work<ExecSpace>(rank, threads, [&](auto const& member) { reduction(member, value.get()); });
      ::new (static_cast<void*>(slot)) value_type(std::move(value.get()));
    } else {
      reduction.init(slot);
      league.work<ExecSpace>(rank, threads, [&](auto const& member) { reduction(member, Reduction::reference(slot)); });
    }
  }

  template <class Reduction, class Target>
  static void finish(Values<Reduction> const& values, Reduction const& reduction, Target const& target) {
    reduction.final(values.places[0]);
    if (target.data) Impl::host_assign_values(target.data, values.places[0], values.places.count);
  }
};

}  // namespace Kokkos::Impl

#endif
