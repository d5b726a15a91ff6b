// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of launches and copies, and of the same calls of HIP in the same run. scripts/amd_evidence runs it.
//
//   beside_raw [rounds] [MiB of the large copies]
//
// Prints one JSON object a line: the medians in microseconds, and how much faster or slower Kokkos is (ratio > 1:
// faster).
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

void check(hipError_t error, char const* call) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "beside_raw: %s returned %s\n", call, hipGetErrorName(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

#ifdef KOKKOS_IMPL_GPU_MODEL
void nothing() {}
void const* raw_kernel() { return hip_model::kernel_entry<&nothing>(); }
#else
__global__ void nothing() {}
void const* raw_kernel() { return reinterpret_cast<void const*>(&nothing); }
#endif

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

using Clock  = std::chrono::steady_clock;
using Device = Kokkos::View<char*, Kokkos::HIP>;

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

// The two run alternately, so that both see the same state of the machine.
void compare(char const* name, int rounds, std::function<void()> const& kokkos, std::function<void()> const& raw) {
  std::vector<double> times[2];
  for (int round = -2; round < rounds; ++round)  // two rounds to warm up
    for (int which : {0, 1}) {
      auto const start = Clock::now();
      which == 0 ? kokkos() : raw();
      double const us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      if (round >= 0) times[which].push_back(us);
    }
  double const ours = median(times[0]), theirs = median(times[1]);
  std::printf("{\"name\": \"%s\", \"kokkos_us\": %.3f, \"raw_us\": %.3f, \"ratio\": %.3f}\n", name, ours, theirs,
              theirs / ours);
}

void launches(Kokkos::HIP const& instance, int rounds) {
  hipStream_t const stream = instance.hip_stream();
  auto const ours          = [&](int count) {
    for (int i = 0; i < count; ++i) Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(instance, 0, 1), Nothing());
    instance.fence();
  };
  auto const theirs = [&](int count) {
    for (int i = 0; i < count; ++i) CHECK(hipLaunchKernel(raw_kernel(), 1, 64, nullptr, 0, stream));
    CHECK(hipStreamSynchronize(stream));
  };
  compare("launch_and_fence", rounds, [&] { ours(1); }, [&] { theirs(1); });
  compare("100_launches_and_fence", rounds, [&] { ours(100); }, [&] { theirs(100); });
}

void copies(Kokkos::HIP const& instance, int rounds, char const* size, std::size_t bytes) {
  Device device("device", bytes);
  Kokkos::View<char*, Kokkos::HostSpace> host("host", bytes);
  Kokkos::deep_copy(host, 1);
  hipStream_t const stream = instance.hip_stream();
  auto const raw           = [&](bool to_host) {
    hipError_t const error = to_host ? hipMemcpyAsync(host.data(), device.data(), bytes, hipMemcpyDeviceToHost, stream)
                                               : hipMemcpyAsync(device.data(), host.data(), bytes, hipMemcpyHostToDevice, stream);
    CHECK(error);
    CHECK(hipStreamSynchronize(stream));
  };
  auto const to_device = [&] {
    Kokkos::deep_copy(instance, device, host);
    instance.fence();
  };
  auto const to_host = [&] {
    Kokkos::deep_copy(instance, host, device);
    instance.fence();
  };
  compare((std::string("pageable_to_device_") + size).c_str(), rounds, to_device, [&] { raw(false); });
  compare((std::string("pageable_to_host_") + size).c_str(), rounds, to_host, [&] { raw(true); });
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  int const rounds      = argc > 1 ? std::atoi(argv[1]) : 50;
  std::size_t const mib = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 256;
  if (rounds < 1 || mib < 1) {
    std::fprintf(stderr, "beside_raw: rounds and MiB must be positive numbers, such as `beside_raw 50 256`.\n");
    return 2;
  }
  Kokkos::HIP const instance = Kokkos::partition_space(Kokkos::HIP(), 1)[0];
  launches(instance, rounds);
  copies(instance, rounds, "8_bytes", 8);
  copies(instance, std::max(rounds / 5, 1), "large", mib << 20);
}
