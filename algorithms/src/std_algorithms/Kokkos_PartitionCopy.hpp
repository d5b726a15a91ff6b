// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_PARTITION_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_PARTITION_COPY_HPP

/// \file
/// partition_copy: copies elements that satisfy the predicate to one range and the others to another, in order; returns
/// the ends of both.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>

namespace Kokkos::Impl::Algorithms {

template <class In, class OutTrue, class OutFalse, class P>
struct PartitionBody {
  In in;
  OutTrue out_true;
  OutFalse out_false;
  P predicate;
  KOKKOS_FUNCTION void operator()(Distance i, Distance& trues, bool final) const {
    bool const is_true = predicate(in[i]);
    if (final) {
      if (is_true)
        out_true[trues] = in[i];
      else
        out_false[i - trues] = in[i];
    }
    if (is_true) ++trues;
  }
};

struct PartitionCopy {
  template <class Place, class In, class OutTrue, class OutFalse, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, OutTrue out_true, OutFalse out_false,
                                  P const& predicate) {
    using Body           = PartitionBody<In, OutTrue, OutFalse, P>;
    Distance const trues = place.scan(last - first, Body{first, out_true, out_false, predicate}, CountJoin());
    place.finish();
    return pair<OutTrue, OutFalse>(out_true + trues, out_false + (last - first - trues));
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(partition_copy, PartitionCopy)

#endif
