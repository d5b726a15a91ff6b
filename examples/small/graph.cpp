// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Heat in a rod whose ends the host heats and cools. Copies and kernels of a step form a graph, which is made once and
/// submitted at each step: on a GPU, one launch instead of five.
///
/// Shows: graphs, copies of current contents, the result of a reduction on the host.
/// Run it: graph [steps] [cells]

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using Device = Kokkos::DefaultExecutionSpace;
using Rod    = Kokkos::View<double*, Device>;

// A cell takes a quarter of the heat of each neighbour. The first and the last cell have a given temperature.
struct Flow {
  Rod from, to;
  Kokkos::View<double[2], Device> ends;
  KOKKOS_FUNCTION void operator()(int i) const {
    int const last = static_cast<int>(from.extent(0)) - 1;
    if (i == 0)
      to(i) = ends(0);
    else if (i == last)
      to(i) = ends(1);
    else
      to(i) = 0.25 * from(i - 1) + 0.5 * from(i) + 0.25 * from(i + 1);
  }
};

struct Heat {
  Rod rod;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += rod(i); }
};

double temperature(int step, int end) { return 20 + 10 * std::sin(0.01 * step + end); }

// The same steps by plain loops.
double expected_heat(int steps, int n) {
  std::vector<double> now(n, 0.), next(n, 0.);
  for (int step = 0; step < steps; ++step) {
    for (int i = 1; i < n - 1; ++i) next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    next[0]     = temperature(step, 0);
    next[n - 1] = temperature(step, 1);
    std::swap(now, next);
  }
  double sum = 0;
  for (double t : now) sum += t;
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const steps = argc > 1 ? std::atoi(argv[1]) : 500, n = argc > 2 ? std::atoi(argv[2]) : 1000;
  if (steps < 1 || n < 2) {
    std::fputs("graph [steps, 1 or more] [cells, 2 or more]\n", stderr);
    return EXIT_FAILURE;
  }
  Rod rod("rod", n), next("next", n);
  Kokkos::View<double[2], Device> ends("ends");
  Kokkos::View<double, Device> heat("heat");
  Kokkos::View<double[2], Kokkos::HostSpace> ends_on_host("ends on the host");
  Kokkos::View<double, Kokkos::HostSpace> heat_on_host("heat on the host");

  // Nothing runs yet. The graph keeps the views and the functors.
  auto const graph = Kokkos::Experimental::create_graph<Device>([&](auto root) {
    root.then_deep_copy("ends", ends, ends_on_host)
        .then_parallel_for("flow", n, Flow{rod, next, ends})
        .then_deep_copy("back", rod, next)
        .then_parallel_reduce("heat", Kokkos::RangePolicy<Device>(0, n), Heat{rod}, heat)
        .then_deep_copy("to the host", heat_on_host, heat);
  });

  Kokkos::Timer timer;
  for (int step = 0; step < steps; ++step) {
    ends_on_host(0) = temperature(step, 0);  // each submission copies what is here now
    ends_on_host(1) = temperature(step, 1);
    graph.submit();
    graph.get_execution_space().fence("the heat is on the host, and the ends have been read");
  }
  double const seconds = timer.seconds(), expected = expected_heat(steps, n);
  std::printf("After %d steps the rod has %.6f units of heat, expected are %.6f; %.3g s on %s.\n", steps,
              heat_on_host(), expected, seconds, Device::name());
  return std::abs(heat_on_host() - expected) < 1e-6 * expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
