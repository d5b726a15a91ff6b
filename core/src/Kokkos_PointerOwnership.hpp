// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_POINTEROWNERSHIP_HPP
#define KOKKOS_POINTEROWNERSHIP_HPP

/// \file
/// Names of pointer types that document who frees the object.

#include <Kokkos_Macros.hpp>

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
namespace Kokkos {

template <class T>
using OwningRawPtr KOKKOS_DEPRECATED_WITH_COMMENT("Write T*.") = T*;
template <class T>
using ObservingRawPtr KOKKOS_DEPRECATED_WITH_COMMENT("Write T*.") = T*;

}  // namespace Kokkos
#endif

#endif
