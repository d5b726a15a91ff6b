// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_PROCESSOR_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_PROCESSOR_HPP

#include <string>
#include <string_view>

namespace hip_model::isa {

/// The differences between the interpreted processors ("Processors", "Kernel Descriptor" and "Initial Kernel Execution
/// State" in LLVM's User Guide for AMDGPU Backend). Each instruction has one meaning on all of them.
struct Processor {
  char const* name;
  unsigned wavefront;            ///< lanes
  unsigned register_granule;     ///< vector registers are allocated in multiples of this
  bool has_accumulation;         ///< a0, a1, ... share the vector registers' memory
  bool packs_thread_numbers;     ///< v0 has the thread's x, y and z, of 10 bits each
  bool requires_even_registers;  ///< for values of several vector registers
  bool has_private_segment;      ///< hardware adds the base of private memory: no buffer or offset in scalar registers
  bool is_rdna;                  ///< vmcnt counts loads alone, flat accesses return in order, and results of 16 bits
                                 ///< keep the register's upper half
  bool is_gfx11;                 ///< names, the counters of s_waitcnt, and pairs of vector instructions
  // For counts.
  unsigned line_bytes;          ///< of the second cache
  unsigned simd_registers;      ///< vector registers of a SIMD, for each lane
  unsigned allocation_granule;  ///< of those
  unsigned simd_wavefronts;     ///< most
  unsigned simds;               ///< of a compute unit
};

inline constexpr Processor processors[] = {
    {"gfx906", 64, 4, false, false, false, false, false, false, 64, 256, 4, 10, 4},
    {"gfx90a", 64, 8, true, true, true, false, false, false, 128, 512, 8, 8, 4},
    {"gfx940", 64, 8, true, true, true, true, false, false, 128, 512, 8, 8, 4},
    {"gfx942", 64, 8, true, true, true, true, false, false, 128, 512, 8, 8, 4},
    {"gfx1030", 32, 8, false, false, false, false, true, false, 128, 1024, 16, 16, 2},
    {"gfx1100", 32, 8, false, true, false, true, true, true, 128, 1536, 24, 16, 2}};

/// The processor with this name, which features may follow ("gfx90a:xnack-"). Null if the interpreter does not support
/// it.
inline Processor const* find_processor(std::string_view name) {
  for (Processor const& p : processors)
    if (name.substr(0, name.find(':')) == p.name) return &p;
  return nullptr;
}

}  // namespace hip_model::isa

#endif
