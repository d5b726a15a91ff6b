// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ISA_PROGRAM_HPP
#define KOKKOS_TEST_HIP_MODEL_ISA_PROGRAM_HPP

/// \file
/// A code object: its image in the memory of each device, its kernels, and its decoded instructions.

#include "disassembler.hpp"
#include "instruction.hpp"
#include "processor.hpp"

#include "../src/code_object.hpp"
#include "../src/memory.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hip_model::isa {

/// "AMDGPU kernel descriptor": 64 bytes before the code of each kernel.
struct KernelDescriptor {
  std::uint32_t shared_bytes, private_bytes, argument_bytes;
  std::uint8_t reserved0[4];
  std::int64_t entry_offset;  ///< from the descriptor to the first instruction
  std::uint8_t reserved1[20];
  std::uint32_t resources3, resources1, resources2;
  std::uint16_t properties;
  std::uint8_t reserved2[6];
};
static_assert(sizeof(KernelDescriptor) == 64);

/// The code object in the memory of one device.
struct Image {
  AllocationPtr memory;
  std::uint64_t base() const { return reinterpret_cast<std::uintptr_t>(memory->base); }
};

class Program {
 public:
  /// `elf` must outlive this object. Throws Stop if it is not a code object that can be interpreted.
  Program(unsigned char const* elf, Processor const&);

  /// Loads the image at the first call. The caller holds the lock.
  Image const& image(int device);
  /// Offset and size of a variable or a function in the image; false if there is none.
  bool find(std::string const& symbol, std::uint64_t* offset, std::uint64_t* bytes) const;
  KernelDescriptor descriptor(std::string const& symbol, std::uint64_t* offset) const;
  unsigned char const* elf() const { return m_elf; }
  Processor const& processor() const { return m_processor; }

  /// The instruction at an offset in the image. Also decodes the following instructions, up to a jump.
  Instruction const& at(std::uint64_t offset) {
    std::uint64_t const index = (offset - m_text_begin) / 4;
    if (offset < m_text_begin || offset >= m_text_end) outside(offset);
    Instruction const* i = m_decoded[index].load(std::memory_order_acquire);
    return i ? *i : decode(offset);
  }
  /// Each instruction of the code object that stops a kernel, once by mnemonic or reason, with the number of its
  /// occurrences. Decodes all code.
  std::map<std::string, unsigned> unknown_instructions();
  /// The function that has the offset, for messages.
  std::string function_at(std::uint64_t offset) const;

 private:
  struct Symbol {
    std::uint64_t offset, bytes;
    bool is_function;
  };
  void read_segments();
  void read_symbols();
  void relocate(char* base) const;
  [[noreturn]] void outside(std::uint64_t offset) const;
  Instruction const& decode(std::uint64_t offset);
  /// Decodes the other half of a pair of gfx11.
  void add_second(Instruction* first, std::string const& text);

  unsigned char const* m_elf;
  Processor const& m_processor;
  std::uint64_t m_bytes = 0, m_text_begin = 0, m_text_end = 0;
  std::map<std::string, Symbol> m_symbols;
  std::map<int, Image> m_images;
  std::vector<unsigned char> m_initial;  // the image before relocation
  std::mutex m_decoding;
  std::unique_ptr<Disassembler> m_disassembler;
  std::deque<Instruction> m_instructions;
  std::unique_ptr<std::atomic<Instruction const*>[]> m_decoded;
};

}  // namespace hip_model::isa

#endif
