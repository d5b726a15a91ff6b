// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation in the order of a stream, and memory pools.
#include "graph_edit.hpp"

#include <algorithm>

using namespace hip_model;

namespace {

using PoolPtr = std::shared_ptr<MemoryPool>;

hipError_t find_pool(Call& call, hipMemPool_t handle, PoolPtr* out) {
  return find_object(call, State::get().pools, handle, hipErrorInvalidValue, "memory pool", out);
}

// The memory belongs to the stream from the point of the call on: other streams must be ordered after that.
hipError_t allocate_in_order(Call& call, Lock& lock, void** out, std::size_t bytes, PoolPtr const& pool,
                             StreamPtr const& stream) {
  *out = nullptr;
  if (bytes == 0) return hipSuccess;
  if (stream->capture) {
    hipMemAllocNodeParams wanted{};
    wanted.poolProps.allocType = hipMemAllocationTypePinned;
    wanted.poolProps.location  = {hipMemLocationTypeDevice, pool->device};
    wanted.bytesize            = bytes;
    Operation operation;
    if (auto error = make_allocation(call, &wanted, &operation)) return error;
    *out = wanted.dptr;
    return submit(call, lock, stream, std::move(operation));
  }
  AllocationPtr a = MemoryTable::get().allocate(MemoryKind::device, pool->device, bytes, 0);
  if (!a) return hipErrorOutOfMemory;
  a->stream_ordered = true;
  a->pool           = pool;
  pool->used += bytes;
  pool->used_high     = std::max(pool->used_high, pool->used);
  pool->reserved_high = std::max(pool->reserved_high, pool->used);
  a->history.add(call, "allocated");
  Work work;
  work.what    = "an allocation";
  a->available = enqueue_ordered(lock, stream, std::move(work));
  *out         = a->base;
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMallocAsync(void** out, size_t bytes, hipStream_t handle) {
  return api("hipMallocAsync", [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    PoolPtr pool;
    if (find_stream(call, lock, handle, &stream) != hipSuccess) return hipErrorInvalidHandle;
    if (auto error = find_pool(call, State::get().current_pools[stream->device], &pool)) return error;
    return allocate_in_order(call, lock, out, bytes, pool, stream);
  });
}

hipError_t hipMallocFromPoolAsync(void** out, size_t bytes, hipMemPool_t pool_handle, hipStream_t handle) {
  return api("hipMallocFromPoolAsync", [&](Call& call) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    PoolPtr pool;
    if (find_stream(call, lock, handle, &stream) != hipSuccess) return hipErrorInvalidHandle;
    if (auto error = find_pool(call, pool_handle, &pool)) return error;
    return allocate_in_order(call, lock, out, bytes, pool, stream);
  });
}

hipError_t hipFreeAsync(void* p, hipStream_t handle) {
  return api("hipFreeAsync", [&](Call& call) -> hipError_t {
    if (!p) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    StreamPtr stream;
    if (find_stream(call, lock, handle, &stream) != hipSuccess) return hipErrorInvalidHandle;
    AllocationPtr a = MemoryTable::get().find(p);
    if (!a || !a->stream_ordered || a->base != p)
      return call.violation(hipErrorInvalidValue, "free-of-unknown-memory",
                            "the pointer was not allocated by hipMallocAsync", a.get());
    if (!a->alive || a->free_pending)
      return call.violation(hipErrorInvalidValue, "double-free", a->description() + " has been freed", a.get());
    if (stream->capture) {
      Operation operation;
      if (auto error = make_free(call, p, &operation)) return error;
      return submit(call, lock, stream, std::move(operation));
    }
    a->free_pending = true;
    a->with_program = false;
    a->history.add(call, "freed");
    Work work;
    work.what = "freeing memory";
    work.run  = [a] {
      Lock inner = Scheduler::get().lock();
      if (a->of_graph)
        free_graph_memory(a);
      else
        MemoryTable::get().free(a);
    };
    enqueue_ordered(lock, stream, std::move(work));
    return hipSuccess;
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* out, int device) {
  return api("hipDeviceGetDefaultMemPool", [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!out) return hipErrorInvalidValue;
    if (!valid_device(device)) return hipErrorInvalidDevice;
    *out = State::get().default_pools[device];
    return hipSuccess;
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* out, int device) {
  return api("hipDeviceGetMemPool", [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!out) return hipErrorInvalidValue;
    if (!valid_device(device)) return hipErrorInvalidValue;
    *out = State::get().current_pools[device];
    return hipSuccess;
  });
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t handle) {
  return api("hipDeviceSetMemPool", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (!valid_device(device)) return hipErrorInvalidValue;
    if (auto error = find_pool(call, handle, &pool)) return error;
    if (pool->device != device) return hipErrorInvalidDevice;
    State::get().current_pools[device] = handle;
    return hipSuccess;
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t* out, hipMemPoolProps const* properties) {
  return api("hipMemPoolCreate", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!out || !properties || properties->allocType != hipMemAllocationTypePinned) return hipErrorInvalidValue;
    if (properties->location.type != hipMemLocationTypeDevice || !valid_device(properties->location.id))
      return hipErrorInvalidValue;
    auto pool    = std::make_shared<MemoryPool>();
    pool->device = properties->location.id;
    pool->history.add(call, "created");
    *out = State::get().pools.add(pool);
    return hipSuccess;
  });
}
hipError_t hipMemPoolDestroy(hipMemPool_t handle) {
  return api("hipMemPoolDestroy", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (auto error = find_pool(call, handle, &pool)) return error;
    if (pool->internal) return hipErrorInvalidValue;
    for (int d = 0; d < device_count(); ++d)
      if (State::get().current_pools[d] == handle) State::get().current_pools[d] = State::get().default_pools[d];
    pool->history.add(call, "destroyed");
    State::get().pools.destroy(handle);
    return hipSuccess;
  });
}
hipError_t hipMemPoolTrimTo(hipMemPool_t handle, size_t) {
  return api("hipMemPoolTrimTo", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    return find_pool(call, handle, &pool);
  });
}
hipError_t hipMemPoolSetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  return api("hipMemPoolSetAttribute", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (!value) return hipErrorInvalidValue;
    if (auto error = find_pool(call, handle, &pool)) return error;
    switch (attribute) {
      case hipMemPoolReuseFollowEventDependencies:
      case hipMemPoolReuseAllowOpportunistic:
      case hipMemPoolReuseAllowInternalDependencies:
        pool->attributes[attribute] = static_cast<std::uint64_t>(*static_cast<int*>(value));
        return hipSuccess;
      case hipMemPoolAttrReleaseThreshold:
        pool->attributes[attribute] = *static_cast<std::uint64_t*>(value);
        return hipSuccess;
      case hipMemPoolAttrReservedMemHigh:
      case hipMemPoolAttrUsedMemHigh:  // can only be taken back
        if (*static_cast<std::uint64_t*>(value) != 0) return hipErrorInvalidValue;
        (attribute == hipMemPoolAttrUsedMemHigh ? pool->used_high : pool->reserved_high) = 0;
        return hipSuccess;
      default:
        return hipErrorInvalidValue;
    }
  });
}
// The pool keeps no free memory, so all reserved memory is in use.
hipError_t hipMemPoolGetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  return api("hipMemPoolGetAttribute", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (!value) return hipErrorInvalidValue;
    if (auto error = find_pool(call, handle, &pool)) return error;
    auto give = [&](std::uint64_t bytes) {
      *static_cast<std::uint64_t*>(value) = bytes;
      return hipSuccess;
    };
    switch (attribute) {
      case hipMemPoolReuseFollowEventDependencies:
      case hipMemPoolReuseAllowOpportunistic:
      case hipMemPoolReuseAllowInternalDependencies: {
        auto set                  = pool->attributes.find(attribute);
        *static_cast<int*>(value) = set == pool->attributes.end() ? 1 : static_cast<int>(set->second);
        return hipSuccess;
      }
      case hipMemPoolAttrReleaseThreshold:
        return give(pool->attributes[attribute]);
      case hipMemPoolAttrReservedMemCurrent:
      case hipMemPoolAttrUsedMemCurrent:
        return give(pool->used);
      case hipMemPoolAttrReservedMemHigh:
        return give(pool->reserved_high);
      case hipMemPoolAttrUsedMemHigh:
        return give(pool->used_high);
      default:
        return hipErrorInvalidValue;
    }
  });
}

hipError_t hipMemPoolSetAccess(hipMemPool_t handle, hipMemAccessDesc const* all, size_t count) {
  return api("hipMemPoolSetAccess", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (!all) return hipErrorInvalidValue;
    if (auto error = find_pool(call, handle, &pool)) return error;
    if (count > static_cast<size_t>(device_count())) return hipErrorInvalidDevice;
    for (size_t i = 0; i < count; ++i) {
      if (all[i].location.type != hipMemLocationTypeDevice) return hipErrorInvalidValue;
      if (!valid_device(all[i].location.id)) return hipErrorInvalidDevice;
      if (all[i].flags == hipMemAccessFlagsProtNone && all[i].location.id == pool->device) return hipErrorInvalidDevice;
      if (unsigned(all[i].flags) > hipMemAccessFlagsProtReadWrite) return hipErrorInvalidValue;
      pool->access[all[i].location.id] = all[i].flags;
    }
    return hipSuccess;
  });
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* out, hipMemPool_t handle, hipMemLocation* location) {
  return api("hipMemPoolGetAccess", [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    PoolPtr pool;
    if (!out || !location || location->type != hipMemLocationTypeDevice || !valid_device(location->id))
      return hipErrorInvalidValue;
    if (auto error = find_pool(call, handle, &pool)) return error;
    auto set = pool->access.find(location->id);
    *out     = location->id == pool->device ? hipMemAccessFlagsProtReadWrite : hipMemAccessFlagsProtNone;
    if (set != pool->access.end()) *out = static_cast<hipMemAccessFlags>(set->second);
    return hipSuccess;
  });
}
}
