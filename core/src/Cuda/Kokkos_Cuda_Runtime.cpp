// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Cuda/Kokkos_Cuda_Runtime.hpp>

#include <cstring>

namespace Kokkos::Impl {

static_assert(GPURuntime<CudaRuntime>);
static_assert(GPUGraphRuntime<CudaRuntime>);

namespace {
int attribute(cudaDeviceAttr which, int device, cudaError_t& error) {
  int value         = 0;
  const auto answer = cudaDeviceGetAttribute(&value, which, device);
  if (answer != cudaSuccess) error = answer;
  return value;
}
}  // namespace

cudaError_t CudaRuntime::device_properties(GPUProperties* out, int device) {
  cudaError_t error              = cudaSuccess;
  auto get                       = [&](cudaDeviceAttr which) { return attribute(which, device, error); };
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
  out->compute_major              = get(cudaDevAttrComputeCapabilityMajor);
  out->compute_minor              = get(cudaDevAttrComputeCapabilityMinor);
  if (error != cudaSuccess) return error;
  cudaDeviceProp properties;
  error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) std::memcpy(out->name, properties.name, sizeof out->name - 1);
  return error;
}

cudaError_t CudaRuntime::stream_device(cudaStream_t stream, int* device) {
#if CUDART_VERSION >= 12080
  return cudaStreamGetDevice(stream, device);
#else
  // The driver knows a stream's context; the context's device is asked for with that context made current.
  CUcontext context = nullptr;
  CUdevice found    = 0;
  if (cuStreamGetCtx(stream, &context) != CUDA_SUCCESS || cuCtxPushCurrent(context) != CUDA_SUCCESS)
    return cudaErrorInvalidResourceHandle;
  const CUresult answer = cuCtxGetDevice(&found);
  (void)cuCtxPopCurrent(&context);
  *device = found;
  return answer == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidResourceHandle;
#endif
}

cudaError_t CudaRuntime::graph_retain(cudaStream_t stream, void* object, void (*destroy)(void*)) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph              = nullptr;
#if CUDART_VERSION >= 13000
  cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr, nullptr);
#else
  cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph);
#endif
  if (error != cudaSuccess) return error;
  if (status != cudaStreamCaptureStatusActive) return cudaErrorStreamCaptureInvalidated;
  cudaUserObject_t handle = nullptr;
  error                   = cudaUserObjectCreate(&handle, object, destroy, 1, cudaUserObjectNoDestructorSync);
  if (error != cudaSuccess) return error;
  return cudaGraphRetainUserObject(graph, handle, 1, cudaGraphUserObjectMove);
}

// From CUDA 12.3 on a stream can be captured into a graph that exists. Before, it is captured into a graph of its own,
// which becomes one node.
#if CUDART_VERSION >= 12030 && !defined(KOKKOS_IMPL_CUDA_RECORD_CHILD_GRAPHS)

cudaError_t CudaRuntime::record_begin(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* before,
                                      std::size_t n) {
  return cudaStreamBeginCaptureToGraph(stream, graph, before, nullptr, n, cudaStreamCaptureModeRelaxed);
}

cudaError_t CudaRuntime::record_end(cudaStream_t stream, cudaGraph_t, cudaGraphNode_t const*, std::size_t,
                                    std::vector<cudaGraphNode_t>* ends) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraphNode_t const* last    = nullptr;
  std::size_t count              = 0;
#if CUDART_VERSION >= 13000
  cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count);
#else
  cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, nullptr, &last, &count);
#endif
  if (error == cudaSuccess && status == cudaStreamCaptureStatusActive) ends->assign(last, last + count);
  cudaGraph_t same            = nullptr;
  const cudaError_t end_error = cudaStreamEndCapture(stream, &same);
  if (end_error != cudaSuccess) return end_error;
  return error;
}

#else

cudaError_t CudaRuntime::record_begin(cudaStream_t stream, cudaGraph_t, cudaGraphNode_t const*, std::size_t) {
  return cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
}

cudaError_t CudaRuntime::record_end(cudaStream_t stream, cudaGraph_t graph, cudaGraphNode_t const* before,
                                    std::size_t n, std::vector<cudaGraphNode_t>* ends) {
  cudaGraph_t recorded = nullptr;
  cudaError_t error    = cudaStreamEndCapture(stream, &recorded);
  if (error != cudaSuccess) return error;
  cudaGraphNode_t node = nullptr;
  error                = cudaGraphAddChildGraphNode(&node, graph, before, n, recorded);
  (void)cudaGraphDestroy(recorded);  // the node has a copy
  if (error == cudaSuccess) ends->assign(1, node);
  return error;
}

#endif

// A launch into a stream under capture would say the same, and is refused (cudaErrorStreamCaptureUnsupported,
// CUDA 13.0).
cudaError_t CudaRuntime::graph_capture(cudaGraph_t graph, cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t outer              = nullptr;
  cudaGraphNode_t const* before  = nullptr;
  std::size_t count              = 0;
  cudaGraphNode_t node           = nullptr;
#if CUDART_VERSION >= 13000
  cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, nullptr, &outer, &before, nullptr, &count);
#else
  cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &outer, &before, &count);
#endif
  if (error != cudaSuccess) return error;
  if (status != cudaStreamCaptureStatusActive) return cudaErrorStreamCaptureInvalidated;
  error = cudaGraphAddChildGraphNode(&node, outer, before, count, graph);
  if (error != cudaSuccess) return error;
#if CUDART_VERSION >= 13000
  return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
#else
  return cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
#endif
}

cudaError_t CudaRuntime::pointer_kind(void const* p, PointerKind* kind, int* device) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, p);
  if (error != cudaSuccess) return error;
  *device = attributes.device;
  switch (attributes.type) {
    case cudaMemoryTypeHost: *kind = PointerKind::pinned; break;
    case cudaMemoryTypeDevice: *kind = PointerKind::device; break;
    case cudaMemoryTypeManaged: *kind = PointerKind::managed; break;
    default: *kind = PointerKind::plain;
  }
  return cudaSuccess;
}

}  // namespace Kokkos::Impl
