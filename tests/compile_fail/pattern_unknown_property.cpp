// expect: A Kokkos policy was given a template argument that is no execution space
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A pointer type as a property of a policy.

#include <Kokkos_Core.hpp>

Kokkos::RangePolicy<int*> policy(0, 1);
