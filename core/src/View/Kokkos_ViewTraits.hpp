// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_VIEW_KOKKOS_VIEWTRAITS_HPP
#define KOKKOS_VIEW_KOKKOS_VIEWTRAITS_HPP

/// \file
/// The former path of Kokkos_View.hpp, kept for programs that include it.

#include <Kokkos_View.hpp>

#endif
