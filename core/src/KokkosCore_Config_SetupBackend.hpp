// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOSCORE_CONFIG_SETUPBACKEND_HPP
#define KOKKOSCORE_CONFIG_SETUPBACKEND_HPP

/// \file
/// The former path of Kokkos_Macros.hpp, kept for programs that include it.

#include <Kokkos_Macros.hpp>

#endif
