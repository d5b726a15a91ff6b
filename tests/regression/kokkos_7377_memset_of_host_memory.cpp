// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/7377. On MI300A with unified memory, kernels can access memory of malloc,
// but a deep_copy of zero into a view of such memory called hipMemsetAsync, which returned hipErrorInvalidValue with
// ROCm 6.2.0 and before.
//
// `upstream` is that call: it fails under the profile mi300a-rocm-6.2, and passes under mi300a-rocm-6.4. `remedy` fills
// memory that HIP did not allocate in another way; here by a copy from zeros, which HIP accepts. It would fail again if
// the HIP backend passed a pointer to hipMemsetAsync that hipPointerGetAttributes does not recognise.
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void succeeds(hipError_t error, char const* call) {
  if (error == hipSuccess) return;
  std::printf("%s: %s (%s)\n", call, hipGetErrorName(error), hipGetErrorString(error));
  std::exit(1);
}
#define HIP(call) succeeds(call, #call)

static bool known_to_hip(const void* p) {
  hipPointerAttribute_t attributes;
  bool const known = hipPointerGetAttributes(&attributes, p) == hipSuccess;
  (void)hipGetLastError();
  return known;
}

int main(int argc, char** argv) {
  bool const remedy           = argc > 1 && std::strcmp(argv[1], "remedy") == 0;
  constexpr std::size_t bytes = 1000 * sizeof(double);
  int pageable_access         = 0;
  HIP(hipDeviceGetAttribute(&pageable_access, hipDeviceAttributePageableMemoryAccess, 0));
  if (!pageable_access) {
    std::puts("The device cannot access memory of malloc: nothing to show.");
    return 2;
  }
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  std::vector<double> host(1000, 1.);
  if (!remedy || known_to_hip(host.data())) {
    HIP(hipMemsetAsync(host.data(), 0, bytes, stream));
  } else {
    void* zeros;
    HIP(hipMalloc(&zeros, bytes));
    HIP(hipMemsetAsync(zeros, 0, bytes, stream));
    HIP(hipMemcpyAsync(host.data(), zeros, bytes, hipMemcpyDefault, stream));
    HIP(hipStreamSynchronize(stream));
    HIP(hipFree(zeros));
  }
  HIP(hipStreamSynchronize(stream));
  HIP(hipStreamDestroy(stream));
  bool const zero = std::all_of(host.begin(), host.end(), [](double x) { return x == 0.; });
  std::puts(zero ? "no call failed" : "The memory was not filled.");
  return zero ? 0 : 1;
}
