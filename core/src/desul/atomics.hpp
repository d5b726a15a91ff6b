// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_DESUL_ATOMICS_HPP
#define KOKKOS_DESUL_ATOMICS_HPP

/// \file
/// The path of the desul library's header, for programs that include it.

#include <impl/atomic/Kokkos_DesulNames.hpp>

#endif
