// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_INSTRUCTION_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_INSTRUCTION_HPP

/// \file An instruction as the interpreter executes it: decoded once, with a pointer to the function that executes it.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hip_model::isa {

using u8  = std::uint8_t;
using i8  = std::int8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

struct Wave;
struct Instruction;
/// Executes an instruction for a wavefront. Called once for all lanes.
using Handler = void (*)(Wave&, Instruction const&);

/// The reason why a kernel cannot continue, as a sentence without its full stop.
struct Stop : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Number of lanes of a register in this interpreter. A wavefront of 32 uses the lower half; the lanes of the upper
/// half are never active.
constexpr unsigned lanes = 64;
/// a0 is vector register 256 here.
constexpr unsigned accumulation_register = 256;

/// Numbers of scalar registers, as the encodings of gfx9 have them.
enum : unsigned {
  flat_scratch_register = 102,
  vcc_register          = 106,
  m0_register           = 124,
  exec_register         = 126,
  null_register         = 128,  ///< takes results that nothing reads: "null" of gfx10
  scalar_registers      = 132
};

struct Operand {
  enum class Kind : std::uint8_t { none, vector, scalar, constant, scc, vccz, execz, off };
  Kind kind            = Kind::none;
  std::uint8_t words   = 1;  ///< registers
  std::uint16_t first  = 0;  ///< register
  bool negate          = false;
  bool absolute        = false;
  bool sign_extend     = false;  ///< of the part that SDWA selects
  bool is_literal      = false;  ///< 32 bits that follow the instruction, which are the upper ones of a double
  bool is_real         = false;  ///< an inline constant such as 0.5, whose bits depend on the operand's type
  std::uint8_t part    = 6;      ///< that SDWA selects: bytes 0 to 3, halves 4 and 5, all 6
  std::int64_t integer = 0;
  double real          = 0;

  bool is_vector() const { return kind == Kind::vector; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_plain() const { return !negate && !absolute && part == 6; }
};

/// Whether an instruction adds an index to its vector registers while the index mode is on.
enum class Indexing : std::uint8_t { ignored, applied, unknown };

struct Instruction {
  /// For counts.
  enum class Kind : std::uint8_t {
    vector,
    scalar,
    branch,
    wait,
    scalar_load,
    load,
    store,
    atomic,
    shared,
    scratch,
    other
  };
  static constexpr unsigned max_operands = 6;
  Handler run                            = nullptr;
  Handler run_first                      = nullptr;  ///< of a pair of gfx11, for which `run` executes both
  Instruction const* second              = nullptr;  ///< the other half of such a pair
  std::uint32_t bytes                    = 0;
  std::uint8_t count                     = 0;  ///< of operands
  std::uint8_t first_source              = 1;  ///< 2 where a second result, a lane mask, comes before
  Operand operands[max_operands];

  // Modifiers. A modifier that an instruction does not have stops the kernel when it is decoded.
  bool clamp = false, glc = false, offset_enabled = false, index_enabled = false;
  bool dpp = false, sdwa = false, bound_control = false;
  std::int8_t output_scale = 0;                  ///< result times two to this power (omod)
  std::uint8_t op_sel = 0, op_sel_hi = 0xf;      ///< by operand; packed instructions
  std::uint8_t negate_low = 0, negate_high = 0;  ///< by operand; packed instructions
  std::uint16_t dpp_control = 0;
  bool is_dpp8              = false;
  std::uint32_t dpp_lanes   = 0;                   ///< DPP8: the source of each of 8 lanes, 3 bits each
  bool fetches_inactive     = false;               ///< DPP: the source may be an inactive lane
  bool keeps_upper_half     = false;               ///< of the register that gets a result of 16 bits
  bool writes_upper_half    = false;               ///< op_sel's last bit: the result is the upper half
  std::uint8_t row_mask = 0xf, bank_mask = 0xf;    ///< DPP
  std::uint8_t result_part = 6, unused_parts = 0;  ///< SDWA: dst_sel, dst_unused
  std::int32_t offset = 0, offset0 = 0, offset1 = 0;
  std::uint32_t raw[3]      = {};
  bool is_vector            = false;  ///< executed by the active lanes
  bool is_load              = false;
  Kind kind                 = Kind::other;
  std::uint8_t access_bytes = 0;  ///< of a lane
  Indexing indexing         = Indexing::ignored;
  std::uint64_t at          = 0;  ///< offset in the code object
  std::string text;               ///< as the disassembler writes it, for messages

  Operand const& operator[](unsigned i) const { return operands[i]; }
};

/// Splits "v_add_f32_e64 v0, |v1|, s2 clamp" into the mnemonic without its encoding, operands and modifiers. Throws
/// Stop for an unknown part.
std::string parse(std::string const& text, Instruction*);

}  // namespace hip_model::isa

#endif
