// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ABORT_HPP
#define KOKKOS_ABORT_HPP

/// \file
/// Kokkos::abort: ends the program, from the host or from a kernel.

#include <Kokkos_Macros.hpp>

#include <cstdio>

namespace Kokkos {

namespace Impl {

/// Writes `message` and a line feed to the standard error stream, flushes, and raises SIGABRT.
[[noreturn]] void host_abort(char const* message) noexcept;

#if KOKKOS_IMPL_DEVICE_PASS || defined(KOKKOS_IMPL_GPU_MODEL)
// A device has only one output stream, which the host prints as standard output.
[[noreturn]] KOKKOS_INLINE_FUNCTION void device_abort(char const* message) {
  ::printf("%s\n", message);
#if defined(__CUDA_ARCH__)
  __trap();
#elif defined(KOKKOS_IMPL_GPU_MODEL)
  hip_model::trap(message);
#else
  __builtin_trap();
#endif
  KOKKOS_IMPL_UNREACHABLE();
}
#endif

}  // namespace Impl

/// Prints `message`, a null-terminated string, and ends the program abnormally. On the host it is printed to the
/// standard error stream. In a kernel on a device it is printed to the device's stream, and the next fence reports the
/// kernel's error.
[[noreturn]] KOKKOS_INLINE_FUNCTION void abort(char const* message) {
  KOKKOS_IF_ON_HOST((Impl::host_abort(message);))
  KOKKOS_IF_ON_DEVICE((Impl::device_abort(message);))
  KOKKOS_IMPL_UNREACHABLE();
}

}  // namespace Kokkos

#endif
