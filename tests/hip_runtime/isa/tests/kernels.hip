// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typical kernels of programs that use only HIP: their machine code runs, and the host compares the results.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#ifndef LANES
#define LANES 64
#endif
constexpr unsigned lanes = LANES;  // of a wavefront

__device__ unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  if (thread() < n) y[thread()] = a * x[thread()] + y[thread()];
}
void test_saxpy() {
  const unsigned n = 1000;
  Array<float> x(n), y(n);
  for (unsigned i = 0; i < n; ++i) x[i] = static_cast<float>(i), y[i] = 1;
  x.to_device(), y.to_device();
  saxpy<<<4, 256>>>(3, x.device(), y.device(), n);
  y.to_host();
  for (unsigned i = 0; i < n; ++i) CHECK(y[i] == 3.0f * static_cast<float>(i) + 1);
}

// Adds up rows of 16 lanes by DPP, then the sums of rows, and then the sums of wavefronts through LDS.
__global__ void reduce(const int* in, int* out) {
  __shared__ int of_wavefront[1024 / lanes];
  int x = in[thread()];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, false);  // row_shr:1
  x += __builtin_amdgcn_update_dpp(0, x, 0x112, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x114, 0xf, 0xf, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x118, 0xf, 0xf, false);
#if LANES == 64
  x += __builtin_amdgcn_update_dpp(0, x, 0x142, 0xa, 0xf, false);  // row_bcast:15
  x += __builtin_amdgcn_update_dpp(0, x, 0x143, 0xc, 0xf, false);  // row_bcast:31
#else
  x += __builtin_amdgcn_permlanex16(0, x, 0xffffffff, 0xffffffff, false, false);  // lane 15 of the other row
#endif
  const int sum = __builtin_amdgcn_readlane(x, lanes - 1);
  if (threadIdx.x % lanes == 0) of_wavefront[threadIdx.x / lanes] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (unsigned w = 0; w < blockDim.x / lanes; ++w) total += of_wavefront[w];
    atomicAdd(out, total);
  }
}
void test_reduce() {
  Array<int> in(4 * 1024), out{std::vector<int>{0}};
  std::iota(in.host.begin(), in.host.end(), -1000);
  in.to_device();
  reduce<<<4, 1024>>>(in.device(), out.device());
  out.to_host();
  CHECK(out[0] == std::accumulate(in.host.begin(), in.host.end(), 0));
}

__global__ void shuffles(const double* in, double* out) {
  double x = in[threadIdx.x];
  for (int d = lanes / 2; d > 0; d /= 2) x += __shfl_xor(x, d);
  const double below = __shfl_up(in[threadIdx.x], 1), first = __shfl(in[threadIdx.x], 5);
  out[threadIdx.x]             = x;
  out[lanes + threadIdx.x]     = below;
  out[2 * lanes + threadIdx.x] = first;
  out[3 * lanes + threadIdx.x] = static_cast<double>(__popcll(__ballot(in[threadIdx.x] > 10)));
}
void test_shuffles() {
  Array<double> in(lanes), out(4 * lanes);
  std::iota(in.host.begin(), in.host.end(), 0.5);
  in.to_device();
  shuffles<<<1, lanes>>>(in.device(), out.device());
  out.to_host();
  for (unsigned i = 0; i < lanes; ++i) {
    CHECK(out[i] == lanes * lanes / 2);
    CHECK(out[lanes + i] == (i ? in[i - 1] : in[0]));
    CHECK(out[2 * lanes + i] == 5.5);
    CHECK(out[3 * lanes + i] == lanes - 10);
  }
}

__global__ void transpose(const float* in, float* out, unsigned n) {
  __shared__ float tile[32][33];
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  const unsigned tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8) out[(ty + k) * n + tx] = tile[threadIdx.x][threadIdx.y + k];
}
void test_transpose() {
  const unsigned n = 96;
  Array<float> in(n * n), out(n * n);
  std::iota(in.host.begin(), in.host.end(), 0.0f);
  in.to_device();
  transpose<<<dim3(3, 3), dim3(32, 8)>>>(in.device(), out.device(), n);
  out.to_host();
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) CHECK(out[i * n + j] == in[j * n + i]);
}

__global__ void histogram(const unsigned char* in, unsigned n, unsigned* out) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (unsigned i = thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[in[i]], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&out[b], counts[b]);
}
void test_histogram() {
  const unsigned n = 5000;
  Array<unsigned char> in(n);
  Array<unsigned> out{std::vector<unsigned>(256)};
  std::vector<unsigned> wanted(256);
  for (unsigned i = 0; i < n; ++i) ++wanted[in[i] = static_cast<unsigned char>(i * i % 251)];
  in.to_device();
  histogram<<<3, 192, 1024>>>(in.device(), n, out.device());
  out.to_host();
  CHECK(out.host == wanted);
}

// Inclusive sums in each block, and the sums of blocks by look-back over flags.
__global__ void scan(const unsigned* in, unsigned* out, unsigned* sums, unsigned* flags) {
  __shared__ unsigned at[256];
  __shared__ unsigned before;
  at[threadIdx.x] = in[thread()];
  __syncthreads();
  for (unsigned d = 1; d < 256; d *= 2) {
    const unsigned other = threadIdx.x >= d ? at[threadIdx.x - d] : 0;
    __syncthreads();
    at[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 255) {
    unsigned sum = 0;
    if (blockIdx.x > 0) {
      while (__hip_atomic_load(&flags[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0)
        __builtin_amdgcn_s_sleep(1);
      sum = __hip_atomic_load(&sums[blockIdx.x - 1], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
    before = sum;
    __hip_atomic_store(&sums[blockIdx.x], sum + at[255], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_store(&flags[blockIdx.x], 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
  __syncthreads();
  out[thread()] = before + at[threadIdx.x];
}
void test_scan() {
  const unsigned blocks = 7, n = blocks * 256;
  Array<unsigned> in(n), out(n), sums{std::vector<unsigned>(blocks)}, flags{std::vector<unsigned>(blocks)};
  for (unsigned i = 0; i < n; ++i) in[i] = i * 2654435761u >> 20;
  in.to_device();
  scan<<<blocks, 256>>>(in.device(), out.device(), sums.device(), flags.device());
  out.to_host();
  std::vector<unsigned> wanted(n);
  std::partial_sum(in.host.begin(), in.host.end(), wanted.begin());
  CHECK(out.host == wanted);
}

__global__ void sort(std::uint64_t* values) {
  __shared__ std::uint64_t at[512];
  at[threadIdx.x] = values[threadIdx.x];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      const unsigned other = threadIdx.x ^ d;
      const bool up        = (threadIdx.x & size) == 0;
      if (other > threadIdx.x && (at[threadIdx.x] > at[other]) == up) {
        const std::uint64_t x = at[threadIdx.x];
        at[threadIdx.x]       = at[other];
        at[other]             = x;
      }
    }
  __syncthreads();
  values[threadIdx.x] = at[threadIdx.x];
}
void test_sort() {
  Array<std::uint64_t> values(512);
  for (std::uint64_t i = 0; i < 512; ++i) values[i] = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
  auto wanted = values.host;
  std::sort(wanted.begin(), wanted.end());
  values.to_device();
  sort<<<1, 512>>>(values.device());
  values.to_host();
  CHECK(values.host == wanted);
}

// An array in private memory whose index is computed at run time, a call, and a pointer to any address space.
__device__ __attribute__((noinline)) int sum_of(const int* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];
  return sum;
}
__global__ void private_memory(const int* in, int* out, int n) {
  __shared__ int shared[64];
  int own[40];
  for (int i = 0; i < 40; ++i) own[i] = 0;
  for (int i = 0; i < n; ++i) own[in[i] % 40] += static_cast<int>(threadIdx.x) + i;
  shared[threadIdx.x] = own[in[0] % 40];
  __syncthreads();
  const int* p     = threadIdx.x % 3 == 0 ? own : threadIdx.x % 3 == 1 ? shared : in;
  out[threadIdx.x] = sum_of(p, 40) + own[in[threadIdx.x % static_cast<unsigned>(n)] % 40];
}
void test_private_memory() {
  const int n = 60;
  Array<int> in(n), out(64);
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 83;
  in.to_device();
  private_memory<<<1, 64>>>(in.device(), out.device(), n);
  out.to_host();
  std::vector<std::vector<int>> own(64, std::vector<int>(40));
  std::vector<int> shared(64);
  for (int t = 0; t < 64; ++t) {
    for (int i = 0; i < n; ++i) own[t][in[i] % 40] += t + i;
    shared[t] = own[t][in[0] % 40];
  }
  for (int t = 0; t < 64; ++t) {
    auto const& p = t % 3 == 0 ? own[t] : t % 3 == 1 ? shared : in.host;
    CHECK(out[t] == std::accumulate(p.begin(), p.begin() + 40, 0) + own[t][in[t % n] % 40]);
  }
}

__global__ void numbers(const double* x, const std::int64_t* i, double* out, std::int64_t* iout) {
  const unsigned t = threadIdx.x;
  out[t]           = x[t] / x[63 - t] + sqrt(fabs(x[t]));
  out[64 + t]      = static_cast<double>(static_cast<float>(x[t]) / 3.0f) + static_cast<double>(i[t]);
  iout[t]          = i[t] / i[63 - t] + i[t] % 1000003;
  iout[64 + t] = static_cast<std::int64_t>(x[t]) + static_cast<std::int64_t>(static_cast<std::uint64_t>(i[t]) / 77u);
}
void test_numbers() {
  Array<double> x(64), out(128);
  Array<std::int64_t> i(64), iout(128);
  for (int k = 0; k < 64; ++k) {
    x[k] = std::ldexp(k - 31.7, k - 20);
    i[k] = static_cast<std::int64_t>((k + 1) * UINT64_C(0x9E3779B97F4A7C15)) >> (k % 40);
  }
  x.to_device(), i.to_device();
  numbers<<<1, 64>>>(x.device(), i.device(), out.device(), iout.device());
  out.to_host(), iout.to_host();
  for (int k = 0; k < 64; ++k) {
    CHECK(out[k] == x[k] / x[63 - k] + std::sqrt(std::fabs(x[k])));
    CHECK(out[64 + k] == static_cast<double>(static_cast<float>(x[k]) / 3.0f) + static_cast<double>(i[k]));
    CHECK(iout[k] == i[k] / i[63 - k] + i[k] % 1000003);
    CHECK(iout[64 + k] ==
          static_cast<std::int64_t>(x[k]) + static_cast<std::int64_t>(static_cast<std::uint64_t>(i[k]) / 77u));
  }
}

__device__ int counter = 5;
__constant__ int table[4];
__global__ void variables(int* out) { out[threadIdx.x] = table[threadIdx.x] + atomicAdd(&counter, 1) * 0; }
void test_variables() {
  const int values[4] = {9, 8, 7, 6};
  int count           = 0;
  Array<int> out(4);
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(table), values, sizeof values));
  variables<<<1, 4>>>(out.device());
  out.to_host();
  for (int k = 0; k < 4; ++k) CHECK(out[k] == values[k]);
  MUST(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  CHECK(count == 9);
}

__managed__ int shared_counter = 5;
__global__ void count_in_managed_memory() { atomicAdd(&shared_counter, 1); }
void test_managed_variable() {
  CHECK(shared_counter == 5);
  shared_counter = 10;
  count_in_managed_memory<<<2, 64>>>();
  MUST(hipDeviceSynchronize());
  CHECK(shared_counter == 138);
}

// The compiler may put a part of an address in LDS into the instruction's offset, so that the rest is negative. Both
// are added modulo 2^32.
__global__ void shared_below_start(unsigned* out) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = 100 + threadIdx.x;
  __syncthreads();
  const auto start    = reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) unsigned*)values);
  const unsigned from = static_cast<unsigned>(start) + 4 * threadIdx.x - 256;
  unsigned read, old;
  std::uint64_t both;
  asm volatile(
      "ds_read_b32 %0, %3 offset:256\n ds_read2_b32 %1, %3 offset0:64 offset1:64\n s_waitcnt lgkmcnt(0)\n"
      "ds_add_rtn_u32 %2, %3, %0 offset:256\n s_waitcnt lgkmcnt(0)\n"
      "ds_write_b32 %3, %2 offset:256\n s_waitcnt lgkmcnt(0)"
      : "=&v"(read), "=&v"(both), "=&v"(old)
      : "v"(from)
      : "memory");
  __syncthreads();
  out[threadIdx.x]       = read;
  out[64 + threadIdx.x]  = static_cast<unsigned>(both >> 32) + static_cast<unsigned>(both);
  out[128 + threadIdx.x] = old + values[threadIdx.x];
}
void test_shared_below_start() {
  Array<unsigned> out(192);
  shared_below_start<<<1, 64>>>(out.device());
  out.to_host();
  for (unsigned k = 0; k < 64; ++k) {
    CHECK(out[k] == 100 + k);
    CHECK(out[64 + k] == 2 * (100 + k));
    CHECK(out[128 + k] == 2 * (100 + k));
  }
}

// Pinned memory that is not coherent: a kernel sees it as it was when the kernel began, and the host sees what the kernel
// has written when it has ended.
__global__ void write_and_wait(int* cached, volatile int* coherent) {
  const int before    = cached[64];
  cached[threadIdx.x] = 7;
  __threadfence_system();
  if (threadIdx.x == 0) coherent[0] = 1;
  while (coherent[1] == 0) {
  }
  cached[65 + threadIdx.x] = before * 10 + cached[64];
}
void test_memory_that_is_not_coherent() {
  if (std::getenv("HIP_MODEL_SEED")) return;  // work advances only within calls
  int *cached, *coherent;
  MUST(hipHostMalloc(reinterpret_cast<void**>(&cached), 129 * sizeof(int), hipHostMallocNonCoherent));
  MUST(hipHostMalloc(reinterpret_cast<void**>(&coherent), 2 * sizeof(int), hipHostMallocCoherent));
  for (int k = 0; k < 129; ++k) cached[k] = 3;
  volatile int* const flags = coherent;
  flags[0] = flags[1] = 0;
  write_and_wait<<<1, 64>>>(cached, coherent);
  while (flags[0] == 0) {
  }
  CHECK(cached[0] == 3 && cached[63] == 3);
  cached[64] = 4;
  flags[1]   = 1;
  MUST(hipDeviceSynchronize());
  CHECK(cached[0] == 7 && cached[63] == 7);
  CHECK(cached[64] == 4);
  CHECK(cached[65] == 33 && cached[128] == 33);
  MUST(hipHostFree(cached));
  MUST(hipHostFree(coherent));
}

int main() {
  test_saxpy();
  test_reduce();
  test_shuffles();
  test_transpose();
  test_histogram();
  test_scan();
  test_sort();
  test_private_memory();
  test_numbers();
  test_variables();
  test_managed_variable();
  test_shared_below_start();
  test_memory_that_is_not_coherent();
  return finish();
}
