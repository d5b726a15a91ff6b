// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_EXEC_POLICY_HPP
#define KOKKOS_EXEC_POLICY_HPP

/// \file
/// All execution policies: ranges of one and of several dimensions, teams, and the ranges nested in teams.

#include <impl/policy/Kokkos_PolicyTraits.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/policy/Kokkos_MDRangePolicy.hpp>
#include <impl/policy/Kokkos_TeamPolicy.hpp>
#include <impl/policy/Kokkos_NestedRanges.hpp>
#include <impl/policy/Kokkos_TeamRangePolicy.hpp>

#endif
