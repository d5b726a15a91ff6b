// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SCOPE_GUARD_HPP
#define KOKKOS_SCOPE_GUARD_HPP

/// \file
/// The documented name of a part of Kokkos_Initialize.hpp.

#include <Kokkos_Initialize.hpp>

#endif
