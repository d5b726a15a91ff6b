// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels on the HIP model: it distinguishes host code and kernel code, and detects accesses that cause a fault on a
/// GPU. Each test is a separate process, because such a fault ends the device.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <hip_model.hpp>

#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace {

using Values = Kokkos::View<int*, Kokkos::HIP>;
using Range  = Kokkos::RangePolicy<Kokkos::HIP>;
using Teams  = Kokkos::TeamPolicy<Kokkos::HIP>;

/// 1 on the host, 2 in a kernel.
KOKKOS_FUNCTION int where() {
  int answer = 0;
  KOKKOS_IF_ON_HOST((answer += 1;))
  KOKKOS_IF_ON_DEVICE((answer += 2;))
  return answer;
}

struct Model : testing::Test {
  Model() { Kokkos::initialize(); }
  ~Model() override { Kokkos::finalize(); }

  /// The next fence names the kernel, and the model reports the reason. The device frees nothing afterwards.
  static void expect_failure(std::string const& kernel, std::string const& reason) {
    unsetenv("HIP_MODEL_STRICT_EXIT");
    std::string sentence;
    try {
      Kokkos::fence();
    } catch (std::runtime_error const& error) {
      sentence = error.what();
    }
    EXPECT_NE(sentence.find(kernel), std::string::npos) << sentence;
    EXPECT_NE(hip_model::last_report().message.find(reason), std::string::npos) << hip_model::last_report().message;
  }
};

TEST_F(Model, TellsKernelsFromTheHost) {
  Values seen("seen", 300);
  EXPECT_EQ(where(), 1);
  Kokkos::parallel_for(Range(0, 300), KOKKOS_LAMBDA(int i) { seen(i) = where(); });
  int wrong = 0;
  Kokkos::parallel_reduce(Range(0, 300), KOKKOS_LAMBDA(int i, int& n) { n += seen(i) != 2; }, wrong);
  EXPECT_EQ(wrong, 0);
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 10),
                       [](int) { EXPECT_EQ(where(), 1); });
}

TEST_F(Model, WavefrontsAreAsWideAsConfigured) {
  EXPECT_EQ(Kokkos::HIP().impl_instance().properties().warp_size, KOKKOS_IMPL_HIP_WAVEFRONT);
  EXPECT_EQ(Kokkos::TeamPolicy<Kokkos::HIP>::vector_length_max(), KOKKOS_IMPL_HIP_WAVEFRONT);
}

/// The kernel of the last launch, which is recorded when it runs.
void const* last_kernel() {
  Kokkos::fence();
  return hip_model::launches().back().entry;
}

// A kernel that may have 1024 threads in a block has a quarter of the registers of one for 256 threads.
TEST_F(Model, OnlyLargeTeamsRunInAKernelWithFewRegisters) {
  auto const run = [](int team_size, auto bounds) {
    Kokkos::parallel_for(Kokkos::TeamPolicy<Kokkos::HIP, decltype(bounds)>(1, team_size),
                         KOKKOS_LAMBDA(Teams::member_type const&){});
    return last_kernel();
  };
  auto const none = Kokkos::LaunchBounds<>();
  EXPECT_EQ(run(1, none), run(256, none));
  EXPECT_EQ(run(257, none), run(1024, none));
  EXPECT_NE(run(256, none), run(257, none));
  auto const small = Kokkos::LaunchBounds<128>();
  EXPECT_EQ(run(1, small), run(128, small));

  auto const reduce = [](int team_size) {
    int sum = 0;
    Kokkos::parallel_reduce(
        Teams(3, team_size), KOKKOS_LAMBDA(Teams::member_type const& team, int& n) { n += team.team_rank(); }, sum);
    EXPECT_EQ(sum, 3 * team_size * (team_size - 1) / 2);
    return last_kernel();
  };
  EXPECT_EQ(reduce(1), reduce(256));
  EXPECT_NE(reduce(256), reduce(512));
}

// The kernels' wavefronts are those of the configuration.
TEST(AnotherDevice, IsRefusedByInitialize) {
  hip_model::set_wavefront_size(KOKKOS_IMPL_HIP_WAVEFRONT == 64 ? 32 : 64);
  std::string sentence;
  try {
    Kokkos::initialize();
  } catch (std::runtime_error const& error) {
    sentence = error.what();
  }
  EXPECT_NE(sentence.find("was configured for " + std::to_string(KOKKOS_IMPL_HIP_WAVEFRONT)), std::string::npos)
      << sentence;
  EXPECT_FALSE(Kokkos::is_initialized());
}

// kokkos-doctor asks before initialize, when no device is the library's.
TEST(FactsBeforeInitialize, HaveTheFreeMemoryOfEachDevice) {
  hip_model::set_device_count(3);
  constexpr std::size_t taken[] = {20 << 20, 5 << 20, 70 << 20};
  void* memory[3]               = {};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(hipSetDevice(i), hipSuccess);
    ASSERT_EQ(hipMalloc(&memory[i], taken[i]), hipSuccess);
  }
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  Kokkos::Impl::MachineFacts facts;
  for (auto const* backend = Kokkos::Impl::backend_table; *backend != nullptr; ++backend)
    if ((*backend)->gather_facts) (*backend)->gather_facts(facts);
  int current = -1;
  EXPECT_EQ(hipGetDevice(&current), hipSuccess);
  EXPECT_EQ(current, 1);
  ASSERT_EQ(facts.devices.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    std::size_t free = 0, total = 0;
    ASSERT_EQ(hipSetDevice(i), hipSuccess);
    ASSERT_EQ(hipMemGetInfo(&free, &total), hipSuccess);
    EXPECT_EQ(facts.devices[static_cast<std::size_t>(i)].free_bytes, static_cast<std::int64_t>(free)) << i;
    EXPECT_EQ(facts.devices[static_cast<std::size_t>(i)].total_bytes, static_cast<std::int64_t>(total)) << i;
    EXPECT_EQ(total - free, taken[i]) << i;
    ASSERT_EQ(hipFree(memory[i]), hipSuccess);
  }
}

TEST_F(Model, AKernelThatReachesForHostMemoryFails) {
  Kokkos::View<int*, Kokkos::HostSpace> host("host", 10);
  Kokkos::parallel_for("reaches", Range(0, 10), KOKKOS_LAMBDA(int i) { host(i) = 1; });
  expect_failure("\"reaches\"", "in host memory");
}

TEST_F(Model, ThreadsThatMissABarrierAreFound) {
  Kokkos::parallel_for(
      "misses", Teams(1, 32), KOKKOS_LAMBDA(Teams::member_type const& team) {
        if (team.team_rank() < 7) team.team_barrier();
        int sum = 0;
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 4), [](int, int& n) { ++n; }, sum);
      });
  expect_failure("\"misses\"", "in different places");
}

TEST_F(Model, AnAbortedKernelLeavesTheProgramAlive) {
  Values values("values", 100);
  Kokkos::parallel_for(
      "aborts", Range(0, 100), KOKKOS_LAMBDA(int i) {
        values(i) = i;
        if (i == 50) Kokkos::abort("as wanted");
      });
  expect_failure("\"aborts\"", "as wanted");
}

}  // namespace
