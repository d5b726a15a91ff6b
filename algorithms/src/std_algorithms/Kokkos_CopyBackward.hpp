// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_COPY_BACKWARD_HPP
#define KOKKOS_STD_ALGORITHMS_COPY_BACKWARD_HPP

/// \file
/// copy_backward: copies the range to where the destination ends; returns the begin of the copies. The two must not
/// overlap.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

struct CopyBackward {
  static constexpr char const* name = "copy_backward";
  static constexpr Takes takes      = Takes::range_to_end;
  template <class Place, class In, class Out>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out_last) {
    Out const out = out_last - (last - first);
    assign(place, out, last - first, Element<In>{first});
    return out;
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(copy_backward, CopyBackward)

#endif
