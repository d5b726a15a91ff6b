// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that HIP's compiler builds and that runs on the model's shared library: its host side runs, its kernels are
// recorded with their arguments. Fails on a real runtime, where nothing is recorded.
#include <hip/hip_runtime.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

struct Pair {
  int a;
  double b;
};
__constant__ int table[4];
__global__ void kernel(int* p, Pair pair, char c) { p[threadIdx.x] = pair.a + table[0] + c; }

static int failures = 0;
#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      std::printf("line %d: %s does not hold\n", __LINE__, #condition); \
      ++failures; \
    } \
  } while (0)

template <class F>
F* model_function(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

int main() {
  auto* launch_count = model_function<std::size_t()>("hip_model_launch_count");
  auto* argument     = model_function<const void*(std::size_t, std::size_t*)>("hip_model_launch_arguments");
  auto* violations   = model_function<std::size_t()>("hip_model_violation_count");
  auto* reset        = model_function<void()>("hip_model_reset");
  if (!launch_count || !argument || !violations || !reset) {
    std::puts("This program must run on the HIP model's libamdhip64, a test instrument; another one was loaded.");
    return 1;
  }
  int* p = nullptr;
  hipStream_t stream;
  CHECK(hipMalloc(&p, 256) == hipSuccess);
  CHECK(hipStreamCreate(&stream) == hipSuccess);
  kernel<<<dim3(2, 3), 64, 16, stream>>>(p, Pair{7, 2.5}, 'x');
  CHECK(hipGetLastError() == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess);
  CHECK(launch_count() == 1);
  std::size_t bytes       = 0;
  const auto* arguments   = static_cast<const char*>(argument(0, &bytes));
  CHECK(bytes >= 25);
  if (bytes >= 25) {
    Pair pair;
    std::memcpy(&pair, arguments + 8, sizeof pair);
    CHECK(std::memcmp(arguments, &p, sizeof p) == 0);
    CHECK(pair.a == 7 && pair.b == 2.5);
    CHECK(arguments[24] == 'x');
  }
  const int from[4] = {1, 2, 3, 4};
  int to[4]         = {};
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), from, sizeof from) == hipSuccess);
  CHECK(hipMemcpyFromSymbol(to, HIP_SYMBOL(table), sizeof to) == hipSuccess);
  CHECK(to[3] == 4);
  CHECK(violations() == 0);
  kernel<<<1, 2048, 0, stream>>>(p, Pair{7, 2.5}, 'x');
  CHECK(hipGetLastError() == hipErrorInvalidConfiguration);
  CHECK(violations() == 1);
  reset();
  CHECK(hipStreamDestroy(stream) == hipSuccess);
  CHECK(hipFree(p) == hipSuccess);
  std::puts(failures ? "FAILED" : "passed");
  return failures;
}
