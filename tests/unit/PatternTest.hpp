// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_PATTERN_TEST_HPP
#define KOKKOS_TEST_PATTERN_TEST_HPP

/// \file
/// Common parts of the tests of patterns: counting visits, and reading a view on the host.

#include "TestSpaces.hpp"

#include <cstddef>

namespace Kokkos::Testing {

/// A view's elements on the host.
template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Counts the visits of each position; concurrent visits do not hide each other.
template <class Space>
struct Visits {
  Kokkos::View<int*, Space> counts;

  explicit Visits(std::size_t n) : counts("visits", n) {}
  template <class Index>
  KOKKOS_FUNCTION void visit(Index i) const {
    Kokkos::atomic_add(&counts(i), 1);
  }
  /// Positions in [begin, end) must have been visited `times` times and the others never.
  void expect(std::size_t begin, std::size_t end, int times = 1) const {
    auto const host = on_host(counts);
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      ASSERT_EQ(host(i), i >= begin && i < end ? times : 0) << "at " << i;
    }
  }
};

}  // namespace Kokkos::Testing

#endif
