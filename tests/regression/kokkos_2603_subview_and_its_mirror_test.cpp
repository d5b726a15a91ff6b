// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reported: github.com/kokkos/kokkos/issues/2603. A program updated a part of a three-dimensional field from the host
// (for communication), with a subview and its mirror. deep_copy of the two threw an exception.
//
// Here parts of each dimension of a field are copied to the host, changed there, and copied back, with and without an
// instance, to mirrors with the strides of the subview, and to views of the program: contiguous ones, in the same or in
// the other layout. It would fail again if a part could not be copied without the whole field.
#include <TestSpaces.hpp>

#include <utility>

namespace {

using Exec  = Kokkos::DefaultExecutionSpace;
using Field = Kokkos::View<double***, Exec>;
using Kokkos::ALL;

constexpr int n = 24;

/// Numbers all elements of the field, through a block of memory in its layout.
void number(Field const& field) {
  auto const host = Kokkos::create_mirror(field);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) host(i, j, k) = 10000. * i + 100. * j + k;
  Kokkos::deep_copy(field, host);
}

/// Copies in the order that the program chose.
struct Ordered {
  bool with_instance;
  template <class Dst, class Src>
  void operator()(Dst const& dst, Src const& src) const {
    if (!with_instance) return Kokkos::deep_copy(dst, src);
    Exec const exec;
    Kokkos::deep_copy(exec, dst, src);
    exec.fence();
  }
};

/// Elements of the part that starts at (i0, j0, k0).
template <class HostView, class Part>
void expect_exchanged(Field const& field, Part const& part, HostView const& host, int i0, int j0, int k0,
                      Ordered copy) {
  number(field);
  copy(host, part);
  int wrong     = 0;
  auto original = [](std::size_t i, std::size_t j, std::size_t k) {
    return 10000. * static_cast<double>(i) + 100. * static_cast<double>(j) + static_cast<double>(k);
  };
  for (std::size_t i = 0; i < part.extent(0); ++i)
    for (std::size_t j = 0; j < part.extent(1); ++j)
      for (std::size_t k = 0; k < part.extent(2); ++k) {
        wrong += host(i, j, k) != original(i + i0, j + j0, k + k0);
        host(i, j, k) += 0.5;
      }
  EXPECT_EQ(wrong, 0);
  copy(part, host);
  auto const all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), field);
  int changed    = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        changed += all(i, j, k) == original(i, j, k) + 0.5;
        wrong += all(i, j, k) != original(i, j, k) && all(i, j, k) != original(i, j, k) + 0.5;
      }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(changed, static_cast<int>(part.size()));
}

template <class Part>
void expect_part_exchanged(Field const& field, Part const& part, int i0, int j0, int k0) {
  using Left  = Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace>;
  using Right = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;
  for (bool with_instance : {false, true}) {
    Ordered const copy{with_instance};
    auto const extent = [&](int r) { return part.extent(r); };
    expect_exchanged(field, part, Left("left", extent(0), extent(1), extent(2)), i0, j0, k0, copy);
    expect_exchanged(field, part, Right("right", extent(0), extent(1), extent(2)), i0, j0, k0, copy);
    expect_exchanged(field, part, Kokkos::create_mirror(part), i0, j0, k0, copy);
  }
}

TEST(kokkos_2603, PartsOfAField) {
  Field const field("field", n, n, n);
  std::pair const one(1, 2), some(3, 8);
  expect_part_exchanged(field, Kokkos::subview(field, one, ALL, ALL), 1, 0, 0);
  expect_part_exchanged(field, Kokkos::subview(field, ALL, one, ALL), 0, 1, 0);
  expect_part_exchanged(field, Kokkos::subview(field, ALL, ALL, one), 0, 0, 1);
  expect_part_exchanged(field, Kokkos::subview(field, some, some, ALL), 3, 3, 0);
  expect_part_exchanged(field, Kokkos::subview(field, some, some, some), 3, 3, 3);
}

}  // namespace
