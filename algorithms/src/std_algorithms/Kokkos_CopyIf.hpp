// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_COPY_IF_HPP
#define KOKKOS_STD_ALGORITHMS_COPY_IF_HPP

/// \file
/// copy_if: copies the elements that satisfy the predicate, in order; returns the end of the copies.

#include <std_algorithms/impl/Kokkos_AlgorithmCalls.hpp>
#include <std_algorithms/impl/Kokkos_VendorSelect.hpp>

#include <type_traits>

namespace Kokkos::Impl::Algorithms {

template <class Vendor, class In, class Out, class P>
struct CopyIfByVendor {
  In first;
  Distance n;
  Out out;
  P const& predicate;

  template <class ExecSpace>
  Distance operator()(std::string const& label, ExecSpace const& exec) const {
    return n == 0
               ? 0
               : Vendor::copy_if(label, exec, Algorithms::pointer_of(first), n, Algorithms::pointer_of(out), predicate);
  }
};

struct CopyIf {
  template <class Place, class In, class Out, class P>
  KOKKOS_FUNCTION static auto run(Place const& place, In first, In last, Out out, P const& predicate) {
    if constexpr (!Place::is_team && is_contiguous_v<In> && is_contiguous_v<Out> &&
                  std::is_same_v<element_t<In>, element_t<Out>>) {
      using Vendor = VendorSelect<typename Place::execution_space>;
      if constexpr (Vendor::template serves<element_t<In>, P>)
        return out + place.call(CopyIfByVendor<Vendor, In, Out, P>{first, last - first, out, predicate});
    }
    return Algorithms::select_into(place, first, last - first, out, Transformed<In, P>{first, predicate});
  }
};

}  // namespace Kokkos::Impl::Algorithms

KOKKOS_IMPL_STD_ALGORITHM(copy_if, CopyIf)

#endif
