// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_CONSTRUCT_ELEMENTS_HPP
#define KOKKOS_VIEW_CONSTRUCT_ELEMENTS_HPP

/// \file
/// Constructs elements in ascending order on the calling thread, and tells which elements begin as zero bytes.

#include <cstddef>
#include <new>
#include <type_traits>

namespace Kokkos::Impl {

/// Whether T() is nothing but zero bytes. Not for pointers to members: their null value has other bits.
template <class T>
inline constexpr bool initial_bytes_are_zero_v = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

/// Constructs T() at first, ..., first + n - 1. If a constructor throws, destroys the elements that exist, the last one
/// first.
template <class T>
void construct_sequentially(T* first, std::size_t n) {
  std::size_t i = 0;
  try {
    for (; i < n; ++i) ::new (static_cast<void*>(first + i)) T();
  } catch (...) {
    while (i > 0) first[--i].~T();
    throw;
  }
}

}  // namespace Kokkos::Impl

#endif
