// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PRINTF_HPP
#define KOKKOS_PRINTF_HPP

/// \file
/// Kokkos::printf: formatted output from the host or from a kernel.

#include <Kokkos_Macros.hpp>

#include <cstdio>

namespace Kokkos {

/// Writes to the standard output stream like std::printf. The order of lines from concurrent iterations is unspecified.
template <class... Args>
KOKKOS_INLINE_FUNCTION void printf(char const* format, Args... args) {
  if constexpr (sizeof...(Args) == 0) {
    // C ignores superfluous arguments. This one avoids the compilers' warning that `format` is not a literal, which
    // they emit only for calls without arguments.
    ::printf(format, 0);
  } else {
    ::printf(format, args...);
  }
}

}  // namespace Kokkos

#endif
