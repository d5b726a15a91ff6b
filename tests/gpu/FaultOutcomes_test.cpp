// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes calls of the runtime fail: for each operation, each function that it calls, and some of these calls. A journal,
/// tests/journals/FaultOutcomes.HIP.txt, has the whole message that the program sees, the error that is left for others, and
/// whether the operation then works as before. Runs on the HIP model.

#include "../unit/Journal.hpp"
#include "../unit/KernelWatch.hpp"
#include "DeviceOperations.hpp"

#include <Kokkos_Graph.hpp>
#include <Kokkos_Sort.hpp>

#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::Testing::device_count;
using Kokkos::Testing::GPU;
using Kokkos::Testing::Journal;
using Kokkos::Testing::OwnStream;
using Kokkos::Testing::Stream;
using namespace Kokkos::Testing::DeviceOperations;

using Counts = std::map<std::string, unsigned>;

Counts counts() {
  Counts all;
  for (std::string const& name : hip_model::functions_called())
    all[name] = static_cast<unsigned>(hip_model::call_count(name.c_str()));
  return all;
}

/// How often the operation calls each function.
Counts calls_of(std::function<void()> const& operation) {
  Counts const before = counts();
  operation();
  Counts all = counts();
  for (auto const& [name, count] : before)
    if ((all[name] -= count) == 0) all.erase(name);
  return all;
}

/// The message of the exception that the operation throws; empty if there is none.
std::string message_of(std::function<void()> const& operation) {
  try {
    operation();
  } catch (std::exception const& error) {
    return *error.what() == 0 ? "an exception without a message" : error.what();
  }
  return {};
}

/// Words for the numbers of instances, which depend on earlier tests.
std::string with_names_of_instances(std::string const& text, std::string const& own) {
  std::string named;
  static std::regex const number("instance ([0-9]+)(, the default one,)?");
  auto from = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    named.append(from, (*at)[0].first);
    std::string const id = (*at)[1];
    named += (*at)[2].matched ? "the default instance"
             : id == own      ? "this instance"
             : id == "0"      ? "a recorder"
                              : "another instance";
    from = (*at)[0].second;
  }
  named.append(from, text.cend());
  std::replace(named.begin(), named.end(), '\n', ' ');
  return named;
}

/// The calls that the operation makes now, where they differ from `usual`.
std::string difference(Counts now, Counts const& usual) {
  std::string text;
  for (auto const& [name, count] : usual) now.try_emplace(name, 0);
  for (auto const& [name, count] : now) {
    unsigned const before = usual.contains(name) ? usual.at(name) : 0;
    if (count != before) text += ' ' + name + ' ' + std::to_string(count) + " instead of " + std::to_string(before);
  }
  return text;
}

/// Runs the operation with an `nth` call of `function` that returns `error`, and describes what the program sees.
std::string outcome(std::function<void()> const& operation, Counts const& usual, std::string const& function,
                    unsigned nth, int error) {
  hip_model::fail_call(function.c_str(), nth, error);
  std::string text  = message_of(operation);
  std::string fence = message_of([] { Kokkos::fence(); });
  hip_model::clear_faults();
  int device = -1;
  EXPECT_EQ(hipGetDevice(&device), hipSuccess);
  if (device != 0) {
    text += "; device " + std::to_string(device);
    EXPECT_EQ(hipSetDevice(0), hipSuccess);
  }
  if (text.empty()) text = "goes on";
  if (!fence.empty()) text += "; the fence: " + fence;
  if (hipError_t const left = hipGetLastError(); left != hipSuccess)
    text += std::string("; leaves ") + hipGetErrorName(left);
  std::string again;
  Counts const now = calls_of([&] { again = message_of(operation); });
  if (!again.empty()) text += "; again: " + again;
  text += difference(now, usual);
  fence = message_of([] { Kokkos::fence(); });
  if (!fence.empty()) text += "; then the fence: " + fence;
  return text;
}

/// The device memory of the default instance.
std::string memory() {
  auto const usage = Kokkos::Experimental::device_memory_usage();
  return "  in use " + std::to_string(usage.in_use) + " bytes, kept " + std::to_string(usage.kept) + ", at most " +
         std::to_string(usage.high_water) + '\n';
}

/// Adds the outcomes of faults in each function that the operation calls: in its first, second and last call.
void add_outcomes(std::string const& title, std::string const& own, std::function<void()> const& operation) {
  for (int i = 0; i < 2; ++i) {
    operation();
    Kokkos::fence();
  }
  Counts const usual = calls_of(operation);
  Kokkos::fence();
  std::string lines;
  for (auto const& [function, count] : usual) {
    if (function == "hipGetLastError") continue;
    bool const allocates = function.find("Malloc") != std::string::npos;
    for (int const error : {999, 2}) {
      if (error == 2 && !allocates) continue;
      std::map<std::string, std::string> calls;  // of each outcome
      std::vector<std::string> order;
      for (unsigned const nth : std::set<unsigned>{1, std::min(2U, count), count}) {
        std::string const text = outcome(operation, usual, function, nth, error);
        if (!calls.contains(text)) order.push_back(text);
        calls[text] += ' ' + std::to_string(nth);
      }
      for (std::string const& text : order)
        lines += "  " + function + (error == 2 ? " without memory" : "") + calls[text] + ": " +
                 with_names_of_instances(text, own) + '\n';
    }
  }
  Journal::of_this_test().add(title, lines + memory());
}

struct Add {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 1; }
};

Operations more_operations_in(GPU const& space) {
  using Kokkos::view_alloc;
  using Kokkos::Experimental::Graph;
  using Pinned = Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>;
  Operations all;
  Kokkos::RangePolicy<GPU> const range(space, 0, 100);
  View const view(view_alloc(space, "view"), 100);
  Pinned const pinned("pinned", 100);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", 100);
  Kokkos::View<double, Kokkos::HostSpace> const number("number");
  all.emplace_back("fence of an instance", [=] {
    Kokkos::parallel_for("add", range, Add{view});
    space.fence("of an instance");
  });
  all.emplace_back("sum in a view of the host",
                   [=] { Kokkos::parallel_reduce("sum", range, SumOfElements{view}, number); });
  all.emplace_back("allocation without an instance", [=] { View const made("made", 100); });
  all.emplace_back("pinned view", [=] { Pinned const made("made", 100); });
  all.emplace_back("fill without an instance", [=] { Kokkos::deep_copy(view, 1.); });
  all.emplace_back("copy without an instance", [=] { Kokkos::deep_copy(view, pinned); });
  all.emplace_back("small copy from the host", [=] { Kokkos::deep_copy(space, view, host); });
  Kokkos::View<int**, Kokkos::LayoutLeft, GPU> const columns(view_alloc(space, "columns"), 20, 10),
      elsewhere("elsewhere", 20, 10);
  auto const part = [](auto const& all_columns) { return Kokkos::subview(all_columns, std::pair(1, 19), Kokkos::ALL); };
  all.emplace_back("part of a view of the first device",
                   [=] { Kokkos::deep_copy(space, part(columns), part(elsewhere)); });
  all.emplace_back("view of the first device", [=] { Kokkos::deep_copy(space, columns, elsewhere); });
  all.emplace_back("mirror", [=] { (void)Kokkos::create_mirror_view(GPU(), host); });
  all.emplace_back("sort", [=] { Kokkos::sort(space, view); });
  // Two instances of the first device have work memory, and one of this device, so it is known whose was freed.
  GPU const second = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  all.emplace_back("memory of teams on both devices, and a view that finds none", [=] {
    for (GPU const& one : {GPU(), second, space})
      Kokkos::parallel_for(Kokkos::TeamPolicy<GPU>(one, 4, 4).set_scratch_size(1, Kokkos::PerTeam(2000)),
                           TeamScratch());
    Kokkos::fence();
    Kokkos::View<double*, Kokkos::SharedSpace> const made(view_alloc(space, "made"), 500000);
  });
  all.emplace_back("kokkos_malloc", [=] { Kokkos::kokkos_free<GPU>(Kokkos::kokkos_malloc<GPU>("block", 1000)); });
  all.emplace_back("idle memory", [=] { Kokkos::Experimental::release_idle_memory(); });
  all.emplace_back("configuration", [=] {
    std::ostringstream text;
    space.print_configuration(text, true);
  });
  all.emplace_back("graph that joins nine nodes", [=] {
    Graph<GPU> graph(space);
    auto const root = graph.root_node();
    auto joined     = root.then_parallel_for("first", range, Add{view});
    for (int i = 0; i < 8; ++i)
      joined = Kokkos::Experimental::when_all(joined, root.then_parallel_for("next", range, Add{view}));
    joined.then_parallel_for("last", range, Add{view});
    graph.submit(space);
  });
  all.emplace_back("graph on both devices", [=] {
    Graph<GPU> graph(space);
    View const elsewhere(view_alloc(second, "elsewhere"), 100);
    graph.root_node()
        .then_parallel_for("here", range, Add{view})
        .then_parallel_for("there", Kokkos::RangePolicy<GPU>(second, 0, 100), Add{elsewhere});
    graph.submit(space);
    space.fence();
  });
  all.emplace_back("graph with functions of the host", [=] {
    Graph<GPU> graph(space);
    graph.root_node().then_host("nothing", [] {}).then_deep_copy(view, host).then_deep_copy(host, view);
    graph.submit(space);
  });
  all.emplace_back("graph after a refused node", [=] {
    Graph<GPU> graph(space);
    auto const first = graph.root_node().then_parallel_for("first", range, Add{view});
    std::string refused;
    try {
      first.then_parallel_for("second", range, Large(view, 1));
    } catch (std::exception const& error) {
      refused = error.what();
    }
    try {
      graph.submit(space);
    } catch (std::exception const& error) {
      throw std::runtime_error(refused + " Then: " + error.what());
    }
    if (!refused.empty()) throw std::runtime_error(refused + " Then nothing.");
  });
  return all;
}

/// Operations whose calls depend on time: staging threads and host functions.
bool depends_on_time(std::string const& what) {
  return what.starts_with("pageable") || what.starts_with("pinned memory, transposed") || what == "number";
}

#define SKIP_UNLESS_COMPARABLE()                                            \
  if (device_count() < 2 || Kokkos::Testing::journal_of<GPU>("").empty() || \
      testing::UnitTest::GetInstance()->test_to_run_count() > 1)            \
  GTEST_SKIP() << "gpu/FaultOutcomes_test runs it in a process of its own, with two devices of 64 lanes"

void expect_outcomes(GPU const& space) {
  hip_model::use_modes({.at_once = true});
  std::string const own = std::to_string(space.impl_instance().id());
  for (auto const& [what, operation] : operations_in(space, space.impl_instance().stream()))
    if (!depends_on_time(what)) add_outcomes(what, own, operation);
  for (auto const& [what, operation] : more_operations_in(space)) add_outcomes(what, own, operation);
  hip_model::use_modes({});
  hip_model::reset_reports();
  Journal::of_this_test().expect_as_in("FaultOutcomes.HIP");
}

// Slots, cells, events and memory are used again: the calls of 70 runs after 70 others, of functions that make something or end
// it.
TEST(FaultOutcomes, InTheLongRun) {
  SKIP_UNLESS_COMPARABLE();
  hip_model::use_modes({.at_once = true});
  GPU const space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  auto all        = operations_in(space, space.impl_instance().stream());
  for (auto& one : more_operations_in(space)) all.push_back(std::move(one));
  static std::regex const takes_long(
      "graph|many|large|instances|transpos|wide|fence of all|idle|facts|configuration|part");
  for (auto const& [what, operation] : all) {
    if (depends_on_time(what) || std::regex_search(what, takes_long)) continue;
    auto const run = [&operation = operation] {
      for (int i = 0; i < 70; ++i) operation();
      Kokkos::fence();
    };
    run();
    std::string lines;
    for (auto const& [function, count] : calls_of(run))
      if (std::regex_search(function, std::regex("Malloc|Free|Create|Destroy|Register")))
        lines += "  " + function + ' ' + std::to_string(count) + '\n';
    Journal::of_this_test().add(what, lines + memory());
  }
  hip_model::use_modes({});
  Journal::of_this_test().expect_as_in("FaultOutcomes.HIP");
}

TEST(FaultOutcomes, OfAnInstance) { expect_outcomes(Kokkos::Experimental::partition_space(GPU(), 1)[0]); }

TEST(FaultOutcomes, OfAStreamOfAnotherDevice) {
  SKIP_UNLESS_COMPARABLE();
  OwnStream const stream(1);
  expect_outcomes(GPU(stream.get()));
}

/// Everything that kokkos-doctor gets to know about the devices.
std::string facts_of_devices() {
  Kokkos::Impl::MachineFacts facts;
  for (auto const* backend = Kokkos::Impl::backend_table; *backend != nullptr; ++backend)
    if ((*backend)->gather_facts) (*backend)->gather_facts(facts);
  std::ostringstream text;
  text << "    runtime " << facts.runtime.major << '.' << facts.runtime.minor << '.' << facts.runtime.patch << '\n';
  for (auto const& device : facts.devices) {
    text << "    " << device.name << ", " << device.architecture << ", total " << device.total_bytes << ", free known "
         << (device.free_bytes >= 0) << ", pageable " << device.pageable_access << ", managed "
         << device.managed_concurrent << ", peers";
    for (int const peer : device.peers) text << ' ' << peer;
    text << '\n';
  }
  for (std::string const& refused : facts.refused) text << "    " << refused << '\n';
  return text.str();
}

TEST(FaultOutcomes, OfFactsAboutDevices) {
  SKIP_UNLESS_COMPARABLE();
  for (int const current : {0, 1}) {
    ASSERT_EQ(hipSetDevice(current), hipSuccess);
    std::string facts, lines;
    auto const gather = [&] { facts = facts_of_devices(); };
    auto const usual  = calls_of(gather);
    lines             = facts;
    for (auto const& [function, count] : usual)
      for (unsigned nth = 1; nth <= std::min(count, 40U) && function != "hipGetLastError"; ++nth) {
        hip_model::fail_call(function.c_str(), nth, 999);
        gather();
        hip_model::clear_faults();
        lines += "  " + function + ' ' + std::to_string(nth) + '\n' + facts;
        if (hipError_t const left = hipGetLastError(); left != hipSuccess)
          lines += std::string("    leaves ") + hipGetErrorName(left) + '\n';
        int device = -1;
        EXPECT_EQ(hipGetDevice(&device), hipSuccess);
        if (device != current) lines += "    device " + std::to_string(device) + '\n';
        EXPECT_EQ(hipSetDevice(current), hipSuccess);
      }
    Journal::of_this_test().add("current device " + std::to_string(current), lines);
  }
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  hip_model::reset_reports();
  Journal::of_this_test().expect_as_in("FaultOutcomes.HIP");
}

}  // namespace
