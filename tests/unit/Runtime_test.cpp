// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Queries while the library is initialized. The tests of initialize and finalize are in tests/lifecycle.

#include "TestSpaces.hpp"

#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_DeviceSelection.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstdlib>
#include <set>
#include <sstream>
#include <stdexcept>

namespace {

static_assert(Kokkos::Impl::TypeInfo<int>::name() == "int");
static_assert(Kokkos::Impl::TypeInfo<Kokkos::HostSpace>::name() == "Kokkos::HostSpace");

TEST(Runtime, HwlocAnswersAsIfNothingWereKnown) {
  EXPECT_FALSE(Kokkos::hwloc::available());
  EXPECT_EQ(Kokkos::hwloc::get_available_numa_count(), 1u);
  EXPECT_EQ(Kokkos::hwloc::get_available_cores_per_numa(), 1u);
  EXPECT_EQ(Kokkos::hwloc::get_available_threads_per_core(), 1u);
  EXPECT_FALSE(Kokkos::hwloc::can_bind_threads() || Kokkos::hwloc::bind_this_thread({0, 0}) ||
               Kokkos::hwloc::unbind_this_thread());
  EXPECT_EQ(Kokkos::hwloc::get_this_thread_coordinate(), std::make_pair(0u, 0u));
}

TEST(Runtime, ClocksTick) {
  auto const begin = Kokkos::Impl::clock_tic();
  while (Kokkos::Impl::clock_tic() == begin) {
  }
  EXPECT_GT(Kokkos::Impl::clock_tic(), begin);
}

TEST(Runtime, IsInitializedInBetween) {
  EXPECT_TRUE(Kokkos::is_initialized());
  EXPECT_FALSE(Kokkos::is_finalized());
  static_assert(noexcept(Kokkos::is_initialized()) && noexcept(Kokkos::is_finalized()));
  Kokkos::Impl::require_initialized("a test");
}

TEST(Runtime, NumThreadsIsWhatTheHostSpaceHas) {
  static_assert(noexcept(Kokkos::num_threads()));
  EXPECT_EQ(Kokkos::num_threads(), Kokkos::DefaultHostExecutionSpace().concurrency());
  EXPECT_GE(Kokkos::num_threads(), 1);
}

TEST(Runtime, DevicesAreCountedIfThereIsADeviceBackend) {
  bool has_devices = false;
  for (auto backend = Kokkos::Impl::backend_table; *backend != nullptr; ++backend)
    has_devices = has_devices || (*backend)->num_devices != nullptr;
  if (has_devices) {
    EXPECT_GE(Kokkos::num_devices(), 1);
    EXPECT_GE(Kokkos::device_id(), 0);
    EXPECT_LT(Kokkos::device_id(), Kokkos::num_devices());
  } else {
    EXPECT_EQ(Kokkos::num_devices(), -1);
    EXPECT_EQ(Kokkos::device_id(), -1);
  }
}

TEST(Runtime, ConfigurationNamesVersionAndBackends) {
  std::ostringstream out;
  Kokkos::print_configuration(out);
  std::string const text = out.str();
  constexpr int version  = KOKKOS_STEADFAST_VERSION;
  std::string const steadfast =
      std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' + std::to_string(version % 100);
  EXPECT_NE(text.find("Implementation: Kokkos Steadfast " + steadfast + ", commit "), text.npos) << text;
  EXPECT_NE(text.find("Kokkos Version: " + std::to_string(KOKKOS_VERSION_MAJOR) + '.'), text.npos) << text;
  for (auto backend = Kokkos::Impl::backend_table; *backend != nullptr; ++backend)
    EXPECT_NE(text.find((*backend)->name), text.npos) << text;
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
  EXPECT_NE(text.find("KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK: yes"), text.npos) << text;
#else
  EXPECT_NE(text.find("KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK: no"), text.npos) << text;
#endif
  std::ostringstream verbose;
  Kokkos::print_configuration(verbose, true);
  EXPECT_GE(verbose.str().size(), text.size());
}

TEST(Runtime, AWarningIsOneLineOfStandardError) {
  testing::internal::CaptureStderr();
  Kokkos::Impl::warn("mind the gap");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), Kokkos::show_warnings() ? "Kokkos warning: mind the gap\n" : "");
}

TEST(Runtime, ExceptionsCarryTheirSentence) {
  try {
    Kokkos::Impl::throw_runtime_exception("a sentence");
    FAIL();
  } catch (std::runtime_error const& error) {
    EXPECT_STREQ(error.what(), "a sentence");
  }
}

TEST(Runtime, SizesHaveBinaryUnits) {
  using Kokkos::Impl::human_memory_size;
  EXPECT_EQ(human_memory_size(0), "0 B");
  EXPECT_EQ(human_memory_size(1023), "1023 B");
  EXPECT_EQ(human_memory_size(1536), "1.5 KiB");
  EXPECT_EQ(human_memory_size(std::size_t(3) << 30), "3 GiB");
  EXPECT_EQ(human_memory_size(~std::size_t(0)), "16 EiB");
}

TEST(Settings, AreAbsentUntilTheyAreSet) {
  Kokkos::InitializationSettings settings;
  EXPECT_FALSE(settings.has_num_threads());
  EXPECT_FALSE(settings.has_device_id());
  EXPECT_FALSE(settings.has_map_device_id_by());
  EXPECT_FALSE(settings.has_disable_warnings());
  EXPECT_FALSE(settings.has_print_configuration());
  EXPECT_FALSE(settings.has_tune_internals());
  EXPECT_FALSE(settings.has_tools_libs());
  EXPECT_FALSE(settings.has_tools_help());
  EXPECT_FALSE(settings.has_tools_args());
  Kokkos::InitializationSettings& same = settings.set_num_threads(3).set_tools_args("-v").set_disable_warnings(false);
  EXPECT_EQ(&same, &settings);
  EXPECT_EQ(settings.get_num_threads(), 3);
  EXPECT_EQ(settings.get_tools_args(), "-v");
  EXPECT_TRUE(settings.has_disable_warnings());
  EXPECT_FALSE(settings.get_disable_warnings());
  EXPECT_FALSE(settings.has_device_id());
}

Kokkos::Impl::ParsedSettings parsed(Kokkos::InitializationSettings const& settings) {
  Kokkos::Impl::ParsedSettings p;
  p.settings = settings;
  return p;
}

TEST(Settings, DeviceNumberIsKeptBesideAStrategy) {
  using Settings = Kokkos::InitializationSettings;
  auto merged    = Kokkos::Impl::merge(parsed(Settings().set_device_id(1).set_num_threads(3)),
                                       parsed(Settings().set_map_device_id_by("mpi_rank")))
                    .settings;
  EXPECT_EQ(merged.get_map_device_id_by(), "mpi_rank");
  EXPECT_EQ(merged.get_num_threads(), 3);
  EXPECT_EQ(Kokkos::Impl::select_device(merged, {5, 6, 7}), 6);
}

// ---- choice of a device -------------------------------------------------------------------------------------------

// Sets an environment variable during its life.
class Variable {
 public:
  Variable(char const* name, char const* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  char const* name_;
};

TEST(DeviceSelection, AllDevicesAreVisibleOrThoseThatAreListed) {
  unsetenv("KOKKOS_VISIBLE_DEVICES");
  EXPECT_EQ(Kokkos::Impl::visible_devices(3), (std::vector<int>{0, 1, 2}));
  Variable listed("KOKKOS_VISIBLE_DEVICES", "2,0");
  EXPECT_EQ(Kokkos::Impl::visible_devices(3), (std::vector<int>{2, 0}));
}

TEST(DeviceSelection, AWrongListIsTold) {
  for (char const* list : {"3", "-1", "a", "0,,1", "0,", "1,1", "0 1"}) {
    Variable listed("KOKKOS_VISIBLE_DEVICES", list);
    try {
      Kokkos::Impl::visible_devices(3);
      ADD_FAILURE() << list;
    } catch (std::runtime_error const& error) {
      std::string const message = error.what();
      EXPECT_NE(message.find(std::string("KOKKOS_VISIBLE_DEVICES=") + list), message.npos) << message;
      EXPECT_NE(message.find("from 0 to 2"), message.npos) << message;
    }
  }
}

TEST(DeviceSelection, TakesTheNumberTheRankOrChance) {
  using Settings                 = Kokkos::InitializationSettings;
  std::vector<int> const visible = {4, 6, 7};
  EXPECT_EQ(Kokkos::Impl::select_device(Settings().set_device_id(1), visible), 6);
  EXPECT_THROW(Kokkos::Impl::select_device(Settings().set_device_id(3), visible), std::runtime_error);
  EXPECT_THROW(Kokkos::Impl::select_device(Settings(), {}), std::runtime_error);
  {
    Variable rank("OMPI_COMM_WORLD_LOCAL_RANK", "4");
    EXPECT_EQ(Kokkos::Impl::mpi_local_rank(), 4);
    EXPECT_EQ(Kokkos::Impl::select_device(Settings(), visible), 6);
    EXPECT_EQ(Kokkos::Impl::select_device(Settings().set_map_device_id_by("mpi_rank"), visible), 6);
    EXPECT_EQ(Kokkos::Impl::select_device(Settings().set_device_id(0), visible), 4);
  }
  std::set<int> chosen;
  for (int i = 0; i < 200; ++i)
    chosen.insert(Kokkos::Impl::select_device(Settings().set_map_device_id_by("random"), visible));
  EXPECT_EQ(chosen, (std::set<int>{4, 6, 7}));
}

TEST(DeviceSelection, WithoutALauncherTheFirstDeviceIsUsed) {
  for (char const* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                           "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID", "FLUX_TASK_LOCAL_ID", "SLURM_LOCALID"})
    unsetenv(name);
  EXPECT_EQ(Kokkos::Impl::mpi_local_rank(), -1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Kokkos::Impl::select_device(Kokkos::InitializationSettings().set_map_device_id_by("mpi_rank"), {5, 6}), 5);
  std::string const message = testing::internal::GetCapturedStderr();
  if (Kokkos::show_warnings()) {
    EXPECT_NE(message.find("the first device is used"), message.npos) << message;
  }
}

// ---- fences -------------------------------------------------------------------------------------------------------

template <class Space>
class Fence : public testing::Test {};
TYPED_TEST_SUITE(Fence, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
struct WriteIndex {
  Kokkos::View<int*, Space> data;
  KOKKOS_FUNCTION void operator()(int i) const { data(i) = i; }
};

template <class Space>
void test_fence() {
  Kokkos::View<int*, Space> data("data", 1000);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1000), WriteIndex<Space>{data});
  Kokkos::fence("after the kernel");
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible) {
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(data(i), i);
  }
  Kokkos::fence();
}

TYPED_TEST(Fence, WaitsForKernels) { test_fence<TypeParam>(); }

}  // namespace
