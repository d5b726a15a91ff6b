// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision (12.8 VOP2, 12.9 VOP1, 12.11 VOP3) and mixed precision (12.12 VOP3P: v_mad_mix, v_fma_mix).
#include "table.hpp"
#include "values.hpp"

#include <limits>
#include <numbers>

namespace hip_model::isa {

namespace {

float wide(Half x) { return static_cast<float>(x); }
Half narrow(float x) { return static_cast<Half>(x); }

// One operation in single precision and one rounding: its 24 bits are enough for +, -, *, / and square roots of halves.
Half add(Half a, Half b) { return narrow(wide(a) + wide(b)); }
Half sub(Half a, Half b) { return narrow(wide(a) - wide(b)); }
Half subrev(Half a, Half b) { return narrow(wide(b) - wide(a)); }
Half mul(Half a, Half b) { return narrow(wide(a) * wide(b)); }
Half mad(Half a, Half b, Half c) { return narrow(wide(mul(a, b)) + wide(c)); }
// The product is exact in double precision. The sum is rounded to odd, so that the second rounding is right.
Half fma(Half a, Half b, Half c) {
  double const product = static_cast<double>(wide(a)) * wide(b), addend = wide(c), sum = product + addend;
  if (!std::isfinite(sum)) return static_cast<Half>(sum);
  double const part = sum - product, error = (product - (sum - part)) + (addend - part);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (error != 0 && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : std::uint64_t(-1);
  return static_cast<Half>(std::bit_cast<double>(bits));
}
Half max(Half a, Half b) {
  if (a != a) return b;
  if (b != b) return a;
  return a > b || (a == b && !(std::bit_cast<std::uint16_t>(a) >> 15)) ? a : b;
}
Half min(Half a, Half b) {
  if (a != a) return b;
  if (b != b) return a;
  return a < b || (a == b && std::bit_cast<std::uint16_t>(a) >> 15) ? a : b;
}
Half max3(Half a, Half b, Half c) { return max(max(a, b), c); }
Half min3(Half a, Half b, Half c) { return min(min(a, b), c); }
// gfx11
Half maxmin(Half a, Half b, Half c) { return min(max(a, b), c); }
Half minmax(Half a, Half b, Half c) { return max(min(a, b), c); }
Half med3(Half a, Half b, Half c) {
  if (a != a || b != b || c != c) return min3(a, b, c);
  return max(min(a, b), min(max(a, b), c));
}
Half rcp(Half x) { return narrow(1 / wide(x)); }
Half rsq(Half x) { return narrow(1 / std::sqrt(wide(x))); }
Half sqrt(Half x) { return narrow(std::sqrt(wide(x))); }
Half exp2(Half x) { return narrow(std::exp2(wide(x))); }
Half log2(Half x) { return narrow(std::log2(wide(x))); }
Half sin_turns(Half x) { return static_cast<Half>(std::sin(2 * std::numbers::pi * wide(x))); }
Half cos_turns(Half x) { return static_cast<Half>(std::cos(2 * std::numbers::pi * wide(x))); }
Half floor(Half x) { return narrow(std::floor(wide(x))); }
Half ceil(Half x) { return narrow(std::ceil(wide(x))); }
Half trunc(Half x) { return narrow(std::trunc(wide(x))); }
Half rndne(Half x) { return narrow(std::nearbyint(wide(x))); }
Half fract(Half x) {
  float const f = wide(x) - std::floor(wide(x));
  return f < 0.99951172f ? narrow(f) : f != f ? narrow(f) : narrow(0.99951172f);
}
Half ldexp(Half x, std::int16_t e) { return static_cast<Half>(std::ldexp(static_cast<double>(wide(x)), e)); }
Half frexp_mant(Half x) {
  int e;
  return std::isfinite(wide(x)) ? narrow(std::frexp(wide(x), &e)) : x;
}
std::int16_t frexp_exp(Half x) {
  int e = 0;
  if (std::isfinite(wide(x)) && x != 0) std::frexp(wide(x), &e);
  return static_cast<std::int16_t>(e);
}
Half div_fixup(Half quotient, Half denominator, Half numerator) {
  float const q = wide(quotient), d = wide(denominator), n = wide(numerator);
  if (n != n) return numerator;
  if (d != d) return denominator;
  if ((d == 0 && n == 0) || (std::isinf(d) && std::isinf(n))) return narrow(-std::numeric_limits<float>::quiet_NaN());
  float const sign = std::signbit(d) != std::signbit(n) ? -1.0f : 1.0f;
  if (d == 0 || std::isinf(n)) return narrow(std::copysign(std::numeric_limits<float>::infinity(), sign));
  if (std::isinf(d) || n == 0) return narrow(std::copysign(0.0f, sign));
  return narrow(std::copysign(q, sign));
}

// Operands of v_fma_mix are single precision, or with op_sel_hi one half of a register, which op_sel chooses. Here the
// sign modifiers are neg_lo (negative) and neg_hi (absolute value).
struct Mixed {
  float values[lanes];
  LaneMask defined;
  Mixed(Wave& w, Instruction const& i, unsigned k) {
    Operand const& o = i.operands[k];
    bool const half = i.op_sel_hi >> (k - 1) & 1, upper = i.op_sel >> (k - 1) & 1;
    Operand plain = o;
    plain.negate = plain.absolute = false;
    std::uint64_t undefined       = 0;
    std::uint32_t const scalar    = o.is_vector()   ? 0
                                    : o.is_scalar() ? scalar_value<std::uint32_t>(w, plain, &undefined)
                                    : half          ? constant_bits<Half>(o)
                                                    : constant_bits<float>(o);
    defined                       = o.is_vector() ? w.vector_defined[o.first] : undefined ? 0 : all_lanes;
    std::uint32_t const* vector   = o.is_vector() ? w.lanes_of(o.first) : nullptr;
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint32_t const bits = vector ? vector[l] : scalar;
      float x                  = half ? wide(std::bit_cast<Half>(static_cast<std::uint16_t>(upper ? bits >> 16 : bits)))
                                      : std::bit_cast<float>(bits);
      if (o.absolute) x = std::fabs(x);
      values[l] = o.negate ? -x : x;
    }
  }
};

enum class MixedResult { single, low, high };

template <MixedResult To>
void fma_mix(Wave& w, Instruction const& i) {
  Mixed const a(w, i, 1), b(w, i, 2), c(w, i, 3);
  LaneMask const defined = a.defined & b.defined & c.defined;
  if constexpr (To == MixedResult::single) {
    Result<float> r;
    for (unsigned l = 0; l < lanes; ++l) r.set(l, std::fma(a.values[l], b.values[l], c.values[l]));
    r.store(w, i, defined);
  } else {
    unsigned const out           = i[0].first;
    std::uint32_t const* const d = w.lanes_of(out);
    alignas(32) std::uint32_t r[lanes];
    for (unsigned l = 0; l < lanes; ++l) {
      float const x            = std::fma(a.values[l], b.values[l], c.values[l]);
      std::uint32_t const half = std::bit_cast<std::uint16_t>(scaled(narrow(x), i));
      r[l]                     = To == MixedResult::low ? (d[l] & 0xffff0000u) | half : (d[l] & 0xffffu) | half << 16;
    }
    // The other half may be written later: a register that is built in two steps counts as defined.
    write_register(w, out, r, w.exec(), defined);
  }
}

}  // namespace

void add_vector_half(Table& t) {
  t.add("v_add_f16", &VectorOp<&add>::run);
  t.add("v_sub_f16", &VectorOp<&sub>::run);
  t.add("v_subrev_f16", &VectorOp<&subrev>::run);
  t.add("v_mul_f16", &VectorOp<&mul>::run);
  t.add("v_mad_f16", &VectorOp<&mad>::run);
  t.add("v_mac_f16", &AccumulateOp<&mad>::run);
  t.add("v_fma_f16", &VectorOp<&fma>::run);
  t.add("v_fmac_f16", &AccumulateOp<&fma>::run);
  t.add("v_fmamk_f16", &VectorOp<&fma>::run);
  t.add("v_fmaak_f16", &VectorOp<&fma>::run);
  t.add("v_max_f16", &VectorOp<&max>::run);
  t.add("v_min_f16", &VectorOp<&min>::run);
  t.add("v_max3_f16", &VectorOp<&max3>::run);
  t.add("v_min3_f16", &VectorOp<&min3>::run);
  t.add("v_maxmin_f16", &VectorOp<&maxmin>::run);
  t.add("v_minmax_f16", &VectorOp<&minmax>::run);
  t.add("v_med3_f16", &VectorOp<&med3>::run);
  t.add("v_rcp_f16", &VectorOp<&rcp>::run);
  t.add("v_rsq_f16", &VectorOp<&rsq>::run);
  t.add("v_sqrt_f16", &VectorOp<&sqrt>::run);
  t.add("v_exp_f16", &VectorOp<&exp2>::run);
  t.add("v_log_f16", &VectorOp<&log2>::run);
  t.add("v_sin_f16", &VectorOp<&sin_turns>::run);
  t.add("v_cos_f16", &VectorOp<&cos_turns>::run);
  t.add("v_floor_f16", &VectorOp<&floor>::run);
  t.add("v_ceil_f16", &VectorOp<&ceil>::run);
  t.add("v_trunc_f16", &VectorOp<&trunc>::run);
  t.add("v_rndne_f16", &VectorOp<&rndne>::run);
  t.add("v_fract_f16", &VectorOp<&fract>::run);
  t.add("v_ldexp_f16", &VectorOp<&ldexp>::run);
  t.add("v_frexp_mant_f16", &VectorOp<&frexp_mant>::run);
  t.add("v_frexp_exp_i16_f16", &VectorOp<&frexp_exp>::run);
  t.add("v_div_fixup_f16", &VectorOp<&div_fixup>::run);
  t.add("v_fma_mix_f32", &fma_mix<MixedResult::single>);
  t.add("v_fma_mixlo_f16", &fma_mix<MixedResult::low>);
  t.add("v_fma_mixhi_f16", &fma_mix<MixedResult::high>);
}

}  // namespace hip_model::isa
