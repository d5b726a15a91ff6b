// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for the real compiler, linked with the HIP model's library instead of AMD's: the backend's actions on the
// host are checked against HIP's rules; kernels are recorded and do not run. Instances are created and destroyed with
// launches of functors, by value and through the ring, and with copies. The program also runs on a GPU, unchanged.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <exception>

template <int Bytes>
struct Write {
  Kokkos::View<double*, Kokkos::HIP> out;
  double numbers[Bytes / sizeof(double)];
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = numbers[i % 2]; }
};

struct Sum {
  Kokkos::View<double*, Kokkos::HIP> in;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += in(i); }
};

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  constexpr int n = 1000;
  Kokkos::View<double*, Kokkos::HIP> view("view", n);
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), view);
  for (int round = 0; round < 300; ++round) {
    auto const instances = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1, 1, 1);
    for (auto const& instance : instances) {
      Kokkos::RangePolicy<Kokkos::HIP> const range(instance, 0, n);
      Kokkos::parallel_for("by value", range, Write<256>{view, {}});
      Kokkos::parallel_for("through the ring", range, Write<16384>{view, {}});
    }
    Kokkos::deep_copy(instances[0], host, view);
    if (round % 2 == 1) instances[1].fence();
  }
  Kokkos::fence();
  try {
    double sum = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Kokkos::HIP>(0, n), Sum{view}, sum);
    std::printf("sum: %g\n", sum);
  } catch (std::exception const& e) {
    std::printf("where no kernel runs: %s\n", e.what());
  }
}
