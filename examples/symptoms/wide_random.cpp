// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: drand(start, end) returns infinity for a wide range
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

#include <Kokkos_Random.hpp>

symptom::Report wide_random() {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Kokkos::Random_XorShift64_Pool<Exec> const pool(1);
  auto generator = pool.get_state();
  int outside    = 0;
  for (int i = 0; i < 100; ++i) {
    double const x = generator.drand(-1.5e308, 1.5e308);
    outside += !(x >= -1.5e308 && x < 1.5e308);
  }
  pool.free_state(generator);
  return symptom::found(outside != 0, std::to_string(outside) + " of 100 numbers are outside of the range.",
                        "All of 100 numbers are in the range.");
}
