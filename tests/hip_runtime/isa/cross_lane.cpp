// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from registers of other lanes: DPP and SDWA (12.15, 12.16), v_readlane and its relatives, v_mbcnt; DPP8,
// row_xmask and v_permlane16 of gfx10 ("RDNA 2" ISA document, 13.3.8, 13.3.9, 12.13).
#include "table.hpp"
#include "values.hpp"

#include <array>

namespace hip_model::isa {

namespace {

// "DPP_CTRL Enumerations" in 13.3.7 VOP_DPP. Rows have 16 lanes.
int compute_dpp_source(unsigned control, int lane) {
  int const row = lane & ~15, at = lane & 15, n = static_cast<int>(control & 15);
  if (control < 0x100) return (lane & ~3) | static_cast<int>(control >> 2 * (lane & 3) & 3);  // quad_perm
  if (control > 0x100 && control <= 0x10f) return at + n < 16 ? lane + n : -1;                // row_shl
  if (control > 0x110 && control <= 0x11f) return at >= n ? lane - n : -1;                    // row_shr
  if (control > 0x120 && control <= 0x12f) return row | ((at - n) & 15);                      // row_ror
  if (control >= 0x150 && control <= 0x15f) return row | n;         // row_newbcast of gfx90a, row_share of gfx10
  if (control >= 0x160 && control <= 0x16f) return row | (at ^ n);  // row_xmask of gfx10
  switch (control) {
    case 0x130:  // wave_shl:1
      return lane < 63 ? lane + 1 : -1;
    case 0x134:  // wave_rol:1
      return (lane + 1) & 63;
    case 0x138:  // wave_shr:1
      return lane - 1;
    case 0x13c:  // wave_ror:1
      return (lane - 1) & 63;
    case 0x140:  // row_mirror
      return row | (15 - at);
    case 0x141:  // row_half_mirror
      return (lane & ~7) | (7 - (lane & 7));
    case 0x142:  // row_bcast:15
      return row - 1;
    case 0x143:  // row_bcast:31
      return lane < 32 ? -1 : 31;
    default:
      return -2;
  }
}

using DppTable = std::array<std::array<std::int8_t, lanes>, 512>;
DppTable const& dpp_table() {
  static DppTable const table = [] {
    DppTable t;
    for (unsigned control = 0; control < t.size(); ++control)
      for (unsigned l = 0; l < lanes; ++l)
        t[control][l] = static_cast<std::int8_t>(compute_dpp_source(control, static_cast<int>(l)));
    return t;
  }();
  return table;
}

/// The lane that each lane reads; -1 where there is none.
using Sources = std::array<std::int8_t, lanes>;
Sources sources_of(Instruction const& i) {
  if (!i.is_dpp8) {
    Sources const& from = dpp_table()[i.dpp_control];
    if (from[0] == -2) throw Stop("its DPP control " + std::to_string(i.dpp_control) + " is unknown");
    return from;
  }
  Sources from;
  for (unsigned l = 0; l < lanes; ++l) from[l] = static_cast<std::int8_t>((l & ~7u) | (i.dpp_lanes >> 3 * (l & 7) & 7));
  return from;
}

// Lanes whose source exists and is active.
LaneMask has_source(Wave const& w, Instruction const& i, Sources const& from) {
  LaneMask const exec = i.fetches_inactive ? all_lanes : w.exec();
  LaneMask yes        = 0;
  for (unsigned l = 0; l < lanes; ++l)
    if (from[l] >= 0 && (exec >> from[l] & 1)) yes |= LaneMask(1) << l;
  return yes;
}

std::uint32_t select(std::uint32_t bits, std::uint8_t part, bool sign_extend) {
  if (part == 6) return bits;
  unsigned const width = part < 4 ? 8 : 16, shift = part < 4 ? part * 8u : (part - 4) * 16u;
  std::uint32_t const top = bits >> shift << (32 - width);
  return sign_extend ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32 - width)) : top >> (32 - width);
}

std::uint32_t required_scalar(Wave& w, Operand const& o, char const* use) {
  std::uint64_t undefined   = 0;
  std::uint32_t const value = scalar_value<std::uint32_t>(w, o, &undefined);
  require_defined(w, undefined == 0, use);
  return value;
}

unsigned first_active(Wave const& w) { return w.exec() ? static_cast<unsigned>(std::countr_zero(w.exec())) : 0; }

void write_scalar_from_lane(Wave& w, Instruction const& i, unsigned lane) {
  Operand const& from            = i[1];
  w.scalar[i[0].first]           = w.lanes_of(from.first)[lane];
  w.scalar_undefined[i[0].first] = w.vector_defined[from.first] >> lane & 1 ? 0 : ~0u;
  if (w.spilled.empty()) return;
  auto it = w.spilled.find(from.first * lanes + lane);
  if (it != w.spilled.end() && it->second.value == w.scalar[i[0].first])
    w.scalar_undefined[i[0].first] = it->second.undefined;
}

void readfirstlane(Wave& w, Instruction const& i) { write_scalar_from_lane(w, i, first_active(w)); }
void readlane(Wave& w, Instruction const& i) {
  write_scalar_from_lane(w, i, required_scalar(w, i[2], "the number of a lane") & (w.width - 1));
}
void writelane(Wave& w, Instruction const& i) {
  std::uint64_t undefined   = 0;
  std::uint32_t const value = scalar_value<std::uint32_t>(w, i[1], &undefined);
  unsigned const lane       = required_scalar(w, i[2], "the number of a lane") & (w.width - 1);
  unsigned const r          = i[0].first;
  LaneMask const bit        = LaneMask(1) << lane;
  w.lanes_of(r)[lane]       = value;
  if (undefined)
    w.spilled[r * lanes + lane] = {value, static_cast<std::uint32_t>(undefined)};
  else if (!w.spilled.empty())
    w.spilled.erase(r * lanes + lane);
  w.vector_defined[r] = undefined == 0xffffffff ? w.vector_defined[r] & ~bit : w.vector_defined[r] | bit;
}

// How many bits of the mask belong to lanes below this one, plus operand 2.
template <bool High>
void mbcnt(Wave& w, Instruction const& i) {
  Source<std::uint32_t> const mask(w, i, 1), base(w, i, 2);
  Result<std::uint32_t> r;
  for (unsigned l = 0; l < lanes; ++l) {
    std::uint32_t const below = High ? (l <= 32 ? 0 : (1u << (l - 32)) - 1) : (l >= 32 ? ~0u : (1u << l) - 1);
    r.set(l, static_cast<std::uint32_t>(std::popcount(mask[l] & below)) + base[l]);
  }
  r.store(w, i, mask.defined() & base.defined());
}

// Lane l of a row of 16 reads the lane that digit l of two scalars names, in its row, or in the other one of a pair of
// rows (x). op_sel: the source may be inactive; lanes without a source get 0 instead of keeping their value.
template <bool OtherRow>
void permlane16(Wave& w, Instruction const& i) {
  Source<u32> const data(w, i, 1);
  u64 const digits =
      required_scalar(w, i[2], "the number of a lane") | u64(required_scalar(w, i[3], "the number of a lane")) << 32;
  bool const fetches_inactive = i.op_sel & 1, zeroes = i.op_sel & 2;
  LaneMask const exec = w.exec();
  alignas(32) u32 values[lanes];
  LaneMask mask = 0, defined = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    unsigned const row  = (l & ~15u) ^ (OtherRow ? 16 : 0);
    unsigned const from = row | static_cast<unsigned>(digits >> 4 * (l & 15) & 15);
    bool const valid    = fetches_inactive || (exec >> from & 1);
    values[l]           = valid ? data[from] : 0;
    mask |= static_cast<LaneMask>(valid || zeroes) << l;
    defined |= (valid ? data.defined() >> from & 1 : LaneMask(1)) << l;
  }
  write_register(w, i[0].first, values, exec & mask, defined);
}

}  // namespace

LaneMask dpp_writable(Wave const& w, Instruction const& i) {
  LaneMask mask = 0;
  for (unsigned l = 0; l < lanes; ++l)
    if ((i.row_mask >> (l / 16) & 1) && (i.bank_mask >> (l / 4 % 4) & 1)) mask |= LaneMask(1) << l;
  return i.bound_control ? mask : mask & has_source(w, i, sources_of(i));
}

LaneMask read_moved(Wave& w, Instruction const& i, unsigned operand, std::uint32_t* out) {
  Operand const& o                = i.operands[operand];
  std::uint32_t const* const from = w.lanes_of(o.first);
  LaneMask const defined          = w.vector_defined[o.first];
  if (i.sdwa) {
    for (unsigned l = 0; l < lanes; ++l) out[l] = select(from[l], o.part, o.sign_extend);
    return defined;
  }
  Sources const source   = sources_of(i);
  LaneMask const sourced = has_source(w, i, source);
  LaneMask result        = ~sourced;  // 0 is defined
  for (unsigned l = 0; l < lanes; ++l) {
    bool const valid = sourced >> l & 1;
    out[l]           = valid ? from[source[l]] : 0;
    if (valid) result |= (defined >> source[l] & 1) << l;
  }
  return result;
}

void write_part(Wave& w, Instruction const& i, unsigned r, std::uint32_t* values, LaneMask mask, LaneMask defined) {
  if (i.result_part != 6) {
    unsigned const width           = i.result_part < 4 ? 8 : 16;
    unsigned const shift           = i.result_part < 4 ? i.result_part * 8u : (i.result_part - 4) * 16u;
    std::uint32_t const field      = ((1u << width) - 1) << shift;
    std::uint32_t const* const old = w.lanes_of(r);
    for (unsigned l = 0; l < lanes; ++l) {
      std::uint32_t const part = values[l] << shift & field;
      std::uint32_t rest       = 0;  // dst_unused: 0 zeros, 1 the sign above, 2 keeps
      if (i.unused_parts == 1 && (part >> (shift + width - 1) & 1) && shift + width < 32) rest = ~0u << (shift + width);
      if (i.unused_parts == 2) rest = old[l] & ~field;
      values[l] = part | rest;
    }
    // A register may be written part by part: after the first part all of it counts as defined.
  }
  write_register(w, r, values, mask, defined);
}

void add_cross_lane(Table& t) {
  t.add("v_readfirstlane_b32", &readfirstlane);
  t.add("v_readlane_b32", &readlane);
  t.add("v_writelane_b32", &writelane);
  t.add("v_permlane16_b32", &permlane16<false>);
  t.add("v_permlanex16_b32", &permlane16<true>);
  t.add("v_mbcnt_lo_u32_b32", &mbcnt<false>);
  t.add("v_mbcnt_hi_u32_b32", &mbcnt<true>);
}

}  // namespace hip_model::isa
