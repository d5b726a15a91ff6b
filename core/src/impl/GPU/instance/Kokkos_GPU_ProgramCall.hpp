// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PROGRAM_CALL_HPP
#define KOKKOS_GPU_PROGRAM_CALL_HPP

/// \file
/// Checks for calls of a GPU runtime that a program makes through KOKKOS_IMPL_CUDA_SAFE_CALL or
/// KOKKOS_IMPL_HIP_SAFE_CALL.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <string>

namespace Kokkos::Impl {

/// Throws GPUError unless `error` is success. The message states the call, its source location, and the runtime's
/// error.
template <class Runtime>
void check_program_call(typename Runtime::error_t error, char const* call, char const* file, int line) {
  if (error == Runtime::success) return;
  Runtime::clear_last_error();
  throw GPUError(std::string(file) + ':' + std::to_string(line) + ": " + call +
                     " failed: " + Impl::gpu_error_text<Runtime>(error) + '.',
                 static_cast<int>(error));
}

}  // namespace Kokkos::Impl

#endif
