// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects in device code that the model of the runtime cannot see: each must stop its kernel, with a report that names
// it. `defects <name>` runs one; the test looks for the sentence.
#include "check.hpp"

#include <cstring>
#include <string>

__global__ void missing_wait(const int* in, int* out) {
  int x;
  asm volatile("global_load_dword %0, %1, off\n v_add_u32 %0, 1, %0" : "=v"(x) : "v"(in + threadIdx.x));
  out[threadIdx.x] = x;
}
__global__ void missing_scalar_wait(const int* in, int* out) {
  int x;
  asm volatile("s_load_dword %0, %1, 0x0\n s_add_u32 %0, %0, 1\n s_waitcnt lgkmcnt(0)" : "=&s"(x) : "s"(in) : "scc");
  out[threadIdx.x] = x;
}
__global__ void beyond_shared(int* out, unsigned at) {
  __shared__ int memory[64];
  memory[threadIdx.x + at] = 1;
  __syncthreads();
  out[threadIdx.x] = memory[63 - threadIdx.x];
}
// The second member of an object at the null pointer into LDS, which is -1.
__global__ void null_into_shared(int* out) {
  int x;
  asm volatile("ds_read_b32 %0, %1 offset:4\n s_waitcnt lgkmcnt(0)" : "=v"(x) : "v"(-1));
  out[threadIdx.x] = x;
}
// No defect. All lanes use one bank of LDS, and each loads from a line of its own.
__global__ void counted(const int* in, int* out) {
  __shared__ int memory[64 * 32];
  memory[threadIdx.x * 32] = in[threadIdx.x * 32];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = memory[(63 - threadIdx.x) * 32];
}
__global__ void polls(const volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void beyond_allocation(int* out, unsigned at) { out[threadIdx.x + at] = 1; }
__global__ void unwritten_shared(int* out) {
  __shared__ int memory[64];
  if (threadIdx.x < 63) memory[threadIdx.x] = 1;
  __syncthreads();
  if (memory[63 - threadIdx.x] == 1) out[threadIdx.x] = 1;
}
__global__ void unwritten_register(int* out) {
  int x;
  asm volatile("v_add_u32 %0, 1, v60" : "=v"(x) : : "v60");
  if (x > 0) out[threadIdx.x] = 1;
}
__global__ void trap() {
  if (threadIdx.x == 3) __builtin_trap();
}
__global__ void unknown_instruction() { asm volatile("v_cubeid_f32 v0, v0, v0, v0"); }
// A sum of the 64 lanes, in the last one. The control of one step is wrong: it adds from 2 lanes before, not from 4.
template <int Step>
__global__ void sum_by_dpp(int* out) {
  int x = static_cast<int>(threadIdx.x);
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false);  // row_shr:1
  x += __builtin_amdgcn_update_dpp(0, x, 0x112, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x110 + Step, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x118, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x142, 0xa, 0xf, false);  // row_bcast:15
  x += __builtin_amdgcn_update_dpp(0, x, 0x143, 0xc, 0xf, false);  // row_bcast:31
  out[threadIdx.x] = x;
}
// v_mov_b32_dpp v0, v0 with a control that no processor has, which the assembler refuses.
__global__ void unknown_dpp_control() { asm volatile(".long 0x7e0002fa, 0xff019000" ::: "v0"); }
// A race where __syncthreads() is missing. `use_barrier` is a kernel argument, so that the compiler keeps both
// versions.
__global__ void race(int* out, bool use_barrier) {
  __shared__ int memory[128];
  memory[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (use_barrier) __syncthreads();
  out[threadIdx.x] = memory[127 - threadIdx.x];
}
// The second round overwrites what slow wavefronts still read.
__global__ void race_of_rounds(int* out, bool use_barrier) {
  __shared__ int memory[128];
  for (int round = 0; round < 2; ++round) {
    memory[threadIdx.x] = round;
    __syncthreads();
    out[threadIdx.x] = memory[127 - threadIdx.x];
    if (use_barrier) __syncthreads();
  }
}
__global__ void race_with_atomic(int* out, bool use_barrier) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  if (use_barrier) __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
// A barrier without its fence: the store may reach LDS after it.
__global__ void race_of_unsettled_store(int* out) {
  __shared__ int memory[128];
  const unsigned t = threadIdx.x;
  asm volatile("ds_write_b32 %0, %1\n s_barrier" ::"v"(t * 4), "v"(t) : "memory");
  out[threadIdx.x] = memory[127 - threadIdx.x];
  if (out == nullptr) memory[threadIdx.x] = 1;
}
// Lanes may still exchange values at a barrier if the stores to LDS have ended.
__global__ void exchange_at_barrier(int* out) {
  __shared__ int memory[128];
  const unsigned t = threadIdx.x;
  unsigned other;
  asm volatile(
      "ds_write_b32 %1, %2\n s_waitcnt lgkmcnt(0)\n ds_bpermute_b32 %0, %1, %2\n s_barrier\n s_waitcnt lgkmcnt(0)"
      : "=&v"(other)
      : "v"(t * 4), "v"(t)
      : "memory");
  out[threadIdx.x] = memory[127 - threadIdx.x] + static_cast<int>(other);
  if (out == nullptr) memory[threadIdx.x] = 1;
}
// Bytes of one word, and accesses under a lock, are no race.
__global__ void no_race(int* out, int* lock) {
  __shared__ char bytes[128];
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  bytes[threadIdx.x % 2 * 64 + threadIdx.x / 2] = 1;
  __syncthreads();
  if (threadIdx.x % 64 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __builtin_amdgcn_s_sleep(1);
    __threadfence();
    sum += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = sum + bytes[threadIdx.x];
}

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  Array<int> in(64), out(64);
  in.to_device();
  Array<int> wide(128), lock(1);
  lock.to_device();
  auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("missing_wait")) missing_wait<<<1, 64>>>(in.device(), out.device());
  if (is("missing_scalar_wait")) missing_scalar_wait<<<1, 64>>>(in.device(), out.device());
  if (is("beyond_shared")) beyond_shared<<<1, 64>>>(out.device(), 1);
  if (is("null_into_shared")) null_into_shared<<<1, 64>>>(out.device());
  if (is("counted")) {
    Array<int> lines(64 * 32);
    lines.to_device();
    counted<<<2, 64>>>(lines.device(), wide.device());
    must(hipDeviceSynchronize(), "counted");
  }
  if (is("polls_memory_that_is_not_coherent")) {
    int* flag = nullptr;
    MUST(hipHostMalloc(reinterpret_cast<void**>(&flag), sizeof(int), hipHostMallocNonCoherent));
    *flag = 0;
    polls<<<1, 64>>>(flag);
    (void)hipDeviceSynchronize();
  }
  if (is("null")) beyond_allocation<<<1, 64>>>(nullptr, 1);
  if (is("beyond_allocation")) beyond_allocation<<<1, 64>>>(out.device(), 1);
  if (is("freed_allocation")) {
    int* freed = nullptr;
    MUST(hipMalloc(&freed, 256));
    MUST(hipFree(freed));
    beyond_allocation<<<1, 64>>>(freed, 0);
  }
  if (is("unwritten_shared")) unwritten_shared<<<1, 64>>>(out.device());
  if (is("unwritten_register")) unwritten_register<<<1, 64>>>(out.device());
  if (is("trap")) trap<<<1, 64>>>();
  if (is("unknown_instruction")) unknown_instruction<<<1, 64>>>();
  if (is("wrong_dpp_control") || is("right_dpp_control")) {
    if (is("right_dpp_control"))
      sum_by_dpp<4><<<1, 64>>>(out.device());
    else
      sum_by_dpp<2><<<1, 64>>>(out.device());
    out.to_host();
    if (out[63] != 2016) {
      std::printf("lane 63 has %d instead of 2016\n", out[63]);
      return 1;
    }
  }
  if (is("unknown_dpp_control")) unknown_dpp_control<<<1, 64>>>();
  if (is("none")) beyond_shared<<<1, 64>>>(out.device(), 0);
  for (bool use_barrier : {false, true}) {
    const char* const suffix = use_barrier ? "_none" : "";
    auto is_race             = [&](const char* other) { return std::string(name) == std::string(other) + suffix; };
    if (is_race("race")) race<<<1, 128>>>(wide.device(), use_barrier);
    if (is_race("race_of_rounds")) race_of_rounds<<<1, 128>>>(wide.device(), use_barrier);
    if (is_race("race_with_atomic")) race_with_atomic<<<1, 128>>>(wide.device(), use_barrier);
  }
  if (is("race_of_unsettled_store")) race_of_unsettled_store<<<1, 128>>>(wide.device());
  if (is("exchange_at_barrier")) exchange_at_barrier<<<1, 128>>>(wide.device());
  if (is("no_race")) no_race<<<1, 128>>>(wide.device(), lock.device());
  std::printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
}
