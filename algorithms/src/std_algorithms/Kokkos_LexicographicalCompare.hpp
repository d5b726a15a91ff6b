// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_LEXICOGRAPHICAL_COMPARE_HPP
#define KOKKOS_STD_ALGORITHMS_LEXICOGRAPHICAL_COMPARE_HPP

/// \file
/// lexicographical_compare: whether the first range comes before the second one in lexicographical order.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

/// For each position with a difference: twice the position if the first range comes before the second there, plus one
/// if it comes after. The minimum decides, without another comparison of elements.
template <class In1, class In2, class Compare>
struct FindOrder {
  using cost = CheapWith<In1, In2, Compare>;
  In1 in1;
  In2 in2;
  Compare less;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& found) const {
    if (2 * i >= found) return;
    if (less(in1[i], in2[i]))
      found = 2 * i;
    else if (less(in2[i], in1[i]))
      found = 2 * i + 1;
  }
  void stretch(Stretch positions, Distance& found) const {
    Distance const first = Algorithms::first_match(positions, [this](Distance i) {
      bool const before = less(in1[i], in2[i]), after = less(in2[i], in1[i]);
      return before | after;
    });
    if (first < positions.end) (*this)(first, found);
  }
};

struct LexicographicalCompare {
  static constexpr Takes takes = Takes::ranges;
  template <class Place, class It1, class It2, class C = Less>
  KOKKOS_FUNCTION static auto run(Place const& place, It1 first1, It1 last1, It2 first2, It2 last2,
                                  C const& less = {}) {
    Distance const n1 = last1 - first1, n2 = last2 - first2, n = n1 < n2 ? n1 : n2;
    Distance const found = place.reduce(n, FindOrder<It1, It2, C>{first1, first2, less}, LeastJoin());
    return found < 2 * n ? found % 2 == 0 : n1 < n2;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(lexicographical_compare, LexicographicalCompare)

#endif
