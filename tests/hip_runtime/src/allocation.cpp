// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation and registration of memory, and queries about it.
#include "state.hpp"

#include <cstring>

using namespace hip_model;

namespace {

hipError_t allocate(char const* function, void** out, std::size_t bytes, MemoryKind kind, unsigned flags = 0,
                    bool allowed = true) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    if (!allowed) return hipErrorInvalidValue;
    *out      = nullptr;
    Lock lock = Scheduler::get().lock();
    if (!valid_device(this_thread().device)) return hipErrorNoDevice;
    if (auto error = check_capture_allows(call, lock)) return error;
    if (bytes == 0) return hipSuccess;
    if (kind != MemoryKind::pinned)
      if (auto error = check_in_use(call, this_thread().device)) return error;
    AllocationPtr a = MemoryTable::get().allocate(kind, this_thread().device, bytes, flags);
    if (!a) return hipErrorOutOfMemory;
    a->history.add(call, "allocated");
    if (kind != MemoryKind::pinned) ++State::get().devices[this_thread().device].objects_made;
    a->of_any_free = std::strcmp(function, "hipMallocManaged") == 0 && kind == MemoryKind::pinned;
    *out           = a->base;
    return hipSuccess;
  });
}

// Freeing waits for the device, as HIP documents.
hipError_t release_memory(char const* function, void* p, bool host) {
  return api(function, [&](Call& call) -> hipError_t {
    if (!p) return hipSuccess;
    hipError_t const wrong = host ? hipErrorInvalidValue : current_profile().free_of_unknown_memory;
    Lock lock              = Scheduler::get().lock();
    if (auto error = check_capture_allows(call, lock)) return error;
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || a->of_program)
      return call.violation(wrong, "free-of-unknown-memory", "the pointer was not allocated by HIP", a.get());
    if (!a->alive || a->free_pending)
      return call.violation(wrong, "double-free", a->description() + " has been freed", a.get());
    if (a->base != p)
      return call.violation(wrong, "free-of-inner-pointer",
                            "the pointer points into " + a->description() + ", not to its begin", a.get());
    if ((a->memory == MemoryKind::pinned) != host && !a->of_any_free)
      return call.violation(wrong, "free-by-wrong-function", a->description() + " is not freed by this function",
                            a.get());
    wait_for_device(lock, a->device);
    if (!a->alive)
      return call.violation(wrong, "double-free", a->description() + " has been freed by another thread meanwhile",
                            a.get());
    a->history.add(call, "freed");
    MemoryTable::get().free(a);
    return hipSuccess;
  });
}

// ROCm 5.2's header has no names for them.
constexpr unsigned device_malloc_uncached = 3, device_malloc_contiguous = 4;

bool host_flags_allowed(unsigned flags) {
  constexpr unsigned known = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                             hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;
  constexpr unsigned one_of = hipHostMallocCoherent | hipHostMallocNonCoherent;
  return (flags & ~known) == 0 && (flags & one_of) != one_of;
}

hipError_t allocate_pitched(char const* function, void** out, std::size_t* pitch, std::size_t width, std::size_t rows) {
  if (!pitch) return api(function, [](Call&) { return hipErrorInvalidValue; });
  *pitch = (width + 255) / 256 * 256;
  return allocate(function, out, *pitch * rows, MemoryKind::device);
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void** p, size_t n) { return allocate("hipMalloc", p, n, MemoryKind::device); }
hipError_t hipExtMallocWithFlags(void** p, size_t n, unsigned flags) {
  bool const signal  = flags == hipMallocSignalMemory;
  bool const allowed = flags == hipDeviceMallocDefault || flags == hipDeviceMallocFinegrained ||
                       flags == device_malloc_uncached || flags == device_malloc_contiguous || (signal && n == 8);
  return allocate("hipExtMallocWithFlags", p, n, MemoryKind::device, flags, allowed);
}
hipError_t hipHostMalloc(void** p, size_t n, unsigned flags) {
  return allocate("hipHostMalloc", p, n, MemoryKind::pinned, flags, host_flags_allowed(flags));
}
hipError_t hipHostAlloc(void** p, size_t n, unsigned flags) {
  return allocate("hipHostAlloc", p, n, MemoryKind::pinned, flags, host_flags_allowed(flags));
}
hipError_t hipExtHostAlloc(void** p, size_t n, unsigned flags) {
  return allocate("hipExtHostAlloc", p, n, MemoryKind::pinned, flags, host_flags_allowed(flags));
}
hipError_t hipMallocHost(void** p, size_t n) { return allocate("hipMallocHost", p, n, MemoryKind::pinned); }
hipError_t hipMemAllocHost(void** p, size_t n) { return allocate("hipMemAllocHost", p, n, MemoryKind::pinned); }
hipError_t hipMallocManaged(void** p, size_t n, unsigned flags) {
  if (n == 0 || (flags != hipMemAttachGlobal && flags != hipMemAttachHost))
    return api("hipMallocManaged", [](Call&) { return hipErrorInvalidValue; });
  if (current_profile().managed_memory_is_pinned) return allocate("hipMallocManaged", p, n, MemoryKind::pinned);
  return allocate("hipMallocManaged", p, n, MemoryKind::managed, flags);
}
hipError_t hipMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  return allocate_pitched("hipMallocPitch", p, pitch, width, height);
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* p, size_t* pitch, size_t width, size_t height, unsigned) {
  return allocate_pitched("hipMemAllocPitch", p, pitch, width, height);
}
hipError_t hipMalloc3D(hipPitchedPtr* p, hipExtent e) {
  if (!p) return api("hipMalloc3D", [](Call&) { return hipErrorInvalidValue; });
  p->xsize = e.width;
  p->ysize = e.height;
  return allocate_pitched("hipMalloc3D", &p->ptr, &p->pitch, e.width, e.height * e.depth);
}

hipError_t hipFree(void* p) { return release_memory("hipFree", p, false); }
hipError_t hipHostFree(void* p) { return release_memory("hipHostFree", p, true); }
hipError_t hipFreeHost(void* p) { return release_memory("hipFreeHost", p, true); }

hipError_t hipHostRegister(void* p, size_t n, unsigned flags) {
  return api("hipHostRegister", [&](Call& call) -> hipError_t {
    if (!p || n == 0 || flags > 15) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (auto error = check_capture_allows(call, lock)) return error;
    if (MemoryTable::get().overlaps(p, n))
      return call.violation(hipErrorInvalidValue, "registered-twice",
                            "part of the memory was allocated or registered before", MemoryTable::get().find(p).get());
    MemoryTable::get().adopt(MemoryKind::registered, p, n, flags)->history.add(call, "registered");
    return hipSuccess;
  });
}

hipError_t hipHostUnregister(void* p) {
  return api("hipHostUnregister", [&](Call& call) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (auto error = check_capture_allows(call, lock)) return error;
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || a->memory != MemoryKind::registered || a->base != p)
      return call.violation(hipErrorHostMemoryNotRegistered, "not-registered", "the pointer was not registered",
                            a.get());
    wait_for_device(lock, a->device);
    a->history.add(call, "unregistered");
    MemoryTable::get().free(a);
    return hipSuccess;
  });
}

hipError_t hipHostGetDevicePointer(void** out, void* p, unsigned flags) {
  return api("hipHostGetDevicePointer", [&](Call&) -> hipError_t {
    if (!out || !p || flags != 0) return hipErrorInvalidValue;
    Lock lock       = Scheduler::get().lock();
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->alive || a->memory == MemoryKind::device) return hipErrorInvalidValue;
    *out = p;
    return hipSuccess;
  });
}

hipError_t hipHostGetFlags(unsigned* flags, void* p) {
  return api("hipHostGetFlags", [&](Call&) -> hipError_t {
    if (!flags || !p) return hipErrorInvalidValue;
    Lock lock       = Scheduler::get().lock();
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->alive || (a->memory != MemoryKind::pinned && a->memory != MemoryKind::registered))
      return hipErrorInvalidValue;
    *flags = a->flags;
    return hipSuccess;
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return api("hipMemGetInfo", [&](Call&) -> hipError_t {
    if (!free || !total) return hipErrorInvalidValue;
    Lock lock   = Scheduler::get().lock();
    auto& table = MemoryTable::get();
    *total      = table.limit();
    *free       = table.limit() - std::min(table.limit(), table.used(this_thread().device));
    return hipSuccess;
  });
}

hipError_t hipMemPtrGetInfo(void* p, size_t* bytes) {
  return api("hipMemPtrGetInfo", [&](Call&) -> hipError_t {
    if (!p || !bytes) return hipErrorInvalidValue;
    Lock lock       = Scheduler::get().lock();
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->alive) return hipErrorInvalidValue;
    *bytes = a->bytes;
    return hipSuccess;
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t p) {
  return api("hipMemGetAddressRange", [&](Call&) -> hipError_t {
    Lock lock       = Scheduler::get().lock();
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->alive) return hipErrorNotFound;
    if (base) *base = a->base;
    if (bytes) *bytes = a->bytes;
    return hipSuccess;
  });
}
}
