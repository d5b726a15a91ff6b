// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_KOKKOS_TRAITS_HPP
#define KOKKOS_IMPL_KOKKOS_TRAITS_HPP

/// \file
/// The former path of Kokkos_Concepts.hpp, kept for programs that include it.

#include <Kokkos_Concepts.hpp>

#endif
