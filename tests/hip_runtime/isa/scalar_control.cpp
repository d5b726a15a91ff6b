// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, calls, barriers and waits (12.5 SOPP, 12.3 SOP1), scalar memory (12.6 SMEM), hardware registers (12.2
// SOPK).
#include "memory.hpp"
#include "table.hpp"
#include "values.hpp"

#include <chrono>

namespace hip_model::isa {

namespace {

std::int32_t simm16(Instruction const& i) { return static_cast<std::int16_t>(i.raw[0] & 0xffff); }

void branch(Wave& w, Instruction const& i) { w.pc += static_cast<u64>(static_cast<std::int64_t>(simm16(i)) * 4); }

enum class Condition { scc0, scc1, vccz, vccnz, execz, execnz };
template <Condition C>
void branch_if(Wave& w, Instruction const& i) {
  using enum Condition;
  bool taken = false;
  if constexpr (C == scc0 || C == scc1) {
    require_defined(w, w.scc_defined, "the condition SCC of a branch");
    taken = w.scc == (C == scc1);
  } else if constexpr (C == vccz || C == vccnz) {
    // If a defined lane is set, undefined lanes make no difference.
    LaneMask const vcc = w.mask_at(vcc_register), undefined = w.undefined_mask_at(vcc_register);
    require_defined(w, undefined == 0 || (vcc & ~undefined) != 0, "the condition VCC of a branch");
    taken = (vcc == 0) == (C == vccz);
  } else {
    taken = (w.exec() == 0) == (C == execz);
  }
  if (taken) branch(w, i);
}

u64 code_address(Wave& w, Operand const& o) {
  u64 undefined;
  u64 const address = scalar_value<u64>(w, o, &undefined);
  require_defined(w, undefined == 0, "the address of code");
  return address;
}
void getpc(Wave& w, Instruction const& i) { w.set_pair(i[0].first, w.pc); }
void setpc(Wave& w, Instruction const& i) { w.pc = code_address(w, i[0]); }
void swappc(Wave& w, Instruction const& i) {
  u64 const to = code_address(w, i[1]);
  w.set_pair(i[0].first, w.pc);
  w.pc = to;
}
void call(Wave& w, Instruction const& i) {
  w.set_pair(i[0].first, w.pc);
  branch(w, i);
}

void end(Wave& w, Instruction const&) { w.state = Wave::State::ended; }
void barrier(Wave& w, Instruction const&) { w.state = Wave::State::at_barrier; }
void nothing(Wave&, Instruction const&) {}
void sleep(Wave& w, Instruction const&) { w.yields = true; }
void trap(Wave&, Instruction const&) { throw Stop("the program asked for a trap, as abort() does in a kernel"); }

// If all outstanding results return in order, all but the last `left` have arrived. Otherwise none is known to have
// arrived, unless `left` is 0.
void wait_until(std::vector<Outstanding>& queue, std::size_t left) {
  if (left == 0) {
    queue.clear();
    return;
  }
  if (queue.size() <= left) return;
  for (Outstanding const& o : queue)
    if (!o.in_order) return;
  queue.erase(queue.begin(), queue.end() - static_cast<std::ptrdiff_t>(left));
}
void waitcnt(Wave& w, Instruction const& i) {
  u32 const counts = i.raw[0] & 0xffff;
  wait_until(w.vector_memory, (counts & 0xf) | (counts >> 14 & 3) << 4);
  wait_until(w.lgkm, counts >> 8 & 0x3f);  // gfx9 has four of these bits, and the others are 0
}
// gfx10: one counter each.
void wait_for_vector_memory(Wave& w, Instruction const& i) { wait_until(w.vector_memory, i.raw[0] & 0x3f); }
void wait_for_lgkm(Wave& w, Instruction const& i) { wait_until(w.lgkm, i.raw[0] & 0x3f); }

// Bits 0 to 5 name the register, 6 to 10 the first bit, 11 to 15 the number of bits less one.
enum HardwareRegister : u32 {
  mode            = 1,
  hardware_id     = 4,
  memory_bases    = 15,
  flat_scratch_lo = 20,  // gfx942: the number of the die
  flat_scratch_hi = 21,
  hardware_id1    = 23  // gfx10
};
u32 hardware_register(Wave& w, u32 id) {
  switch (id) {
    case mode:
      return w.mode;
    case hardware_id:
    case hardware_id1:
      return w.number & 0xf;  // as if each wavefront had a slot of one SIMD
    case flat_scratch_lo:
      return 0;  // all wavefronts run on the first die
    case memory_bases:
      return static_cast<u32>(aperture_of_shared << 16 | aperture_of_private);
    default:
      throw Stop("the hardware register " + std::to_string(id) + " is unknown");
  }
}
void getreg(Wave& w, Instruction const& i) {
  u32 const field = i.raw[0] & 0xffff, width = (field >> 11) + 1;
  u32 const value                = hardware_register(w, field & 63) >> (field >> 6 & 31);
  w.scalar[i[0].first]           = width == 32 ? value : value & ((1u << width) - 1);
  w.scalar_undefined[i[0].first] = 0;
}
void set_mode(Wave& w, u32 changed) {
  if ((changed & 0xff) != 0xf0)
    throw Stop("rounding other than to nearest, or flushed subnormal numbers (MODE " + std::to_string(changed & 0xff) +
               "), are not interpreted");
  w.mode = changed;
}
void set_register(Wave& w, u32 field, u32 value) {
  u32 const width = (field >> 11) + 1, shift = field >> 6 & 31;
  u32 const mask = (width == 32 ? ~0u : (1u << width) - 1) << shift;
  // Flat addresses of private memory have their own aperture, so its base is of no use here.
  if ((field & 63) == flat_scratch_lo || (field & 63) == flat_scratch_hi) return;
  if ((field & 63) != mode) throw Stop("setting the hardware register " + std::to_string(field & 63) + " is unknown");
  set_mode(w, (w.mode & ~mask) | (value << shift & mask));
}
void setreg(Wave& w, Instruction const& i) {
  u64 undefined;
  u32 const value = scalar_value<u32>(w, i[0], &undefined);
  require_defined(w, undefined == 0, "the value of a hardware register");
  set_register(w, i.raw[0] & 0xffff, value);
}
void setreg_constant(Wave& w, Instruction const& i) { set_register(w, i.raw[0] & 0xffff, i.raw[1]); }
// gfx10
void set_rounding(Wave& w, Instruction const& i) { set_mode(w, (w.mode & ~0xfu) | (i.raw[0] & 0xf)); }
void set_subnormals(Wave& w, Instruction const& i) { set_mode(w, (w.mode & ~0xf0u) | (i.raw[0] & 0xf) << 4); }

void note_scalars(Wave& w, Operand const& result) { w.lgkm.push_back({result.first, result.words, false, false}); }

template <unsigned Words>
void load(Wave& w, Instruction const& i) {
  u64 undefined, offset_undefined = 0;
  u64 address = scalar_value<u64>(w, i[1], &undefined);
  // A register, which may be followed by a constant, or a constant, which may be negative.
  address += i[2].is_scalar() ? scalar_value<u32>(w, i[2], &offset_undefined) : static_cast<u64>(i[2].integer);
  address += static_cast<u64>(static_cast<i64>(i.offset));
  require_defined(w, (undefined | offset_undefined) == 0, "an address");
  Place const p = global_place(w, address & ~u64(3), 0, 4 * Words, Access::read);
  std::memcpy(w.scalar + i[0].first, p.data, 4 * Words);
  std::memset(w.scalar_undefined + i[0].first, 0, 4 * Words);
  note_scalars(w, i[0]);
}

void time(Wave& w, Instruction const& i) {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  w.set_pair(i[0].first, static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) / 10);
  note_scalars(w, i[0]);
}

// gfx11 ("Messages"): a kernel that ends gives its vector registers back early, and s_memrealtime is a message.
void message(Wave&, Instruction const& i) {
  constexpr u32 release_registers = 3;
  if ((i.raw[0] & 0xff) != release_registers)
    throw Stop("the message " + std::to_string(i.raw[0] & 0xff) + " to the host is unknown");
}
void message_with_answer(Wave& w, Instruction const& i) {
  constexpr u32 get_time = 0x83;
  if ((i.raw[0] & 0xff) != get_time || i[0].words != 2)
    throw Stop("the message " + std::to_string(i.raw[0] & 0xff) + " that asks for an answer is unknown");
  time(w, i);
}

}  // namespace

void require_defined(Wave&, bool defined, char const* use) {
  if (!defined)
    throw Stop(std::string("undefined: ") + use +
               " depends on a register or on memory that nothing has been written to");
}

void require_exec_defined(Wave& w) {
  require_defined(w, w.undefined_mask_at(exec_register) == 0, "the exec mask, as after an if or a loop,");
}

void add_scalar_control(Table& t) {
  t.add("s_branch", &branch);
  t.add("s_cbranch_scc0", &branch_if<Condition::scc0>);
  t.add("s_cbranch_scc1", &branch_if<Condition::scc1>);
  t.add("s_cbranch_vccz", &branch_if<Condition::vccz>);
  t.add("s_cbranch_vccnz", &branch_if<Condition::vccnz>);
  t.add("s_cbranch_execz", &branch_if<Condition::execz>);
  t.add("s_cbranch_execnz", &branch_if<Condition::execnz>);
  t.add("s_getpc_b64", &getpc);
  t.add("s_setpc_b64", &setpc);
  t.add("s_swappc_b64", &swappc);
  t.add("s_call_b64", &call);
  t.add("s_endpgm", &end);
  t.add("s_barrier", &barrier);
  t.add("s_waitcnt", &waitcnt);
  t.add("s_waitcnt_vmcnt", &wait_for_vector_memory);
  t.add("s_waitcnt_lgkmcnt", &wait_for_lgkm);
  t.add("s_round_mode", &set_rounding);
  t.add("s_denorm_mode", &set_subnormals);
  t.add("s_sleep", &sleep);
  t.add("s_trap", &trap);
  for (char const* name : {"s_nop",
                           "s_setprio",
                           "s_dcache_inv",
                           "s_dcache_wb",
                           "s_icache_inv",
                           "buffer_wbinvl1",
                           "buffer_wbinvl1_vol",
                           "buffer_invl2",
                           "buffer_wbl2",
                           "buffer_inv",
                           "v_nop",
                           "s_clause",
                           "s_inst_prefetch",
                           "s_waitcnt_vscnt",
                           "s_waitcnt_expcnt",
                           "s_waitcnt_depctr",
                           "s_gl1_inv",
                           "buffer_gl0_inv",
                           "buffer_gl1_inv",
                           "s_delay_alu",
                           "s_set_inst_prefetch_distance"})
    t.add(name, &nothing);
  t.add("s_sendmsg", &message);
  t.add("s_sendmsg_rtn_b32", &message_with_answer);
  t.add("s_sendmsg_rtn_b64", &message_with_answer);
  t.add("s_getreg_b32", &getreg);
  t.add("s_setreg_b32", &setreg);
  t.add("s_setreg_imm32_b32", &setreg_constant);
}

void add_scalar_memory(Table& t) {
  t.add("s_load_dword", &load<1>);
  t.add("s_load_dwordx2", &load<2>);
  t.add("s_load_dwordx4", &load<4>);
  t.add("s_load_dwordx8", &load<8>);
  t.add("s_load_dwordx16", &load<16>);
  t.add("s_memtime", &time);
  t.add("s_memrealtime", &time);
}

}  // namespace hip_model::isa
