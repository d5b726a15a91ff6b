// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_VALUE_STEP_HPP
#define KOKKOS_GPU_VALUE_STEP_HPP

/// \file
/// Synchronisation of a stream and the host without events, through words in pinned memory.

#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

/// A step of a stream on a 32-bit word in pinned memory, which host and device share.
struct GPUValueStep {
  enum What : int {
    wait_at_least,  ///< later work in the stream begins when the word is `value` or more
    write,          ///< after earlier work in the stream, and after all writes of that work to memory
  };
  What what           = wait_at_least;
  std::uint32_t* word = nullptr;
  std::uint32_t value = 0;
};

/// Whether the runtime has such steps. A device or driver may still refuse them.
template <class Runtime, class = void>
struct HasStreamValues : std::false_type {};
template <class Runtime>
struct HasStreamValues<Runtime,
                       std::void_t<decltype(Runtime::stream_values(std::declval<typename Runtime::stream_t>(),
                                                                   static_cast<GPUValueStep const*>(nullptr), 1))>>
    : std::true_type {};

}  // namespace Kokkos::Impl

#endif
