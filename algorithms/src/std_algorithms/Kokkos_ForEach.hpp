// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_FOR_EACH_HPP
#define KOKKOS_STD_ALGORITHMS_FOR_EACH_HPP

/// \file
/// for_each: calls f(x) for each element.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class In, class F>
struct CallWith {
  In in;
  F f;
  KOKKOS_FUNCTION void operator()(Distance i) const { f(in[i]); }
};

struct ForEach {
  template <class Place, class It, class F>
  KOKKOS_FUNCTION static auto run(Place const& place, It first, It last, F const& f) {
    place.each(last - first, CallWith<It, F>{first, f});
    place.finish();
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(for_each, ForEach)

#endif
