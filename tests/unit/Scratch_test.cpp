// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa team
/// \file
/// Scratch memory in kernels: of the team and of each thread, raw and as views, at both levels, and errors when there
/// is too little.

#include "TeamTest.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using Kokkos::PerTeam;
using Kokkos::PerThread;
using Kokkos::TeamPolicy;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class ScratchTest : public ::testing::Test {};
TYPED_TEST_SUITE(ScratchTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;
template <class T, class ExecSpace>
using ScratchView = Kokkos::View<T, typename ExecSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Kokkos Kernels assigns positions in a view of scratch memory to those in a view of memory of the device.
TYPED_TEST(ScratchTest, ViewsHaveTheSizeTypeOfOtherViews) {
  using Scratch = ScratchView<double*, TypeParam>;
  static_assert(std::is_same_v<typename Scratch::size_type, typename Kokkos::View<double*, TypeParam>::size_type>);
  static_assert(std::is_same_v<typename TypeParam::scratch_memory_space::size_type, typename Scratch::size_type>);
}

// Every thread fills its row of a matrix that the team shares and a vector of its own; after a barrier all are visible.
template <class ExecSpace>
void views_in_scratch(ExecSpace const& space, int level) {
  using Matrix = ScratchView<double* [5], ExecSpace>;
  using Vector = ScratchView<int*, ExecSpace>;
  int const n  = 40;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, n, team_size)
            .set_scratch_size(level, PerTeam(Matrix::shmem_size(team_size)), PerThread(Vector::shmem_size(7))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Matrix const matrix(team.team_scratch(level), team.team_size());
          Vector const vector(team.thread_scratch(level), 7);
          if (matrix.data() == nullptr || vector.data() == nullptr) {
            Kokkos::atomic_add(&wrong(0), 1);
            return;
          }
          int const rank = team.team_rank();
          for (int k = 0; k < 5; ++k) matrix(rank, k) = team.league_rank() * 100 + rank * 10 + k;
          for (int k = 0; k < 7; ++k) vector(k) = rank;
          team.team_barrier();
          for (int r = 0; r < team.team_size(); ++r) {
            for (int k = 0; k < 5; ++k) {
              if (matrix(r, k) != team.league_rank() * 100 + r * 10 + k) Kokkos::atomic_add(&wrong(0), 1);
            }
          }
          for (int k = 0; k < 7; ++k) {
            if (vector(k) != rank) Kokkos::atomic_add(&wrong(0), 1);
          }
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong)[0], 0) << "level " << level << ", team size " << team_size;
  }
}

TYPED_TEST(ScratchTest, HoldsViewsOfLevel0) { views_in_scratch(team_of_four<TypeParam>(), 0); }
TYPED_TEST(ScratchTest, HoldsViewsOfLevel1) { views_in_scratch(team_of_four<TypeParam>(), 1); }

/// Upstream's test of large scratch memory also expects that nothing is left. A team size of 1 is possible everywhere.
template <class ExecSpace>
void team_gets_what_it_requested(ExecSpace const& space) {
  for (int level : {0, 1}) {
    for (int bytes : {16, 80, 208, 1040}) {
      Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
      Kokkos::parallel_for(
          TeamPolicy<ExecSpace>(space, 3, 1).set_scratch_size(level, PerTeam(bytes)),
          KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            bool const gets_all  = team.team_scratch(level).get_shmem(bytes) != nullptr;
            bool const gets_more = team.team_scratch(level).get_shmem(8) != nullptr;
            if (!gets_all || gets_more) Kokkos::atomic_add(&wrong(0), 1);
          });
      space.fence();
      EXPECT_EQ(elements_on_host(wrong)[0], 0) << "level " << level << ", bytes " << bytes;
    }
  }
}

TYPED_TEST(ScratchTest, GivesATeamWhatItRequested) { team_gets_what_it_requested(TypeParam()); }

// kokkos #3498, #7423: the team sizes that a policy reports count scratch memory, and a launch with them runs.
template <class ExecSpace>
void launch_teams_with_own_scratch(ExecSpace const& space, int bytes) {
  using Policy = TeamPolicy<ExecSpace>;
  Kokkos::View<int*, ExecSpace> ran("ran", 1);
  auto const kernel = KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
    char* const own = static_cast<char*>(team.thread_scratch(0).get_shmem(bytes));
    if (own == nullptr) return;
    own[0] = own[bytes - 1] = static_cast<char>(team.team_rank());
    team.team_barrier();
    if (team.team_rank() == 0) Kokkos::atomic_inc(&ran(0));
  };
  Policy chosen(space, 9, Kokkos::AUTO);
  chosen.set_scratch_size(0, PerThread(bytes));
  int const largest = chosen.team_size_max(kernel, Kokkos::ParallelForTag());
  int const usual   = chosen.team_size_recommended(kernel, Kokkos::ParallelForTag());
  if (largest < 1) return;  // a GPU that does not have as much for one thread
  EXPECT_LE(usual, largest);
  EXPECT_LE(static_cast<std::size_t>(largest) * bytes, static_cast<std::size_t>(Policy::scratch_size_max(0)));
  for (int size : {largest, usual})
    Kokkos::parallel_for(Policy(space, 9, size).set_scratch_size(0, PerThread(bytes)), kernel);
  Kokkos::parallel_for(chosen, kernel);
  space.fence();
  EXPECT_EQ(elements_on_host(ran)[0], 27) << bytes << " bytes";
}

template <class ExecSpace>
void team_sizes_count_scratch(ExecSpace const& space) {
  for (int bytes : {64, 1000, 5000, 12000, 20000}) launch_teams_with_own_scratch(space, bytes);
}

TYPED_TEST(ScratchTest, CountsForTeamSizes) { team_sizes_count_scratch(team_of_four<TypeParam>()); }

// As in Kokkos 4, hosts have more than the maximum on which programs can rely. The team size is then not limited.
template <class ExecSpace>
void hosts_have_more(ExecSpace const& space) {
  using Policy = TeamPolicy<ExecSpace>;
  for (int level : {0, 1}) {
    int const bytes = Policy::scratch_size_max(level) + 4096;
    Kokkos::View<int*, ExecSpace> right("right", 1);
    Policy policy(space, 3, Kokkos::AUTO);
    policy.set_scratch_size(level, PerTeam(bytes), PerThread(64));
    auto const kernel = KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
      char* const all = static_cast<char*>(team.team_scratch(level).get_shmem(bytes));
      if (all == nullptr) return;
      if (team.team_rank() == 0) all[0] = all[bytes - 1] = 1;
      team.team_barrier();
      if (all[0] == 1 && all[bytes - 1] == 1) Kokkos::atomic_inc(&right(0));
      team.team_barrier();
    };
    int const size = policy.team_size_max(kernel, Kokkos::ParallelForTag());
    EXPECT_EQ(size, team_sizes(space).back());
    Kokkos::parallel_for(Policy(space, 3, size).set_scratch_size(level, PerTeam(bytes), PerThread(64)), kernel);
    space.fence();
    EXPECT_EQ(elements_on_host(right)[0], 3 * size);
  }
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
TYPED_TEST(ScratchTest, OfHostsMayBeLarger) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename TypeParam::memory_space>::accessible)
    hosts_have_more(team_of_four<TypeParam>());
}
#endif

/// Requests scratch memory itself, depending on the team size.
template <class ExecSpace>
struct AsksItself {
  Kokkos::View<int*, ExecSpace> wrong;

  std::size_t team_shmem_size(int team_size) const {
    return sizeof(double) * static_cast<std::size_t>(5 * team_size) + sizeof(int) * 160;
  }
  KOKKOS_FUNCTION bool check(Member<ExecSpace> const& team) const {
    auto* const a = static_cast<double*>(team.team_shmem().get_shmem(5 * team.team_size() * sizeof(double)));
    auto* const b = static_cast<int*>(team.team_shmem().get_shmem(160 * sizeof(int)));
    if (a == nullptr || b == nullptr) return false;
    for (int k = 0; k < 5; ++k) a[team.team_rank() * 5 + k] = team.league_rank();
    for (int k = team.team_rank(); k < 160; k += team.team_size()) b[k] = k;
    team.team_barrier();
    bool right = true;
    for (int k = 0; k < 5 * team.team_size(); ++k) right = right && a[k] == team.league_rank();
    for (int k = 0; k < 160; ++k) right = right && b[k] == k;
    return right;
  }
  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team) const {
    if (!check(team)) Kokkos::atomic_add(&wrong(0), 1);
  }
  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team, int& update) const { update += check(team); }
};

/// The same with the function's other name.
template <class ExecSpace>
struct AsksByOtherName : private AsksItself<ExecSpace> {
  explicit AsksByOtherName(AsksItself<ExecSpace> const& functor) : AsksItself<ExecSpace>(functor) {}
  using AsksItself<ExecSpace>::operator();
  using AsksItself<ExecSpace>::wrong;
  std::size_t shmem_size(int team_size) const { return AsksItself<ExecSpace>::team_shmem_size(team_size); }
};

template <class ExecSpace, template <class> class Functor>
void functor_asks_itself(ExecSpace const& space) {
  for (int team_size : team_sizes(space)) {
    Functor<ExecSpace> const functor(AsksItself<ExecSpace>{Kokkos::View<int*, ExecSpace>("wrong", 1)});
    TeamPolicy<ExecSpace> const policy(space, 30, team_size);
    Kokkos::parallel_for(policy, functor);
    int right = 0;
    Kokkos::parallel_reduce(policy, functor, right);
    space.fence();
    EXPECT_EQ(elements_on_host(functor.wrong)[0], 0);
    EXPECT_EQ(right, 30 * team_size);
  }
}

TYPED_TEST(ScratchTest, IsAskedForByFunctors) {
  functor_asks_itself<TypeParam, AsksItself>(team_of_four<TypeParam>());
  functor_asks_itself<TypeParam, AsksByOtherName>(team_of_four<TypeParam>());
}

struct Quad {
  float values[4];
};

// Elements of 16 bytes can be read by vector loads, also after an allocation of 8 bytes.
template <class ExecSpace>
void aligns_for_vector_loads(ExecSpace const& space) {
  using Quads     = ScratchView<Quad*, ExecSpace>;
  using Floats    = ScratchView<float* [12], ExecSpace>;
  using OneDouble = ScratchView<double*, ExecSpace>;
  static_assert(alignof(Quad) < 16 && Quads::shmem_size(3) == 3 * sizeof(Quad) + 16);
  static_assert(Floats::shmem_size(1) == 12 * sizeof(float) + 8, "elements of 4 bytes require no padding");
  int const bytes = static_cast<int>(OneDouble::shmem_size(1) + Quads::shmem_size(3));
  for (int level : {0, 1}) {
    for (int team_size : team_sizes(space)) {
      Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
      Kokkos::parallel_for(
          TeamPolicy<ExecSpace>(space, 5, team_size).set_scratch_size(level, PerTeam(bytes), PerThread(bytes)),
          KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
            OneDouble const before(team.team_scratch(level), 1);
            Quads const shared(team.team_scratch(level), 3);
            OneDouble const before_own(team.thread_scratch(level), 1);
            Quads const own(team.thread_scratch(level), 3);
            Quad const* const starts[] = {shared.data(), own.data()};
            for (Quad const* p : starts) {
              if (p == nullptr || reinterpret_cast<std::uintptr_t>(p) % 16 != 0) Kokkos::atomic_add(&wrong(0), 1);
            }
          });
      space.fence();
      EXPECT_EQ(elements_on_host(wrong)[0], 0) << "level " << level << ", team size " << team_size;
    }
  }
}

TYPED_TEST(ScratchTest, AlignsForVectorLoads) { aligns_for_vector_loads(team_of_four<TypeParam>()); }

// The next item of the league gets the same memory, for any number of items; a request that is too large returns null.
template <class ExecSpace>
void ends(ExecSpace const& space, int level) {
  using Vector = ScratchView<double*, ExecSpace>;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> wrong("wrong", 2);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1000, team_size).set_scratch_size(level, PerTeam(Vector::shmem_size(100))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Vector const fits(team.team_scratch(level), 100);
          Vector const too_much(team.team_scratch(level), 100);
          if (fits.data() == nullptr || too_much.data() != nullptr) Kokkos::atomic_add(&wrong(0), 1);
          if (team.team_scratch(1 - level).get_shmem(1) != nullptr) Kokkos::atomic_add(&wrong(1), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong), (std::vector<int>{0, 0})) << "level " << level << ", team size " << team_size;
  }
}

TYPED_TEST(ScratchTest, IsReusedAndEnds) {
  ends(team_of_four<TypeParam>(), 0);
  ends(team_of_four<TypeParam>(), 1);
}

// A thread that allocates more scratch memory than others does not overlap with theirs.
template <class ExecSpace>
void threads_do_not_disturb_each_other(ExecSpace const& space) {
  using Vector = ScratchView<int*, ExecSpace>;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 20, team_size)
            .set_scratch_size(0, PerThread(8 * Vector::shmem_size(5)), PerTeam(Vector::shmem_size(5))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const rank = team.team_rank();
          Vector kept[4];
          for (int a = 0; a <= rank; ++a) {
            kept[a] = Vector(team.thread_scratch(0), 5);
            for (int k = 0; k < 5; ++k) kept[a](k) = 10 * rank + a;
          }
          Vector const shared(team.team_scratch(0), 5);
          if (rank == 0) shared(0) = team.league_rank();
          team.team_barrier();
          bool right = shared(0) == team.league_rank();
          for (int a = 0; a <= rank; ++a) {
            for (int k = 0; k < 5; ++k) right = right && kept[a](k) == 10 * rank + a;
          }
          if (!right) Kokkos::atomic_add(&wrong(0), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong)[0], 0) << team_size;
  }
}

TYPED_TEST(ScratchTest, ThreadsDoNotDisturbEachOther) { threads_do_not_disturb_each_other(team_of_four<TypeParam>()); }

// Memory that was requested for teams can be used by threads, and vice versa, as long as all threads allocate the same.
template <class ExecSpace>
void parts_stand_in_for_each_other(ExecSpace const& space) {
  using Vector = ScratchView<int*, ExecSpace>;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> wrong("wrong", 2);
    auto const bytes = Vector::shmem_size(16);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 20, team_size)
            .set_scratch_size(0, PerTeam(bytes * static_cast<std::size_t>(team_size))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Vector const mine(team.thread_scratch(0), 16);
          for (int k = 0; k < 16; ++k) mine(k) = team.team_rank();
          team.team_barrier();
          for (int k = 0; k < 16; ++k) {
            if (mine(k) != team.team_rank()) Kokkos::atomic_add(&wrong(0), 1);
          }
        });
    // In several pieces.
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 20, team_size)
            .set_scratch_size(0, PerTeam(3 * bytes * static_cast<std::size_t>(team_size))),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Vector const pieces[] = {Vector(team.thread_scratch(0), 16), Vector(team.thread_scratch(0), 5),
                                   Vector(team.thread_scratch(0), 16)};
          int number            = 3 * team.team_rank();
          for (Vector const& piece : pieces) {
            for (int k = 0; k < piece.extent_int(0); ++k) piece(k) = number;
            ++number;
          }
          team.team_barrier();
          number = 3 * team.team_rank();
          for (Vector const& piece : pieces) {
            for (int k = 0; k < piece.extent_int(0); ++k)
              if (piece(k) != number) Kokkos::atomic_add(&wrong(0), 1);
            ++number;
          }
        });
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 20, team_size).set_scratch_size(0, PerThread(bytes)),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Vector const ours(team.team_scratch(0), 16 * team.team_size());
          if (ours.data() == nullptr) Kokkos::atomic_add(&wrong(1), 1);
        });
    // This does not apply to memory from which a thread has already allocated.
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 20, team_size).set_scratch_size(0, PerThread(bytes)),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          Vector const mine(team.thread_scratch(0), 4);
          Vector const ours(team.team_scratch(0), 1);
          Vector const more(team.thread_scratch(0), 100000);  // not in the shared part either
          if (mine.data() == nullptr || ours.data() != nullptr || more.data() != nullptr)
            Kokkos::atomic_add(&wrong(1), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong), (std::vector<int>{0, 0})) << team_size;
  }
}

TYPED_TEST(ScratchTest, PartsStandInForEachOther) { parts_stand_in_for_each_other(team_of_four<TypeParam>()); }

// The size changes from kernel to kernel, with and without the values of a reduction.
template <class ExecSpace>
void sizes_change(ExecSpace const& space) {
  for (int kilobytes : {1, 300, 2, 1000}) {
    int const bytes = kilobytes * 1024;
    long sum        = 0;
    Kokkos::parallel_reduce(
        TeamPolicy<ExecSpace>(space, 6, 1).set_scratch_size(1, PerTeam(bytes)),
        KOKKOS_LAMBDA(Member<ExecSpace> const& team, long& update) {
          auto* const p = static_cast<char*>(team.team_scratch(1).get_shmem(bytes));
          if (p == nullptr) return;
          p[0] = p[bytes - 1] = 1;
          Kokkos::single(PerTeam(team), [&] { update += p[0] + p[bytes - 1]; });
        },
        sum);
    EXPECT_EQ(sum, 12) << kilobytes;
  }
}

TYPED_TEST(ScratchTest, ChangesItsSize) { sizes_change(team_of_four<TypeParam>()); }

}  // namespace
