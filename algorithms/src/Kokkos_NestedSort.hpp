// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NESTED_SORT_HPP
#define KOKKOS_NESTED_SORT_HPP

/// \file
/// Sorts inside team kernels: sort_team, sort_by_key_team, sort_thread, sort_by_key_thread.

#include <Kokkos_Core.hpp>

#include <sorting/Kokkos_NestedSortPublicAPI.hpp>

#endif
