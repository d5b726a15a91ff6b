// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_SHUFFLE_WORDS_HPP
#define KOKKOS_HIP_SHUFFLE_WORDS_HPP

/// \file
/// Shuffles of values of any type and size.

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace Kokkos {
namespace Impl {

/// Shuffles a value by words of 32 bits. `Derived` has `do_shfl_op(int& word, int lane_or_delta, int width)`.
///
/// Each word is copied from and to the value. If it were read through a pointer to another type, the compiler could
/// read it before the value's members are written.
template <class Derived>
struct in_place_shfl_words {
  template <class Value>
  __device__ inline void operator()(Value& out, Value const& in, int lane_or_delta, int width) const noexcept {
    constexpr std::size_t bytes = sizeof(Value), word_bytes = sizeof(int);
    auto* const to         = reinterpret_cast<char*>(&out);
    auto const* const from = reinterpret_cast<char const*>(&in);
#pragma unroll
    for (std::size_t first = 0; first + word_bytes <= bytes; first += word_bytes)
      shuffle<word_bytes>(to + first, from + first, lane_or_delta, width);
    if constexpr (bytes % word_bytes != 0) {
      constexpr std::size_t first = bytes / word_bytes * word_bytes;
      shuffle<bytes - first>(to + first, from + first, lane_or_delta, width);
    }
    // The compiler must not move accesses of memory across it.
    if constexpr (bytes > sizeof(double)) __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }

 private:
  template <std::size_t Bytes>
  __device__ inline void shuffle(char* to, char const* from, int lane_or_delta, int width) const noexcept {
    int word = 0;
    __builtin_memcpy(&word, from, Bytes);
    word = static_cast<Derived const*>(this)->do_shfl_op(word, lane_or_delta, width);
    __builtin_memcpy(to, &word, Bytes);
  }
};

}  // namespace Impl
}  // namespace Kokkos

#endif
