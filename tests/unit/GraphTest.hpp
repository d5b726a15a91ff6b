// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_GRAPH_TEST_HPP
#define KOKKOS_TEST_GRAPH_TEST_HPP

/// \file
/// Common parts of the tests of graphs. The functors are named classes, because the closure that creates a graph is
/// often a generic lambda, which cannot contain a kernel with every compiler.

#include "PatternTest.hpp"

#include <Kokkos_Graph.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace Kokkos::Testing {

template <class Space>
using Number = Kokkos::View<long, Space>;

/// Adds atomically in every form, because unordered nodes may run concurrently.
template <class Space>
struct AddTo {
  Number<Space> number;
  long what = 1;
  KOKKOS_FUNCTION void operator()() const { Kokkos::atomic_add(&number(), what); }
  KOKKOS_FUNCTION void operator()(int) const { (*this)(); }
};

/// Records the order in which nodes ran.
template <class Space>
struct Diary {
  explicit Diary(int nodes) : entries("diary", nodes), length("length of the diary") {}

  struct Entry {
    Kokkos::View<int*, Space> entries;
    Number<Space> length;
    int node;
    KOKKOS_FUNCTION void operator()(int) const {
      entries(Kokkos::atomic_fetch_add(&length(), 1L) % static_cast<long>(entries.extent(0))) = node;
    }
  };
  Entry entry(int node) const { return {entries, length, node}; }

  /// The nodes in the order in which they ran.
  std::vector<int> read() const {
    auto const host = on_host(entries);
    return std::vector<int>(host.data(), host.data() + host.extent(0));
  }

  Kokkos::View<int*, Space> entries;
  Number<Space> length;
};

/// The message of the std::runtime_error that f() throws; empty if it throws none.
template <class F>
std::string refusal(F const& f) {
  try {
    f();
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return {};
}

}  // namespace Kokkos::Testing

#endif
