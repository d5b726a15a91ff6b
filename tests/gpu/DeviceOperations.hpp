// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_DEVICE_OPERATIONS_HPP
#define KOKKOS_TEST_DEVICE_OPERATIONS_HPP

/// \file
/// A table of operations of an instance, for tests of the devices and the locks that each of them uses.

#include "DeviceTest.hpp"

#include <Kokkos_Graph.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace Kokkos::Testing::DeviceOperations {

using View  = Kokkos::View<double*, GPU>;
using Small = AddPayload<View, 2>;
using Large = AddPayload<View, 5000>;

template <class Functor>
void add(GPU const& space, Functor const& functor) {
  Kokkos::parallel_for("add", Kokkos::RangePolicy<GPU>(space, 0, static_cast<int>(functor.view.extent(0))), functor);
}

/// Each instance adds to elements of its own.
inline void add_in_each(std::vector<GPU> const& instances, View const& view) {
  constexpr std::size_t n = 100;
  for (std::size_t i = 0; i < instances.size(); ++i) add(instances[i], Small(View(view.data() + i * n, n), 0));
}

struct SumOfOnes {
  KOKKOS_FUNCTION void operator()(int, double& s) const { s += 1; }
};
struct SumOfElements {
  View view;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += view(i); }
};
struct RunningSum {
  View in, out;
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool final) const {
    sum += in(i);
    if (final) out(i) = sum;
  }
};
/// Not initialized by zeros, so a kernel constructs it.
struct Seven {
  int value = 7;
};
struct Wide {
  double values[20];
  KOKKOS_FUNCTION Wide& operator+=(Wide const& other) {
    for (int i = 0; i < 20; ++i) values[i] += other.values[i];
    return *this;
  }
};
struct WideSum {
  View out;
  KOKKOS_FUNCTION void init(Wide& sum) const { sum = {}; }
  KOKKOS_FUNCTION void join(Wide& to, Wide const& from) const { to += from; }
  KOKKOS_FUNCTION void operator()(int i, Wide& sum, bool final) const {
    sum.values[i % 20] += 1;
    if (final) out(i) = sum.values[i % 20];
  }
};
struct TeamScratch {
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<GPU>::member_type const&) const {}
};
struct Two {
  KOKKOS_FUNCTION void operator()(int, int) const {}
};

constexpr char const* fence_of_all = "fence of all";  // may use all devices

using Operations = std::vector<std::pair<std::string, std::function<void()>>>;

/// Pinned memory is that of an instance, too.
template <class HostView, class... Extents>
HostView host_view(GPU const& space, char const* label, Extents... n) {
  if constexpr (SpaceAccessibility<GPU, typename HostView::memory_space>::accessible)
    return HostView(view_alloc(space, label), n...);
  else
    return HostView(label, n...);
}

template <class Host>
void add_copies(Operations& all, GPU const& space, std::string const& what) {
  for (int const n : {10, 100000}) {
    View const device(Kokkos::view_alloc(space, "device"), n);
    auto const host = Testing::DeviceOperations::host_view<Kokkos::View<double*, Host>>(space, "host", n);
    all.emplace_back(what + ", to " + std::to_string(n), [=] { Kokkos::deep_copy(space, device, host); });
    all.emplace_back(what + ", from " + std::to_string(n), [=] { Kokkos::deep_copy(space, host, device); });
  }
  Kokkos::View<int**, Kokkos::LayoutLeft, GPU> const left(Kokkos::view_alloc(space, "left"), 300, 40);
  using Right      = Kokkos::View<int**, Kokkos::LayoutRight, Host>;
  auto const right = Testing::DeviceOperations::host_view<Right>(space, "right", 300, 40);
  all.emplace_back(what + ", transposed, to", [=] { Kokkos::deep_copy(space, left, right); });
  all.emplace_back(what + ", transposed, from", [=] { Kokkos::deep_copy(space, right, left); });
}

/// With views of the device of `space`.
inline Operations operations_in(GPU const& space, Stream stream) {
  using Kokkos::view_alloc;
  Operations all;
  Kokkos::RangePolicy<GPU> const range(space, 0, 1000);
  View const view(view_alloc(space, "view"), 1000), out(view_alloc(space, "out"), 5000);
  Kokkos::View<double**, Kokkos::LayoutLeft, GPU> const left(view_alloc(space, "left"), 100, 70);
  Kokkos::View<double**, Kokkos::LayoutRight, GPU> const right(view_alloc(space, "right"), 100, 70);
  Kokkos::View<float*, GPU> const floats(view_alloc(space, "floats"), 1000);
  Kokkos::View<double, GPU> const result(view_alloc(space, "result"));
  auto const part = Kokkos::subview(left, std::pair(3, 90), Kokkos::ALL);
  auto const sum  = [](auto const& policy, auto const& to) { Kokkos::parallel_reduce("sum", policy, SumOfOnes(), to); };
  all.emplace_back("small functor", [=] { add(space, Small(view, 1)); });
  all.emplace_back("large functor", [=] { add(space, Large(view, 1)); });
  all.emplace_back("two dimensions", [=] {
    Kokkos::parallel_for(Kokkos::MDRangePolicy<GPU, Kokkos::Rank<2>>(space, {0, 0}, {100, 70}), Two());
  });
  all.emplace_back("sum", [=] {
    double s = 0;
    Kokkos::parallel_reduce("sum", range, SumOfElements{view}, s);
  });
  all.emplace_back("sum in a view", [=] { sum(range, result); });
  all.emplace_back("pending sum", [=] {
    Kokkos::Experimental::PendingResult<double> pending;
    Kokkos::parallel_reduce("sum", range, SumOfElements{view}, pending);
    EXPECT_TRUE(pending.valid());
    (void)pending.get();
  });
  all.emplace_back("scan", [=] { Kokkos::parallel_scan("scan", range, RunningSum{view, view}); });
  all.emplace_back("scan with total", [=] {
    double s = 0;
    Kokkos::parallel_scan("scan", range, RunningSum{view, view}, s);
  });
  all.emplace_back("scan of wide values",
                   [=] { Kokkos::parallel_scan("scan", Kokkos::RangePolicy<GPU>(space, 0, 5000), WideSum{out}); });
  for (int const bytes : {1000, 800000})
    all.emplace_back("teams with " + std::to_string(bytes) + " bytes each", [=] {
      Kokkos::parallel_for(Kokkos::TeamPolicy<GPU>(space, 10, 4).set_scratch_size(1, Kokkos::PerTeam(bytes)),
                           TeamScratch());
    });
  all.emplace_back("view", [=] { View const made(view_alloc(space, "view"), 1000); });
  all.emplace_back("large view", [=] { View const made(view_alloc(space, "view"), 300000); });
  all.emplace_back("view that a kernel initializes",
                   [=] { Kokkos::View<Seven*, GPU> const made(view_alloc(space, "view"), 1000); });
  all.emplace_back("view of some bytes", [=] {
    Kokkos::View<char*, GPU> const made(view_alloc(space, "view", Kokkos::WithoutInitializing), 7);
  });
  all.emplace_back("managed view",
                   [=] { Kokkos::View<double*, Kokkos::SharedSpace> const made(view_alloc(space, "view"), 1000); });
  all.emplace_back("many views", [=] {
    std::vector<View> made;
    for (int i = 0; i < 100; ++i) made.emplace_back(view_alloc(space, "view"), 1000);
  });
  all.emplace_back("resize", [=] {
    View changed(view_alloc(space, "view"), 1000);
    Kokkos::resize(space, changed, 2000);
    Kokkos::realloc(space, changed, 3000);
  });
  all.emplace_back("block", [=] { Kokkos::deep_copy(space, Kokkos::subview(out, std::pair(5, 1005)), view); });
  all.emplace_back("transposition", [=] { Kokkos::deep_copy(space, left, right); });
  all.emplace_back("other type", [=] { Kokkos::deep_copy(space, floats, view); });
  for (double const value : {0., 1.}) {
    all.emplace_back("fill", [=] { Kokkos::deep_copy(space, view, value); });
    all.emplace_back("fill of a part", [=] { Kokkos::deep_copy(space, part, value); });
  }
  add_copies<Kokkos::HostSpace>(all, space, "pageable memory");
  add_copies<Kokkos::SharedHostPinnedSpace>(all, space, "pinned memory");
  all.emplace_back("number", [=] {
    double number = 0;
    Kokkos::deep_copy(space, number, result);
    space.fence();
  });
  all.emplace_back("instances", [=] {
    auto const parts = Kokkos::Experimental::partition_space(space, std::vector<int>(6, 1));
    add_in_each(parts, view);
    for (GPU const& one : parts) one.fence();
  });
  all.emplace_back("instance of a stream", [=] { add(GPU(stream), Small(view, 0)); });
  all.emplace_back("graph", [=] {
    Kokkos::Experimental::Graph<GPU> graph(space);
    auto const teams = Kokkos::TeamPolicy<GPU>(space, 10, 4).set_scratch_size(1, Kokkos::PerTeam(100000));
    graph.root_node()
        .then_parallel_for("add", range, Large(view, 1))
        .then_fill("fill", space, view, 1)
        .then_parallel_reduce("sum", range, SumOfElements{view}, result)
        .then_parallel_for("teams", teams, TeamScratch())
        .then_deep_copy(space, floats, view)
        .then_deep_copy(space, left, right);
    graph.submit(space);
    graph.submit(space);
    space.fence();
  });
  all.emplace_back(fence_of_all, [=] {
    auto const parts = Kokkos::Experimental::partition_space(space, std::vector<int>(6, 1));
    add_in_each(parts, view);
    Kokkos::fence();
  });
  return all;
}

}  // namespace Kokkos::Testing::DeviceOperations

#endif
