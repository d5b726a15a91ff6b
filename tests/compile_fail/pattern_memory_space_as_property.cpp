// expect: A Kokkos policy was given a memory space or a Kokkos::Device
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A memory space as a property of a policy.

#include <Kokkos_Core.hpp>

Kokkos::RangePolicy<Kokkos::HostSpace> policy(0, 1);
