// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures: llvm-c/Disassembler.h, llvm-c/Target.h. They are the same in all versions of LLVM that are tried.
#include "disassembler.hpp"
#include "instruction.hpp"

#include <dlfcn.h>

#include <cstring>
#include <initializer_list>
#include <vector>

namespace hip_model::isa {

namespace {

struct Library {
  void* (*create)(char const* triple, char const* processor, void*, int, void*, void*)               = nullptr;
  std::size_t (*instruction)(void*, std::uint8_t*, std::uint64_t, std::uint64_t, char*, std::size_t) = nullptr;
  void (*dispose)(void*)                                                                             = nullptr;
  bool knows_gfx942                                                                                  = true;

  static Library const& get() {
    static Library const library;
    return library;
  }

 private:
  Library() {
    void* handle = nullptr;
    // The newest one first, since it knows the most processors.
    for (char const* name :
         {"libLLVM.so.22.1", "libLLVM.so.21.1", "libLLVM.so.20.1", "libLLVM.so.19.1", "libLLVM.so.18.1",
          "libLLVM-17.so.1", "libLLVM-16.so.1", "libLLVM-15.so.1", "libLLVM-15.so"})
      if (!handle) {
        handle       = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        knows_gfx942 = !std::strstr(name, "-15") && !std::strstr(name, "-16");
      }
    if (!handle) throw Stop("no libLLVM was found, which decodes instructions (Debian: libllvm15)");
    for (char const* name :
         {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC", "LLVMInitializeAMDGPUDisassembler"})
      find<void()>(handle, name)();
    create      = find<void*(char const*, char const*, void*, int, void*, void*)>(handle, "LLVMCreateDisasmCPU");
    instruction = find<std::size_t(void*, std::uint8_t*, std::uint64_t, std::uint64_t, char*, std::size_t)>(
        handle, "LLVMDisasmInstruction");
    dispose = find<void(void*)>(handle, "LLVMDisasmDispose");
  }
  template <class F>
  static F* find(void* handle, char const* name) {
    void* p = ::dlsym(handle, name);
    if (!p) throw Stop(std::string("libLLVM has no ") + name + ": it was built without AMDGPU");
    return reinterpret_cast<F*>(p);
  }
};

}  // namespace

// gfx942 has the instructions of gfx940, of which only the oldest and newest versions of LLVM know one name.
Disassembler::Disassembler(std::string const& processor) {
  Library const& library = Library::get();
  bool const is_gfx94    = processor.rfind("gfx94", 0) == 0;
  std::string const name = !is_gfx94 ? processor : library.knows_gfx942 ? "gfx942" : "gfx940";
  m_context              = library.create("amdgcn-amd-amdhsa", name.c_str(), nullptr, 0, nullptr, nullptr);
  if (!m_context) throw Stop("libLLVM does not know the processor " + processor);
}
Disassembler::~Disassembler() { Library::get().dispose(m_context); }

std::size_t Disassembler::text(unsigned char const* code, std::size_t bytes, std::uint64_t address,
                               std::string* out) const {
  char buffer[256];
  auto const decode = [&](unsigned char* from) {
    return Library::get().instruction(m_context, from, bytes, address, buffer, sizeof buffer);
  };
  std::size_t length = decode(const_cast<unsigned char*>(code));
  // A v_cmpx of gfx10 always writes the exec mask. Older assemblers leave that operand 0 in the long encoding, and newer
  // disassemblers require it.
  constexpr unsigned char of_comparisons = 0xd4;
  if (length == 0 && bytes >= 8 && code[3] == of_comparisons && code[0] == 0) {
    std::vector<unsigned char> with_exec(code, code + 8);
    with_exec[0] = exec_register;
    bytes        = with_exec.size();
    length       = decode(with_exec.data());
  }
  *out = length ? buffer : "";
  if (out->find("invalid") != std::string::npos) return 0;
  // Newer versions of LLVM add comments on operands that the instruction must not have.
  for (auto begin = out->find("/*"); begin != std::string::npos; begin = out->find("/*"))
    out->erase(begin, out->find("*/", begin) + 2 - begin);
  if (auto const begin = out->find_first_not_of(" \t"); begin != std::string::npos) out->erase(0, begin);
  return length;
}

}  // namespace hip_model::isa
