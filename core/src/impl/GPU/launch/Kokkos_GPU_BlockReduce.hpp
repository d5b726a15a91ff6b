// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_BLOCK_REDUCE_HPP
#define KOKKOS_GPU_BLOCK_REDUCE_HPP

/// \file
/// Joins the values of a warp's lanes and of a block's threads.
///
/// Small values of fixed size move through registers by shuffles. Other values are stored in memory, one slot for
/// each thread, and are joined as a tree. In both cases the order of joins depends only on the shape of the block.

#include <Kokkos_Macros.hpp>
#include <impl/atomic/Kokkos_CopyBytes.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// Values that are small enough to shuffle. The values of a league join in memory of 64 bytes for each warp, so its
/// reductions have the member `max_register_bytes`.
template <class Reduction>
constexpr std::size_t max_register_bytes() {
  if constexpr (requires { Reduction::max_register_bytes; })
    return Reduction::max_register_bytes;
  else
    return 128;
}
template <class Reduction>
inline constexpr bool reduces_in_registers = !std::is_pointer_v<typename Reduction::reference_type> &&
                                             sizeof(typename Reduction::value_type) <= max_register_bytes<Reduction>();

/// Storage for a value that the reduction's init constructs.
template <class T>
struct alignas(T) RawValue {
  char bytes[sizeof(T)];
  KOKKOS_FORCEINLINE_FUNCTION T* get() { return reinterpret_cast<T*>(bytes); }
};

/// Sends a value of any size through shuffles of 32-bit words; `send(word)` is one shuffle.
template <class T, class Send>
KOKKOS_IMPL_DEVICE void shuffle_value(T* to, T const* from, Send const& send) {
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  unsigned buffer[words]      = {};
  Impl::copy_bytes(buffer, static_cast<void const*>(from), sizeof(T));
#pragma unroll
  for (std::size_t w = 0; w < words; ++w) buffer[w] = send(buffer[w]);
  Impl::copy_bytes(static_cast<void*>(to), buffer, sizeof(T));
}

/// The lanes of this thread's warp that belong to the first `threads` threads of the block.
template <class Intrinsics>
KOKKOS_IMPL_DEVICE unsigned long long warp_mask(int thread, int threads) {
  int const first = thread / Intrinsics::warp_size * Intrinsics::warp_size;
  int const lanes = threads - first;
  return lanes >= Intrinsics::warp_size ? ~0ull >> (64 - Intrinsics::warp_size) : (1ull << lanes) - 1;
}

/// Joins the values of a warp into the value of its first lane.
template <class Intrinsics, class Reduction, class T>
KOKKOS_IMPL_DEVICE void warp_reduce(Reduction const& reduction, T* value, int thread, int threads) {
  auto const mask = static_cast<typename Intrinsics::mask_type>(Impl::warp_mask<Intrinsics>(thread, threads));
  int const lane  = thread % Intrinsics::warp_size;
#pragma unroll
  for (int delta = Intrinsics::warp_size / 2; delta > 0; delta /= 2) {
    RawValue<T> other;
    Impl::shuffle_value(other.get(), value, [&](unsigned word) {
      return Intrinsics::shuffle_down(mask, word, delta, Intrinsics::warp_size);
    });
    if (lane + delta < Intrinsics::warp_size && thread + delta < threads) reduction.join(value, other.get());
  }
}

/// Joins the values of `threads` threads into the value of thread 0. `shared` has space for one value of each warp. All
/// threads of the block call it.
template <class Intrinsics, class Reduction, class T>
KOKKOS_IMPL_DEVICE void block_reduce(Reduction const& reduction, T* value, T* shared, int thread, int threads) {
  Impl::warp_reduce<Intrinsics>(reduction, value, thread, threads);
  int const warps = (threads + Intrinsics::warp_size - 1) / Intrinsics::warp_size;
  if (warps == 1) return;
  if (thread % Intrinsics::warp_size == 0)
    Impl::copy_bytes(static_cast<void*>(shared + thread / Intrinsics::warp_size), static_cast<void const*>(value),
                     sizeof(T));
  Intrinsics::barrier();
  if (thread < Intrinsics::warp_size) {
    if (thread < warps)
      Impl::copy_bytes(static_cast<void*>(value), static_cast<void const*>(shared + thread), sizeof(T));
    int const lanes = warps < Intrinsics::warp_size ? warps : Intrinsics::warp_size;
    auto const mask = static_cast<typename Intrinsics::mask_type>(
        Impl::warp_mask<Intrinsics>(thread, threads < Intrinsics::warp_size ? threads : Intrinsics::warp_size));
#pragma unroll
    for (int delta = Intrinsics::warp_size / 2; delta > 0; delta /= 2) {
      RawValue<T> other;
      Impl::shuffle_value(other.get(), value, [&](unsigned word) {
        return Intrinsics::shuffle_down(mask, word, delta, Intrinsics::warp_size);
      });
      if (thread + delta < lanes) reduction.join(value, other.get());
    }
  }
  Intrinsics::barrier();  // `shared` may be used again
}

/// The distance of the slots of two neighbouring threads, for values of `count` elements. It is odd: all threads access
/// the same element of their values at a time, and at an even distance these would share banks of shared memory.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t reduction_slot_stride(std::size_t count) { return count | 1; }

/// Joins the values in `threads` slots, which are `stride` elements apart, into the first slot. All threads of the block
/// call it.
template <class Intrinsics, class Reduction, class T>
KOKKOS_IMPL_DEVICE void block_reduce_slots(Reduction const& reduction, T* slots, std::size_t stride, int thread,
                                           int threads) {
  Intrinsics::barrier();
  for (int n = threads; n > 1;) {
    int const half = (n + 1) / 2;
    if (thread < n - half) reduction.join(slots + thread * stride, slots + (thread + half) * stride);
    Intrinsics::fence_device();  // slots may be in device memory
    Intrinsics::barrier();
    n = half;
  }
}

/// Copies elements as bytes, which is how devices move the values of reductions. Assignable types are assigned
/// instead: compilers split a memcpy into single bytes when they lose track of the alignment.
template <class T>
KOKKOS_IMPL_DEVICE void copy_elements(T* to, T const* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>)
      to[i] = from[i];
    else
      Impl::copy_bytes(static_cast<void*>(to + i), static_cast<void const*>(from + i), sizeof(T));
  }
}

}  // namespace Kokkos::Impl

#endif
