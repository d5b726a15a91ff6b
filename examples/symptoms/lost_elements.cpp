// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: Elements of a view are never destroyed if the constructor of one of them throws
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

#include <stdexcept>

namespace {
int elements_alive      = 0;
int constructions_right = 5;

struct Fragile {
  Fragile() {
    if (constructions_right-- == 0) throw std::runtime_error("no more elements");
    ++elements_alive;
  }
  Fragile(Fragile const&) { ++elements_alive; }
  Fragile& operator=(Fragile const&) = default;
  ~Fragile() { --elements_alive; }
};
}  // namespace

symptom::Report lost_elements() {
  // In Serial, where upstream lets the exception pass.
#ifdef KOKKOS_ENABLE_SERIAL
  try {
    Kokkos::View<Fragile*, Kokkos::Device<Kokkos::Serial, Kokkos::HostSpace>> const view("view", 10);
    return {symptom::Finding::present, "The exception of a constructor did not reach the program."};
  } catch (std::runtime_error const&) {
  }
  return symptom::found(elements_alive != 0, std::to_string(elements_alive) + " elements were never destroyed.",
                        "The exception reached the program, and all elements were destroyed.");
#else
  return {symptom::Finding::not_here, "This Kokkos has no Serial backend."};
#endif
}
