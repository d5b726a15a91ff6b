// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_SEARCH_N_HPP
#define KOKKOS_STD_ALGORITHMS_SEARCH_N_HPP

/// \file
/// search_n: the first position of `count` consecutive elements that are equal to the value; the last position if there
/// is none.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

/// A range of equal values.
template <class T>
struct Repeated {
  T value;
  KOKKOS_FUNCTION T const& operator[](Distance) const { return value; }
};

struct SearchN {
  template <class Place, class It, class Size, class T, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, Size count, T const& value,
                                  P const& equal = {}) {
    Distance const length = static_cast<Distance>(count), places = last - first - length + 1;
    if (length <= 0) return first;
    if (places <= 0) return last;
    using Value = Repeated<T>;
    Distance const found =
        Algorithms::find_first(place, places, MatchesAt<It, Value, P>{first, Value{value}, length, equal});
    return found < places ? first + found : last;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(search_n, SearchN)

#endif
