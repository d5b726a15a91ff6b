// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_ATOMIC_LOCKS_HPP
#define KOKKOS_GPU_ATOMIC_LOCKS_HPP

/// \file
/// The locks for atomic operations on large objects in kernels.
///
/// Each device has one table, in device memory. Without relocatable device code each translation unit has its own
/// device variables, so each has a pointer to the table. A static object registers the pointer with the backend
/// before main, and the backend sets all pointers when it is initialized.

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Kokkos::Impl {

inline constexpr unsigned gpu_atomic_lock_count = 1u << 16;

/// Registers a translation unit's device variable `unsigned*`. If the backend is already initialized, because the
/// unit was loaded late, the backend sets the variable at once.
void register_gpu_lock_pointer(void const* device_variable);

#ifdef KOKKOS_IMPL_GPU_COMPILER

static __device__ unsigned* gpu_atomic_locks = nullptr;

struct LockPointerRegistration {
  explicit LockPointerRegistration(void const* device_variable) { register_gpu_lock_pointer(device_variable); }
};
// Not in an unnamed namespace, because nvcc's generated code would then look up the program's unnamed namespaces
// here.
static LockPointerRegistration const lock_pointer_registration(&gpu_atomic_locks);

KOKKOS_IMPL_DEVICE inline unsigned* gpu_atomic_lock_of(void const volatile* address) {
  auto const key = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)) >> 3;
  return gpu_atomic_locks + (key * UINT64_C(0x9E3779B97F4A7C15) >> 48) % gpu_atomic_lock_count;
}

#endif

}  // namespace Kokkos::Impl

#endif
