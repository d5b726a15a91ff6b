// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_TEAMMEMBER_HPP
#define KOKKOS_HOST_TEAMMEMBER_HPP

/// \file
/// The handle of a team for kernels on the host.

#include <impl/Host/Kokkos_Host_Partition.hpp>
#include <impl/Host/Kokkos_Host_TeamBarrier.hpp>
#include <Kokkos_Atomic.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <impl/pattern/Kokkos_NestedReducers.hpp>

namespace Kokkos::Impl {

/// A thread's data for the last thread that arrives at the barrier of a collective operation.
struct alignas(host_line_bytes) HostTeamSlot {
  void* first        = nullptr;
  void const* second = nullptr;
};

/// The state that the threads of one team share. It is at the start of the team's memory, before the slots and the
/// scratch memory.
struct HostTeam {
  HostTeamBarrier barrier;
  HostPart part{0, 0};  // the league items that the team works on; written by the last thread to arrive, see HostLeague
  HostTeamSlot* slots = nullptr;
  ScratchRegion scratch[2]{};
  bool has_scratch = false;
};

/// A thread of a host team: the member type of team policies on the host. Models the documented TeamHandle concept.
///
/// All threads of the team must call collective operations. All threads get bitwise the same result, because one thread
/// joins the values, in the order of team ranks.
template <class ExecSpace>
class HostTeamMember {
 public:
  using team_handle          = HostTeamMember;
  using execution_space      = ExecSpace;
  using scratch_memory_space = ScratchMemorySpace<ExecSpace>;

  KOKKOS_DEFAULTED_FUNCTION HostTeamMember() = default;
  HostTeamMember(HostTeam& team, int team_rank, int team_size, int league_size)
      : m_team(&team), m_team_rank(team_rank), m_team_size(team_size), m_league_size(league_size) {}

  KOKKOS_FUNCTION int team_rank() const noexcept { return m_team_rank; }
  KOKKOS_FUNCTION int team_size() const noexcept { return m_team_size; }
  KOKKOS_FUNCTION int league_rank() const noexcept { return m_league_rank; }
  KOKKOS_FUNCTION int league_size() const noexcept { return m_league_size; }

  /// Scratch memory of level 0 that the team shares.
  KOKKOS_FUNCTION scratch_memory_space const& team_shmem() const { return team_scratch(0); }
  /// Scratch memory of a level that the team shares: threads that make the same calls get the same addresses.
  KOKKOS_FUNCTION scratch_memory_space const& team_scratch(int level) const {
    return m_scratch.impl_select(level, false);
  }
  /// Scratch memory of a level for the calling thread alone.
  KOKKOS_FUNCTION scratch_memory_space const& thread_scratch(int level) const {
    return m_scratch.impl_select(level, true);
  }

  /// Waits for all threads of the team. Afterwards each thread sees what the others did before.
  KOKKOS_FUNCTION void team_barrier() const noexcept {
    if (m_team_size > 1) meet([] {});
  }

  /// Copies the value of thread `source_team_rank` to all threads.
  template <class T>
  KOKKOS_FUNCTION void team_broadcast(T& value, int source_team_rank) const noexcept {
    if (m_team_size == 1) return;
    show(&value, nullptr);
    meet([&] {
      T const& source = *shown<T>(source_team_rank);
      for (int r = 0; r < m_team_size; ++r) {
        if (r != source_team_rank) *shown<T>(r) = source;
      }
    });
  }
  /// Applies `f` to the value of thread `source_team_rank`, on that thread, and copies the result to all threads.
  template <class Closure, class T>
  KOKKOS_FUNCTION void team_broadcast(Closure const& f, T& value, int source_team_rank) const noexcept {
    if (m_team_rank == source_team_rank) f(value);
    team_broadcast(value, source_team_rank);
  }

  /// Joins the values that the threads' reducers refer to, and stores the result in each of them.
  template <class Reducer>
    requires is_reducer_v<Reducer>
  KOKKOS_FUNCTION void team_reduce(Reducer const& reducer) const noexcept {
    auto value = reducer.reference();
    impl_team_reduce(NestedReducer<Reducer>(reducer), value);
  }
  /// Like `team_reduce` above, for separate values; the result is stored in `value` and in the reducer's reference.
  template <class Reducer>
    requires is_reducer_v<Reducer>
  KOKKOS_FUNCTION void team_reduce(Reducer const& reducer, typename Reducer::value_type& value) const noexcept {
    impl_team_reduce(NestedReducer<Reducer>(reducer), value);
    value = reducer.reference();
  }

  /// \return The sum of the values of the threads of lower rank; T() for rank 0.
  template <class T>
  KOKKOS_FUNCTION T team_scan(T const& value) const noexcept {
    return team_scan<T>(value, nullptr);
  }
  /// With `global` (the same address for every thread of the team, or null), atomically adds the team's sum to *global,
  /// and adds the old value of *global to the returned value. Teams that share the address thereby divide a common
  /// range, in the order of their arrival.
  template <class T>
  KOKKOS_FUNCTION T team_scan(T const& value, T* global) const noexcept {
    T result = value;
    if (m_team_size == 1) {
      result = global != nullptr ? Kokkos::atomic_fetch_add(global, value) : T();
      return result;
    }
    show(&result);
    meet([&] {
      T before = T();
      if (global != nullptr) {
        T sum = T();
        for (int r = 0; r < m_team_size; ++r) sum += *shown<T>(r);
        before = Kokkos::atomic_fetch_add(global, sum);
      }
      for (int r = 0; r < m_team_size; ++r) {
        T const mine = *shown<T>(r);
        *shown<T>(r) = before;
        before += mine;
      }
    });
    return result;
  }

  // Members that nested patterns require; see docs/interfaces.md.

  static constexpr bool impl_blocked = true;

  KOKKOS_FUNCTION static constexpr int impl_vector_rank() { return 0; }
  KOKKOS_FUNCTION static constexpr int impl_vector_length() { return 1; }
  template <class Reducer>
  KOKKOS_FORCEINLINE_FUNCTION void impl_vector_reduce(Reducer const&, typename Reducer::value_type&) const {}
  template <class Reducer, class T>
  KOKKOS_FORCEINLINE_FUNCTION void impl_vector_scan(Reducer const& reducer, T& value, T& total) const {
    total = value;
    value = reducer.identity();
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void impl_vector_broadcast(T&) const {}
  KOKKOS_FUNCTION static constexpr void impl_vector_barrier() {}

  template <class Reducer>
  KOKKOS_FORCEINLINE_FUNCTION void impl_team_reduce(Reducer const& reducer, typename Reducer::value_type& value) const {
    if (m_team_size == 1) {
      reducer.final(value);
      reducer.store(value);
    } else {
      team_reduce_shown(reducer, value);
    }
  }
  template <class Reducer, class T>
  KOKKOS_FUNCTION void impl_team_scan(Reducer const& reducer, T& value, T& total) const {
    if (m_team_size == 1) return impl_vector_scan(reducer, value, total);
    show(&value, &total);
    meet([&] {
      T sum = reducer.identity();
      for (int r = 0; r < m_team_size; ++r) {
        T const mine = *shown<T>(r);
        *shown<T>(r) = sum;
        reducer.join(sum, mine);
      }
      for (int r = 0; r < m_team_size; ++r) *static_cast<T*>(const_cast<void*>(slot(r).second)) = sum;
    });
  }

  /// For executors: moves to an item of the league, and frees all scratch memory.
  void impl_begin(int league_rank) noexcept {
    m_league_rank = league_rank;
    if (m_team->has_scratch) {
      m_scratch = scratch_memory_space(m_team->scratch[0], m_team->scratch[1], m_team_rank, m_team_size);
    }
  }
  HostTeam& impl_team() const noexcept { return *m_team; }
  /// For executors: a barrier whose last thread calls last().
  template <class Last>
  void impl_meet(Last const& last) const noexcept {
    meet(last);
  }

 private:
  // Not inlined, because code that waits for other threads would occupy registers of the loop before it.
  template <class Reducer>
  [[gnu::noinline]] KOKKOS_FUNCTION void team_reduce_shown(Reducer const& reducer,
                                                           typename Reducer::value_type& value) const {
    using T = typename Reducer::value_type;
    show(&value, &reducer);
    meet([&] {
      T& joined = *shown<T>(0);
      for (int r = 1; r < m_team_size; ++r) reducer.join(joined, *shown<T>(r));
      reducer.final(joined);
      // One thread does this, because all reducers may refer to the same location.
      for (int r = 0; r < m_team_size; ++r) static_cast<Reducer const*>(slot(r).second)->store(joined);
    });
  }

  template <class Last>
  KOKKOS_FUNCTION void meet(Last const& last) const noexcept {
    KOKKOS_IF_ON_HOST((m_team->barrier.arrive(m_team_size, last);))
    KOKKOS_IF_ON_DEVICE(((void)last;))
  }
  KOKKOS_FUNCTION HostTeamSlot& slot(int rank) const { return m_team->slots[rank]; }
  KOKKOS_FUNCTION void show(void* first, void const* second = nullptr) const {
    slot(m_team_rank).first  = first;
    slot(m_team_rank).second = second;
  }
  template <class T>
  KOKKOS_FUNCTION T* shown(int rank) const {
    return static_cast<T*>(slot(rank).first);
  }

  HostTeam* m_team  = nullptr;
  int m_team_rank   = 0;
  int m_team_size   = 1;
  int m_league_rank = 0;
  int m_league_size = 1;
  scratch_memory_space m_scratch;
};

}  // namespace Kokkos::Impl

#endif
