// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_ROCM6_HPP
#define KOKKOS_TEST_HIP_MODEL_ROCM6_HPP

/// \file
/// The declarations of ROCm 5.3 to 6.4 in the HIP model (a test instrument) that ROCm 5.2 lacks, whose header it is
/// built with.
///
/// Sources: hip/hip_runtime_api.h of ROCm 6.2 (github.com/ROCm/HIP, tag rocm-6.2.0) for names, values and signatures;
/// hipamd/src/hip_hcc.map.in (github.com/ROCm/clr, tag rocm-6.2.0) for the version that introduced each. Empty with the
/// header of a ROCm that declares them itself.

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>

#ifndef hipStreamLegacy  // a macro since ROCm 6.1
#define hipStreamLegacy ((hipStream_t)1)
#endif

#if HIP_VERSION_MAJOR < 5 || (HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 3)

typedef struct hipUserObject* hipUserObject_t;
typedef enum hipUserObjectFlags { hipUserObjectNoDestructorSync = 0x1 } hipUserObjectFlags;
typedef enum hipUserObjectRetainFlags { hipGraphUserObjectMove = 0x1 } hipUserObjectRetainFlags;

typedef struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  hipMemAccessDesc const* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;
} hipMemAllocNodeParams;
typedef enum hipGraphMemAttributeType {
  hipGraphMemAttrUsedMemCurrent,
  hipGraphMemAttrUsedMemHigh,
  hipGraphMemAttrReservedMemCurrent,
  hipGraphMemAttrReservedMemHigh
} hipGraphMemAttributeType;

extern "C" {
hipError_t hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags);  // 5.3
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count);       // 5.3
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count);        // 5.3
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count,
                                    unsigned int flags);                                             // 5.3
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count);  // 5.3
hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream);                             // 5.3
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, char const* path, unsigned int flags);            // 5.3
hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value);                                   // 5.3
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);                              // 5.6
hipError_t hipDrvGetErrorName(hipError_t code, char const** out);                                    // 5.5
hipError_t hipDrvGetErrorString(hipError_t code, char const** out);                                  // 5.5
hipError_t hipExtHostAlloc(void** pointer, size_t bytes, unsigned int flags);                        // 6.3
hipError_t hipExtGetLastError();                                                                     // 6.0
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph, hipGraphNode_t const* dependencies,
                                   size_t count, hipMemAllocNodeParams* params);               // 5.5
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* params);  // 5.5
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, hipGraphNode_t const* dependencies,
                                  size_t count, void* memory);                                                 // 5.5
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* memory);                                    // 5.5
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);         // 5.3
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);         // 5.3
hipError_t hipDeviceGraphMemTrim(int device);                                                                  // 5.3
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to);                           // 5.5
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t graph, hipGraphNode_t node, unsigned int enabled);            // 5.5
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t graph, hipGraphNode_t node, unsigned int* enabled);           // 5.5
hipError_t hipPointerSetAttribute(void const* value, hipPointer_attribute attribute, hipDeviceptr_t pointer);  // 5.5
}

#endif

#if HIP_VERSION_MAJOR < 6

// The properties of a device as programs compiled against ROCm 6 expect them. ROCm 6's header renames hipDeviceProp_t,
// hipGetDeviceProperties and hipChooseDevice to these names by macros.
typedef struct hipDeviceProp_tR0600 {
  char name[256];
  char uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
  int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
  int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
  int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
  int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
  int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseHipArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
  int memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
  int reserved[63], hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;
  hipDeviceArch_t arch;
  unsigned *hdpMemFlushCntl, *hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedSharedMem;
  int isLargeBar, asicRevision;
} hipDeviceProp_tR0600;

extern "C" {
hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* out, int device);
hipError_t hipChooseDeviceR0600(int* out, hipDeviceProp_tR0600 const* wanted);
}

#endif
#endif
