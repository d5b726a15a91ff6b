// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Compares the patterns with the memory bandwidth. Each benchmark runs Kokkos and raw CUDA (or CUB) alternately.

#include "../Ratio.hpp"
#include "RawCuda.hpp"

#include <Kokkos_Core.hpp>

#include <cub/cub.cuh>

namespace {

using namespace Kokkos::Benchmarks;
using Space = Kokkos::Cuda;

constexpr std::size_t array_size = std::size_t(1) << 27;  // doubles: 1 GiB, about 20 times the cache

__global__ void raw_triad(double* a, double const* b, double const* c, std::size_t n) {
  std::size_t const i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + 3.0 * c[i];
}

void copy_and_triad(benchmark::State& state) {
  Kokkos::View<double*, Space> a("a", array_size), b("b", array_size), c("c", array_size);
  Stream stream;
  // A device copy moves two arrays, triad three: the ratio is one of bandwidths.
  compare_rates(
      state, 16.0 * array_size,
      [&] {
        check(cudaMemcpyAsync(a.data(), b.data(), 8 * array_size, cudaMemcpyDeviceToDevice, stream));
        check(cudaStreamSynchronize(stream));
      },
      24.0 * array_size,
      [&] {
        Kokkos::parallel_for(
            "triad", Kokkos::RangePolicy<Space>(0, array_size),
            KOKKOS_LAMBDA(std::size_t i) { a(i) = b(i) + 3.0 * c(i); });
        Kokkos::fence();
      });
}

void triad(benchmark::State& state) {
  Kokkos::View<double*, Space> a("a", array_size), b("b", array_size), c("c", array_size);
  Stream stream;
  compare(
      state, 24.0 * array_size,
      [&] {
        raw_triad<<<(array_size + 255) / 256, 256, 0, stream>>>(a.data(), b.data(), c.data(), array_size);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_for(
            "triad", Kokkos::RangePolicy<Space>(0, array_size),
            KOKKOS_LAMBDA(std::size_t i) { a(i) = b(i) + 3.0 * c(i); });
        Kokkos::fence();
      });
}

void dot(benchmark::State& state) {
  Kokkos::View<double*, Space> x("x", array_size), y("y", array_size);
  Stream stream;
  compare_rates(
      state, 16.0 * array_size,
      [&] {
        check(cudaMemcpyAsync(x.data(), y.data(), 8 * array_size, cudaMemcpyDeviceToDevice, stream));
        check(cudaStreamSynchronize(stream));
      },
      16.0 * array_size,
      [&] {
        double sum = 0;
        Kokkos::parallel_reduce(
            "dot", Kokkos::RangePolicy<Space>(0, array_size),
            KOKKOS_LAMBDA(std::size_t i, double& update) { update += x(i) * y(i); }, sum);
        benchmark::DoNotOptimize(sum);
      });
}

void scan(benchmark::State& state) {
  Kokkos::View<double*, Space> in("in", array_size), out("out", array_size);
  Stream stream;
  std::size_t bytes = 0;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), array_size, stream));
  DeviceBuffer workspace(bytes);
  compare(
      state, 16.0 * array_size,
      [&] {
        check(cub::DeviceScan::InclusiveSum(workspace.get(), bytes, in.data(), out.data(), array_size, stream));
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_scan(
            "scan", Kokkos::RangePolicy<Space>(0, array_size),
            KOKKOS_LAMBDA(std::size_t i, double& update, bool final) {
              update += in(i);
              if (final) out(i) = update;
            });
        Kokkos::fence();
      });
}

// ---- stencils -----------------------------------------------------------------------------------------------------

__global__ void raw_stencil_2d(double const* __restrict__ in, double* __restrict__ out, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= n - 1 || j >= n - 1) return;
  std::size_t const k = std::size_t(j) * n + i;
  out[k]              = 0.5 * in[k] + 0.125 * (in[k - 1] + in[k + 1] + in[k - n] + in[k + n]);
}

template <class Layout>
void stencil_2d(benchmark::State& state) {
  constexpr auto iterate = std::is_same_v<Layout, Kokkos::LayoutRight> ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
  int const n            = 8192;
  Kokkos::View<double**, Layout, Space> in("in", n, n), out("out", n, n);
  Stream stream;
  compare(
      state, 16.0 * n * n,
      [&] {
        raw_stencil_2d<<<dim3((n + 63) / 64, (n + 3) / 4), dim3(64, 4), 0, stream>>>(in.data(), out.data(), n);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_for(
            "stencil", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, iterate, iterate>>({1, 1}, {n - 1, n - 1}),
            KOKKOS_LAMBDA(int i, int j) {
              out(i, j) = 0.5 * in(i, j) + 0.125 * (in(i - 1, j) + in(i + 1, j) + in(i, j - 1) + in(i, j + 1));
            });
        Kokkos::fence();
      });
}

__global__ void raw_stencil_3d(double const* __restrict__ in, double* __restrict__ out, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1,
            k = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (i >= n - 1 || j >= n - 1 || k >= n - 1) return;
  std::size_t const at = (std::size_t(k) * n + j) * n + i, plane = std::size_t(n) * n;
  out[at] =
      0.5 * in[at] + 0.125 * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - plane] + in[at + plane]);
}

template <class Layout>
void stencil_3d(benchmark::State& state) {
  constexpr auto iterate = std::is_same_v<Layout, Kokkos::LayoutRight> ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
  int const n            = 512;
  Kokkos::View<double***, Layout, Space> in("in", n, n, n), out("out", n, n, n);
  Stream stream;
  compare(
      state, 16.0 * n * n * n,
      [&] {
        // 32 x 2 x 2 is the best of the tested shapes.
        raw_stencil_3d<<<dim3(n / 32, n / 2, n / 2), dim3(32, 2, 2), 0, stream>>>(in.data(), out.data(), n);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_for(
            "stencil",
            Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, iterate, iterate>>({1, 1, 1}, {n - 1, n - 1, n - 1}),
            KOKKOS_LAMBDA(int i, int j, int k) {
              out(i, j, k) = 0.5 * in(i, j, k) + 0.125 * (in(i - 1, j, k) + in(i + 1, j, k) + in(i, j - 1, k) +
                                                          in(i, j + 1, k) + in(i, j, k - 1) + in(i, j, k + 1));
            });
        Kokkos::fence();
      });
}

// ---- matrix-vector product ----------------------------------------------------------------------------------------

__global__ void raw_matrix_vector(double2 const* __restrict__ a, double2 const* __restrict__ x, double* y, int n) {
  double sum = 0;
  for (int j = threadIdx.x; j < n / 2; j += blockDim.x) {
    double2 const p = a[std::size_t(blockIdx.x) * (n / 2) + j], q = x[j];
    sum += p.x * q.x + p.y * q.y;
  }
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  __shared__ double warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += warps[w];
    y[blockIdx.x] = sum;
  }
}

void matrix_vector(benchmark::State& state) {
  int const n = 8192;
  Kokkos::View<double**, Kokkos::LayoutRight, Space> a("a", n, n);
  Kokkos::View<double*, Space> x("x", n), y("y", n);
  using Policy = Kokkos::TeamPolicy<Space>;
  Stream stream;
  compare(
      state, 8.0 * n * n,
      [&] {
        raw_matrix_vector<<<n, 256, 0, stream>>>(reinterpret_cast<double2 const*>(a.data()),
                                                 reinterpret_cast<double2 const*>(x.data()), y.data(), n);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_for(
            "matrix_vector", Policy(n, Kokkos::AUTO), KOKKOS_LAMBDA(Policy::member_type const& team) {
              int const i = team.league_rank();
              double sum  = 0;
              Kokkos::parallel_reduce(
                  Kokkos::TeamThreadRange(team, n), [&](int j, double& update) { update += a(i, j) * x(j); }, sum);
              Kokkos::single(Kokkos::PerTeam(team), [&] { y(i) = sum; });
            });
        Kokkos::fence();
      });
}

// ---- small reductions, atomics ------------------------------------------------------------------------------------

__global__ void raw_sum_1000(double const* x, double* pinned) {
  double sum = threadIdx.x < 1000 ? x[threadIdx.x] : 0;
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  __shared__ double warps[32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warps[threadIdx.x];
    for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x == 0) *pinned = sum;
  }
}

void reduce_1000(benchmark::State& state) {
  Kokkos::View<double*, Space> x("x", 1000);
  PinnedBuffer result(sizeof(double));
  Stream stream;
  auto* value = static_cast<double*>(result.get());
  compare(
      state, 0,
      [&] {
        raw_sum_1000<<<1, 1024, 0, stream>>>(x.data(), value);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        double sum = 0;
        Kokkos::parallel_reduce(
            "sum", Kokkos::RangePolicy<Space>(0, 1000), KOKKOS_LAMBDA(int i, double& update) { update += x(i); }, sum);
        benchmark::DoNotOptimize(sum);
      });
}

__global__ void raw_atomics(double* p, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(p + i % 1024, 1.0);
}

void atomics(benchmark::State& state) {
  int const n = 1 << 26;
  Kokkos::View<double*, Space> sums("sums", 1024);
  Stream stream;
  compare(
      state, 0,
      [&] {
        raw_atomics<<<(n + 255) / 256, 256, 0, stream>>>(sums.data(), n);
        check(cudaStreamSynchronize(stream));
      },
      [&] {
        Kokkos::parallel_for(
            "atomics", Kokkos::RangePolicy<Space>(0, n),
            KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&sums(i % 1024), 1.0); });
        Kokkos::fence();
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  benchmark::Initialize(&argc, argv);
  auto add = [](char const* name, void (*f)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, f)->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
  };
  add("triad_over_device_copy", copy_and_triad);
  add("triad", triad);
  add("dot_over_device_copy", dot);
  add("scan", scan);
  add("stencil_2d_left", stencil_2d<Kokkos::LayoutLeft>);
  add("stencil_2d_right", stencil_2d<Kokkos::LayoutRight>);
  add("stencil_3d_left", stencil_3d<Kokkos::LayoutLeft>);
  add("stencil_3d_right", stencil_3d<Kokkos::LayoutRight>);
  add("matrix_vector", matrix_vector);
  add("reduce_1000_to_host", reduce_1000);
  add("atomic_add_1024_addresses", atomics);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
