// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_REPLACE_COPY_HPP
#define KOKKOS_STD_ALGORITHMS_REPLACE_COPY_HPP

/// \file
/// replace_copy: copies the range, with the new value for elements equal to the old one; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/Kokkos_ReplaceCopyIf.hpp>

namespace Kokkos::Impl::Algorithms {

struct ReplaceCopy {
  template <class Place, class In, class Out, class T>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, T const& old_value,
                                  T const& new_value) {
    return ReplaceCopyIf::run(place, first, last, out, EqualTo<T>{old_value}, new_value);
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(replace_copy, ReplaceCopy)

#endif
