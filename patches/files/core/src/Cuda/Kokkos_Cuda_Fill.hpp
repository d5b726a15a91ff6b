// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_FILL_HPP
#define KOKKOS_CUDA_FILL_HPP

/// \file
/// Fills memory that a device can access with a value.

#include <Cuda/Kokkos_Cuda.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Writes `count` adjacent copies of the `bytes` bytes at `value` to `dst`, in the order of `where`, without waiting.
/// `value` is read before the call returns. If all bytes of the value are equal, cudaMemset fills the memory, otherwise
/// a kernel. \throws std::runtime_error if a call of CUDA fails
void fill_with_cuda(Cuda const& where, void* dst, std::size_t count, void const* value, std::size_t bytes);

}  // namespace Kokkos::Impl

#endif
