// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ACQUIREUNIQUETOKENIMPL_HPP
#define KOKKOS_ACQUIREUNIQUETOKENIMPL_HPP

/// \file
/// The former path of Kokkos_UniqueToken.hpp, kept for programs that include it.

#include <Kokkos_UniqueToken.hpp>

#endif
