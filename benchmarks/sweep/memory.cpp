// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Fences, allocation, views and copies.

#include "Sweep.hpp"

namespace sweep {
namespace {

void copies(Sweep const& s, std::size_t n) {
  Exec const exec;
  Vector const a = ascending(n), b = ascending(n);
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), a);
  auto const every_second =
      Kokkos::subview(Kokkos::View<double**, Kokkos::LayoutRight, Memory>("pairs", n, 2), Kokkos::ALL, 0);
  Kokkos::View<float*, Exec> const floats("floats", n);
  double const one = 8. * n;
  s.row("deep_copy_dev", n, [&] { Kokkos::deep_copy(b, a); }, 2 * one);
  s.row("deep_copy_dev_exec", n, [&] { Kokkos::deep_copy(exec, b, a); }, 2 * one);
  s.row("deep_copy_to_host", n, [&] { Kokkos::deep_copy(host, a); });
  s.row("deep_copy_to_dev", n, [&] { Kokkos::deep_copy(a, host); });
  s.row("deep_copy_strided_dev", n, [&] { Kokkos::deep_copy(exec, every_second, a); });
  s.row("deep_copy_strided_dev_fenced", n, [&] { Kokkos::deep_copy(b, every_second); });
  s.row("deep_copy_convert", n, [&] { Kokkos::deep_copy(exec, floats, a); }, 1.5 * one);
  s.row("deep_copy_value", n, [&] { Kokkos::deep_copy(b, 3.); }, one);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const rows("rows", n, 4);
  auto const two_columns = Kokkos::subview(rows, Kokkos::ALL, Kokkos::pair<int, int>(1, 3));
  s.row("deep_copy_value_columns", n, [&] { Kokkos::deep_copy(exec, two_columns, 3.); });
  s.row("deep_copy_zero_exec", n, [&] { Kokkos::deep_copy(exec, b, 0.); }, one);
}

void allocations(Sweep const& s, std::size_t n) {
  s.row("view_make", n, [&] { Vector const v("v", n); });
  s.row("view_make_uninitialized", n, [&] { Vector const v(Kokkos::view_alloc("v", Kokkos::WithoutInitializing), n); });
  s.row("kokkos_malloc_free", n, [&] { Kokkos::kokkos_free<Memory>(Kokkos::kokkos_malloc<Memory>("m", 8 * n)); });
  s.row("host_malloc_free", n,
        [&] { Kokkos::kokkos_free<Kokkos::HostSpace>(Kokkos::kokkos_malloc<Kokkos::HostSpace>("m", 8 * n)); });
  Vector const a("a", n);
  s.row("mirror_make", n, [&] { (void)Kokkos::create_mirror_view(a); });
  s.row("mirror_and_copy", n, [&] { (void)Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a); });
  Vector resized("resized", n);
  bool larger = false;
  s.row("resize", n, [&] { Kokkos::resize(resized, (larger = !larger) ? n + 1 : n); });
  s.row("realloc", n, [&] { Kokkos::realloc(resized, (larger = !larger) ? n + 1 : n); });
  Vector copy;
  s.row("view_copy", n, [&] { copy = a; });
  s.row("view_subview", n, [&] { (void)Kokkos::subview(a, Kokkos::pair<int, int>(0, 1)); });
}

/// Waits with nothing to wait for, and behind a launch on one instance or on each of eight.
void fences(Sweep const& s) {
  Exec const exec;
  Vector const v("v", 1000);
  auto const number = KOKKOS_LAMBDA(long i) { v(i) = static_cast<double>(i); };
  s.row("fence_idle", 1, [&] { exec.fence(); });
  s.row("fence_all_idle", 1, [&] { Kokkos::fence(); });
  s.row("launch_fence", 1000, [&] {
    Kokkos::parallel_for(Range(exec, 0, 1000), number);
    exec.fence();
  });
  s.row("launch_fence_all", 1000, [&] {
    Kokkos::parallel_for(Range(exec, 0, 1000), number);
    Kokkos::fence();
  });
  if constexpr (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible) {
    auto const instances = Kokkos::Experimental::partition_space(exec, std::vector<int>(8, 1));
    s.row("launch_on_8_fence_all", 1000, [&] {
      for (Exec const& instance : instances) Kokkos::parallel_for(Range(instance, 0, 1000), number);
      Kokkos::fence();
    });
  }
}

}  // namespace

void memory(Sweep const& s) {
  fences(s);
  for (std::size_t n : s.sizes()) {
    copies(s, n);
    allocations(s, n);
  }
}

}  // namespace sweep
