// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests each instruction alone, with edge values in every operand, and compares with arithmetic of the host.
#include "operations.hpp"

#include <algorithm>
#include <cmath>

// gfx10 names some instructions and registers otherwise, and a result of 16 bits keeps the register's upper half.
#if LANES == 32
#define NC "_nc"
#define ADDC "v_add_co_ci_u32"
#define SUBB "v_sub_co_ci_u32"
#define MASK "s20"
constexpr u32 upper_half = 0xffff0000;
#else
#define NC ""
#define ADDC "v_addc_co_u32"
#define SUBB "v_subb_co_u32"
#define MASK "s[20:21]"
constexpr u32 upper_half = 0;
#endif

#define OP_U32(NAME, RESULT) OP(NAME, u32, u32, u32, u32, #NAME " %0, %1, %2", RESULT)
#define OP_U32_1(NAME, RESULT) OP(NAME, u32, u32, u32, u32, #NAME " %0, %1", RESULT)
#define OP_U32_3(NAME, RESULT) OP(NAME, u32, u32, u32, u32, #NAME " %0, %1, %2, %3", RESULT)
#define OP_I32(NAME, RESULT) OP(NAME, i32, i32, i32, i32, #NAME " %0, %1, %2", RESULT)
#define OP_I32_3(NAME, RESULT) OP(NAME, i32, i32, i32, i32, #NAME " %0, %1, %2, %3", RESULT)

namespace unsigned_words {
OP(v_add_u32, u32, u32, u32, u32, "v_add" NC "_u32 %0, %1, %2", a + b);
OP(v_add_u32_clamp, u32, u32, u32, u32, "v_add" NC "_u32 %0, %1, %2 clamp",
   static_cast<u32>(std::min<u64>(u64(a) + b, 0xffffffff)));
OP(v_sub_u32_clamp, u32, u32, u32, u32, "v_sub" NC "_u32 %0, %1, %2 clamp", a > b ? a - b : 0);
OP(v_sub_u32, u32, u32, u32, u32, "v_sub" NC "_u32 %0, %1, %2", a - b);
OP(v_subrev_u32, u32, u32, u32, u32, "v_subrev" NC "_u32 %0, %1, %2", b - a);
OP_U32(v_mul_lo_u32, a* b);
OP_U32(v_mul_hi_u32, static_cast<u32>(u64(a) * b / (u64(1) << 32)));
OP_U32(v_mul_u32_u24, static_cast<u32>(u64(a % (1u << 24)) * (b % (1u << 24))));
OP_U32(v_mul_hi_u32_u24, static_cast<u32>(u64(a % (1u << 24)) * (b % (1u << 24)) >> 32));
OP_U32_3(v_mad_u32_u24, static_cast<u32>(u64(a % (1u << 24)) * (b % (1u << 24)) + c));
OP_U32(v_and_b32, a& b);
OP_U32(v_or_b32, a | b);
OP_U32(v_xor_b32, a ^ b);
OP_U32(v_xnor_b32, ~a ^ b);
OP_U32_1(v_not_b32, ~a);
OP_U32(v_min_u32, std::min(a, b));
OP_U32(v_max_u32, std::max(a, b));
OP_U32_3(v_min3_u32, std::min({a, b, c}));
OP_U32_3(v_max3_u32, std::max({a, b, c}));
OP_U32_3(v_med3_u32, std::max(std::min(a, b), std::min(std::max(a, b), c)));
OP_U32(v_lshlrev_b32, static_cast<u32>(u64(b) << a % 32));
OP_U32(v_lshrrev_b32, b / (1u << a % 32));
OP_U32_3(v_add3_u32, a + b + c);
OP_U32_3(v_lshl_add_u32, static_cast<u32>((u64(a) << b % 32) + c));
OP_U32_3(v_add_lshl_u32, static_cast<u32>(u64(a + b) << c % 32));
OP_U32_3(v_lshl_or_b32, static_cast<u32>(u64(a) << b % 32) | c);
OP_U32_3(v_and_or_b32, (a & b) | c);
OP_U32_3(v_or3_b32, a | b | c);
OP_U32_3(v_xad_u32, (a ^ b) + c);
OP_U32_3(v_bfe_u32, static_cast<u32>(u64(a) >> b % 32 & ((u64(1) << c % 32) - 1)));
OP_U32_3(v_bfi_b32, b ^ ((b ^ c) & ~a));
OP_U32(v_bfm_b32, static_cast<u32>(((u64(1) << a % 32) - 1) << b % 32));
OP_U32(v_bcnt_u32_b32, static_cast<u32>(__builtin_popcount(a)) + b);
OP_U32_1(v_ffbh_u32, a ? static_cast<u32>(__builtin_clz(a)) : ~0u);
OP_U32_1(v_ffbl_b32, a ? static_cast<u32>(__builtin_ctz(a)) : ~0u);
OP_U32_1(v_bfrev_b32, __builtin_bitreverse32(a));
OP_U32_3(v_alignbit_b32, static_cast<u32>((u64(a) << 32 | b) >> c % 32));
OP_U32_3(v_alignbyte_b32, static_cast<u32>((u64(a) << 32 | b) >> c % 4 * 8));
u32 byte_of_perm(u32 a, u32 b, u32 selector) {
  u64 const all = u64(a) << 32 | b;
  if (selector >= 13) return 0xff;
  if (selector == 12) return 0;
  if (selector >= 8) return all >> (selector - 8) * 16 & 0x8000 ? 0xff : 0;
  return all >> selector * 8 & 0xff;
}
OP_U32_3(v_perm_b32, byte_of_perm(a, b, c & 255) | byte_of_perm(a, b, c >> 8 & 255) << 8 |
                         byte_of_perm(a, b, c >> 16 & 255) << 16 | byte_of_perm(a, b, c >> 24) << 24);
OP_U32_3(v_sad_u32, (a > b ? a - b : b - a) + c);
#ifndef GFX11  // which has no SDWA
OP(v_mov_b32_sdwa, u32, u32, u32, u32, "v_mov_b32_sdwa %0, %1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_2",
   (a >> 16 & 255) << 16);
OP(v_add_u32_sdwa, u32, u32, u32, u32,
   "v_add" NC "_u32_sdwa %0, sext(%1), %2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1",
   static_cast<u32>(static_cast<std::int8_t>(a >> 8)) + (b >> 16));
#define SDWA v_mov_b32_sdwa, v_add_u32_sdwa,
#else
#define SDWA
#endif
OP(v_add_co_u32, u32, u32, u32, u32, "v_add_co_u32 %0, " VCC ", %1, %2\n " ADDC " %0, " VCC ", %3, %3, " VCC,
   static_cast<u32>(2 * u64(c) + (u64(a) + b >= u64(1) << 32)));
OP(v_sub_co_u32, u32, u32, u32, u32, "v_sub_co_u32 %0, " VCC ", %1, %2\n " SUBB " %0, " VCC ", %3, %1, " VCC,
   c - a - (a < b));
OP(v_cndmask_b32, u32, u32, u32, u32, "v_cmp_lt_u32 " VCC ", %1, %2\n v_cndmask_b32 %0, %2, %3, " VCC, a < b ? c : b);
OP(v_cmp_le_i32, u32, u32, u32, u32, "v_cmp_le_i32 " VCC ", %1, %2\n v_cndmask_b32 %0, %2, %3, " VCC,
   static_cast<i32>(a) <= static_cast<i32>(b) ? c : b);
OP(v_cvt_f32_ubyte2, u32, u32, u32, u32, "v_cvt_f32_ubyte2 %0, %1", bits_as<u32>(static_cast<float>(a >> 16 & 255)));
OP(v_cvt_f32_u32, u32, u32, u32, u32, "v_cvt_f32_u32 %0, %1", bits_as<u32>(static_cast<float>(a)));
OP_U32(v_cvt_pk_u16_u32, std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16);
OP(v_pk_add_u16, u32, u32, u32, u32, "v_pk_add_u16 %0, %1, %2", ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16);
OP(v_pk_mad_u16_swapped, u32, u32, u32, u32, "v_pk_mad_u16 %0, %1, %2, %3 op_sel:[1,0,0] op_sel_hi:[0,1,1]",
   (((a >> 16) * (b & 0xffff) + c) & 0xffff) | ((a & 0xffff) * (b >> 16) + (c >> 16)) << 16);
OP(v_pk_max_i16, u32, u32, u32, u32, "v_pk_max_i16 %0, %1, %2",
   static_cast<u16>(std::max(static_cast<i16>(a), static_cast<i16>(b))) |
       static_cast<u32>(static_cast<u16>(std::max(static_cast<i16>(a >> 16), static_cast<i16>(b >> 16)))) << 16);
OP(v_mad_u16, u32, u32, u32, u32, "v_mov_b32 %0, -1\n v_mad_u16 %0, %1, %2, %3", upper_half | ((a * b + c) & 0xffff));
OP(v_lshlrev_b16, u32, u32, u32, u32, "v_mov_b32 %0, -1\n v_lshlrev_b16 %0, %1, %2",
   upper_half | (((b & 0xffff) << a % 16) & 0xffff));
#if LANES == 64  // gfx9 alone
OP(index_of_source, u32, u32, u32, u32,
   "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n v_mov_b32 v12, %3\n s_mov_b32 s20, 2\n"
   "s_set_gpr_idx_on s20, gpr_idx(SRC0)\n v_sub_u32 %0, v10, v10\n s_set_gpr_idx_off",
   c - a);
OP(index_of_second_source, u32, u32, u32, u32,
   "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n v_mov_b32 v12, %3\n s_mov_b32 s20, 2\n"
   "s_set_gpr_idx_on 1, gpr_idx(SRC0)\n s_set_gpr_idx_idx s20\n s_set_gpr_idx_mode gpr_idx(SRC1)\n"
   "v_sub_u32 %0, v10, v10\n s_set_gpr_idx_off",
   a - c);
OP(index_of_result, u32, u32, u32, u32,
   "v_mov_b32 v10, %1\n v_mov_b32 v11, %2\n s_set_gpr_idx_on 1, gpr_idx(DST)\n v_mad_u32_u24 v10, %1, %2, %3\n"
   "s_set_gpr_idx_off\n v_sub_u32 %0, v11, v10",
   static_cast<u32>(u64(a % (1u << 24)) * (b % (1u << 24)) + c) - a);
#endif
OP(s_movrels_b32, u32, u32, u32, u32,
   "s_movk_i32 s20, 5\n s_movk_i32 s21, 7\n s_mov_b32 m0, 1\n s_movrels_b32 s20, s20\n v_add" NC "_u32 %0, s20, %1",
   a + 7);
OP(s_movreld_b64, u32, u32, u32, u32,
   "s_mov_b64 s[20:21], 3\n s_mov_b32 m0, 2\n s_movreld_b64 s[20:21], 9\n v_add" NC
   "_u32 %0, s22, %1\n"
   "v_add" NC "_u32 %0, s20, %0\n v_add" NC "_u32 %0, s23, %0",
   a + 12);
}  // namespace unsigned_words

namespace signed_words {
OP_I32(v_min_i32, std::min(a, b));
OP_I32(v_max_i32, std::max(a, b));
OP_I32_3(v_med3_i32, std::max(std::min(a, b), std::min(std::max(a, b), c)));
OP_I32(v_mul_hi_i32, static_cast<i32>(i64(a) * b >> 32));
i64 of_24_bits(i32 a) { return (i64(a) & 0xffffff) - (a & 0x800000 ? 0x1000000 : 0); }
OP_I32(v_mul_i32_i24, static_cast<i32>(of_24_bits(a) * of_24_bits(b)));
OP_I32_3(v_mad_i32_i24, static_cast<i32>(of_24_bits(a) * of_24_bits(b) + c));
OP_I32(v_ashrrev_i32, static_cast<i32>(i64(b) >> (a & 31)));
OP_I32_3(v_bfe_i32, (c & 31) == 0
                        ? 0
                        : static_cast<i32>(static_cast<i64>(static_cast<u64>(i64(a) >> (b & 31)) << (64 - (c & 31))) >>
                                           (64 - (c & 31))));
OP(v_ffbh_i32, i32, i32, i32, i32, "v_ffbh_i32 %0, %1", a == 0 || a == -1 ? -1 : __builtin_clrsb(a) + 1);
OP(v_cvt_f32_i32, i32, i32, i32, i32, "v_cvt_f32_i32 %0, %1", bits_as<i32>(static_cast<float>(a)));
OP(v_cvt_pk_i16_i32, i32, i32, i32, i32, "v_cvt_pk_i16_i32 %0, %1, %2",
   static_cast<i32>(static_cast<u16>(std::clamp(a, -32768, 32767)) |
                    static_cast<u32>(static_cast<u16>(std::clamp(b, -32768, 32767))) << 16));
}  // namespace signed_words

namespace wide_words {
OP(v_lshlrev_b64, u64, u64, u64, u32, "v_lshlrev_b64 %0, %3, %1",
   static_cast<u64>(static_cast<unsigned __int128>(a) << c % 64));
OP(v_lshrrev_b64, u64, u64, u64, u32, "v_lshrrev_b64 %0, %3, %1", a / (u64(1) << c % 64));
OP(v_ashrrev_i64, u64, u64, u64, u32, "v_ashrrev_i64 %0, %3, %1",
   static_cast<u64>(static_cast<i64>(static_cast<i128>(static_cast<i64>(a)) >> c % 64)));
OP(v_mad_u64_u32, u64, u64, u64, u32, "v_mad_u64_u32 %0, " VCC ", %3, %3, %1", u64(c) * c + a);
OP(v_mad_i64_i32, u64, u64, u64, u32, "v_mad_i64_i32 %0, " VCC ", %3, %3, %1",
   static_cast<u64>(i64(static_cast<i32>(c)) * static_cast<i32>(c)) + a);
OP(v_cmp_lt_i64, u32, u64, u64, u32, "v_cmp_lt_i64 " VCC ", %1, %2\n v_cndmask_b32 %0, 0, %3, " VCC,
   static_cast<i64>(a) < static_cast<i64>(b) ? c : 0);
OP(v_cmp_ge_u64, u32, u64, u64, u32, "v_cmp_ge_u64 " VCC ", %1, %2\n v_cndmask_b32 %0, 0, %3, " VCC, a >= b ? c : 0);
}  // namespace wide_words

// Results of reals are compared as bits, except for NaN.
#define OP_REAL(LABEL, T, TEXT, RESULT) OP(LABEL, T, T, T, T, TEXT, RESULT)
template <class T>
T larger(T a, T b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
template <class T>
T smaller(T a, T b) {
  return -larger(-a, -b);
}
template <class To, class From>
To saturated(From x) {
  if (x != x) return 0;
  if (x < static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (x >= std::ldexp(From(1), std::numeric_limits<To>::digits)) return std::numeric_limits<To>::max();
  return static_cast<To>(x);
}
namespace singles {
OP_REAL(v_add_f32, float, "v_add_f32 %0, %1, %2", a + b);
OP_REAL(v_sub_f32_modified, float, "v_sub_f32 %0, -%1, |%2|", -a - std::fabs(b));
OP_REAL(v_mul_f32, float, "v_mul_f32 %0, %1, %2", a* b);
OP_REAL(v_mul_f32_scaled, float, "v_mul_f32 %0, %1, %2 mul:4", a* b * 4);
OP_REAL(v_add_f32_clamp, float, "v_add_f32 %0, %1, %2 clamp", a + b > 0 ? std::min(a + b, 1.0f) : 0);
OP_REAL(v_fma_f32, float, "v_fma_f32 %0, %1, %2, %3", std::fma(a, b, c));
OP_REAL(v_max_f32, float, "v_max_f32 %0, %1, %2", larger(a, b));
OP_REAL(v_min_f32, float, "v_min_f32 %0, %1, %2", smaller(a, b));
OP_REAL(v_floor_f32, float, "v_floor_f32 %0, %1", std::floor(a));
OP_REAL(v_ceil_f32, float, "v_ceil_f32 %0, %1", std::ceil(a));
OP_REAL(v_trunc_f32, float, "v_trunc_f32 %0, %1", std::trunc(a));
OP_REAL(v_rndne_f32, float, "v_rndne_f32 %0, %1", std::rint(a));
OP_REAL(v_frexp_exp_i32_f32, float, "v_frexp_exp_i32_f32 %0, %1",
        bits_as<float>(a == 0 || !std::isfinite(a) ? 0 : std::ilogb(a) + 1));
OP_REAL(v_ldexp_f32, float, "v_ldexp_f32 %0, %1, 3", a * 8);
OP_REAL(v_cvt_i32_f32, float, "v_cvt_i32_f32 %0, %1", bits_as<float>(saturated<i32>(a)));
OP_REAL(v_cvt_u32_f32, float, "v_cvt_u32_f32 %0, %1", bits_as<float>(saturated<u32>(a)));
OP_REAL(v_cmp_nlt_f32, float, "v_cmp_nlt_f32 " VCC ", %1, %2\n v_cndmask_b32 %0, %2, %3, " VCC, !(a < b) ? c : b);
OP_REAL(v_cmp_o_f32, float, "v_cmp_o_f32 " VCC ", %1, %2\n v_cndmask_b32 %0, 0, 1.0, " VCC,
        a == a && b == b ? 1.0f : 0.0f);
OP_REAL(v_cmp_class_f32, float,
        "v_mov_b32 v10, 0x90\n v_cmp_class_f32 " VCC ", %1, v10\n v_cndmask_b32 %0, 0, 1.0, " VCC,
        std::fpclassify(a) == FP_SUBNORMAL ? 1.0f : 0.0f);
// A division, as the compiler builds it.
OP_REAL(division, float,
        "v_div_scale_f32 v10, " MASK
        ", %2, %2, %1\n v_rcp_f32 v11, v10\n v_fma_f32 v12, -v10, v11, 1.0\n"
        "v_fma_f32 v11, v12, v11, v11\n v_div_scale_f32 v12, " VCC
        ", %1, %2, %1\n v_mul_f32 v13, v12, v11\n"
        "v_fma_f32 v14, -v10, v13, v12\n v_fma_f32 v13, v14, v11, v13\n v_fma_f32 v10, -v10, v13, v12\n"
        "v_div_fmas_f32 v10, v10, v11, v13\n v_div_fixup_f32 %0, v10, %2, %1",
        a / b);
}  // namespace singles
namespace doubles {
OP_REAL(v_add_f64, double, "v_add_f64 %0, %1, -%2", a - b);
OP_REAL(v_mul_f64, double, "v_mul_f64 %0, %1, |%2|", a* std::fabs(b));
OP_REAL(v_fma_f64, double, "v_fma_f64 %0, %1, %2, %3", std::fma(a, b, c));
OP_REAL(v_max_f64, double, "v_max_f64 %0, %1, %2", larger(a, b));
OP_REAL(v_min_f64, double, "v_min_f64 %0, %1, %2", smaller(a, b));
OP_REAL(v_floor_f64, double, "v_floor_f64 %0, %1", std::floor(a));
OP_REAL(v_rndne_f64, double, "v_rndne_f64 %0, %1", std::rint(a));
OP_REAL(v_ldexp_f64, double, "v_ldexp_f64 %0, %1, -5", a / 32);
OP_REAL(constant_f64, double, "v_add_f64 %0, %1, 0.5", a + 0.5);
OP_REAL(division, double,
        "v_div_scale_f64 v[10:11], " MASK
        ", %2, %2, %1\n v_rcp_f64 v[12:13], v[10:11]\n v_fma_f64 v[14:15], "
        "-v[10:11], v[12:13], 1.0\n"
        "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]\n v_div_scale_f64 v[14:15], " VCC
        ", %1, %2, %1\n"
        "v_mul_f64 v[16:17], v[14:15], v[12:13]\n v_fma_f64 v[10:11], -v[10:11], v[16:17], v[14:15]\n"
        "v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[16:17]\n v_div_fixup_f64 %0, v[10:11], %2, %1",
        a / b);
}  // namespace doubles

int main() {
  std::vector<u32> const words{0,        1,        2,          13,         31,         32,         0xff,      0x8000,
                               0x7fffff, 0x800000, 0x07060d03, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff};
  {
    using namespace unsigned_words;
    check_all<v_add_u32, v_add_u32_clamp, v_sub_u32_clamp, v_sub_u32, v_subrev_u32, v_mul_lo_u32, v_mul_hi_u32,
              v_mul_u32_u24, v_mul_hi_u32_u24, v_mad_u32_u24, v_and_b32, v_or_b32, v_xor_b32, v_xnor_b32, v_not_b32,
              v_min_u32, v_max_u32, v_min3_u32, v_max3_u32, v_med3_u32, v_lshlrev_b32, v_lshrrev_b32, v_add3_u32,
              v_lshl_add_u32, v_add_lshl_u32, v_lshl_or_b32, v_and_or_b32, v_or3_b32, v_xad_u32, v_bfe_u32, v_bfi_b32,
              v_bfm_b32, v_bcnt_u32_b32, v_ffbh_u32, v_ffbl_b32, v_bfrev_b32, v_alignbit_b32, v_alignbyte_b32,
              v_perm_b32, v_sad_u32, SDWA v_add_co_u32, v_sub_co_u32, v_cndmask_b32, v_cmp_le_i32, v_cvt_f32_ubyte2,
              v_cvt_f32_u32, v_cvt_pk_u16_u32, v_pk_add_u16, v_pk_mad_u16_swapped, v_pk_max_i16, v_mad_u16,
              v_lshlrev_b16, s_movrels_b32, s_movreld_b64>(words, words, words);
#if LANES == 64
    check_all<index_of_source, index_of_second_source, index_of_result>(words, words, words);
#endif
  }
  std::vector<i32> numbers;
  for (u32 w : words) numbers.push_back(static_cast<i32>(w));
  {
    using namespace signed_words;
    check_all<v_min_i32, v_max_i32, v_med3_i32, v_mul_hi_i32, v_mul_i32_i24, v_mad_i32_i24, v_ashrrev_i32, v_bfe_i32,
              v_ffbh_i32, v_cvt_f32_i32, v_cvt_pk_i16_i32>(numbers, numbers, numbers);
  }
  {
    using namespace wide_words;
    std::vector<u64> const wide{0,
                                1,
                                0xffffffff,
                                0x100000000,
                                UINT64_C(0x7fffffffffffffff),
                                UINT64_C(1) << 63,
                                ~UINT64_C(0),
                                UINT64_C(0x9E3779B97F4A7C15)};
    check_all<v_lshlrev_b64, v_lshrrev_b64, v_ashrrev_i64, v_mad_u64_u32, v_mad_i64_i32, v_cmp_lt_i64, v_cmp_ge_u64>(
        wide, wide, words);
  }
  {
    using namespace singles;
    check_all<v_add_f32, v_sub_f32_modified, v_mul_f32, v_mul_f32_scaled, v_add_f32_clamp, v_fma_f32, v_max_f32,
              v_min_f32, v_floor_f32, v_ceil_f32, v_trunc_f32, v_rndne_f32, v_frexp_exp_i32_f32, v_ldexp_f32,
              v_cvt_i32_f32, v_cvt_u32_f32, v_cmp_nlt_f32, v_cmp_o_f32, v_cmp_class_f32, division>(
        reals<float>(), reals<float>(), reals<float>());
  }
  {
    using namespace doubles;
    check_all<v_add_f64, v_mul_f64, v_fma_f64, v_max_f64, v_min_f64, v_floor_f64, v_rndne_f64, v_ldexp_f64,
              constant_f64, division>(reals<double>(), reals<double>(), reals<double>());
  }
  return finish();
}
