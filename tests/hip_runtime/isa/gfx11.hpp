// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_GFX11_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_GFX11_HPP

/// \file Instructions that gfx11 spells or encodes differently, and its pairs ("RDNA3" ISA document, AMD, 2023).

#include "instruction.hpp"

#include <string>

namespace hip_model::isa {

/// The name that gfx10 has for an instruction which gfx11 renamed, and any other name as it is.
std::string name_before_gfx11(std::string const& name);

/// Gives s_waitcnt the counters where gfx9 and gfx10 have them.
void rearrange_waitcnt(Instruction*);

/// "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, v4, v5" (7.6 Dual Issue VALU): the text of the two, without "dual_".
/// Returns false for any other text.
bool split_pair(std::string const& text, std::string* first, std::string* second);
/// Executes an instruction and its `second`. Both read their operands before either writes its result.
void run_pair(Wave&, Instruction const&);

}  // namespace hip_model::isa

#endif
