// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of single and double precision (12.8 VOP2, 12.9 VOP1, 12.11 VOP3). Approximations of the hardware (v_rcp,
// v_rsq, v_sqrt, v_exp, v_log, v_sin, v_cos) are computed as the host computes them, which is at least as accurate.
#include "arithmetic.hpp"
#include "table.hpp"
#include "values.hpp"

#include <limits>
#include <numbers>

namespace hip_model::isa {

namespace {

template <class T>
T quieted(T x) {
  return x + x;  // of a NaN alone
}
template <class T>
bool is_signaling(T x) {
  using B           = BitsOf<T>;
  constexpr B quiet = B(1) << (std::numeric_limits<T>::digits - 2);
  return x != x && !(std::bit_cast<B>(x) & quiet);
}

template <class T>
T mul(T a, T b) {
  return a * b;
}
float mul_legacy(float a, float b) { return a == 0 || b == 0 ? 0 : a * b; }
float mad(float a, float b, float c) { return a * b + c; }
template <class T>
T fma(T a, T b, T c) {
  return std::fma(a, b, c);
}
template <class T>
T max(T a, T b) {
  if (is_signaling(a)) return quieted(a);
  if (is_signaling(b)) return quieted(b);
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <class T>
T min(T a, T b) {
  if (is_signaling(a)) return quieted(a);
  if (is_signaling(b)) return quieted(b);
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float max3(float a, float b, float c) { return max(max(a, b), c); }
float min3(float a, float b, float c) { return min(min(a, b), c); }
// gfx11
float maxmin(float a, float b, float c) { return min(max(a, b), c); }
float minmax(float a, float b, float c) { return max(min(a, b), c); }
float med3(float a, float b, float c) {
  if (a != a || b != b || c != c) return min3(a, b, c);
  return max(min(a, b), min(max(a, b), c));
}

template <class T>
T rcp(T x) {
  return T(1) / x;
}
template <class T>
T rsq(T x) {
  return T(1) / std::sqrt(x);
}
template <class T>
T sqrt(T x) {
  return std::sqrt(x);
}
float exp2(float x) { return std::exp2(x); }
float log2(float x) { return std::log2(x); }
// Arguments are turns.
float sin_turns(float x) {
  if (std::isinf(x)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(std::sin(2 * std::numbers::pi * (x - std::floor(x))));
}
float cos_turns(float x) {
  if (std::isinf(x)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(std::cos(2 * std::numbers::pi * (x - std::floor(x))));
}
template <class T>
T floor(T x) {
  return std::floor(x);
}
template <class T>
T ceil(T x) {
  return std::ceil(x);
}
template <class T>
T trunc(T x) {
  return std::trunc(x);
}
template <class T>
T rndne(T x) {
  return std::nearbyint(x);
}
template <class T>
T fract(T x) {
  T const f = x - std::floor(x);
  return f < T(1) ? f : f != f ? f : std::nextafter(T(1), T(0));
}
template <class T>
T frexp_mant(T x) {
  int e;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}
template <class T>
std::int32_t frexp_exp(T x) {
  int e = 0;
  if (std::isfinite(x) && x != 0) std::frexp(x, &e);
  return e;
}
template <class T>
T ldexp(T x, std::int32_t e) {
  return std::ldexp(x, e);
}

template <class T>
void add_common(Table& t, std::string const& type) {
  t.add("v_add_" + type, &VectorOp<&add<T>>::run);
  t.add("v_mul_" + type, &VectorOp<&mul<T>>::run);
  t.add("v_max_" + type, &VectorOp<&max<T>>::run);
  t.add("v_min_" + type, &VectorOp<&min<T>>::run);
  t.add("v_fma_" + type, &VectorOp<&fma<T>>::run);
  t.add("v_fmac_" + type, &AccumulateOp<&fma<T>>::run);
  t.add("v_rcp_" + type, &VectorOp<&rcp<T>>::run);
  t.add("v_rsq_" + type, &VectorOp<&rsq<T>>::run);
  t.add("v_sqrt_" + type, &VectorOp<&sqrt<T>>::run);
  t.add("v_floor_" + type, &VectorOp<&floor<T>>::run);
  t.add("v_ceil_" + type, &VectorOp<&ceil<T>>::run);
  t.add("v_trunc_" + type, &VectorOp<&trunc<T>>::run);
  t.add("v_rndne_" + type, &VectorOp<&rndne<T>>::run);
  t.add("v_fract_" + type, &VectorOp<&fract<T>>::run);
  t.add("v_frexp_mant_" + type, &VectorOp<&frexp_mant<T>>::run);
  t.add("v_frexp_exp_i32_" + type, &VectorOp<&frexp_exp<T>>::run);
  t.add("v_ldexp_" + type, &VectorOp<&ldexp<T>>::run);
}

}  // namespace

void add_vector_float(Table& t) {
  add_common<float>(t, "f32");
  add_common<double>(t, "f64");
  t.add("v_sub_f32", &VectorOp<&sub<float>>::run);
  t.add("v_subrev_f32", &VectorOp<&subrev<float>>::run);
  t.add("v_mul_legacy_f32", &VectorOp<&mul_legacy>::run);
  t.add("v_rcp_iflag_f32", &VectorOp<&rcp<float>>::run);
  t.add("v_mad_f32", &VectorOp<&mad>::run);
  t.add("v_mac_f32", &AccumulateOp<&mad>::run);
  t.add("v_madmk_f32", &VectorOp<&mad>::run);
  t.add("v_madak_f32", &VectorOp<&mad>::run);
  t.add("v_fmamk_f32", &VectorOp<&fma<float>>::run);
  t.add("v_fmaak_f32", &VectorOp<&fma<float>>::run);
  t.add("v_max3_f32", &VectorOp<&max3>::run);
  t.add("v_min3_f32", &VectorOp<&min3>::run);
  t.add("v_maxmin_f32", &VectorOp<&maxmin>::run);
  t.add("v_minmax_f32", &VectorOp<&minmax>::run);
  t.add("v_med3_f32", &VectorOp<&med3>::run);
  t.add("v_exp_f32", &VectorOp<&exp2>::run);
  t.add("v_log_f32", &VectorOp<&log2>::run);
  t.add("v_exp_legacy_f32", &VectorOp<&exp2>::run);
  t.add("v_log_legacy_f32", &VectorOp<&log2>::run);
  t.add("v_sin_f32", &VectorOp<&sin_turns>::run);
  t.add("v_cos_f32", &VectorOp<&cos_turns>::run);
}

}  // namespace hip_model::isa
