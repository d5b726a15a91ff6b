// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of devices and kernels, and occupancy.
#include "copy.hpp"
#include "kernels.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace hip_model {

namespace {
std::atomic<int>& wavefront() {
  static std::atomic<int> lanes{[] {
    char const* wanted = std::getenv("HIP_MODEL_WAVEFRONT");
    return wanted ? std::atoi(wanted) : current_profile().wavefront;
  }()};
  return lanes;
}
constexpr int threads_per_unit = 2048, registers = 65536, threads_per_block = 1024;
constexpr std::size_t l2 = std::size_t(8) << 20;
int compute_major() { return 9; }
int compute_minor() { return std::strncmp(current_profile().architecture, "gfx942", 6) == 0 ? 4 : 0; }
}  // namespace

int wavefront_size() { return wavefront().load(); }
void set_wavefront_size(int lanes) { wavefront().store(lanes); }

namespace {
std::atomic<void (*)(void*)> changes[64];  // of each device
}
void change_properties(int device, void (*change)(void*)) { changes[device].store(change); }

namespace {

/// \tparam Properties hipDeviceProp_t of ROCm 5 or of ROCm 6
template <class Properties>
void fill_properties(Properties& p, int device) {
  Profile const& profile = current_profile();
  std::memset(&p, 0, sizeof p);
  std::strncpy(p.name, profile.device_name, sizeof p.name - 1);
  std::strncpy(p.gcnArchName, profile.architecture, sizeof p.gcnArchName - 1);
  p.totalGlobalMem                   = MemoryTable::get().limit();
  p.sharedMemPerBlock                = shared_per_block;
  p.maxSharedMemoryPerMultiProcessor = shared_per_block;
  p.regsPerBlock                     = registers;
  p.warpSize                         = wavefront_size();
  p.maxThreadsPerBlock               = threads_per_block;
  std::fill(p.maxThreadsDim, p.maxThreadsDim + 3, threads_per_block);
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2]      = 65536;
  p.clockRate                              = 1700000;
  p.memoryClockRate                        = 1000000;
  p.memoryBusWidth                         = 4096;
  p.totalConstMem                          = 0x7fffffff;
  p.major                                  = compute_major();
  p.minor                                  = compute_minor();
  p.multiProcessorCount                    = profile.compute_units;
  p.l2CacheSize                            = static_cast<int>(l2);
  p.maxThreadsPerMultiProcessor            = threads_per_unit;
  p.concurrentKernels                      = 1;
  p.pciBusID                               = device + 1;
  p.canMapHostMemory                       = 1;
  p.integrated                             = profile.integrated;
  p.cooperativeLaunch                      = 1;
  p.managedMemory                          = profile.managed_memory_is_pinned ? 0 : 1;
  p.concurrentManagedAccess                = p.managedMemory;
  p.pageableMemoryAccess                   = profile.unified_memory;
  p.pageableMemoryAccessUsesHostPageTables = profile.unified_memory;
  p.isLargeBar                             = 1;
  p.memPitch                               = longest_pitch;
  p.textureAlignment                       = 256;
  if constexpr (requires { p.uuid; }) {
    char id[16] = {};
    std::snprintf(id, sizeof id, "HIPmodel%d", device);
    std::memcpy(&p.uuid, id, sizeof p.uuid);
  }
  if constexpr (std::is_same_v<Properties, hipDeviceProp_t>)
    if (auto* const change = changes[device].load()) change(&p);
}

// Values of attributes that ROCm 5.2's header does not have.
bool attribute_of_rocm_6(int attribute, int* out) {
#if HIP_VERSION_MAJOR >= 6
  switch (attribute) {
    case hipDeviceAttributeWallClockRate:
      *out = 100000;  // kHz
      return true;
    case hipDeviceAttributeHostRegisterSupported:
      *out = 1;
      return true;
    case hipDeviceAttributeVirtualMemoryManagementSupported:
    case hipDeviceAttributeMemoryPoolSupportedHandleTypes:
      *out = 0;
      return true;
    default:
      break;
  }
#else
  (void)attribute, (void)out;
#endif
  return false;
}

bool attribute_value(hipDeviceAttribute_t attribute, hipDeviceProp_t const& p, int* out) {
  switch (attribute) {
    case hipDeviceAttributeWarpSize:
      *out = p.warpSize;
      return true;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      *out = p.multiProcessorCount;
      return true;
    case hipDeviceAttributeMaxThreadsPerBlock:
      *out = p.maxThreadsPerBlock;
      return true;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
      *out = p.maxThreadsDim[0];
      return true;
    case hipDeviceAttributeMaxGridDimX:
      *out = p.maxGridSize[0];
      return true;
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
      *out = p.maxGridSize[1];
      return true;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      *out = p.maxThreadsPerMultiProcessor;
      return true;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      *out = p.maxThreadsPerMultiProcessor / p.warpSize;
      return true;
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      *out = p.regsPerBlock;
      return true;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerBlockOptin:
      *out = static_cast<int>(p.sharedMemPerBlock);
      return true;
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *out = static_cast<int>(p.maxSharedMemoryPerMultiProcessor);
      return true;
    case hipDeviceAttributeReservedSharedMemPerBlock:
      *out = 0;
      return true;
    case hipDeviceAttributeL2CacheSize:
      *out = p.l2CacheSize;
      return true;
    case hipDeviceAttributeClockRate:
      *out = p.clockRate;
      return true;
    case hipDeviceAttributeMemoryClockRate:
      *out = p.memoryClockRate;
      return true;
    case hipDeviceAttributeMemoryBusWidth:
      *out = p.memoryBusWidth;
      return true;
    case hipDeviceAttributeComputeCapabilityMajor:
      *out = p.major;
      return true;
    case hipDeviceAttributeComputeCapabilityMinor:
      *out = p.minor;
      return true;
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeCanUseStreamWaitValue:
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeFineGrainSupport:
      *out = 1;
      return true;
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
      *out = p.pageableMemoryAccess;
      return true;
    case hipDeviceAttributeManagedMemory:
      *out = p.managedMemory;
      return true;
    case hipDeviceAttributeConcurrentManagedAccess:
      *out = p.concurrentManagedAccess;
      return true;
    case hipDeviceAttributeIntegrated:
      *out = p.integrated;
      return true;
    case hipDeviceAttributePciBusId:
      *out = p.pciBusID;
      return true;
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributePciDomainID:
    case hipDeviceAttributeIsMultiGpuBoard:
    case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeComputeMode:
    case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributeAsicRevision:
    case hipDeviceAttributeAccessPolicyMaxWindowSize:
      *out = 0;
      return true;
    case hipDeviceAttributePersistingL2CacheMaxSize:
      *out = p.l2CacheSize;
      return true;
    case hipDeviceAttributeHostNativeAtomicSupported:
    case hipDeviceAttributeComputePreemptionSupported:
    case hipDeviceAttributeSingleToDoublePrecisionPerfRatio:
    case hipDeviceAttributeAsyncEngineCount:
    case hipDeviceAttributeGlobalL1CacheSupported:
    case hipDeviceAttributeLocalL1CacheSupported:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
      *out = 1;
      return true;
    case hipDeviceAttributeCooperativeMultiDeviceLaunch:
    case hipDeviceAttributeTccDriver:
    case hipDeviceAttributeSurfaceAlignment:
    case hipDeviceAttributeMaxTexture1DWidth:
    case hipDeviceAttributeMaxTexture2DWidth:
    case hipDeviceAttributeMaxTexture2DHeight:
    case hipDeviceAttributeMaxTexture3DWidth:
    case hipDeviceAttributeMaxTexture3DHeight:
    case hipDeviceAttributeMaxTexture3DDepth:
    case hipDeviceAttributeTexturePitchAlignment:
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
    case hipDeviceAttributeHdpMemFlushCntl:
    case hipDeviceAttributeHdpRegFlushCntl:
      *out = 0;
      return true;
    case hipDeviceAttributeTotalConstantMemory:
      *out = static_cast<int>(p.totalConstMem);
      return true;
    case hipDeviceAttributeMaxPitch:
      *out = static_cast<int>(p.memPitch);
      return true;
    case hipDeviceAttributeTextureAlignment:
      *out = 256;
      return true;
    default:
      return attribute_of_rocm_6(attribute, out);
  }
}

// Number of blocks on a compute unit, limited by threads and by shared memory.
int blocks_per_unit(KernelInfo const& kernel, int block, std::size_t shared) {
  int const waves      = (block + wavefront_size() - 1) / wavefront_size();
  int blocks           = threads_per_unit / (waves * wavefront_size());
  auto const per_block = shared + kernel.static_shared;
  if (per_block > shared_per_block) return 0;
  if (per_block > 0) blocks = std::min<int>(blocks, static_cast<int>(shared_per_block / per_block));
  return block > kernel.max_threads ? 0 : blocks;
}

template <class Body>
hipError_t on_kernel(char const* function, void const* entry, Body&& body) {
  return api(function, [&](Call& call) -> hipError_t {
    KernelInfo const* kernel = entry ? Kernels::get().find(entry) : nullptr;
    if (!kernel)
      return call.violation(hipErrorInvalidDeviceFunction, "unknown-kernel",
                            "the address was not registered as a kernel");
    return body(*kernel);
  });
}

template <class Properties = hipDeviceProp_t, class Body>
hipError_t with_properties(char const* function, int device, Body&& body) {
  return api(function, [&](Call&) -> hipError_t {
    Lock lock = Scheduler::get().lock();
    if (!valid_device(device)) return hipErrorInvalidDevice;
    Properties p;
    fill_properties(p, device);
    return body(p);
  });
}

template <class Properties>
hipError_t get_properties(Properties* out, int device) {
  return with_properties<Properties>("hipGetDeviceProperties", device, [&](Properties const& p) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = p;
    return hipSuccess;
  });
}

hipError_t choose_device(int* out, void const* wanted) {
  return api("hipChooseDevice", [&](Call&) -> hipError_t {
    if (!out || !wanted) return hipErrorInvalidValue;
    *out = 0;
    return hipSuccess;
  });
}

}  // namespace
}  // namespace hip_model

using namespace hip_model;

extern "C" {

hipError_t hipGetDeviceProperties(hipDeviceProp_t* out, int device) { return get_properties(out, device); }
hipError_t hipChooseDevice(int* out, hipDeviceProp_t const* wanted) { return choose_device(out, wanted); }
#if HIP_VERSION_MAJOR < 6
// ROCm 6's header renames the two functions above to these by macros.
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* out, int device) { return get_properties(out, device); }
hipError_t hipChooseDeviceR0600(int* out, hipDeviceProp_tR0600 const* wanted) { return choose_device(out, wanted); }
#endif
hipError_t hipDeviceGetAttribute(int* out, hipDeviceAttribute_t attribute, int device) {
  return with_properties("hipDeviceGetAttribute", device, [&](hipDeviceProp_t const& p) -> hipError_t {
    return out && attribute_value(attribute, p, out) ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipDeviceGetName(char* out, int length, hipDevice_t device) {
  return with_properties("hipDeviceGetName", device, [&](hipDeviceProp_t const& p) -> hipError_t {
    if (!out || length <= 0) return hipErrorInvalidValue;
    std::strncpy(out, p.name, static_cast<std::size_t>(length));
    out[length - 1] = '\0';
    return hipSuccess;
  });
}
hipError_t hipDeviceTotalMem(size_t* out, hipDevice_t device) {
  return with_properties("hipDeviceTotalMem", device, [&](hipDeviceProp_t const& p) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    *out = p.totalGlobalMem;
    return hipSuccess;
  });
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return with_properties("hipDeviceComputeCapability", device, [&](hipDeviceProp_t const& p) -> hipError_t {
    if (!major || !minor) return hipErrorInvalidValue;
    *major = p.major;
    *minor = p.minor;
    return hipSuccess;
  });
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* out, void const* entry) {
  return on_kernel("hipFuncGetAttributes", entry, [&](KernelInfo const& kernel) -> hipError_t {
    if (!out) return hipErrorInvalidValue;
    std::memset(out, 0, sizeof *out);
    out->maxThreadsPerBlock        = kernel.max_threads;
    out->numRegs                   = 32;
    out->sharedSizeBytes           = kernel.static_shared;
    out->maxDynamicSharedSizeBytes = static_cast<int>(shared_per_block - kernel.static_shared);
    return hipSuccess;
  });
}
hipError_t hipFuncSetAttribute(void const* entry, hipFuncAttribute attribute, int value) {
  return on_kernel("hipFuncSetAttribute", entry, [&](KernelInfo const& kernel) -> hipError_t {
    bool const fits = value >= 0 && std::size_t(value) + kernel.static_shared <= shared_per_block;
    if (attribute == hipFuncAttributeMaxDynamicSharedMemorySize) return fits ? hipSuccess : hipErrorInvalidValue;
    return attribute == hipFuncAttributePreferredSharedMemoryCarveout ? hipSuccess : hipErrorInvalidValue;
  });
}
hipError_t hipFuncSetCacheConfig(void const* entry, hipFuncCache_t) {
  return on_kernel("hipFuncSetCacheConfig", entry, [](KernelInfo const&) { return hipSuccess; });
}
hipError_t hipFuncSetSharedMemConfig(void const* entry, hipSharedMemConfig) {
  return on_kernel("hipFuncSetSharedMemConfig", entry, [](KernelInfo const&) { return hipSuccess; });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* out, void const* entry, int block, size_t shared) {
  return on_kernel("hipOccupancyMaxActiveBlocksPerMultiprocessor", entry, [&](KernelInfo const& kernel) -> hipError_t {
    if (!out || block <= 0) return hipErrorInvalidValue;
    *out = blocks_per_unit(kernel, block, shared);
    return hipSuccess;
  });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, void const* entry, int block, size_t shared,
                                                                 unsigned flags) {
  return on_kernel("hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", entry,
                   [&](KernelInfo const& kernel) -> hipError_t {
                     if (!out || block <= 0 || flags > 1) return hipErrorInvalidValue;
                     *out = blocks_per_unit(kernel, block, shared);
                     return hipSuccess;
                   });
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, void const* entry, size_t shared, int limit) {
  return on_kernel("hipOccupancyMaxPotentialBlockSize", entry, [&](KernelInfo const& kernel) -> hipError_t {
    if (!grid || !block) return hipErrorInvalidValue;
    int const most = limit > 0 ? std::min(limit, kernel.max_threads) : kernel.max_threads;
    int best       = 0;
    for (int threads = most / wavefront_size() * wavefront_size(); threads > 0; threads -= wavefront_size())
      if (threads * blocks_per_unit(kernel, threads, shared) > best) {
        best   = threads * blocks_per_unit(kernel, threads, shared);
        *block = threads;
        *grid  = blocks_per_unit(kernel, threads, shared) * current_profile().compute_units;
      }
    return best > 0 ? hipSuccess : hipErrorInvalidValue;
  });
}
}
