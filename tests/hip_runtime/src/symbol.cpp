// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of device code, and copies to and from them.
#include "copy.hpp"
#include "kernels.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

using namespace hip_model;

namespace {

// Kernels of the model access variables in place: a variable is itself device memory. It is recognised by its location
// in a writable segment of the program or of one of its libraries.
struct Segment {
  std::uintptr_t address;
  std::size_t bytes_left;  // up to the end of the segment
};
int look(dl_phdr_info* info, std::size_t, void* data) {
  Segment& wanted = *static_cast<Segment*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    auto const& h       = info->dlpi_phdr[i];
    auto const first    = info->dlpi_addr + h.p_vaddr;
    bool const writable = h.p_type == PT_LOAD && (h.p_flags & PF_W);
    if (writable && wanted.address >= first && wanted.address < first + h.p_memsz) {
      wanted.bytes_left = first + h.p_memsz - wanted.address;
      return 1;
    }
  }
  return 0;
}

hipError_t copy_symbol(char const* function, void const* symbol, void* other, std::size_t bytes, std::size_t offset,
                       hipMemcpyKind kind, bool to_symbol, hipStream_t stream_handle, HostWaits waits) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!other) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, stream_handle, &stream)) return error;
    CopyRegion range{};
    if (auto error = hip_model::symbol_box(call, symbol, other, bytes, offset, kind, to_symbol, &range)) return error;
    return copy(call, lock, range, hipMemcpyDefault, stream, waits);
  });
}

}  // namespace

namespace hip_model {

hipError_t find_symbol(Call& call, void const* symbol, void** address, std::size_t* bytes) {
  if (!symbol) return hipErrorInvalidSymbol;
  if (SymbolInfo* known = Kernels::get().find_symbol(symbol)) {
    *bytes = known->bytes;
    if (char* const place = known->place ? known->place(this_thread().device) : nullptr) {
      *address = place;
      return hipSuccess;
    }
    // One storage for each device, created at its first use.
    auto& storage = known->storage;
    storage.resize(State::get().devices.size());
    AllocationPtr& mine = storage[this_thread().device];
    if (!mine) {
      mine = MemoryTable::get().allocate(MemoryKind::device, this_thread().device, known->bytes, 0);
      if (!mine) return hipErrorOutOfMemory;
      mine->internal = true;
      mine->history.add(call, "allocated for a variable");
      std::fill(mine->base, mine->base + known->bytes, 0);
    }
    *address = mine->base;
    return hipSuccess;
  }
  // The size of a variable that the program exports is known; for others only the end of their segment is known.
  Dl_info info;
  ElfW(Sym)* entry = nullptr;
  if (!MemoryTable::get().find(symbol) && dladdr1(symbol, &info, reinterpret_cast<void**>(&entry), RTLD_DL_SYMENT) &&
      entry && info.dli_saddr == symbol && entry->st_size > 0) {
    *address = const_cast<void*>(symbol);
    *bytes   = entry->st_size;
    return hipSuccess;
  }
  Segment segment{reinterpret_cast<std::uintptr_t>(symbol), 0};
  if (MemoryTable::get().find(symbol) || !dl_iterate_phdr(look, &segment))
    return call.violation(hipErrorInvalidSymbol, "unknown-symbol", "the address is not one of a variable");
  *address = const_cast<void*>(symbol);
  *bytes   = segment.bytes_left;
  return hipSuccess;
}

hipError_t symbol_box(Call& call, void const* symbol, void* other, std::size_t bytes, std::size_t offset,
                      hipMemcpyKind kind, bool to_symbol, CopyRegion* out) {
  bool const allowed = kind == hipMemcpyDefault || kind == hipMemcpyDeviceToDevice ||
                       kind == (to_symbol ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost);
  if (!allowed) return hipErrorInvalidMemcpyDirection;
  if (other && Kernels::get().find_symbol(other))
    return hipErrorInvalidValue;  // a symbol is no address to copy from or to
  void* address    = nullptr;
  std::size_t size = 0;
  if (auto error = find_symbol(call, symbol, &address, &size)) return error;
  if (offset > size || bytes > size - offset)
    return call.violation(hipErrorInvalidValue, "out-of-bounds",
                          std::to_string(bytes) + " bytes from offset " + std::to_string(offset) +
                              " are more than the variable's " + std::to_string(size));
  void* inner = static_cast<char*>(address) + offset;
  *out        = to_symbol ? CopyRegion{inner, other, bytes} : CopyRegion{other, inner, bytes};
  return hipSuccess;
}

}  // namespace hip_model

extern "C" {

hipError_t hipGetSymbolAddress(void** out, void const* symbol) {
  return api("hipGetSymbolAddress", [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    Lock lock         = Scheduler::get().lock();
    std::size_t bytes = 0;
    return find_symbol(call, symbol, out, &bytes);
  });
}
hipError_t hipGetSymbolSize(size_t* out, void const* symbol) {
  return api("hipGetSymbolSize", [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    void* address;
    return find_symbol(call, symbol, &address, out);
  });
}
hipError_t hipMemcpyToSymbol(void const* symbol, void const* src, size_t n, size_t offset, hipMemcpyKind kind) {
  return copy_symbol("hipMemcpyToSymbol", symbol, const_cast<void*>(src), n, offset, kind, true, nullptr,
                     HostWaits::yes);
}
hipError_t hipMemcpyFromSymbol(void* dst, void const* symbol, size_t n, size_t offset, hipMemcpyKind kind) {
  return copy_symbol("hipMemcpyFromSymbol", symbol, dst, n, offset, kind, false, nullptr, HostWaits::yes);
}
hipError_t hipMemcpyToSymbolAsync(void const* symbol, void const* src, size_t n, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
  return copy_symbol("hipMemcpyToSymbolAsync", symbol, const_cast<void*>(src), n, offset, kind, true, stream,
                     HostWaits::no);
}
hipError_t hipMemcpyFromSymbolAsync(void* dst, void const* symbol, size_t n, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return copy_symbol("hipMemcpyFromSymbolAsync", symbol, dst, n, offset, kind, false, stream, HostWaits::no);
}
}
