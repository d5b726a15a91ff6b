// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_MIN_MAX_ELEMENT_HPP
#define KOKKOS_STD_ALGORITHMS_MIN_MAX_ELEMENT_HPP

/// \file
/// minmax_element: the first of the smallest elements and the last of the largest ones, as a pair.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_MinElement.hpp>

namespace Kokkos::Impl::Algorithms {

/// Two joins in one pass over the elements.
template <class First, class Second>
struct BothJoin {
  using cost = CheapWith<First, Second>;
  struct value_type {
    typename First::value_type first;
    typename Second::value_type second;
  };
  First first;
  Second second;
  KOKKOS_FUNCTION void init(value_type& value) const {
    first.init(value.first);
    second.init(value.second);
  }
  KOKKOS_FUNCTION void join(value_type& into, value_type const& from) const {
    first.join(into.first, from.first);
    second.join(into.second, from.second);
  }
};
template <class Join>
struct BothBody {
  using cost = CheapWith<Join>;
  Join join;
  KOKKOS_FUNCTION void operator()(Distance i, typename Join::value_type& update) const {
    auto const candidate = decltype(update.first)::of(join.first.in, i);
    join.first.add(update.first, candidate);
    join.second.add(update.second, candidate);
  }
  void stretch(Stretch positions, typename Join::value_type& update) const {
    if (positions.begin >= positions.end) return;
    if constexpr (joins_numbers_v<decltype(join.first)>) {
      BestNumber<decltype(join.first)> min(join.first, positions.begin);
      BestNumber<decltype(join.second)> max(join.second, positions.begin);
      Algorithms::for_blocks(positions, min.longest_block, [&](Stretch block) {
        min.add(block);
        max.add(block);
      });
      join.first.join(update.first, min.get());
      join.second.join(update.second, max.get());
      return;
    }
    auto min = decltype(update.first)::of(join.first.in, positions.begin);
    auto max = min;
    Algorithms::visit_matches(
        {positions.begin + 1, positions.end},
        [&](Distance i) {
          bool const is_min = join.first.is_replaced(min, i), is_max = join.second.is_replaced(max, i);
          return is_min | is_max;
        },
        [&](Distance i) {
          Visit const is_min = join.first.visit(min, i), is_max = join.second.visit(max, i);
          return is_min == Visit::match ? is_min : is_max;
        });
    join.first.join(update.first, min);
    join.second.join(update.second, max);
  }
};

struct MinMaxElement {
  template <class Place, class It, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, C const& less = {}) {
    using Join = BothJoin<BestJoin<It, C, false>, BestJoin<It, Reversed<C>, true>>;
    Join const join{{first, less}, {first, {less}}};
    auto const found = place.reduce(last - first, BothBody<Join>{join}, join);
    return pair<It, It>(found.first.at < 0 ? last : first + found.first.at,
                        found.second.at < 0 ? last : first + found.second.at);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(minmax_element, MinMaxElement)

#endif
