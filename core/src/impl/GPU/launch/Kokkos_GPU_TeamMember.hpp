// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_TEAM_MEMBER_HPP
#define KOKKOS_GPU_TEAM_MEMBER_HPP

/// \file
/// A thread of a team on a GPU. A team is a block: x counts the vector lanes of a thread, y the threads of the team.
///
/// All lanes of a thread run the same code. Values are exchanged by shuffles within a warp and through shared memory
/// between warps: memory of its own where the device offers that, otherwise the first `meeting_bytes` of the block's
/// dynamic shared memory.

#include <impl/GPU/launch/Kokkos_GPU_BlockReduce.hpp>
#include <impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <Kokkos_Atomic.hpp>
#include <Kokkos_ScratchSpace.hpp>
#include <impl/pattern/Kokkos_NestedReducers.hpp>

#include <cstddef>

namespace Kokkos::Impl {

template <class ExecSpace>
class GPUTeamMember {
  using Intrinsics = typename ExecSpace::runtime_type::intrinsics;
  using mask_type  = typename Intrinsics::mask_type;

 public:
  using execution_space      = ExecSpace;
  using scratch_memory_space = ScratchMemorySpace<ExecSpace>;
  using team_handle          = GPUTeamMember;

  /// Shared memory for exchanged values: one of up to 64 bytes for each warp of the largest block at once; larger values
  /// are exchanged in several steps. On AMD GPUs this memory bounds how many teams of one wavefront are resident.
  static constexpr int max_warps     = 1024 / Intrinsics::warp_size;
  static constexpr int meeting_bytes = 64 * max_warps;
  static_assert(meeting_bytes <= most_static_shared);
  /// How many of these bytes a launch adds to the dynamic shared memory.
  static constexpr int dynamic_meeting_bytes = Intrinsics::has_own_shared ? 0 : meeting_bytes;

  KOKKOS_FUNCTION GPUTeamMember() {}
  KOKKOS_IMPL_DEVICE GPUTeamMember(int league_rank, int league_size, ScratchRegion const& level_0,
                                   ScratchRegion const& level_1)
      : m_league_rank(league_rank), m_league_size(league_size), m_scratch(level_0, level_1, team_rank(), team_size()) {}

  KOKKOS_FUNCTION int league_rank() const { return m_league_rank; }
  KOKKOS_FUNCTION int league_size() const { return m_league_size; }
  KOKKOS_FUNCTION static int team_rank() {
    KOKKOS_IMPL_GPU_CODE(return Intrinsics::thread_y();)
    return 0;
  }
  KOKKOS_FUNCTION static int team_size() {
    KOKKOS_IMPL_GPU_CODE(return Intrinsics::block_dim_y();)
    return 1;
  }

  KOKKOS_FUNCTION scratch_memory_space const& team_shmem() const { return m_scratch.impl_select(0, false); }
  KOKKOS_FUNCTION scratch_memory_space const& team_scratch(int level) const {
    return m_scratch.impl_select(level, false);
  }
  KOKKOS_FUNCTION scratch_memory_space const& thread_scratch(int level) const {
    return m_scratch.impl_select(level, true);
  }

  /// Waits for all threads of the team. Afterwards each thread sees what the others did before.
  KOKKOS_FUNCTION static void team_barrier() { KOKKOS_IMPL_GPU_CODE(Intrinsics::barrier();) }

  /// Copies the value of thread `source_team_rank` to all threads.
  template <class T>
  KOKKOS_FUNCTION void team_broadcast([[maybe_unused]] T& value, [[maybe_unused]] int source_team_rank) const {
    KOKKOS_IMPL_GPU_CODE(
        broadcast_bytes(&value, sizeof(T), team_rank() == source_team_rank && impl_vector_rank() == 0);)
  }
  /// Applies `f` to the value of thread `source_team_rank` on that thread, and copies the result to all threads.
  template <class Closure, class T>
  KOKKOS_FUNCTION void team_broadcast(Closure const& f, T& value, int source_team_rank) const {
    if (team_rank() == source_team_rank) f(value);
    team_broadcast(value, source_team_rank);
  }

  /// Joins the values that the threads' reducers refer to; afterwards each reducer refers to the result.
  template <class Reducer>
    requires is_reducer_v<Reducer>
  KOKKOS_FUNCTION void team_reduce(Reducer const& reducer) const {
    auto value = reducer.reference();
    impl_team_reduce(NestedReducer<Reducer>(reducer), value);
  }
  /// Joins `value` of all threads; the result is stored in `value` and in the reducer's reference.
  template <class Reducer>
    requires is_reducer_v<Reducer>
  KOKKOS_FUNCTION void team_reduce(Reducer const& reducer, typename Reducer::value_type& value) const {
    impl_team_reduce(NestedReducer<Reducer>(reducer), value);
  }

  /// \return The sum of the values of the threads of lower rank; T() for rank 0.
  template <class T>
  KOKKOS_FUNCTION T team_scan(T const& value) const {
    T before = value, total = T();
    impl_team_scan(NestedSumOnly<T>(), before, total);
    return before;
  }
  /// With `global`, also adds the sum of the team to *global by an atomic operation, and adds the previous value of
  /// *global to the returned value.
  template <class T>
  KOKKOS_FUNCTION T team_scan(T const& value, T* global) const {
    T before = value, total = T();
    impl_team_scan(NestedSumOnly<T>(), before, total);
    if (global) {
      T base = T();
      if (team_rank() == 0 && impl_vector_rank() == 0) base = Kokkos::atomic_fetch_add(global, total);
      team_broadcast(base, 0);
      base += before;
      before = base;
    }
    return before;
  }

  // Members that nested patterns require; see docs/interfaces.md.

  static constexpr bool impl_blocked  = false;
  static constexpr int impl_warp_size = Intrinsics::warp_size;

  KOKKOS_FUNCTION static int impl_vector_rank() {
    KOKKOS_IMPL_GPU_CODE(return Intrinsics::thread_x();)
    return 0;
  }
  KOKKOS_FUNCTION static int impl_vector_length() {
    KOKKOS_IMPL_GPU_CODE(return Intrinsics::block_dim_x();)
    return 1;
  }

  template <class Reducer>
  KOKKOS_FUNCTION void impl_vector_reduce([[maybe_unused]] Reducer const& reducer,
                                          [[maybe_unused]] typename Reducer::value_type& value) const {
    KOKKOS_IMPL_GPU_CODE(vector_reduce(reducer, value);)
  }
  template <class Reducer, class T>
  KOKKOS_FUNCTION void impl_vector_scan([[maybe_unused]] Reducer const& reducer, [[maybe_unused]] T& value,
                                        [[maybe_unused]] T& total) const {
    KOKKOS_IMPL_GPU_CODE(vector_scan(reducer, value, total);)
  }
  template <class T>
  KOKKOS_FUNCTION void impl_vector_broadcast([[maybe_unused]] T& value) const {
    KOKKOS_IMPL_GPU_CODE(
        int const width = impl_vector_length(); mask_type const mask = thread_mask();
        Impl::shuffle_value(&value, &value, [&](unsigned word) { return Intrinsics::shuffle(mask, word, 0, width); });)
  }
  KOKKOS_FUNCTION static void impl_vector_barrier() {
    KOKKOS_IMPL_GPU_CODE(if (impl_vector_length() > 1) Intrinsics::warp_barrier(thread_mask());)
  }
  template <class Reducer>
  KOKKOS_FUNCTION void impl_team_reduce(Reducer const& reducer, typename Reducer::value_type& value) const {
    KOKKOS_IMPL_GPU_CODE(reduce_threads(reducer, value);)
    reducer.final(value);
    reducer.store(value);
  }
  template <class Reducer, class T>
  KOKKOS_FUNCTION void impl_team_scan([[maybe_unused]] Reducer const& reducer, [[maybe_unused]] T& value,
                                      [[maybe_unused]] T& total) const {
    KOKKOS_IMPL_GPU_CODE(scan_threads(reducer, value, total);)
  }

 private:
  KOKKOS_IMPL_DEVICE static int thread() { return Intrinsics::thread_x() + Intrinsics::block_dim_x() * team_rank(); }
  KOKKOS_IMPL_DEVICE static int threads() { return Intrinsics::block_dim_x() * team_size(); }
  KOKKOS_IMPL_DEVICE static int lane() { return thread() & (Intrinsics::warp_size - 1); }
  KOKKOS_IMPL_DEVICE static int warps() { return (threads() + Intrinsics::warp_size - 1) / Intrinsics::warp_size; }
  KOKKOS_IMPL_DEVICE static mask_type mask() {
    return static_cast<mask_type>(Impl::warp_mask<Intrinsics>(thread(), threads()));
  }
  /// The lanes of the calling thread; other threads of the warp may be at another place. Their number is a power of
  /// two, and a division would take longer than a short loop over them.
  KOKKOS_IMPL_DEVICE static mask_type thread_mask() {
    int const width = Intrinsics::block_dim_x();
    return static_cast<mask_type>((~0ull >> (64 - width)) << (lane() & -width));
  }
  KOKKOS_IMPL_DEVICE static char* meeting() { return Intrinsics::template own_shared<meeting_bytes>(); }

  template <class Reducer, class T>
  KOKKOS_IMPL_DEVICE void vector_reduce(Reducer const& reducer, T& value) const {
    int const width      = impl_vector_length();
    mask_type const mask = thread_mask();
    for (unsigned half = static_cast<unsigned>(width) / 2; half > 0; half /= 2) {
      int const delta = static_cast<int>(half);
      RawValue<T> other;
      Impl::shuffle_value(other.get(), &value,
                          [&](unsigned word) { return Intrinsics::shuffle_xor(mask, word, delta, width); });
      // All lanes join in the same order, so that all have the same result.
      if (impl_vector_rank() & delta) {
        RawValue<T> lower;
        Impl::copy_elements(lower.get(), other.get(), 1);
        reducer.join(*lower.get(), value);
        Impl::copy_elements(&value, lower.get(), 1);
      } else {
        reducer.join(value, *other.get());
      }
    }
  }

  template <class Reducer, class T>
  KOKKOS_IMPL_DEVICE void vector_scan(Reducer const& reducer, T& value, T& total) const {
    int const width      = impl_vector_length();
    mask_type const mask = thread_mask();
    scan_by_shuffles(reducer, value, mask, impl_vector_rank(), 1, width, width);
    Impl::shuffle_value(&total, &value,
                        [&](unsigned word) { return Intrinsics::shuffle(mask, word, width - 1, width); });
    T lower = reducer.identity();
    RawValue<T> before;
    Impl::shuffle_value(before.get(), &value,
                        [&](unsigned word) { return Intrinsics::shuffle_up(mask, word, 1, width); });
    if (impl_vector_rank() > 0) lower = *before.get();
    value = lower;
  }

  /// Inclusive scan over lanes that are `step` apart; `position` counts lanes. Each step assigns the value in every lane:
  /// with an assignment in some, clang keeps three copies of it.
  template <class Reducer, class T>
  KOKKOS_IMPL_DEVICE void scan_by_shuffles(Reducer const& reducer, T& value, mask_type mask, int position, int step,
                                           int end, int width) const {
    for (int delta = Intrinsics::uniform(step); delta < end; delta *= 2) {
      RawValue<T> lower;
      Impl::shuffle_value(lower.get(), &value,
                          [&](unsigned word) { return Intrinsics::shuffle_up(mask, word, delta, width); });
      if (position < delta)
        Impl::copy_elements(lower.get(), &value, 1);
      else
        reducer.join(*lower.get(), value);
      Impl::copy_elements(&value, lower.get(), 1);
    }
  }

  /// Joins the values of the threads, in the order of their ranks, for all of them.
  template <class Reducer, class T>
  KOKKOS_IMPL_DEVICE void reduce_threads(Reducer const& reducer, T& value) const {
    mask_type const lanes = mask();
    int const step        = impl_vector_length();
    // From this thread to the last of its warp, of the team.
    int const to_end =
        threads() - thread() < Intrinsics::warp_size - lane() ? threads() - thread() : Intrinsics::warp_size - lane();
    for (int delta = Intrinsics::uniform(step); delta < Intrinsics::warp_size; delta *= 2) {
      RawValue<T> other;
      Impl::shuffle_value(other.get(), &value, [&](unsigned word) {
        return Intrinsics::shuffle_down(lanes, word, delta, Intrinsics::warp_size);
      });
      if (delta < to_end) reducer.join(value, *other.get());
    }
    if (warps() == 1) {
      Impl::shuffle_value(&value, &value,
                          [&](unsigned word) { return Intrinsics::shuffle(lanes, word, 0, Intrinsics::warp_size); });
      return;
    }
    T joined = reducer.identity();
    over_warps(value, [&](T const& of_warp, int) { reducer.join(joined, of_warp); });
    value = joined;
  }

  template <class Reducer, class T>
  KOKKOS_IMPL_DEVICE void scan_threads(Reducer const& reducer, T& value, T& total) const {
    mask_type const lanes = mask();
    int const step        = impl_vector_length();
    scan_by_shuffles(reducer, value, lanes, lane(), step, Intrinsics::warp_size, Intrinsics::warp_size);
    RawValue<T> before;  // of the thread before, in the same warp
    Impl::shuffle_value(before.get(), &value, [&](unsigned word) {
      return Intrinsics::shuffle_up(lanes, word, step, Intrinsics::warp_size);
    });
    int const last = threads() - thread() + lane() < Intrinsics::warp_size ? threads() - thread() + lane() - 1
                                                                           : Intrinsics::warp_size - 1;
    RawValue<T> of_warp;
    Impl::shuffle_value(of_warp.get(), &value,
                        [&](unsigned word) { return Intrinsics::shuffle(lanes, word, last, Intrinsics::warp_size); });
    int const mine = thread() / Intrinsics::warp_size;
    T lower        = reducer.identity();
    T all          = reducer.identity();
    over_warps(*of_warp.get(), [&](T const& other, int warp) {
      if (warp < mine) reducer.join(lower, other);
      reducer.join(all, other);
    });
    if (lane() >= step) reducer.join(lower, *before.get());
    value = lower;
    total = all;
  }

  /// Passes the value of each warp's first lane to every thread, warp by warp, as many at a time as shared memory
  /// holds, or one in parts.
  template <class T, class F>
  KOKKOS_IMPL_DEVICE void over_warps(T const& value, F const& f) const {
    int const warp = thread() / Intrinsics::warp_size;
    if constexpr (sizeof(T) > meeting_bytes) {
      for (int w = 0; w < warps(); ++w) {
        RawValue<T> of_warp;
        Impl::copy_elements(of_warp.get(), &value, 1);
        broadcast_bytes(of_warp.get(), sizeof(T), warp == w && lane() == 0);
        f(*of_warp.get(), w);
      }
    } else {
      T* const values        = reinterpret_cast<T*>(meeting());
      constexpr int capacity = meeting_bytes / static_cast<int>(sizeof(T));
      for (int first = 0; first < warps(); first += capacity) {
        int const end = first + capacity < warps() ? first + capacity : warps();
        Intrinsics::barrier();  // the previous values have been read
        if (lane() == 0 && warp >= first && warp < end) Impl::copy_elements(values + warp - first, &value, 1);
        Intrinsics::barrier();
        for (int w = first; w < end; ++w) f(values[w - first], w);
      }
      Intrinsics::barrier();
    }
  }

  KOKKOS_IMPL_DEVICE static void broadcast_bytes(void* value, std::size_t bytes, bool is_source) {
    char* const shared = meeting();
    char* const mine   = static_cast<char*>(value);
    for (std::size_t at = 0; at < bytes; at += meeting_bytes) {
      std::size_t const n = bytes - at < meeting_bytes ? bytes - at : meeting_bytes;
      Intrinsics::barrier();
      if (is_source) Impl::copy_bytes(shared, mine + at, n);
      Intrinsics::barrier();
      Impl::copy_bytes(mine + at, shared, n);
    }
    Intrinsics::barrier();
  }

  int m_league_rank = 0;
  int m_league_size = 1;
  scratch_memory_space m_scratch;
};

}  // namespace Kokkos::Impl

#endif
