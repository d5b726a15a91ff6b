// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_COUNTS_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_COUNTS_HPP

/// \file
/// Counts of what each kernel does, as a table at the end of the process (HIP_MODEL_ISA_COUNTS names its file). They are
/// counted, not timed: the same program always has the same counts.

#include "instruction.hpp"
#include "memory.hpp"
#include "processor.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace hip_model::isa {

/// Registers, memory and threads of a launch.
struct Resources {
  unsigned vector_registers, scalar_registers, shared_bytes, private_bytes, threads;
};
/// The wavefronts that a compute unit can hold at the same time: limited by the registers of its SIMDs, by LDS, and by
/// whole workgroups. The rule is that of LLVM (AMDGPUBaseInfo.cpp, IsaInfo) for compute units with 64 KiB of LDS.
unsigned wavefronts_of_unit(Processor const&, Resources const&);

class KernelCounts {
 public:
  explicit KernelCounts(Processor const& processor) : m_processor(&processor) {}
  void add(Instruction const& i) { ++m_instructions[static_cast<unsigned>(i.kind)]; }
  /// The addresses of the active lanes of one instruction.
  void add_access(Instruction const&, Addressing, std::uint64_t const* addresses, std::uint64_t active);
  void add_launch(Resources const&, std::uint64_t workgroups, std::uint64_t wavefronts);
  void add(KernelCounts const& other);
  static std::string heading();
  std::string row() const;

 private:
  static constexpr unsigned kinds = static_cast<unsigned>(Instruction::Kind::other) + 1;
  std::uint64_t of(Instruction::Kind kind) const { return m_instructions[static_cast<unsigned>(kind)]; }
  unsigned lines(std::uint64_t const* addresses, std::uint64_t active, unsigned bytes) const;

  Processor const* m_processor;
  std::array<std::uint64_t, kinds> m_instructions{};
  std::uint64_t m_launches = 0, m_workgroups = 0, m_wavefronts = 0;
  std::uint64_t m_load_lines = 0, m_store_lines = 0, m_atomic_lines = 0, m_conflicts = 0;
  Resources m_resources{};  // of the last launch
};

/// Whether kernels are counted.
bool counts_kernels();
/// Adds the counts of one launch to those of its kernel.
void add_counts(std::string const& kernel, KernelCounts const&);

/// The kind of an instruction, and the bytes that each lane accesses in memory.
Instruction::Kind kind_of(std::string const& mnemonic);
std::uint8_t access_bytes(std::string const& mnemonic);

}  // namespace hip_model::isa

#endif
