// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a division (v_div_scale, v_div_fmas, v_div_fixup), and v_trig_preop_f64, a step in the reduction of
// large angles (12.11 VOP3).
#include "table.hpp"
#include "values.hpp"

#include <limits>

namespace hip_model::isa {

namespace {

template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr int exponent_bits = 8, mantissa_bits = 23, far_apart = 96, scale = 64, tiny = 23, underflow = -150;
};
template <>
struct Format<double> {
  static constexpr int exponent_bits = 11, mantissa_bits = 52, far_apart = 768, scale = 128, tiny = 53,
                       underflow = -1075;
};

template <class T>
int exponent_field(T x) {
  using F = Format<T>;
  return static_cast<int>(std::bit_cast<BitsOf<T>>(x) >> F::mantissa_bits) & ((1 << F::exponent_bits) - 1);
}
template <class T>
bool is_subnormal(T x) {
  return x != 0 && exponent_field(x) == 0;
}

/// `x` is the denominator or the numerator.
template <class T>
T div_scale(T x, T denominator, T numerator, bool* flag) {
  constexpr int scale = Format<T>::scale;
  *flag               = false;
  if (numerator == 0 || denominator == 0) return std::numeric_limits<T>::quiet_NaN();
  bool const is_denominator = std::bit_cast<BitsOf<T>>(x) == std::bit_cast<BitsOf<T>>(denominator);
  bool const is_numerator   = std::bit_cast<BitsOf<T>>(x) == std::bit_cast<BitsOf<T>>(numerator);
  if (exponent_field(numerator) - exponent_field(denominator) >= Format<T>::far_apart) {
    *flag = true;
    return is_denominator ? std::ldexp(x, scale) : x;
  }
  if (is_subnormal(denominator)) return std::ldexp(x, scale);
  bool const small_inverse = is_subnormal(T(1) / denominator), small_quotient = is_subnormal(numerator / denominator);
  if (small_inverse && small_quotient) {
    *flag = true;
    return is_denominator ? std::ldexp(x, -scale) : x;  // scaling up, as documented, would overflow
  }
  if (small_inverse) return std::ldexp(x, -scale);
  if (small_quotient) {
    *flag = true;
    return is_numerator ? std::ldexp(x, scale) : x;
  }
  return exponent_field(numerator) <= Format<T>::tiny ? std::ldexp(x, scale) : x;
}

// Operands: result, flags, value, denominator, numerator.
template <class T>
void run_div_scale(Wave& w, Instruction const& i) {
  Source<T> const x(w, i, 2), denominator(w, i, 3), numerator(w, i, 4);
  Result<T> r;
  LaneMask flags = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    bool flag;
    r.set(l, div_scale<T>(x[l], denominator[l], numerator[l], &flag));
    flags |= static_cast<LaneMask>(flag) << l;
  }
  LaneMask const defined = x.defined() & denominator.defined() & numerator.defined(), exec = w.exec();
  r.store(w, i, defined);
  w.set_mask(i[1].first, flags & exec, exec & ~defined);
}

// Undoes the scaling that v_div_scale applied to the numerator or the denominator: the quotient, operand 3, shows to
// which. A subnormal result is rounded once, after it has been scaled.
template <class T>
T div_fmas(T a, T b, T quotient, bool flag) {
  if (!flag) return std::fma(a, b, quotient);
  constexpr int bias = (1 << (Format<T>::exponent_bits - 1)) - 1;
  double const scale = std::ldexp(1.0, exponent_field(quotient) > bias ? Format<T>::scale : -Format<T>::scale);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(quotient)) return std::fma(a, b, quotient);
  return static_cast<T>((static_cast<__float128>(a) * b + quotient) * scale);
}
template <class T>
void run_div_fmas(Wave& w, Instruction const& i) {
  Source<T> const a(w, i, 1), b(w, i, 2), c(w, i, 3);
  LaneMask const flags = w.mask_at(vcc_register);
  Result<T> r;
  for (unsigned l = 0; l < lanes; ++l) r.set(l, div_fmas<T>(a[l], b[l], c[l], flags >> l & 1));
  r.store(w, i, a.defined() & b.defined() & c.defined() & ~w.undefined_mask_at(vcc_register));
}

template <class T>
T div_fixup(T quotient, T denominator, T numerator) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  if (numerator != numerator) return numerator + numerator;
  if (denominator != denominator) return denominator + denominator;
  T const sign = std::signbit(denominator) != std::signbit(numerator) ? T(-1) : T(1);
  if ((denominator == 0 && numerator == 0) || (std::isinf(denominator) && std::isinf(numerator)))
    return -std::numeric_limits<T>::quiet_NaN();
  if (denominator == 0 || std::isinf(numerator)) return std::copysign(infinity, sign);
  if (std::isinf(denominator) || numerator == 0) return std::copysign(T(0), sign);
  if (exponent_field(numerator) - exponent_field(denominator) < Format<T>::underflow) return std::copysign(T(0), sign);
  // If the quotient overflows, the preceding steps compute inf - inf, which is NaN. Division must return infinity.
  return std::copysign(quotient != quotient ? infinity : quotient, sign);
}

// 2 / pi, bits after the point.
constexpr std::uint64_t two_by_pi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                                       0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                       0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
                                       0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
                                       0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
constexpr int two_by_pi_bits        = 64 * sizeof two_by_pi / sizeof *two_by_pi;

double trig_preop(double x, std::int32_t segment) {
  int const exponent = exponent_field(x);
  int shift          = (segment & 31) * 53;
  if (exponent > 1077) shift += exponent - 1077;
  std::uint64_t bits = 0;  // 53 bits from position `shift`
  for (int k = shift; k < shift + 53; ++k)
    bits = bits << 1 | (k < two_by_pi_bits ? two_by_pi[k / 64] >> (63 - k % 64) & 1 : 0);
  int scale = -53 - shift;
  if (exponent >= 1968) scale += 128;
  return std::ldexp(static_cast<double>(bits), scale);
}

}  // namespace

void add_vector_division(Table& t) {
  t.add("v_div_scale_f32", &run_div_scale<float>);
  t.add("v_div_scale_f64", &run_div_scale<double>);
  t.add("v_div_fmas_f32", &run_div_fmas<float>);
  t.add("v_div_fmas_f64", &run_div_fmas<double>);
  t.add("v_div_fixup_f32", &VectorOp<&div_fixup<float>>::run);
  t.add("v_div_fixup_f64", &VectorOp<&div_fixup<double>>::run);
  t.add("v_trig_preop_f64", &VectorOp<&trig_preop>::run);
}

}  // namespace hip_model::isa
