// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/8006, github.com/ROCm/ROCm/issues/4670. Kernels with functors between 512
// bytes and 32 KB failed occasionally, on a Radeon PRO VII with ROCm 6.3 and, more often, 6.4: hipEventSynchronize
// returned hipErrorCapturedEvent. One event for each device marks when the constant-memory buffer is free again. It was
// last recorded in the stream of an instance that had been destroyed since, and HIP read the destroyed stream's memory.
//
// `upstream` is that protocol in plain HIP calls: it fails under the profile radeon-pro-vii-rocm-6.4. `remedy` is the
// protocol of GPU/: a stream is drained and the event forgotten before the stream is destroyed. It would fail again if
// an event could outlive its stream and be waited for.
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

struct Device {
  void* constant_buffer     = nullptr;
  char* staging             = nullptr;
  hipEvent_t buffer_is_free = nullptr;
  bool recorded             = false;
};

// One launch through the buffer of the device. The copy represents the transfer of the functor, the fill represents the
// kernel.
static void launch(Device& device, hipStream_t stream) {
  if (device.recorded) HIP(hipEventSynchronize(device.buffer_is_free));
  std::memset(device.staging, 1, 1024);
  HIP(hipMemcpyAsync(device.constant_buffer, device.staging, 1024, hipMemcpyHostToDevice, stream));
  HIP(hipMemsetAsync(device.constant_buffer, 0, 8, stream));
  HIP(hipEventRecord(device.buffer_is_free, stream));
  device.recorded = true;
}

static void end_instance(Device& device, hipStream_t stream, bool remedy) {
  if (remedy) {
    HIP(hipStreamSynchronize(stream));  // all of its events have happened
    device.recorded = false;            // and no later call queries it
  }
  HIP(hipStreamDestroy(stream));
}

int main(int argc, char** argv) {
  bool const remedy = argc > 1 && std::strcmp(argv[1], "remedy") == 0;
  Device device;
  HIP(hipMalloc(&device.constant_buffer, 1024));
  HIP(hipHostMalloc(reinterpret_cast<void**>(&device.staging), 1024, 0));
  HIP(hipEventCreateWithFlags(&device.buffer_is_free, hipEventDisableTiming));
  for (int round = 0; round < 100; ++round) {
    hipStream_t first, second;
    HIP(hipStreamCreate(&first));
    launch(device, first);
    HIP(hipStreamCreate(&second));
    end_instance(device, first, remedy);
    launch(device, second);
    end_instance(device, second, remedy);
  }
  HIP(hipEventDestroy(device.buffer_is_free));
  HIP(hipHostFree(device.staging));
  HIP(hipFree(device.constant_buffer));
  std::puts("no call failed");
}
