// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices: selection, synchronisation, access to another device's memory.
#include "reports.hpp"
#include "state.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>

using namespace hip_model;

namespace {

template <class Body>
hipError_t on_device(char const* function, int device, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (device_count() == 0) return hipErrorNoDevice;
    if (!valid_device(device)) return hipErrorInvalidDevice;
    return body(call, lock, State::get().devices[device]);
  });
}

std::atomic<int> refused_device{-1}, refused_peer{-1};
bool peer_access_is_refused(int device, int peer) { return device == refused_device && peer == refused_peer; }

constexpr int stack_size            = 0;  // hipLimitStackSize, since ROCm 5.3
constexpr std::size_t largest_stack = std::size_t(128) << 10;
bool known_limit(int limit) {
  return limit == stack_size || limit == hipLimitMallocHeapSize || limit == hipLimitPrintfFifoSize;
}

}  // namespace

namespace hip_model {
void refuse_peer_access(int device, int peer) {
  refused_device = device;
  refused_peer   = peer;
}
}  // namespace hip_model

extern "C" {

hipError_t hipInit(unsigned flags) {
  return api("hipInit", [&](Call&) { return flags == 0 ? hipSuccess : hipErrorInvalidValue; });
}
hipError_t hipDriverGetVersion(int* version) {
  return api("hipDriverGetVersion", [&](Call&) -> hipError_t {
    if (!version) return hipErrorInvalidValue;
    *version = current_profile().runtime_version;
    return hipSuccess;
  });
}
hipError_t hipRuntimeGetVersion(int* version) {
  return api("hipRuntimeGetVersion", [&](Call&) -> hipError_t {
    if (!version) return hipErrorInvalidValue;
    *version = current_profile().runtime_version;
    return hipSuccess;
  });
}
hipError_t hipGetDeviceCount(int* count) {
  return api("hipGetDeviceCount", [&](Call&) -> hipError_t {
    if (!count) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    *count    = device_count();
    return *count > 0 ? hipSuccess : hipErrorNoDevice;
  });
}
hipError_t hipGetDevice(int* device) {
  return api("hipGetDevice", [&](Call&) -> hipError_t {
    if (!device) return hipErrorInvalidValue;
    *device = this_thread().device;
    return hipSuccess;
  });
}
hipError_t hipSetDevice(int device) {
  return on_device("hipSetDevice", device, [&](Call&, Lock&, Device&) {
    this_thread().device = device;
    return hipSuccess;
  });
}
hipError_t hipDeviceGet(hipDevice_t* out, int ordinal) {
  return on_device("hipDeviceGet", ordinal, [&](Call&, Lock&, Device&) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = ordinal;
    return hipSuccess;
  });
}

hipError_t hipDeviceSynchronize() {
  return on_device("hipDeviceSynchronize", this_thread().device, [&](Call& call, Lock& lock, Device&) -> hipError_t {
    for (CapturePtr const& c : State::get().captures)
      for (StreamPtr const& s : c->streams)
        if (s->device == this_thread().device) {
          c->valid = false;
          return call.violation(
              hipErrorStreamCaptureUnsupported, "capture-forbids",
              s->name() + " of the device is being captured; waiting for all of the device is not allowed", s.get());
        }
    if (auto error = check_capture_allows(call, lock)) return error;
    wait_for_device(lock, this_thread().device);
    lock.unlock();
    hipError_t const sticky = sticky_error_of_device();
    lock.lock();
    return sticky;
  });
}

// Ends all work of the device; the program must still destroy its own objects.
hipError_t hipDeviceReset() {
  return api(
      "hipDeviceReset",
      [&](Call&) -> hipError_t {
        Lock lock        = Scheduler::get().lock();
        int const device = this_thread().device;
        if (!valid_device(device)) return hipErrorNoDevice;
        wait_for_device(lock, device);
        std::vector<AllocationPtr> mine;
        MemoryTable::get().for_each_alive([&](Allocation& a) {
          if (a.device == device && a.memory != MemoryKind::registered) mine.push_back(MemoryTable::get().find(a.base));
        });
        for (auto const& a : mine) MemoryTable::get().free(a);
        set_sticky_error(device, hipSuccess);
        return hipSuccess;
      },
      Call::with_sticky_error);
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return on_device("hipDeviceCanAccessPeer", device, [&](Call&, Lock&, Device&) -> hipError_t {
    if (!can) return hipErrorInvalidValue;
    if (!valid_device(peer)) return hipErrorInvalidDevice;
    *can = device != peer && !peer_access_is_refused(device, peer);
    return hipSuccess;
  });
}
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return on_device("hipDeviceEnablePeerAccess", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (flags != 0) return hipErrorInvalidValue;
    if (!valid_device(peer) || peer == this_thread().device) return hipErrorInvalidDevice;
    if (peer_access_is_refused(this_thread().device, peer)) return hipErrorPeerAccessUnsupported;
    return device.peers.insert(peer).second ? hipSuccess : hipErrorPeerAccessAlreadyEnabled;
  });
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  return on_device("hipDeviceDisablePeerAccess", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (!valid_device(peer)) return hipErrorInvalidDevice;
    return device.peers.erase(peer) ? hipSuccess : hipErrorPeerAccessNotEnabled;
  });
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int target) {
  return on_device("hipDeviceGetP2PAttribute", source, [&](Call&, Lock&, Device&) -> hipError_t {
    if (!value || source == target || unsigned(attribute) > hipDevP2PAttrHipArrayAccessSupported)
      return hipErrorInvalidValue;
    if (!valid_device(target)) return hipErrorInvalidDevice;
    *value = attribute == hipDevP2PAttrAccessSupported || attribute == hipDevP2PAttrNativeAtomicSupported;
    return hipSuccess;
  });
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  return on_device("hipSetDeviceFlags", this_thread().device, [&](Call&, Lock&, Device& device) {
    device.flags = flags;
    return hipSuccess;
  });
}
hipError_t hipGetDeviceFlags(unsigned* flags) {
  return on_device("hipGetDeviceFlags", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (!flags) return hipErrorInvalidValue;
    *flags = device.flags & hipDeviceScheduleMask;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  return on_device("hipDeviceSetCacheConfig", this_thread().device, [&](Call&, Lock&, Device& device) {
    device.cache_config = config;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return on_device("hipDeviceGetCacheConfig", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (!config) return hipErrorInvalidValue;
    *config = device.cache_config;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  return on_device("hipDeviceGetLimit", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (!value) return hipErrorInvalidValue;
    if (!known_limit(limit)) return hipErrorUnsupportedLimit;
    auto known                 = device.limits.find(limit);
    std::size_t const at_first = limit == stack_size ? 1024 : std::size_t(4) << 20;
    *value                     = known != device.limits.end() ? known->second : at_first;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  return on_device("hipDeviceSetLimit", this_thread().device, [&](Call&, Lock&, Device& device) -> hipError_t {
    if (!known_limit(limit)) return hipErrorInvalidValue;
    if (limit == stack_size && value > largest_stack) return hipErrorInvalidValue;
    device.limits[limit] = value;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetPCIBusId(char* out, int length, int device) {
  return on_device("hipDeviceGetPCIBusId", device, [&](Call&, Lock&, Device&) -> hipError_t {
    if (!out || length < 13) return hipErrorInvalidValue;
    std::snprintf(out, static_cast<std::size_t>(length), "0000:%02x:00.0", device + 1);
    return hipSuccess;
  });
}
hipError_t hipDeviceGetByPCIBusId(int* device, char const* id) {
  return api("hipDeviceGetByPCIBusId", [&](Call&) -> hipError_t {
    unsigned bus = 0;
    if (!device || !id || std::sscanf(id, "%*x:%x:", &bus) != 1) return hipErrorInvalidValue;
    Lock lock = Scheduler::get().lock();
    if (!valid_device(int(bus) - 1)) return hipErrorInvalidDevice;
    *device = int(bus) - 1;
    return hipSuccess;
  });
}
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return on_device("hipDeviceGetUuid", device, [&](Call&, Lock&, Device&) -> hipError_t {
    if (!uuid) return hipErrorInvalidValue;
    std::memset(uuid->bytes, 0, sizeof uuid->bytes);
    std::snprintf(uuid->bytes, sizeof uuid->bytes, "HIPmodel%d", device);
    return hipSuccess;
  });
}

// Shared memory of AMD's devices has banks of one width.
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* out) {
  return api("hipDeviceGetSharedMemConfig", [&](Call&) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = hipSharedMemBankSizeFourByte;
    return hipSuccess;
  });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  return api("hipDeviceSetSharedMemConfig", [&](Call&) -> hipError_t {
    return unsigned(config) > hipSharedMemBankSizeEightByte ? hipErrorInvalidValue : hipSuccess;
  });
}
}
