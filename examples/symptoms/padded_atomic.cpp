// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// title: A loop of atomic_compare_exchange on a struct with padding loses updates or does not end
// upstream: not reported
// needs: nothing
#include "Symptom.hpp"

namespace {
struct ValueAndPlace {  // 16 bytes, 4 of them padding
  double value;
  int place;
  KOKKOS_FUNCTION friend bool operator==(ValueAndPlace const& a, ValueAndPlace const& b) {
    return a.value == b.value && a.place == b.place;
  }
};

struct Increment {
  Kokkos::View<ValueAndPlace, Kokkos::HostSpace> sum;
  void operator()(int) const {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      ValueAndPlace const seen = sum();
      ValueAndPlace next;
      next.value = seen.value + 1;
      next.place = seen.place + 1;
      if (Kokkos::atomic_compare_exchange(&sum(), seen, next) == seen) return;
    }
  }
};
}  // namespace

symptom::Report padded_atomic() {
  Kokkos::View<ValueAndPlace, Kokkos::HostSpace> const sum("sum");
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1000), Increment{sum});
  Kokkos::fence();
  auto const n = std::to_string(static_cast<int>(sum().value));
  return symptom::found(sum().value != 1000, n + " of 1000 increments arrived.", "All of 1000 increments arrived.");
}
