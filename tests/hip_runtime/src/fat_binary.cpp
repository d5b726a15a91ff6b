// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of programs that HIP's compiler generates: registration before main(), and the call behind
// `kernel<<<...>>>(...)`. Signatures: clang, CGCUDANV.cpp; the same as in clr, hipamd/src/hip_platform.cpp.
#include "code_object.hpp"
#include "kernels.hpp"

#ifdef HIP_MODEL_ISA
#include "../isa/execute.hpp"
#else
namespace hip_model::isa {
class Program;
}
#endif

#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

using namespace hip_model;

namespace {

struct Wrapper {
  unsigned magic, version;
  void const* binary;
  void* unused;
};
constexpr unsigned wrapper_magic = 0x48495046;  // "HIPF"

struct Module {
  std::map<std::string, CompiledKernel> kernels;
  std::shared_ptr<isa::Program> program;  // null where kernels are only recorded
  std::vector<void const*> entries;
};
Module& module_of(void** handle) { return *reinterpret_cast<Module*>(handle); }

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  hipStream_t stream;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

#ifdef HIP_MODEL_ISA
void load_interpreter(Module& module, const void* binary) {
  if (!isa::is_enabled()) return;
  module.program = isa::load_program(binary);
  if (module.program) module.kernels = kernels_of_code_object(module.program->elf());
}
void interpret(Module const& module, CompiledKernel const& kernel, KernelInfo* out) {
  if (!module.program) return;
  out->interpret = [program = module.program, kernel, name = out->name](KernelCall const& call) {
    return isa::execute(*program, name, kernel, call);
  };
}
void find_in_image(Module const& module, SymbolInfo* out) {
  if (!module.program) return;
  out->place = [program = module.program, name = out->name](int device) {
    return isa::variable(*program, name, device);
  };
}
// Kernels find a managed variable through a pointer in the code object.
void set_pointer_in_image(Module const& module, char const* name, char* managed) {
  if (!module.program) return;
  for (int device = 0; device < int(State::get().devices.size()); ++device)
    if (char* const place = isa::variable(*module.program, name, device)) std::memcpy(place, &managed, sizeof managed);
}
#else
void load_interpreter(Module&, const void*) {}
void interpret(Module const&, CompiledKernel const&, KernelInfo*) {}
void find_in_image(Module const&, SymbolInfo*) {}
void set_pointer_in_image(Module const&, char const*, char*) {}
#endif

}  // namespace

extern "C" {

void** __hipRegisterFatBinary(void const* data) {
  Wrapper const& wrapper = *static_cast<Wrapper const*>(data);
  auto* module           = new Module;
  if (wrapper.magic == wrapper_magic && wrapper.version == 1) {
    module->kernels = kernels_of(wrapper.binary);
    load_interpreter(*module, wrapper.binary);
  } else {
    std::fprintf(
        stderr,
        "HIP model (a test instrument, not a GPU): a fat binary has magic %#x and version %u, which are unknown.\n",
        wrapper.magic, wrapper.version);
  }
  return reinterpret_cast<void**>(module);
}

void __hipRegisterFunction(void** handle, void const* entry, char*, char const* name, unsigned, uint3*, uint3*, dim3*,
                           dim3*, int*) {
  Module& module = module_of(handle);
  KernelInfo info;
  info.name = name;
  if (auto known = module.kernels.find(name); known != module.kernels.end()) {
    info.offsets       = known->second.offsets;
    info.sizes         = known->second.sizes;
    info.static_shared = known->second.static_shared;
    info.max_threads   = known->second.max_threads;
    info.layout_known  = true;
    interpret(module, known->second, &info);
  }
  module.entries.push_back(entry);
  Kernels::get().add(entry, std::move(info));
}

void __hipRegisterVar(void** handle, void* variable, char* name, char*, int, size_t bytes, int, int) {
  SymbolInfo info{.name = name, .bytes = bytes, .storage = {}, .place = {}};
  find_in_image(module_of(handle), &info);
  Kernels::get().add_symbol(variable, std::move(info));
}
void __hipRegisterManagedVar(void* handle, void** pointer, void* initial, char const* name, size_t bytes, unsigned) {
  Lock lock       = Scheduler::get().lock();
  AllocationPtr a = MemoryTable::get().allocate(MemoryKind::managed, 0, bytes, hipMemAttachGlobal);
  if (!a) return;
  a->internal = true;
  *pointer    = a->base;
  std::memcpy(a->base, initial, bytes);
  SymbolInfo info{.name = name, .bytes = bytes, .storage = {}, .place = [a](int) { return a->base; }};
  Kernels::get().add_symbol(pointer, std::move(info));
  set_pointer_in_image(module_of(static_cast<void**>(handle)), name, a->base);
}
void __hipRegisterSurface(void**, void*, char*, char*, int, int) {}
void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {}

void __hipUnregisterFatBinary(void** handle) {
  Module* module = &module_of(handle);
  for (void const* entry : module->entries) Kernels::get().forget(entry);
  delete module;
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream) {
  if (configurations().empty()) return hipErrorMissingConfiguration;
  Configuration const last = configurations().back();
  configurations().pop_back();
  *grid   = last.grid;
  *block  = last.block;
  *shared = last.shared;
  *stream = last.stream;
  return hipSuccess;
}
}
