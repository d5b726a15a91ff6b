// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_STREAMING_STORES_HPP
#define KOKKOS_HOST_STREAMING_STORES_HPP

/// \file
/// Writes to host memory that bypass the caches.
///
/// An ordinary store brings the line that it writes into the cache first, so memory moves the line twice. A streaming
/// store (Intel: non-temporal) moves it once. It is slower as long as the line would have stayed in a cache.

#include <Kokkos_Macros.hpp>
#include <impl/copy/Kokkos_HostCopyPolicy.hpp>

#include <bit>
#include <cstddef>

/// In bytes; 0 if HostStreamingStores::store is not available. nvcc's front end does not know the compiler's functions.
#if !defined(__x86_64__) || defined(__CUDACC__) || defined(__NVCOMPILER)
#define KOKKOS_IMPL_WIDEST_STREAMING_STORE 0
#elif defined(__AVX512F__)
#define KOKKOS_IMPL_WIDEST_STREAMING_STORE 64
#elif defined(__AVX__)
#define KOKKOS_IMPL_WIDEST_STREAMING_STORE 32
#else
#define KOKKOS_IMPL_WIDEST_STREAMING_STORE 16
#endif

namespace Kokkos::Impl {

class SystemFiles;

/// The sum of the machine's last-level caches in bytes, or an estimate if the system does not say it.
std::size_t host_cache_bytes(SystemFiles const& files);

/// Streaming stores of one thread. When this object is destroyed, they are ordered before all later stores of the
/// thread, as ordinary stores are.
class HostStreamingStores {
 public:
  HostStreamingStores() = default;
  ~HostStreamingStores();
  HostStreamingStores(HostStreamingStores const&)            = delete;
  HostStreamingStores& operator=(HostStreamingStores const&) = delete;

  /// Whether an operation that writes this many bytes, on all threads together, should use them: whether the processor
  /// has such stores, and the bytes exceed the machine's caches.
  static bool pay_off(std::size_t bytes) { return bytes > host_copy_policy.least_cache_bytes && exceed_caches(bytes); }
  /// Like `pay_off` above, for a loop that only stores. Some processors recognise it, and read no line.
  static bool pay_off_in_fill(std::size_t bytes) { return pay_off(bytes) && !recognise_fills(); }

  /// Copies bytes that do not overlap. Successive calls for adjacent blocks are as fast as one, if the blocks begin at
  /// multiples of 4 bytes.
  void copy(void* to, void const* from, std::size_t bytes);
  /// Like `copy` above, reading this many pages in turn, a line of each. `copy` chooses the number for the processor.
  void copy_in_turn(std::size_t pages, void* to, void const* from, std::size_t bytes);

  /// Whether the target has one streaming store for all of a Vector.
  template <class Vector>
  static constexpr bool can_store = sizeof(Vector) >= 8 && sizeof(Vector) <= KOKKOS_IMPL_WIDEST_STREAMING_STORE;
  /// Writes a vector to an address that is a multiple of its size. For a caller that computes between its stores, this
  /// is faster than computing a block and copying it, because the processor writes a vector while it computes the next.
  template <class Vector>
  KOKKOS_IMPL_FORCEINLINE void store([[maybe_unused]] void* to, [[maybe_unused]] Vector const& vector) {
    static_assert(can_store<Vector>);
#if KOKKOS_IMPL_WIDEST_STREAMING_STORE == 0
#elif defined(__clang__)
    __builtin_nontemporal_store(vector, static_cast<Vector*>(to));
#else
    // The compiler's functions, because <immintrin.h> adds 0.8 s to the compile time of a program.
    if constexpr (sizeof(Vector) == 8)
      __builtin_ia32_movnti64(static_cast<long long*>(to), std::bit_cast<long long>(vector));
    else if constexpr (sizeof(Vector) == 16)
      __builtin_ia32_movntdq(static_cast<Words<16>*>(to), std::bit_cast<Words<16>>(vector));
#if defined(__AVX__)
    else if constexpr (sizeof(Vector) == 32)
      __builtin_ia32_movntdq256(static_cast<Words<32>*>(to), std::bit_cast<Words<32>>(vector));
#endif
#if defined(__AVX512F__)
    else
      __builtin_ia32_movntdq512(static_cast<Words<64>*>(to), std::bit_cast<Words<64>>(vector));
#endif
#endif
  }

 private:
  static bool exceed_caches(std::size_t bytes);
  static bool recognise_fills();

  template <std::size_t Bytes>
  struct WordsOf {
    typedef long long type __attribute__((vector_size(Bytes)));
  };
  template <std::size_t Bytes>
  using Words = typename WordsOf<Bytes>::type;
};

}  // namespace Kokkos::Impl

#undef KOKKOS_IMPL_WIDEST_STREAMING_STORE

#endif
