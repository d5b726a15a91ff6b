// expect: a layout other than LayoutLeft, LayoutRight and LayoutStride needs a specialization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

struct LayoutDiagonal {
  using array_layout = LayoutDiagonal;

  static constexpr bool is_extent_constructible = true;

  std::size_t dimension[Kokkos::ARRAY_LAYOUT_MAX_RANK];
};

void create() { Kokkos::View<int**, LayoutDiagonal> view; }
