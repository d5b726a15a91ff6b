// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a tile of a scan looks back over earlier ones, whatever these have published. In the kernels of the HIP model every
/// earlier tile is complete, because blocks run one after the other; here a second warp plays the other blocks.

#include "../unit/Deadline.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/launch/Kokkos_GPU_LookBack.hpp>

#include <algorithm>
#include <set>

namespace {

using Kokkos::Testing::GPU;
using Own = GPU::runtime_type::intrinsics;

/// The tiles first to last; none if last < first. Joined in the wrong order, or with a gap, they are `broken`.
struct Interval {
  int first, last;
};
/// The same in a type whose state is published after its value.
struct WideInterval {
  int first, last;
  int more[2];
};
constexpr int broken = -7;

template <class T>
KOKKOS_FUNCTION T interval(int first, int last) {
  T made{};
  made.first = first;
  made.last  = last;
  return made;
}

template <class T>
struct Concatenation {
  using value_type = T;
  KOKKOS_FUNCTION void init(T* value) const { *value = interval<T>(1, 0); }
  KOKKOS_FUNCTION void join(T* to, T const* from) const {
    if (from->last < from->first) return;
    if (to->last < to->first)
      *to = *from;
    else if (to->first == broken || from->first != to->last + 1)
      *to = interval<T>(broken, broken);
    else
      to->last = from->last;
  }
  KOKKOS_FUNCTION void final(T*) const {}
};

#ifdef KOKKOS_IMPL_GPU_MODEL
/// As on devices that store a value together with its state.
struct Paired : Own {
  static constexpr bool has_paired_access = true;
  static void store_pair(unsigned long long* p, unsigned long long a, unsigned long long b) { p[0] = a, p[1] = b; }
  static void load_pair(unsigned long long const* p, unsigned long long& a, unsigned long long& b) {
    a = p[0], b = p[1];
  }
};
#endif

/// The results of one tile: the join of all earlier tiles, the join that it has published, and how often it added its own.
template <class T>
struct Answer {
  T prefix, published, total;
  unsigned appended, next;
};

template <class Intrinsics, class T>
struct LookBack {
  using Scan   = Concatenation<T>;
  using Tiles  = Kokkos::Impl::GPUScanTiles<Intrinsics, Scan>;
  using Member = Kokkos::TeamPolicy<GPU>::member_type;

  Kokkos::View<Answer<T>, GPU> answer;
  Tiles tiles;
  int tile;
  int inclusive;  // the latest earlier tile that has published the join of all up to itself; -1 if none has
  bool late;      // whether the others publish only while this one waits

  /// Tiles before the inclusive one are broken, because none of them may be joined.
  KOKKOS_FUNCTION void publish(int other) const {
    bool const is_needed = other >= inclusive;
    T const value        = is_needed ? interval<T>(other == inclusive ? 0 : other, other) : interval<T>(broken, broken);
    auto const state     = other == inclusive || (!is_needed && other % 2 == 0) ? Kokkos::Impl::tile_inclusive
                                                                                : Kokkos::Impl::tile_aggregate;
    KOKKOS_IF_ON_DEVICE((tiles.board.publish(static_cast<unsigned>(other), &value, state);))
  }
  KOKKOS_FUNCTION void publish_all(bool waits) const {
    for (int other = tile - 1; other >= 0; --other) {
      KOKKOS_IF_ON_DEVICE((if (waits) Intrinsics::pause();))
      publish(other);
    }
  }
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const lane = member.impl_vector_rank();
    if (!late && member.team_rank() == 1 && lane == 0) publish_all(false);
    member.team_barrier();
    if (member.team_rank() == 1) {
      if (late && lane == 0) publish_all(true);
    } else {
      T prefix{};
      auto const append = [&](T* value) {
        T const own = interval<T>(tile, tile);
        Scan().join(value, &own);
        ++answer().appended;
      };
      KOKKOS_IF_ON_DEVICE((tiles.look_back(Scan(), static_cast<unsigned>(tile), &prefix, lane, append);))
      if (lane == 0) answer().prefix = prefix;
      KOKKOS_IF_ON_DEVICE(
          (if (lane == 0 && tile + 1 < static_cast<int>(tiles.count)) tiles.board.wait(tile, &answer().published);))
    }
  }
};

template <class Intrinsics, class T>
void expect_all_tiles() {
  constexpr int warp = Intrinsics::warp_size;
  using Kernel       = LookBack<Intrinsics, T>;
  using Board        = typename Kernel::Tiles::Board;
  Kokkos::Testing::Deadline const deadline("a tile still waited for earlier ones");
  for (int const tile : {0, 1, 2, warp - 1, warp, warp + 1, 2 * warp, 2 * warp + 1}) {
    std::set<int> latest;
    for (int const t : {-1, 0, tile / 2, tile - warp - 1, tile - warp, tile - 2, tile - 1})
      if (t >= -1 && t < tile) latest.insert(t);
    for (int const inclusive : latest)
      for (bool const late : {false, true}) {
        bool const is_last   = late == (tile % 2 == 0);  // both for each number of tiles
        unsigned const count = static_cast<unsigned>(tile) + (is_last ? 1 : 2);
        Kokkos::View<unsigned long long*, GPU> const memory("memory", 2 * 256 + 6 * count);
        Kokkos::View<unsigned, GPU> const next("next");
        Kokkos::View<T, GPU> const total("total");
        Kokkos::View<Answer<T>, GPU> const answer("answer");
        Kokkos::deep_copy(next, 5U);
        typename Kernel::Tiles const tiles{
            next.data(), count, Board::at(memory.data(), count), {total.data(), nullptr, 0}};
        Kokkos::parallel_for("tile", Kokkos::TeamPolicy<GPU>(1, 2, warp), Kernel{answer, tiles, tile, inclusive, late});
        Answer<T> found;
        Kokkos::deep_copy(found, answer);
        Kokkos::deep_copy(found.total, total);
        Kokkos::deep_copy(found.next, next);
        auto const of = [&] {
          return testing::Message() << "tile " << tile << " of " << count << ", the latest inclusive one is "
                                    << inclusive << (late ? ", published late" : "");
        };
        EXPECT_EQ(found.prefix.first, tile == 0 ? 1 : 0) << of();
        EXPECT_EQ(found.prefix.last, tile - (tile == 0 ? 0 : 1)) << of();
        EXPECT_EQ(found.appended, 1u) << of();
        EXPECT_EQ(found.next, is_last ? 0u : 5u) << of();
        EXPECT_EQ(found.total.last, is_last ? tile : 0) << of();
        EXPECT_EQ(found.published.last, is_last ? 0 : tile) << of();
        EXPECT_EQ(found.total.first + found.published.first, 0) << of();
      }
  }
}

TEST(ScanTiles, LookBackOverEachState) {
  expect_all_tiles<Own, Interval>();
  expect_all_tiles<Own, WideInterval>();
#ifdef KOKKOS_IMPL_GPU_MODEL
  expect_all_tiles<Paired, Interval>();
#endif
}

}  // namespace
