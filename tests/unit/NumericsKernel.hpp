// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_NUMERICS_KERNEL_HPP
#define KOKKOS_TEST_NUMERICS_KERNEL_HPP

/// \file
/// Runs a function object in a kernel and copies its results back, for the tests of numerics.

#include "TestSpaces.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace Kokkos::Testing {

/// `f(i)` for i in [0, n), evaluated in one kernel of Space. \pre F and its results are trivially copyable
template <class Space, class F, class Result = std::decay_t<std::invoke_result_t<F const&, int>>>
std::vector<Result> evaluate(int n, F const& f) {
  Kokkos::View<Result*, Space> results("results", n);
  Kokkos::parallel_for("evaluate", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { results(i) = f(i); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  std::vector<Result> copy(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) copy[static_cast<std::size_t>(i)] = host(i);
  return copy;
}

/// `f(arguments[i])` for each argument, evaluated in one kernel of Space.
template <class Space, class F, class T, class Result = std::decay_t<std::invoke_result_t<F const&, T const&>>>
std::vector<Result> evaluate_at(std::vector<T> const& arguments, F const& f) {
  Kokkos::View<T*, Space> at("arguments", arguments.size());
  auto host = Kokkos::create_mirror_view(at);
  for (std::size_t i = 0; i < arguments.size(); ++i) host(i) = arguments[i];
  Kokkos::deep_copy(at, host);
  return evaluate<Space>(static_cast<int>(arguments.size()), [=] KOKKOS_IMPL_HOST_DEVICE(int i) { return f(at(i)); });
}

}  // namespace Kokkos::Testing

#endif
