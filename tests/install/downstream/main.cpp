// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <cstdio>
#ifdef __linux__
#include <dlfcn.h>
#endif

#ifdef PACKAGE_STEADFAST_VERSION
static_assert(KOKKOS_STEADFAST_VERSION == PACKAGE_STEADFAST_VERSION);
#endif

long sum_of(Kokkos::View<long*> const& numbers);

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
#ifdef __linux__
  // A library that is loaded now may be another Kokkos. Its code calls is_initialized by the symbol, as it was not compiled
  // with the function that this header inlines.
  bool (*volatile is_initialized)() noexcept = Kokkos::is_initialized;
  if (argc > 1 && (dlopen(argv[1], RTLD_NOW) == nullptr || !is_initialized())) std::puts("not loaded");
#endif
  Kokkos::View<long*> numbers("numbers", 1000);
  Kokkos::parallel_for("fill", numbers.extent(0), KOKKOS_LAMBDA(int i) { numbers(i) = i; });
  std::printf("sum = %ld\n", sum_of(numbers));
}
