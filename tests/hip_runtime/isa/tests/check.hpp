// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_CHECK_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_CHECK_HPP

/// \file Common parts of the programs here. hipcc builds them; they run on the HIP model's library with
/// HIP_MODEL_ISA=1.

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// Compilers that have no device libraries for a processor need -nogpulib. These are the functions that HIP's headers
// take from them.
#if defined(NO_DEVICE_LIBRARIES) && defined(__HIP_DEVICE_COMPILE__)
extern "C" __device__ size_t __ockl_get_local_id(unsigned axis) {
  return axis == 0   ? __builtin_amdgcn_workitem_id_x()
         : axis == 1 ? __builtin_amdgcn_workitem_id_y()
                     : __builtin_amdgcn_workitem_id_z();
}
extern "C" __device__ size_t __ockl_get_group_id(unsigned axis) {
  return axis == 0   ? __builtin_amdgcn_workgroup_id_x()
         : axis == 1 ? __builtin_amdgcn_workgroup_id_y()
                     : __builtin_amdgcn_workgroup_id_z();
}
extern "C" __device__ size_t __ockl_get_local_size(unsigned axis) {
  return axis == 0   ? __builtin_amdgcn_workgroup_size_x()
         : axis == 1 ? __builtin_amdgcn_workgroup_size_y()
                     : __builtin_amdgcn_workgroup_size_z();
}
extern "C" __device__ void __atomic_work_item_fence(unsigned, __memory_order, __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
#endif

inline int failures = 0;
#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      ++failures;                                                       \
    }                                                                   \
  } while (0)

inline void must(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::printf("%s: %s\n", what, hipGetErrorName(error));
  std::exit(1);
}
#define MUST(CALL) must(CALL, #CALL)

/// Device memory with a copy on the host.
template <class T>
class Array {
 public:
  explicit Array(std::size_t n) : host(n) { MUST(hipMalloc(&m_device, n * sizeof(T))); }
  explicit Array(std::vector<T> values) : host(std::move(values)) {
    MUST(hipMalloc(&m_device, host.size() * sizeof(T)));
    to_device();
  }
  Array(Array const&) = delete;
  ~Array() { (void)hipFree(m_device); }
  void to_device() { MUST(hipMemcpy(m_device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice)); }
  void to_host() { MUST(hipMemcpy(host.data(), m_device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
  T* device() const { return m_device; }
  T& operator[](std::size_t i) { return host[i]; }
  std::vector<T> host;

 private:
  T* m_device = nullptr;
};

inline int finish() {
  std::puts(failures ? "FAILED" : "passed");
  return failures ? 1 : 0;
}

#endif
