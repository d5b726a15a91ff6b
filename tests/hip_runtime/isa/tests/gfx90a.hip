// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of gfx90a that gfx906 lacks: pairs of single precision, accumulation registers, atomics of reals.
#include "operations.hpp"

#include <cmath>

namespace pairs {
float low(u64 a) { return bits_as<float>(static_cast<u32>(a)); }
float high(u64 a) { return bits_as<float>(static_cast<u32>(a >> 32)); }
u64 pair(u32 low, u32 high) { return u64(high) << 32 | low; }
u64 pair(float low, float high) { return pair(bits_as<u32>(low), bits_as<u32>(high)); }
#define OP_PAIR(LABEL, TEXT, RESULT) OP(LABEL, u64, u64, u64, u64, TEXT, RESULT)
OP_PAIR(v_pk_add_f32, "v_pk_add_f32 %0, %1, %2", pair(low(a) + low(b), high(a) + high(b)));
OP_PAIR(v_pk_mul_f32, "v_pk_mul_f32 %0, %1, %2 op_sel:[1,0] op_sel_hi:[0,1]", pair(high(a) * low(b), low(a) * high(b)));
OP_PAIR(v_pk_mul_f32_constant, "v_pk_mul_f32 %0, %1, 2.0 op_sel_hi:[1,0]", pair(low(a) * 2, high(a) * 2));
OP_PAIR(v_pk_fma_f32, "v_pk_fma_f32 %0, %1, %2, %3 op_sel_hi:[1,0,1] neg_lo:[0,1,0] neg_hi:[0,0,1]",
        pair(std::fma(low(a), -low(b), low(c)), std::fma(high(a), low(b), -high(c))));
OP_PAIR(v_pk_mov_b32, "v_pk_mov_b32 %0, %1, %2 op_sel:[1,0]", pair(static_cast<u32>(a >> 32), static_cast<u32>(b)));
OP_PAIR(v_fmac_f64, "v_pk_mov_b32 %0, %3, %3 op_sel:[0,1]\n v_fmac_f64 %0, %1, %2",
        bits_as<u64>(std::fma(bits_as<double>(a), bits_as<double>(b), bits_as<double>(c))));
}  // namespace pairs

namespace accumulation {
struct v_accvgpr {
  using Result                 = u32;
  static constexpr char name[] = "v_accvgpr";
  __device__ static u32 device(u32 a, u32 b, u32) {
    u32 r, s;
    asm volatile(
        "v_accvgpr_write_b32 a0, %2\n v_accvgpr_write_b32 a1, %3\n v_accvgpr_mov_b32 a2, a0\n"
        "v_accvgpr_read_b32 %0, a2\n v_accvgpr_read_b32 %1, a1"
        : "=&v"(r), "=&v"(s)
        : "v"(a), "v"(b)
        : "a0", "a1", "a2");
    return r - s;
  }
  static u32 host(u32 a, u32 b, u32) { return a - b; }
};
}  // namespace accumulation

__global__ void broadcast(int* out) {
  int x = static_cast<int>(threadIdx.x);
  asm volatile("s_nop 1\n v_mov_b32_dpp %0, %0 row_newbcast:3 row_mask:0xf bank_mask:0xf" : "+v"(x));
  out[threadIdx.x] = x;
}
void test_broadcast() {
  Array<int> out(64);
  broadcast<<<1, 64>>>(out.device());
  out.to_host();
  for (int l = 0; l < 64; ++l) CHECK(out[static_cast<unsigned>(l)] == l / 16 * 16 + 3);
}

// The block has three dimensions, because v0 contains the thread's index in each of them.
__global__ void atomics(double* sums, float* single) {
  __shared__ double shared;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (thread == 0) shared = 1;
  __syncthreads();
  const double x    = thread;
  double* const p[] = {sums, sums + 1, sums + 2, sums + 3};
  const u32 zero    = 0;
  asm volatile("global_atomic_add_f64 %0, %1, off\n s_waitcnt vmcnt(0)" ::"v"(p[0]), "v"(x) : "memory");
  asm volatile("flat_atomic_max_f64 %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(p[1]), "v"(x) : "memory");
  asm volatile("global_atomic_min_f64 %0, %1, off\n s_waitcnt vmcnt(0)" ::"v"(p[2]), "v"(x) : "memory");
  asm volatile("flat_atomic_add_f64 %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(&shared), "v"(x) : "memory");
  asm volatile("global_atomic_add_f32 %0, %1, off\n s_waitcnt vmcnt(0)" ::"v"(single), "v"(1.5f) : "memory");
  double before;
  asm volatile("ds_add_rtn_f64 %0, %1, %2\n s_waitcnt lgkmcnt(0)" : "=v"(before) : "v"(zero), "v"(x) : "memory");
  __syncthreads();
  if (thread == 0) *p[3] = before < 0 ? before : shared;
}
void test_atomics() {
  Array<double> sums{std::vector<double>{0.5, 7.5, 7.5, 0}};
  Array<float> single{std::vector<float>{0}};
  atomics<<<1, dim3(5, 8, 4)>>>(sums.device(), single.device());
  sums.to_host(), single.to_host();
  const double sum = 159 * 160 / 2;
  CHECK(sums[0] == sum + 0.5);
  CHECK(sums[1] == 159);
  CHECK(sums[2] == 0);
  CHECK(sums[3] == 2 * sum + 1);
  CHECK(single[0] == 240);
}

// v_lshlrev_b64 v[1:2], 1, v[4:5], which the assembler refuses.
__global__ void odd_registers() { asm volatile(".long 0xd28f0001, 0x00020881" ::: "v1", "v2", "v4", "v5"); }

int main(int argc, char**) {
  if (argc > 1) {
    odd_registers<<<1, 64>>>();
    std::printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
    return 1;
  }
  std::vector<u64> values;
  for (float x : reals<float>())
    for (float y : {1.5f, -0.0f}) values.push_back(pairs::pair(x, y));
  {
    using namespace pairs;
    check_all<v_pk_add_f32, v_pk_mul_f32, v_pk_mul_f32_constant, v_pk_fma_f32, v_pk_mov_b32>(values, values, values);
  }
  std::vector<u64> wide;
  for (double x : reals<double>()) wide.push_back(bits_as<u64>(x));
  check_all<pairs::v_fmac_f64>(wide, wide, wide);
  const std::vector<u32> words{0, 1, 0x80000000, 0xffffffff};
  check_all<accumulation::v_accvgpr>(words, words, words);
  test_broadcast();
  test_atomics();
  return finish();
}
