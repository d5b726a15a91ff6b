// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries about pointers.
#include "state.hpp"

#include <cstring>

using namespace hip_model;

// ROCm 5 refuses pageable memory, and reports managed memory by a flag; ROCm 6 has other values, and one for each kind
// (hipMemoryTypeUnregistered 0, Host 1, Device 2, Managed 3).
#if defined(HIP_MODEL_ABI_6) || HIP_VERSION_MAJOR >= 6
#define HIP_MODEL_OF_ROCM_6 1
#endif

namespace {

bool of_host(Allocation const& a) { return a.memory == MemoryKind::pinned || a.memory == MemoryKind::registered; }

unsigned memory_type(Allocation const& a) {
#ifdef HIP_MODEL_OF_ROCM_6
  return of_host(a) ? 1 : a.memory == MemoryKind::managed ? 3 : 2;
#else
  return of_host(a) || a.memory == MemoryKind::managed ? hipMemoryTypeHost : hipMemoryTypeDevice;
#endif
}

hipMemoryType& type_of(hipPointerAttribute_t& p) {
#if HIP_VERSION_MAJOR >= 6
  return p.type;
#else
  return p.memoryType;
#endif
}

template <class T>
hipError_t give(void* out, T value) {
  std::memcpy(out, &value, sizeof value);
  return hipSuccess;
}

// For pageable memory most attributes are set to zero, and the call returns an error.
hipError_t pointer_attribute(void* out, hipPointer_attribute attribute, Allocation const* a, void* p) {
  auto answer = [&](auto value, auto nothing) {
    if (a) return give(out, value);
    (void)give(out, nothing);
    return hipErrorInvalidValue;
  };
  bool const host_reaches = a && a->memory != MemoryKind::device;
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      // A separate attribute reports managed memory.
      return answer(unsigned(host_reaches ? hipMemoryTypeHost : hipMemoryTypeDevice), 0u);
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return answer(p, static_cast<void*>(nullptr));
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      if (host_reaches) return give(out, p);
      (void)give(out, static_cast<void*>(nullptr));
      return hipErrorInvalidValue;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return answer(a && a->synchronous, false);
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      return answer(unsigned(a ? a->id : 0), 0u);
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer(a && a->memory == MemoryKind::managed, false);
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer(a ? a->device : 0, -2);
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer(static_cast<void*>(a ? a->base : nullptr), static_cast<void*>(nullptr));
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer(unsigned(a ? a->bytes : 0), 0u);
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      return answer(true, false);
    case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return give(out, a ? a->flags : 0u);
    case HIP_POINTER_ATTRIBUTE_CONTEXT:
    case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
    case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return hipErrorNotSupported;
    default:
      return hipErrorInvalidValue;
  }
}

AllocationPtr find_alive(void const* p) {
  AllocationPtr a = MemoryTable::get().find(p);
  return a && a->alive ? a : nullptr;
}

}  // namespace

extern "C" {

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* out, void const* p) {
  return api("hipPointerGetAttributes", [&](Call& call) -> hipError_t {
    if (!out || !p) return hipErrorInvalidValue;
    Lock lock       = Scheduler::get().lock();
    AllocationPtr a = MemoryTable::get().find(p);
#ifdef HIP_MODEL_OF_ROCM_6
    if (!a) {
      std::memset(out, 0, sizeof *out);
      return hipSuccess;
    }
#endif
    if (!a) return hipErrorInvalidValue;
    if (!a->alive) {
      if (a->memory == MemoryKind::registered) return hipErrorInvalidValue;
      return call.violation(hipErrorInvalidValue, "use-after-free",
                            "the pointer is in " + a->description() + ", which has been freed", a.get());
    }
    std::memset(out, 0, sizeof *out);
    type_of(*out)        = static_cast<hipMemoryType>(memory_type(*a));
    out->device          = a->device;
    out->devicePointer   = const_cast<void*>(p);
    out->hostPointer     = a->memory == MemoryKind::device ? nullptr : const_cast<void*>(p);
    out->isManaged       = a->memory == MemoryKind::managed;
    out->allocationFlags = a->flags;
    return hipSuccess;
  });
}

hipError_t hipPointerGetAttribute(void* out, hipPointer_attribute attribute, hipDeviceptr_t p) {
  return api("hipPointerGetAttribute", [&](Call&) -> hipError_t {
    if (!out || !p) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    return pointer_attribute(out, attribute, find_alive(p).get(), p);
  });
}

// An attribute that the pointer does not have is no error here.
hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** out, hipDeviceptr_t p) {
  return api("hipDrvPointerGetAttributes", [&](Call&) -> hipError_t {
    if (count == 0 || !attributes || !out || !p) return hipErrorInvalidValue;
    Lock lock             = Scheduler::get().lock();
    AllocationPtr const a = find_alive(p);
    for (unsigned i = 0; i < count; ++i) {
      if (!out[i]) return hipErrorInvalidValue;
      (void)pointer_attribute(out[i], attributes[i], a.get(), p);
    }
    return hipSuccess;
  });
}

hipError_t hipPointerSetAttribute(void const* value, hipPointer_attribute attribute, hipDeviceptr_t p) {
  return api("hipPointerSetAttribute", [&](Call&) -> hipError_t {
    if (!value || !p || attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS) return hipErrorInvalidValue;
    Lock lock             = Scheduler::get().lock();
    AllocationPtr const a = find_alive(p);
    if (!a) return hipErrorInvalidDevicePointer;
    a->synchronous = *static_cast<int const*>(value) != 0;
    return hipSuccess;
  });
}
}
