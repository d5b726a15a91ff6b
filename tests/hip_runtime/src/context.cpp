// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, which HIP has for programs that used CUDA's driver interface. A context only identifies its device.
#include "state.hpp"

using namespace hip_model;

namespace {

struct Contexts {
  std::map<int, hipCtx_t> of_device;
  std::map<hipCtx_t, int> devices;
  hipCtx_t get(int device) {
    hipCtx_t& context = of_device[device];
    if (!context) devices[context = static_cast<hipCtx_t>(HandleValues::take())] = device;
    return context;
  }
};
Contexts& contexts() {
  static auto* all = new Contexts;
  return *all;
}
thread_local std::vector<hipCtx_t> stack;

template <class Body>
hipError_t with_valid_device(char const* function, int device, Body&& body) {
  return api(function, [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    return valid_device(device) ? body() : hipErrorInvalidDevice;
  });
}

hipError_t make_current(hipCtx_t context, bool push) {
  auto known = contexts().devices.find(context);
  if (known == contexts().devices.end()) return hipErrorInvalidContext;
  if (!push && !stack.empty()) stack.pop_back();
  stack.push_back(context);
  this_thread().device = known->second;
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* out, unsigned, hipDevice_t device) {
  return with_valid_device("hipCtxCreate", device, [&]() -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = contexts().get(device);
    return make_current(*out, true);
  });
}
hipError_t hipCtxDestroy(hipCtx_t context) {
  return api("hipCtxDestroy", [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!context || !contexts().devices.count(context)) return hipErrorInvalidValue;
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxPushCurrent(hipCtx_t context) {
  return api("hipCtxPushCurrent", [&](Call&) {
    Lock lock = Scheduler::get().lock();
    return make_current(context, true);
  });
}
hipError_t hipCtxPopCurrent(hipCtx_t* out) {
  return api("hipCtxPopCurrent", [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (stack.empty()) return hipErrorInvalidContext;
    if (out) *out = stack.back();
    stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t context) {
  return api("hipCtxSetCurrent", [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (context) return make_current(context, false);
    if (!stack.empty()) stack.pop_back();
    return hipSuccess;
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* out) {
  return api("hipCtxGetCurrent", [&](Call&) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = stack.empty() ? nullptr : stack.back();
    return hipSuccess;
  });
}
hipError_t hipCtxGetDevice(hipDevice_t* out) {
  return api("hipCtxGetDevice", [&](Call&) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = this_thread().device;
    return hipSuccess;
  });
}
hipError_t hipCtxGetApiVersion(hipCtx_t, int* version) {
  return api("hipCtxGetApiVersion", [&](Call&) { return version ? hipErrorNotSupported : hipErrorInvalidValue; });
}
hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) { return hipDeviceGetCacheConfig(config); }
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return hipDeviceSetCacheConfig(config); }
hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }
hipError_t hipCtxGetFlags(unsigned* flags) { return hipGetDeviceFlags(flags); }

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return with_valid_device("hipDevicePrimaryCtxGetState", device, [&]() -> hipError_t {
    if (!flags || !active) return hipErrorInvalidValue;
    *flags  = State::get().devices[device].flags;
    *active = device == this_thread().device;
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* out, hipDevice_t device) {
  return with_valid_device("hipDevicePrimaryCtxRetain", device, [&]() -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = contexts().get(device);
    return hipSuccess;
  });
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return with_valid_device("hipDevicePrimaryCtxRelease", device, [] { return hipSuccess; });
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return with_valid_device("hipDevicePrimaryCtxReset", device, [] { return hipSuccess; });
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned) {
  return with_valid_device("hipDevicePrimaryCtxSetFlags", device, [] { return hipErrorContextAlreadyInUse; });
}
}
