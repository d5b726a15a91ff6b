// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_REGISTER_INDEX_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_REGISTER_INDEX_HPP

/// \file
/// The index mode: while it is on, an index in M0 is added to the numbers of vector registers.

#include "wave.hpp"

#include <string>

namespace hip_model::isa {

constexpr std::uint32_t index_enabled = 1u << 27;  ///< in MODE

/// Whether the index mode applies to a decoded instruction.
Indexing indexing_of(std::string const& mnemonic, Instruction const&);

/// The instruction with the index added to the operands that M0 selects.
Instruction with_index(Wave&, Instruction const& decoded);

}  // namespace hip_model::isa

#endif
