// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <runtime/Kokkos_KernelLabel.hpp>

namespace Kokkos::Impl {
constinit thread_local const char* kernel_label = nullptr;
constinit thread_local bool kernels_are_recorded = false;
}
