// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RANK_HPP
#define KOKKOS_RANK_HPP

/// \file
/// The former path of policy/Kokkos_Rank.hpp, kept for programs that include it.

#include <impl/policy/Kokkos_Rank.hpp>

#endif
