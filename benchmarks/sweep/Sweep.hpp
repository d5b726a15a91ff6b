// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_BENCHMARKS_SWEEP_HPP
#define KOKKOS_BENCHMARKS_SWEEP_HPP

/// \file
/// A table of timed operations, one row for each operation and size. The program compiles with every Kokkos, so two
/// builds of it show which operations one library runs more slowly than the other.
///
/// A measurement is a batch of calls and one fence. A row is the shortest time of a call over several batches.
///
/// In step with other builds, the program prints each row's name and size and reads a line: after `measure` it prints the
/// row and asks again, and after any other line it continues with the next row. So all builds measure a row within a
/// moment, whatever else the machine does before and after.
///
/// To count, the program measures nothing and calls each row twice. The interpreter of AMD's machine code counts the second
/// call by the name of the row.

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

namespace sweep {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Range  = Kokkos::RangePolicy<Exec>;
using Vector = Kokkos::View<double*, Exec>;

class Sweep {
 public:
  Sweep(std::vector<std::size_t> sizes, std::string const& only, double milliseconds, bool in_step, bool counts)
      : m_sizes(std::move(sizes)), m_only(only), m_seconds(milliseconds / 1000), m_in_step(in_step), m_counts(counts) {}

  std::vector<std::size_t> const& sizes() const { return m_sizes; }
  bool measures() const { return !m_counts; }

  /// Prints the time of call(), which may be asynchronous.
  /// \param bytes that the call must at least read and write; 0 where memory does not bound it
  template <class Call>
  void row(char const* name, std::size_t n, Call const& call, double bytes = 0) const {
    if (!std::regex_search(name, m_only)) return;
    if (m_counts) return count(name, n, call);
    do {
      if (m_in_step && !is_requested(name, n)) return;
      std::printf("%s\t%zu\t%.6g\t%.6g\n", name, n, measure(call) * 1e6, bytes);
      std::fflush(stdout);
    } while (m_in_step);
  }

 private:
  /// Whether the reader of the output requests a measurement of this row. Without a reader the program ends.
  static bool is_requested(char const* name, std::size_t n) {
    std::printf("%s\t%zu\n", name, n);
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) std::exit(0);
    return line == "measure";
  }

  template <class Call>
  static void count(char const* name, std::size_t n, Call const& call) {
    call();  // without what happens once
    Kokkos::fence();
    setenv("HIP_MODEL_ISA_SECTION", (std::string(name) + " " + std::to_string(n)).c_str(), 1);
    call();
    Kokkos::fence();
    unsetenv("HIP_MODEL_ISA_SECTION");
    std::printf("%s\t%zu\n", name, n);
  }

  /// The shortest time of a call in seconds.
  template <class Call>
  double measure(Call const& call) const {
    std::size_t calls = 1;
    double batch      = time(1, call);
    batch             = time(1, call);  // without what happens once
    while (batch < m_seconds / 8 && calls < 4096) batch = time(calls *= 2, call);
    double best = batch / calls, total = batch;
    for (int i = 0; i < 4 || total < m_seconds; ++i) {
      batch = time(calls, call);
      total += batch;
      if (batch / calls < best) best = batch / calls;
      if (total > 4 * m_seconds) break;
    }
    return best;
  }

  template <class Call>
  static double time(std::size_t calls, Call const& call) {
    using Clock      = std::chrono::steady_clock;
    auto const start = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) call();
    Kokkos::fence();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  std::vector<std::size_t> m_sizes;
  std::regex m_only;
  double m_seconds;
  bool m_in_step, m_counts;
};

/// A vector with elements that ascend without repetition.
inline Vector ascending(std::size_t n) {
  Vector v(Kokkos::view_alloc("ascending", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(Range(0, n), KOKKOS_LAMBDA(long i) { v(i) = static_cast<double>(i); });
  return v;
}

/// A structure of N doubles, the value of reductions and scans.
template <int N>
struct Numbers {
  double x[N] = {};
  KOKKOS_FUNCTION Numbers& operator+=(Numbers const& other) {
    for (int k = 0; k < N; ++k) x[k] += other.x[k];
    return *this;
  }
};

void patterns(Sweep const&);
void reductions(Sweep const&);
void scans(Sweep const&);
void ranges(Sweep const&);
void teams(Sweep const&);
void algorithms(Sweep const&);
void searches(Sweep const&);
void selections(Sweep const&);
void sorts(Sweep const&);
void atomics(Sweep const&);
void numbers(Sweep const&);
void containers(Sweep const&);
void maps(Sweep const&);
void memory(Sweep const&);
void transfers(Sweep const&);
void solvers(Sweep const&);

}  // namespace sweep

#endif
