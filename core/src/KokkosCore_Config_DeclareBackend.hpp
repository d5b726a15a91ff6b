// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOSCORE_CONFIG_DECLAREBACKEND_HPP
#define KOKKOSCORE_CONFIG_DECLAREBACKEND_HPP

/// \file
/// The former path of Kokkos_Core.hpp, kept for programs that include it.

#include <Kokkos_Core.hpp>

#endif
