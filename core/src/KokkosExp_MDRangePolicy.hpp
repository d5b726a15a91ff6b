// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_EXP_MDRANGEPOLICY_HPP
#define KOKKOS_EXP_MDRANGEPOLICY_HPP

/// \file
/// The former path of policy/Kokkos_MDRangePolicy.hpp, kept for programs that include it.

#include <impl/policy/Kokkos_MDRangePolicy.hpp>

#endif
