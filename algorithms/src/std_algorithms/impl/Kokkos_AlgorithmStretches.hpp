// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_STRETCHES_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_STRETCHES_HPP

/// \file
/// Searches in a stretch of neighbouring positions by one thread of a host.
///
/// No compiler makes vectors of a loop that ends at the first match. So the positions are divided into blocks, and all
/// positions of a block are tested without an exit. Only a block in which one passes is visited position by position.

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Kokkos::Impl::Algorithms {

using Distance = std::ptrdiff_t;

/// Enough for four vectors of doubles; g++ replaces a loop of half this length by scalar instructions.
inline constexpr int block_length = 32;

/// Whether a position of the block that begins at i passes the test.
template <class Test>
KOKKOS_IMPL_FORCEINLINE bool passes_in_block(Distance i, Test const& test) {
  // An int, because g++ makes no vectors of a loop that updates a bool.
  int passes = 0;
  for (int k = 0; k < block_length; ++k) passes |= test(i + k) ? 1 : 0;
  return passes != 0;
}
/// A test may replace it by a faster one, `may_pass_in_block(i)`, which may also be true if no position passes.
template <class Test>
  requires requires(Test const& test, Distance i) { test.may_pass_in_block(i); }
KOKKOS_IMPL_FORCEINLINE bool passes_in_block(Distance i, Test const& test) {
  return test.may_pass_in_block(i);
}

enum class Visit { no_match, match, last_match };

/// Calls visit(i) for positions of the stretch in ascending order: for all that pass the test at that time, and for
/// others. A call returns whether its position passes, and may change the results of the test, or end the loop.
///
/// Blocks are tested as a whole only after one without a match. So a search that ends early does little more than the
/// tests up to its end, and one that finds a match everywhere, such as the maximum of ascending numbers, tests each
/// position once.
template <class Test, class Call>
KOKKOS_IMPL_FORCEINLINE void visit_matches(Stretch positions, Test const& test, Call const& visit) {
  Distance i = positions.begin;
  while (i < positions.end) {
    Distance const stop = positions.end - i < block_length ? positions.end : i + block_length;
    bool found          = false;
    for (; i < stop; ++i) {
      Visit const result = visit(i);
      if (result == Visit::last_match) return;
      if (result == Visit::match) found = true;
    }
    if (found) continue;
    while (positions.end - i >= block_length && !Algorithms::passes_in_block(i, test)) i += block_length;
  }
}

/// Makes the compiler branch to this place: a conditional move instead would let each iteration wait for the value of
/// the one before it, where a processor predicts the branch.
KOKKOS_IMPL_FORCEINLINE void keep_branch() { __asm__ volatile(""); }

/// The first position that passes; the end if none does.
template <class Test>
KOKKOS_IMPL_FORCEINLINE Distance first_match(Stretch positions, Test const& test) {
  Distance found = positions.end;
  Algorithms::visit_matches(positions, test, [&](Distance i) {
    if (!test(i)) return Visit::no_match;
    found = i;
    return Visit::last_match;
  });
  return found;
}

/// A test of the position at the same distance before `last`.
template <class Test>
struct Mirrored {
  Test const& test;
  Distance last;
  bool operator()(Distance i) const { return test(last - i); }
  bool may_pass_in_block(Distance i) const { return Algorithms::passes_in_block(last - i - (block_length - 1), test); }
};

/// The last position that passes; the position before the stretch if none does.
template <class Test>
KOKKOS_IMPL_FORCEINLINE Distance last_match(Stretch positions, Test const& test) {
  Distance const last = positions.end - 1;
  return last - Algorithms::first_match({0, positions.end - positions.begin}, Mirrored<Test>{test, last});
}

}  // namespace Kokkos::Impl::Algorithms

#endif
