// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// pi, as the area under 4 / (1 + x^2) between 0 and 1: a sum over many thin slices.
///
/// Shows: initialize, a kernel, a reduction.    Run it: pi [slices]

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main(int argc, char* argv[]) {
  // Initializes Kokkos, removes arguments like --kokkos-num-threads=4 from argv, and finalizes Kokkos at the end of
  // main.
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::int64_t const slices = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  if (slices < 1) {
    std::fprintf(stderr, "pi %s: the number of slices must be 1 or more.\n", argv[1]);
    return EXIT_FAILURE;
  }
  double const width = 1.0 / static_cast<double>(slices);

  // Every thread adds up its own slices in its own `sum`; Kokkos adds these to `area`. The lambda therefore takes its
  // sum by reference, and is independent of the other threads.
  Kokkos::Timer timer;
  double area = 0;
  Kokkos::parallel_reduce(
      "area", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, slices),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        double const x = (static_cast<double>(i) + 0.5) * width;  // the middle of the slice
        sum += 4 / (1 + x * x) * width;
      },
      area);

  // A reduction into a variable has ended when the call returns, so `area` can be read.
  double const error = std::abs(area - Kokkos::numbers::pi);
  std::printf("pi = %.15f with an error of %.1e, from %lld slices in %.3g s on %s\n", area, error,
              static_cast<long long>(slices), timer.seconds(), Kokkos::DefaultExecutionSpace::name());

  // The method's own error is width^2 / 6; the rest is rounding.
  return error < width * width + 1e-11 ? EXIT_SUCCESS : EXIT_FAILURE;
}
