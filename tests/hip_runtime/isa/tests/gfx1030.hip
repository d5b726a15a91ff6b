// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of gfx1030 that gfx906 lacks, and those that differ in wavefronts of 32.
#include "operations.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace words {
#define OP_WORD(LABEL, TEXT, RESULT) OP(LABEL, u32, u32, u32, u32, TEXT, RESULT)
OP_WORD(v_xor3_b32, "v_xor3_b32 %0, %1, %2, %3", a ^ b ^ c);
OP_WORD(v_add_nc_i32, "v_add_nc_i32 %0, %1, %2", a + b);
OP_WORD(v_sub_nc_i32_clamp, "v_sub_nc_i32 %0, %1, %2 clamp",
        static_cast<u32>(std::max(i64(-0x80000000LL),
                                  std::min(i64(0x7fffffff), i64(static_cast<i32>(a)) - static_cast<i32>(b)))));
// A result of 16 bits keeps the other half of its register.
OP_WORD(v_add_nc_u16, "v_mov_b32 %0, %3\n v_add_nc_u16 %0, %1, %2", (c & 0xffff0000) | ((a + b) & 0xffff));
OP_WORD(v_sub_nc_u16_upper, "v_mov_b32 %0, %3\n v_sub_nc_u16 %0, %1, %2 op_sel:[1,0,1]",
        (c & 0xffff) | ((a >> 16) - (b & 0xffff)) << 16);
OP_WORD(v_sub_nc_i16, "v_mov_b32 %0, %3\n v_sub_nc_i16 %0, %1, %2", (c & 0xffff0000) | ((a - b) & 0xffff));
OP_WORD(v_mul_lo_u16, "v_mov_b32 %0, %3\n v_mul_lo_u16 %0, %1, %2", (c & 0xffff0000) | ((a * b) & 0xffff));
OP_WORD(subrev_with_borrow,
        "v_sub_co_u32 %0, s20, %1, %2\n v_subrev_co_ci_u32 %0, vcc_lo, %1, %3, s20\n v_add_co_ci_u32 %0, null, %0, 0, "
        "vcc_lo",
        c - a - (a < b) + (u64(c) < u64(a) + (a < b)));
// "null" takes a result and is 0 as a source.
OP_WORD(null_result,
        "s_mov_b32 vcc_lo, 0x5a\n v_mad_u64_u32 v[10:11], null, %1, %2, 0\n v_xor_b32 %0, v10, v11\n v_add_nc_u32 %0, "
        "null, %0\n"
        "v_add_nc_u32 %0, vcc_lo, %0",
        (static_cast<u32>(u64(a) * b) ^ static_cast<u32>(u64(a) * b >> 32)) + 0x5a);
// A mask of 32 lanes is only the first of two scalar registers.
OP_WORD(mask_of_32,
        "s_mov_b64 s[20:21], 7\n v_cmp_lt_u32 s20, %1, %2\n v_cndmask_b32 %0, %2, %3, s20\n v_add_nc_u32 %0, s21, %0",
        a < b ? c : b);
// v_cmpx writes the exec mask alone.
OP_WORD(v_cmpx_lt_u32,
        "s_mov_b32 s20, exec_lo\n s_mov_b32 vcc_lo, 0x5a\n v_mov_b32 %0, %1\n v_cmpx_lt_u32 %1, %2\n v_mov_b32 %0, %3\n"
        "s_mov_b32 exec_lo, s20\n v_add_nc_u32 %0, vcc_lo, %0",
        (a < b ? c : a) + 0x5a);
OP_WORD(
    v_cmpx_lt_u32_e64,
    "s_mov_b32 s20, exec_lo\n v_mov_b32 %0, %1\n v_cmpx_lt_u32_e64 %1, %2\n v_mov_b32 %0, %3\n s_mov_b32 exec_lo, s20",
    a < b ? c : a);
// A lane gets 9 if `CONDITION`, which uses MASK and EXEC (the old exec mask), is true. s23 is the old exec mask.
#define MASK (a < b)
#define EXEC (a < c)
#define OP_SAVE(NAME, CONDITION)                                                                              \
  OP_WORD(NAME,                                                                                               \
          "s_mov_b32 s21, exec_lo\n v_cmp_lt_u32 s22, %1, %3\n v_cmp_lt_u32 s20, %1, %2\n v_mov_b32 %0, %1\n" \
          "s_and_b32 exec_lo, exec_lo, s22\n " #NAME                                                          \
          " s23, s20\n s_and_b32 exec_lo, exec_lo, s21\n"                                                     \
          "v_mov_b32 %0, 9\n s_mov_b32 exec_lo, s21\n s_xor_b32 s23, s23, s22\n v_add_nc_u32 %0, s23, %0",    \
          (CONDITION) ? 9 : a)
OP_SAVE(s_and_saveexec_b32, MASK&& EXEC);
OP_SAVE(s_or_saveexec_b32, MASK || EXEC);
OP_SAVE(s_xor_saveexec_b32, MASK != EXEC);
OP_SAVE(s_andn1_saveexec_b32, !MASK && EXEC);
OP_SAVE(s_andn2_saveexec_b32, MASK && !EXEC);
OP_SAVE(s_orn1_saveexec_b32, !MASK || EXEC);
OP_SAVE(s_orn2_saveexec_b32, MASK || !EXEC);
OP_SAVE(s_nand_saveexec_b32, !(MASK && EXEC));
OP_SAVE(s_nor_saveexec_b32, !(MASK || EXEC));
OP_SAVE(s_xnor_saveexec_b32, MASK == EXEC);
OP_WORD(v_movrels_b32,
        "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n v_mov_b32 v12, %3\n s_mov_b32 m0, 2\n v_movrels_b32 %0, v10", c);
OP_WORD(v_movreld_b32,
        "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n s_mov_b32 m0, 1\n v_movreld_b32 v10, %3\n v_sub_nc_u32 %0, v11, v10",
        c - a);
OP_WORD(fetch_of_8_lanes,
        "v_mov_b32 %0, 0\n s_nop 1\n v_mov_b32_dpp %0, %1 dpp8:[0,1,2,3,4,5,6,7]\n s_denorm_mode 15\n s_round_mode 0",
        a);
}  // namespace words

namespace singles {
#define OP_FLOAT(LABEL, TEXT, RESULT) OP(LABEL, float, float, float, float, TEXT, RESULT)
OP_FLOAT(v_fmac_f32, "v_mov_b32 %0, %3\n v_fmac_f32 %0, %1, %2", std::fma(a, b, c));
OP_FLOAT(v_fmamk_f32, "v_fmamk_f32 %0, %1, 0x40200000, %2", std::fma(a, 2.5f, b));
OP_FLOAT(v_fmaak_f32, "v_fmaak_f32 %0, %1, %2, 0x40200000", std::fma(a, b, 2.5f));
OP_FLOAT(literal_in_vop3, "v_fma_f32 %0, %1, 0x40200000, -|%2|", std::fma(a, 2.5f, -std::fabs(b)));
}  // namespace singles

namespace halves {
using Half = _Float16;
u32 bits(Half x) { return bits_as<u16>(x); }
Half low(u32 x) { return bits_as<Half>(static_cast<u16>(x)); }
Half high(u32 x) { return bits_as<Half>(static_cast<u16>(x >> 16)); }
Half fused(Half a, Half b, Half c) {
  return static_cast<Half>(std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
OP_WORD(v_fmac_f16, "v_mov_b32 %0, %3\n v_fmac_f16 %0, %1, %2", (c & 0xffff0000) | bits(fused(low(a), low(b), low(c))));
OP_WORD(v_fmamk_f16, "v_mov_b32 %0, 0\n v_fmamk_f16 %0, %1, 0x4100, %2", bits(fused(low(a), Half(2.5), low(b))));
OP_WORD(v_fmaak_f16, "v_mov_b32 %0, 0\n v_fmaak_f16 %0, %1, %2, 0x4100", bits(fused(low(a), low(b), Half(2.5))));
OP_WORD(v_pk_fmac_f16, "v_mov_b32 %0, %3\n v_pk_fmac_f16 %0, %1, %2",
        bits(fused(low(a), low(b), low(c))) | bits(fused(high(a), high(b), high(c))) << 16);
}  // namespace halves

// In each text, %1 is the number of the lane plus 100, and %0, which is 1000 at first, receives the result.
#define EXCHANGE(NAME, TEXT)                                      \
  __global__ void NAME(u32* out) {                                \
    const u32 in = 100 + threadIdx.x % 32;                        \
    u32 x        = 1000;                                          \
    asm volatile(TEXT : "+v"(x) : "v"(in) : "s20", "s21", "s22"); \
    out[threadIdx.x] = x;                                         \
  }
EXCHANGE(row_share, "s_nop 1\n v_mov_b32_dpp %0, %1 row_share:5 row_mask:0xf bank_mask:0xf")
EXCHANGE(row_xmask, "s_nop 1\n v_mov_b32_dpp %0, %1 row_xmask:6 row_mask:0xf bank_mask:0xf")
EXCHANGE(eight, "s_nop 1\n v_mov_b32_dpp %0, %1 dpp8:[7,6,5,4,1,0,3,2]")
#define IN_LOWER_ROWS(TEXT) "s_mov_b32 s22, exec_lo\n s_mov_b32 exec_lo, 0x00ff00ff\n" TEXT "\n s_mov_b32 exec_lo, s22"
EXCHANGE(inactive_source, IN_LOWER_ROWS("s_nop 1\n v_mov_b32_dpp %0, %1 row_ror:4 row_mask:0xf bank_mask:0xf"))
EXCHANGE(fetched_source, IN_LOWER_ROWS("s_nop 1\n v_mov_b32_dpp %0, %1 row_ror:4 row_mask:0xf bank_mask:0xf fi:1"))
EXCHANGE(zeroed_source,
         IN_LOWER_ROWS("s_nop 1\n v_mov_b32_dpp %0, %1 row_ror:4 row_mask:0xf bank_mask:0xf bound_ctrl:1"))
#define REVERSED "s_mov_b32 s20, 0x89abcdef\n s_mov_b32 s21, 0x01234567\n "
EXCHANGE(permlane, REVERSED "v_permlane16_b32 %0, %1, s20, s21")
EXCHANGE(permlane_x, REVERSED "v_permlanex16_b32 %0, %1, s20, s21")
EXCHANGE(permlane_inactive, IN_LOWER_ROWS(REVERSED "v_permlane16_b32 %0, %1, s20, s21"))
EXCHANGE(permlane_fetched, IN_LOWER_ROWS(REVERSED "v_permlane16_b32 %0, %1, s20, s21 op_sel:[1,0]"))
EXCHANGE(permlane_zeroed, IN_LOWER_ROWS(REVERSED "v_permlane16_b32 %0, %1, s20, s21 op_sel:[0,1]"))
EXCHANGE(last_lane, "v_readlane_b32 s20, %1, 63\n v_mov_b32 %0, s20")
EXCHANGE(count_below, "v_mbcnt_lo_u32_b32 %0, -1, 0\n v_mbcnt_hi_u32_b32 %0, -1, %0")
// Lanes of a wavefront of 32 exchange by ds_bpermute modulo 32.
EXCHANGE(bpermute, "v_lshlrev_b32 %0, 2, %1\n ds_bpermute_b32 %0, %0, %1 offset:8\n s_waitcnt lgkmcnt(0)")

template <class F>
void check_exchange(const char* name, void (*kernel)(u32*), F expected) {
  Array<u32> out(64);
  kernel<<<1, 64>>>(out.device());
  out.to_host();
  for (u32 t = 0; t < 64; ++t) {
    if (out[t] == expected(t % 32)) continue;
    std::printf("%s: thread %u has %u, not %u\n", name, t, out[t], expected(t % 32));
    ++failures;
    return;
  }
}
void test_exchanges() {
  auto is_lower = [](u32 l) { return l % 16 < 8; };
  // The value of a lane.
  auto of = [](u32 l) { return 100 + l; };
#define EXCHANGED(NAME, ...) check_exchange(#NAME, NAME, [&](u32 l) -> u32 { return __VA_ARGS__; })
  EXCHANGED(row_share, of(l / 16 * 16 + 5));
  EXCHANGED(row_xmask, of(l ^ 6));
  const u32 order[] = {7, 6, 5, 4, 1, 0, 3, 2};
  EXCHANGED(eight, of(l / 8 * 8 + order[l % 8]));
  auto rotated = [](u32 l) { return l / 16 * 16 + (l + 12) % 16; };
  EXCHANGED(inactive_source, is_lower(l) && is_lower(rotated(l)) ? of(rotated(l)) : 1000);
  EXCHANGED(fetched_source, is_lower(l) ? of(rotated(l)) : 1000);
  EXCHANGED(zeroed_source, !is_lower(l) ? 1000 : is_lower(rotated(l)) ? of(rotated(l)) : 0);
  EXCHANGED(permlane, of(l ^ 15));
  EXCHANGED(permlane_x, of(l ^ 31));
  EXCHANGED(permlane_inactive, 1000);
  EXCHANGED(permlane_fetched, is_lower(l) ? of(l ^ 15) : 1000);
  EXCHANGED(permlane_zeroed, is_lower(l) ? 0 : 1000);
  EXCHANGED(last_lane, of(31));
  EXCHANGED(count_below, l);
  EXCHANGED(bpermute, of((100 + l + 2) % 32));
}

// Blocks of three dimensions whose size is no multiple of a wavefront: each thread has its number in v0, v1 and v2.
__global__ void numbers(u32* out) {
  const u32 t              = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[blockIdx.x * 75 + t] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * static_cast<u32>(warpSize);
}
void test_numbers() {
  Array<u32> out(150);
  numbers<<<2, dim3(5, 5, 3)>>>(out.device());
  out.to_host();
  for (u32 t = 0; t < 150; ++t) CHECK(out[t] == t % 75 % 5 + 10 * (t % 75 / 5 % 5) + 100 * (t % 75 / 25) + 32000);
  hipDeviceProp_t properties;
  MUST(hipGetDeviceProperties(&properties, 0));
  CHECK(properties.warpSize == 32);
}

// Waiting for stores is no wait for loads, and s_waitcnt_vmcnt waits for loads alone.
__global__ void wait_for_store(const u32* in, u32* out) {
  const u32 t = threadIdx.x;
  u32 x;
  asm volatile(
      "global_load_dword %0, %1, off\n global_store_dword %2, %3, off\n s_waitcnt_vscnt null, 0x0\n v_add_nc_u32 %0, "
      "1, %0"
      : "=&v"(x)
      : "v"(in + t), "v"(out + t), "v"(t)
      : "memory");
  out[t] = x;
}
// vmcnt counts the load alone, so it is 1 before the load has ended.
__global__ void wait_for_one_of_two(const u32* in, u32* out) {
  const u32 t = threadIdx.x;
  u32 x;
  asm volatile(
      "global_load_dword %0, %1, off\n global_store_dword %2, %3, off\n s_waitcnt vmcnt(1)\n v_add_nc_u32 %0, 1, %0"
      : "=&v"(x)
      : "v"(in + t), "v"(out + t), "v"(t)
      : "memory");
  out[t] = x;
}
__global__ void wait_for_load(const u32* in, u32* out) {
  const u32 t = threadIdx.x;
  u32 x;
  asm volatile(
      "global_load_dword %0, %1, off\n global_store_dword %2, %3, off\n s_waitcnt_vmcnt null, 0x0\n v_add_nc_u32 %0, "
      "1, %0"
      : "=&v"(x)
      : "v"(in + t), "v"(out + t), "v"(t)
      : "memory");
  out[t] = x;
}
__global__ void exec_of_64() { asm volatile("s_and_saveexec_b64 s[20:21], s[20:21]" ::: "s20", "s21"); }

int main(int argc, char** argv) {
  const std::string defect = argc > 1 ? argv[1] : "";
  if (!defect.empty()) {
    Array<u32> in(32), out(32);
    in.to_device();
    if (defect == "wait_for_store") wait_for_store<<<1, 32>>>(in.device(), out.device());
    if (defect == "wait_for_one_of_two") wait_for_one_of_two<<<1, 32>>>(in.device(), out.device());
    if (defect == "wait_for_load") wait_for_load<<<1, 32>>>(in.device(), out.device());
    if (defect == "exec_of_64") exec_of_64<<<1, 32>>>();
    std::printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
    return 1;
  }
  const std::vector<u32> values{0,      1,          2,          0x3c003555, 0x7fff,    0x8000,
                                0xffff, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff};
  {
    using namespace words;
    check_all<v_xor3_b32, v_add_nc_i32, v_sub_nc_i32_clamp, v_add_nc_u16, v_sub_nc_u16_upper, v_sub_nc_i16,
              v_mul_lo_u16, subrev_with_borrow, null_result, mask_of_32, v_cmpx_lt_u32, v_cmpx_lt_u32_e64,
              s_and_saveexec_b32, s_or_saveexec_b32, s_xor_saveexec_b32, s_andn1_saveexec_b32, s_andn2_saveexec_b32,
              s_orn1_saveexec_b32, s_orn2_saveexec_b32, s_nand_saveexec_b32, s_nor_saveexec_b32, s_xnor_saveexec_b32,
              v_movrels_b32, v_movreld_b32, fetch_of_8_lanes>(values, values, values);
  }
  {
    using namespace singles;
    check_all<v_fmac_f32, v_fmamk_f32, v_fmaak_f32, literal_in_vop3>(::reals<float>(), ::reals<float>(),
                                                                     ::reals<float>());
  }
  {
    // Finite operands, so that the bits of results can be compared.
    const std::vector<u32> finite{0, 0x3c003c00, 0xbe003555, 0x00018000, 0x42007bff, 0x0400c500};
    using namespace halves;
    check_all<v_fmac_f16, v_fmamk_f16, v_fmaak_f16, v_pk_fmac_f16>(finite, finite, finite);
  }
  test_exchanges();
  test_numbers();
  return finish();
}
