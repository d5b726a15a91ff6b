// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of programs that HIP's compiler generates: registration before main(), and the call behind
// `kernel<<<...>>>(...)`. Signatures: clang, CGCUDANV.cpp; the same as in clr, hipamd/src/hip_platform.cpp.
#include "code_object.hpp"
#include "kernels.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

using namespace hip_model;

namespace {

struct Wrapper {
  unsigned magic, version;
  const void* binary;
  void* unused;
};
constexpr unsigned wrapper_magic = 0x48495046;  // "HIPF"

struct Module {
  std::map<std::string, CompiledKernel> kernels;
  std::vector<const void*> entries;
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

}  // namespace

extern "C" {

void** __hipRegisterFatBinary(const void* data) {
  const Wrapper& wrapper = *static_cast<const Wrapper*>(data);
  auto* module           = new Module;
  if (wrapper.magic == wrapper_magic && wrapper.version == 1)
    module->kernels = kernels_of(wrapper.binary);
  else
    std::fprintf(
        stderr,
        "HIP model (a test instrument, not a GPU): a fat binary has magic %#x and version %u, which are unknown.\n",
        wrapper.magic, wrapper.version);
  return reinterpret_cast<void**>(module);
}

void __hipRegisterFunction(void** handle, const void* entry, char*, const char* name, unsigned, uint3*, uint3*, dim3*,
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
  }
  module.entries.push_back(entry);
  Kernels::get().add(entry, std::move(info));
}

void __hipRegisterVar(void**, void* variable, char* name, char*, int, size_t bytes, int, int) {
  Kernels::get().add_symbol(variable, name, bytes);
}
void __hipRegisterManagedVar(void*, void** pointer, void* initial, const char* name, size_t bytes, unsigned) {
  Lock lock       = Scheduler::get().lock();
  AllocationPtr a = MemoryTable::get().allocate(MemoryKind::managed, 0, bytes, hipMemAttachGlobal);
  if (!a) return;
  a->internal = true;
  *pointer    = a->base;
  std::memcpy(a->base, initial, bytes);
  Kernels::get().add_symbol(pointer, name, bytes);
}
void __hipRegisterSurface(void**, void*, char*, char*, int, int) {}
void __hipRegisterTexture(void**, void*, char*, char*, int, int, int) {}

void __hipUnregisterFatBinary(void** handle) {
  Module* module = &module_of(handle);
  for (const void* entry : module->entries) Kernels::get().forget(entry);
  delete module;
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream) {
  if (configurations().empty()) return hipErrorMissingConfiguration;
  const Configuration last = configurations().back();
  configurations().pop_back();
  *grid   = last.grid;
  *block  = last.block;
  *shared = last.shared;
  *stream = last.stream;
  return hipSuccess;
}
}
