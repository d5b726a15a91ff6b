// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_FILL_HPP
#define KOKKOS_HIP_FILL_HPP

/// \file
/// Overwrites memory with a value, whatever memory it is.

#include <HIP/Kokkos_HIP.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Writes `count` copies of the `bytes` bytes at `value` to `dst`, one after the other, in the order of `where`, and
/// waits for nothing. `value` is read before the call returns. Memory that HIP knows is filled by hipMemset where the
/// value allows it; memory of malloc by a kernel, or, if the device does not reach it, by a function on the host.
/// \throws std::runtime_error if HIP refuses
void fill_with_hip(HIP const& where, void* dst, std::size_t count, void const* value, std::size_t bytes);

}  // namespace Kokkos::Impl

#endif
