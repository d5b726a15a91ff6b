// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DESUL_ATOMICS_HPP
#define KOKKOS_DESUL_ATOMICS_HPP

/// \file
/// The place of the desul library, for programs that include it.

#include <atomic/Kokkos_DesulNames.hpp>

#endif
