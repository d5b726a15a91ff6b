// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions with carries, and products of 64 bits (12.8 VOP2, 12.11 VOP3B). Operands: result, carries out, a, b, and
// carries in or an addend.
#include "table.hpp"
#include "values.hpp"

namespace hip_model::isa {

namespace {

u64 add(u32 a, u32 b, u32 carry) { return u64(a) + b + carry; }
// Bit 32 is the borrow.
u64 sub(u32 a, u32 b, u32 borrow) { return (u64(a) - b - borrow) & 0x1ffffffffu; }
u64 subrev(u32 a, u32 b, u32 borrow) { return sub(b, a, borrow); }

template <u64 (*F)(u32, u32, u32), bool CarryIn>
void carry(Wave& w, Instruction const& i) {
  Source<u32> const a(w, i, 2), b(w, i, 3);
  LaneMask const in = CarryIn ? w.mask_at(i[4].first) : 0, exec = writable(w, i);
  LaneMask out = 0, defined = a.defined() & b.defined();
  if (CarryIn) defined &= ~w.undefined_mask_at(i[4].first);
  Result<u32> r;
  alignas(32) u32 high[lanes];
  for (unsigned l = 0; l < lanes; ++l) {
    u64 const sum = F(a[l], b[l], static_cast<u32>(in >> l & 1));
    r.set(l, static_cast<u32>(sum));
    high[l] = static_cast<u32>(sum >> 32);
  }
  for (unsigned l = 0; l < lanes; ++l) out |= static_cast<LaneMask>(high[l] & 1) << l;
  r.store(w, i, defined);
  w.set_mask(i[1].first, out & exec, exec & ~defined);
}

template <class Factor, class Wide>
void mad64(Wave& w, Instruction const& i) {
  Source<Factor> const a(w, i, 2), b(w, i, 3);
  Source<u64> const c(w, i, 4);
  LaneMask const exec = w.exec(), defined = a.defined() & b.defined() & c.defined();
  Result<u64> r;
  LaneMask out = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    u64 const product = static_cast<u64>(static_cast<Wide>(a[l]) * b[l]), sum = product + c[l];
    r.set(l, sum);
    out |= static_cast<LaneMask>(sum < product) << l;
  }
  r.store_words(w, i, a.defined() & b.defined() & c.low_defined(), defined);
  w.set_mask(i[1].first, out & exec, exec & ~defined);
}

}  // namespace

void add_vector_carry(Table& t) {
  t.add("v_add_co_u32", &carry<&add, false>);
  t.add("v_sub_co_u32", &carry<&sub, false>);
  t.add("v_subrev_co_u32", &carry<&subrev, false>);
  t.add("v_addc_co_u32", &carry<&add, true>);
  t.add("v_subb_co_u32", &carry<&sub, true>);
  t.add("v_subbrev_co_u32", &carry<&subrev, true>);
  t.add("v_add_co_ci_u32", &carry<&add, true>);  // names of gfx10
  t.add("v_sub_co_ci_u32", &carry<&sub, true>);
  t.add("v_subrev_co_ci_u32", &carry<&subrev, true>);
  t.add("v_mad_u64_u32", &mad64<u32, u64>);
  t.add("v_mad_i64_i32", &mad64<std::int32_t, std::int64_t>);
}

}  // namespace hip_model::isa
