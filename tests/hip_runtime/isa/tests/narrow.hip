// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests each instruction of 16 bits, conversions, and functions of single precision, with edge values in every operand,
// against arithmetic of the host.
#include "operations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#if LANES == 32
#define NO_CARRY "_nc"
#else
#define NO_CARRY ""
#endif

using Half = _Float16;

// The upper half of the result's register is c's before the instruction. gfx10 keeps it, and gfx9 sets it to 0.
u32 with_upper_half_of(u32 c, u32 result) { return (LANES == 32 ? c & 0xffff0000 : 0) | (result & 0xffff); }
u32 bits(Half x) { return bits_as<u16>(x); }
Half half(u32 x) { return bits_as<Half>(static_cast<u16>(x)); }
double wide(u32 x) { return static_cast<double>(half(x)); }
u32 narrowed(double x) { return bits(static_cast<Half>(x)); }
#define NARROW(NAME, TEXT, RESULT) \
  OP(NAME, u32, u32, u32, u32, "v_mov_b32 %0, %3\n " TEXT, with_upper_half_of(c, static_cast<u32>(RESULT)))
#define NARROW_1(NAME, RESULT) NARROW(NAME, #NAME " %0, %1", RESULT)
#define NARROW_2(NAME, RESULT) NARROW(NAME, #NAME " %0, %1, %2", RESULT)

namespace integers {
#if LANES == 64  // gfx1030.hip tests v_add_nc_u16 and v_sub_nc_u16
NARROW_2(v_add_u16, a + b);
NARROW_2(v_sub_u16, a - b);
NARROW_2(v_subrev_u16, b - a);
#endif
NARROW_2(v_mul_lo_u16, a* b);
NARROW_2(v_lshlrev_b16, (b & 0xffff) << a % 16);
NARROW_2(v_lshrrev_b16, (b & 0xffff) >> a % 16);
NARROW_2(v_ashrrev_i16, static_cast<i16>(b) >> a % 16);
NARROW_2(v_min_u16, std::min(a & 0xffff, b & 0xffff));
NARROW_2(v_max_u16, std::max(a & 0xffff, b & 0xffff));
NARROW_2(v_min_i16, std::min(static_cast<i16>(a), static_cast<i16>(b)));
NARROW_2(v_max_i16, std::max(static_cast<i16>(a), static_cast<i16>(b)));
#define NARROW_3(NAME, RESULT) NARROW(NAME, #NAME " %0, %1, %2, %3", RESULT)
i16 number(u32 x) { return static_cast<i16>(x); }
u16 natural(u32 x) { return static_cast<u16>(x); }
template <class T>
T middle(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
NARROW_3(v_min3_i16, std::min({number(a), number(b), number(c)}));
NARROW_3(v_max3_i16, std::max({number(a), number(b), number(c)}));
NARROW_3(v_med3_i16, middle(number(a), number(b), number(c)));
NARROW_3(v_min3_u16, std::min({natural(a), natural(b), natural(c)}));
NARROW_3(v_max3_u16, std::max({natural(a), natural(b), natural(c)}));
NARROW_3(v_med3_u16, middle(natural(a), natural(b), natural(c)));
OP(v_min3_i32, i32, i32, i32, i32, "v_min3_i32 %0, %1, %2, %3", std::min({a, b, c}));
OP(v_max3_i32, i32, i32, i32, i32, "v_max3_i32 %0, %1, %2, %3", std::max({a, b, c}));
// Borrows of a subtraction.
OP(v_subrev_co_u32, u32, u32, u32, u32,
   "v_subrev_co_u32 %0, " VCC
   ", %1, %2\n "
#if LANES == 32
   "v_subrev_co_ci_u32 %0, "
#else
   "v_subbrev_co_u32 %0, "
#endif
   VCC ", %1, %3, " VCC,
   c - a - (b < a));
OP(v_cvt_f64_i32, double, i32, i32, i32, "v_cvt_f64_i32 %0, %1", static_cast<double>(a));
OP(v_cvt_f64_u32, double, u32, u32, u32, "v_cvt_f64_u32 %0, %1", static_cast<double>(a));
OP(v_readfirstlane_b32, u32, u32, u32, u32,
   "v_readfirstlane_b32 s20, %1\n v_cmp_eq_u32 " VCC ", s20, %1\n v_cndmask_b32 %0, %2, %3, " VCC, a == 0 ? c : b);
}  // namespace integers

namespace halves {
NARROW_2(v_add_f16, narrowed(wide(a) + wide(b)));
NARROW_2(v_sub_f16, narrowed(wide(a) - wide(b)));
NARROW_2(v_subrev_f16, narrowed(wide(b) - wide(a)));
NARROW_2(v_mul_f16, narrowed(wide(a) * wide(b)));
NARROW_2(v_max_f16, narrowed(wide(a) > wide(b) ? wide(a) : wide(b)));
NARROW_2(v_min_f16, narrowed(wide(a) < wide(b) ? wide(a) : wide(b)));
NARROW_1(v_floor_f16, narrowed(std::floor(wide(a))));
NARROW_1(v_ceil_f16, narrowed(std::ceil(wide(a))));
NARROW_1(v_trunc_f16, narrowed(std::trunc(wide(a))));
NARROW_1(v_rndne_f16, narrowed(std::rint(wide(a))));
NARROW_1(v_cvt_f16_u16, narrowed(a & 0xffff));
NARROW_1(v_cvt_f16_i16, narrowed(static_cast<i16>(a)));
NARROW_1(v_cvt_u16_f16, std::max(0.0, wide(a)));
NARROW_1(v_cvt_i16_f16, static_cast<i32>(std::max(-32768.0, std::min(32767.0, wide(a)))));
NARROW(v_fma_f16, "v_fma_f16 %0, %1, %2, %2", narrowed(std::fma(wide(a), wide(b), wide(b))));
// v_div_fixup corrects a quotient (operand 1) for the signs and the special values of denominator and numerator.
NARROW(v_div_fixup_f16, "v_div_fixup_f16 %0, %1, %2, 1.0",
       wide(b) == 0 ? (std::signbit(wide(b)) ? 0xfc00 : 0x7c00)
                    : bits(half(a)) % 0x8000 | (std::signbit(wide(b)) ? 0x8000 : 0));
OP(v_cvt_f32_f16, float, u32, u32, u32, "v_cvt_f32_f16 %0, %1", static_cast<float>(half(a)));
OP(v_fma_mix_f32, float, u32, u32, u32, "v_fma_mix_f32 %0, %1, -%2, 1.0 op_sel:[0,1,0] op_sel_hi:[1,1,0]",
   static_cast<float>(std::fma(wide(a), -wide(b >> 16), 1.0)));
}  // namespace halves

namespace singles {
OP(v_cvt_f16_f32, u32, float, float, u32, "v_mov_b32 %0, %3\n v_cvt_f16_f32 %0, %1",
   with_upper_half_of(c, bits(static_cast<Half>(a))));
#define SINGLE(NAME, RESULT) OP(NAME, float, float, float, u32, #NAME " %0, %1", static_cast<float>(RESULT))
SINGLE(v_fract_f32, std::min(double(a) - std::floor(double(a)), 1 - 0x1p-24));
SINGLE(v_frexp_mant_f32, a == 0 ? a : std::scalbn(a, -std::ilogb(a) - 1));
SINGLE(v_sqrt_f32, std::sqrt(double(a)));
#if LANES == 64 && !defined(GFX94)  // gfx940 and gfx942 have only the fused forms
OP(v_mad_f32, float, float, float, u32, "v_mad_f32 %0, %1, %2, 0.5", a* b + 0.5f);
OP(v_mac_f32, float, float, float, u32, "v_mov_b32 %0, 0.5\n v_mac_f32 %0, %1, %2", a* b + 0.5f);
#endif
}  // namespace singles

// Functions of powers of 4, whose results are exact. For other arguments the hardware approximates.
namespace powers {
OP(exponential, float, float, float, u32, "v_log_f32 %0, %1\n v_exp_f32 %0, %0", a);
SINGLE(v_log_f32, std::ilogb(a));
SINGLE(v_rsq_f32, 1 / std::sqrt(double(a)));
SINGLE(v_rcp_f32, 1 / double(a));
SINGLE(v_rcp_iflag_f32, 1 / double(a));
}  // namespace powers

namespace doubles {
#define DOUBLE(NAME, RESULT) OP(NAME, double, double, double, u32, #NAME " %0, %1", RESULT)
template <class To>
To saturated(double x) {
  return static_cast<To>(std::max<double>(std::numeric_limits<To>::min(),
                                          std::min<double>(std::numeric_limits<To>::max(), std::trunc(x))));
}
DOUBLE(v_ceil_f64, std::ceil(a));
DOUBLE(v_trunc_f64, std::trunc(a));
DOUBLE(v_fract_f64, std::min(a - std::floor(a), 1 - 0x1p-53));
DOUBLE(v_frexp_mant_f64, a == 0 ? a : std::scalbn(a, -std::ilogb(a) - 1));
OP(v_frexp_exp_i32_f64, i32, double, double, u32, "v_frexp_exp_i32_f64 %0, %1", a == 0 ? 0 : std::ilogb(a) + 1);
OP(v_cvt_f32_f64, float, double, double, u32, "v_cvt_f32_f64 %0, %1", static_cast<float>(a));
OP(v_cvt_f64_f32, double, float, double, u32, "v_cvt_f64_f32 %0, %1", static_cast<double>(a));
OP(v_cvt_i32_f64, i32, double, double, u32, "v_cvt_i32_f64 %0, %1", saturated<i32>(a));
OP(v_cvt_u32_f64, u32, double, double, u32, "v_cvt_u32_f64 %0, %1", saturated<u32>(a));
// Zeros, of both signs, and negative normal numbers.
OP(v_cmp_class_f64, u32, double, double, u32,
   "v_mov_b32 v10, 0x68\n v_cmp_class_f64 " VCC ", %1, v10\n v_cndmask_b32 %0, 0, %3, " VCC,
   a == 0 || (a < 0 && std::isnormal(a)) ? c : 0);
// The first 53 bits of 2 / pi, for an operand that is not large.
OP(v_trig_preop_f64, double, double, double, u32, "v_trig_preop_f64 %0, %1, 0",
   static_cast<double>(std::floor(2 / std::acos(-1.0L) * 0x1p53L) * 0x1p-53L));
OP(v_rsq_f64, double, double, double, u32, "v_rsq_f64 %0, %1", 1 / std::sqrt(a));
}  // namespace doubles

namespace others {
OP(v_fma_mixlo_f16, u32, u32, u32, u32,
   "v_mov_b32 %0, %3\n v_fma_mixlo_f16 %0, %1, %2, 1.0 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
   (c & 0xffff0000) | narrowed(static_cast<float>(std::fma(wide(a >> 16), wide(b), 1.0))));
OP(v_swap_b32, u32, u32, u32, u32,
   "v_mov_b32 %0, %1\n v_mov_b32 v10, %2\n v_swap_b32 %0, v10\n v_sub" NO_CARRY "_u32 %0, %0, v10", b - a);
OP(v_fmac_f32, float, float, float, u32, "v_mov_b32 %0, 0.5\n v_fmac_f32 %0, %1, %2", std::fma(a, b, 0.5f));
}  // namespace others

// Instructions that use the number of the lane.
__global__ void of_lanes(u32* out) {
  const u32 lane = threadIdx.x;
  u32 below, read, written = 7, other;
  asm volatile("v_mbcnt_lo_u32_b32 %0, %1, 60\n v_mbcnt_hi_u32_b32 %0, %1, %0" : "=&v"(below) : "v"(0xf0f0f0f1));
  asm volatile("v_readlane_b32 s20, %1, 9\n v_mov_b32 %0, s20" : "=v"(read) : "v"(lane * 3) : "s20");
  asm volatile("s_movk_i32 s20, 55\n v_writelane_b32 %0, s20, 30" : "+v"(written)::"s20");
  asm volatile("ds_bpermute_b32 %0, %1, %2 offset:4\n s_waitcnt lgkmcnt(0)" : "=v"(other) : "v"(lane * 20), "v"(lane));
  out[lane]             = below;
  out[LANES + lane]     = read;
  out[2 * LANES + lane] = written;
  out[3 * LANES + lane] = other;
}
void test_lanes() {
  Array<u32> out(4 * LANES);
  of_lanes<<<1, LANES>>>(out.device());
  out.to_host();
  for (u32 l = 0; l < LANES; ++l) {
    u32 below = 60;
    for (u32 k = 0; k < l; ++k) below += 0xf0f0f0f1u >> k % 32 & 1;
    CHECK(out[l] == below);
    CHECK(out[LANES + l] == 27);
    CHECK(out[2 * LANES + l] == (l == 30 ? 55 : 7));
    CHECK(out[3 * LANES + l] == (5 * l + 1) % LANES);
  }
}

int main() {
  const std::vector<u32> words{0,      1,       2,          15,         0x7fff,     0x8000,    0x8001,
                               0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff};
  std::vector<i32> numbers;
  for (u32 w : words) numbers.push_back(static_cast<i32>(w));
  {
    using namespace integers;
#if LANES == 64
    check_all<v_add_u16, v_sub_u16, v_subrev_u16>(words, words, words);
#endif
    check_all<v_mul_lo_u16, v_lshlrev_b16, v_lshrrev_b16, v_ashrrev_i16, v_min_u16, v_max_u16, v_min_i16, v_max_i16,
              v_subrev_co_u32, v_cvt_f64_u32, v_min3_i16, v_max3_i16, v_med3_i16, v_min3_u16, v_max3_u16, v_med3_u16>(
        words, words, words);
    check_all<v_min3_i32, v_max3_i32, v_cvt_f64_i32>(numbers, numbers, numbers);
    const std::vector<u32> first{0};
    check_all<v_readfirstlane_b32>(first, words, words);
  }
  {
    using namespace halves;
    // Finite operands, with other bits in the upper halves.
    std::vector<u32> values;
    for (u32 h : {0x0000, 0x3c00, 0xbe00, 0x4100, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3555, 0xc2cd, 0x6400})
      values.push_back(h | (h ^ 0x1400) << 16);
    check_all<v_add_f16, v_sub_f16, v_subrev_f16, v_mul_f16, v_max_f16, v_min_f16, v_floor_f16, v_ceil_f16, v_trunc_f16,
              v_rndne_f16, v_cvt_u16_f16, v_cvt_i16_f16, v_fma_f16, v_div_fixup_f16, v_cvt_f32_f16, v_fma_mix_f32>(
        values, values, words);
    check_all<v_cvt_f16_u16, v_cvt_f16_i16>(words, words, words);
  }
  const std::vector<float> some{0.0f,    -0.0f,   1.0f,    -1.5f,  0.1f,    -0.1f, 2.5f,       1e-8f,
                                -1e-30f, 65520.f, 65519.f, -3e-8f, 6.1e-5f, 3e38f, 16777215.f, 123.456f};
  {
    using namespace singles;
    check_all<v_cvt_f16_f32, v_fract_f32, v_frexp_mant_f32>(some, std::vector<float>{1}, words);
    std::vector<float> positive;
    for (float x : some) positive.push_back(std::fabs(x));
    check_all<v_sqrt_f32>(positive, std::vector<float>{1}, std::vector<u32>{0});
#if LANES == 64 && !defined(GFX94)
    check_all<v_mad_f32, v_mac_f32>(some, some, std::vector<u32>{0});
#endif
  }
  {
    using namespace powers;
    std::vector<float> fours;
    for (int e = -40; e <= 40; e += 2) fours.push_back(std::ldexp(1.0f, e));
    check_all<exponential, v_log_f32, v_rsq_f32, v_rcp_f32, v_rcp_iflag_f32>(fours, std::vector<float>{1},
                                                                             std::vector<u32>{0});
  }
  {
    using namespace doubles;
    const std::vector<double> values{0.0,   -0.0,   1.0, -1.5, 0.1,          -0.1,       2.5,   1e-308, -3e-310,
                                     1e300, -1e300, 4e9, -4e9, 2147483647.5, 16777217.0, 1e-40, 3.4e38};
    const std::vector<double> one{1};
    check_all<v_ceil_f64, v_trunc_f64, v_fract_f64, v_frexp_mant_f64, v_frexp_exp_i32_f64, v_cvt_f32_f64, v_cvt_i32_f64,
              v_cvt_u32_f64, v_cmp_class_f64>(values, one, words);
    check_all<v_trig_preop_f64>(std::vector<double>{1, -2.5, 1e6}, one, std::vector<u32>{0});
    check_all<v_cvt_f64_f32>(some, one, std::vector<u32>{0});
    std::vector<double> fours;
    for (int e = -300; e <= 300; e += 50) fours.push_back(std::ldexp(1.0, 2 * e));
    check_all<v_rsq_f64>(fours, one, std::vector<u32>{0});
  }
  {
    using namespace others;
    const std::vector<u32> halves{0, 0x3c003555, 0xbe00c000, 0x00018000, 0x42000400};
    check_all<v_fma_mixlo_f16>(halves, halves, words);
    check_all<v_swap_b32>(words, words, std::vector<u32>{0});
    check_all<v_fmac_f32>(some, some, std::vector<u32>{0});
  }
  test_lanes();
  return finish();
}
