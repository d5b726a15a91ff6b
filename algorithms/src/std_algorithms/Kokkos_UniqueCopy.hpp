// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_UNIQUE_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_UNIQUE_COPY_HPP

/// \file
/// unique_copy: copies the first of each group of consecutive equal elements; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

/// Whether a group of equal elements starts here.
template <class In, class P>
struct BeginsGroup {
  In in;
  P equal;
  KOKKOS_FUNCTION bool operator()(Distance i) const { return i == 0 || !equal(in[i - 1], in[i]); }
};

struct UniqueCopy {
  template <class Place, class In, class Out, class P = Equal>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, P const& equal = {}) {
    return Algorithms::select_into(place, first, last - first, out, BeginsGroup<In, P>{first, equal});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(unique_copy, UniqueCopy)

#endif
