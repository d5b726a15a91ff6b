// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/GPU/Kokkos_GPU_CallNames.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>
#include <HIP/Kokkos_HIP_Runtime.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace Kokkos::Impl {

static_assert(GPURuntime<HIPRuntime>);
static_assert(GPUGraphRuntime<HIPRuntime>);
static_assert(GPUStagingRuntime<HIPRuntime>);

std::string HIPCalls::call_name(char const* operation) {
  static GPUCallName const others[] = {
      {"device_count", "hipGetDeviceCount"},
      {"device_properties", "hipDeviceGetAttribute or hipGetDeviceProperties"},
      {"event_create", "hipEventCreateWithFlags"},
      {"free_device", "hipFree"},
      {"graph_add_empty", "hipGraphAddEmptyNode"},
      {"graph_capture", "hipStreamGetCaptureInfo_v2, hipGraphAddChildGraphNode or hipStreamUpdateCaptureDependencies"},
      {"graph_instantiate", "hipGraphInstantiateWithFlags"},
      {"graph_retain", "hipStreamGetCaptureInfo_v2, hipUserObjectCreate or hipGraphRetainUserObject"},
      {"kernel_limits", "hipFuncGetAttributes"},
      {"launch", "hipLaunchKernel"},
      {"launch_host_function", "hipLaunchHostFunc"},
      {"malloc_device", "hipMalloc"},
      {"malloc_device_async", "hipMallocAsync"},
      {"malloc_pinned", "hipHostMalloc"},
      {"malloc_pinned_view", "hipHostMalloc"},
      {"memcpy_2d_between_devices", "hipMemcpy2DAsync"},
      {"memory_info", "hipMemGetInfo"},
      {"memcpy_to_symbol", "hipGetSymbolAddress, or hipMemcpyAsync in a stream of hipStreamCreateWithFlags,"},
      {"record_begin", "hipStreamBeginCapture"},
      {"record_end", "hipStreamEndCapture or hipGraphAddChildGraphNode"},
      {"stream_create_unordered", "hipStreamCreateWithFlags"},
#if KOKKOS_IMPL_HIP_HAS_STREAM_DEVICE
      {"stream_device", "hipStreamGetDevice"},
#else
      {"stream_device", "hipGetStreamDeviceId"},
#endif
      {"stream_values", "hipStreamWaitValue32 or hipStreamWriteValue32"},
  };
  return gpu_call_name("hip", others, operation);
}

char const* HIPCalls::explain(hipError_t e) {
  switch (e) {
    case hipErrorCapturedEvent:
      return "ROCm also returns this code, without any capture, for an event whose stream has been destroyed "
             "(ROCm issue 4670)";
    case hipErrorStreamCaptureUnsupported:
    case hipErrorStreamCaptureImplicit:
      return "a stream of this process is being captured, perhaps by another thread, and HIP forbids the call "
             "meanwhile";
    case hipErrorNoBinaryForGpu:
      return "the program contains no code for this GPU: configure Kokkos with its architecture, as in "
             "-DKokkos_ARCH_AMD_GFX90A=ON for an MI250X";
    case hipErrorOutOfMemory:
      return "free memory first, or request less";
    case hipErrorIllegalAddress:
      return "a build with Kokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON reports the index; the GPU runs nothing more for this "
             "process, "
             "which can still finalize";
    case hipErrorAssert:
    case hipErrorLaunchFailure:
      return "the GPU runs nothing more for this process, which can still finalize";
    case hipErrorNotSupported:
      return "this ROCm lacks it; launches into captured streams need ROCm 5.3 or later";
    default:
      return nullptr;
  }
}

std::string HIPCalls::why_no_device(hipError_t e) {
  if (e == hipSuccess || e == hipErrorNoDevice) {
    for (char const* name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"})
      if (char const* chosen = std::getenv(name))
        return std::string("the driver shows no GPU. ") + name + "=" + chosen +
               " hides those that it does not list: unset it, or list the numbers that rocminfo shows.";
    return "the driver shows no GPU. Run where there is one, as a user who may open /dev/kfd and /dev/dri (the groups "
           "render and video); a container needs access to both. The command rocminfo lists the GPUs that ROCm finds.";
  }
  return "hipGetDeviceCount answers " + gpu_error_text<HIPRuntime>(e) +
         ". The command rocminfo shows whether driver and GPU work.";
}

namespace {
int attribute(hipDeviceAttribute_t which, int device, hipError_t& error) {
  int value         = 0;
  auto const answer = hipDeviceGetAttribute(&value, which, device);
  if (answer != hipSuccess) error = answer;
  return value;
}

/// An attribute, or `otherwise` for one that some ROCm versions lack.
int attribute_or(int otherwise, hipDeviceAttribute_t which, int device) {
  int value = 0;
  if (hipDeviceGetAttribute(&value, which, device) == hipSuccess) return value;
  (void)hipGetLastError();
  return otherwise;
}
}  // namespace

hipError_t HIPCalls::device_properties(GPUProperties* out, int device) {
  hipError_t error                = hipSuccess;
  auto get                        = [&](hipDeviceAttribute_t which) { return attribute(which, device, error); };
  out->warp_size                  = get(hipDeviceAttributeWarpSize);
  out->multiprocessors            = get(hipDeviceAttributeMultiprocessorCount);
  out->threads_per_block          = get(hipDeviceAttributeMaxThreadsPerBlock);
  out->threads_per_multiprocessor = get(hipDeviceAttributeMaxThreadsPerMultiProcessor);
  out->registers_per_block        = get(hipDeviceAttributeMaxRegistersPerBlock);
  out->shared_per_block           = get(hipDeviceAttributeMaxSharedMemoryPerBlock);
  out->compute_major              = get(hipDeviceAttributeComputeCapabilityMajor);
  out->compute_minor              = get(hipDeviceAttributeComputeCapabilityMinor);
  if (error != hipSuccess) return error;
  // A block of one wavefront uses no barrier, so only the number of wavefronts limits the number of such blocks.
  out->blocks_per_multiprocessor = attribute_or(out->threads_per_multiprocessor / out->warp_size,
                                                hipDeviceAttributeMaxBlocksPerMultiProcessor, device);
  out->shared_per_multiprocessor =
      attribute_or(static_cast<int>(out->shared_per_block), hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, device);
  out->l2_bytes           = attribute_or(0, hipDeviceAttributeL2CacheSize, device);
  out->managed_concurrent = attribute_or(0, hipDeviceAttributeConcurrentManagedAccess, device) != 0;
  out->pageable_access    = attribute_or(0, hipDeviceAttributePageableMemoryAccess, device) != 0;
  // False even if the device has memory pools: only later versions of ROCm allow hipFree for memory from
  // hipMallocAsync.
  out->async_allocation = false;
  // hipDeviceAttributeCanUseStreamWaitValue refers to waits by the command processor, on signal memory. ROCm waits with
  // a kernel unless GPU_STREAMOPS_CP_WAIT is set (clr: hipamd/src/hip_stream_ops.cpp, rocclr/utils/flags.hpp), and the
  // kernel works on any memory. If ROCm refuses, the first step returns an error.
  out->stream_values = true;
  hipDeviceProp_t properties;
  error = hipGetDeviceProperties(&properties, device);
  if (error != hipSuccess) return error;
  out->memory_bytes = properties.totalGlobalMem;
  std::memcpy(out->name, properties.name, sizeof out->name - 1);
  return error;
}

hipError_t HIPCalls::stream_values(hipStream_t stream, GPUValueStep const* steps, int n) {
  for (int i = 0; i < n; ++i) {
    hipError_t const error =
        steps[i].what == GPUValueStep::wait_at_least
            ? hipStreamWaitValue32(stream, steps[i].word, steps[i].value, hipStreamWaitValueGte, 0xffffffffu)
            : hipStreamWriteValue32(stream, steps[i].word, steps[i].value, 0);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

hipError_t HIPCalls::stream_device(hipStream_t stream, int* device) {
#if KOKKOS_IMPL_HIP_HAS_STREAM_DEVICE
  hipDevice_t found      = 0;
  hipError_t const error = hipStreamGetDevice(stream, &found);
  *device                = found;
  return error;
#else
  *device = hipGetStreamDeviceId(stream);
  return *device < 0 ? hipErrorInvalidHandle : hipSuccess;
#endif
}

hipError_t HIPCalls::capture_of(hipStream_t stream, Capture* capture) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  hipError_t const error =
      hipStreamGetCaptureInfo_v2(stream, &status, nullptr, &capture->graph, &capture->before, &capture->count);
  if (error != hipSuccess) return error;
  return status == hipStreamCaptureStatusActive ? hipSuccess : hipErrorStreamCaptureInvalidated;
}

hipError_t HIPCalls::graph_retain(hipStream_t stream, void* object, void (*destroy)(void*)) {
#if KOKKOS_IMPL_GPU_HAS_USER_OBJECTS
  Capture capture;
  hipError_t const error = capture_of(stream, &capture);
  return error != hipSuccess ? error : retain_by_user_object(capture.graph, object, destroy);
#else
  (void)stream, (void)object, (void)destroy;
  return hipErrorNotSupported;
#endif
}

#if KOKKOS_IMPL_HIP_HAS_HOST_FUNCTIONS

hipError_t HIPCalls::launch_host_function(hipStream_t stream, void (*f)(void*), void* argument) {
  return hipLaunchHostFunc(stream, f, argument);
}

#else

namespace {
struct HostCall {
  void (*function)(void*);
  void* argument;

  static void run(hipStream_t, hipError_t, void* call) {
    std::unique_ptr<HostCall> const own(static_cast<HostCall*>(call));
    own->function(own->argument);
  }
};
}  // namespace

// A callback of the stream. A stream under capture accepts no callback, but its graph has nodes for this.
hipError_t HIPCalls::launch_host_function(hipStream_t stream, void (*f)(void*), void* argument) {
  bool capturing   = false;
  hipError_t error = stream_is_capturing(stream, &capturing);
  if (error != hipSuccess) return error;
  if (!capturing) {
    auto call = std::make_unique<HostCall>(HostCall{f, argument});
    error     = hipStreamAddCallback(stream, &HostCall::run, call.get(), 0);
    if (error == hipSuccess) (void)call.release();
    return error;
  }
  Capture capture;
  error = capture_of(stream, &capture);
  if (error != hipSuccess) return error;
  hipHostNodeParams const parameters{f, argument};
  hipGraphNode_t node = nullptr;
  error               = hipGraphAddHostNode(&node, capture.graph, capture.before, capture.count, &parameters);
  if (error != hipSuccess) return error;
  return hipStreamUpdateCaptureDependencies(stream, &node, 1, hipStreamSetCaptureDependencies);
}

#endif

hipError_t HIPCalls::record_begin(hipStream_t stream, hipGraph_t, hipGraphNode_t const*, std::size_t) {
  return record_child_begin(stream);
}

hipError_t HIPCalls::record_end(hipStream_t stream, hipGraph_t graph, hipGraphNode_t const* before, std::size_t n,
                                std::vector<hipGraphNode_t>* ends) {
  return record_child_end(stream, graph, before, n, ends);
}

hipError_t HIPCalls::graph_capture(hipGraph_t graph, hipStream_t stream) {
  Capture capture;
  hipGraphNode_t node = nullptr;
  hipError_t error    = capture_of(stream, &capture);
  if (error == hipSuccess) error = add_child_graph(&node, capture.graph, capture.before, capture.count, graph);
  if (error != hipSuccess) return error;
  return hipStreamUpdateCaptureDependencies(stream, &node, 1, hipStreamSetCaptureDependencies);
}

// ROCm 6.3 deprecates these two in favour of names that earlier versions lack, or deprecate themselves.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
hipError_t HIPCalls::malloc_pinned(void** p, std::size_t n) {
  return hipHostMalloc(p, n, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
}
hipError_t HIPCalls::malloc_pinned_view(void** p, std::size_t n) {
  return hipHostMalloc(p, n, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocNonCoherent);
}
hipError_t HIPCalls::free_pinned(void* p) { return hipHostFree(p); }
#pragma GCC diagnostic pop

namespace {
// Without the advice the memory is fine-grained: slower, and otherwise the same.
void advise(void* p, std::size_t n, hipMemoryAdvise advice) {
  int device = 0;
  if (n == 0) return;
  if (hipGetDevice(&device) != hipSuccess || hipMemAdvise(p, n, advice, device) != hipSuccess) (void)hipGetLastError();
}
}  // namespace

hipError_t HIPCalls::malloc_managed(void** p, std::size_t n) {
  hipError_t const error = hipMallocManaged(p, n, hipMemAttachGlobal);
  if (error == hipSuccess) advise(*p, n, hipMemAdviseSetCoarseGrain);
  return error;
}
hipError_t HIPCalls::free_managed(void* p, std::size_t n) {
  advise(p, n, hipMemAdviseUnsetCoarseGrain);
  return hipFree(p);
}

hipError_t HIPCalls::pointer_kind(void const* p, MemoryKind* kind, int* device) {
  *kind   = MemoryKind::pageable;
  *device = -1;
  hipPointerAttribute_t attributes{};
  hipError_t const error = hipPointerGetAttributes(&attributes, p);
  if (error == hipErrorInvalidValue) {
    // ROCm 5 returns this for memory that the runtime does not know.
    (void)hipGetLastError();
    return hipSuccess;
  }
  if (error != hipSuccess) return error;
#if KOKKOS_IMPL_ROCM_AT_LEAST(6, 0)
  const hipMemoryType type = attributes.type;
#else
  const hipMemoryType type = attributes.memoryType;
#endif
  *device = attributes.device;
  if (attributes.isManaged)
    *kind = MemoryKind::managed;
  else if (type == hipMemoryTypeDevice)
    *kind = MemoryKind::device;
  else if (type == hipMemoryTypeHost)
    *kind = MemoryKind::pinned;
  return hipSuccess;
}

}  // namespace Kokkos::Impl
