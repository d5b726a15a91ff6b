// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VALUE_STEP_HPP
#define KOKKOS_GPU_VALUE_STEP_HPP

/// \file
/// Synchronisation of a stream and the host without events, through words in pinned memory.

#include <cstdint>

namespace Kokkos::Impl {

/// A step of a stream on a 32-bit word in pinned memory, which host and device share. `Runtime::stream_values` enqueues
/// such steps. A device or driver may refuse them.
struct GPUValueStep {
  enum What : int {
    wait_at_least,  ///< later work in the stream begins when the word is `value` or more
    write,          ///< after earlier work in the stream, and after all writes of that work to memory
  };
  What what           = wait_at_least;
  std::uint32_t* word = nullptr;
  std::uint32_t value = 0;
};

}  // namespace Kokkos::Impl

#endif
