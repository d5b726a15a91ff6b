// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_FILL_HPP
#define KOKKOS_HIP_FILL_HPP

/// \file
/// Fills memory of any kind with a value.

#include <HIP/Kokkos_HIP.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Writes `count` adjacent copies of the `bytes` bytes at `value` to `dst`, in the order of `where`, without waiting.
/// `value` is read before the call returns. Memory that HIP allocated or registered is filled by hipMemset if all bytes
/// of the value are equal. Memory of malloc is filled by a kernel, or by a host function if the device cannot access
/// it.
/// \throws std::runtime_error if a call of HIP fails
void fill_with_hip(HIP const& where, void* dst, std::size_t count, void const* value, std::size_t bytes);

}  // namespace Kokkos::Impl

#endif
