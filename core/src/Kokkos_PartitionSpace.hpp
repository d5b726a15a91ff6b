// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PARTITION_SPACE_HPP
#define KOKKOS_PARTITION_SPACE_HPP

/// \file
/// partition_space: new instances that share the hardware of an existing one.

#include <Kokkos_Concepts.hpp>

#include <array>
#include <cstddef>
#include <string>  // std::allocator
#include <type_traits>

namespace Kokkos {

namespace Impl {

template <class T>
concept Weight = std::is_arithmetic_v<T>;

/// \throws std::runtime_error if a weight is negative or not finite, or if all are 0
void check_partition_weights(double const* weights, std::size_t count);

// A backend that can divide an instance has impl_partition; for other backends each part is a copy of the instance. A
// backend with instances is not one of these: copies would silently put the work of all parts in one order.
template <class ExecSpace>
void partition(ExecSpace const& space, double const* weights, std::size_t count, ExecSpace* parts) {
  Impl::check_partition_weights(weights, count);
  if constexpr (requires { space.impl_partition(weights, count, parts); }) {
    space.impl_partition(weights, count, parts);
  } else {
    static_assert(
        !requires { space.impl_instance(); },
        "Kokkos::partition_space: the execution space has instances of its own, so it needs "
        "impl_partition(double const* weights, std::size_t count, ExecSpace* parts) const.");
    for (std::size_t i = 0; i < count; ++i) parts[i] = space;
  }
}

template <class ExecSpace, std::size_t N>
std::array<ExecSpace, N> partition_array(ExecSpace const& space, std::array<double, N> const& weights) {
  std::array<ExecSpace, N> parts;
  Impl::partition(space, weights.data(), N, parts.data());
  return parts;
}

}  // namespace Impl

/// Returns one new instance for each weight, each with about that share of the hardware of `space`; a hint.
///
/// Kernels in the new instances are not ordered with each other, nor with those in `space`: a fence of one instance
/// waits for no other. Throws std::runtime_error for weights that are negative, not finite, or all 0, also for a space
/// that ignores them, such as a GPU.
template <ExecutionSpace ExecSpace, Impl::Weight... Weights>
std::array<ExecSpace, sizeof...(Weights)> partition_space(ExecSpace const& space, Weights... weights) {
  return Impl::partition_array(space, std::array<double, sizeof...(Weights)>{static_cast<double>(weights)...});
}

/// Like `partition_space` above, with the weights in an array.
template <ExecutionSpace ExecSpace, Impl::Weight Weight, std::size_t N>
std::array<ExecSpace, N> partition_space(ExecSpace const& space, std::array<Weight, N> const& weights) {
  std::array<double, N> numbers{};
  for (std::size_t i = 0; i < N; ++i) numbers[i] = static_cast<double>(weights[i]);
  return Impl::partition_array(space, numbers);
}

/// Like `partition_space` above, for a number of weights that is only known at run time: a std::vector for a std::vector.
// This header names no std::vector, because <vector> would be a tenth of the time in which a small program compiles with few
// standard headers.
template <ExecutionSpace ExecSpace, template <class, class> class Vector, Impl::Weight Weight>
  requires requires(Vector<Weight, std::allocator<Weight>> const& weights) { weights.capacity(); }
Vector<ExecSpace, std::allocator<ExecSpace>> partition_space(ExecSpace const& space,
                                                             Vector<Weight, std::allocator<Weight>> const& weights) {
  Vector<double, std::allocator<double>> const numbers(weights.begin(), weights.end());
  Vector<ExecSpace, std::allocator<ExecSpace>> parts(numbers.size());
  Impl::partition(space, numbers.data(), numbers.size(), parts.data());
  return parts;
}

namespace Experimental {
using Kokkos::partition_space;
}  // namespace Experimental

}  // namespace Kokkos

#endif
