// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_ELEMENTS_HPP
#define KOKKOS_TEST_ELEMENTS_HPP

/// \file
/// Numbers the elements of a view by their indices, and counts elements with wrong numbers. Runs in the view's
/// execution space, so it does not test copies.

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace Kokkos::Testing {

/// The element with number i, counted with the last index as the fastest, for every layout.
template <class ViewType>
KOKKOS_FUNCTION typename ViewType::reference_type element_number(ViewType const& view, std::size_t i) {
  std::size_t index[8] = {};
  for (std::size_t r = ViewType::rank(); r > 0; --r) {
    index[r - 1] = i % view.extent(r - 1);
    i /= view.extent(r - 1);
  }
  return view.access(index[0], index[1], index[2], index[3], index[4], index[5], index[6], index[7]);
}

/// Sets element number i to `first + i`.
template <class ViewType>
void number_elements(ViewType const& view, int first = 0) {
  using T     = typename ViewType::value_type;
  using Space = typename ViewType::execution_space;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, view.size()),
      KOKKOS_LAMBDA(int i) { element_number(view, i) = static_cast<T>(first + i); });
  Space().fence();
}

/// Number of elements that differ from `first + i * step`.
template <class ViewType>
int count_other_numbers(ViewType const& view, int first = 0, int step = 1) {
  using T     = typename ViewType::non_const_value_type;
  using Space = typename ViewType::execution_space;
  int wrong   = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, view.size()),
      KOKKOS_LAMBDA(int i, int& sum) { sum += !(element_number(view, i) == static_cast<T>(first + i * step)); }, wrong);
  return wrong;
}

/// Number of elements that differ from `value`.
template <class ViewType>
int count_other_values(ViewType const& view, int value) {
  return count_other_numbers(view, value, 0);
}

}  // namespace Kokkos::Testing

#endif
