// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The record of waits for KOKKOS_EXPLAIN_WAITS: each reason, its place, and how often. Each TEST is a separate process.

#include "../unit/Deadline.hpp"
#include "DeviceTest.hpp"

#include <Kokkos_Graph.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyEngines.hpp>
#include <impl/runtime/Kokkos_WaitReport.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace Kokkos::Testing;
using Kokkos::InitializationSettings;
using Kokkos::RangePolicy;
using Kokkos::view_alloc;
using Kokkos::WithoutInitializing;
using Kokkos::Impl::WaitReason;
using Device    = Kokkos::View<double*, GPU::memory_space>;
using Host      = Kokkos::View<double*, Kokkos::HostSpace>;
using Unmanaged = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
using Large     = AddPayload<Device, 5000>;
using Ring      = Kokkos::Impl::FunctorRing<Runtime>;

constexpr std::size_t MiB = std::size_t(1) << 20;
constexpr int many        = 1 << 18;

/// A wait that a test expects.
struct Wait {
  WaitReason reason;
  std::string where;
  std::size_t count = 1;

  bool operator==(Wait const&) const = default;
  friend std::ostream& operator<<(std::ostream& os, Wait const& w) {
    return os << "reason " << int(w.reason) << " at " << w.where << ", " << w.count << " times";
  }
};

/// The waits in `action`, sorted by reason and place.
std::vector<Wait> waits_of(std::function<void()> const& action) {
  Kokkos::fence();
  Kokkos::Impl::start_wait_record();
  action();
  std::vector<Wait> waits;
  for (auto const& row : Kokkos::Impl::recorded_waits()) {
    EXPECT_GE(row.nanoseconds, row.longest);
    EXPECT_GE(row.longest * static_cast<long long>(row.count), row.nanoseconds) << "the longest is above the mean";
    waits.push_back({row.reason, row.where, row.count});
  }
  std::sort(waits.begin(), waits.end(), [](Wait const& a, Wait const& b) {
    return a.reason != b.reason ? a.reason < b.reason : a.where < b.where;
  });
  return waits;
}

/// Opens a gate when a thread of the test waits.
class OpensWhenWaited {
 public:
  explicit OpensWhenWaited(std::function<void()> const& open)
      : m_thread([open] {
          while (Kokkos::Impl::waits_in_progress() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          open();
        }) {}
  ~OpensWhenWaited() { m_thread.join(); }
  OpensWhenWaited(OpensWhenWaited const&)            = delete;
  OpensWhenWaited& operator=(OpensWhenWaited const&) = delete;

 private:
  std::thread m_thread;
};

struct AddOne {
  Device view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};
struct Sum {
  Device view;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += view(i); }
};
struct Prefix {
  Device view;
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool) const { sum += view(i); }
};

struct Plus {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return a + b; }
};
struct Twice {
  KOKKOS_FUNCTION double operator()(double a) const { return 2 * a; }
};

void add_one(GPU const& exec, Device const& view, char const* label = "add") {
  Kokkos::parallel_for(label, RangePolicy<GPU>(exec, 0, static_cast<int>(view.extent(0))), AddOne{view});
}

class Waits : public testing::Test {
 protected:
  static void start(char const* pageable_copy = "default", int pool_mib = 512) {
    Kokkos::initialize(InitializationSettings()
                           .set_explain_waits(true)
                           .set_pageable_copy(pageable_copy)
                           .set_device_memory_pool_mb(pool_mib));
    (void)Kokkos::Impl::CopyEngines<Runtime>::of(Kokkos::device_id()).is_usable();  // creates the staging buffer
  }
  /// Finalizes, and returns the table.
  static std::string table() {
    testing::internal::CaptureStderr();
    Kokkos::finalize();
    return testing::internal::GetCapturedStderr();
  }

 private:
  Deadline m_deadline{"a test of waits still waits", 200};
};

struct Case {
  char const* name;
  std::function<void()> action;
  std::vector<Wait> expected;
  bool warm = true;  ///< run the action once before, so that nothing is a first use
};

void check(std::vector<Case> const& cases) {
  for (Case const& c : cases) {
    SCOPED_TRACE(c.name);
    if (c.warm) c.action();
    EXPECT_EQ(waits_of(c.action), c.expected);
  }
}

TEST_F(Waits, OfFencesHaveTheReasonThatTheirLabelShows) {
  start();
  {
    GPU const exec;
    Device const x("x", 100);
    std::string const unnamed = std::string("Kokkos::") + GPU::name();
    auto const fenced_as      = [&](char const* label) {
      return [=] {
        add_one(exec, x);
        exec.fence(label);
      };
    };
    check({
        {"a kernel", [&] { add_one(exec, x); }, {}},
        {"a fence of the program", fenced_as("mine"), {{WaitReason::fence, "\"mine\""}}},
        {"a fence without work",
         [&] {
           add_one(exec, x);
           exec.fence("mine");
           exec.fence("idle");
         },
         {{WaitReason::fence, "\"mine\""}}},
        {"without a label",
         [&] {
           add_one(exec, x);
           exec.fence();
         },
         {{WaitReason::fence, '"' + unnamed + "::fence: Unnamed Instance Fence\""}}},
        {"of all",
         [&] {
           add_one(exec, x);
           Kokkos::fence("everything");
         },
         {{WaitReason::fence_of_all, "\"everything\""}}},
        {"of all, without a label",
         [&] {
           add_one(exec, x);
           Kokkos::fence();
         },
         {{WaitReason::fence_of_all, "\"Kokkos::fence: Unnamed Global Fence\""}}},
        {"of a tool", fenced_as("Kokkos::Tools::fence"), {{WaitReason::tool_fence, "\"Kokkos::Tools::fence\""}}},
        {"of all, of a tool",
         [&] {
           add_one(exec, x);
           Kokkos::fence("Kokkos::Tools::fence");
         },
         {{WaitReason::tool_fence, "\"Kokkos::Tools::fence\""}}},
        {"of a function", fenced_as("Kokkos::sort: fence"), {{WaitReason::library_fence, "\"Kokkos::sort: fence\""}}},
        {"three times",
         [&] {
           for (int i = 0; i < 3; ++i) fenced_as("mine")();
         },
         {{WaitReason::fence, "\"mine\"", 3}}},
    });
  }
  Kokkos::finalize();
}

/// No algorithm reads the total of its scan, so the only wait is the one for its result.
TEST_F(Waits, OfScansOfAlgorithmsAreOneFence) {
  namespace KE = Kokkos::Experimental;
  start();
  {
    GPU const exec;
    Device const x("x", 100), y("y", 100);
    check({
        {"inclusive", [&] { KE::inclusive_scan("scan", exec, x, y); }, {{WaitReason::fence, "\"scan: done\""}}},
        {"exclusive", [&] { KE::exclusive_scan("scan", exec, x, y, 1.); }, {{WaitReason::fence, "\"scan: done\""}}},
        {"transformed",
         [&] { KE::transform_inclusive_scan("scan", exec, x, y, Plus(), Twice()); },
         {{WaitReason::fence, "\"scan: done\""}}},
    });
  }
  Kokkos::finalize();
}

TEST_F(Waits, OfCopies) {
  start();
  {
    GPU const exec;
    Device const x("x", many), y("y", many);
    Host const h("h", many), few("few", 2);
    std::vector<double> memory(many);
    Unmanaged const raw(memory.data(), many);
    auto const part = Kokkos::pair<int, int>(0, 20000);
    Device const big_device("D", 4 * many);
    Host const big_host("H", 4 * many);  // for these, staging threads move the elements
    auto const first = Kokkos::pair<int, int>(0, 2);
    double value     = 0;
    bool const waits = !pageable_copies_return_at_once();
    std::vector<Wait> const to_device =
        waits ? std::vector<Wait>{{WaitReason::copy_of_pageable, "\"h\" to \"x\""}} : std::vector<Wait>{};
    check({
        {"without an instance",
         [&] { Kokkos::deep_copy(h, x); },
         {{WaitReason::copy_without_instance, "\"x\" to \"h\""}}},
        {"to the host through a slot",
         [&] { Kokkos::deep_copy(Kokkos::subview(h, part), Kokkos::subview(x, part)); },
         {{WaitReason::copy_without_instance, "\"x\" to \"h\""}}},
        {"of memory that no view owns, without an instance",
         [&] { Kokkos::deep_copy(raw, x); },
         {{WaitReason::copy_without_instance, "\"x\" to \"\""}}},
        {"large, to the host, without an instance",
         [&] { Kokkos::deep_copy(big_host, big_device); },
         {{WaitReason::copy_without_instance, "\"D\" to \"H\""}}},
        {"large, to the device, without an instance",
         [&] { Kokkos::deep_copy(big_device, big_host); },
         {{WaitReason::copy_without_instance, "\"H\" to \"D\""}}},
        {"behind a kernel",
         [&] {
           add_one(exec, x);
           Kokkos::deep_copy(h, x);
         },
         {{WaitReason::copy_without_instance, "\"x\" to \"h\""}}},
        {"a few bytes",
         [&] {
           add_one(exec, x);
           Kokkos::deep_copy(value, Kokkos::subview(x, 0));
         },
         {{WaitReason::copy_without_instance, "\"x\" to \"Scalar\""}}},
        {"a fill", [&] { Kokkos::deep_copy(x, 2.0); }, {{WaitReason::copy_without_instance, "\"a value\" to \"x\""}}},
        {"a fill behind a kernel",
         [&] {
           add_one(exec, x);
           Kokkos::deep_copy(x, 2.0);
         },
         {{WaitReason::copy_without_instance, "\"a value\" to \"x\""}}},
        {"a fill with an instance", [&] { Kokkos::deep_copy(exec, x, 2.0); }, {}},
        {"within the device", [&] { Kokkos::deep_copy(exec, y, x); }, {}},
        {"within the device, without an instance",
         [&] { Kokkos::deep_copy(y, x); },
         {{WaitReason::copy_without_instance, "\"x\" to \"y\""}}},
        {"on the host", [&] { Kokkos::deep_copy(h, raw); }, {}},
        {"of memory that no view owns",
         [&] { Kokkos::deep_copy(exec, raw, x); },
         {{WaitReason::copy_of_unmanaged, "\"x\" to \"\""}}},
        {"of pageable memory", [&] { Kokkos::deep_copy(exec, x, h); }, to_device},
        {"small",
         [&] { Kokkos::deep_copy(exec, few, Kokkos::subview(x, first)); },
         {{WaitReason::small_copy, "\"x\" to \"few\""}}},
    });
  }
  Kokkos::finalize();
}

TEST_F(Waits, OfCopiesThatASettingMakesWait) {
  start("blocking");
  {
    GPU const exec;
    Device const x("x", many);
    Host const h("h", many);
    Device const big_device("D", 4 * many);
    Host const big_host("H", 4 * many);
    check({
        {"blocking", [&] { Kokkos::deep_copy(exec, h, x); }, {{WaitReason::copy_blocking, "\"x\" to \"h\""}}},
        {"without an instance",
         [&] { Kokkos::deep_copy(h, x); },
         {{WaitReason::copy_without_instance, "\"x\" to \"h\""}}},
        {"large, to the host",
         [&] { Kokkos::deep_copy(exec, big_host, big_device); },
         {{WaitReason::copy_blocking, "\"D\" to \"H\""}}},
        {"large, to the device",
         [&] { Kokkos::deep_copy(exec, big_device, big_host); },
         {{WaitReason::copy_blocking, "\"H\" to \"D\""}}},
    });
  }
  Kokkos::finalize();
}

// Other copies return at once with this setting.
TEST_F(Waits, OfCopiesWithoutAnInstance) {
  start("async");
  {
    Device const big_device("D", 4 * many);
    Host const big_host("H", 4 * many);
    auto const part = Kokkos::pair<int, int>(0, 20000);
    check({
        {"large, to the host",
         [&] { Kokkos::deep_copy(big_host, big_device); },
         {{WaitReason::copy_without_instance, "\"D\" to \"H\""}}},
        {"large, to the device",
         [&] { Kokkos::deep_copy(big_device, big_host); },
         {{WaitReason::copy_without_instance, "\"H\" to \"D\""}}},
        {"to the host through a slot",
         [&] { Kokkos::deep_copy(Kokkos::subview(big_host, part), Kokkos::subview(big_device, part)); },
         {{WaitReason::copy_without_instance, "\"D\" to \"H\""}}},
    });
  }
  Kokkos::finalize();
}

TEST_F(Waits, OfKernels) {
  start();
  {
    GPU const exec;
    Device const x("x", 1000), one("one", 1);
    double value = 0;
    Kokkos::View<double, GPU::memory_space> const result("result");
    RangePolicy<GPU> const range(exec, 0, 1000);
    Large const large(one, 1);
    auto const launch_large = [&] { Kokkos::parallel_for("large", RangePolicy<GPU>(exec, 0, 1), large); };
    check({
        {"a result", [&] { Kokkos::parallel_reduce("dot", range, Sum{x}, value); }, {{WaitReason::result, "\"dot\""}}},
        {"a total",
         [&] { Kokkos::parallel_scan("sums", range, Prefix{x}, value); },
         {{WaitReason::result, "\"sums\""}}},
        {"a result in a view", [&] { Kokkos::parallel_reduce("dot", range, Sum{x}, result); }, {}},
        {"large functors", [&] { launch_large(); }, {}},
        {"more large functors than slots",
         [&] {
           exec.fence("all slots are free");
           Gate gate;
           gate.close_now(exec.impl_instance().stream());
           for (int i = 0; i < Ring::slot_count; ++i) launch_large();
           OpensWhenWaited const opens([&] { gate.open(); });
           launch_large();
         },
         {{WaitReason::functor_slot, "\"large\""}}},
        {"an instance of its own",
         [&] {
           {
             GPU const own = Kokkos::partition_space(exec, 1)[0];
             add_one(own, one);
           }
         },
         {{WaitReason::library_memory, ""}, {WaitReason::instance_end, ""}}},
    });
    // Without a label, the functor's type names the kernel.
    std::vector<Wait> const waits = waits_of([&] { Kokkos::parallel_reduce(range, Sum{x}, value); });
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_NE(waits[0].where.find("Sum"), std::string::npos) << waits[0];
  }
  Kokkos::finalize();
}

using Kokkos::Experimental::PendingResult;

struct SumAndLargest {
  Device view;
  KOKKOS_FUNCTION void operator()(int i, double& sum, double& largest) const {
    sum += view(i);
    largest = view(i) + i > largest ? view(i) + i : largest;
  }
};

TEST_F(Waits, OfPendingResultsBeginWhenTheyAreRead) {
  start();
  {
    GPU const exec;
    Device const x("x", 1000);
    Kokkos::deep_copy(x, 1.0);
    RangePolicy<GPU> const range(exec, 0, 1000);
    Kokkos::View<double, GPU::memory_space> const first("first"), second("second");
    PendingResult<double> sum, other;
    PendingResult<Kokkos::Max<double>> largest;
    auto const reduce_all = [&] {
      Kokkos::parallel_reduce("sum", range, Sum{x}, sum);
      Kokkos::parallel_reduce("both", range, SumAndLargest{x}, other, largest);
      Kokkos::parallel_reduce("views", range, SumAndLargest{x}, first, Kokkos::Max<double, GPU::memory_space>(second));
    };
    reduce_all();
    EXPECT_EQ(waits_of([&] {
                Gate gate;
                gate.close_now(exec.impl_instance().stream());
                reduce_all();
                EXPECT_FALSE(sum.is_ready() || other.is_ready() || largest.is_ready());
                OpensWhenWaited const opens([&] { gate.open(); });
                EXPECT_EQ(sum.get(), 1000);
              }),
              (std::vector<Wait>{{WaitReason::pending_result, "\"sum\""}}));
    exec.fence();
    EXPECT_EQ(waits_of([&] {
                EXPECT_EQ(other.get(), 1000);
                EXPECT_EQ(largest.get(), 1000);
              }),
              std::vector<Wait>{});
    double values[2] = {};
    Kokkos::deep_copy(values[0], first);
    Kokkos::deep_copy(values[1], second);
    EXPECT_EQ(values[0], 1000);
    EXPECT_EQ(values[1], 1000);
  }
  Kokkos::finalize();
}

TEST_F(Waits, PendingResultsMayOutliveEverything) {
  PendingResult<double> kept, of_an_instance;
  start();
  {
    GPU const exec;
    Device const x("x", 1000);
    Kokkos::deep_copy(x, 1.0);
    RangePolicy<GPU> const range(exec, 0, 1000);
    {
      GPU const own = Kokkos::partition_space(exec, 1)[0];
      Kokkos::parallel_reduce("own", RangePolicy<GPU>(own, 0, 500), Sum{x}, of_an_instance);
    }
    EXPECT_EQ(of_an_instance.get(), 500);
    // Handles that nobody reads, some of which end before their kernel. Their cells are used again, but not before.
    std::vector<PendingResult<double>> read;
    Gate gate;
    gate.close_now(exec.impl_instance().stream());
    for (int i = 0; i < 30; ++i) {
      PendingResult<double> unread;
      Kokkos::parallel_reduce("unread", RangePolicy<GPU>(exec, 0, i), Sum{x}, unread);
      if (i % 7 == 0) read.push_back(unread);
    }
    gate.open();
    for (int i = 0; i < 30; ++i) {
      Kokkos::parallel_reduce("read", RangePolicy<GPU>(exec, 0, i), Sum{x}, kept);
      EXPECT_EQ(kept.get(), i);
    }
    for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].get(), 7 * static_cast<int>(i));
    Kokkos::parallel_reduce("last", range, Sum{x}, kept);
    // A kernel that never stored its value.
    using Slot = Kokkos::Impl::GPUResultSlot<Runtime>;
    EXPECT_THROW(Slot::take(exec.impl_instance(), 8)->wait(), std::runtime_error);
    auto const large = Slot::take(exec.impl_instance(), 10000);
    EXPECT_THROW(large->wait(), std::runtime_error);
  }
  Kokkos::finalize();
  EXPECT_TRUE(kept.is_ready());
  EXPECT_EQ(kept.get(), 1000);
  EXPECT_EQ(of_an_instance.get(), 500);
}

TEST_F(Waits, OfMemory) {
  start("default", 16);
  {
    GPU const exec;
    auto const bytes_of = [](std::size_t n, char const* label) {
      return Kokkos::View<char*, GPU::memory_space>(view_alloc(label, WithoutInitializing), n);
    };
    using Managed = Kokkos::View<char*, Kokkos::SharedSpace>;
    std::vector<Wait> more_than_kept{{WaitReason::allocation, "\"big\""}, {WaitReason::allocation, "\"next\""}};
    // A pool that knows that the device is idle frees the memory at once.
    if (Runtime::default_stream_query_covers_ordered) more_than_kept.push_back({WaitReason::pool_bound, "\"big\""});
    more_than_kept.push_back({WaitReason::pool_bound, "\"next\""});
    check({
        {"new memory", [&] { (void)bytes_of(8 * MiB, "new"); }, {{WaitReason::allocation, "\"new\""}}, false},
        {"memory of the pool", [&] { (void)bytes_of(10000, "a block"); }, {}},
        {"more than the pool keeps",
         [&] {
           (void)bytes_of(40 * MiB, "big");
           // Not by the library, whose fence would free the memory.
           EXPECT_EQ(KOKKOS_IMPL_GPU_VENDOR(StreamSynchronize)(Runtime::default_stream()), Runtime::success);
           (void)bytes_of(24 * MiB, "next");
         },
         more_than_kept, false},
        {"without a pool",
         [&] { (void)Managed(view_alloc("managed", WithoutInitializing), 100); },
         {{WaitReason::unpooled, "\"managed\"", 2}}},
        {"release_idle_memory", [&] { Kokkos::Experimental::release_idle_memory(); }, {{WaitReason::idle_memory, ""}}},
        {"initialization",
         [&] { (void)Device("initialized", 1000); },
         {{WaitReason::view_initialization, "\"Kokkos::View::initialization fence [initialized]\""}}},
        {"initialization in the order of an instance", [&] { (void)Device(view_alloc(exec, "ordered"), 1000); }, {}},
    });
  }
  Kokkos::finalize();
}

TEST_F(Waits, ForMemoryThatIsShort) {
  ::setenv("HIP_MODEL_MEMORY", std::to_string(100 * MiB).c_str(), 1);  // for the model
  start("default", 1 << 19);                                           // the pool keeps everything
  {
    std::size_t free = 0, total = 0;
    EXPECT_EQ(words(Runtime::memory_info(&free, &total)), words(Runtime::success));
    auto const bytes_of = [](std::size_t n, char const* label) {
      return Kokkos::View<char*, GPU::memory_space>(view_alloc(label, WithoutInitializing), n);
    };
    (void)bytes_of(free / 2, "before");
    std::vector<Wait> const waits = waits_of([&] { (void)bytes_of(free / 10 * 8, "after"); });
    EXPECT_EQ(waits,
              (std::vector<Wait>{{WaitReason::allocation, "\"after\""}, {WaitReason::memory_short, "\"after\""}}));
  }
  Kokkos::finalize();
}

TEST_F(Waits, OfARunningGraph) {
  start();
  {
    GPU const exec;
    Device const x("x", 10);
    auto graph = std::make_optional(Kokkos::Experimental::create_graph(
        exec, [&](auto root) { root.then_parallel_for("node", RangePolicy<GPU>(exec, 0, 10), AddOne{x}); }));
    graph->instantiate();
    auto const record = [&] {
      auto other = Kokkos::Experimental::create_graph(
          exec, [&](auto root) { root.then_parallel_for("large", RangePolicy<GPU>(exec, 0, 10), Large(x, 1)); });
      other.instantiate();
    };
    record();
    std::vector<Wait> const waits = waits_of(record);
    Wait const of_functor{WaitReason::recording, "\"large\""};
    EXPECT_EQ(std::count(waits.begin(), waits.end(), of_functor), 1);
    check({{"destroyed while it runs",
            [&] {
              Gate gate;
              gate.close_now(exec.impl_instance().stream());
              graph->submit(exec);
              OpensWhenWaited const opens([&] { gate.open(); });
#ifdef KOKKOS_IMPL_GPU_MODEL  // it has an event to wait for, and waits for no device, which would take a call that frees memory
              std::size_t const before = hip_model::call_count("hipMalloc");
              graph.reset();
              EXPECT_EQ(hip_model::call_count("hipMalloc"), before);
#else
              graph.reset();
#endif
            },
            {{WaitReason::graph_end, ""}},
            false}});
  }
  Kokkos::finalize();
}

TEST_F(Waits, OfSeveralThreadsAreAdded) {
  start();
  {
    GPU const exec;
    Device const x("x", 1000);
    RangePolicy<GPU> const range(exec, 0, 1000);
    auto const reduce = [&](char const* label) {
      double value = 0;
      for (int i = 0; i < 10; ++i) Kokkos::parallel_reduce(label, range, Sum{x}, value);
    };
    reduce("warm");
    Kokkos::fence();
    Kokkos::Impl::start_wait_record();
    std::thread one([&] { reduce("one"); }), other([&] { reduce("other"); });
    one.join();
    other.join();
    for (char const* label : {"\"one\"", "\"other\""}) {
      std::size_t count = 0;
      for (auto const& row : Kokkos::Impl::recorded_waits())
        if (row.where == label && row.reason == WaitReason::result) count += row.count;
      EXPECT_EQ(count, 10u) << label;
    }
  }
  EXPECT_NE(table().find("3 host threads waited"), std::string::npos);
}

// A second reduction on an instance waits until the thread of the first one has its result.
TEST_F(Waits, OfTwoThreadsWithOneInstance) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  start();
  {
    GPU const exec;
    Device const x("x", 1000);
    auto const reduce = [&](char const* label) {
      double value = 0;
      Kokkos::parallel_reduce(label, RangePolicy<GPU>(exec, 0, 1000), Sum{x}, value);
    };
    reduce("warm");
    std::vector<Wait> const waits = waits_of([&] {
      Gate gate;
      gate.close_now(exec.impl_instance().stream());
      std::thread first([&] { reduce("first"); });
      while (Kokkos::Impl::waits_in_progress() < 1) std::this_thread::yield();
      std::thread second([&] { reduce("second"); });
      while (Kokkos::Impl::waits_in_progress() < 2) std::this_thread::yield();
      gate.open();
      first.join();
      second.join();
    });
    EXPECT_EQ(waits, (std::vector<Wait>{{WaitReason::result, "\"first\""},
                                        {WaitReason::result, "\"second\""},
                                        {WaitReason::instance_busy, "\"second\""}}));
  }
  Kokkos::finalize();
}

TEST_F(Waits, AreInTheTableAtFinalize) {
  start();
  {
    Device const x("x", 1000);
    double value = 0;
    for (int i = 0; i < 5; ++i) Kokkos::parallel_reduce("dot", RangePolicy<GPU>(0, 1000), Sum{x}, value);
    add_one(GPU(), x, "last");
  }
  std::string const text = table();
  expect_all(text, {"between initialize and finalize, which took", "1 host thread waited",
                    "result of a kernel in a host variable", "  \"dot\"\n", "finalize", "first launch of a kernel",
                    "in all", "To wait less:", "Pass a view that the device can access"});
  EXPECT_EQ(text.find("No reason is known"), std::string::npos) << text;
}

TEST_F(Waits, OneInsideOfAnotherIsPartOfIt) {
  Kokkos::initialize();
  EXPECT_EQ(waits_of([] {
              Kokkos::Impl::HostWait const outer(WaitReason::fence, "outer");
              Kokkos::Impl::HostWait const inner(WaitReason::allocation, "inner");
              EXPECT_EQ(Kokkos::Impl::waits_in_progress(), 1);
            }),
            (std::vector<Wait>{{WaitReason::fence, "\"outer\"", 1}}));
  Kokkos::finalize();
}

// The parts of a whole operation are waits of the operation; otherwise the inner scope says more.
TEST_F(Waits, AScopeInsideOfAnother) {
  Kokkos::initialize();
  using enum WaitReason;
  for (WaitReason const whole :
       {fence, fence_of_all, view_initialization, view_destruction, copy_in_other_space, library_fence, tool_fence,
        copy_without_instance, memory_short, recording, instance_end, idle_memory, finalize})
    for (WaitReason const part : {library_fence, allocation, finalize})
      EXPECT_EQ(waits_of([=] {
                  Kokkos::Impl::WaitScope const outer(whole, "outer");
                  Kokkos::Impl::WaitScope const inner(part, "inner");
                  Kokkos::Impl::HostWait const wait;
                }),
                (std::vector<Wait>{{whole, "\"outer\"", 1}}));
  for (WaitReason const outside : {copy_of_unmanaged, copy_of_pageable, small_copy, result, allocation, unpooled,
                                   library_memory, first_launch, graph_end, instance_busy, other})
    EXPECT_EQ(waits_of([=] {
                Kokkos::Impl::WaitScope const outer(outside, "outer");
                Kokkos::Impl::WaitScope const inner(idle_memory, "inner");
                Kokkos::Impl::HostWait const wait;
              }),
              (std::vector<Wait>{{idle_memory, "\"inner\"", 1}}));
  Kokkos::finalize();
}

TEST_F(Waits, OfManyLabelsHaveOneRowBeyondALimit) {
  Kokkos::initialize();
  constexpr int limit = 10000;
  std::vector<std::string> labels;
  for (int i = 0; i <= limit; ++i) labels.push_back("label " + std::to_string(i));
  auto const waits = waits_of([&] {
    auto const wait = [&](int i) { Kokkos::Impl::HostWait const w(WaitReason::allocation, labels[i].c_str()); };
    for (int i = 0; i < limit; ++i) wait(i);
    wait(5);
    wait(limit);
    wait(limit);
    wait(6);
    Kokkos::Impl::HostWait const another(WaitReason::fence, "label 5");
  });
  ASSERT_EQ(waits.size(), limit + 2u);
  for (Wait const& wait : waits) {
    bool const is_twice =
        wait.reason == WaitReason::allocation &&
        (wait.where == "\"label 5\"" || wait.where == "\"label 6\"" || wait.where == "(other labels)");
    EXPECT_EQ(wait.count, is_twice ? 2u : 1u) << wait.where;
  }
  EXPECT_EQ(waits[0], (Wait{WaitReason::fence, "(other labels)"}));
  Kokkos::finalize();
}

TEST_F(Waits, AreNotRecordedWithoutTheSetting) {
  Kokkos::initialize(InitializationSettings().set_explain_waits(false));
  {
    Device const x("x", 1000);
    double value = 0;
    Kokkos::parallel_reduce("dot", RangePolicy<GPU>(0, 1000), Sum{x}, value);
    Kokkos::fence();
  }
  EXPECT_EQ(table(), "");
  EXPECT_TRUE(Kokkos::Impl::recorded_waits().empty());
}

}  // namespace
