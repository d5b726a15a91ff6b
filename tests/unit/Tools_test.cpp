// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The reports of every backend to a tool: kernels, fences, memory and copies.

#include "TestSpaces.hpp"
#include "ToolsTest.hpp"

#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::events;
using Kokkos::Testing::write_down;
using Strings          = std::vector<std::string>;
namespace Tools        = Kokkos::Tools;
namespace Experimental = Kokkos::Tools::Experimental;

std::uint64_t last_id     = 0;
std::uint32_t last_device = 0;
std::vector<std::uint32_t> devices;  // of all begins

template <char Kind>
void begin(char const* name, std::uint32_t device, std::uint64_t* id) {
  *id         = ++last_id;
  last_device = device;
  devices.push_back(device);
  write_down(std::string("begin ") + Kind + ' ' + name);
}
template <char Kind>
void end(std::uint64_t id) {
  write_down(std::string("end ") + Kind + (id == last_id ? "" : " of another"));
}

template <class Space>
class ToolsOf : public Kokkos::Testing::ToolsTest {
 protected:
  void record_kernels() {
    Experimental::set_begin_parallel_for_callback(begin<'f'>);
    Experimental::set_end_parallel_for_callback(end<'f'>);
    Experimental::set_begin_parallel_reduce_callback(begin<'r'>);
    Experimental::set_end_parallel_reduce_callback(end<'r'>);
    Experimental::set_begin_parallel_scan_callback(begin<'s'>);
    Experimental::set_end_parallel_scan_callback(end<'s'>);
  }
  void record_fences() {
    Experimental::set_begin_fence_callback(begin<'w'>);
    Experimental::set_end_fence_callback(end<'w'>);
  }
  void record_memory() {
    Experimental::set_allocate_data_callback(
        [](Tools::SpaceHandle space, char const* label, void const*, std::uint64_t bytes) {
          write_down(std::string("allocate ") + space.name + ' ' + label + ' ' + std::to_string(bytes));
        });
    Experimental::set_deallocate_data_callback(
        [](Tools::SpaceHandle space, char const* label, void const*, std::uint64_t bytes) {
          write_down(std::string("deallocate ") + space.name + ' ' + label + ' ' + std::to_string(bytes));
        });
  }
};
TYPED_TEST_SUITE(ToolsOf, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};
struct Tag {};
struct Tagged {
  KOKKOS_FUNCTION void operator()(Tag, int) const {}
};
struct Count {
  KOKKOS_FUNCTION void operator()(int, int& sum) const { ++sum; }
};
struct Scan {
  KOKKOS_FUNCTION void operator()(int, int& sum, bool) const { ++sum; }
};

template <class Space>
void launch_each_kind() {
  Kokkos::RangePolicy<Space> policy(0, 10);
  int sum = 0;
  Kokkos::parallel_for("my for", policy, Nothing());
  Kokkos::parallel_reduce("my reduce", policy, Count(), sum);
  Kokkos::parallel_scan("my scan", policy, Scan());
}

TYPED_TEST(ToolsOf, KernelsBeginAndEnd) {
  this->record_kernels();
  launch_each_kind<TypeParam>();
  EXPECT_EQ(events(), (Strings{"begin f my for", "end f", "begin r my reduce", "end r", "begin s my scan", "end s"}));
  auto const id = Experimental::identifier_from_devid(last_device);
  EXPECT_EQ(id.type, Experimental::DeviceTypeTraits<TypeParam>::id);
  EXPECT_NE(id.type, Experimental::DeviceType::Unknown);
  EXPECT_EQ(id.instance_id, TypeParam().impl_instance_id());
}

struct InTeams {
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const&) const {}
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const&, int& sum) const {
    ++sum;
  }
};
struct InTwoDimensions {
  KOKKOS_FUNCTION void operator()(int, int) const {}
  KOKKOS_FUNCTION void operator()(int, int, int& sum) const { ++sum; }
};

/// Each call that takes an instance, or a policy with one.
template <class Space>
std::vector<std::pair<char const*, void (*)(Space const&)>> calls_with_an_instance() {
  using Range = Kokkos::RangePolicy<Space>;
  using Teams = Kokkos::TeamPolicy<Space>;
  using Tiles = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  return {
      {"for", [](Space const& space) { Kokkos::parallel_for(Range(space, 0, 10), Nothing()); }},
      {"reduce",
       [](Space const& space) {
         int sum = 0;
         Kokkos::parallel_reduce(Range(space, 0, 10), Count(), sum);
       }},
      {"scan", [](Space const& space) { Kokkos::parallel_scan(Range(space, 0, 10), Scan()); }},
      {"scan with a total",
       [](Space const& space) {
         int sum = 0;
         Kokkos::parallel_scan(Range(space, 0, 10), Scan(), sum);
       }},
      {"for over teams", [](Space const& space) { Kokkos::parallel_for(Teams(space, 2, 1), InTeams()); }},
      {"reduce over teams",
       [](Space const& space) {
         int sum = 0;
         Kokkos::parallel_reduce(Teams(space, 2, 1), InTeams(), sum);
       }},
      {"for over tiles",
       [](Space const& space) { Kokkos::parallel_for(Tiles(space, {0, 0}, {2, 3}), InTwoDimensions()); }},
      {"reduce over tiles",
       [](Space const& space) {
         int sum = 0;
         Kokkos::parallel_reduce(Tiles(space, {0, 0}, {2, 3}), InTwoDimensions(), sum);
       }},
      {"fence", [](Space const& space) { space.fence(); }},
      {"fence with a label", [](Space const& space) { space.fence("my fence"); }},
  };
}

// Instances of one space can have the same type, device and threads; a tool distinguishes them by their numbers.
TYPED_TEST(ToolsOf, ReportsOfAnInstanceHaveItsNumber) {
  this->record_kernels();
  this->record_fences();
  auto const parts = Kokkos::partition_space(TypeParam(), 1, 1);
  for (TypeParam const& space : {TypeParam(), parts[0], parts[1]}) {
    for (auto const& [name, call] : calls_with_an_instance<TypeParam>()) {
      devices.clear();
      call(space);
      EXPECT_GE(devices.size(), 1u) << name;
      for (std::uint32_t device : devices)
        EXPECT_EQ(device, Experimental::device_id(space)) << name << " in instance " << space.impl_instance_id();
    }
  }
}

template <class Space>
void launch_without_names() {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 10), Nothing());
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Tag>(0, 10), Tagged());
}

TYPED_TEST(ToolsOf, KernelsWithoutANameHaveTheirFunctors) {
  this->record_kernels();
  launch_without_names<TypeParam>();
  std::string const nothing(Kokkos::Impl::TypeInfo<Nothing>::name()), tagged(Kokkos::Impl::TypeInfo<Tagged>::name());
  std::string const tag(Kokkos::Impl::TypeInfo<Tag>::name());
  EXPECT_EQ(events(), (Strings{"begin f " + nothing, "end f", "begin f " + tagged + "/" + tag, "end f"}));
}

template <class Space>
void launch_with_a_name_and_a_tag() {
  Kokkos::parallel_for("my name", Kokkos::RangePolicy<Space, Tag>(0, 10), Tagged());
}

TYPED_TEST(ToolsOf, KernelsWithATagHaveTheirNames) {
  this->record_kernels();
  launch_with_a_name_and_a_tag<TypeParam>();
  EXPECT_EQ(events(), (Strings{"begin f my name", "end f"}));
}

// A tool may have only one of the two callbacks.
TYPED_TEST(ToolsOf, EventsHaveABeginOrAnEnd) {
  this->record_kernels();
  this->record_fences();
  auto all = Experimental::get_callbacks();
  for (auto* callback : {&all.begin_parallel_for, &all.begin_parallel_reduce, &all.begin_parallel_scan})
    *callback = nullptr;
  all.begin_fence = nullptr;
  last_id         = 0;  // the number that an event without a begin has
  Experimental::set_callbacks(all);
  launch_each_kind<TypeParam>();
  TypeParam().fence();
  EXPECT_EQ(events(), (Strings{"end f", "end r", "end s", "end w"}));
  events().clear();
  Experimental::set_callbacks({});
  Experimental::set_begin_parallel_for_callback(begin<'f'>);
  Experimental::set_begin_fence_callback(begin<'w'>);
  launch_each_kind<TypeParam>();
  TypeParam().fence("a");
  EXPECT_EQ(events(), (Strings{"begin f my for", "begin w a"}));
}

TYPED_TEST(ToolsOf, FencesOfAnInstance) {
  this->record_fences();
  TypeParam space;
  space.fence("my fence");
  EXPECT_EQ(events(), (Strings{"begin w my fence", "end w"}));
  EXPECT_EQ(last_device, Experimental::device_id(space));
}

TYPED_TEST(ToolsOf, FencesOfEverything) {
  this->record_fences();
  Kokkos::fence("all");
  EXPECT_GE(std::count(events().begin(), events().end(), "begin w all"), 1);
  EXPECT_EQ(std::count(events().begin(), events().end(), "begin w all"),
            std::count(events().begin(), events().end(), "end w"));
}

template <class Space>
void make_and_drop_a_view() {
  Kokkos::View<double*, Space> view("my view", 100);
}

TYPED_TEST(ToolsOf, ViewsAreAllocatedAndDeallocated) {
  this->record_memory();
  make_and_drop_a_view<TypeParam>();
  std::string const what = std::string(TypeParam::memory_space::name()) + " my view 800";
  EXPECT_EQ(events(), (Strings{"allocate " + what, "deallocate " + what}));
}

// No memory is no allocation.
TYPED_TEST(ToolsOf, NothingIsNotDeallocated) {
  this->record_memory();
  typename TypeParam::memory_space const space;
  space.deallocate("my block", nullptr, 8);
  space.deallocate(nullptr, 8);
  Kokkos::HostSpace().deallocate("my block", nullptr, 8);
  Kokkos::kokkos_free<typename TypeParam::memory_space>(nullptr);
  EXPECT_EQ(events(), Strings());
  void* const block = space.allocate("my block", 8);
  space.deallocate("my block", block, 8);
  std::string const what = std::string(TypeParam::memory_space::name()) + " my block 8";
  EXPECT_EQ(events(), (Strings{"allocate " + what, "deallocate " + what}));
}

template <class Space>
void copy_views() {
  Kokkos::View<int*, Space> from("source", 25), to("destination", 25);
  events().clear();
  Kokkos::deep_copy(to, from);
}

TYPED_TEST(ToolsOf, CopiesBeginAndEnd) {
  Experimental::set_begin_deep_copy_callback([](Tools::SpaceHandle to, char const* to_label, void const*,
                                                Tools::SpaceHandle from, char const* from_label, void const*,
                                                std::uint64_t bytes) {
    write_down(std::string(to.name) + ' ' + to_label + " <- " + from.name + ' ' + from_label + ' ' +
               std::to_string(bytes));
  });
  Experimental::set_end_deep_copy_callback([] { write_down("end"); });
  copy_views<TypeParam>();
  std::string const space = TypeParam::memory_space::name();
  EXPECT_EQ(events(), (Strings{space + " destination <- " + space + " source 100", "end"}));
}

// ---- fences on behalf of a tool ------------------------------------------------------------------------------------

// A kernel that another thread launches and that runs until it is released, and the observation of a region's callback.
std::atomic<bool> kernel_runs{false}, kernel_released{false}, kernel_done{false};
bool done_in_callback = false;

struct RunUntilReleased {
  KOKKOS_FUNCTION void operator()(int) const {
    KOKKOS_IF_ON_HOST((kernel_runs = true; while (!kernel_released) std::this_thread::yield(); kernel_done = true;))
  }
};

// The kernel ends when the callback releases it, and after `at_most` in any case.
template <class Space>
void push_a_region_while_a_kernel_runs(std::chrono::milliseconds at_most) {
  kernel_runs = kernel_released = kernel_done = false;
  std::thread launcher([] { Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1), RunUntilReleased()); });
  while (!kernel_runs) std::this_thread::yield();
  std::thread release([end = std::chrono::steady_clock::now() + at_most] {
    while (!kernel_released && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kernel_released = true;
  });
  Tools::pushRegion("region");
  release.join();
  launcher.join();
}

// Restores the requirement of the loaded tool, if there is one.
class Fencing {
 public:
  explicit Fencing(bool wanted) : before_(Kokkos::Impl::tool_requires_fencing()) {
    Kokkos::Impl::set_tool_requires_fencing(wanted);
  }
  ~Fencing() { Kokkos::Impl::set_tool_requires_fencing(before_); }

 private:
  bool before_;
};

template <class Space>
constexpr bool runs_on_host = Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible &&
                              Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

TYPED_TEST(ToolsOf, KernelsHaveEndedWhenAToolWantsThat) {
  if (!runs_on_host<TypeParam>) GTEST_SKIP() << "needs a kernel that the host can hold";
  Fencing fencing(true);
  Experimental::set_push_region_callback([](char const*) { done_in_callback = kernel_done; });
  push_a_region_while_a_kernel_runs<TypeParam>(std::chrono::milliseconds(50));
  EXPECT_TRUE(done_in_callback);
}

TYPED_TEST(ToolsOf, KernelsGoOnWhenAToolDoesNotWantThat) {
  if (!runs_on_host<TypeParam>) GTEST_SKIP() << "needs a kernel that the host can hold";
  Fencing fencing(false);
  Experimental::set_push_region_callback([](char const*) {
    done_in_callback = kernel_done;
    kernel_released  = true;
  });
  push_a_region_while_a_kernel_runs<TypeParam>(std::chrono::seconds(20));
  EXPECT_FALSE(done_in_callback);
}

TYPED_TEST(ToolsOf, FencesForAToolAreNotReportedToIt) {
  Fencing fencing(true);
  this->record_fences();
  Experimental::set_push_region_callback([](char const*) { write_down("region"); });
  Tools::pushRegion("region");
  EXPECT_EQ(events(), (Strings{"region"}));
}

}  // namespace
