// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ATOMICS_DESUL_WRAPPER_HPP
#define KOKKOS_ATOMICS_DESUL_WRAPPER_HPP

/// \file
/// The former path of Kokkos_Atomic.hpp, kept for programs that include it.

#include <Kokkos_Atomic.hpp>

#endif
