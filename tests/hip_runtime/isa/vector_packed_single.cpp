// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two values of 32 bits in two registers, and moves to and from accumulation registers (gfx90a: "CDNA2" ISA document,
// VOP3P). op_sel chooses the register that the lower result reads, op_sel_hi that of the upper one.
#include "table.hpp"
#include "values.hpp"

namespace hip_model::isa {

namespace {

/// Source `k` of one of the two results, for all lanes.
class Word {
 public:
  Word(Wave& w, Instruction const& i, unsigned k, bool upper_result) {
    Operand const& o   = i.operands[k];
    unsigned const bit = k - 1;
    bool const upper   = (upper_result ? i.op_sel_hi : i.op_sel) >> bit & 1;
    u32 const flip     = (upper_result ? i.negate_high : i.negate_low) >> bit & 1 ? 0x80000000u : 0;
    if (o.is_vector()) {
      unsigned const r        = o.first + (upper ? 1 : 0);
      u32 const* const values = w.lanes_of(r);
      m_defined               = w.vector_defined[r];
      for (unsigned l = 0; l < lanes; ++l) m_bits[l] = values[l] ^ flip;
      return;
    }
    u64 undefined = 0;
    if (!o.is_scalar() && upper) throw Stop("the upper half of a constant is unknown");
    u64 const bits = o.is_scalar() ? scalar_value<u64>(w, o, &undefined) : constant_bits<float>(o);
    m_defined      = static_cast<u32>(upper ? undefined >> 32 : undefined) ? 0 : all_lanes;
    for (unsigned l = 0; l < lanes; ++l) m_bits[l] = static_cast<u32>(upper ? bits >> 32 : bits) ^ flip;
  }
  u32 bits(unsigned lane) const { return m_bits[lane]; }
  float operator[](unsigned lane) const { return std::bit_cast<float>(m_bits[lane]); }
  LaneMask defined() const { return m_defined; }

 private:
  alignas(32) u32 m_bits[lanes];
  LaneMask m_defined;
};

template <auto F>
struct PairOp;
template <float (*F)(float, float)>
struct PairOp<F> {
  static void run(Wave& w, Instruction const& i) {
    alignas(32) u32 r[2][lanes];
    LaneMask defined[2];
    for (unsigned half = 0; half < 2; ++half) {
      Word const a(w, i, 1, half), b(w, i, 2, half);
      for (unsigned l = 0; l < lanes; ++l) r[half][l] = std::bit_cast<u32>(scaled(F(a[l], b[l]), i));
      defined[half] = a.defined() & b.defined();
    }
    for (unsigned half = 0; half < 2; ++half) write_register(w, i[0].first + half, r[half], w.exec(), defined[half]);
  }
};
template <float (*F)(float, float, float)>
struct PairOp<F> {
  static void run(Wave& w, Instruction const& i) {
    alignas(32) u32 r[2][lanes];
    LaneMask defined[2];
    for (unsigned half = 0; half < 2; ++half) {
      Word const a(w, i, 1, half), b(w, i, 2, half), c(w, i, 3, half);
      for (unsigned l = 0; l < lanes; ++l) r[half][l] = std::bit_cast<u32>(scaled(F(a[l], b[l], c[l]), i));
      defined[half] = a.defined() & b.defined() & c.defined();
    }
    for (unsigned half = 0; half < 2; ++half) write_register(w, i[0].first + half, r[half], w.exec(), defined[half]);
  }
};

float add(float a, float b) { return a + b; }
float mul(float a, float b) { return a * b; }
float fma(float a, float b, float c) { return std::fma(a, b, c); }
u32 mov(u32 a) { return a; }

// The lower register comes from the first source, the upper one from the second; op_sel chooses in both.
void pk_mov(Wave& w, Instruction const& i) {
  Word const low(w, i, 1, false), high(w, i, 2, false);
  alignas(32) u32 r[2][lanes];
  for (unsigned l = 0; l < lanes; ++l) {
    r[0][l] = low.bits(l);
    r[1][l] = high.bits(l);
  }
  write_register(w, i[0].first, r[0], w.exec(), low.defined());
  write_register(w, i[0].first + 1, r[1], w.exec(), high.defined());
}

}  // namespace

void add_vector_packed_single(Table& t) {
  t.add("v_pk_add_f32", &PairOp<&add>::run);
  t.add("v_pk_mul_f32", &PairOp<&mul>::run);
  t.add("v_pk_fma_f32", &PairOp<&fma>::run);
  t.add("v_pk_mov_b32", &pk_mov);
  t.add("v_accvgpr_read_b32", &VectorOp<&mov>::run);
  t.add("v_accvgpr_write_b32", &VectorOp<&mov>::run);
  t.add("v_accvgpr_mov_b32", &VectorOp<&mov>::run);
}

}  // namespace hip_model::isa
