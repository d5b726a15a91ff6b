// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// parallel_scan.

#include "Sweep.hpp"

namespace sweep {
namespace {

template <class T>
struct ScanSum {
  Kokkos::View<T*, Exec> a;
  KOKKOS_FUNCTION void operator()(long i, T& update, bool is_final) const {
    T const x = a(i);
    if (is_final) a(i) = update;
    update += x;
  }
};

struct ScanMax {
  using value_type = double;
  Vector a, b;
  KOKKOS_FUNCTION void init(double& value) const { value = -1; }
  KOKKOS_FUNCTION void join(double& into, double const& from) const { into = into < from ? from : into; }
  KOKKOS_FUNCTION void operator()(long i, double& update, bool is_final) const {
    join(update, a(i));
    if (is_final) b(i) = update;
  }
};

template <int N>
struct ScanStruct {
  Vector a, b;
  KOKKOS_FUNCTION void operator()(long i, Numbers<N>& update, bool is_final) const {
    for (int k = 0; k < N; ++k) update.x[k] += a(i) * k;
    if (is_final) b(i) = update.x[N - 1];
  }
};

}  // namespace

void scans(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    Vector const a = ascending(n), b = ascending(n);
    Kokkos::View<int*, Exec> const ints("ints", n);
    auto const row = [&](char const* name, auto const& f, double bytes) {
      s.row(name, n, [&] { Kokkos::parallel_scan(Range(0, n), f); }, bytes);
    };
    row("scan_sum", ScanSum<double>{b}, 16. * n);
    row("scan_int", ScanSum<int>{ints}, 8. * n);
    row("scan_max_join", ScanMax{a, b}, 16. * n);
    row("scan_struct24", ScanStruct<3>{a, b}, 16. * n);
    row("scan_struct72", ScanStruct<9>{a, b}, 16. * n);
    double total = 0;
    s.row("scan_with_total", n, [&] { Kokkos::parallel_scan(Range(0, n), ScanSum<double>{b}, total); }, 16. * n);
  }
}

}  // namespace sweep
