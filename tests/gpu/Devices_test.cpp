// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several devices in one process: instances on streams of each, with launches, memory, copies and fences. Skipped if
/// there is only one device; HIP_MODEL_DEVICES sets the number of devices of the HIP model.

#include "../unit/Journal.hpp"
#include "../unit/LockCount.hpp"
#include "DeviceOperations.hpp"

#include <Kokkos_DLPack.hpp>

#include <impl/GPU/instance/Kokkos_GPU_FenceMarks.hpp>
#include <impl/GPU/instance/Kokkos_GPU_Instance_Impl.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::common_value;
using Kokkos::Testing::device_count;
using Kokkos::Testing::GPU;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Runtime;
using Kokkos::Testing::Stream;
using Kokkos::Testing::words;
using Kokkos::Testing::DeviceOperations::add;
using Kokkos::Testing::DeviceOperations::fence_of_all;
using Kokkos::Testing::DeviceOperations::Large;
using Kokkos::Testing::DeviceOperations::Operations;
using Kokkos::Testing::DeviceOperations::operations_in;
using Kokkos::Testing::DeviceOperations::RunningSum;
using Kokkos::Testing::DeviceOperations::Small;
using Kokkos::Testing::DeviceOperations::SumOfElements;
using Kokkos::Testing::DeviceOperations::View;

int current_device() {
  int device = -1;
  EXPECT_EQ(words(Runtime::get_device(&device)), words(Runtime::success));
  return device;
}

int device_of(void const* p) {
  int device                    = -1;
  Kokkos::Impl::MemoryKind kind = Kokkos::Impl::MemoryKind::pageable;
  EXPECT_EQ(words(Runtime::pointer_kind(p, &kind, &device)), words(Runtime::success));
  return device;
}

/// A stream on each device, and an instance on each stream.
class Devices : public testing::Test {
 protected:
  void SetUp() override {
    if (device_count() < 2) GTEST_SKIP() << "There is one device; this needs two.";
    for (int device = 0; device < device_count(); ++device) {
      m_streams.push_back(std::make_unique<OwnStream>(device));
      m_spaces.emplace_back(m_streams.back()->get());
    }
    m_before = current_device();
  }
  void TearDown() override {
    if (m_spaces.empty()) return;
    EXPECT_EQ(current_device(), m_before) << "the program's choice of a device has been changed";
  }
  View view_on(std::size_t device, char const* label, int n = 1000) {
    View view(Kokkos::view_alloc(m_spaces[device], label), n);
    m_spaces[device].fence();
    return view;
  }

  std::vector<std::unique_ptr<OwnStream>> m_streams;
  std::vector<GPU> m_spaces;
  int m_before = 0;
};

TEST_F(Devices, InstancesKnowTheirDevice) {
  for (std::size_t device = 0; device < m_spaces.size(); ++device) {
    EXPECT_EQ(m_spaces[device].impl_instance().device(), static_cast<int>(device));
    EXPECT_EQ(m_spaces[device].impl_instance().stream(), m_streams[device]->get());
    EXPECT_GT(m_spaces[device].concurrency(), 0);
#ifdef KOKKOS_ENABLE_HIP
    hipDeviceProp_t properties{};
    EXPECT_EQ(hipGetDeviceProperties(&properties, static_cast<int>(device)), hipSuccess);
    EXPECT_EQ(m_spaces[device].hip_device_prop().pciBusID, properties.pciBusID) << device;
#endif
    for (GPU const& part : Kokkos::Experimental::partition_space(m_spaces[device], 1, 1))
      EXPECT_EQ(part.impl_instance().device(), static_cast<int>(device));
  }
  EXPECT_EQ(GPU().impl_instance().device(), Kokkos::device_id());
  EXPECT_NE(m_spaces[0], m_spaces[1]);
}

TEST_F(Devices, MemoryIsOnTheInstancesDevice) {
  for (std::size_t device = 0; device < m_spaces.size(); ++device)
    EXPECT_EQ(device_of(view_on(device, "view").data()), static_cast<int>(device));
  EXPECT_EQ(device_of(View("view", 10).data()), Kokkos::device_id());
}

TEST_F(Devices, ATensorIsOnTheDeviceOfItsInstance) {
  using Kokkos::Experimental::to_dlpack;
  auto const expect = [](auto* tensor, int device, char const* what) {
    EXPECT_EQ(tensor->dl_tensor.device.device_id, device) << what;
    tensor->deleter(tensor);
  };
  for (std::size_t device = 0; device < m_spaces.size(); ++device) {
    View const view = view_on(device, "view");
    expect(to_dlpack(m_spaces[device], view), static_cast<int>(device), "of the instance");
    expect(to_dlpack(view), Kokkos::device_id(), "of the default instance");
  }
}

TEST_F(Devices, FunctorsOfEachSizeRunOnEach) {
  std::vector<View> views;
  for (std::size_t device = 0; device < m_spaces.size(); ++device) views.push_back(view_on(device, "view"));
  // More than the number of slots in the ring, on alternating devices, to detect the use of another device's slot.
  for (int i = 0; i < 100; ++i)
    for (std::size_t device = 0; device < m_spaces.size(); ++device) {
      add(m_spaces[device], Small(views[device], 1 + device));
      add(m_spaces[device], Large(views[device], 1 + device));
    }
  for (GPU const& space : m_spaces) space.fence();
  for (std::size_t device = 0; device < m_spaces.size(); ++device)
    EXPECT_EQ(common_value(views[device]), 400. * (1 + device));
}

struct TeamAdd {
  View view;
  using Member  = Kokkos::TeamPolicy<GPU>::member_type;
  using Scratch = Kokkos::View<double*, GPU::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Scratch slow(member.team_scratch(1), 64);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, 64), [&](int i) { slow(i) = 1; });
    member.team_barrier();
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(member, 64), [&](int i, double& s) { s += slow(i); }, sum);
    Kokkos::single(Kokkos::PerTeam(member), [&] { view(member.league_rank()) += sum; });
  }
};
struct Triple {
  double x, y, z;
  KOKKOS_FUNCTION friend Triple operator+(Triple const& a, Triple const& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
};
struct AddTriples {
  Kokkos::View<Triple, GPU> total;
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(&total(), Triple{1, 2, 3}); }
};

TEST_F(Devices, EveryPatternRunsOnEach) {
  for (std::size_t device = 0; device < m_spaces.size(); ++device) {
    GPU const& space = m_spaces[device];
    View in = view_on(device, "in", 10000), out = view_on(device, "out", 10000);
    Kokkos::deep_copy(space, in, 2.0);
    double sum = 0;
    Kokkos::parallel_reduce("sum", RangePolicy<GPU>(space, 0, 10000), SumOfElements{in}, sum);
    EXPECT_EQ(sum, 20000);
    double total = 0;
    Kokkos::parallel_scan("scan", RangePolicy<GPU>(space, 0, 10000), RunningSum{in, out}, total);
    EXPECT_EQ(total, 20000);
    View teams  = view_on(device, "teams", 100);
    auto policy = Kokkos::TeamPolicy<GPU>(space, 100, 32, 1);
    policy.set_scratch_size(1, Kokkos::PerTeam(TeamAdd::Scratch::shmem_size(64)));
    Kokkos::parallel_for("teams", policy, TeamAdd{teams});
    Kokkos::View<Triple, GPU> triples(Kokkos::view_alloc(space, "triples"));
    Kokkos::parallel_for("triples", RangePolicy<GPU>(space, 0, 100), AddTriples{triples});
    space.fence();
    EXPECT_EQ(common_value(teams), 64);
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), triples)().z, 300);
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out)(9999), 20000);
  }
}

TEST_F(Devices, CopiesBetweenDevicesAndTheHost) {
  constexpr int n = 100000;
  Kokkos::View<double*, Kokkos::HostSpace> source("source", n), result("result", n);
  for (int i = 0; i < n; ++i) source(i) = i;
  View first = view_on(0, "first", n), second = view_on(1, "second", n);
  Kokkos::deep_copy(m_spaces[0], first, source);
  m_spaces[0].fence();
  add(m_spaces[0], Small(first, 0.5));
  m_spaces[0].fence();
  Kokkos::deep_copy(m_spaces[1], second, first);  // in the order of the receiver
  add(m_spaces[1], Large(second, 1));
  Kokkos::deep_copy(m_spaces[1], result, second);
  m_spaces[1].fence();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result(i) != i + 3;
  EXPECT_EQ(wrong, 0);
  Kokkos::deep_copy(first, second);  // without an instance: complete when it returns
  Kokkos::deep_copy(result, first);
  for (int i = 0; i < n; ++i) wrong += result(i) != i + 3;
  EXPECT_EQ(wrong, 0);
}

TEST_F(Devices, AFenceOfAllWaitsForEach) {
  std::vector<View> views;
  for (std::size_t device = 0; device < m_spaces.size(); ++device) views.push_back(view_on(device, "view", 1));
  std::vector<std::unique_ptr<Kokkos::Testing::Gate>> gates;
  for (std::size_t device = 0; device < m_spaces.size(); ++device) {
    gates.push_back(std::make_unique<Kokkos::Testing::Gate>());
    gates.back()->close(m_streams[device]->get());
    add(m_spaces[device], Small(views[device], 1));
  }
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (auto& gate : gates) gate->open();
  });
  Kokkos::fence();
  for (std::size_t device = 0; device < m_spaces.size(); ++device)
    EXPECT_EQ(words(Runtime::stream_query(m_streams[device]->get())), words(Runtime::success));
  opener.join();
  for (View const& view : views) EXPECT_EQ(common_value(view), 2);
}

TEST_F(Devices, HostThreadsUseOneEach) {
  std::vector<View> views;
  for (std::size_t device = 0; device < m_spaces.size(); ++device) views.push_back(view_on(device, "view"));
  std::vector<std::thread> threads;
  for (std::size_t device = 0; device < m_spaces.size(); ++device)
    threads.emplace_back([&, device] {
      for (int i = 0; i < 50; ++i) {
        add(m_spaces[device], Large(views[device], 0.5));
        double sum = 0;
        Kokkos::parallel_reduce("sum", RangePolicy<GPU>(m_spaces[device], 0, 1000), SumOfElements{views[device]}, sum);
        EXPECT_EQ(sum, 1000. * (i + 1));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Devices, InstancesOfADeviceEndBeforeOthers) {
  View view = view_on(1, "view");
  {
    const GPU passing(m_streams[0]->get());
    View other(Kokkos::view_alloc(passing, "other"), 1000);
    add(passing, Large(other, 1));
  }
  m_spaces.erase(m_spaces.begin());
  m_streams.erase(m_streams.begin());
  add(m_spaces[0], Large(view, 1));
  m_spaces[0].fence();
  EXPECT_EQ(common_value(view), 2);
}

// Copies and fills run on the device of their instance, in the order of the graph, also between devices and with the host.
TEST_F(Devices, AGraphCopiesOnEachAndBetweenThem) {
  using Host       = Kokkos::View<double*, Kokkos::HostSpace>;
  View const first = view_on(0, "first"), second = view_on(1, "second"), third = view_on(1, "third");
  Host const in("in", 1000), every_other("every other", 2000), out("out", 1000);
  Kokkos::LayoutStride const gaps(1000, 2);
  Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const strided(
      every_other.data(), gaps);
  // Elements that are reordered in the memory of the other device.
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const columns(Kokkos::view_alloc(m_spaces[1], "columns"), 20, 50);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const rows(out.data(), 20,
                                                                                                     50);
  m_spaces[1].fence();
  GPU const own = Kokkos::Experimental::partition_space(m_spaces[0], 1)[0];
  Kokkos::Experimental::Graph<GPU> graph(own);
  auto const range = [](GPU const& space) { return RangePolicy<GPU>(space, 0, 1000); };
  graph.root_node()
      .then_deep_copy(m_spaces[0], first, in)
      .then_parallel_for("add", range(m_spaces[0]), Small(first, 1))
      .then_deep_copy(m_spaces[1], second, first)
      .then_parallel_for("add", range(m_spaces[1]), Small(second, 1))
      .then_deep_copy(m_spaces[1], strided, second)
      .then_fill("fill", m_spaces[1], third, -1)
      .then_deep_copy(m_spaces[1], third, strided)
      .then_deep_copy(out, third)
      .then_deep_copy(m_spaces[0], columns, rows)
      .then_fill(out, -1)
      .then_deep_copy(m_spaces[0], rows, columns);
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < 1000; ++i) in(i) = 100 * round + i;
    graph.submit(own);
    own.fence();
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) wrong += out(i) != 100 * round + i + 4;
    EXPECT_EQ(wrong, 0) << out(1) << " instead of " << 100 * round + 5;
  }
}

// Whatever the current device of the thread that asks first.
TEST_F(Devices, AnEventOfEachIsAnsweredOnEach) {
  for (int device = 0; device < 2; ++device)
    for (int current = 0; current < 2; ++current) {
      std::unique_ptr<Kokkos::Impl::CompletionEvent<Runtime>> event;
      {
        Kokkos::Impl::DeviceScope<Runtime> const scope(device);
        event = std::make_unique<Kokkos::Impl::CompletionEvent<Runtime>>();
        EXPECT_EQ(words(event->record(m_streams[device]->get())), words(Runtime::success));
      }
      Kokkos::Impl::DeviceScope<Runtime> const scope(current);
      EXPECT_EQ(words(event->synchronize(device)), words(Runtime::success));
      EXPECT_EQ(words(event->query(device)), words(Runtime::success)) << device << " from " << current;
    }
}

// A fence keeps its events for the next one, which may be of another device.
TEST_F(Devices, MarksOfFencesAreKeptForTheirDevice) {
  std::vector<int> const order{0, 1, 1, 0, 1, 0};
  for (int const device : order) {
    Kokkos::Impl::DeviceScope<Runtime> const scope(device);
    Kokkos::Impl::GPUFenceMarks<Runtime> marks(device), more(device);
    EXPECT_EQ(marks.device(), device);
    EXPECT_EQ(more.device(), device);
    for (bool const joins : {true, false})
      for (auto* const some : {&marks, &more})
        EXPECT_EQ(words(some->add(m_streams[device]->get(), joins)), words(Runtime::success)) << device;
    EXPECT_EQ(words(marks.synchronize()), words(Runtime::success)) << device;
    EXPECT_EQ(words(more.synchronize()), words(Runtime::success)) << device;
  }
}

// Each device of a set once, also behind those that the set does not have.
TEST(DeviceSet, VisitsItsDevices) {
  int const numbers[] = {0, 1, 2, 31, 32, 62, 63};
  for (unsigned chosen = 0; chosen < 128; ++chosen) {
    Kokkos::Impl::GPUDeviceSet set;
    std::vector<int> added, visited;
    for (int i = 0; i < 7; ++i)
      if ((chosen >> i & 1) != 0) {
        set.add(numbers[i]);
        added.push_back(numbers[i]);
      }
    set.for_each([&](int device) { visited.push_back(device); });
    EXPECT_EQ(visited, added);
    for (int const device : numbers)
      EXPECT_EQ(set.contains(device), std::find(added.begin(), added.end(), device) != added.end()) << device;
  }
}

#ifdef KOKKOS_IMPL_GPU_MODEL
// Devices that differ in everything that the library asks for.
TEST_F(Devices, PropertiesAreThoseOfEach) {
  Kokkos::Impl::GPUProperties first;
  ASSERT_EQ(words(Runtime::device_properties(&first, 0)), words(Runtime::success));
  hip_model::change_properties(1, [](void* of_device) {
    auto& p                            = *static_cast<hipDeviceProp_t*>(of_device);
    p.warpSize                         = p.warpSize == 64 ? 32 : 64;
    p.multiProcessorCount              = 7;
    p.maxThreadsPerBlock               = 512;
    p.maxThreadsPerMultiProcessor      = 1536;
    p.regsPerBlock                     = 32768;
    p.sharedMemPerBlock                = 32768;
    p.maxSharedMemoryPerMultiProcessor = 40000;
    p.major                            = 11;
    p.minor                            = 5;
    p.l2CacheSize                      = 12345;
    p.totalGlobalMem                   = 1 << 20;
    p.concurrentManagedAccess          = !p.concurrentManagedAccess;
    p.pageableMemoryAccess             = !p.pageableMemoryAccess;
    p.name[0]                          = '?';
  });
  auto const text = [](Kokkos::Impl::GPUProperties const& p) {
    std::string all = p.name;
    for (auto const number :
         {std::size_t(p.warp_size), std::size_t(p.multiprocessors), std::size_t(p.threads_per_block),
          std::size_t(p.threads_per_multiprocessor), std::size_t(p.blocks_per_multiprocessor),
          std::size_t(p.registers_per_block), p.shared_per_block, p.shared_per_multiprocessor, p.l2_bytes,
          p.memory_bytes, std::size_t(p.managed_concurrent), std::size_t(p.pageable_access),
          std::size_t(p.stream_values), std::size_t(p.compute_major), std::size_t(p.compute_minor)})
      all += ' ' + std::to_string(number);
    return all;
  };
  Kokkos::Impl::GPUProperties second = first;
  second.name[0]                     = '?';
  second.warp_size                   = first.warp_size == 64 ? 32 : 64;
  second.multiprocessors             = 7;
  second.threads_per_block           = 512;
  second.threads_per_multiprocessor  = 1536;
  second.blocks_per_multiprocessor   = 1536 / second.warp_size;
  second.registers_per_block         = 32768;
  second.shared_per_block            = 32768;
  second.shared_per_multiprocessor   = 40000;
  second.l2_bytes                    = 12345;
  second.memory_bytes                = 1 << 20;
  second.managed_concurrent          = !first.managed_concurrent;
  second.pageable_access             = !first.pageable_access;
  second.compute_major               = 11;
  second.compute_minor               = 5;
  EXPECT_TRUE(first.stream_values);
  for (int const current : {0, 1})
    for (int const device : {0, 1}) {
      Kokkos::Impl::DeviceScope<Runtime> const scope(current);
      Kokkos::Impl::GPUProperties found;
      EXPECT_EQ(words(Runtime::device_properties(&found, device)), words(Runtime::success));
      EXPECT_EQ(text(found), text(device == 0 ? first : second)) << device << " from " << current;
    }
  hip_model::change_properties(1, nullptr);
}

// Access may be possible in one direction only.
TEST_F(Devices, FactsSayWhichOneReachesTheOther) {
  for (int const device : {0, 1}) {
    hip_model::refuse_peer_access(device, 1 - device);
    Kokkos::Impl::MachineFacts facts;
    for (auto const* backend = Kokkos::Impl::backend_table; *backend != nullptr; ++backend)
      if ((*backend)->gather_facts) (*backend)->gather_facts(facts);
    ASSERT_EQ(facts.devices.size(), 2u);
    EXPECT_EQ(facts.devices[device].peers, std::vector<int>());
    EXPECT_EQ(facts.devices[1 - device].peers, std::vector<int>{device});
  }
  hip_model::refuse_peer_access(-1, -1);
}

// All streams, events and memory that an operation uses are of the device of its instance, also when another device has done
// the same before.
TEST_F(Devices, AnOperationIsOnTheDeviceOfItsInstance) {
  std::vector<Operations> all;
  for (std::size_t device = 0; device < m_spaces.size(); ++device)
    all.push_back(operations_in(m_spaces[device], m_streams[device]->get()));
  Kokkos::fence();
  for (std::size_t i = 0; i < all[0].size(); ++i)
    for (int round = 0; round < 2; ++round)
      for (int device = 0; device < device_count(); ++device) {
        std::size_t const made        = hip_model::objects_made(1 - device);
        std::size_t const before      = hip_model::submission_count();
        auto const& [what, operation] = all[device][i];
        operation();
        std::size_t const count = hip_model::submission_count() - before;
        auto const work         = hip_model::submissions();
        ASSERT_LE(count, work.size());
        for (auto one = work.end() - static_cast<std::ptrdiff_t>(count); one != work.end(); ++one) {
          EXPECT_EQ(one->device, device) << one->what << " of " << what << ", round " << round;
          EXPECT_EQ(one->current, device) << one->what << " of " << what << ", round " << round;
        }
        if (what != fence_of_all)
          EXPECT_EQ(hip_model::objects_made(1 - device), made) << what << ", device " << device << ", round " << round;
        m_spaces[device].fence();
      }
}

// Whatever a call would do on the other device. The caller's device is that of the instance, so that calls which work on every
// device are on it, too. Device 1 is first, because device 0 is the one that a mistake would name.
TEST(FirstUseOfDevices, CallsOfEachOperation) {
  if (device_count() < 2 || testing::UnitTest::GetInstance()->test_to_run_count() > 1)
    GTEST_SKIP()
        << "gpu/Devices_test/calls runs it in a process of its own, where each device is used for the first time.";
  for (int const device : {1, 0}) {
    Kokkos::Impl::DeviceScope<Runtime> const scope(device);
    auto const calls_on_other = [&](std::function<void()> const& operation) {
      std::size_t const before = hip_model::calls_on(1 - device).count;
      operation();
      return hip_model::calls_on(1 - device).count - before;
    };
    auto const expect_own_device = [&](std::string const& what, std::function<void()> const& operation) {
      EXPECT_EQ(calls_on_other(operation), 0u) << what << " of device " << device << " ended with "
                                               << hip_model::calls_on(1 - device).last << " on the other";
    };
    std::optional<OwnStream> stream;
    std::optional<GPU> space;
    Operations all;
    expect_own_device("instance", [&] { space.emplace(stream.emplace(device).get()); });
    expect_own_device("memory", [&] { View const first(Kokkos::view_alloc(*space, "first"), 1000); });
    all = operations_in(*space, stream->get());  // with pinned memory, which is of the first device for all
    for (int round = 0; round < 2; ++round)
      for (auto const& [what, operation] : all) {
        if (what == fence_of_all) {  // as many calls on the other one as if this one had no work
          EXPECT_EQ(calls_on_other(operation), calls_on_other([] { Kokkos::fence(); })) << "device " << device;
          continue;
        }
        expect_own_device(what, [&, &operation = operation] {
          operation();
          space->fence();
        });
      }
    expect_own_device("end", [&] {
      all.clear();
      space.reset();
      stream.reset();
    });
  }
}

#ifdef KOKKOS_TEST_COUNTS_LOCKS
// The second time, so that nothing is made for later operations. Copies by threads depend on time, and some other operations
// on those of earlier tests.
TEST_F(Devices, LocksOfEachOperation) {
  if (testing::UnitTest::GetInstance()->test_to_run_count() > 1)
    GTEST_SKIP() << "gpu/Devices_test/locks runs it in a process of its own.";
  hip_model::use_modes({.at_once = true});
  std::string lines;
  for (auto const& [what, operation] : operations_in(m_spaces[0], m_streams[0]->get())) {
    if (what.starts_with("pageable") || what.starts_with("pinned memory, transposed") || what == "number") continue;
    operation();
    Kokkos::fence();
    std::size_t const before = Kokkos::Testing::locks_taken;
    operation();
    lines += "  " + what + ": " + std::to_string(Kokkos::Testing::locks_taken - before) + '\n';
    Kokkos::fence();
  }
  std::size_t const before = Kokkos::Testing::locks_taken;
  Kokkos::fence();
  lines += "  fence: " + std::to_string(Kokkos::Testing::locks_taken - before) + '\n';
  hip_model::use_modes({});
  Kokkos::Testing::Journal::of_this_test().add("locks of the calling thread", lines);
  Kokkos::Testing::Journal::of_this_test().expect_as_in("Locks");
}
#endif
#endif

}  // namespace
