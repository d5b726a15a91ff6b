// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// parallel_reduce over ranges: reducers, structs, arrays and forms of the result.

#include "Sweep.hpp"

namespace sweep {
namespace {

/// The member `final` stores the sum, so the reduction has no result.
struct SumToFinal {
  using value_type = double;
  Vector a;
  Kokkos::View<double, Exec> sum;
  KOKKOS_FUNCTION void operator()(long i, double& update) const { update += a(i) * a(i); }
  KOKKOS_FUNCTION void final(double& value) const { sum() = value; }
};

struct ArraySum {
  using value_type = double[];
  unsigned value_count;
  Vector a;
  KOKKOS_FUNCTION void operator()(long i, double* update) const {
    for (unsigned k = 0; k < value_count; ++k) update[k] += a(i) * k;
  }
};

template <class Reducer, bool IsLocation>
struct Extreme {
  using T = typename Reducer::value_type;
  Vector a;
  KOKKOS_FUNCTION void operator()(long i, T& update) const {
    if constexpr (IsLocation) {
      T candidate;
      candidate.val = a(i);
      candidate.loc = i;
      Reducer(update).join(update, candidate);
    } else {
      T const candidate(a(i));
      Reducer(update).join(update, candidate);
    }
  }
};

template <int N>
struct StructSum {
  Vector a;
  KOKKOS_FUNCTION void operator()(long i, Numbers<N>& update) const {
    for (int k = 0; k < N; ++k) update.x[k] += a(i) * k;
  }
};

template <class Reducer, bool IsLocation>
void reducer(Sweep const& s, char const* name, Vector const& a) {
  typename Reducer::value_type value;
  s.row(
      name, a.size(),
      [&] { Kokkos::parallel_reduce(Range(0, a.size()), Extreme<Reducer, IsLocation>{a}, Reducer(value)); },
      8. * a.size());
}

}  // namespace

void reductions(Sweep const& s) {
  for (std::size_t n : s.sizes()) {
    Vector const a     = ascending(n);
    double const bytes = 8. * n;
    double x = 0, y = 0, z = 0;
    Kokkos::View<double, Exec> const on_device("on_device");
    auto const sum = KOKKOS_LAMBDA(long i, double& update) { update += a(i); };
    s.row("reduce_sum", n, [&] { Kokkos::parallel_reduce(Range(0, n), sum, x); }, bytes);
    s.row("reduce_sum_to_view", n, [&] { Kokkos::parallel_reduce(Range(0, n), sum, on_device); }, bytes);
    s.row("reduce_final_no_result", n, [&] { Kokkos::parallel_reduce(Range(0, n), SumToFinal{a, on_device}); }, bytes);
    auto const three = KOKKOS_LAMBDA(long i, double& p, double& q, double& r) {
      p += a(i);
      q = a(i) < q ? a(i) : q;
      r = a(i) > r ? a(i) : r;
    };
    s.row(
        "reduce_three_results", n,
        [&] { Kokkos::parallel_reduce(Range(0, n), three, x, Kokkos::Min<double>(y), Kokkos::Max<double>(z)); }, bytes);
    auto const even = KOKKOS_LAMBDA(long i, int& update) { update += a(i) > 3; };
    int count       = 0;
    s.row("reduce_count_int", n, [&] { Kokkos::parallel_reduce(Range(0, n), even, count); }, bytes);
    Numbers<3> three_numbers;
    Numbers<9> nine;
    s.row("reduce_struct24", n, [&] { Kokkos::parallel_reduce(Range(0, n), StructSum<3>{a}, three_numbers); }, bytes);
    s.row("reduce_struct72", n, [&] { Kokkos::parallel_reduce(Range(0, n), StructSum<9>{a}, nine); }, bytes);
    double values[16];
    s.row("reduce_array_4", n, [&] { Kokkos::parallel_reduce(Range(0, n), ArraySum{4, a}, values); }, bytes);
    s.row("reduce_array_16", n, [&] { Kokkos::parallel_reduce(Range(0, n), ArraySum{16, a}, values); }, bytes);
    reducer<Kokkos::Max<double>, false>(s, "reduce_max", a);
    reducer<Kokkos::Min<double>, false>(s, "reduce_min", a);
    reducer<Kokkos::LAnd<int>, false>(s, "reduce_land", a);
    reducer<Kokkos::BOr<long>, false>(s, "reduce_bor", a);
    reducer<Kokkos::MinLoc<double, long>, true>(s, "reduce_minloc", a);
    reducer<Kokkos::MaxLoc<double, long>, true>(s, "reduce_maxloc", a);
    Kokkos::MinMaxLoc<double, long>::value_type extremes;
    auto const min_max = KOKKOS_LAMBDA(long i, Kokkos::MinMaxLocScalar<double, long>& update) {
      if (a(i) < update.min_val) {
        update.min_val = a(i);
        update.min_loc = i;
      }
      if (a(i) > update.max_val) {
        update.max_val = a(i);
        update.max_loc = i;
      }
    };
    s.row(
        "reduce_minmaxloc", n,
        [&] { Kokkos::parallel_reduce(Range(0, n), min_max, Kokkos::MinMaxLoc<double, long>(extremes)); }, bytes);
    auto const expensive = KOKKOS_LAMBDA(long i, double& update) {
      double v = a(i);
      for (int k = 0; k < 100; ++k) v = v * 0.5 + Kokkos::sqrt(v);
      update += v;
    };
    s.row("reduce_expensive", n, [&] { Kokkos::parallel_reduce(Range(0, n), expensive, x); });
  }
}

}  // namespace sweep
