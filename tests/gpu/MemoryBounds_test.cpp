// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The amount of memory that pools keep, and errors when memory is exhausted. Each TEST is a separate process.

#include "../unit/Deadline.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/memory/Kokkos_GPU_ViewMemory.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Bytes  = Kokkos::View<char*, GPU::memory_space>;
using Memory = Kokkos::Impl::GPUViewMemory<Runtime>;

constexpr std::size_t MiB = std::size_t(1) << 20;

Bytes bytes_of(std::size_t n, char const* label = "bytes") {
  return Bytes(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), n);
}
Kokkos::Impl::GPUPoolUsage usage() { return Memory::usage<Kokkos::Impl::DeviceMemoryKind>(Kokkos::device_id()); }
std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  EXPECT_EQ(words(Runtime::memory_info(&free, &total)), words(Runtime::success));
  return free;
}
Kokkos::InitializationSettings pool_of(int mib) {
  return Kokkos::InitializationSettings().set_device_memory_pool_mb(mib);
}

class Pool : public testing::Test {
  Deadline m_deadline{"memory is still waited for", 200};
};
using PoolSize = Pool;

TEST_F(PoolSize, BoundsWhatIsKept) {
  Kokkos::ScopeGuard guard(pool_of(16));
  {
    std::vector<Bytes> views;
    for (int i = 0; i < 12; ++i) views.push_back(bytes_of(5 * MiB));
  }
  Kokkos::fence();
  (void)bytes_of(5 * MiB);
  Kokkos::Impl::GPUExecutionSpace<GPU, Runtime, GPU::memory_space>::impl_static_fence("fence");
  EXPECT_LE(usage().idle, 32 * MiB);
  EXPECT_GT(usage().idle + usage().returned, 0u);
}

TEST_F(PoolSize, IsExceededByNoSingleBlockAfterTheNextFence) {
  Kokkos::ScopeGuard guard(pool_of(16));
  (void)bytes_of(40 * MiB);
  EXPECT_EQ(words(Runtime::stream_synchronize(Runtime::default_stream())), words(Runtime::success));
  Kokkos::fence();
  EXPECT_LT(usage().taken, 40 * MiB);
}

void count_as_recent(std::chrono::nanoseconds time) { Memory::Pool<Kokkos::Impl::DeviceMemoryKind>::recent = time; }

TEST_F(PoolSize, IsASmallPartOfTheDeviceByDefault) {
  constexpr std::size_t GiB = 1024 * MiB;
  struct {
    std::size_t device, keep, rest;
  } const table[] = {{80 * GiB, 80 * GiB / 32, 512 * MiB}, {8 * GiB, GiB / 4, 8 * GiB / 100}, {0, 0, 0}};
  for (auto const& row : table) {
    EXPECT_EQ(Memory::default_bounds(row.device).keep, row.keep);
    EXPECT_EQ(Memory::default_bounds(row.device).rest, row.rest);
  }
}

/// The memory of the pool after views of 40 MiB in all have been destroyed. On the model, whose device has 1600 MiB here,
/// at most 50 MiB are kept, and 16 for longer.
std::size_t taken_after_fences(std::chrono::nanoseconds recent) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(1600 * MiB).c_str(), 1);
  Kokkos::ScopeGuard guard;
  count_as_recent(recent);
  {
    std::vector<Bytes> views;
    for (int i = 0; i < 5; ++i) views.push_back(bytes_of(8 * MiB));
  }
  for (int i = 0; i < 3; ++i) {
    (void)bytes_of(2 * MiB + 1);  // the pool looks for memory that has become free
    EXPECT_EQ(words(Runtime::stream_synchronize(Runtime::default_stream())), words(Runtime::success));
    Kokkos::fence();
  }
  return usage().taken;
}
TEST_F(PoolSize, IsLargeForMemoryThatWasJustUsed) { EXPECT_GE(taken_after_fences(std::chrono::hours(1)), 40 * MiB); }
#ifdef KOKKOS_IMPL_GPU_MODEL
TEST_F(PoolSize, IsSmallForMemoryThatWasNotUsedForAWhile) {
  EXPECT_LE(taken_after_fences(std::chrono::nanoseconds(0)), 16 * MiB);
}
#endif

TEST_F(PoolSize, IsShownToTheProgram) {
  using Kokkos::Experimental::device_memory_usage;
  EXPECT_EQ(device_memory_usage().kept, 0u);
  Kokkos::ScopeGuard guard(pool_of(64));
  std::size_t const before = device_memory_usage().in_use;
  {
    Bytes const one = bytes_of(8 * MiB), other = bytes_of(4 * MiB);
    EXPECT_EQ(device_memory_usage().in_use, before + 12 * MiB);
  }
  EXPECT_EQ(device_memory_usage().in_use, before);
  EXPECT_GE(device_memory_usage().kept, 12 * MiB);
  EXPECT_EQ(device_memory_usage().high_water, before + 12 * MiB);
  Bytes const small = bytes_of(700);
  EXPECT_GE(device_memory_usage().in_use, before + 700);
  EXPECT_LE(device_memory_usage().in_use, before + 1024);
  EXPECT_EQ(device_memory_usage().high_water, before + 12 * MiB);
  std::size_t const in_use = device_memory_usage().in_use;
  Kokkos::Experimental::release_idle_memory();
  EXPECT_EQ(device_memory_usage().in_use, in_use);
  EXPECT_LE(device_memory_usage().kept, 4 * MiB);  // the other blocks of the superblock
}

TEST_F(PoolSize, IsLimitedByASetting) {
  Kokkos::ScopeGuard guard(pool_of(64).set_device_memory_limit("64MiB"));
  {
    Bytes const one = bytes_of(30 * MiB), other = bytes_of(20 * MiB);
    expect_all(thrown_message([] { bytes_of(20 * MiB, "third"); }),
               {"third", "limit", "64 MiB", "KOKKOS_DEVICE_MEMORY_LIMIT"});
    EXPECT_LE(usage().taken, 64 * MiB);
  }
  // Memory that is kept gives way to a view of another size, which is as large as the limit.
  EXPECT_NO_THROW(bytes_of(62 * MiB));
  for (int i = 0; i < 40; ++i) (void)bytes_of((1 + i % 7) * 3 * MiB);
  EXPECT_LE(usage().taken, 64 * MiB);
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// The limit and its message are about the device of the instance; pinned memory counts where the default instance is.
TEST_F(PoolSize, IsThatOfTheDeviceOfTheInstance) {
  ::setenv("HIP_MODEL_DEVICES", "2", 1);
  Kokkos::ScopeGuard guard(pool_of(64).set_device_memory_limit("64MiB").set_device_id(1));
  auto const pinned_of = [](int device) { return Memory::usage<Kokkos::Impl::PinnedViewMemoryKind>(device); };
  auto const device_of = [](int device) { return Memory::usage<Kokkos::Impl::DeviceMemoryKind>(device); };
  for (int const device : {1, 0}) {
    OwnStream const stream(device);
    GPU const space(stream.get());
    auto const take = [&](std::size_t n, char const* label) {
      return Bytes(Kokkos::view_alloc(space, label, Kokkos::WithoutInitializing), n);
    };
    std::size_t const other = device_of(1 - device).taken;
    Bytes const first       = take((20 + 10 * device) * MiB, "first");
    EXPECT_EQ(device_of(1 - device).taken, other) << device;
    expect_all(thrown_message([&] { take(60 * MiB, "second"); }),
               {"second", "64 MiB", device == 1 ? "of which 30 MiB are taken" : "of which 20 MiB are taken"});
  }
  Kokkos::View<char*, Kokkos::SharedHostPinnedSpace> const pinned(
      Kokkos::view_alloc("pinned", Kokkos::WithoutInitializing), 9 * MiB);
  EXPECT_GE(pinned_of(1).in_use, 9 * MiB);
  EXPECT_EQ(pinned_of(0).taken, 0u);
}
#endif

TEST_F(PoolSize, HasALimitInEveryUnit) {
  using Kokkos::Impl::memory_limit;
  constexpr std::size_t GiB = 1024 * MiB;
  EXPECT_EQ(memory_limit("40GiB", 80 * GiB), 40 * GiB);
  EXPECT_EQ(memory_limit("0.5GiB", 80 * GiB), 512 * MiB);
  EXPECT_EQ(memory_limit("512MiB", 0), 512 * MiB);
  EXPECT_EQ(memory_limit("25%", 80 * GiB), 20 * GiB);
  for (char const* wrong :
       {"", "40", "40GB", "-1GiB", "0%", "101%", "1e30GiB", "0.1MiB", "GiB", "40 GiB", "nanGiB", "infGiB"})
    EXPECT_EQ(memory_limit(wrong, 80 * GiB), 0u) << wrong;
}

TEST_F(PoolSize, OfZeroHasNoLimit) {
  expect_all(thrown_message([] { Kokkos::ScopeGuard guard(pool_of(0).set_device_memory_limit("50%")); }),
             {"device_memory_limit", "device_memory_pool_mb = 0"});
}

TEST_F(PoolSize, OfZeroIsNoPool) {
  Kokkos::ScopeGuard guard(pool_of(0));
  std::size_t const before = free_memory();
  {
    Bytes view = bytes_of(64 * MiB);
    EXPECT_LE(free_memory() + 64 * MiB, before);
    EXPECT_EQ(usage().taken, 0u);
  }
  EXPECT_EQ(free_memory(), before);
}

TEST_F(PoolSize, ComesFromTheEnvironment) {
  ::setenv("KOKKOS_DEVICE_MEMORY_POOL_MB", "7", 1);
  Kokkos::ScopeGuard guard;
  EXPECT_EQ(Memory::bounds().keep, 7 * MiB);
  EXPECT_EQ(Memory::bounds().rest, 7 * MiB);
}

TEST_F(PoolSize, BelowZeroIsRefused) {
  expect_all(thrown_message([] { Kokkos::initialize(pool_of(-1)); }),
             {"device_memory_pool_mb = -1", "a number of MiB"});
}

TEST_F(Pool, GivesEverythingBackAtTheEnd) {
  std::size_t before = 0;
  {
    Kokkos::ScopeGuard guard;
    Kokkos::fence();
    before = free_memory();
    std::vector<Bytes> views;
    for (int i = 0; i < 30; ++i) views.push_back(bytes_of(std::size_t(300) << i % 17));
  }
  EXPECT_GE(free_memory(), before);
  expect_no_leaks();
}

/// Uses most of the memory for views of one size, then for views of another.
TEST_F(Pool, IsEmptiedWhenMemoryRunsOut) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(600 * MiB).c_str(), 1);  // for the model
  Kokkos::ScopeGuard guard(pool_of(1 << 19));                          // keeps everything
  std::size_t const most = free_memory() / 10;
  for (std::size_t const n : {3 * most, most / 3, std::size_t(2) * most, most / 100}) {
    std::vector<Bytes> views;
    for (std::size_t sum = 0; sum + n <= 6 * most; sum += n) {
      ASSERT_EQ(thrown_message([&] { views.push_back(bytes_of(n)); }), "") << n << " bytes after " << sum;
    }
  }
}

// A converting copy is divided into parts, so it needs little device memory in addition to the view.
TEST_F(Pool, HasRoomForConvertingCopiesOfHalfOfIt) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(90 * MiB).c_str(), 1);
  Kokkos::ScopeGuard guard(pool_of(1));
  constexpr std::size_t n = 40 * MiB / sizeof(float);
  Kokkos::View<float*, GPU::memory_space> const device(Kokkos::view_alloc("device", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", n);
  host(n - 1) = 3;
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(device, host); }), "");
  host(n - 1) = 0;
  EXPECT_EQ(thrown_message([&] { Kokkos::deep_copy(host, device); }), "");
  EXPECT_EQ(host(n - 1), 3);
}

struct UseTeamScratch {
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const& team) const {
    *static_cast<char*>(team.team_scratch(1).get_shmem(8)) = 1;
  }
};

// This process alone uses the device, so what is free there is its own doing.
TEST_F(Pool, WithTheScratchMemoryOfTeamsIsReleasedWhenIdle) {
  Kokkos::ScopeGuard guard;
  const GPU space   = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  auto const launch = [&] {
    auto const policy = Kokkos::TeamPolicy<GPU>(space, 4, 1).set_scratch_size(1, Kokkos::PerTeam(int(MiB)));
    Kokkos::parallel_for("scratch", policy, UseTeamScratch());
    Kokkos::fence();
  };
  launch();
  std::size_t const before = free_memory();
  Kokkos::Experimental::release_idle_memory();
  EXPECT_GE(free_memory(), before + 4 * MiB);
  launch();  // allocates again
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// Which memory is missing, and what the program can do, for each kind.
TEST_F(Pool, SaysWhichMemoryIsMissing) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(100 * MiB).c_str(), 1);
  Kokkos::ScopeGuard guard;
  auto const message_of = [](char const* function, auto const& space) {
    for (unsigned call = 1; call <= 8; ++call) hip_model::fail_call(function, call, hipErrorOutOfMemory);
    std::string const message = thrown_message([&] { (void)space.allocate("label", 3 * MiB); });
    hip_model::clear_faults();
    return message;
  };
  auto const start = [](char const* space) {
    return std::string("Kokkos memory space ") + space + " could not supply 3 MiB (3145728 bytes) for \"label\": ";
  };
  EXPECT_EQ(message_of("hipHostMalloc", Kokkos::SharedHostPinnedSpace()),
            start(Kokkos::SharedHostPinnedSpace::name()) +
                "the system has no more host memory that can be pinned. Request less, or free memory first.");
  for (std::string const& message :
       {message_of("hipMalloc", GPU::memory_space()), message_of("hipMallocManaged", Kokkos::SharedSpace())}) {
    EXPECT_NE(message.find(" could not supply 3 MiB (3145728 bytes) for \"label\": the device has "), message.npos);
    EXPECT_NE(message.find(" of 100 MiB free. Request less, or free memory first."), message.npos) << message;
  }
  // Other errors have their names.
  for (unsigned call = 1; call <= 8; ++call) hip_model::fail_call("hipHostMalloc", call, hipErrorUnknown);
  expect_all(thrown_message([] { (void)Kokkos::SharedHostPinnedSpace().allocate("label", 3 * MiB); }),
             {"hipHostMalloc", "hipErrorUnknown", "An earlier operation has failed; a fence reports it."});
  hip_model::clear_faults();
}
#endif

TEST_F(Pool, SaysWhatIsFreeWhenThereIsTooLittle) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(100 * MiB).c_str(), 1);
  Kokkos::ScopeGuard guard;
  std::size_t const much = free_memory() + 64 * MiB;
  expect_all(thrown_message([&] { (void)bytes_of(much, "too large"); }), {"too large", "free. Request less"});
  EXPECT_EQ(thrown_message([] { (void)bytes_of(MiB); }), "");
}

}  // namespace
