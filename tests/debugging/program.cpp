// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that printers_test prints in gdb, when the program stops in `stop`.
#include <Kokkos_Array.hpp>
#include <Kokkos_Complex.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <string>
#include <utility>

extern "C" {
[[gnu::noinline]] void stop() { asm volatile(""); }
}

struct Wide {
  double x, y;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Host = Kokkos::HostSpace;
  Kokkos::View<int**, Kokkos::LayoutRight, Host> const right("right", 2, 3);
  Kokkos::View<int* [3], Kokkos::LayoutLeft, Host> const left("left", 2);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) left(i, j) = right(i, j) = static_cast<int>(10 * i + j);
  auto const column = Kokkos::subview(right, Kokkos::ALL, 1);
  auto const part   = Kokkos::subview(left, 1, std::make_pair(1, 3));
  Kokkos::View<double, Host> const scalar("scalar");
  scalar() = 2.5;
  Kokkos::View<int*, Host> const empty;
  Kokkos::DynRankView<int, Host> const dynamic("dynamic", 2, 2);
  dynamic(1, 0) = 7;
  using Serial  = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Host>;
  Kokkos::DualView<float*, Serial> const dual("dual", 2);
  dual.view_host()(1) = 0.5f;
  Kokkos::UnorderedMap<int, Wide, Serial> const map(10);
  map.insert(42, Wide{1, 2});
  Kokkos::Array<short, 3> const array{{4, 5, 6}};
  Kokkos::complex<double> const number(1, -2);
  stop();
  return argc > 99 ? static_cast<int>(array[0]) + left(0, 0) + part(0) + column(0) +
                         static_cast<int>(scalar() + number.real()) + empty.use_count() + dynamic(0, 0) +
                         static_cast<int>(map.size())
                   : 0;
}
