// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers whose number depends on M0: the index mode of vector registers ("VGPR Indexing"; S_SET_GPR_IDX_* in 12.4
// SOPC, 12.3 SOP1, 12.5 SOPP), moves of scalar registers (12.3 SOP1), and those of vector registers of gfx10 ("RDNA 2"
// ISA document, 12.7 VOP1).
#include "register_index.hpp"
#include "table.hpp"
#include "values.hpp"

#include <string_view>

namespace hip_model::isa {

namespace {

constexpr u32 index_bits = 0xff, operands_bits = 0xf000, operands_shift = 12, result_bit = 8;

void set_m0(Wave& w, u32 bits, u32 value) {
  w.scalar[m0_register] = (w.scalar[m0_register] & ~bits) | (value & bits);
  w.scalar_undefined[m0_register] &= ~bits;
}
void set_index(Wave& w, Instruction const& i) {
  u64 undefined   = 0;
  u32 const index = scalar_value<u32>(w, i[0], &undefined);
  require_defined(w, (undefined & index_bits) == 0, "the index of a register");
  set_m0(w, index_bits, index);
}
void index_on(Wave& w, Instruction const& i) {
  set_index(w, i);
  set_m0(w, operands_bits, (i.raw[0] >> 8 & 0xf) << operands_shift);
  w.mode |= index_enabled;
}
void index_off(Wave& w, Instruction const&) { w.mode &= ~index_enabled; }
void index_mode(Wave& w, Instruction const& i) { set_m0(w, operands_bits, (i.raw[0] & 0xf) << operands_shift); }

u32 defined_m0(Wave& w, u32 bits) {
  require_defined(w, (w.scalar_undefined[m0_register] & bits) == 0, "the index of a register");
  return w.scalar[m0_register] & bits;
}

unsigned shifted_scalar(Wave& w, Operand const& o) {
  u64 const number = u64(o.first) + defined_m0(w, ~0u);
  if (!o.is_scalar() || number + o.words > flat_scratch_register)
    throw Stop("the index leads to scalar register " + std::to_string(number) + ", which no program may index");
  return static_cast<unsigned>(number);
}
template <unsigned Words>
void move_words(Wave& w, unsigned to, unsigned from) {
  for (unsigned k = 0; k < Words; ++k) {
    w.scalar[to + k]           = w.scalar[from + k];
    w.scalar_undefined[to + k] = w.scalar_undefined[from + k];
  }
}
template <unsigned Words>
void move_from_index(Wave& w, Instruction const& i) {
  move_words<Words>(w, i[0].first, shifted_scalar(w, i[1]));
}
template <class T>
void move_to_index(Wave& w, Instruction const& i) {
  unsigned const to = shifted_scalar(w, i[0]);
  u64 undefined     = 0;
  T const value     = scalar_value<T>(w, i[1], &undefined);
  std::memcpy(w.scalar + to, &value, sizeof value);
  std::memcpy(w.scalar_undefined + to, &undefined, sizeof value);
}

unsigned shifted_vector(Wave& w, Operand const& o) {
  u64 const number = u64(o.first) + defined_m0(w, ~0u);
  if (!o.is_vector() || number >= w.vector_registers)
    throw Stop("the index leads to vector register " + std::to_string(number) + " of " +
               std::to_string(w.vector_registers));
  return static_cast<unsigned>(number);
}
void vector_from_index(Wave& w, Instruction const& i) {
  unsigned const from = shifted_vector(w, i[1]);
  write_register(w, i[0].first, w.lanes_of(from), w.exec(), w.vector_defined[from]);
}
void vector_to_index(Wave& w, Instruction const& i) {
  unsigned const to = shifted_vector(w, i[0]);
  Source<u32> const value(w, i, 1);
  alignas(32) u32 values[lanes];
  for (unsigned l = 0; l < lanes; ++l) values[l] = value[l];
  write_register(w, to, values, w.exec(), value.defined());
}

bool contains(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

}  // namespace

Indexing indexing_of(std::string const& name, Instruction const& i) {
  if (name[0] != 'v') return Indexing::ignored;
  bool const is_other = i.dpp || i.sdwa || i.first_source != 1 || contains(name, "lane") || contains(name, "mac_") ||
                        contains(name, "madmk") || contains(name, "madak") || contains(name, "swap");
  return is_other ? Indexing::unknown : Indexing::applied;
}

Instruction with_index(Wave& w, Instruction const& decoded) {
  if (decoded.indexing == Indexing::unknown) throw Stop("it cannot be executed while registers are indexed");
  Instruction i          = decoded;
  u32 const m0           = defined_m0(w, index_bits | operands_bits);
  unsigned const index   = m0 & index_bits;
  unsigned const indexed = m0 >> operands_shift;
  for (unsigned k = 0; k < i.count; ++k) {
    Operand& o = i.operands[k];
    if (!o.is_vector() || !(indexed & (k == 0 ? result_bit : 1u << (k - 1)))) continue;
    if (o.first + index + o.words > w.vector_registers)
      throw Stop("the index leads to vector register " + std::to_string(o.first + index) + " of " +
                 std::to_string(w.vector_registers));
    o.first = static_cast<std::uint16_t>(o.first + index);
  }
  return i;
}

void add_register_index(Table& t) {
  t.add("s_set_gpr_idx_on", &index_on);
  t.add("s_set_gpr_idx_off", &index_off);
  t.add("s_set_gpr_idx_mode", &index_mode);
  t.add("s_set_gpr_idx_idx", &set_index);
  t.add("s_movrels_b32", &move_from_index<1>);
  t.add("s_movrels_b64", &move_from_index<2>);
  t.add("s_movreld_b32", &move_to_index<u32>);
  t.add("s_movreld_b64", &move_to_index<u64>);
  t.add("v_movrels_b32", &vector_from_index);
  t.add("v_movreld_b32", &vector_to_index);
}

}  // namespace hip_model::isa
