// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_INTRINSICS_HPP
#define KOKKOS_HIP_INTRINSICS_HPP

/// \file
/// HIP's names for the instructions beyond C++ that kernels in GPU/ use.

#include <HIP/Kokkos_HIP_Platform.hpp>

#include <cstddef>

namespace Kokkos::Impl {

#ifdef KOKKOS_IMPL_GPU_MODEL

struct HIPIntrinsics : hip_model::Intrinsics {
  static constexpr std::size_t shared_per_multiprocessor = 64 * 1024;
  static constexpr bool has_paired_access                = false;
};

#else

/// A wavefront runs in lockstep: lanes that took the same branches are synchronised without an instruction. Masks
/// therefore only document which lanes take part, and instructions ignore them.
struct HIPIntrinsics {
  using mask_type = unsigned long long;
  /// 64 lanes up to gfx9, 32 since gfx10. A configuration does not mix them, so the value is also known on the host.
  static constexpr int warp_size = KOKKOS_IMPL_HIP_WAVEFRONT;
  /// Bytes of shared memory of a compute unit, for the choice of launch shapes.
  static constexpr std::size_t shared_per_multiprocessor = 64 * 1024;

  KOKKOS_IMPL_DEVICE static int thread_x() { return static_cast<int>(threadIdx.x); }
  KOKKOS_IMPL_DEVICE static int thread_y() { return static_cast<int>(threadIdx.y); }
  KOKKOS_IMPL_DEVICE static int thread_z() { return static_cast<int>(threadIdx.z); }
  KOKKOS_IMPL_DEVICE static int block_dim_x() { return static_cast<int>(blockDim.x); }
  KOKKOS_IMPL_DEVICE static int block_dim_y() { return static_cast<int>(blockDim.y); }
  KOKKOS_IMPL_DEVICE static int block_dim_z() { return static_cast<int>(blockDim.z); }
  KOKKOS_IMPL_DEVICE static unsigned block_x() { return blockIdx.x; }
  KOKKOS_IMPL_DEVICE static unsigned block_y() { return blockIdx.y; }
  KOKKOS_IMPL_DEVICE static unsigned block_z() { return blockIdx.z; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_x() { return gridDim.x; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_y() { return gridDim.y; }
  KOKKOS_IMPL_DEVICE static unsigned grid_dim_z() { return gridDim.z; }

  /// The number at which a loop over a league starts; see CudaIntrinsics. AMD's compiler must know that all lanes have
  /// the same number, because it then uses the scalar unit and the scalar cache.
  KOKKOS_IMPL_DEVICE static int team_zero() { return 0; }

  /// Waits for all threads of the block.
  KOKKOS_IMPL_DEVICE static void barrier() { __syncthreads(); }
  /// Orders the lanes' writes before their later reads. A wavefront runs in lockstep; this informs the compiler.
  KOKKOS_IMPL_DEVICE static void warp_barrier(mask_type) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
  }
  KOKKOS_IMPL_DEVICE static mask_type active_mask() { return __ballot(1); }
  /// Orders earlier writes before later writes, for all threads of the device, or for the host as well.
  KOKKOS_IMPL_DEVICE static void fence_device() { __threadfence(); }
  KOKKOS_IMPL_DEVICE static void fence_system() { __threadfence_system(); }

  /// A 32-bit word of the lane `delta` positions ahead, of the lane with the `xor`-ed number, or of lane `from`, within
  /// groups of `width` lanes. A lane whose source is beyond its group gets the word of some lane. HIP's functions give
  /// it its own, for which they execute four more instructions.
  KOKKOS_IMPL_DEVICE static unsigned shuffle_down(mask_type, unsigned word, int delta, int) {
    return of_lane(static_cast<int>(__lane_id()) + delta, word);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle_up(mask_type, unsigned word, int delta, int) {
    return of_lane(static_cast<int>(__lane_id()) - delta, word);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle_xor(mask_type, unsigned word, int bits, int) {
    return of_lane(static_cast<int>(__lane_id()) ^ bits, word);
  }
  KOKKOS_IMPL_DEVICE static unsigned shuffle(mask_type, unsigned word, int from, int width) {
    return __shfl(word, from, width);
  }

  /// A number that all lanes have: the scalar unit computes with it.
  KOKKOS_IMPL_DEVICE static int uniform(int number) { return __builtin_amdgcn_readfirstlane(number); }

  KOKKOS_IMPL_DEVICE static unsigned long long ballot(mask_type, bool yes) { return __ballot(yes); }
  /// Position of the lowest set bit.
  KOKKOS_IMPL_DEVICE static int first_set(unsigned long long bits) {
    return __builtin_ffsll(static_cast<long long>(bits)) - 1;
  }

  /// Writes before the store are visible after a load that returns the stored value.
  KOKKOS_IMPL_DEVICE static void store_release(unsigned* p, unsigned value) {
    __hip_atomic_store(p, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
  KOKKOS_IMPL_DEVICE static unsigned load_acquire(unsigned const* p) {
    return __hip_atomic_load(const_cast<unsigned*>(p), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  }
  /// Like store_release, for a load by the host.
  KOKKOS_IMPL_DEVICE static void store_release_system(unsigned* p, unsigned value) {
    __threadfence_system();
    *static_cast<unsigned volatile*>(p) = value;
  }
  /// Like load_acquire, for a store by the host.
  KOKKOS_IMPL_DEVICE static unsigned load_acquire_system(unsigned const* p) {
    unsigned const value = *static_cast<unsigned const volatile*>(p);
    __threadfence_system();
    return value;
  }
  /// Two words in memory that the host accesses meanwhile; not atomic together.
  KOKKOS_IMPL_DEVICE static void store_pair_system(unsigned long long* p, unsigned long long a, unsigned long long b) {
    __builtin_nontemporal_store(a, p);
    __builtin_nontemporal_store(b, p + 1);
  }
  KOKKOS_IMPL_DEVICE static void load_pair_system(unsigned long long const* p, unsigned long long& a,
                                                  unsigned long long& b) {
    a = __builtin_nontemporal_load(p);
    b = __builtin_nontemporal_load(p + 1);
  }
  /// No document of AMD guarantees that 16 bytes are stored or loaded atomically.
  static constexpr bool has_paired_access = false;

  /// Yields to other threads, in a loop that waits for them.
  KOKKOS_IMPL_DEVICE static void pause() { __builtin_amdgcn_s_sleep(1); }

  /// The block's dynamic shared memory.
  KOKKOS_IMPL_DEVICE static char* shared() {
    extern __shared__ __attribute__((aligned(16))) char kokkos_impl_shared_memory[];
    return kokkos_impl_shared_memory;
  }
  /// The beginning of the dynamic shared memory: on AMD's GPUs, shared memory takes nothing from the L1 cache.
  static constexpr bool has_own_shared = false;
  template <int>
  KOKKOS_IMPL_DEVICE static char* own_shared() {
    return shared();
  }
  KOKKOS_IMPL_DEVICE static unsigned fetch_add(unsigned* p, unsigned n) { return atomicAdd(p, n); }
  KOKKOS_IMPL_DEVICE static int fetch_add(int* p, int n) { return atomicAdd(p, n); }

 private:
  /// The word of a lane, whose number the instruction takes modulo the wavefront.
  KOKKOS_IMPL_DEVICE static unsigned of_lane(int lane, unsigned word) {
    return static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(lane * 4, static_cast<int>(word)));
  }
};

#endif

}  // namespace Kokkos::Impl

#endif
