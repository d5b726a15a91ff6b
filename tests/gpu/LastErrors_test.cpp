// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// No operation leaves an error behind as the last one of its thread, whichever of its calls of the runtime fails: other
/// libraries take the last error for their own. On the HIP model.

#include "DeviceTest.hpp"

#include <Kokkos_Graph.hpp>
#include <Kokkos_Sort.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::view_alloc;
using Kokkos::Testing::GPU;
using View = Kokkos::View<double*, GPU>;

struct Add {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += i; }
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += view(i); }
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool final) const {
    sum += i;
    if (final) view(i) = sum;
  }
};
struct Large {
  View view;
  double values[1000];
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += values[i % 1000]; }
};
struct Teams {
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const&) const {}
};

std::vector<std::pair<std::string, std::function<void()>>> operations() {
  std::vector<std::pair<std::string, std::function<void()>>> all;
  GPU const space;
  RangePolicy<GPU> const range(space, 0, 1000);
  View const view(view_alloc(space, "view"), 1000), other(view_alloc(space, "other"), 1000);
  Kokkos::View<double*, Kokkos::HostSpace> const host("host", 1000), large_host("large host", 200000);
  View const large(view_alloc(space, "large"), 200000);
  Kokkos::View<int**, Kokkos::LayoutLeft, GPU> const left("left", 70, 30);
  Kokkos::View<int**, Kokkos::LayoutRight, GPU> const right("right", 70, 30);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const right_host("right", 70, 30);
  all.emplace_back("view", [=] { View const made(view_alloc(space, "made"), 1000); });
  all.emplace_back("views of many sizes", [=] {
    for (int n = 1; n < 100000; n *= 7) View const made(view_alloc(space, "made"), n);
  });
  all.emplace_back("small functor", [=] { Kokkos::parallel_for(range, Add{view}); });
  all.emplace_back("large functor", [=] { Kokkos::parallel_for(range, Large{view, {}}); });
  all.emplace_back("sum", [=] {
    double sum = 0;
    Kokkos::parallel_reduce(range, Add{view}, sum);
  });
  all.emplace_back("scan", [=] { Kokkos::parallel_scan(range, Add{view}); });
  for (int const bytes : {1000, 800000})
    all.emplace_back("teams", [=] {
      Kokkos::parallel_for(Kokkos::TeamPolicy<GPU>(space, 4, 4).set_scratch_size(1, Kokkos::PerTeam(bytes)), Teams());
    });
  all.emplace_back("fill", [=] { Kokkos::deep_copy(space, view, 3.); });
  all.emplace_back("copy", [=] { Kokkos::deep_copy(space, view, other); });
  all.emplace_back("transposition", [=] { Kokkos::deep_copy(space, left, right); });
  all.emplace_back("copy to the host", [=] {
    Kokkos::deep_copy(space, host, view);
    space.fence();
  });
  all.emplace_back("copy from the host", [=] {
    Kokkos::deep_copy(space, view, host);
    space.fence();
  });
  all.emplace_back("copies without an instance", [=] {
    Kokkos::deep_copy(host, view);
    Kokkos::deep_copy(view, host);
  });
  all.emplace_back("large copies", [=] {
    Kokkos::deep_copy(space, large_host, large);
    Kokkos::deep_copy(space, large, large_host);
    space.fence();
  });
  all.emplace_back("packed copies", [=] {
    Kokkos::deep_copy(space, right_host, left);
    Kokkos::deep_copy(space, left, right_host);
    space.fence();
  });
  all.emplace_back("sort", [=] { Kokkos::sort(space, view); });
  all.emplace_back("instances", [=] {
    double* own = view.data();  // each instance has elements of its own
    for (GPU const& one : Kokkos::Experimental::partition_space(space, 1, 1)) {
      Kokkos::parallel_for(RangePolicy<GPU>(one, 0, 500), Large{View(own, 500), {}});
      own += 500;
    }
  });
  all.emplace_back("graph", [=] {
    Kokkos::Experimental::Graph<GPU> graph(space);
    graph.root_node().then_parallel_for("add", range, Add{view}).then_parallel_for("large", range, Large{view, {}});
    graph.submit(space);
    space.fence();
  });
  all.emplace_back("fence of all", [=] {
    Kokkos::parallel_for(range, Add{view});
    Kokkos::fence();
  });
  all.emplace_back("idle memory", [=] { Kokkos::Experimental::release_idle_memory(); });
  all.emplace_back("pinned and managed views", [=] {
    Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> const pinned("pinned", 100);
    Kokkos::View<double*, Kokkos::SharedSpace> const managed("managed", 100);
  });
  return all;
}

/// How often the operation calls each function.
std::map<std::string, unsigned> calls_of(std::function<void()> const& operation) {
  std::map<std::string, std::size_t> before;
  for (std::string const& name : hip_model::functions_called()) before[name] = hip_model::call_count(name.c_str());
  operation();
  std::map<std::string, unsigned> calls;
  for (std::string const& name : hip_model::functions_called())
    if (std::size_t const count = hip_model::call_count(name.c_str()); count > before[name])
      calls[name] = static_cast<unsigned>(count - before[name]);
  return calls;
}

void expect_no_last_error(std::string const& what, std::function<void()> const& operation, char const* function,
                          unsigned nth) {
  hip_model::fail_call(function, nth, hipErrorInvalidValue);
  char const* end = "went on";
  try {
    operation();
  } catch (std::exception const&) {
    end = "was refused";
  }
  hip_model::clear_faults();
  EXPECT_EQ(hipPeekAtLastError(), hipSuccess) << what << ' ' << end << " after call " << nth << " of " << function;
  Kokkos::Testing::Runtime::clear_last_error();
  try {
    Kokkos::fence();
  } catch (std::exception const&) {
  }
}

TEST(LastErrors, NoneIsLeftBehind) {
  Kokkos::Testing::Runtime::clear_last_error();
  for (auto const& [what, operation] : operations())
    for (auto const& [function, count] : calls_of(operation))
      for (unsigned nth = 1; nth <= std::min(count, 30U) && function != "hipGetLastError"; ++nth)
        expect_no_last_error(what, operation, function.c_str(), nth);
  hip_model::reset_reports();
}

}  // namespace
