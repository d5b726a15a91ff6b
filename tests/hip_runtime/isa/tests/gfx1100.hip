// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of gfx1100 that gfx1030 lacks: pairs that execute together, results and operands of 16 bits, and DPP in
// long encodings. The other programs here test those that it renamed.
#include "operations.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace words {
#define OP_WORD(LABEL, TEXT, RESULT) OP(LABEL, u32, u32, u32, u32, TEXT, RESULT)

// The results of a pair are in an even and an odd register, and its operands in different banks.
#define PAIR(LABEL, TEXT, RESULT)                                                                                      \
  OP_WORD(LABEL,                                                                                                       \
          "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n v_mov_b32 v12, %3\n v_mov_b32 v13, %1\n" TEXT                       \
          "\n v_lshlrev_b32 v11, 1, v11\n v_lshlrev_b32 v12, 2, v12\n v_xor_b32 %0, v10, v11\n v_xor_b32 %0, %0, v12", \
          RESULT)
// What is in v10, v11 and v12 after a pair.
u32 of(u32 v10, u32 v11, u32 v12) { return v10 ^ v11 << 1 ^ v12 << 2; }
PAIR(independent, "v_dual_mov_b32 v10, v12 :: v_dual_mov_b32 v11, v13", of(c, a, c));
PAIR(first_reads_second, "v_dual_mov_b32 v10, v11 :: v_dual_mov_b32 v11, v12", of(b, c, c));
PAIR(second_reads_first, "v_dual_mov_b32 v10, v12 :: v_dual_mov_b32 v11, v10", of(c, a, c));
PAIR(exchanged, "v_dual_mov_b32 v10, v11 :: v_dual_mov_b32 v11, v10", of(b, a, c));
PAIR(exchanged_and_added, "v_dual_mov_b32 v10, v11 :: v_dual_add_nc_u32 v11, v10, v12", of(b, a + c, c));
PAIR(add_nc_u32, "v_dual_mov_b32 v10, 0 :: v_dual_add_nc_u32 v11, v11, v12", of(0, b + c, c));
PAIR(lshlrev_b32, "v_dual_mov_b32 v10, 0 :: v_dual_lshlrev_b32 v11, v11, v12", of(0, c << b % 32, c));
PAIR(and_b32, "v_dual_mov_b32 v10, 0 :: v_dual_and_b32 v11, v11, v12", of(0, b& c, c));
PAIR(literal, "v_dual_mov_b32 v10, 0x12345678 :: v_dual_and_b32 v11, 0x12345678, v12",
     of(0x12345678, c & 0x12345678, c));
PAIR(cndmask_b32,
     "v_cmp_lt_u32 vcc_lo, v10, v12\n v_dual_cndmask_b32 v10, v11, v12 :: v_dual_cndmask_b32 v11, v12, v13",
     of(a < c ? c : b, a < c ? a : c, c));

OP_WORD(v_cvt_u32_u16, "v_cvt_u32_u16 %0, %1", a & 0xffff);
OP_WORD(v_cvt_i32_i16, "v_cvt_i32_i16 %0, %1", static_cast<u32>(static_cast<i16>(a)));
OP_WORD(v_maxmin_u32, "v_maxmin_u32 %0, %1, %2, %3", std::min(std::max(a, b), c));
OP_WORD(v_minmax_u32, "v_minmax_u32 %0, %1, %2, %3", std::max(std::min(a, b), c));
u32 ordered(u32 a, u32 b, bool larger) { return (static_cast<i32>(a) < static_cast<i32>(b)) == larger ? b : a; }
OP_WORD(v_maxmin_i32, "v_maxmin_i32 %0, %1, %2, %3", ordered(ordered(a, b, true), c, false));
OP_WORD(v_minmax_i32, "v_minmax_i32 %0, %1, %2, %3", ordered(ordered(a, b, false), c, true));
OP_WORD(hints,
        "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)\n s_set_inst_prefetch_distance 0x1\n"
        "v_mov_b32 %0, %1\n s_waitcnt_depctr 0xfff",
        a);
// A result of 16 bits keeps the other half of its register.
OP_WORD(v_and_b16, "v_mov_b32 %0, %3\n v_and_b16 %0, %1, %2", (c & 0xffff0000) | (a & b & 0xffff));
OP_WORD(v_or_b16, "v_mov_b32 %0, %3\n v_or_b16 %0, %1, %2", (c & 0xffff0000) | ((a | b) & 0xffff));
OP_WORD(v_xor_b16, "v_mov_b32 %0, %3\n v_xor_b16 %0, %1, %2", (c & 0xffff0000) | ((a ^ b) & 0xffff));
OP_WORD(v_not_b16, "v_mov_b32 %0, %3\n v_not_b16 %0, %1", (c & 0xffff0000) | (~a & 0xffff));
OP_WORD(v_cndmask_b16, "v_mov_b32 %0, %3\n v_cmp_lt_u32 vcc_lo, %1, %2\n v_cndmask_b16 %0, %1, %2, vcc_lo",
        (c & 0xffff0000) | ((a < b ? b : a) & 0xffff));
// The upper halves of operands and of the result.
OP_WORD(upper_halves, "v_mov_b32 %0, %3\n v_sub_nc_u16 %0, %1, %2 op_sel:[1,0,1]",
        (c & 0xffff) | ((a >> 16) - (b & 0xffff)) << 16);
OP_WORD(dpp_of_vop3, "s_nop 1\n v_add_nc_u32_e64_dpp %0, %1, %2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf", a + b);
OP_WORD(dpp8_of_vop3, "s_nop 1\n v_add_nc_u32_e64_dpp %0, %1, %2 dpp8:[0,1,2,3,4,5,6,7]", a + b);
// Newer assemblers name the half of a register.
#if __clang_major__ >= 20
OP_WORD(v_mov_b16, "v_mov_b32 %0, %3\n v_mov_b16 %0.l, %1.h", (c & 0xffff0000) | a >> 16);
OP_WORD(v_mov_b16_upper, "v_mov_b32 %0, %3\n v_mov_b16 %0.h, %1.l", (c & 0xffff) | a << 16);
OP_WORD(v_xor_b16_upper, "v_mov_b32 %0, %3\n v_xor_b16 %0.h, %1.l, %2.h",
        (c & 0xffff) | ((a ^ b >> 16) & 0xffff) << 16);
OP_WORD(v_alignbit_b32_upper, "v_alignbit_b32 %0, %1, %2, %3.h",
        static_cast<u32>((u64(a) << 32 | b) >> (c >> 16) % 32));
#define OP_CMPX(LABEL, OPERANDS, RESULT)                                        \
  OP_WORD(LABEL,                                                                \
          "s_mov_b32 s20, exec_lo\n v_mov_b32 %0, %1\n v_cmpx_ne_u16 " OPERANDS \
          "\n v_mov_b32 %0, %3\n s_mov_b32 exec_lo, s20",                       \
          (RESULT) ? c : a)
OP_CMPX(v_cmpx_low_low, "%1.l, %2.l", (a & 0xffff) != (b & 0xffff));
OP_CMPX(v_cmpx_low_high, "%1.l, %2.h", (a & 0xffff) != b >> 16);
OP_CMPX(v_cmpx_high_low, "%1.h, %2.l", a >> 16 != (b & 0xffff));
OP_CMPX(v_cmpx_high_high, "%1.h, %2.h", a >> 16 != b >> 16);
#define HALVES                                                                                                       \
  , v_cmpx_low_low, v_cmpx_low_high, v_cmpx_high_low, v_cmpx_high_high, v_mov_b16, v_mov_b16_upper, v_xor_b16_upper, \
      v_alignbit_b32_upper
#else
#define HALVES
#endif
}  // namespace words

namespace singles {
#define OP_FLOAT(LABEL, TEXT, RESULT) OP(LABEL, float, float, float, float, TEXT, RESULT)
// v10 becomes the result of the first instruction, v11 that of the second one.
#define FIRST(LABEL, TEXT, RESULT)                                                    \
  OP_FLOAT(LABEL,                                                                     \
           "v_mov_b32 v10, %3\n v_mov_b32 v12, %1\n v_mov_b32 v13, %2\n v_dual_" TEXT \
           " :: v_dual_mov_b32 v11, 0\n v_mov_b32 %0, v10",                           \
           RESULT)
#define SECOND(LABEL, TEXT, RESULT)                                                                            \
  OP_FLOAT(LABEL,                                                                                              \
           "v_mov_b32 v11, %3\n v_mov_b32 v12, %1\n v_mov_b32 v13, %2\n v_dual_mov_b32 v10, 0 :: v_dual_" TEXT \
           "\n v_mov_b32 %0, v11",                                                                             \
           RESULT)
FIRST(first_fmac, "fmac_f32 v10, v12, v13", std::fma(a, b, c));
FIRST(first_fmaak, "fmaak_f32 v10, v12, v13, 0x40200000", std::fma(a, b, 2.5f));
FIRST(first_fmamk, "fmamk_f32 v10, v12, 0x40200000, v13", std::fma(a, 2.5f, b));
FIRST(first_mul, "mul_f32 v10, v12, v13", a* b);
FIRST(first_add, "add_f32 v10, v12, v13", a + b);
FIRST(first_sub, "sub_f32 v10, v12, v13", a - b);
FIRST(first_subrev, "subrev_f32 v10, v12, v13", b - a);
FIRST(first_mul_dx9_zero, "mul_dx9_zero_f32 v10, v12, v13", a == 0 || b == 0 ? 0 : a * b);
SECOND(second_fmac, "fmac_f32 v11, v12, v13", std::fma(a, b, c));
SECOND(second_max, "max_f32 v11, v12, v13", std::fmax(a, b));
SECOND(second_min, "min_f32 v11, v12, v13", std::fmin(a, b));
SECOND(second_sub, "sub_f32 v11, v12, v13", a - b);
OP_FLOAT(v_maxmin_f32, "v_maxmin_f32 %0, %1, %2, %3", std::fmin(std::fmax(a, b), c));
OP_FLOAT(v_minmax_f32, "v_minmax_f32 %0, %1, %2, -|%3|", std::fmax(std::fmin(a, b), -std::fabs(c)));
}  // namespace singles

namespace halves {
using Half = _Float16;
Half low(u32 x) { return bits_as<Half>(static_cast<u16>(x)); }
Half larger(Half a, Half b) { return a < b ? b : a; }
Half smaller(Half a, Half b) { return b < a ? b : a; }
OP(v_maxmin_f16, u32, u32, u32, u32, "v_mov_b32 %0, 0\n v_maxmin_f16 %0, %1, %2, %3",
   bits_as<u16>(smaller(larger(low(a), low(b)), low(c))));
OP(v_minmax_f16, u32, u32, u32, u32, "v_mov_b32 %0, 0\n v_minmax_f16 %0, %1, %2, %3",
   bits_as<u16>(larger(smaller(low(a), low(b)), low(c))));
}  // namespace halves

// The load that the counter names has arrived, as has every older one.
__global__ void wait_for_load(u32 const* in, u32* out) {
  u32 const t = threadIdx.x;
  u32 x       = 0;
  asm volatile(
      "global_load_dword v10, %1, off\n global_load_dword v11, %1, off\n s_waitcnt vmcnt(1)\n v_mov_b32 %0, v10\n"
      "s_waitcnt vmcnt(0)"
      : "=&v"(x)
      : "v"(in + t)
      : "v10", "v11", "memory");
  out[t] = x;
}
__global__ void wait_for_one_of_two(u32 const* in, u32* out) {
  u32 const t = threadIdx.x;
  u32 x       = 0;
  asm volatile(
      "global_load_dword v10, %1, off\n global_load_dword v11, %1, off\n s_waitcnt vmcnt(1)\n v_mov_b32 %0, v11"
      : "=&v"(x)
      : "v"(in + t)
      : "v10", "v11", "memory");
  out[t] = x;
}
// The second half of a pair uses what has not arrived.
__global__ void pair_without_wait(u32 const* in, u32* out) {
  u32 const t = threadIdx.x;
  u32 x       = 0;
  asm volatile("global_load_dword v10, %1, off\n v_dual_mov_b32 v12, 0 :: v_dual_mov_b32 v11, v10\n v_mov_b32 %0, v11"
               : "=&v"(x)
               : "v"(in + t)
               : "v10", "v11", "v12", "memory");
  out[t] = x;
}

// x, y and z of a thread are in one register.
__global__ void thread_numbers(u32* out) {
  u32 const t = threadIdx.x + 5 * (threadIdx.y + 3 * threadIdx.z);
  out[t]      = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
}

__global__ void times(u64* out) {
  u64 t = 0;
  asm volatile("s_sendmsg_rtn_b64 %0, sendmsg(MSG_RTN_GET_REALTIME)\n s_waitcnt lgkmcnt(0)" : "=s"(t));
  out[threadIdx.x] = t;
}

int report(void (*kernel)(u32 const*, u32*)) {
  Array<u32> in(std::vector<u32>(32, 7)), out(32);
  kernel<<<1, 32>>>(in.device(), out.device());
  std::puts(hipGetErrorName(hipDeviceSynchronize()));
  return 0;
}

int main(int argc, char** argv) {
  std::string const wanted = argc > 1 ? argv[1] : "";
  if (wanted == "wait_for_load") return report(wait_for_load);
  if (wanted == "wait_for_one_of_two") return report(wait_for_one_of_two);
  if (wanted == "pair_without_wait") return report(pair_without_wait);
  {
    using namespace words;
    std::vector<u32> const edges{0, 1, 5, 31, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000, 0xffffffff};
    check_all<independent, first_reads_second, second_reads_first, exchanged, exchanged_and_added, add_nc_u32,
              lshlrev_b32, and_b32, literal, cndmask_b32, v_cvt_u32_u16, v_cvt_i32_i16, v_maxmin_u32, v_minmax_u32,
              v_maxmin_i32, v_minmax_i32, hints, v_and_b16, v_or_b16, v_xor_b16, v_not_b16, v_cndmask_b16, upper_halves,
              dpp_of_vop3, dpp8_of_vop3 HALVES>(edges, edges, edges);
  }
  {
    using namespace singles;
    std::vector<float> const edges{0.0f, 1.0f, -1.5f, 3e38f, 1e-40f, INFINITY, -INFINITY, NAN};
    check_all<first_fmac, first_fmaak, first_fmamk, first_mul, first_add, first_sub, first_subrev, first_mul_dx9_zero,
              second_fmac, second_max, second_min, second_sub, v_maxmin_f32, v_minmax_f32>(edges, edges, edges);
  }
  {
    using namespace halves;
    std::vector<u32> const edges{0x3c00, 0xbc00, 0x0001, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x4248};
    check_all<v_maxmin_f16, v_minmax_f16>(edges, edges, edges);
  }
  Array<u32> numbers(5 * 3 * 2);
  thread_numbers<<<1, dim3(5, 3, 2)>>>(numbers.device());
  numbers.to_host();
  for (u32 t = 0; t < 30; ++t) CHECK(numbers[t] == t % 5 + 10 * (t / 5 % 3) + 100 * (t / 15));
  Array<u64> now(32);
  times<<<1, 32>>>(now.device());
  now.to_host();
  CHECK(now[0] > 0);
  return finish();
}
