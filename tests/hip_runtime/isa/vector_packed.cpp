// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two values of 16 bits in one register (12.12 VOP3P). op_sel chooses the half that the lower result reads, op_sel_hi
// that of the upper one; neg_lo and neg_hi change signs.
#include "table.hpp"
#include "values.hpp"

#include <algorithm>

namespace hip_model::isa {

namespace {

template <class T>
struct Halves {
  T low[lanes], high[lanes];
  LaneMask defined = all_lanes;
  Halves(Wave& w, Instruction const& i, unsigned k) {
    Operand const& o        = i.operands[k];
    unsigned const bit      = k ? k - 1 : 2;  // the result is the third source of v_pk_fmac
    std::uint64_t undefined = 0;
    std::uint32_t scalar    = 0;
    if (o.is_vector())
      defined = w.vector_defined[o.first];
    else if (o.is_scalar())
      scalar = scalar_value<std::uint32_t>(w, o, &undefined);
    else
      scalar = o.is_real ? constant_bits<T>(o) : static_cast<std::uint32_t>(o.integer);  // reals: the lower half alone
    if (undefined) defined = 0;
    std::uint32_t const* vector = o.is_vector() ? w.lanes_of(o.first) : nullptr;
    unsigned const shift_low = i.op_sel >> bit & 1 ? 16 : 0, shift_high = i.op_sel_hi >> bit & 1 ? 16 : 0;
    u16 const flip_low  = is_real<T> && (i.negate_low >> bit & 1) ? 0x8000 : 0;
    u16 const flip_high = is_real<T> && (i.negate_high >> bit & 1) ? 0x8000 : 0;
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint32_t const bits = vector ? vector[l] : scalar;
      low[l]                   = std::bit_cast<T>(static_cast<u16>(bits >> shift_low ^ flip_low));
      high[l]                  = std::bit_cast<T>(static_cast<u16>(bits >> shift_high ^ flip_high));
    }
  }
};

template <class R>
std::uint32_t packed(R low, R high, Instruction const& i) {
  if constexpr (is_real<R>) {
    low  = scaled(low, i);
    high = scaled(high, i);
  } else if (i.clamp) {
    throw Stop("saturation of packed integers is unknown");
  }
  return std::bit_cast<u16>(low) | static_cast<std::uint32_t>(std::bit_cast<u16>(high)) << 16;
}

template <auto F>
struct PackedOp;
template <class R, class A, class B, R (*F)(A, B)>
struct PackedOp<F> {
  static void run(Wave& w, Instruction const& i) {
    Halves<A> const a(w, i, 1);
    Halves<B> const b(w, i, 2);
    alignas(32) std::uint32_t r[lanes];
    for (unsigned l = 0; l < lanes; ++l) r[l] = packed(F(a.low[l], b.low[l]), F(a.high[l], b.high[l]), i);
    write_register(w, i[0].first, r, w.exec(), a.defined & b.defined);
  }
};
template <class R, class A, class B, class C, R (*F)(A, B, C)>
struct PackedOp<F> {
  static void run(Wave& w, Instruction const& i) { with_third(w, i, 3); }
  static void accumulate(Wave& w, Instruction const& i) { with_third(w, i, 0); }

 private:
  static void with_third(Wave& w, Instruction const& i, unsigned third) {
    Halves<A> const a(w, i, 1);
    Halves<B> const b(w, i, 2);
    Halves<C> const c(w, i, third);
    alignas(32) std::uint32_t r[lanes];
    for (unsigned l = 0; l < lanes; ++l)
      r[l] = packed(F(a.low[l], b.low[l], c.low[l]), F(a.high[l], b.high[l], c.high[l]), i);
    write_register(w, i[0].first, r, w.exec(), a.defined & b.defined & c.defined);
  }
};

Half add(Half a, Half b) { return static_cast<Half>(static_cast<float>(a) + static_cast<float>(b)); }
Half mul(Half a, Half b) { return static_cast<Half>(static_cast<float>(a) * static_cast<float>(b)); }
Half fma(Half a, Half b, Half c) {
  return static_cast<Half>(std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
Half max(Half a, Half b) { return a != a ? b : b != b ? a : a > b ? a : b; }
Half min(Half a, Half b) { return a != a ? b : b != b ? a : a < b ? a : b; }
u16 add_u(u16 a, u16 b) { return static_cast<u16>(a + b); }
u16 sub_u(u16 a, u16 b) { return static_cast<u16>(a - b); }
u16 mul_u(u16 a, u16 b) { return static_cast<u16>(std::uint32_t(a) * b); }
u16 mad_u(u16 a, u16 b, u16 c) { return static_cast<u16>(std::uint32_t(a) * b + c); }
template <class T>
T max_i(T a, T b) {
  return std::max(a, b);
}
template <class T>
T min_i(T a, T b) {
  return std::min(a, b);
}
u16 lshlrev(u16 n, u16 a) { return static_cast<u16>(a << (n & 15)); }
u16 lshrrev(u16 n, u16 a) { return static_cast<u16>(a >> (n & 15)); }
i16 ashrrev(u16 n, i16 a) { return static_cast<i16>(a >> (n & 15)); }

}  // namespace

void add_vector_packed(Table& t) {
  t.add("v_pk_add_f16", &PackedOp<&add>::run);
  t.add("v_pk_mul_f16", &PackedOp<&mul>::run);
  t.add("v_pk_fma_f16", &PackedOp<&fma>::run);
  t.add("v_pk_fmac_f16", &PackedOp<&fma>::accumulate);
  t.add("v_pk_max_f16", &PackedOp<&max>::run);
  t.add("v_pk_min_f16", &PackedOp<&min>::run);
  t.add("v_pk_add_u16", &PackedOp<&add_u>::run);
  t.add("v_pk_add_i16", &PackedOp<&add_u>::run);
  t.add("v_pk_sub_u16", &PackedOp<&sub_u>::run);
  t.add("v_pk_sub_i16", &PackedOp<&sub_u>::run);
  t.add("v_pk_mul_lo_u16", &PackedOp<&mul_u>::run);
  t.add("v_pk_mad_u16", &PackedOp<&mad_u>::run);
  t.add("v_pk_mad_i16", &PackedOp<&mad_u>::run);
  t.add("v_pk_max_u16", &PackedOp<&max_i<u16>>::run);
  t.add("v_pk_min_u16", &PackedOp<&min_i<u16>>::run);
  t.add("v_pk_max_i16", &PackedOp<&max_i<i16>>::run);
  t.add("v_pk_min_i16", &PackedOp<&min_i<i16>>::run);
  t.add("v_pk_lshlrev_b16", &PackedOp<&lshlrev>::run);
  t.add("v_pk_lshrrev_b16", &PackedOp<&lshrrev>::run);
  t.add("v_pk_ashrrev_i16", &PackedOp<&ashrrev>::run);
}

}  // namespace hip_model::isa
