// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nested parallel_scan over all three kinds of ranges: exclusive, inclusive, with and without a total, with a reducer.

#include "TeamTest.hpp"

#include <algorithm>

namespace {

using Kokkos::TeamPolicy;
using Kokkos::TeamThreadRange;
using Kokkos::TeamVectorRange;
using Kokkos::ThreadVectorRange;
using Kokkos::Testing::elements_on_host;
using Kokkos::Testing::on_teams;
using Kokkos::Testing::team_of_four;
using Kokkos::Testing::team_sizes;

template <class ExecSpace>
class NestedScanTest : public ::testing::Test {};
TYPED_TEST_SUITE(NestedScanTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class ExecSpace>
using Member = typename TeamPolicy<ExecSpace>::member_type;

enum class Kind { team_thread, team_vector, thread_vector };

template <Kind kind, class M>
KOKKOS_FUNCTION auto range_of(M const& team, int n) {
  if constexpr (kind == Kind::team_thread) {
    return TeamThreadRange(team, n);
  } else if constexpr (kind == Kind::team_vector) {
    return TeamVectorRange(team, n);
  } else {
    return ThreadVectorRange(team, n);
  }
}

/// Scans i + 1 and records both sums, the number of calls with `final` for each index, and the total on each thread.
template <Kind kind, class ExecSpace>
struct Scan {
  int n;
  Kokkos::View<long**, ExecSpace> exclusive, inclusive, finals;
  Kokkos::View<long**, ExecSpace> totals;

  KOKKOS_FUNCTION void operator()(Member<ExecSpace> const& team) const {
    int const league = team.league_rank();
    // A range of vector lanes belongs to one thread: here to the last one.
    if (kind == Kind::thread_vector && team.team_rank() != team.team_size() - 1) return;
    auto const body = [&](int i, long& update, bool final) {
      if (final) exclusive(league, i) = update;
      update += i + 1;
      if (final) {
        inclusive(league, i) = update;
        Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&finals(league, i), 1L); });
      }
    };
    Kokkos::parallel_scan(range_of<kind>(team, n), body);
    long total = -1;
    Kokkos::parallel_scan(range_of<kind>(team, n), body, total);
    totals(league, team.team_rank()) = total;
  }
};

template <Kind kind, class ExecSpace>
void scan_with_and_without_total(ExecSpace const& space) {
  constexpr int teams = 5;
  for (int team_size : team_sizes(space)) {
    for (int n : {0, 1, 2, 3, 4, 5, 100}) {
      using View = Kokkos::View<long**, ExecSpace>;
      Scan<kind, ExecSpace> const scan{n, View("e", teams, n), View("i", teams, n), View("f", teams, n),
                                       View("t", teams, team_size)};
      on_teams(space, teams, team_size, scan);
      auto const e = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scan.exclusive);
      auto const i = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scan.inclusive);
      auto const f = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scan.finals);
      auto const t = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scan.totals);
      for (int team = 0; team < teams; ++team) {
        for (int k = 0; k < n; ++k) {
          ASSERT_EQ(e(team, k), static_cast<long>(k) * (k + 1) / 2) << n << ", " << team_size;
          ASSERT_EQ(i(team, k), static_cast<long>(k + 1) * (k + 2) / 2);
          ASSERT_EQ(f(team, k), 2) << "two scans, each final once";
        }
        for (int rank = kind == Kind::thread_vector ? team_size - 1 : 0; rank < team_size; ++rank) {
          ASSERT_EQ(t(team, rank), static_cast<long>(n) * (n + 1) / 2) << "on " << rank << " of " << team_size;
        }
      }
    }
  }
}

TYPED_TEST(NestedScanTest, TeamThreadRange) {
  scan_with_and_without_total<Kind::team_thread>(team_of_four<TypeParam>());
}
TYPED_TEST(NestedScanTest, TeamVectorRange) {
  scan_with_and_without_total<Kind::team_vector>(team_of_four<TypeParam>());
}
TYPED_TEST(NestedScanTest, ThreadVectorRange) {
  scan_with_and_without_total<Kind::thread_vector>(team_of_four<TypeParam>());
}

// When the scan returns, its threads and lanes see what the last calls of the body have written.
template <Kind kind, class ExecSpace>
void effects_are_visible(ExecSpace const& space) {
  int const n = 10;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int**, ExecSpace> written("written", team_size, n);
    Kokkos::View<int*, ExecSpace> wrong("wrong", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1, team_size, 4), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int const row = kind == Kind::thread_vector ? team.team_rank() : 0;
          Kokkos::parallel_scan(range_of<kind>(team, n), [&](int i, int& update, bool final) {
            update += 1;
            if (final) written(row, i) = update;
          });
          for (int i = 0; i < n; ++i)
            if (written(row, i) != i + 1) Kokkos::atomic_add(&wrong(0), 1);
        });
    space.fence();
    EXPECT_EQ(elements_on_host(wrong)[0], 0) << team_size;
  }
}

TYPED_TEST(NestedScanTest, EffectsAreVisibleAfterwards) {
  effects_are_visible<Kind::team_thread>(team_of_four<TypeParam>());
  effects_are_visible<Kind::team_vector>(team_of_four<TypeParam>());
  effects_are_visible<Kind::thread_vector>(team_of_four<TypeParam>());
}

// With a reducer: the running maximum, whose identity is not 0.
template <class ExecSpace>
void running_maximum(ExecSpace const& space) {
  int const n = 40;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<int*, ExecSpace> out("out", n), total("total", team_size);
    on_teams(
        space, 1, team_size, KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          int max = 0;
          Kokkos::parallel_scan(
              TeamThreadRange(team, n),
              [&](int i, int& update, bool final) {
                int const value = (i * 7) % 40 - 100;
                if (value > update) update = value;
                if (final) out(i) = update;
              },
              Kokkos::Max<int>(max));
          total(team.team_rank()) = max;
        });
    auto const scan = elements_on_host(out);
    int max         = -1000;
    for (int i = 0; i < n; ++i) {
      max = std::max(max, (i * 7) % 40 - 100);
      EXPECT_EQ(scan[i], max) << i << ", team size " << team_size;
    }
    EXPECT_EQ(elements_on_host(total), std::vector<int>(team_size, -61));
  }
}

TYPED_TEST(NestedScanTest, TakesAReducer) { running_maximum(team_of_four<TypeParam>()); }

/// x -> a x + b modulo a prime. Joins are compositions, whose order matters, and whose identity is no default value.
struct Affine {
  long a = 3, b = 4;
  static constexpr long prime = 10007;
  KOKKOS_FUNCTION static Affine identity() { return {1, 0}; }
  KOKKOS_FUNCTION static Affine of(int i) { return {i % 7 + 2, i % 11 + 1}; }
  KOKKOS_FUNCTION void then(Affine const& f) {
    b = (f.a * b + f.b) % prime;
    a = a * f.a % prime;
  }
};
template <class Space>
struct Compose {
  using reducer          = Compose;
  using value_type       = Affine;
  using result_view_type = Kokkos::View<Affine, Space, Kokkos::MemoryUnmanaged>;
  Affine* result;
  KOKKOS_FUNCTION explicit Compose(Affine& r) : result(&r) {}
  KOKKOS_FUNCTION void join(Affine& to, Affine const& from) const { to.then(from); }
  KOKKOS_FUNCTION void init(Affine& value) const { value = Affine::identity(); }
  KOKKOS_FUNCTION Affine& reference() const { return *result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

template <Kind kind, class ExecSpace>
void compositions_are_in_order(ExecSpace const& space) {
  int const n = 100;
  for (int team_size : team_sizes(space)) {
    Kokkos::View<Affine*, ExecSpace> out("out", n), total("total", 1);
    Kokkos::parallel_for(
        TeamPolicy<ExecSpace>(space, 1, team_size, 4), KOKKOS_LAMBDA(Member<ExecSpace> const& team) {
          if (kind == Kind::thread_vector && team.team_rank() != team.team_size() - 1) return;
          Affine all;
          Kokkos::parallel_scan(
              range_of<kind>(team, n),
              [&](int i, Affine& update, bool final) {
                if (final) out(i) = update;
                update.then(Affine::of(i));
              },
              Compose<typename ExecSpace::memory_space>(all));
          Kokkos::single(Kokkos::PerThread(team), [&] {
            if (team.team_rank() == team.team_size() - 1) total(0) = all;
          });
        });
    space.fence();
    Affine expected = Affine::identity();
    auto const scan = elements_on_host(out);
    for (int i = 0; i < n; ++i) {
      ASSERT_TRUE(scan[i].a == expected.a && scan[i].b == expected.b) << i << ", team size " << team_size;
      expected.then(Affine::of(i));
    }
    auto const all = elements_on_host(total)[0];
    EXPECT_TRUE(all.a == expected.a && all.b == expected.b) << team_size;
  }
}

TYPED_TEST(NestedScanTest, JoinsInOrder) {
  compositions_are_in_order<Kind::team_thread>(team_of_four<TypeParam>());
  compositions_are_in_order<Kind::team_vector>(team_of_four<TypeParam>());
  compositions_are_in_order<Kind::thread_vector>(team_of_four<TypeParam>());
}

/// A functor with a generic call operator declares its value type.
template <class ExecSpace>
struct GenericBody {
  using value_type = int;
  Kokkos::View<int*, ExecSpace> out;
  template <class Update>
  KOKKOS_FUNCTION void operator()(int i, Update& update, bool final) const {
    update += 2;
    if (final) out(i) = update;
  }
};

template <class ExecSpace>
void functor_names_its_value(ExecSpace const& space) {
  GenericBody<ExecSpace> const body{Kokkos::View<int*, ExecSpace>("out", 10)};
  on_teams(
      space, 1, 1,
      KOKKOS_LAMBDA(Member<ExecSpace> const& team) { Kokkos::parallel_scan(ThreadVectorRange(team, 10), body); });
  EXPECT_EQ(elements_on_host(body.out), (std::vector<int>{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}));
}

TYPED_TEST(NestedScanTest, TakesAFunctorThatNamesItsValue) { functor_names_its_value(team_of_four<TypeParam>()); }

}  // namespace
