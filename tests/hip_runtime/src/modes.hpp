// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_MODES_HPP
#define KOKKOS_TEST_HIP_MODEL_MODES_HPP

/// \file Undocumented behaviour of ROCm, which a test or the environment switches on.

#include "../hip_model.hpp"

namespace hip_model {

/// Guarded by Scheduler::lock. Initialized from HIP_MODEL_AS_ROCM, HIP_MODEL_ONE_KERNEL, HIP_MODEL_QUEUES,
/// HIP_MODEL_LOCKED_STREAMS, HIP_MODEL_SIGNAL_MEMORY and HIP_MODEL_CAPTURES_AS_CUDA.
Modes& current_modes();

}  // namespace hip_model

#endif
