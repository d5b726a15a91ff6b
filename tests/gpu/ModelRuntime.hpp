// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GPU_MODEL_RUNTIME_HPP
#define KOKKOS_TEST_GPU_MODEL_RUNTIME_HPP

/// \file
/// The HIP model under the names that GPU/ uses, as far as the headers in the patches require it: independent of
/// Kokkos.

#include <impl/GPU/portable/Kokkos_GPU_ValueStep.hpp>
#include <hip_model.hpp>
#include <hip_model_rocm6.hpp>

#define KOKKOS_IMPL_GPU_VENDOR(name) hip##name
#include <impl/GPU/portable/Kokkos_GPU_VendorCalls.hpp>

#include <cstddef>

struct ModelRuntime : Kokkos::Impl::GPUVendorCalls {
  using ValueStep = Kokkos::Impl::GPUValueStep;

  static constexpr char const* vendor = "HIP";

  static error_t launch_host_function(stream_t s, void (*f)(void*), void* argument) {
    return hipLaunchHostFunc(s, f, argument);
  }
  static error_t stream_values(stream_t s, ValueStep const* steps, int n) {
    for (int i = 0; i < n; ++i) {
      error_t const error =
          steps[i].what == ValueStep::write
              ? hipStreamWriteValue32(s, steps[i].word, steps[i].value, 0)
              : hipStreamWaitValue32(s, steps[i].word, steps[i].value, hipStreamWaitValueGte, 0xffffffffu);
      if (error != hipSuccess) return error;
    }
    return hipSuccess;
  }
  static error_t malloc_pinned(void** p, std::size_t n) {
    return hipHostMalloc(p, n, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
  }
  static error_t free_pinned(void* p) { return hipHostFree(p); }
  static error_t register_host(void* p, std::size_t n) {
    return hipHostRegister(p, n, hipHostRegisterPortable | hipHostRegisterMapped);
  }
  static error_t unregister_host(void* p) { return hipHostUnregister(p); }
};

#endif
