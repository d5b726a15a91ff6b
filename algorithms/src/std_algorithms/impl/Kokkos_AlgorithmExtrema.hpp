// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_ALGORITHM_EXTREMA_HPP
#define KOKKOS_STD_ALGORITHMS_ALGORITHM_EXTREMA_HPP

/// \file
/// The best of neighbouring numbers, found by one thread of a host.
///
/// A loop that keeps the position of the best number so far needs a branch or waits for the iteration before it. So this
/// one keeps only values, one in each lane, which compilers keep in vectors. It remembers which block of positions
/// changed the best value last, and searches for the position there at the end. The time does not depend on the order of
/// the numbers.

#include <std_algorithms/impl/Kokkos_AlgorithmStretches.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmVectors.hpp>

#include <type_traits>

namespace Kokkos::Impl::Algorithms {

/// A join whose positions BestNumber can compare: of numbers that are neighbours in memory.
template <class Join>
inline constexpr bool joins_numbers_v = is_contiguous_v<decltype(Join::in)> && std::is_arithmetic_v<typename Join::T> &&
                                        !std::is_same_v<typename Join::T, bool>;

/// The best number of a growing stretch. `Join` is a BestJoin.
template <class Join>
class BestNumber {
  using T        = typename Join::T;
  using Position = typename Join::value_type;

 public:
  static constexpr int longest_block = 512;

  BestNumber(Join const& join, Distance first)
      : m_join(join), m_best(join.in[first]), m_before(m_best), m_block{first, first + 1} {}

  /// Adds the positions after those so far, at most `longest_block` of them.
  KOKKOS_IMPL_FORCEINLINE void add(Stretch block) {
    T const best = best_of(block);
    if (!m_join.is_better(best, m_best)) return;
    m_before = m_best;
    m_best   = best;
    m_block  = block;
  }

  /// The position of the best number.
  Position get() const {
    // A number that is not a number is not better than the best one before the block.
    auto const is_best = [this](Distance i) {
      T const x          = m_join.in[i];
      bool const changes = m_join.is_better(x, m_before), is_worse = m_join.better(m_best, x);
      return changes & !is_worse;
    };
    Distance at;
    if constexpr (Join::takes_last) {
      at = Algorithms::last_match(m_block, is_best);
    } else {
      at = Algorithms::first_match(m_block, is_best);
    }
    bool const is_found = m_block.begin <= at && at < m_block.end;
    return Position::of(m_join.in, is_found ? at : m_block.begin);
  }

 private:
  // g++ replaces a loop over fewer lanes by scalar instructions.
  static constexpr int lane_count = sizeof(T) < 4 ? static_cast<int>(128 / sizeof(T)) : 32;

  KOKKOS_IMPL_FORCEINLINE T better_of(T const& before, T const& x) const {
    return m_join.is_better(x, before) ? x : before;
  }

  /// The best of the block's numbers; `m_best` or, if the last of equal ones is chosen, one of the block in any case.
  KOKKOS_IMPL_FORCEINLINE T best_of(Stretch block) const {
    auto const* const x = Algorithms::pointer_of(m_join.in);
    Distance i          = block.begin;
    T best              = m_best;
    if constexpr (Join::takes_last) best = x[i];
    if (block.end - i >= lane_count) {
      T lanes[static_cast<std::size_t>(lane_count)];
      for (int lane = 0; lane < lane_count; ++lane) lanes[lane] = Join::takes_last ? x[i + lane] : best;
      for (; block.end - i >= lane_count; i += lane_count)
        for (int lane = 0; lane < lane_count; ++lane) lanes[lane] = better_of(lanes[lane], x[i + lane]);
      for (int half = lane_count / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) lanes[lane] = better_of(lanes[lane], lanes[lane + half]);
      best = better_of(best, lanes[0]);
    }
    for (; i < block.end; ++i) best = better_of(best, x[i]);
    return best;
  }

  Join const& m_join;
  T m_best, m_before;  // m_before: the best number before m_block
  Stretch m_block;
};

/// Calls add(block) for neighbouring blocks of the stretch.
template <class Add>
KOKKOS_IMPL_FORCEINLINE void for_blocks(Stretch positions, Distance longest, Add const& add) {
  for (Distance i = positions.begin; i < positions.end; i += longest)
    add(Stretch{i, positions.end - i < longest ? positions.end : i + longest});
}

}  // namespace Kokkos::Impl::Algorithms

#endif
