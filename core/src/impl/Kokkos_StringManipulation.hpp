// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_KOKKOS_STRINGMANIPULATION_HPP
#define KOKKOS_IMPL_KOKKOS_STRINGMANIPULATION_HPP

/// \file
/// Functions of <cstring> that kernels and constant expressions can call, for programs that take them from Kokkos::Impl;
/// the library itself does not use them. Lengths do not count the null character at the end.

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// As std::strlen.
KOKKOS_INLINE_FUNCTION constexpr std::size_t strlen(char const* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

/// As std::strncmp: characters are compared as unsigned.
KOKKOS_INLINE_FUNCTION constexpr int strncmp(char const* a, char const* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
    if (a[i] == '\0') return 0;
  }
  return 0;
}

/// As std::strcmp.
KOKKOS_INLINE_FUNCTION constexpr int strcmp(char const* a, char const* b) {
  return Impl::strncmp(a, b, ~std::size_t(0));
}

/// As std::strcpy.
KOKKOS_INLINE_FUNCTION constexpr char* strcpy(char* to, char const* from) {
  std::size_t i = 0;
  do {
    to[i] = from[i];
  } while (from[i++] != '\0');
  return to;
}

/// As std::strncpy: fills the rest of `count` characters with null characters, and ends with none if there is no rest.
KOKKOS_INLINE_FUNCTION constexpr char* strncpy(char* to, char const* from, std::size_t count) {
  std::size_t i = 0;
  for (; i < count && from[i] != '\0'; ++i) to[i] = from[i];
  for (; i < count; ++i) to[i] = '\0';
  return to;
}

/// As std::strcat.
KOKKOS_INLINE_FUNCTION constexpr char* strcat(char* to, char const* from) {
  Impl::strcpy(to + Impl::strlen(to), from);
  return to;
}

/// As std::strncat: appends at most `count` characters, and a null character after them.
KOKKOS_INLINE_FUNCTION constexpr char* strncat(char* to, char const* from, std::size_t count) {
  char* const end = to + Impl::strlen(to);
  std::size_t i   = 0;
  for (; i < count && from[i] != '\0'; ++i) end[i] = from[i];
  end[i] = '\0';
  return to;
}

}  // namespace Kokkos::Impl

#endif
