// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that only LDS has: two accesses in one instruction, and exchanges between lanes (12.13 LDS).
#include "memory.hpp"
#include "table.hpp"
#include "values.hpp"

namespace hip_model::isa {

namespace {

// The offsets count elements, or 64 of them (st64).
template <unsigned Words, unsigned Stride>
void read2(Wave& w, Instruction const& i) {
  Addresses const a(w, i, Addressing::shared, 1, 2);
  alignas(32) std::uint32_t values[2 * Words][lanes];
  LaneMask defined[2 * Words] = {};
  int const offsets[2]        = {i.offset0, i.offset1};
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l = static_cast<unsigned>(std::countr_zero(left));
    for (unsigned k = 0; k < 2 * Words; ++k) {
      unsigned const offset = static_cast<unsigned>(offsets[k / Words]) * Stride * 4 * Words + k % Words * 4;
      Place const p         = a.at(w, l, 4, Access::read, offset);
      std::memcpy(&values[k][l], p.data, 4);
      defined[k] |= static_cast<LaneMask>(is_defined(w, p, l, 4)) << l;
    }
  }
  for (unsigned k = 0; k < 2 * Words; ++k) write_register(w, i[0].first + k, values[k], a.active, defined[k]);
  note_outstanding(w, Addressing::shared, &i[0]);
}

template <unsigned Words, unsigned Stride>
void write2(Wave& w, Instruction const& i) {
  Addresses const a(w, i, Addressing::shared, 0, 3);
  int const offsets[2] = {i.offset0, i.offset1};
  for (LaneMask left = a.active; left; left &= left - 1) {
    unsigned const l = static_cast<unsigned>(std::countr_zero(left));
    for (unsigned k = 0; k < 2 * Words; ++k) {
      unsigned const offset = static_cast<unsigned>(offsets[k / Words]) * Stride * 4 * Words + k % Words * 4;
      unsigned const r      = i[1 + k / Words].first + k % Words;
      Place const p         = a.at(w, l, 4, Access::write, offset);
      std::memcpy(p.data, &w.lanes_of(r)[l], 4);
      set_defined(w, p, l, 4, w.vector_defined[r] >> l & 1);
    }
  }
  note_outstanding(w, Addressing::shared, nullptr);
}

// Lanes without an active source read 0.
void gather(Wave& w, Instruction const& i, Operand const& data, unsigned const* from) {
  LaneMask const exec = w.exec(), known = w.vector_defined[data.first];
  std::uint32_t const* const in = w.lanes_of(data.first);
  alignas(32) std::uint32_t values[lanes];
  LaneMask defined = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    bool const active = exec >> from[l] & 1;
    values[l]         = active ? in[from[l]] : 0;
    defined |= (active ? known >> from[l] & 1 : LaneMask(1)) << l;
  }
  write_register(w, i[0].first, values, exec, defined);
  note_outstanding(w, Addressing::shared, &i[0]);
  w.lgkm.back().in_memory = false;
}

void swizzle(Wave& w, Instruction const& i) {
  unsigned const offset = static_cast<unsigned>(i.offset) & 0xffff;
  unsigned from[lanes];
  for (unsigned l = 0; l < lanes; ++l)
    from[l] = offset >> 15 ? (l & ~3u) | (offset >> 2 * (l & 3) & 3)
                           : (l & 32) | ((((l & 31 & offset) | (offset >> 5 & 31)) ^ (offset >> 10 & 31)) & 31);
  gather(w, i, i[1], from);
}

void require_defined_lanes(Wave& w, Operand const& o) {
  require_defined(w, !(w.exec() & ~w.vector_defined[o.first]), "the number of a lane");
}

void bpermute(Wave& w, Instruction const& i) {
  require_defined_lanes(w, i[1]);
  unsigned from[lanes];
  for (unsigned l = 0; l < lanes; ++l)
    from[l] = (w.lanes_of(i[1].first)[l] + static_cast<unsigned>(i.offset)) / 4 % w.width;
  gather(w, i, i[2], from);
}

void permute(Wave& w, Instruction const& i) {
  require_defined_lanes(w, i[1]);
  LaneMask const exec                     = w.exec();
  std::uint32_t const* const in           = w.lanes_of(i[2].first);
  alignas(32) std::uint32_t values[lanes] = {};
  LaneMask defined                        = all_lanes;
  for (unsigned l = 0; l < lanes; ++l) {
    if (!(exec >> l & 1)) continue;
    unsigned const to = (w.lanes_of(i[1].first)[l] + static_cast<unsigned>(i.offset)) / 4 % w.width;
    values[to]        = in[l];
    if (!(w.vector_defined[i[2].first] >> l & 1)) defined &= ~(LaneMask(1) << to);
  }
  write_register(w, i[0].first, values, exec, defined);
  note_outstanding(w, Addressing::shared, &i[0]);
  w.lgkm.back().in_memory = false;
}

}  // namespace

void add_shared_memory(Table& t) {
  t.add("ds_read2_b32", &read2<1, 1>);
  t.add("ds_read2_b64", &read2<2, 1>);
  t.add("ds_read2st64_b32", &read2<1, 64>);
  t.add("ds_read2st64_b64", &read2<2, 64>);
  t.add("ds_write2_b32", &write2<1, 1>);
  t.add("ds_write2_b64", &write2<2, 1>);
  t.add("ds_write2st64_b32", &write2<1, 64>);
  t.add("ds_write2st64_b64", &write2<2, 64>);
  t.add("ds_swizzle_b32", &swizzle);
  t.add("ds_bpermute_b32", &bpermute);
  t.add("ds_permute_b32", &permute);
}

}  // namespace hip_model::isa
