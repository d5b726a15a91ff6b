// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Atomic functions on 4096 places.

#include "Sweep.hpp"

namespace sweep {
namespace {

/// Calls op(place, value) for iteration i; the values of a place come in no order.
template <class T, class Op>
void each_place(Sweep const& s, char const* name, Op const& op) {
  for (std::size_t n : s.sizes()) {
    Kokkos::View<T*, Exec> const places("places", 4096);
    auto const apply = KOKKOS_LAMBDA(long i) { op(&places((i * 37) & 4095), static_cast<T>((i * 7919) & 0xfffff)); };
    s.row(name, n, [&] { Kokkos::parallel_for(Range(0, n), apply); });
  }
}

#define SWEEP_OP(NAME, FUNCTION)                               \
  struct NAME {                                                \
    template <class T>                                         \
    KOKKOS_FUNCTION void operator()(T* place, T value) const { \
      (void)FUNCTION(place, value);                            \
    }                                                          \
  }
SWEEP_OP(FetchAdd, Kokkos::atomic_fetch_add);
SWEEP_OP(FetchMax, Kokkos::atomic_fetch_max);
SWEEP_OP(FetchMin, Kokkos::atomic_fetch_min);
SWEEP_OP(FetchMul, Kokkos::atomic_fetch_mul);
SWEEP_OP(FetchOr, Kokkos::atomic_fetch_or);
SWEEP_OP(Exchange, Kokkos::atomic_exchange);
#undef SWEEP_OP
struct Add {
  template <class T>
  KOKKOS_FUNCTION void operator()(T* place, T value) const {
    Kokkos::atomic_add(place, value);
  }
};
struct Max {
  template <class T>
  KOKKOS_FUNCTION void operator()(T* place, T value) const {
    Kokkos::atomic_max(place, value);
  }
};
struct Store {
  template <class T>
  KOKKOS_FUNCTION void operator()(T* place, T value) const {
    Kokkos::atomic_store(place, value);
  }
};
struct CompareExchange {
  template <class T>
  KOKKOS_FUNCTION void operator()(T* place, T value) const {
    (void)Kokkos::atomic_compare_exchange(place, T(0), value);
  }
};
struct AddWide {
  KOKKOS_FUNCTION void operator()(Kokkos::complex<double>* place, Kokkos::complex<double> value) const {
    Kokkos::atomic_add(place, value);
  }
};

}  // namespace

void atomics(Sweep const& s) {
  each_place<int>(s, "atomic_add_int", Add());
  each_place<float>(s, "atomic_add_float", Add());
  each_place<double>(s, "atomic_add_double", Add());
  each_place<long>(s, "atomic_fetch_add_long", FetchAdd());
  each_place<double>(s, "atomic_fetch_add_double", FetchAdd());
  each_place<int>(s, "atomic_fetch_max_int", FetchMax());
  each_place<float>(s, "atomic_fetch_max_float", FetchMax());
  each_place<double>(s, "atomic_fetch_max_double", FetchMax());
  each_place<double>(s, "atomic_max_double", Max());
  each_place<long>(s, "atomic_max_long", Max());
  each_place<double>(s, "atomic_fetch_min_double", FetchMin());
  each_place<double>(s, "atomic_fetch_mul_double", FetchMul());
  each_place<unsigned>(s, "atomic_fetch_or_unsigned", FetchOr());
  each_place<int>(s, "atomic_exchange_int", Exchange());
  each_place<float>(s, "atomic_exchange_float", Exchange());
  each_place<double>(s, "atomic_exchange_double", Exchange());
  each_place<double>(s, "atomic_store_double", Store());
  each_place<int>(s, "atomic_compare_exchange_int", CompareExchange());
  each_place<double>(s, "atomic_compare_exchange_double", CompareExchange());
  each_place<Kokkos::complex<double>>(s, "atomic_add_complex", AddWide());
}

}  // namespace sweep
