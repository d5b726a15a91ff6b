// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gfx11.hpp"
#include "values.hpp"

#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hip_model::isa {

namespace {

bool starts_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

using Names = std::unordered_map<std::string_view, std::string_view>;

// Names that changed as a whole.
Names const whole = {{"s_ctz_i32_b32", "s_ff1_i32_b32"},
                     {"s_ctz_i32_b64", "s_ff1_i32_b64"},
                     {"s_clz_i32_u32", "s_flbit_i32_b32"},
                     {"s_clz_i32_u64", "s_flbit_i32_b64"},
                     {"s_cls_i32", "s_flbit_i32"},
                     {"s_cls_i32_i64", "s_flbit_i32_i64"},
                     {"v_ctz_i32_b32", "v_ffbl_b32"},
                     {"v_clz_i32_u32", "v_ffbh_u32"},
                     {"v_cls_i32", "v_ffbh_i32"},
                     {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
                     {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"},
                     {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"},
                     {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"},
                     {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
                     {"v_mul_dx9_zero_f32", "v_mul_legacy_f32"},
                     {"ds_storexchg_rtn_b32", "ds_wrxchg_rtn_b32"},
                     {"ds_storexchg_rtn_b64", "ds_wrxchg_rtn_b64"}};

// Beginnings that changed; the rest did not.
std::pair<std::string_view, std::string_view> const beginnings[] = {{"v_cmp_t_f", "v_cmp_tru_f"},
                                                                    {"v_cmpx_t_f", "v_cmpx_tru_f"},
                                                                    {"s_and_not1_", "s_andn2_"},
                                                                    {"s_or_not1_", "s_orn2_"},
                                                                    {"s_and_not0_", "s_andn1_"},
                                                                    {"s_or_not0_", "s_orn1_"},
                                                                    {"ds_load_2addr_stride64_", "ds_read2st64_"},
                                                                    {"ds_load_2addr_", "ds_read2_"},
                                                                    {"ds_load_", "ds_read_"},
                                                                    {"ds_store_2addr_stride64_", "ds_write2st64_"},
                                                                    {"ds_store_2addr_", "ds_write2_"},
                                                                    {"ds_store_", "ds_write_"}};

// The end of a mnemonic, after "global_load_", "flat_store_", "s_load_", ...
Names const loads  = {{"b32", "dword"},         {"b64", "dwordx2"},
                      {"b96", "dwordx3"},       {"b128", "dwordx4"},
                      {"b256", "dwordx8"},      {"b512", "dwordx16"},
                      {"u8", "ubyte"},          {"i8", "sbyte"},
                      {"u16", "ushort"},        {"i16", "sshort"},
                      {"d16_b16", "short_d16"}, {"d16_hi_b16", "short_d16_hi"},
                      {"d16_u8", "ubyte_d16"},  {"d16_hi_u8", "ubyte_d16_hi"},
                      {"d16_i8", "sbyte_d16"},  {"d16_hi_i8", "sbyte_d16_hi"}};
Names const stores = {
    {"b8", "byte"},   {"b16", "short"},   {"d16_hi_b8", "byte_d16_hi"}, {"d16_hi_b16", "short_d16_hi"},
    {"b32", "dword"}, {"b64", "dwordx2"}, {"b96", "dwordx3"},           {"b128", "dwordx4"}};

std::string replaced(std::string_view begin, Names const& names, std::string_view rest) {
  auto const it = names.find(rest);
  return std::string(begin) + std::string(it == names.end() ? rest : it->second);
}

// "add_u32" was "add", "min_i64" was "smin_x2". Operations on reals have their type in both.
std::string atomic_name(std::string_view begin, std::string_view rest) {
  auto const under                 = rest.rfind('_');
  std::string_view const operation = rest.substr(0, under), type = rest.substr(under + 1);
  bool const wide = type.size() == 3 && type.substr(1) == "64";
  if (type.size() != 3 || (!wide && type.substr(1) != "32") || type[0] == 'f')
    return std::string(begin) + std::string(rest);
  std::string_view const sign = operation != "min" && operation != "max" ? "" : type[0] == 'i' ? "s" : "u";
  return std::string(begin) + std::string(sign) + std::string(operation) + (wide ? "_x2" : "");
}

}  // namespace

std::string name_before_gfx11(std::string const& name) {
  std::string_view const text = name;
  if (auto const it = whole.find(text); it != whole.end()) return std::string(it->second);
  for (auto const& [now, before] : beginnings)
    if (starts_with(text, now)) return std::string(before) + name.substr(now.size());
  for (std::string_view const space : {"global_", "flat_", "scratch_", "buffer_", "s_"}) {
    if (!starts_with(text, space)) continue;
    std::string_view const rest = text.substr(space.size());
    for (std::string_view const kind : {"load_", "store_", "atomic_"}) {
      if (!starts_with(rest, kind)) continue;
      std::string_view const begin = text.substr(0, space.size() + kind.size()), type = rest.substr(kind.size());
      return kind == "atomic_" ? atomic_name(begin, type) : replaced(begin, kind == "load_" ? loads : stores, type);
    }
  }
  return name;
}

// gfx11: expcnt in bits 0 to 2, lgkmcnt in bits 4 to 9, vmcnt in bits 10 to 15.
void rearrange_waitcnt(Instruction* i) {
  u32 const bits = i->raw[0], memory = bits >> 10 & 0x3f, lgkm = bits >> 4 & 0x3f;
  i->raw[0] = (bits & 0xffff0000u) | (memory & 0xf) | (memory >> 4) << 14 | lgkm << 8 | (bits & 7) << 4;
}

bool split_pair(std::string const& text, std::string* first, std::string* second) {
  constexpr std::string_view dual = "v_dual_", between = " :: ";
  auto const middle = text.find(between);
  if (!starts_with(text, dual) || middle == std::string::npos) return false;
  auto single = [&](std::string const& part) {
    std::string const one = "v_" + part.substr(dual.size());
    // The text of older versions of LLVM omits the mask.
    bool const omits = starts_with(one, "v_cndmask_b32") && one.find("vcc") == std::string::npos;
    return omits ? one + ", vcc_lo" : one;
  };
  auto const end = text.find_last_not_of(" \t\n");
  *first         = single(text.substr(0, middle));
  *second        = single(text.substr(middle + between.size(), end + 1 - middle - between.size()));
  return true;
}

namespace {

bool reads(Instruction const& i, unsigned r) {
  for (unsigned k = 1; k < i.count; ++k)
    if (i[k].is_vector() && i[k].first == r) return true;
  return false;
}

}  // namespace

// Each half has one result of one vector register, and the registers differ. If each half reads what the other one
// writes, the first result is put aside until the second half has run.
void run_pair(Wave& w, Instruction const& i) {
  Instruction const& second = *i.second;
  unsigned const r          = i[0].first;
  if (!reads(second, r)) {
    i.run_first(w, i);
    second.run(w, second);
    return;
  }
  if (!reads(i, second[0].first)) {
    second.run(w, second);
    i.run_first(w, i);
    return;
  }
  std::uint32_t before[lanes], result[lanes];
  std::uint32_t* const values   = w.lanes_of(r);
  LaneMask const before_defined = w.vector_defined[r];
  std::memcpy(before, values, sizeof before);
  i.run_first(w, i);
  LaneMask const result_defined = std::exchange(w.vector_defined[r], before_defined);
  std::memcpy(result, values, sizeof result);
  std::memcpy(values, before, sizeof before);
  second.run(w, second);
  std::memcpy(values, result, sizeof result);
  w.vector_defined[r] = result_defined;
}

}  // namespace hip_model::isa
