// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_MODES_HPP
#define KOKKOS_TEST_HIP_MODEL_MODES_HPP

/// \file
/// What ROCm does beyond the documentation, switched on by a test or by the environment.

#include "../hip_model.hpp"

namespace hip_model {

/// Guarded by Scheduler::lock. At first what HIP_MODEL_AS_ROCM, HIP_MODEL_ONE_KERNEL, HIP_MODEL_QUEUES,
/// HIP_MODEL_LOCKED_STREAMS and HIP_MODEL_SIGNAL_MEMORY ask for.
Modes& current_modes();

}  // namespace hip_model

#endif
