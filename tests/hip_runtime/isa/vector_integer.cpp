// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers and bits (12.8 VOP2, 12.9 VOP1, 12.11 VOP3).
#include "table.hpp"
#include "values.hpp"

#include <algorithm>
#include <limits>

namespace hip_model::isa {

namespace {

u32 mov(u32 a) { return a; }
u32 bnot(u32 a) { return ~a; }
u32 band(u32 a, u32 b) { return a & b; }
u32 bor(u32 a, u32 b) { return a | b; }
u32 bxor(u32 a, u32 b) { return a ^ b; }
u32 bxnor(u32 a, u32 b) { return ~(a ^ b); }
u32 add(u32 a, u32 b) { return a + b; }
u32 sub(u32 a, u32 b) { return a - b; }
u32 subrev(u32 a, u32 b) { return b - a; }
u32 add_saturated(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
u32 sub_saturated(u32 a, u32 b) { return a < b ? 0 : a - b; }
u32 subrev_saturated(u32 a, u32 b) { return sub_saturated(b, a); }
i32 add_saturated_i(i32 a, i32 b) {
  return static_cast<i32>(
      std::clamp<i64>(i64(a) + b, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max()));
}
i32 sub_saturated_i(i32 a, i32 b) {
  return static_cast<i32>(
      std::clamp<i64>(i64(a) - b, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max()));
}
u16 add16_saturated(u16 a, u16 b) { return static_cast<u16>(std::min(a + b, 0xffff)); }
u16 sub16_saturated(u16 a, u16 b) { return static_cast<u16>(std::max(a - b, 0)); }
u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
u32 lshl_add(u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }
u32 add_lshl(u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }
u32 lshl_or(u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; }
u32 and_or(u32 a, u32 b, u32 c) { return (a & b) | c; }
u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
u32 xad(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
u32 xor3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }

u32 lshlrev32(u32 n, u32 a) { return a << (n & 31); }
u32 lshrrev32(u32 n, u32 a) { return a >> (n & 31); }
i32 ashrrev32(u32 n, i32 a) { return a >> (n & 31); }
u16 lshlrev16(u16 n, u16 a) { return static_cast<u16>(a << (n & 15)); }
u16 lshrrev16(u16 n, u16 a) { return static_cast<u16>(a >> (n & 15)); }
i16 ashrrev16(u16 n, i16 a) { return static_cast<i16>(a >> (n & 15)); }

u32 mul_lo(u32 a, u32 b) { return a * b; }
u32 mul_hi_u(u32 a, u32 b) { return static_cast<u32>(u64(a) * b >> 32); }
i32 mul_hi_i(i32 a, i32 b) { return static_cast<i32>(i64(a) * b >> 32); }
i32 low24(i32 a) { return static_cast<i32>(static_cast<u32>(a) << 8) >> 8; }
u32 mul_u24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
i32 mul_i24(i32 a, i32 b) { return static_cast<i32>(static_cast<u32>(low24(a)) * static_cast<u32>(low24(b))); }
u32 mul_hi_u24(u32 a, u32 b) { return static_cast<u32>(u64(a & 0xffffff) * (b & 0xffffff) >> 32); }
i32 mul_hi_i24(i32 a, i32 b) { return static_cast<i32>(i64(low24(a)) * low24(b) >> 32); }
u32 mad_u24(u32 a, u32 b, u32 c) { return mul_u24(a, b) + c; }
u32 mad_i24(i32 a, i32 b, u32 c) { return static_cast<u32>(mul_i24(a, b)) + c; }
u32 mad_u32_u16(u16 a, u16 b, u32 c) { return u32(a) * b + c; }
u32 mad_i32_i16(i16 a, i16 b, u32 c) { return static_cast<u32>(i32(a) * b) + c; }

template <class T>
T min(T a, T b) {
  return std::min(a, b);
}
template <class T>
T max(T a, T b) {
  return std::max(a, b);
}
template <class T>
T min3(T a, T b, T c) {
  return std::min(std::min(a, b), c);
}
template <class T>
T max3(T a, T b, T c) {
  return std::max(std::max(a, b), c);
}
template <class T>
T med3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

u32 bfe_u(u32 a, u32 offset, u32 width) {
  width &= 31;
  return a >> (offset & 31) & ((1u << width) - 1);
}
i32 bfe_i(i32 a, u32 offset, u32 width) {
  width &= 31;
  if (width == 0) return 0;
  u32 const field = static_cast<u32>(a >> (offset & 31)) << (32 - width);
  return static_cast<i32>(field) >> (32 - width);
}
u32 bfi(u32 mask, u32 a, u32 b) { return (mask & a) | (~mask & b); }
u32 bfm(u32 width, u32 offset) { return ((1u << (width & 31)) - 1) << (offset & 31); }
u32 bfrev(u32 a) {
  u32 r = 0;
  for (int k = 0; k < 32; ++k) r |= (a >> k & 1) << (31 - k);
  return r;
}
u32 bcnt(u32 a, u32 b) { return static_cast<u32>(std::popcount(a)) + b; }
i32 ffbh_u(u32 a) { return a ? std::countl_zero(a) : -1; }
i32 ffbl(u32 a) { return a ? std::countr_zero(a) : -1; }
i32 ffbh_i(i32 a) {
  u32 const changes = static_cast<u32>(a < 0 ? ~a : a);
  return changes ? std::countl_zero(changes) : -1;
}
u32 alignbit(u32 a, u32 b, u16 n) { return static_cast<u32>((u64(a) << 32 | b) >> (n & 31)); }
u32 alignbyte(u32 a, u32 b, u16 n) { return static_cast<u32>((u64(a) << 32 | b) >> (n & 3) * 8); }
// Selectors above 7 replicate signs or are constants.
u32 perm(u32 a, u32 b, u32 selectors) {
  u64 const data = u64(a) << 32 | b;
  u32 r          = 0;
  for (int k = 0; k < 4; ++k) {
    u32 const s = selectors >> 8 * k & 0xff;
    u32 byte;
    if (s < 8)
      byte = static_cast<u32>(data >> 8 * s) & 0xff;
    else if (s < 12)
      byte = data >> (16 * (s - 8) + 15) & 1 ? 0xff : 0;
    else
      byte = s == 12 ? 0 : 0xff;
    r |= byte << 8 * k;
  }
  return r;
}
u32 sad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }

u16 add16(u16 a, u16 b) { return static_cast<u16>(a + b); }
u16 sub16(u16 a, u16 b) { return static_cast<u16>(a - b); }
u16 subrev16(u16 a, u16 b) { return static_cast<u16>(b - a); }
u16 mul16(u16 a, u16 b) { return static_cast<u16>(u32(a) * b); }
u16 mad16(u16 a, u16 b, u16 c) { return static_cast<u16>(u32(a) * b + c); }

// gfx11
u16 mov16(u16 a) { return a; }
u16 not16(u16 a) { return static_cast<u16>(~a); }
u16 and16(u16 a, u16 b) { return a & b; }
u16 or16(u16 a, u16 b) { return a | b; }
u16 xor16(u16 a, u16 b) { return a ^ b; }
u32 extend_u16(u16 a) { return a; }
i32 extend_i16(i16 a) { return a; }
template <class T>
T maxmin(T a, T b, T c) {
  return std::min(std::max(a, b), c);
}
template <class T>
T minmax(T a, T b, T c) {
  return std::max(std::min(a, b), c);
}

// v_cndmask_b32: operand 3 selects operand 2.
template <class T>
void cndmask(Wave& w, Instruction const& i) {
  Source<T> const no(w, i, 1), yes(w, i, 2);
  LaneMask const choice = w.mask_at(i[3].first), undefined = w.undefined_mask_at(i[3].first);
  Result<T> r;
  for (unsigned half = 0; half < 2; ++half) {
    u32 const m = static_cast<u32>(choice >> (half * 32));
    for (unsigned l = 0; l < 32; ++l) r.set(half * 32 + l, (m & lane_bit[l]) ? yes[half * 32 + l] : no[half * 32 + l]);
  }
  r.store(w, i, ((choice & yes.defined()) | (~choice & no.defined())) & ~undefined);
}

// A word of the result that depends on one word of the operand requires only that word to be defined.
enum class Shift64 { left, right, arithmetic };
template <Shift64 Direction>
void shift64(Wave& w, Instruction const& i) {
  Source<u32> const n(w, i, 1);
  Source<u64> const a(w, i, 2);
  Result<u64> r;
  for (unsigned l = 0; l < lanes; ++l) {
    u64 const x = a[l];
    u32 const k = n[l] & 63;
    r.set(l, Direction == Shift64::left    ? x << k
             : Direction == Shift64::right ? x >> k
                                           : static_cast<u64>(static_cast<i64>(x) >> k));
  }
  LaneMask const all = n.defined() & a.defined();
  if (Direction == Shift64::left)
    r.store_words(w, i, n.defined() & a.low_defined(), all);
  else
    r.store_words(w, i, all, n.defined() & a.high_defined());
}

// gfx942
void mov64(Wave& w, Instruction const& i) {
  Source<u64> const a(w, i, 1);
  Result<u64> r;
  for (unsigned l = 0; l < lanes; ++l) r.set(l, a[l]);
  r.store_words(w, i, a.low_defined(), a.high_defined());
}
void lshl_add64(Wave& w, Instruction const& i) {
  Source<u64> const a(w, i, 1), c(w, i, 3);
  Source<u32> const n(w, i, 2);
  Result<u64> r;
  for (unsigned l = 0; l < lanes; ++l) r.set(l, (a[l] << (n[l] & 7)) + c[l]);
  r.store_words(w, i, n.defined() & a.low_defined() & c.low_defined(), n.defined() & a.defined() & c.defined());
}

void swap(Wave& w, Instruction const& i) {
  Source<u32> const a(w, i, 0), b(w, i, 1);
  Result<u32> x, y;
  for (unsigned l = 0; l < lanes; ++l) {
    x.set(l, b[l]);
    y.set(l, a[l]);
  }
  LaneMask const of_a = a.defined(), of_b = b.defined();
  x.store(w, i, of_b);
  y.store(w, i, of_a, 1);
}

template <u32 (*F)(u32, u32)>
void add_bits(Table& t, char const* name) {
  t.add(name, &VectorOp<F>::run);
}

// Instructions with the modifier "clamp", which this table counts as part of the name.
void add_saturating(Table& t) {
  t.add("v_add_u32 clamp", &VectorOp<&add_saturated>::run);
  t.add("v_sub_u32 clamp", &VectorOp<&sub_saturated>::run);
  t.add("v_subrev_u32 clamp", &VectorOp<&subrev_saturated>::run);
  t.add("v_add_i32 clamp", &VectorOp<&add_saturated_i>::run);
  t.add("v_sub_i32 clamp", &VectorOp<&sub_saturated_i>::run);
  t.add("v_add_u16 clamp", &VectorOp<&add16_saturated>::run);
  t.add("v_sub_u16 clamp", &VectorOp<&sub16_saturated>::run);
}

void add_16(Table& t) {
  t.add("v_add_u16", &VectorOp<&add16>::run);
  t.add("v_sub_u16", &VectorOp<&sub16>::run);
  t.add("v_subrev_u16", &VectorOp<&subrev16>::run);
  t.add("v_mul_lo_u16", &VectorOp<&mul16>::run);
  t.add("v_mad_u16", &VectorOp<&mad16>::run);
  t.add("v_mad_legacy_u16", &VectorOp<&mad16>::run);
  t.add("v_add_i16", &VectorOp<&add16>::run);
  t.add("v_sub_i16", &VectorOp<&sub16>::run);
  t.add("v_min_u16", &VectorOp<&min<u16>>::run);
  t.add("v_max_u16", &VectorOp<&max<u16>>::run);
  t.add("v_min_i16", &VectorOp<&min<i16>>::run);
  t.add("v_max_i16", &VectorOp<&max<i16>>::run);
  t.add("v_min3_u16", &VectorOp<&min3<u16>>::run);
  t.add("v_max3_u16", &VectorOp<&max3<u16>>::run);
  t.add("v_med3_u16", &VectorOp<&med3<u16>>::run);
  t.add("v_min3_i16", &VectorOp<&min3<i16>>::run);
  t.add("v_max3_i16", &VectorOp<&max3<i16>>::run);
  t.add("v_med3_i16", &VectorOp<&med3<i16>>::run);
  t.add("v_lshlrev_b16", &VectorOp<&lshlrev16>::run);
  t.add("v_lshrrev_b16", &VectorOp<&lshrrev16>::run);
  t.add("v_ashrrev_i16", &VectorOp<&ashrrev16>::run);
}

// gfx10 has "nc" (no carry) in the names.
void add_names_without_carry(Table& t) {
  t.add("v_add_nc_u32", &VectorOp<&add>::run);
  t.add("v_sub_nc_u32", &VectorOp<&sub>::run);
  t.add("v_subrev_nc_u32", &VectorOp<&subrev>::run);
  t.add("v_add_nc_i32", &VectorOp<&add>::run);
  t.add("v_sub_nc_i32", &VectorOp<&sub>::run);
  t.add("v_add_nc_u16", &VectorOp<&add16>::run);
  t.add("v_sub_nc_u16", &VectorOp<&sub16>::run);
  t.add("v_add_nc_i16", &VectorOp<&add16>::run);
  t.add("v_sub_nc_i16", &VectorOp<&sub16>::run);
  t.add("v_add_nc_u32 clamp", &VectorOp<&add_saturated>::run);
  t.add("v_sub_nc_u32 clamp", &VectorOp<&sub_saturated>::run);
  t.add("v_subrev_nc_u32 clamp", &VectorOp<&subrev_saturated>::run);
  t.add("v_add_nc_i32 clamp", &VectorOp<&add_saturated_i>::run);
  t.add("v_sub_nc_i32 clamp", &VectorOp<&sub_saturated_i>::run);
  t.add("v_add_nc_u16 clamp", &VectorOp<&add16_saturated>::run);
  t.add("v_sub_nc_u16 clamp", &VectorOp<&sub16_saturated>::run);
}

void add_multiplications(Table& t) {
  t.add("v_mul_lo_u32", &VectorOp<&mul_lo>::run);
  t.add("v_mul_hi_u32", &VectorOp<&mul_hi_u>::run);
  t.add("v_mul_hi_i32", &VectorOp<&mul_hi_i>::run);
  t.add("v_mul_u32_u24", &VectorOp<&mul_u24>::run);
  t.add("v_mul_i32_i24", &VectorOp<&mul_i24>::run);
  t.add("v_mul_hi_u32_u24", &VectorOp<&mul_hi_u24>::run);
  t.add("v_mul_hi_i32_i24", &VectorOp<&mul_hi_i24>::run);
  t.add("v_mad_u32_u24", &VectorOp<&mad_u24>::run);
  t.add("v_mad_i32_i24", &VectorOp<&mad_i24>::run);
  t.add("v_mad_u32_u16", &VectorOp<&mad_u32_u16>::run);
  t.add("v_mad_i32_i16", &VectorOp<&mad_i32_i16>::run);
}

void add_orders(Table& t) {
  t.add("v_min_u32", &VectorOp<&min<u32>>::run);
  t.add("v_max_u32", &VectorOp<&max<u32>>::run);
  t.add("v_min_i32", &VectorOp<&min<i32>>::run);
  t.add("v_max_i32", &VectorOp<&max<i32>>::run);
  t.add("v_min3_u32", &VectorOp<&min3<u32>>::run);
  t.add("v_max3_u32", &VectorOp<&max3<u32>>::run);
  t.add("v_med3_u32", &VectorOp<&med3<u32>>::run);
  t.add("v_min3_i32", &VectorOp<&min3<i32>>::run);
  t.add("v_max3_i32", &VectorOp<&max3<i32>>::run);
  t.add("v_med3_i32", &VectorOp<&med3<i32>>::run);
}

}  // namespace

void add_vector_integer(Table& t) {
  t.add("v_mov_b32", &VectorOp<&mov>::run);
  t.add("v_not_b32", &VectorOp<&bnot>::run);
  t.add("v_cndmask_b32", &cndmask<u32>);
  t.add("v_swap_b32", &swap);
  t.add("v_mov_b64", &mov64);
  t.add("v_lshl_add_u64", &lshl_add64);
  add_bits<&band>(t, "v_and_b32");
  add_bits<&bor>(t, "v_or_b32");
  add_bits<&bxor>(t, "v_xor_b32");
  add_bits<&bxnor>(t, "v_xnor_b32");
  add_bits<&add>(t, "v_add_u32");
  add_bits<&sub>(t, "v_sub_u32");
  add_bits<&subrev>(t, "v_subrev_u32");
  add_bits<&add>(t, "v_add_i32");
  add_bits<&sub>(t, "v_sub_i32");
  add_bits<&lshlrev32>(t, "v_lshlrev_b32");
  add_bits<&lshrrev32>(t, "v_lshrrev_b32");
  t.add("v_ashrrev_i32", &VectorOp<&ashrrev32>::run);
  t.add("v_lshlrev_b64", &shift64<Shift64::left>);
  t.add("v_lshrrev_b64", &shift64<Shift64::right>);
  t.add("v_ashrrev_i64", &shift64<Shift64::arithmetic>);
  t.add("v_add3_u32", &VectorOp<&add3>::run);
  t.add("v_lshl_add_u32", &VectorOp<&lshl_add>::run);
  t.add("v_add_lshl_u32", &VectorOp<&add_lshl>::run);
  t.add("v_lshl_or_b32", &VectorOp<&lshl_or>::run);
  t.add("v_and_or_b32", &VectorOp<&and_or>::run);
  t.add("v_or3_b32", &VectorOp<&or3>::run);
  t.add("v_xad_u32", &VectorOp<&xad>::run);
  t.add("v_xor3_b32", &VectorOp<&xor3>::run);
  t.add("v_bfe_u32", &VectorOp<&bfe_u>::run);
  t.add("v_bfe_i32", &VectorOp<&bfe_i>::run);
  t.add("v_bfi_b32", &VectorOp<&bfi>::run);
  t.add("v_bfm_b32", &VectorOp<&bfm>::run);
  t.add("v_bfrev_b32", &VectorOp<&bfrev>::run);
  t.add("v_bcnt_u32_b32", &VectorOp<&bcnt>::run);
  t.add("v_ffbh_u32", &VectorOp<&ffbh_u>::run);
  t.add("v_ffbh_i32", &VectorOp<&ffbh_i>::run);
  t.add("v_ffbl_b32", &VectorOp<&ffbl>::run);
  t.add("v_alignbit_b32", &VectorOp<&alignbit>::run);
  t.add("v_alignbyte_b32", &VectorOp<&alignbyte>::run);
  t.add("v_perm_b32", &VectorOp<&perm>::run);
  t.add("v_sad_u32", &VectorOp<&sad>::run);
  add_saturating(t);
  add_16(t);
  add_names_without_carry(t);
  add_multiplications(t);
  add_orders(t);
  // gfx11
  t.add("v_cndmask_b16", &cndmask<u16>);
  t.add("v_mov_b16", &VectorOp<&mov16>::run);
  t.add("v_not_b16", &VectorOp<&not16>::run);
  t.add("v_and_b16", &VectorOp<&and16>::run);
  t.add("v_or_b16", &VectorOp<&or16>::run);
  t.add("v_xor_b16", &VectorOp<&xor16>::run);
  t.add("v_cvt_u32_u16", &VectorOp<&extend_u16>::run);
  t.add("v_cvt_i32_i16", &VectorOp<&extend_i16>::run);
  t.add("v_maxmin_u32", &VectorOp<&maxmin<u32>>::run);
  t.add("v_maxmin_i32", &VectorOp<&maxmin<i32>>::run);
  t.add("v_minmax_u32", &VectorOp<&minmax<u32>>::run);
  t.add("v_minmax_i32", &VectorOp<&minmax<i32>>::run);
}

}  // namespace hip_model::isa
