// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_INITIALIZE_FINALIZE_HPP
#define KOKKOS_INITIALIZE_FINALIZE_HPP

/// \file
/// The documented name of a part of Kokkos_Initialize.hpp.

#include <Kokkos_Initialize.hpp>

#endif
