// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_STATISTICS_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_STATISTICS_HPP

/// \file Counts of executed instructions. At its end each process appends a line to the file HIP_MODEL_ISA_STATISTICS.

#include <cstdint>
#include <string>

namespace hip_model::isa {

struct Counts {
  std::uint64_t kernels = 0, workgroups = 0, instructions = 0;
  std::uint64_t lane_instructions = 0;  ///< of active lanes; scalar instructions count once
};
void add_counts(Counts const&);
/// Counts a decoded instruction.
void add_mnemonic(std::string const&);

/// Adds the processor time that its thread spends in its scope to the time spent in kernels.
class Timer {
 public:
  Timer();
  ~Timer();
  Timer(Timer const&) = delete;

 private:
  double m_begin;
};

}  // namespace hip_model::isa

#endif
