// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice about managed memory, and its location. Both are stored and returned, and have no effect here.
#include "state.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace hip_model;

namespace {

bool device_or_host(int device) { return device == hipCpuDeviceId || valid_device(device); }

/// The allocation that holds the range, if managed; null for pageable memory, which some platforms accept.
hipError_t find_range(Call& call, void const* p, size_t n, Touch* out) {
  if (auto error = touch(call, p, n, "range", out)) return error;
  if (!out->allocation) return current_profile().unified_memory ? hipSuccess : hipErrorInvalidValue;
  return out->allocation->memory == MemoryKind::managed ? hipSuccess : hipErrorInvalidValue;
}

std::size_t offset_of(Touch const& where) {
  return std::size_t(static_cast<char const*>(where.address) - where.allocation->base);
}
/// Applies `f` to the advice about the pages of the range. Pageable memory keeps no advice.
template <class F>
void change(Touch const& where, F&& f) {
  if (where.allocation) where.allocation->advice.change(offset_of(where), where.bytes, f);
}
Advice advice_about(Touch const& where) {
  return where.allocation ? where.allocation->advice.common(offset_of(where), where.bytes) : Advice();
}

hipError_t apply(Advice& known, hipMemoryAdvise advice, int device) {
  switch (advice) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      known.read_mostly = advice == hipMemAdviseSetReadMostly;
      return hipSuccess;
    case hipMemAdviseSetPreferredLocation:
      known.preferred = device;
      return hipSuccess;
    case hipMemAdviseUnsetPreferredLocation:
      known.preferred = no_device;
      return hipSuccess;
    case hipMemAdviseSetAccessedBy:
      known.accessed_by.insert(device);
      return hipSuccess;
    case hipMemAdviseUnsetAccessedBy:
      known.accessed_by.erase(device);
      return hipSuccess;
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      known.coherency = advice == hipMemAdviseSetCoarseGrain ? hipMemRangeCoherencyModeCoarseGrain
                                                             : hipMemRangeCoherencyModeFineGrain;
      return hipSuccess;
    default:
      return hipErrorInvalidValue;
  }
}

hipError_t give_attribute(void* out, size_t bytes, hipMemRangeAttribute attribute, Advice const& known) {
  if (!out || bytes == 0 || bytes % 4 != 0) return hipErrorInvalidValue;
  int one = 0;
  switch (attribute) {
    case hipMemRangeAttributeReadMostly:
      one = known.read_mostly;
      break;
    case hipMemRangeAttributePreferredLocation:
      one = known.preferred;
      break;
    case hipMemRangeAttributeLastPrefetchLocation:
      one = known.prefetched;
      break;
    case hipMemRangeAttributeCoherencyMode:
      one = known.coherency;
      break;
    case hipMemRangeAttributeAccessedBy: {
      std::vector<int> all(known.accessed_by.begin(), known.accessed_by.end());
      all.resize(bytes / 4, no_device);
      std::memcpy(out, all.data(), bytes);
      return hipSuccess;
    }
    default:
      return hipErrorInvalidValue;
  }
  if (bytes != 4) return hipErrorInvalidValue;
  std::memcpy(out, &one, 4);
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMemPrefetchAsync(void const* p, size_t n, int device, hipStream_t stream_handle) {
  return api("hipMemPrefetchAsync", [&](Call& call) -> hipError_t {
    if (!p || n == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (!device_or_host(device)) return hipErrorInvalidDevice;
    StreamPtr stream;
    if (auto error = find_stream(call, lock, stream_handle, &stream)) return error;
    Operation operation;
    operation.what = "a prefetch";
    operation.touches.resize(1);
    if (auto error = find_range(call, p, n, &operation.touches[0])) return error;
    change(operation.touches[0], [&](Advice& known) { known.prefetched = device; });
    return submit(call, lock, stream, std::move(operation));
  });
}

hipError_t hipMemAdvise(void const* p, size_t n, hipMemoryAdvise advice, int device) {
  return api("hipMemAdvise", [&](Call& call) -> hipError_t {
    bool const of_no_device = advice == hipMemAdviseSetReadMostly || advice == hipMemAdviseUnsetReadMostly;
    Lock lock               = Scheduler::get().lock();
    if (!of_no_device && !device_or_host(device)) return hipErrorInvalidDevice;
    if (!p || n == 0) return hipErrorInvalidValue;
    Touch where;
    if (auto error = find_range(call, p, n, &where)) return error;
    Advice tried;
    if (auto error = apply(tried, advice, device)) return error;
    change(where, [&](Advice& known) { (void)apply(known, advice, device); });
    return hipSuccess;
  });
}

hipError_t hipMemRangeGetAttribute(void* out, size_t bytes, hipMemRangeAttribute attribute, void const* p, size_t n) {
  return api("hipMemRangeGetAttribute", [&](Call& call) -> hipError_t {
    if (!out || bytes == 0 || !p || n == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    Touch where;
    if (attribute == hipMemRangeAttributeCoherencyMode) {  // queried for all kinds of memory
      if (auto error = touch(call, p, n, "range", &where)) return error;
      Advice kept               = advice_about(where);
      Allocation const* const a = where.allocation.get();
      if (a && a->memory == MemoryKind::device)
        kept.coherency = a->flags ? hipMemRangeCoherencyModeFineGrain : hipMemRangeCoherencyModeCoarseGrain;
      if (a && a->memory == MemoryKind::pinned && (a->flags & hipHostMallocNonCoherent))
        kept.coherency = hipMemRangeCoherencyModeCoarseGrain;
      return give_attribute(out, bytes, attribute, kept);
    }
    if (auto error = find_range(call, p, n, &where)) return error;
    return give_attribute(out, bytes, attribute, advice_about(where));
  });
}

hipError_t hipMemRangeGetAttributes(void** out, size_t* bytes, hipMemRangeAttribute* attributes, size_t count,
                                    void const* p, size_t n) {
  return api("hipMemRangeGetAttributes", [&](Call& call) -> hipError_t {
    if (!out || !bytes || !attributes || count == 0 || !p || n == 0) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    Touch where;
    if (auto error = find_range(call, p, n, &where)) return error;
    for (size_t i = 0; i < count; ++i)
      if (auto error = give_attribute(out[i], bytes[i], attributes[i], advice_about(where))) return error;
    return hipSuccess;
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t handle, void* p, size_t n, unsigned flags) {
  return api("hipStreamAttachMemAsync", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (auto error = find_stream(call, lock, handle, &stream)) return error;
    if (!p || (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle))
      return hipErrorInvalidValue;
    if (flags == hipMemAttachSingle && stream->is_default) return hipErrorInvalidValue;
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->alive) return n && current_profile().unified_memory ? hipSuccess : hipErrorInvalidValue;
    // Managed memory is attached whole.
    return a->memory != MemoryKind::managed || n == 0 || n == a->bytes ? hipSuccess : hipErrorInvalidValue;
  });
}
}
