// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/3567. A function for any view created its mirror by create_mirror_view and
// copied between the two. For a strided view from subview, deep_copy threw an exception: it could not copy without a
// temporary.
//
// Here the same is done with subviews that are rows, columns, blocks and every n-th element, of both layouts, in both
// directions. It would fail again if a copy between host and device required memory without gaps.
#include <TestSpaces.hpp>

#include <utility>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Kokkos::ALL;

template <class Matrix>
struct Number {
  Matrix matrix;
  KOKKOS_FUNCTION void operator()(int i) const {
    for (std::size_t j = 0; j < matrix.extent(1); ++j) matrix(i, j) = 1000. * (i + 1) + static_cast<double>(j);
  }
};
template <class Matrix>
Matrix numbered() {
  Matrix const matrix("matrix", 60, 50);
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(0, 60), Number<Matrix>{matrix});
  return matrix;
}

/// The function of the report, to the host and back. `number(i, j)` is the expected value of an element.
template <class Matrix, class View, class NumberOf>
void expect_mirrored(Matrix const& matrix, View const& view, NumberOf const& number) {
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), view);
  Kokkos::deep_copy(host, view);
  auto const copied = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  int wrong         = 0;
  auto for_each     = [&](auto const& action) {
    for (std::size_t i = 0; i < view.extent(0); ++i)
      for (std::size_t j = 0; j < view.extent(1); ++j) action(host.access(i, j), copied.access(i, j), number(i, j));
  };
  for_each([&](double& a, double& b, double wanted) { wrong += a != wanted || b != wanted; });
  EXPECT_EQ(wrong, 0) << "from the device";
  for_each([&](double& a, double&, double wanted) { a = -wanted; });
  Kokkos::deep_copy(view, host);
  // All other elements of the matrix are unchanged.
  auto const all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix);
  int negative = 0, other = 0;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 50; ++j) {
      double const before = 1000. * (i + 1) + j;
      negative += all(i, j) == -before;
      other += all(i, j) != before && all(i, j) != -before;
    }
  EXPECT_EQ(negative, static_cast<int>(view.size())) << "to the device";
  EXPECT_EQ(other, 0) << "to the device";
}

template <class Layout>
void expect_subviews_mirrored() {
  using Matrix = Kokkos::View<double**, Layout, Exec>;
  Matrix m     = numbered<Matrix>();
  expect_mirrored(m, Kokkos::subview(m, 7, ALL),
                  [](std::size_t j, std::size_t) { return 8000. + static_cast<double>(j); });
  m = numbered<Matrix>();
  expect_mirrored(m, Kokkos::subview(m, ALL, 9),
                  [](std::size_t i, std::size_t) { return 1000. * static_cast<double>(i + 1) + 9; });
  m = numbered<Matrix>();
  expect_mirrored(m, Kokkos::subview(m, std::pair(5, 40), std::pair(20, 45)), [](std::size_t i, std::size_t j) {
    return 1000. * static_cast<double>(i + 6) + static_cast<double>(j + 20);
  });
  m = numbered<Matrix>();
  Kokkos::View<double**, Kokkos::LayoutStride, Exec> const sparse(
      m.data() + m.stride(0) + m.stride(1), Kokkos::LayoutStride(20, 3 * m.stride(0), 12, 4 * m.stride(1)));
  expect_mirrored(m, sparse, [](std::size_t i, std::size_t j) {
    return 1000. * static_cast<double>(2 + 3 * i) + static_cast<double>(1 + 4 * j);
  });
}

// If the execution space is a host space, mirrors are the views themselves, and there is nothing to test.
TEST(kokkos_3567, MirrorsOfStridedViews) {
  if (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible) GTEST_SKIP() << "no device";
  expect_subviews_mirrored<Kokkos::LayoutLeft>();
  expect_subviews_mirrored<Kokkos::LayoutRight>();
}

}  // namespace
