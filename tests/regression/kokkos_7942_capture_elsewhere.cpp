// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/7942, seen in xRAGE with HIP up to 6.4.0 beta 2. While a program captured
// one of its streams, the second kernel with a functor between 512 bytes and 32 KB failed: hipEventSynchronize on the
// event of the constant-memory buffer returned hipErrorStreamCaptureUnsupported, although that event and its stream
// were unrelated to the capture. The call also invalidated the capture.
//
// `upstream` is that protocol in plain HIP calls: it fails under every ROCm profile. `remedy` is the protocol of GPU/:
// during its own calls, the thread declares that captures by other threads do not matter. It would fail again if GPU/
// queried an event outside of a RelaxedCaptureScope.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void succeeds(hipError_t error, char const* call) {
  if (error == hipSuccess) return;
  std::printf("%s: %s (%s)\n", call, hipGetErrorName(error), hipGetErrorString(error));
  std::exit(1);
}
#define HIP(call) succeeds(call, #call)

int main(int argc, char** argv) {
  bool const remedy = argc > 1 && std::strcmp(argv[1], "remedy") == 0;
  void *buffer, *staging, *of_the_program;
  hipEvent_t buffer_is_free;
  hipStream_t kokkos, captured;
  HIP(hipMalloc(&buffer, 1024));
  HIP(hipHostMalloc(&staging, 1024, 0));
  HIP(hipMalloc(&of_the_program, 1024));
  HIP(hipEventCreateWithFlags(&buffer_is_free, hipEventDisableTiming));
  HIP(hipStreamCreate(&kokkos));
  HIP(hipStreamCreate(&captured));

  HIP(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal));
  HIP(hipMemsetAsync(of_the_program, 0, 1024, captured));
  for (int kernel = 0; kernel < 10; ++kernel) {
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    if (remedy) HIP(hipThreadExchangeStreamCaptureMode(&mode));
    HIP(hipEventSynchronize(buffer_is_free));
    if (remedy) HIP(hipThreadExchangeStreamCaptureMode(&mode));
    HIP(hipMemcpyAsync(buffer, staging, 1024, hipMemcpyHostToDevice, kokkos));
    HIP(hipMemsetAsync(buffer, 0, 8, kokkos));  // in place of the kernel
    HIP(hipEventRecord(buffer_is_free, kokkos));
  }
  hipGraph_t graph;
  HIP(hipStreamEndCapture(captured, &graph));
  HIP(hipGraphDestroy(graph));

  HIP(hipStreamSynchronize(kokkos));
  HIP(hipEventDestroy(buffer_is_free));
  HIP(hipStreamDestroy(captured));
  HIP(hipStreamDestroy(kokkos));
  HIP(hipFree(of_the_program));
  HIP(hipHostFree(staging));
  HIP(hipFree(buffer));
  std::puts("no call failed");
}
