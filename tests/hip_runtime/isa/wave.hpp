// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_WAVE_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_WAVE_HPP

/// \file
/// The state of a wavefront and of its workgroup.
///
/// Each register has a shadow that records which of its bits (scalar) or lanes (vector) contain a value that the
/// program wrote. Copies and arithmetic pass this on; a branch, an address or the exec mask that depends on an
/// undefined value stops the kernel.

#include "instruction.hpp"
#include "races.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

namespace hip_model::isa {

class KernelCounts;
class LiveMemory;
class Program;
struct Workgroup;

using LaneMask                             = std::uint64_t;
constexpr LaneMask all_lanes               = ~LaneMask(0);
constexpr std::uint64_t aperture_of_shared = 1, aperture_of_private = 2;  ///< bits 48 and up of flat addresses

/// Results that an instruction has requested and for which s_waitcnt has not yet waited.
struct Outstanding {
  std::uint16_t first = 0, words = 0;  ///< registers; none for a store
  bool is_vector = true;
  bool in_order  = true;  ///< with others of its counter
  bool in_memory = true;  ///< false for instructions that exchange values between lanes
};

struct Wave {
  enum class State : std::uint8_t { running, at_barrier, ended };

  std::uint64_t pc = 0;
  State state      = State::running;
  bool scc = false, scc_defined = false, yields = false;
  unsigned number                                   = 0;        ///< in its workgroup
  unsigned width                                    = lanes;    ///< its lanes: 64, or 32
  bool is_rdna                                      = false;    ///< as of its processor
  unsigned vector_registers                         = 0;        ///< number that the kernel has allocated
  std::uint32_t* vector                             = nullptr;  ///< register after register, `lanes` values each
  LaneMask* vector_defined                          = nullptr;
  alignas(8) std::uint32_t scalar[scalar_registers] = {};
  alignas(8) std::uint32_t scalar_undefined[scalar_registers] = {};  ///< bits
  std::uint32_t mode                                          = 0;   ///< rounding, denormals, index mode
  Workgroup* group                                            = nullptr;
  Instruction const* running                                  = nullptr;
  std::uint64_t polled                                        = 0;  ///< the address last read in cached memory
  unsigned polls                                              = 0;  ///< how often, one read after the other
  char* scratch               = nullptr;  ///< private memory of all lanes, interleaved by 4 bytes
  std::uint32_t scratch_bytes = 0;        ///< of one lane
  LaneMask* scratch_defined   = nullptr;  ///< by dword of a lane's private memory
  /// Partly undefined values in lanes of vector registers, by register and lane. Compilers store scalar registers
  /// there, for example lane masks, but the shadow of a vector register has one bit for a whole lane.
  struct Spilled {
    std::uint32_t value, undefined;
  };
  std::unordered_map<unsigned, Spilled> spilled;
  KernelCounts* counts = nullptr;                ///< null where kernels are not counted
  std::vector<Outstanding> vector_memory, lgkm;  ///< what vmcnt and lgkmcnt count, oldest first

  LaneMask exec() const { return mask_at(exec_register); }
  /// A bit for each lane: two scalar registers, or one in a wavefront of 32.
  LaneMask mask_at(unsigned r) const { return width == 32 ? scalar[r] : pair_at(r); }
  LaneMask undefined_mask_at(unsigned r) const { return width == 32 ? scalar_undefined[r] : undefined_pair_at(r); }
  void set_mask(unsigned r, LaneMask m, LaneMask undefined = 0) {
    if (width == 32) {
      scalar[r]           = static_cast<std::uint32_t>(m);
      scalar_undefined[r] = static_cast<std::uint32_t>(undefined);
    } else {
      set_pair(r, m, undefined);
    }
  }
  /// 64 bits in two scalar registers.
  std::uint64_t pair_at(unsigned r) const {
    std::uint64_t bits;
    std::memcpy(&bits, scalar + r, sizeof bits);
    return bits;
  }
  std::uint64_t undefined_pair_at(unsigned r) const {
    std::uint64_t bits;
    std::memcpy(&bits, scalar_undefined + r, sizeof bits);
    return bits;
  }
  void set_pair(unsigned r, std::uint64_t bits, std::uint64_t undefined = 0) {
    std::memcpy(scalar + r, &bits, sizeof bits);
    std::memcpy(scalar_undefined + r, &undefined, sizeof undefined);
  }
  std::uint32_t* lanes_of(unsigned r) { return vector + std::size_t(r) * lanes; }
};

/// Each of the workgroups that run at the same time has its memory, its wavefronts and a slot.
struct Workgroup {
  unsigned index[3]          = {};
  std::uint32_t shared_bytes = 0;
  std::vector<char> shared;                   ///< LDS
  std::vector<unsigned char> shared_defined;  ///< by byte
  std::vector<Wave> waves;
  Races races;
  LiveMemory* memory = nullptr;
  Program* program   = nullptr;
  char const* kernel = "";
};

/// Stops the kernel if the value of a scalar operand, or of an implied register, is undefined.
void require_defined(Wave&, bool defined, char const* use);
void require_exec_defined(Wave&);

}  // namespace hip_model::isa

#endif
