// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MIN_ELEMENT_HPP
#define KOKKOS_STD_ALGORITHMS_MIN_ELEMENT_HPP

/// \file
/// min_element: the first of the smallest elements; the last position for an empty range.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/impl/Kokkos_AlgorithmExtrema.hpp>

namespace Kokkos::Impl::Algorithms {

/// A position and, if `KeepsValue`, a copy of its element, so that joins load nothing; -1 is no position.
template <class In, bool KeepsValue>
struct Candidate {
  Distance at = -1;
  KOKKOS_FUNCTION static Candidate of(In const&, Distance i) { return {i}; }
  KOKKOS_FUNCTION decltype(auto) value(In const& in) const { return in[at]; }
};
template <class In>
struct Candidate<In, true> {
  Distance at = -1;
  element_t<In> copy{};
  KOKKOS_FUNCTION static Candidate of(In const& in, Distance i) { return {i, in[i]}; }
  KOKKOS_FUNCTION element_t<In> const& value(In const&) const { return copy; }
};

/// Positions are compared by their elements; among equal ones the first is chosen, or the last.
template <class In, class Compare, bool TakesLast>
struct BestJoin {
  static constexpr bool takes_last = TakesLast;

  using cost       = CheapWith<In, Compare>;
  using T          = element_t<In>;
  using value_type = Candidate<In, std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                                       !std::is_volatile_v<T> && sizeof(T) <= 16>;
  In in;
  Compare better;
  KOKKOS_FUNCTION void init(value_type& value) const { value = value_type(); }
  KOKKOS_FUNCTION void join(value_type& into, value_type const& from) const {
    if (from.at >= 0) add(into, from);
  }
  /// Joins a candidate that has a position. Numbers are compared without branches: behind a branch that depends on
  /// the element before, a GPU's thread would wait for each load before it starts the next one.
  KOKKOS_FUNCTION void add(value_type& into, value_type const& from) const {
    if constexpr (std::is_arithmetic_v<T> && requires { into.copy; }) {
      bool const is_first = into.at < 0;
      T const a = from.copy, b = is_first ? a : into.copy;  // the program's comparison gets elements only
      bool const wins = better(a, b), loses = better(b, a), ties = TakesLast ? from.at > into.at : from.at < into.at;
      bool const is_taken = is_first | wins | (ties & !loses);
      into.at             = is_taken ? from.at : into.at;
      into.copy           = is_taken ? a : b;
    } else {
      if (into.at < 0 || is_better(from, into)) into = from;
    }
  }
  KOKKOS_FUNCTION bool is_better(value_type const& a, value_type const& b) const {
    if (better(a.value(in), b.value(in))) return true;
    return (TakesLast ? a.at > b.at : a.at < b.at) && !better(b.value(in), a.value(in));
  }
  /// Whether an element replaces one before it.
  KOKKOS_FUNCTION bool is_better(T const& later, T const& before) const {
    return TakesLast ? !better(before, later) : better(later, before);
  }
  KOKKOS_FUNCTION bool is_replaced(value_type const& by_then, Distance i) const {
    return is_better(in[i], by_then.value(in));
  }
  Visit visit(value_type& by_then, Distance i) const {
    if (!is_replaced(by_then, i)) return Visit::no_match;
    Algorithms::keep_branch();
    by_then = value_type::of(in, i);
    return Visit::match;
  }
};
template <class Join>
struct BestBody {
  using cost = CheapWith<Join>;
  Join join;
  KOKKOS_FUNCTION void operator()(Distance i, typename Join::value_type& update) const {
    join.add(update, Join::value_type::of(join.in, i));
  }
  void stretch(Stretch positions, typename Join::value_type& update) const {
    if (positions.begin >= positions.end) return;
    if constexpr (joins_numbers_v<Join>) {
      BestNumber<Join> best(join, positions.begin);
      Algorithms::for_blocks(positions, best.longest_block, [&](Stretch block) { best.add(block); });
      join.join(update, best.get());
    } else {
      auto best = Join::value_type::of(join.in, positions.begin);
      Algorithms::visit_matches(
          {positions.begin + 1, positions.end}, [&](Distance i) { return join.is_replaced(best, i); },
          [&](Distance i) { return join.visit(best, i); });
      join.join(update, best);
    }
  }
};
/// The position of the best element; `last` for an empty range.
template <bool TakesLast, class Place, class It, class Compare>
KOKKOS_FUNCTION It best_element(Place const& place, It first, It last, Compare const& better) {
  using Join = BestJoin<It, Compare, TakesLast>;
  Join const join{first, better};
  Distance const found = place.reduce(last - first, BestBody<Join>{join}, join).at;
  return found < 0 ? last : first + found;
}

struct MinElement {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    return Algorithms::best_element<false>(place, first, last, less);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(min_element, MinElement)

#endif
