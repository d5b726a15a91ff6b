// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_CLOCKTIC_HPP
#define KOKKOS_IMPL_CLOCKTIC_HPP

/// \file
/// A continuously increasing counter, for seeding random number generators.

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <ctime>

namespace Kokkos::Impl {

inline std::uint64_t host_clock_tic() noexcept {
  std::timespec now;
  return std::timespec_get(&now, TIME_UTC) == 0
             ? 0
             : static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Nanoseconds on the host, processor cycles in a kernel on a GPU.
KOKKOS_INLINE_FUNCTION std::uint64_t clock_tic() noexcept {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(clock64());
#elif KOKKOS_IMPL_DEVICE_PASS
  return static_cast<std::uint64_t>(wall_clock64());
#else
  return host_clock_tic();
#endif
}

}  // namespace Kokkos::Impl

#endif
