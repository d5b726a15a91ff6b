// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches: checks, the copy of the arguments, and the functions hipLaunchKernel and its relatives.
#include "kernels.hpp"
#include "reports.hpp"

#include <cstdio>
#include <cstring>

namespace hip_model {

Kernels& Kernels::get() {
  static Kernels* kernels = new Kernels;
  return *kernels;
}
void Kernels::add(void const* entry, KernelInfo info) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_kernels.insert({entry, std::move(info)});
}
void Kernels::add_symbol(void const* variable, SymbolInfo info) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_symbols.insert({variable, std::move(info)});
}
/// A variable of the model's own kernels, which is its own storage.
void Kernels::add_own_symbol(void const* variable, std::string name, std::size_t bytes) {
  char* const storage = static_cast<char*>(const_cast<void*>(variable));
  add_symbol(variable, {std::move(name), bytes, {}, [storage](int) { return storage; }});
}
void Kernels::forget(void const* entry) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_kernels.erase(entry);
}
// Nodes of an unordered_map do not move.
KernelInfo const* Kernels::find(void const* entry) {
  std::lock_guard<std::mutex> lock(m_mutex);
  auto it = m_kernels.find(entry);
  return it == m_kernels.end() ? nullptr : &it->second;
}
SymbolInfo* Kernels::find_symbol(void const* variable) {
  std::lock_guard<std::mutex> lock(m_mutex);
  auto it = m_symbols.find(variable);
  return it == m_symbols.end() ? nullptr : &it->second;
}
void Kernels::record(LaunchRecord record) {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_launches.push_back(std::move(record));
  if (m_launches.size() > 4096) m_launches.pop_front();
}
std::vector<LaunchRecord> Kernels::launches() {
  std::lock_guard<std::mutex> lock(m_mutex);
  return {m_launches.begin(), m_launches.end()};
}
void Kernels::reset_launches() {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_launches.clear();
}

void describe_variable(void const* address, std::size_t bytes, char const* name) {
  Kernels::get().add_own_symbol(address, name, bytes);
}
void describe_managed_variable(void* address, std::size_t bytes, char const* name) {
  Lock lock       = Scheduler::get().lock();
  AllocationPtr a = MemoryTable::get().adopt(MemoryKind::managed, address, bytes, hipMemAttachGlobal);
  a->internal     = true;
  Kernels::get().add_own_symbol(address, name, bytes);
}

void describe_kernel(void const* entry, std::initializer_list<std::size_t> sizes, Trampoline run, char const* name,
                     int wavefront) {
  if (Kernels::get().find(entry)) return;
  KernelInfo info;
  if (name) info.name = name;
  constexpr std::size_t alignment = 16;
  std::size_t end                 = 0;
  for (std::size_t size : sizes) {
    info.offsets.push_back(end);
    info.sizes.push_back(size);
    end = (end + size + alignment - 1) / alignment * alignment;
  }
  info.layout_known = true;
  info.run          = run;
  info.wavefront    = wavefront;
  Kernels::get().add(entry, std::move(info));
}

namespace {

std::string words(dim3 d) {
  std::string words = "(";  // appended separately: g++ 12 wrongly warns about overlaps in a + "..."
  for (unsigned const extent : {d.x, d.y, d.z})
    words.append(words.size() > 1 ? ", " : "").append(std::to_string(extent));
  return words.append(")");
}

std::uint64_t volume(dim3 d) { return std::uint64_t(d.x) * d.y * d.z; }

hipError_t check_shape(Call& call, KernelInfo const& kernel, dim3 grid, dim3 block, std::size_t shared) {
  auto wrong = [&](hipError_t error, std::string const& why) {
    return call.violation(error, "launch-configuration", why);
  };
  if (volume(grid) == 0 || volume(block) == 0)
    return wrong(hipErrorInvalidConfiguration,
                 "a grid of " + words(grid) + " blocks of " + words(block) + " threads is empty");
  if (volume(block) > static_cast<std::uint64_t>(kernel.max_threads) || block.x > 1024 || block.y > 1024 ||
      block.z > 1024)
    return wrong(hipErrorInvalidConfiguration,
                 "a block of " + words(block) + " threads is larger than " + std::to_string(kernel.max_threads));
  // HIP counts threads of each dimension in 32 bits.
  if (std::uint64_t(grid.x) * block.x > 0xffffffffu || std::uint64_t(grid.y) * block.y > 0xffffffffu ||
      std::uint64_t(grid.z) * block.z > 0xffffffffu || grid.x > 0x7fffffffu || grid.y > 65536 || grid.z > 65536)
    return wrong(hipErrorInvalidConfiguration,
                 "a grid of " + words(grid) + " blocks of " + words(block) + " threads has too many");
  if (shared + kernel.static_shared > shared_per_block)
    return wrong(hipErrorInvalidValue, std::to_string(shared) + " bytes of shared memory are more than the " +
                                           std::to_string(shared_per_block) + " that a block can have");
  if (kernel.run && kernel.wavefront && kernel.wavefront != wavefront_size())
    return wrong(hipErrorNoBinaryForGpu, "the kernel was compiled for wavefronts of " +
                                             std::to_string(kernel.wavefront) + ", the device has " +
                                             std::to_string(wavefront_size()));
  return hipSuccess;
}

void copy_arguments(KernelInfo const& kernel, void** arguments, KernelCall* out) {
  if (!kernel.layout_known || kernel.offsets.empty()) return;
  out->offsets = kernel.offsets;
  out->arguments.resize(kernel.offsets.back() + kernel.sizes.back());
  for (std::size_t i = 0; i < kernel.offsets.size(); ++i)
    std::memcpy(out->arguments.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
}

}  // namespace

hipError_t make_launch(Call& call, void const* entry, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                       std::uint64_t stream, Operation* out) {
  if (!entry) return hipErrorInvalidDeviceFunction;
  KernelInfo const* kernel = Kernels::get().find(entry);
  if (!kernel)
    return call.violation(hipErrorInvalidDeviceFunction, "unknown-kernel",
                          "the address was not registered as a kernel");
  if (auto error = check_shape(call, *kernel, grid, block, shared)) return error;
  if (kernel->layout_known && !kernel->offsets.empty() && !arguments) return hipErrorInvalidValue;
  auto k    = std::make_shared<KernelCall>();
  k->entry  = entry;
  k->grid   = grid;
  k->block  = block;
  k->shared = shared;
  k->stream = stream;
  k->device = this_thread().device;
  copy_arguments(*kernel, arguments, k.get());
  out->type   = hipGraphNodeTypeKernel;
  out->what   = "a kernel";
  out->engine = Engine::kernel;
  out->kernel = k;
  out->run    = [k] { perform_launch(*k); };
  return hipSuccess;
}

void perform_launch(KernelCall& k) {
  KernelInfo const* kernel = Kernels::get().find(k.entry);
  LaunchRecord record;
  char address[40];
  std::snprintf(address, sizeof address, "kernel at %p", k.entry);
  record.kernel = kernel && !kernel->name.empty() ? kernel->name : address;
  record.entry  = k.entry;
  for (int i = 0; i < 3; ++i) {
    record.grid[i]  = (&k.grid.x)[i];
    record.block[i] = (&k.block.x)[i];
  }
  record.shared    = k.shared;
  record.stream    = k.stream;
  record.arguments = k.arguments;
  record.ran       = kernel && (kernel->run || kernel->interpret);
  Kernels::get().record(record);
  if (!record.ran) return;
  std::string const wrong =
      kernel->interpret ? kernel->interpret(k)
                        : run_blocks(kernel->run, wavefront_size(), k.grid, k.block, k.pointers().data(), k.shared);
  if (wrong.empty()) return;
  // Adds the report before it sets the error, because another thread may query the error at once and then look for the
  // reason.
  Reports::get().add({"kernel-failed", record.kernel, hipErrorLaunchFailure, record.kernel + ": " + wrong});
  set_sticky_error(k.device, hipErrorLaunchFailure);
}

namespace {

hipError_t launch_in(char const* function, void const* entry, dim3 grid, dim3 block, void** arguments,
                     std::size_t shared, hipStream_t handle) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (stream->device != this_thread().device)
      return call.violation(hipErrorInvalidHandle, "stream-of-other-device",
                            stream->name() + " is of device " + std::to_string(stream->device) +
                                ", the current one is " + std::to_string(this_thread().device),
                            stream.get());
    Operation operation;
    if (auto error =
            make_launch(call, entry, grid, block, arguments, shared, stream->is_default ? 0 : stream->id, &operation))
      return error;
    return submit(call, lock, stream, std::move(operation));
  });
}

}  // namespace
}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipLaunchKernel(void const* entry, dim3 grid, dim3 block, void** arguments, size_t shared,
                           hipStream_t stream) {
  return launch_in("hipLaunchKernel", entry, grid, block, arguments, shared, stream);
}
hipError_t hipExtLaunchKernel(void const* entry, dim3 grid, dim3 block, void** arguments, size_t shared,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  if (start)
    if (auto error = hipEventRecord(start, stream)) return error;
  if (auto error = launch_in("hipExtLaunchKernel", entry, grid, block, arguments, shared, stream)) return error;
  return stop ? hipEventRecord(stop, stream) : hipSuccess;
}
hipError_t hipLaunchCooperativeKernel(void const* entry, dim3 grid, dim3 block, void** arguments, unsigned shared,
                                      hipStream_t stream) {
  return launch_in("hipLaunchCooperativeKernel", entry, grid, block, arguments, shared, stream);
}

// One launch for each device, none of them twice.
namespace {
hipError_t launch_all(char const* function, hipLaunchParams* all, int count, unsigned flags) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!all || count <= 0 || flags > 3) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (count > device_count()) return hipErrorInvalidValue;
    std::vector<std::pair<StreamPtr, Operation>> prepared(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      auto& [stream, operation] = prepared[static_cast<std::size_t>(i)];
      if (!all[i].stream) return hipErrorInvalidResourceHandle;
      if (auto error = find_stream(call, lock, all[i].stream, &stream)) return error;
      for (int other = 0; other < i; ++other)
        if (prepared[static_cast<std::size_t>(other)].first->device == stream->device) return hipErrorInvalidDevice;
      if (auto error = make_launch(call, all[i].func, all[i].gridDim, all[i].blockDim, all[i].args, all[i].sharedMem,
                                   stream->id, &operation))
        return error;
    }
    for (auto& [stream, operation] : prepared)
      if (auto error = submit(call, lock, stream, std::move(operation))) return error;
    return hipSuccess;
  });
}
}  // namespace

hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* all, int count, unsigned flags) {
  return launch_all("hipExtLaunchMultiKernelMultiDevice", all, count, flags);
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* all, int count, unsigned flags) {
  return launch_all("hipLaunchCooperativeKernelMultiDevice", all, count, flags);
}
}
