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

void check(hipError_t error, const char* call) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "beside_raw: %s returned %s\n", call, hipGetErrorName(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

#ifdef KOKKOS_IMPL_GPU_MODEL
void nothing() {}
const void* raw_kernel() { return hip_model::kernel_entry<&nothing>(); }
#else
__global__ void nothing() {}
const void* raw_kernel() { return reinterpret_cast<const void*>(&nothing); }
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
void compare(const char* name, int rounds, std::function<void()> const& kokkos, std::function<void()> const& raw) {
  std::vector<double> times[2];
  for (int round = -2; round < rounds; ++round)  // two rounds to warm up
    for (int which : {0, 1}) {
      const auto start = Clock::now();
      which == 0 ? kokkos() : raw();
      const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      if (round >= 0) times[which].push_back(us);
    }
  const double ours = median(times[0]), theirs = median(times[1]);
  std::printf("{\"name\": \"%s\", \"kokkos_us\": %.3f, \"raw_us\": %.3f, \"ratio\": %.3f}\n", name, ours, theirs,
              theirs / ours);
}

void launches(Kokkos::HIP const& instance, int rounds) {
  const hipStream_t stream = instance.hip_stream();
  const auto ours          = [&](int count) {
    for (int i = 0; i < count; ++i) Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::HIP>(instance, 0, 1), Nothing());
    instance.fence();
  };
  const auto theirs = [&](int count) {
    for (int i = 0; i < count; ++i) CHECK(hipLaunchKernel(raw_kernel(), 1, 64, nullptr, 0, stream));
    CHECK(hipStreamSynchronize(stream));
  };
  compare(
      "launch_and_fence", rounds, [&] { ours(1); }, [&] { theirs(1); });
  compare(
      "100_launches_and_fence", rounds, [&] { ours(100); }, [&] { theirs(100); });
}

void copies(Kokkos::HIP const& instance, int rounds, const char* size, std::size_t bytes) {
  Device device("device", bytes);
  Kokkos::View<char*, Kokkos::HostSpace> host("host", bytes);
  Kokkos::deep_copy(host, 1);
  const hipStream_t stream = instance.hip_stream();
  const auto raw           = [&](bool to_host) {
    const hipError_t error = to_host ? hipMemcpyAsync(host.data(), device.data(), bytes, hipMemcpyDeviceToHost, stream)
                                               : hipMemcpyAsync(device.data(), host.data(), bytes, hipMemcpyHostToDevice, stream);
    CHECK(error);
    CHECK(hipStreamSynchronize(stream));
  };
  const auto to_device = [&] {
    Kokkos::deep_copy(instance, device, host);
    instance.fence();
  };
  const auto to_host = [&] {
    Kokkos::deep_copy(instance, host, device);
    instance.fence();
  };
  compare((std::string("pageable_to_device_") + size).c_str(), rounds, to_device, [&] { raw(false); });
  compare((std::string("pageable_to_host_") + size).c_str(), rounds, to_host, [&] { raw(true); });
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int rounds      = argc > 1 ? std::atoi(argv[1]) : 50;
  const std::size_t mib = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 256;
  if (rounds < 1 || mib < 1) {
    std::fprintf(stderr, "beside_raw: rounds and MiB must be positive numbers, such as `beside_raw 50 256`.\n");
    return 2;
  }
  const Kokkos::HIP instance = Kokkos::partition_space(Kokkos::HIP(), 1)[0];
  launches(instance, rounds);
  copies(instance, rounds, "8_bytes", 8);
  copies(instance, std::max(rounds / 5, 1), "large", mib << 20);
}
