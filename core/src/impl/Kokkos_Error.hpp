// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_ERROR_HPP
#define KOKKOS_IMPL_ERROR_HPP

/// \file
/// The former path of runtime/Kokkos_Error.hpp, kept for programs that include it.

#include <impl/runtime/Kokkos_Error.hpp>

#endif
