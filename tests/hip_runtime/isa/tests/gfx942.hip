// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of gfx942 that gfx90a lacks: 64 bits, private memory without a buffer, and how far a store becomes visible.
// Compiled for gfx940, which has the same instructions, by compilers that do not know gfx942.
#include "operations.hpp"

namespace wide {
#define OP_WIDE(LABEL, TEXT, RESULT) OP(LABEL, u64, u64, u64, u32, TEXT, RESULT)
OP_WIDE(v_lshl_add_u64, "v_lshl_add_u64 %0, %1, %3, %2", (a << (c & 7)) + b);
OP_WIDE(v_lshl_add_u64_constant, "v_lshl_add_u64 %0, %1, 3, 5", (a << 3) + 5);
OP_WIDE(v_mov_b64, "v_mov_b64 %0, %1\n v_lshl_add_u64 %0, %0, 0, %2", a + b);
OP_WIDE(v_mov_b64_literal, "v_mov_b64 %0, 0x1234567\n v_lshl_add_u64 %0, %0, 0, %1", a + 0x1234567);
}  // namespace wide

// Each lane has its own private memory. An address is the sum of a vector register, a scalar register and a constant.
__global__ void private_memory(u32* out) {
  const u32 thread = threadIdx.x;
  u32 cells[24];
  for (u32 k = 0; k < 24; ++k) cells[k] = 1000 * thread + k;
  // The generic address of private memory has its offset as the lower half.
  const u32 at = static_cast<u32>(reinterpret_cast<std::uintptr_t>(cells));
  u32 a, b, c;
  u64 pair;
  asm volatile(
      "v_mov_b32 v10, 77\n v_mov_b32 v11, 78\n s_mov_b32 s20, 8\n v_readfirstlane_b32 s21, %4\n s_waitcnt vmcnt(0) lgkmcnt(0)\n"
      "scratch_store_dword %4, v10, s20 offset:4\n"  // cell 3
      "scratch_store_short off, v11, s21 offset:20\n"  // the lower half of cell 5
      "scratch_load_dword %0, %4, off offset:12\n"
      "scratch_load_ushort %1, %4, off offset:20\n"
      "scratch_load_dword %2, %4, s20\n"  // cell 2
      "scratch_load_dwordx2 %3, off, s21 offset:40\n"  // cells 10 and 11
      "s_waitcnt vmcnt(0)"
      : "=&v"(a), "=&v"(b), "=&v"(c), "=&v"(pair)
      : "v"(at), "v"(cells)
      : "memory", "v10", "v11", "s20", "s21");
  out[6 * thread]     = a;
  out[6 * thread + 1] = b;
  out[6 * thread + 2] = c;
  out[6 * thread + 3] = static_cast<u32>(pair);
  out[6 * thread + 4] = static_cast<u32>(pair >> 32);
  out[6 * thread + 5] = cells[(thread * 7) % 24];  // by an index that is not known when this is compiled
}
void test_private_memory() {
  Array<u32> out(6 * 64);
  private_memory<<<1, 64>>>(out.device());
  out.to_host();
  for (u32 l = 0; l < 64; ++l) {
    const u32 k = l * 7 % 24;
    CHECK(out[6 * l] == 77);
    CHECK(out[6 * l + 1] == 78);
    CHECK(out[6 * l + 2] == 1000 * l + 2);
    CHECK(out[6 * l + 3] == 1000 * l + 10);
    CHECK(out[6 * l + 4] == 1000 * l + 11);
    CHECK(out[6 * l + 5] == (k == 3 ? 77 : k == 5 ? ((1000 * l + 5) & 0xffff0000) + 78 : 1000 * l + k));
  }
}

// sc0 of an atomic operation asks for the old value. Elsewhere sc0, sc1 and nt choose caches.
__global__ void atomics(u32* sum, u32* seen, float* single) {
  u32 before;
  const u32 thread = threadIdx.x;
  asm volatile("global_atomic_add %0, %1, %2, off sc0\n s_waitcnt vmcnt(0)" : "=v"(before) : "v"(sum), "v"(2u) : "memory");
  asm volatile("flat_atomic_add_f32 %0, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(single), "v"(1.5f) : "memory");
  asm volatile(
      "buffer_wbl2 sc0 sc1\n s_waitcnt vmcnt(0)\n global_store_dword %0, %1, off sc0 sc1 nt\n s_waitcnt vmcnt(0)\n buffer_inv sc0 sc1" ::"v"(
          seen + thread),
      "v"(before)
      : "memory");
}
void test_atomics() {
  Array<u32> sum{std::vector<u32>{10}}, seen(64);
  Array<float> single{std::vector<float>{0}};
  atomics<<<1, 64>>>(sum.device(), seen.device(), single.device());
  sum.to_host(), seen.to_host(), single.to_host();
  CHECK(sum[0] == 10 + 2 * 64);
  CHECK(single[0] == 1.5f * 64);
  for (u32 l = 0; l < 64; ++l) CHECK(seen[l] == 10 + 2 * l);
}

__global__ void die(u32* out) {
  u32 number;
  asm volatile("s_getreg_b32 %0, hwreg(20, 0, 4)" : "=s"(number));
  out[threadIdx.x] = number;
}

// s21 is never written, and the field does not contain it.
__global__ void extend_byte(u32* out, u32 byte) {
  u32 low, high;
  asm volatile("s_mov_b32 s20, %2\n s_bfe_i64 s[22:23], s[20:21], 0x80000\n s_mov_b32 %0, s22\n s_mov_b32 %1, s23"
               : "=s"(low), "=s"(high)
               : "s"(byte)
               : "s20", "s21", "s22", "s23", "scc");
  if (threadIdx.x < low && high == ~0u) out[threadIdx.x] = low;
}

int main() {
  const std::vector<u64> values{0, 1, 0xffffffff, u64(1) << 32, 0x123456789abcdef, ~u64(0)};
  check_all<wide::v_lshl_add_u64, wide::v_lshl_add_u64_constant, wide::v_mov_b64, wide::v_mov_b64_literal>(
      values, values, std::vector<u32>{0, 1, 4, 7});
  test_private_memory();
  test_atomics();
  Array<u32> number(64);
  die<<<1, 64>>>(number.device());
  number.to_host();
  CHECK(number[5] == 0);
  extend_byte<<<1, 64>>>(number.device(), 0x1f0);
  number.to_host();
  CHECK(number[5] == 0xfffffff0);
  return finish();
}
