// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_CONSTANT_SIZE_HPP
#define KOKKOS_COPY_CONSTANT_SIZE_HPP

/// \file
/// Element sizes as compile-time constants of a loop.

#include <bit>
#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// Whether with_constant_size passes this size as a constant.
constexpr bool has_constant_size(std::size_t bytes) { return bytes <= 16 && std::has_single_bit(bytes); }

/// Calls f(std::integral_constant<std::size_t, bytes>) for the sizes of arithmetic types and complex numbers, for which
/// specialised loops are worthwhile, and f(bytes) for other sizes.
template <class F>
void with_constant_size(std::size_t bytes, F const& f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>());
    case 2:
      return f(std::integral_constant<std::size_t, 2>());
    case 4:
      return f(std::integral_constant<std::size_t, 4>());
    case 8:
      return f(std::integral_constant<std::size_t, 8>());
    case 16:
      return f(std::integral_constant<std::size_t, 16>());
    default:
      return f(bytes);
  }
}

}  // namespace Kokkos::Impl

#endif
