// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_BYTES_HPP
#define KOKKOS_COPY_BYTES_HPP

/// \file
/// memcpy for code that runs on devices, too.

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstring>

namespace Kokkos::Impl {

/// Copies `bytes` bytes between objects that do not overlap. On AMD GPUs the headers of HIP define memcpy as a loop over
/// bytes, after which the compiler keeps the copied value as single bytes in registers: a reduction of doubles in a
/// team then takes twice the instructions.
KOKKOS_FORCEINLINE_FUNCTION void copy_bytes(void* to, void const* from, std::size_t bytes) {
#if defined(__clang__)
  __builtin_memcpy(to, from, bytes);
#else
  memcpy(to, from, bytes);
#endif
}

}  // namespace Kokkos::Impl

#endif
