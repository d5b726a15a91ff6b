// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_CUDA_INTRINSICS_HPP
#define KOKKOS_CUDA_INTRINSICS_HPP

/// \file
/// CUDA's names for the instructions beyond C++ that kernels in GPU/ use.

#include <Kokkos_Macros.hpp>

#include <cstddef>

namespace Kokkos::Impl {

struct CudaIntrinsics {
  using mask_type                = unsigned;
  static constexpr int warp_size = 32;
  /// Bytes of shared memory of a multiprocessor, for the choice of launch shapes: about what sm_80 has.
  static constexpr std::size_t shared_per_multiprocessor = 160 * 1024;

  KOKKOS_IMPL_DEVICE static int thread_x() { return threadIdx.x; }
  KOKKOS_IMPL_DEVICE static int thread_y() { return threadIdx.y; }
  KOKKOS_IMPL_DEVICE static int thread_z() { return threadIdx.z; }
  KOKKOS_IMPL_DEVICE static int block_dim_x() { return blockDim.x; }
  KOKKOS_IMPL_DEVICE static int block_dim_y() { return blockDim.y; }
  KOKKOS_IMPL_DEVICE static int block_dim_z() { return blockDim.z; }
  KOKKOS_IMPL_DEVICE static unsigned block_x() { return blockIdx.x; }
  KOKKOS_IMPL_DEVICE static unsigned block_y() { return blockIdx.y; }
  KOKKOS_IMPL_DEVICE static unsigned block_z() { return blockIdx.z; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_x() { return gridDim.x; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_y() { return gridDim.y; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_z() { return gridDim.z; }

  /// 0, since the block of a team has one thread along z. The compiler takes it for a number that may differ between
  /// the threads of a warp, so a loop over a league that starts from it is compiled without uniform registers. With few
  /// warps, a kernel waits for each move of a loaded value to a uniform register: miniBUDE took 6 % longer.
  KOKKOS_IMPL_DEVICE static int team_zero() { return threadIdx.z; }

  /// Waits for all threads of the block.
  KOKKOS_IMPL_DEVICE static void barrier() { __syncthreads(); }
  /// Waits for the lanes of a warp that are in `mask`.
  KOKKOS_IMPL_DEVICE static void warp_barrier(unsigned mask) { __syncwarp(mask); }
  KOKKOS_IMPL_DEVICE static unsigned active_mask() { return __activemask(); }
  /// Orders earlier writes before later writes, for all threads of the device, or for the host as well.
  /// The first one only as acquire and release operations do: it orders no store before a later load.
  KOKKOS_IMPL_DEVICE static void fence_device() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
    __threadfence();
#endif
  }
  KOKKOS_IMPL_DEVICE static void fence_system() { __threadfence_system(); }

  /// A 32-bit word of the lane `delta` positions ahead, of the lane with the `xor`-ed number, or of lane `from`, within
  /// groups of `width` lanes. If the source of a lane is beyond its group, what the lane gets depends on the backend.
  KOKKOS_IMPL_DEVICE static unsigned shuffle_down(unsigned mask, unsigned word, int delta, int width) {
    return __shfl_down_sync(mask, word, delta, width);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle_up(unsigned mask, unsigned word, int delta, int width) {
    return __shfl_up_sync(mask, word, delta, width);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle_xor(unsigned mask, unsigned word, int bits, int width) {
    return __shfl_xor_sync(mask, word, bits, width);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle(unsigned mask, unsigned word, int from, int width) {
    return __shfl_sync(mask, word, from, width);
  }

  /// A number that all lanes have, in a form for which backends have faster instructions.
  KOKKOS_IMPL_DEVICE static int uniform(int number) { return number; }

  KOKKOS_IMPL_DEVICE static unsigned long long ballot(unsigned mask, bool yes) { return __ballot_sync(mask, yes); }
  /// Position of the lowest set bit.
  KOKKOS_IMPL_DEVICE static int first_set(unsigned long long bits) { return __ffsll(static_cast<long long>(bits)) - 1; }

  /// Writes before the store are visible after a load that returns the stored value.
  KOKKOS_IMPL_DEVICE static void store_release(unsigned* p, unsigned value) {
    fence_device();
    *static_cast<unsigned volatile*>(p) = value;
  }
  KOKKOS_IMPL_DEVICE static unsigned load_acquire(unsigned const* p) {
    unsigned const value = *static_cast<unsigned const volatile*>(p);
    fence_device();
    return value;
  }
  /// Like store_release, for a load by the host.
  KOKKOS_IMPL_DEVICE static void store_release_system(unsigned* p, unsigned value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    asm volatile("fence.acq_rel.sys;" ::: "memory");
#else
    __threadfence_system();
#endif
    *static_cast<unsigned volatile*>(p) = value;
  }
  /// Two words, aligned to 16 bytes, that are stored or loaded atomically and bypass caches that other threads do not
  /// see.
  static constexpr bool has_paired_access = true;
  KOKKOS_IMPL_DEVICE static void store_pair(unsigned long long* p, unsigned long long a, unsigned long long b) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(p)), "l"(a), "l"(b)
                 : "memory");
  }
  KOKKOS_IMPL_DEVICE static void load_pair(unsigned long long const* p, unsigned long long& a, unsigned long long& b) {
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(a), "=l"(b)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
  }
  /// Like load_acquire, for a store by the host.
  KOKKOS_IMPL_DEVICE static unsigned load_acquire_system(unsigned const* p) {
    unsigned const value = *static_cast<unsigned const volatile*>(p);
    __threadfence_system();
    return value;
  }
  /// Two words, aligned to 16 bytes, in memory that the host accesses meanwhile; not atomic together.
  KOKKOS_IMPL_DEVICE static void store_pair_system(unsigned long long* p, unsigned long long a, unsigned long long b) {
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(p)), "l"(a), "l"(b)
                 : "memory");
  }
  KOKKOS_IMPL_DEVICE static void load_pair_system(unsigned long long const* p, unsigned long long& a,
                                                  unsigned long long& b) {
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(a), "=l"(b)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
  }
  /// Yields to other threads, in a loop that waits for them.
  KOKKOS_IMPL_DEVICE static void pause() { __nanosleep(20); }

  /// The block's dynamic shared memory.
  KOKKOS_IMPL_DEVICE static char* shared() {
    extern __shared__ __align__(16) char kokkos_impl_shared_memory[];
    return kokkos_impl_shared_memory;
  }
  /// Static shared memory of the block, in addition to the dynamic one. Only a kernel that calls this function has it;
  /// all other kernels leave these bytes to the L1 cache.
  static constexpr bool has_own_shared = true;
  template <int Bytes>
  KOKKOS_IMPL_DEVICE static char* own_shared() {
    __shared__ __align__(16) char memory[Bytes];
    return memory;
  }
  KOKKOS_IMPL_DEVICE static unsigned fetch_add(unsigned* p, unsigned n) { return atomicAdd(p, n); }
  KOKKOS_IMPL_DEVICE static int fetch_add(int* p, int n) { return atomicAdd(p, n); }
};

}  // namespace Kokkos::Impl

#endif
