// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_IS_PARTITIONED_HPP
#define KOKKOS_STD_ALGORITHMS_IS_PARTITIONED_HPP

/// \file
/// is_partitioned: whether all elements that satisfy the predicate come before all that do not.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct PartitionEnds {
  Distance last_true = -1, first_false = Experimental::finite_max_v<Distance>;
};
struct PartitionEndsJoin {
  using value_type = PartitionEnds;
  KOKKOS_FUNCTION void init(PartitionEnds& value) const { value = PartitionEnds(); }
  KOKKOS_FUNCTION void join(PartitionEnds& into, PartitionEnds const& from) const {
    if (into.last_true < from.last_true) into.last_true = from.last_true;
    if (from.first_false < into.first_false) into.first_false = from.first_false;
  }
};
template <class Test>
struct FindPartitionEnds {
  Test test;
  KOKKOS_FUNCTION void operator()(Distance i, PartitionEnds& ends) const {
    if (test(i)) {
      if (ends.last_true < i) ends.last_true = i;
    } else if (i < ends.first_false) {
      ends.first_false = i;
    }
  }
  void stretch(Stretch positions, PartitionEnds& ends) const {
    if (positions.begin < ends.first_false) {
      Distance const first = Algorithms::first_match(positions, Not<Test>{test});
      if (first < positions.end && first < ends.first_false) ends.first_false = first;
    }
    if (ends.last_true < positions.end - 1) {
      Distance const last = Algorithms::last_match(positions, test);
      if (last >= positions.begin && ends.last_true < last) ends.last_true = last;
    }
  }
};

struct IsPartitioned {
  template <class Place, class It, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, P const& predicate) {
    PartitionEnds const ends =
        place.reduce(last - first, FindPartitionEnds<Transformed<It, P>>{{first, predicate}}, PartitionEndsJoin());
    return ends.last_true < ends.first_false;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(is_partitioned, IsPartitioned)

#endif
