// expect: A Kokkos policy takes one work tag, but two classes were given
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A policy with two work tags.

#include <Kokkos_Core.hpp>

struct A {};
struct B {};
Kokkos::RangePolicy<A, B> policy(0, 1);
