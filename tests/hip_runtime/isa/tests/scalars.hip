// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests each scalar instruction alone, with edge values in every operand, and compares its result and SCC with
// arithmetic of the host.
#include "operations.hpp"

#include <algorithm>

__device__ u32 uniform(u32 x) { return static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(x))); }
__device__ u64 uniform(u64 x) {
  return static_cast<u64>(uniform(static_cast<u32>(x >> 32))) << 32 | uniform(static_cast<u32>(x));
}

/// A result and SCC.
template <class T>
struct Both {
  T value;
  u32 scc;
};

// The instruction reads SCC = (c is odd), and its result is followed by SCC. C++ comes last, because it has commas.
#define SCALAR(LABEL, R, A, B, TEXT, ...)                                                                     \
  struct LABEL {                                                                                              \
    using Result                 = R;                                                                         \
    static constexpr char name[] = #LABEL;                                                                    \
    __device__ static Both<R> device(A a, B b, u32 c) {                                                       \
      Both<R> r;                                                                                              \
      asm volatile("s_mov_b64 s[20:21], 0\n s_bitcmp1_b32 %4, 0\n" TEXT "\n s_cselect_b32 %1, 1, 0"           \
                   : "=&s"(r.value), "=&s"(r.scc)                                                             \
                   : "s"(a), "s"(b), "s"(c)                                                                   \
                   : "scc", "s20", "s21", "s22", "s23");                                                      \
      return r;                                                                                               \
    }                                                                                                         \
    static Both<R> host([[maybe_unused]] A a, [[maybe_unused]] B b, [[maybe_unused]] u32 scc) { __VA_ARGS__ } \
  }

template <class T>
Both<T> keeps(T value, u32 scc) {  // leaves SCC as it is
  return {value, scc};
}
template <class T>
Both<T> nonzero(T value) {  // SCC is whether the result is not 0
  return {value, value != 0};
}
template <class T>
u32 ones(T x) {
  return static_cast<u32>(__builtin_popcountll(x));
}
template <class T>
u32 first_one(T x) {
  for (u32 k = 0; k < 8 * sizeof(T); ++k)
    if (x >> k & 1) return k;
  return ~0u;
}
template <class T>
u32 last_one(T x) {  // distance from the top
  for (u32 k = 0; k < 8 * sizeof(T); ++k)
    if (x >> (8 * sizeof(T) - 1 - k) & 1) return k;
  return ~0u;
}
template <class T>
T reversed(T x) {
  T r = 0;
  for (u32 k = 0; k < 8 * sizeof(T); ++k) r = static_cast<T>(r << 1 | (x >> k & 1));
  return r;
}
i32 sign(u32 a) { return static_cast<i32>(a); }
bool fits(i64 x) { return x == static_cast<i32>(x); }

#define WORD(NAME, ...) SCALAR(NAME, u32, u32, u32, #NAME " %0, %2, %3", __VA_ARGS__)
#define WORD_1(NAME, ...) SCALAR(NAME, u32, u32, u32, #NAME " %0, %2", __VA_ARGS__)
#define WIDE(NAME, ...) SCALAR(NAME, u64, u64, u64, #NAME " %0, %2, %3", __VA_ARGS__)
#define WIDE_1(NAME, ...) SCALAR(NAME, u64, u64, u64, #NAME " %0, %2", __VA_ARGS__)

namespace words {
WORD(s_add_u32, return {a + b, u64(a) + b > 0xffffffff};);
WORD(s_sub_u32, return {a - b, a < b};);
WORD(s_add_i32, return {a + b, !fits(i64(sign(a)) + sign(b))};);
WORD(s_sub_i32, return {a - b, !fits(i64(sign(a)) - sign(b))};);
WORD(s_addc_u32, return {a + b + scc, u64(a) + b + scc > 0xffffffff};);
WORD(s_subb_u32, return {a - b - scc, u64(a) < u64(b) + scc};);
WORD(s_mul_i32, return keeps(a * b, scc););
WORD(s_mul_hi_u32, return keeps(static_cast<u32>(u64(a) * b >> 32), scc););
WORD(s_mul_hi_i32, return keeps(static_cast<u32>(i64(sign(a)) * sign(b) >> 32), scc););
WORD(s_min_u32, return {std::min(a, b), a < b};);
WORD(s_max_u32, return {std::max(a, b), a > b};);
WORD(s_min_i32, return {static_cast<u32>(std::min(sign(a), sign(b))), sign(a) < sign(b)};);
WORD(s_max_i32, return {static_cast<u32>(std::max(sign(a), sign(b))), sign(a) > sign(b)};);
WORD(s_and_b32, return nonzero(a & b););
WORD(s_or_b32, return nonzero(a | b););
WORD(s_xor_b32, return nonzero(a ^ b););
WORD(s_andn2_b32, return nonzero(a & ~b););
WORD(s_orn2_b32, return nonzero(a | ~b););
WORD(s_nand_b32, return nonzero(~(a & b)););
WORD(s_nor_b32, return nonzero(~(a | b)););
WORD(s_xnor_b32, return nonzero(~(a ^ b)););
WORD(s_lshl_b32, return nonzero(static_cast<u32>(u64(a) << b % 32)););
WORD(s_lshr_b32, return nonzero(static_cast<u32>(u64(a) >> b % 32)););
WORD(s_ashr_i32, return nonzero(static_cast<u32>(i64(sign(a)) >> b % 32)););
WORD(s_cselect_b32, return keeps(scc ? a : b, scc););
WORD(s_lshl1_add_u32, return {a * 2 + b, (u64(a) * 2) + b > 0xffffffff};);
WORD(s_lshl2_add_u32, return {a * 4 + b, (u64(a) * 4) + b > 0xffffffff};);
WORD(s_lshl3_add_u32, return {a * 8 + b, (u64(a) * 8) + b > 0xffffffff};);
WORD(s_lshl4_add_u32, return {a * 16 + b, (u64(a) * 16) + b > 0xffffffff};);
WORD(s_bfm_b32, return keeps(static_cast<u32>(((u64(1) << a % 32) - 1) << b % 32), scc););
WORD(s_pack_ll_b32_b16, return keeps(a % 65536 + b * 65536, scc););
WORD(s_pack_lh_b32_b16, return keeps(a % 65536 + b / 65536 * 65536, scc););
WORD(s_pack_hh_b32_b16, return keeps(a / 65536 + b / 65536 * 65536, scc););
WORD(s_absdiff_i32, return nonzero(static_cast<u32>(std::abs(i64(static_cast<i32>(a - b))))););
// Offset in bits 0 to 4 of b, width in bits 16 to 22.
SCALAR(s_bfe_u32, u32, u32, u32, "s_bfe_u32 %0, %2, %3",
       return nonzero(static_cast<u32>((u64(a) >> b % 32) & ((u64(1) << std::min(b >> 16 & 127, 32u)) - 1))););
SCALAR(s_bfe_i32, u32, u32, u32, "s_bfe_i32 %0, %2, %3", {
  u32 const width = std::min(b >> 16 & 127, 32u);
  if (width == 0) return nonzero(0u);
  return nonzero(
      static_cast<u32>(static_cast<i32>(static_cast<u32>(sign(a) >> b % 32) << (32 - width)) >> (32 - width)));
});
WORD_1(s_mov_b32, return keeps(a, scc););
WORD_1(s_not_b32, return nonzero(~a););
WORD_1(s_brev_b32, return keeps(reversed(a), scc););
WORD_1(s_bcnt0_i32_b32, return nonzero(32 - ones(a)););
WORD_1(s_bcnt1_i32_b32, return nonzero(ones(a)););
#ifndef GFX11
WORD_1(s_ff0_i32_b32, return keeps(first_one(~a), scc););
#define FIRST_ZERO s_ff0_i32_b32,
#else
#define FIRST_ZERO
#endif
WORD_1(s_ff1_i32_b32, return keeps(first_one(a), scc););
WORD_1(s_flbit_i32_b32, return keeps(last_one(a), scc););
WORD_1(s_flbit_i32, return keeps(last_one(sign(a) < 0 ? ~a : a), scc););
WORD_1(s_sext_i32_i8, return keeps(static_cast<u32>(static_cast<std::int8_t>(a)), scc););
WORD_1(s_sext_i32_i16, return keeps(static_cast<u32>(static_cast<i16>(a)), scc););
WORD_1(s_abs_i32, return nonzero(static_cast<u32>(std::abs(i64(sign(a))))););
SCALAR(s_addk_i32, u32, u32, u32, "s_mov_b32 %0, %2\n s_bitcmp1_b32 %4, 0\n s_addk_i32 %0, 0x8001",
       return {a - 0x7fff, !fits(i64(sign(a)) - 0x7fff)};);
SCALAR(s_mulk_i32, u32, u32, u32, "s_mov_b32 %0, %2\n s_mulk_i32 %0, 0xfffd", return keeps(a * ~2u, scc););
SCALAR(s_movk_i32, u32, u32, u32, "s_movk_i32 %0, 0x8000", return keeps(0xffff8000u, scc););
SCALAR(s_cmovk_i32, u32, u32, u32, "s_mov_b32 %0, %2\n s_cmovk_i32 %0, 0x7fff", return keeps(scc ? 0x7fffu : a, scc););
SCALAR(s_cmov_b32, u32, u32, u32, "s_mov_b32 %0, %2\n s_cmov_b32 %0, %3", return keeps(scc ? b : a, scc););
SCALAR(s_bitset0_b32, u32, u32, u32, "s_mov_b32 %0, %2\n s_bitset0_b32 %0, %3",
       return keeps(a & ~(1u << b % 32), scc););
SCALAR(s_bitset1_b32, u32, u32, u32, "s_mov_b32 %0, %2\n s_bitset1_b32 %0, %3", return keeps(a | 1u << b % 32, scc););
}  // namespace words

namespace pairs {
WIDE(s_and_b64, return nonzero(a & b););
WIDE(s_or_b64, return nonzero(a | b););
WIDE(s_xor_b64, return nonzero(a ^ b););
WIDE(s_andn2_b64, return nonzero(a & ~b););
WIDE(s_orn2_b64, return nonzero(a | ~b););
WIDE(s_nand_b64, return nonzero(~(a & b)););
WIDE(s_nor_b64, return nonzero(~(a | b)););
WIDE(s_xnor_b64, return nonzero(~(a ^ b)););
WIDE(s_cselect_b64, return keeps(scc ? a : b, scc););
WIDE_1(s_mov_b64, return keeps(a, scc););
WIDE_1(s_not_b64, return nonzero(~a););
WIDE_1(s_brev_b64, return keeps(reversed(a), scc););
SCALAR(s_lshl_b64, u64, u64, u32, "s_lshl_b64 %0, %2, %3", return nonzero(a * (u64(1) << b % 64)););
SCALAR(s_lshr_b64, u64, u64, u32, "s_lshr_b64 %0, %2, %3", return nonzero(a / (u64(1) << b % 64)););
SCALAR(s_ashr_i64, u64, u64, u32, "s_ashr_i64 %0, %2, %3",
       return nonzero(static_cast<u64>(static_cast<i128>(static_cast<i64>(a)) >> b % 64)););
SCALAR(s_bfe_u64, u64, u64, u32, "s_bfe_u64 %0, %2, %3", {
  u32 const width = std::min(b >> 16 & 127, 64u);
  return nonzero(width ? (a >> b % 64) & (~u64(0) >> (64 - width)) : 0);
});
SCALAR(s_bfe_i64, u64, u64, u32, "s_bfe_i64 %0, %2, %3", {
  u32 const width = std::min(b >> 16 & 127, 64u);
  if (width == 0) return nonzero(u64(0));
  auto const field = static_cast<i64>(a) >> b % 64;
  return nonzero(static_cast<u64>(static_cast<i64>(static_cast<u64>(field) << (64 - width)) >> (64 - width)));
});
SCALAR(s_bcnt0_i32_b64, u32, u64, u64, "s_bcnt0_i32_b64 %0, %2", return nonzero(64 - ones(a)););
SCALAR(s_bcnt1_i32_b64, u32, u64, u64, "s_bcnt1_i32_b64 %0, %2", return nonzero(ones(a)););
SCALAR(s_ff1_i32_b64, u32, u64, u64, "s_ff1_i32_b64 %0, %2", return keeps(first_one(a), scc););
SCALAR(s_flbit_i32_b64, u32, u64, u64, "s_flbit_i32_b64 %0, %2", return keeps(last_one(a), scc););
SCALAR(s_flbit_i32_i64, u32, u64, u64, "s_flbit_i32_i64 %0, %2",
       return keeps(last_one(static_cast<i64>(a) < 0 ? ~a : a), scc););
SCALAR(s_cmp_eq_u64, u32, u64, u64, "s_mov_b32 %0, 0\n s_cmp_eq_u64 %2, %3", return {0, a == b};);
SCALAR(s_cmp_lg_u64, u32, u64, u64, "s_mov_b32 %0, 0\n s_cmp_lg_u64 %2, %3", return {0, a != b};);
SCALAR(s_bitcmp0_b64, u32, u64, u32, "s_mov_b32 %0, 0\n s_bitcmp0_b64 %2, %3", return {0, !(a >> b % 64 & 1)};);
SCALAR(s_bitcmp1_b64, u32, u64, u32, "s_mov_b32 %0, 0\n s_bitcmp1_b64 %2, %3", return {0, bool(a >> b % 64 & 1)};);
SCALAR(s_bitset1_b64, u64, u64, u32, "s_mov_b64 %0, %2\n s_bitset1_b64 %0, %3",
       return keeps(a | u64(1) << b % 64, scc););
}  // namespace pairs

namespace comparisons {
#define COMPARISON(NAME, CONDITION) \
  SCALAR(NAME, u32, u32, u32, "s_mov_b32 %0, 0\n " #NAME " %2, %3", return {0, (CONDITION)};)
COMPARISON(s_cmp_eq_u32, a == b);
COMPARISON(s_cmp_lg_u32, a != b);
COMPARISON(s_cmp_gt_u32, a > b);
COMPARISON(s_cmp_ge_u32, a >= b);
COMPARISON(s_cmp_lt_u32, a < b);
COMPARISON(s_cmp_le_u32, a <= b);
COMPARISON(s_cmp_eq_i32, a == b);
COMPARISON(s_cmp_lg_i32, a != b);
COMPARISON(s_cmp_gt_i32, sign(a) > sign(b));
COMPARISON(s_cmp_ge_i32, sign(a) >= sign(b));
COMPARISON(s_cmp_lt_i32, sign(a) < sign(b));
COMPARISON(s_cmp_le_i32, sign(a) <= sign(b));
COMPARISON(s_bitcmp0_b32, !(a >> b % 32 & 1));
COMPARISON(s_bitcmp1_b32, bool(a >> b % 32 & 1));
// The constant 0x8000 is -0x8000 in signed comparisons.
#define COMPARISON_K(NAME, CONDITION) \
  SCALAR(NAME, u32, u32, u32, "s_mov_b32 %0, 0\n " #NAME " %2, 0x8000", return {0, (CONDITION)};)
COMPARISON_K(s_cmpk_eq_u32, a == 0x8000);
COMPARISON_K(s_cmpk_lg_u32, a != 0x8000);
COMPARISON_K(s_cmpk_gt_u32, a > 0x8000);
COMPARISON_K(s_cmpk_ge_u32, a >= 0x8000);
COMPARISON_K(s_cmpk_lt_u32, a < 0x8000);
COMPARISON_K(s_cmpk_le_u32, a <= 0x8000);
COMPARISON_K(s_cmpk_eq_i32, a == 0xffff8000);
COMPARISON_K(s_cmpk_lg_i32, a != 0xffff8000);
COMPARISON_K(s_cmpk_gt_i32, sign(a) > -0x8000);
COMPARISON_K(s_cmpk_ge_i32, sign(a) >= -0x8000);
COMPARISON_K(s_cmpk_lt_i32, sign(a) < -0x8000);
COMPARISON_K(s_cmpk_le_i32, sign(a) <= -0x8000);
}  // namespace comparisons

// Branches: 1 is stored unless the branch is taken. exec is restored in any case.
namespace branches {
#if LANES == 32
#define EXEC "exec_lo"
#define MOVE_MASK "s_mov_b32 "
#define SAVED "s20"
#else
#define EXEC "exec"
#define MOVE_MASK "s_mov_b64 "
#define SAVED "s[20:21]"
#endif
#define BRANCH(NAME, BEFORE, TAKEN)                                              \
  SCALAR(NAME, u32, u32, u32,                                                    \
         "s_mov_b32 %0, 0\n " MOVE_MASK SAVED ", " EXEC "\n " BEFORE "\n " #NAME \
         " after_%=\n s_mov_b32 %0, 1\n"                                         \
         "after_%=:\n " MOVE_MASK EXEC ", " SAVED "\n s_cmp_eq_u32 0, 1",        \
         return {(TAKEN) ? 0u : 1u, 0};)
BRANCH(s_branch, "", true);
BRANCH(s_cbranch_scc0, "s_cmp_lt_u32 %2, %3", a >= b);
BRANCH(s_cbranch_scc1, "s_cmp_lt_u32 %2, %3", a < b);
BRANCH(s_cbranch_vccz, "s_cmp_lt_u32 %2, %3\n s_cselect_b32 vcc_lo, 4, 0\n s_mov_b32 vcc_hi, 0\n s_nop 4", a >= b);
BRANCH(s_cbranch_vccnz, "s_cmp_lt_u32 %2, %3\n s_cselect_b32 vcc_lo, 4, 0\n s_mov_b32 vcc_hi, 0\n s_nop 4", a < b);
BRANCH(s_cbranch_execz, "s_cmp_lt_u32 %2, %3\n s_cselect_b32 exec_lo, 4, 0\n s_mov_b32 exec_hi, 0", a >= b);
BRANCH(s_cbranch_execnz, "s_cmp_lt_u32 %2, %3\n s_cselect_b32 exec_lo, 4, 0\n s_mov_b32 exec_hi, 0", a < b);
// A jump over one instruction, whose address is computed.
SCALAR(
    s_setpc_b64, u32, u32, u32,
    "s_mov_b32 %0, %2\n s_getpc_b64 s[20:21]\n s_add_u32 s20, s20, 20\n s_addc_u32 s21, s21, 0\n s_setpc_b64 s[20:21]\n"
    "s_nop 0\n s_mov_b32 %0, %3\n s_cmp_eq_u32 0, 1",
    return {a, 0};);
}  // namespace branches

// The checked value combines the new exec mask and the old one, which is a. SCC is whether the new exec mask is not 0.
namespace masks {
#if LANES == 32
using Mask = u32;
#define WIDTH "b32"
#define OLD "s22"
#else
using Mask = u64;
#define WIDTH "b64"
#define OLD "s[22:23]"
#endif
#define SAVE(NAME, NEW)                                                                                          \
  SCALAR(NAME, Mask, Mask, Mask,                                                                                 \
         MOVE_MASK SAVED ", " EXEC "\n " MOVE_MASK EXEC ", %2\n " #NAME "_" WIDTH " " OLD ", %3\n " MOVE_MASK    \
                         "%0, " EXEC "\n " MOVE_MASK EXEC ", " SAVED "\n s_cselect_b32 s20, 1, 0\n s_xor_" WIDTH \
                         " %0, %0, " OLD "\n s_cmp_lg_u32 s20, 0",                                               \
         const Mask mask = NEW;                                                                                  \
         return {a ^ mask, mask != 0};)
SAVE(s_and_saveexec, b& a);
SAVE(s_or_saveexec, b | a);
SAVE(s_xor_saveexec, b ^ a);
SAVE(s_andn1_saveexec, ~b& a);
SAVE(s_andn2_saveexec, b & ~a);
SAVE(s_orn1_saveexec, ~b | a);
SAVE(s_orn2_saveexec, b | ~a);
SAVE(s_nand_saveexec, ~(b& a));
SAVE(s_nor_saveexec, ~(b | a));
SAVE(s_xnor_saveexec, ~(b ^ a));
}  // namespace masks

// The four bits of MODE that allow subnormal numbers. The interpreter accepts no other value of these bits.
SCALAR(mode_register, u32, u32, u32,
       "s_movk_i32 s20, 15\n s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s20\n s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), "
       "15\n"
       "s_getreg_b32 %0, hwreg(HW_REG_MODE, 2, 6)",
       return keeps(0x3cu, scc););

template <class Op, class A, class B>
__global__ void run_scalar(A const* a, B const* b, Both<typename Op::Result>* out, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    Both<typename Op::Result> const r = Op::device(uniform(a[i / 2]), uniform(b[i / 2]), i % 2);
    asm volatile("" ::: "s20", "s21", "s22", "s23", "vcc");
    if (threadIdx.x == 0) out[i] = r;
  }
}

template <class Op, class A, class B>
void check_scalar(Array<A>& a, Array<B>& b) {
  u32 const n = 2 * static_cast<u32>(a.host.size());
  Array<Both<typename Op::Result>> out(n);
  run_scalar<Op><<<1, LANES>>>(a.device(), b.device(), out.device(), n);
  out.to_host();
  for (u32 i = 0; i < n; ++i) {
    auto const wanted = Op::host(a[i / 2], b[i / 2], i % 2);
    if (out[i].value == wanted.value && out[i].scc == wanted.scc) continue;
    std::printf("%s of 0x%llx, 0x%llx: found 0x%llx with SCC %u, not 0x%llx with SCC %u\n", Op::name,
                static_cast<unsigned long long>(a[i / 2]), static_cast<unsigned long long>(b[i / 2]),
                static_cast<unsigned long long>(out[i].value), out[i].scc,
                static_cast<unsigned long long>(wanted.value), wanted.scc);
    ++failures;
    return;
  }
}
template <class... Ops, class A, class B>
void check_scalars(std::vector<A> const& a, std::vector<B> const& b) {
  std::vector<A> x;
  std::vector<B> y;
  for (A i : a)
    for (B j : b) x.push_back(i), y.push_back(j);
  Array<A> in_a(x);
  Array<B> in_b(y);
  (check_scalar<Ops>(in_a, in_b), ...);
}

int main() {
  std::vector<u32> const values{0,        1,          31,         0x7fff,     0x8000,     0xffff,     0x100010,
                                0x200000, 0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xdeadbeef, 0xffffffff};
  std::vector<u64> const wide{0, 1, 0xffffffff, 0x100000000, ~u64(0) / 2, ~u64(0) / 2 + 1, ~u64(0), 0x9E3779B97F4A7C15};
  {
    using namespace words;
    check_scalars<s_add_u32, s_sub_u32, s_add_i32, s_sub_i32, s_addc_u32, s_subb_u32, s_mul_i32, s_mul_hi_u32,
                  s_mul_hi_i32, s_min_u32, s_max_u32, s_min_i32, s_max_i32, s_and_b32, s_or_b32, s_xor_b32, s_andn2_b32,
                  s_orn2_b32, s_nand_b32, s_nor_b32, s_xnor_b32, s_lshl_b32, s_lshr_b32, s_ashr_i32, s_cselect_b32,
                  s_lshl1_add_u32, s_lshl2_add_u32, s_lshl3_add_u32, s_lshl4_add_u32, s_bfm_b32, s_pack_ll_b32_b16,
                  s_pack_lh_b32_b16, s_pack_hh_b32_b16, s_absdiff_i32, s_bfe_u32, s_bfe_i32, s_mov_b32, s_not_b32,
                  s_brev_b32, s_bcnt0_i32_b32, s_bcnt1_i32_b32, FIRST_ZERO s_ff1_i32_b32, s_flbit_i32_b32, s_flbit_i32,
                  s_sext_i32_i8, s_sext_i32_i16, s_abs_i32, s_addk_i32, s_mulk_i32, s_movk_i32, s_cmovk_i32, s_cmov_b32,
                  s_bitset0_b32, s_bitset1_b32>(values, values);
  }
  {
    using namespace comparisons;
    check_scalars<s_cmp_eq_u32, s_cmp_lg_u32, s_cmp_gt_u32, s_cmp_ge_u32, s_cmp_lt_u32, s_cmp_le_u32, s_cmp_eq_i32,
                  s_cmp_lg_i32, s_cmp_gt_i32, s_cmp_ge_i32, s_cmp_lt_i32, s_cmp_le_i32, s_bitcmp0_b32, s_bitcmp1_b32,
                  s_cmpk_eq_u32, s_cmpk_lg_u32, s_cmpk_gt_u32, s_cmpk_ge_u32, s_cmpk_lt_u32, s_cmpk_le_u32,
                  s_cmpk_eq_i32, s_cmpk_lg_i32, s_cmpk_gt_i32, s_cmpk_ge_i32, s_cmpk_lt_i32, s_cmpk_le_i32>(values,
                                                                                                            values);
  }
  {
    using namespace pairs;
    check_scalars<s_and_b64, s_or_b64, s_xor_b64, s_andn2_b64, s_orn2_b64, s_nand_b64, s_nor_b64, s_xnor_b64,
                  s_cselect_b64, s_mov_b64, s_not_b64, s_brev_b64, s_bcnt0_i32_b64, s_bcnt1_i32_b64, s_ff1_i32_b64,
                  s_flbit_i32_b64, s_flbit_i32_i64, s_cmp_eq_u64, s_cmp_lg_u64>(wide, wide);
    check_scalars<s_lshl_b64, s_lshr_b64, s_ashr_i64, s_bfe_u64, s_bfe_i64, s_bitcmp0_b64, s_bitcmp1_b64,
                  s_bitset1_b64>(wide, values);
  }
  {
    using namespace masks;
    std::vector<Mask> bits;
    for (u64 x : wide) bits.push_back(static_cast<Mask>(x));
    check_scalars<s_and_saveexec, s_or_saveexec, s_xor_saveexec, s_andn1_saveexec, s_andn2_saveexec, s_orn1_saveexec,
                  s_orn2_saveexec, s_nand_saveexec, s_nor_saveexec, s_xnor_saveexec>(bits, bits);
  }
  {
    using namespace branches;
    check_scalars<s_branch, s_cbranch_scc0, s_cbranch_scc1, s_cbranch_vccz, s_cbranch_vccnz, s_cbranch_execz,
                  s_cbranch_execnz, s_setpc_b64>(values, values);
    check_scalars<mode_register>(values, values);
  }
  return finish();
}
