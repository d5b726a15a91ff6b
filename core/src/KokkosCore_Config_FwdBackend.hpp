// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOSCORE_CONFIG_FWDBACKEND_HPP
#define KOKKOSCORE_CONFIG_FWDBACKEND_HPP

/// \file
/// The former path of Kokkos_Core_fwd.hpp, kept for programs that include it.

#include <Kokkos_Core_fwd.hpp>

#endif
