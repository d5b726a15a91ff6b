// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PARTITION_SPACE_HPP
#define KOKKOS_PARTITION_SPACE_HPP

/// \file
/// partition_space: new instances that share the hardware of an existing one.

#include <Kokkos_Concepts.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace Kokkos {

namespace Impl {

template <class T>
concept Weight = std::is_arithmetic_v<T>;

/// \throws std::runtime_error if a weight is negative or not finite, or if all are 0
void check_partition_weights(std::vector<double> const& weights);

// A backend that can divide an instance has impl_partition; for other backends this returns copies of the instance.
template <class ExecSpace>
std::vector<ExecSpace> partition(ExecSpace const& space, std::vector<double> const& weights) {
  Impl::check_partition_weights(weights);
  if constexpr (requires { space.impl_partition(weights); }) {
    return space.impl_partition(weights);
  } else {
    return std::vector<ExecSpace>(weights.size(), space);
  }
}

template <class ExecSpace, std::size_t... I>
std::array<ExecSpace, sizeof...(I)> partition_array(std::vector<ExecSpace> const& parts, std::index_sequence<I...>) {
  return {{parts[I]...}};
}

}  // namespace Impl

/// Returns one new instance for each weight, each with about that share of the hardware of `space`; a hint.
///
/// Kernels in the new instances are not ordered with each other, nor with those in `space`: a fence of one instance
/// waits for no other. Throws std::runtime_error for weights that are negative, not finite, or all 0, also for a space
/// that ignores them, such as a GPU.
template <ExecutionSpace ExecSpace, Impl::Weight... Weights>
std::array<ExecSpace, sizeof...(Weights)> partition_space(ExecSpace const& space, Weights... weights) {
  return Impl::partition_array(Impl::partition(space, std::vector<double>{static_cast<double>(weights)...}),
                               std::make_index_sequence<sizeof...(Weights)>{});
}

/// Like `partition_space` above, with the weights in an array.
template <ExecutionSpace ExecSpace, Impl::Weight Weight, std::size_t N>
std::array<ExecSpace, N> partition_space(ExecSpace const& space, std::array<Weight, N> const& weights) {
  return Impl::partition_array(Impl::partition(space, std::vector<double>(weights.begin(), weights.end())),
                               std::make_index_sequence<N>{});
}

/// Like `partition_space` above, for a number of weights that is only known at run time.
template <ExecutionSpace ExecSpace, Impl::Weight Weight>
std::vector<ExecSpace> partition_space(ExecSpace const& space, std::vector<Weight> const& weights) {
  return Impl::partition(space, std::vector<double>(weights.begin(), weights.end()));
}

namespace Experimental {
using Kokkos::partition_space;
}  // namespace Experimental

}  // namespace Kokkos

#endif
