// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Cuda/Kokkos_Cuda_Runtime.hpp>
#include <impl/GPU/Kokkos_GPU_CallNames.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace Kokkos::Impl {

static_assert(GPURuntime<CudaRuntime>);
static_assert(GPUGraphRuntime<CudaRuntime>);
static_assert(GPUStagingRuntime<CudaRuntime>);

namespace {
int attribute(cudaDeviceAttr which, int device, cudaError_t& error) {
  int value         = 0;
  auto const answer = cudaDeviceGetAttribute(&value, which, device);
  if (answer != cudaSuccess) error = answer;
  return value;
}

// A function of the driver, obtained from the runtime, so that the program need not be linked with the driver. Null if
// the driver is older than that version of the function.
template <class Function>
Function driver_function(char const* name, [[maybe_unused]] unsigned version) {
  void* address = nullptr;
#if CUDART_VERSION >= 12050
  cudaDriverEntryPointQueryResult found;
  cudaError_t const error = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
#else
  const cudaError_t error = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault);
#endif
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    address = nullptr;
  }
  return reinterpret_cast<Function>(address);
}
// The second version of these functions (CUDA 11.7) requires no device attribute.
auto batch_memory_operations() {
  using Function             = CUresult(CUDAAPI*)(CUstream, unsigned, CUstreamBatchMemOpParams*, unsigned);
  static auto const function = driver_function<Function>("cuStreamBatchMemOp", 11070);
  return function;
}
}  // namespace

std::string CudaCalls::call_name(char const* operation) {
  static GPUCallName const others[] = {
      {"device_count", "cudaGetDeviceCount"},
      {"memory_info", "cudaMemGetInfo"},
      {"device_properties", "cudaDeviceGetAttribute or cudaGetDeviceProperties"},
      {"event_create", "cudaEventCreateWithFlags"},
      {"free_device", "cudaFree"},
      {"graph_add_empty", "cudaGraphAddEmptyNode"},
      {"graph_capture", "cudaGraphAddChildGraphNode, or a question about the capture,"},
      {"graph_instantiate", "cudaGraphInstantiateWithFlags"},
      {"graph_retain", "cudaUserObjectCreate, cudaGraphRetainUserObject, or a question about the capture,"},
      {"kernel_allow_shared", "cudaFuncSetAttribute"},
      {"kernel_limits", "cudaFuncGetAttributes"},
      {"launch", "cudaLaunchKernel"},
      {"launch_host_function", "cudaLaunchHostFunc"},
      {"malloc_device", "cudaMalloc"},
      {"malloc_device_async", "cudaMallocAsync"},
      {"malloc_pinned", "cudaHostAlloc"},
      {"malloc_pinned_view", "cudaHostAlloc"},
      {"memcpy_2d_between_devices", "cudaMemcpy3DPeerAsync"},
      {"memcpy_to_symbol", "cudaGetSymbolAddress, or cudaMemcpyAsync in a stream of cudaStreamCreateWithFlags,"},
      {"record_begin", "cudaStreamBeginCapture"},
      {"record_end", "cudaStreamEndCapture"},
      {"stream_create_unordered", "cudaStreamCreateWithFlags"},
      {"stream_device", "cuStreamGetCtx"},
      {"stream_values", "cuStreamBatchMemOp"},
  };
  return gpu_call_name("cuda", others, operation);
}

char const* CudaCalls::explain(cudaError_t e) {
  switch (e) {
    case cudaErrorNoKernelImageForDevice:
      return "the program contains no code for this GPU: configure Kokkos with its architecture, as in "
             "-DKokkos_ARCH_HOPPER90=ON for an H100 or H200";
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureImplicit:
      return "a stream of this process is being captured, perhaps by another thread, and CUDA forbids the call "
             "meanwhile";
    case cudaErrorMemoryAllocation:
      return "free memory first, or request less";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
      return "compute-sanitizer reports the line, and a build with Kokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON the index; the "
             "GPU runs nothing more for this process, which can still finalize";
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchTimeout:
      return "the GPU runs nothing more for this process, which can still finalize";
    default:
      return nullptr;
  }
}

namespace {
std::string version_words(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}
}  // namespace

std::string CudaCalls::why_no_device(cudaError_t e) {
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  std::string const built = "the program was built with CUDA " + version_words(runtime);
  if (driver == 0)
    return built +
           ", and this machine has no NVIDIA driver (libcuda.so.1). Run where there is a GPU and its driver; a "
           "container needs access to both, for example by docker run --gpus all.";
  if (driver / 1000 < runtime / 1000)  // within a major version, older drivers work
    return built + ", and the driver supports CUDA " + version_words(driver) +
           " at most. Install a newer driver, or build with a toolkit of CUDA " + std::to_string(driver / 1000) + '.';
  if (e == cudaSuccess || e == cudaErrorNoDevice) {
    char const* chosen = std::getenv("CUDA_VISIBLE_DEVICES");
    return "the driver shows no GPU" +
           (chosen ? std::string(". CUDA_VISIBLE_DEVICES=") + chosen +
                         " hides those that it does not list: unset it, or "
                         "list the numbers that nvidia-smi -L shows."
                   : std::string(". Run where there is one; nvidia-smi -L lists those that the driver finds."));
  }
  return "cudaGetDeviceCount answers " + gpu_error_text<CudaRuntime>(e) +
         ". The command nvidia-smi shows whether driver and GPU work.";
}

cudaError_t CudaCalls::device_properties(GPUProperties* out, int device) {
  cudaError_t error               = cudaSuccess;
  auto get                        = [&](cudaDeviceAttr which) { return attribute(which, device, error); };
  out->warp_size                  = get(cudaDevAttrWarpSize);
  out->multiprocessors            = get(cudaDevAttrMultiProcessorCount);
  out->threads_per_block          = get(cudaDevAttrMaxThreadsPerBlock);
  out->threads_per_multiprocessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  out->blocks_per_multiprocessor  = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  out->registers_per_block        = get(cudaDevAttrMaxRegistersPerBlock);
  out->shared_per_block           = get(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  out->shared_per_multiprocessor  = get(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  out->shared_reserved            = get(cudaDevAttrReservedSharedMemoryPerBlock);
  out->l2_bytes                   = get(cudaDevAttrL2CacheSize);
  out->async_allocation           = get(cudaDevAttrMemoryPoolsSupported) != 0;
  out->managed_concurrent         = get(cudaDevAttrConcurrentManagedAccess) != 0;
  out->pageable_access            = get(cudaDevAttrPageableMemoryAccess) != 0;
  out->stream_values              = batch_memory_operations() != nullptr;
  out->compute_major              = get(cudaDevAttrComputeCapabilityMajor);
  out->compute_minor              = get(cudaDevAttrComputeCapabilityMinor);
  if (error != cudaSuccess) return error;
  cudaDeviceProp properties;
  error = cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess) return error;
  out->memory_bytes = properties.totalGlobalMem;
  std::memcpy(out->name, properties.name, sizeof out->name - 1);
  return error;
}

// cudaStreamGetDevice would be one call, but it invalidates the capture of a stream that is being captured (seen with
// CUDA 13.0). Instead, the driver returns the stream's context. With that context current, the runtime returns the
// context's device.
cudaError_t CudaCalls::stream_device(cudaStream_t stream, int* device) {
  static auto const stream_context = driver_function<CUresult(CUDAAPI*)(CUstream, CUcontext*)>("cuStreamGetCtx", 9020);
  static auto const push           = driver_function<CUresult(CUDAAPI*)(CUcontext)>("cuCtxPushCurrent", 4000);
  static auto const pop            = driver_function<CUresult(CUDAAPI*)(CUcontext*)>("cuCtxPopCurrent", 4000);
  static auto const device_of_current = driver_function<CUresult(CUDAAPI*)(CUdevice*)>("cuCtxGetDevice", 2000);
  if (!stream_context || !push || !pop || !device_of_current) return cudaErrorNotSupported;
  CUcontext context = nullptr;
  CUdevice found    = 0;
  if (stream_context(stream, &context) != CUDA_SUCCESS || push(context) != CUDA_SUCCESS)
    return cudaErrorInvalidResourceHandle;
  CUresult const answer = device_of_current(&found);
  (void)pop(&context);
  *device = found;
  return answer == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t CudaCalls::share_memory_pools(int one, int other) {
  for (auto const& [owner, reader] : {std::pair(one, other), std::pair(other, one)}) {
    int can            = 0;
    cudaMemPool_t pool = nullptr;
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id   = reader;
    access.flags         = cudaMemAccessFlagsProtReadWrite;
    cudaError_t error    = cudaDeviceCanAccessPeer(&can, reader, owner);
    if (error == cudaSuccess && !can) error = cudaErrorPeerAccessUnsupported;
    if (error == cudaSuccess) error = cudaDeviceGetMemPool(&pool, owner);
    if (error == cudaSuccess) error = cudaMemPoolSetAccess(pool, &access, 1);
    // Memory that belongs to no pool of CUDA.
    if (error == cudaSuccess) {
      DeviceScope<CudaRuntime> const scope(reader);
      error = cudaDeviceEnablePeerAccess(owner, 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        error = cudaSuccess;
      }
    }
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t CudaCalls::memcpy_2d_between_devices(void* dst, std::size_t dst_pitch, int dst_device, void const* src,
                                                 std::size_t src_pitch, int src_device, std::size_t width,
                                                 std::size_t rows, cudaStream_t s) {
  cudaMemcpy3DPeerParms copy{};
  copy.dstPtr    = make_cudaPitchedPtr(dst, dst_pitch, width, rows);
  copy.dstDevice = dst_device;
  copy.srcPtr    = make_cudaPitchedPtr(const_cast<void*>(src), src_pitch, width, rows);
  copy.srcDevice = src_device;
  copy.extent    = make_cudaExtent(width, rows, 1);
  return cudaMemcpy3DPeerAsync(&copy, s);
}

cudaError_t CudaCalls::register_host(void* p, std::size_t n) {
  int device = 0, same_address = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&same_address, cudaDevAttrCanUseHostPointerForRegisteredMem, device);
  if (error != cudaSuccess) return error;
  if (!same_address) return cudaErrorNotSupported;
  return cudaHostRegister(p, n, cudaHostRegisterPortable | cudaHostRegisterMapped);
}

cudaError_t CudaCalls::launch_before_others(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                            std::size_t shared, cudaStream_t stream) {
  int least = 0, greatest = 0;
  cudaError_t error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
  if (error != cudaSuccess) return error;
  cudaLaunchAttribute attribute{};
  attribute.id           = cudaLaunchAttributePriority;
  attribute.val.priority = greatest;
  cudaLaunchConfig_t config{};
  config.gridDim          = grid;
  config.blockDim         = block;
  config.dynamicSmemBytes = shared;
  config.stream           = stream;
  config.attrs            = &attribute;
  config.numAttrs         = 1;
  return cudaLaunchKernelExC(&config, kernel, arguments);
}

bool CudaCalls::repeats_kernels() { return std::getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR") != nullptr; }

cudaError_t CudaCalls::stream_values(cudaStream_t stream, GPUValueStep const* steps, int n) {
  constexpr int most = 8;
  if (n > most || !batch_memory_operations()) return cudaErrorNotSupported;
  CUstreamBatchMemOpParams operations[most] = {};
  for (int i = 0; i < n; ++i) {
    // Pinned memory has one address for host and device.
    auto const address = reinterpret_cast<CUdeviceptr>(steps[i].word);
    if (steps[i].what == GPUValueStep::wait_at_least) {
      operations[i].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
      operations[i].waitValue.address   = address;
      operations[i].waitValue.value     = steps[i].value;
      operations[i].waitValue.flags     = CU_STREAM_WAIT_VALUE_GEQ;
    } else {
      operations[i].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
      operations[i].writeValue.address   = address;
      operations[i].writeValue.value     = steps[i].value;
      operations[i].writeValue.flags     = CU_STREAM_WRITE_VALUE_DEFAULT;  // preceded by a fence of the whole system
    }
  }
  // The driver and the runtime use the same error numbers.
  return static_cast<cudaError_t>(batch_memory_operations()(stream, static_cast<unsigned>(n), operations, 0));
}

cudaError_t CudaCalls::capture_of(cudaStream_t stream, Capture* capture) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 13000
  const cudaError_t error =
      cudaStreamGetCaptureInfo(stream, &status, nullptr, &capture->graph, &capture->before, nullptr, &capture->count);
#else
  const cudaError_t error =
      cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &capture->graph, &capture->before, &capture->count);
#endif
  if (error != cudaSuccess) return error;
  return status == cudaStreamCaptureStatusActive ? cudaSuccess : cudaErrorStreamCaptureInvalidated;
}

cudaError_t CudaCalls::graph_retain(cudaStream_t stream, void* object, void (*destroy)(void*)) {
  Capture capture;
  cudaError_t const error = capture_of(stream, &capture);
  return error != cudaSuccess ? error : retain_by_user_object(capture.graph, object, destroy);
}

// Since CUDA 12.3 a stream can be captured into an existing graph. In earlier versions it is captured into a separate
// graph, which becomes one node.
#if CUDART_VERSION >= 12030 && !defined(KOKKOS_IMPL_CUDA_RECORD_CHILD_GRAPHS)

cudaError_t CudaCalls::record_begin(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* before,
                                    std::size_t n) {
  return cudaStreamBeginCaptureToGraph(stream, graph, before, nullptr, n, cudaStreamCaptureModeRelaxed);
}

cudaError_t CudaCalls::record_end(cudaStream_t stream, cudaGraph_t, cudaGraphNode_t const*, std::size_t,
                                  std::vector<cudaGraphNode_t>* ends) {
  Capture capture;
  cudaError_t const error = capture_of(stream, &capture);
  if (error == cudaSuccess) ends->assign(capture.before, capture.before + capture.count);
  cudaGraph_t same            = nullptr;  // the captured graph: the caller's
  cudaError_t const end_error = end_capture(stream, &same);
  // An invalidated capture must be ended, too, and its end returns the reason.
  return end_error != cudaSuccess ? end_error : error;
}

#else

cudaError_t CudaCalls::record_begin(cudaStream_t stream, cudaGraph_t, cudaGraphNode_t const*, std::size_t) {
  return record_child_begin(stream);
}

cudaError_t CudaCalls::record_end(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* before, std::size_t n,
                                  std::vector<cudaGraphNode_t>* ends) {
  return record_child_end(stream, graph, before, n, ends);
}

#endif

// A launch into a stream under capture would have the same effect, but is refused (cudaErrorStreamCaptureUnsupported,
// CUDA 13.0).
cudaError_t CudaCalls::graph_capture(cudaGraph_t graph, cudaStream_t stream) {
  Capture capture;
  cudaGraphNode_t node = nullptr;
  cudaError_t error    = capture_of(stream, &capture);
  if (error == cudaSuccess) error = add_child_graph(&node, capture.graph, capture.before, capture.count, graph);
  if (error != cudaSuccess) return error;
#if CUDART_VERSION >= 13000
  return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
#else
  return cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
#endif
}

cudaError_t CudaCalls::pointer_kind(void const* p, MemoryKind* kind, int* device) {
  cudaPointerAttributes attributes{};
  cudaError_t const error = cudaPointerGetAttributes(&attributes, p);
  if (error != cudaSuccess) return error;
  *device = attributes.device;
  switch (attributes.type) {
    case cudaMemoryTypeHost:
      *kind = MemoryKind::pinned;
      break;
    case cudaMemoryTypeDevice:
      *kind = MemoryKind::device;
      break;
    case cudaMemoryTypeManaged:
      *kind = MemoryKind::managed;
      break;
    default:
      *kind = MemoryKind::pageable;
  }
  return cudaSuccess;
}

}  // namespace Kokkos::Impl
