// expect: could not convert|no viable conversion|conversion from
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
Kokkos::View<int**, LayoutLeft> transpose(Kokkos::View<int**, LayoutRight> const& v) { return v; }
