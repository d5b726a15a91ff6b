// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_DISASSEMBLER_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_DISASSEMBLER_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace hip_model::isa {

/// LLVM's disassembler, by its C interface. The library is loaded when the first kernel is decoded, so that programs
/// whose kernels do not run need none.
class Disassembler {
 public:
  explicit Disassembler(std::string const& processor);
  ~Disassembler();
  Disassembler(Disassembler const&) = delete;
  /// The text of the instruction at `code`. \returns its bytes; 0 if there is no such instruction
  std::size_t text(unsigned char const* code, std::size_t bytes, std::uint64_t address, std::string* out) const;

 private:
  void* m_context = nullptr;
};

}  // namespace hip_model::isa

#endif
