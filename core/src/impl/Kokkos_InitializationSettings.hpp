// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_INITIALIZATION_SETTINGS_HPP
#define KOKKOS_IMPL_INITIALIZATION_SETTINGS_HPP

/// \file
/// The former path of Kokkos_InitializationSettings.hpp, kept for programs that include it.

#include <Kokkos_InitializationSettings.hpp>

#endif
