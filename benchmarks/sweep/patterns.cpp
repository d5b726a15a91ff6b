// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// parallel_for over ranges.

#include "Sweep.hpp"

namespace sweep {
namespace {

/// Many values that live at the same time, so that the kernel needs some hundred registers.
template <int N>
struct ManyRegisters {
  Vector a, b;
  long n;
  KOKKOS_FUNCTION void operator()(long i) const {
    double x[N];
    for (int k = 0; k < N; ++k) x[k] = a((i + 32 * k) % n);
    double y = 0;
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j) y += x[k] * x[(k + j) % N];
    b(i) = y;
  }
};

struct LongRows {
  Vector a, sums;
  long length;
  KOKKOS_FUNCTION void operator()(long row) const {
    double sum = 0;
    for (long k = 0; k < length; ++k) sum += a(row + k * static_cast<long>(sums.extent(0)));
    sums(row) = sum;
  }
};

}  // namespace

void patterns(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n);
    auto const row = [&](char const* name, auto const& f, double bytes = 0) {
      s.row(name, n, [&] { Kokkos::parallel_for(Range(0, n), f); }, bytes);
    };
    row("for_axpy", KOKKOS_LAMBDA(long i) { b(i) += 0.5 * a(i); }, 24. * n);
    row("for_labelled_fill", KOKKOS_LAMBDA(long i) { b(i) = 1; }, 8. * n);
    row("for_many_registers_12", ManyRegisters<12>{a, b, static_cast<long>(n)});
    row("for_many_registers_20", ManyRegisters<20>{a, b, static_cast<long>(n)});
    auto const f = KOKKOS_LAMBDA(int i) { b(i) = a(i) + 1; };
    Exec const exec;
    s.row("for_on_instance", n, [&] { Kokkos::parallel_for("label", Range(exec, 0, n), f); }, 16. * n);
    s.row(
        "for_int_index", n, [&] { Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(0, n), f); },
        16. * n);
    s.row(
        "for_launch_bounds", n,
        [&] { Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::LaunchBounds<128, 2>>(0, n), f); }, 16. * n);
    s.row("for_dynamic", n,
          [&] { Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>(0, n), f); });
    s.row("for_fenced", n, [&] {
      Kokkos::parallel_for(Range(0, n), f);
      Kokkos::fence();
    });
    for (std::size_t rows : {2000, 20000}) {
      if (n < rows) continue;
      LongRows const long_rows{a, Vector("sums", rows), static_cast<long>(n / rows)};
      s.row(rows == 2000 ? "for_2000_long_rows" : "for_20000_long_rows", n,
            [&] { Kokkos::parallel_for(Range(0, rows), long_rows); });
    }
  }
}

}  // namespace sweep
