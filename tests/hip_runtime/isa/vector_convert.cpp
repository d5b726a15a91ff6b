// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions (12.9 VOP1, 12.11 VOP3): integers saturate, and NaN becomes 0.
#include "table.hpp"
#include "values.hpp"

#include <limits>

namespace hip_model::isa {

namespace {

template <class To, class From>
To convert(From x) {
  return static_cast<To>(x);
}
template <class To, class From>
To saturate(From value) {
  double const x = static_cast<double>(value);  // each operand, and each limit of To, is exact in double precision
  if (x != x) return 0;
  if (x <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (x >= static_cast<double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(x);
}
std::int32_t round_down(float x) { return saturate<std::int32_t>(std::floor(x)); }
std::int32_t round_half_up(float x) { return saturate<std::int32_t>(std::floor(static_cast<double>(x) + 0.5)); }

template <int Byte>
float from_byte(std::uint32_t x) {
  return static_cast<float>(x >> 8 * Byte & 0xff);
}

// Rounds towards zero: if the nearest half precision number is farther from zero than x, its neighbour is returned.
std::uint32_t half_towards_zero(float x) {
  Half const h       = static_cast<Half>(x);
  std::uint16_t bits = std::bit_cast<std::uint16_t>(h);
  if (x != x || std::isinf(x)) return bits;
  if (std::fabs(static_cast<float>(h)) > std::fabs(x)) --bits;
  return bits;
}
std::uint32_t pack_halves(float a, float b) { return half_towards_zero(a) | half_towards_zero(b) << 16; }
template <class To, class From>
std::uint32_t pack(From a, From b) {
  auto narrow = [](From x) {
    constexpr From low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return static_cast<std::uint32_t>(static_cast<std::uint16_t>(x < low ? low : x > high ? high : x));
  };
  return narrow(a) | narrow(b) << 16;
}
std::uint32_t pack_b16(std::uint16_t a, std::uint16_t b) { return a | std::uint32_t(b) << 16; }

template <class To, class From>
void add_conversion(Table& t, char const* name) {
  if constexpr (std::is_integral_v<To>)
    t.add(name, &VectorOp<&saturate<To, From>>::run);
  else
    t.add(name, &VectorOp<&convert<To, From>>::run);
}

}  // namespace

void add_vector_convert(Table& t) {
  add_conversion<float, double>(t, "v_cvt_f32_f64");
  add_conversion<double, float>(t, "v_cvt_f64_f32");
  add_conversion<float, i32>(t, "v_cvt_f32_i32");
  add_conversion<float, u32>(t, "v_cvt_f32_u32");
  add_conversion<double, i32>(t, "v_cvt_f64_i32");
  add_conversion<double, u32>(t, "v_cvt_f64_u32");
  add_conversion<i32, float>(t, "v_cvt_i32_f32");
  add_conversion<u32, float>(t, "v_cvt_u32_f32");
  add_conversion<i32, double>(t, "v_cvt_i32_f64");
  add_conversion<u32, double>(t, "v_cvt_u32_f64");
  add_conversion<Half, float>(t, "v_cvt_f16_f32");
  add_conversion<float, Half>(t, "v_cvt_f32_f16");
  add_conversion<Half, i16>(t, "v_cvt_f16_i16");
  add_conversion<Half, u16>(t, "v_cvt_f16_u16");
  add_conversion<i16, Half>(t, "v_cvt_i16_f16");
  add_conversion<u16, Half>(t, "v_cvt_u16_f16");
  t.add("v_cvt_flr_i32_f32", &VectorOp<&round_down>::run);
  t.add("v_cvt_rpi_i32_f32", &VectorOp<&round_half_up>::run);
  t.add("v_cvt_f32_ubyte0", &VectorOp<&from_byte<0>>::run);
  t.add("v_cvt_f32_ubyte1", &VectorOp<&from_byte<1>>::run);
  t.add("v_cvt_f32_ubyte2", &VectorOp<&from_byte<2>>::run);
  t.add("v_cvt_f32_ubyte3", &VectorOp<&from_byte<3>>::run);
  t.add("v_cvt_pkrtz_f16_f32", &VectorOp<&pack_halves>::run);
  t.add("v_cvt_pk_u16_u32", &VectorOp<&pack<u16, u32>>::run);
  t.add("v_cvt_pk_i16_i32", &VectorOp<&pack<i16, i32>>::run);
  t.add("v_pack_b32_f16", &VectorOp<&pack_b16>::run);
}

}  // namespace hip_model::isa
