// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_EXTENTS_HPP
#define KOKKOS_EXTENTS_HPP

/// \file
/// The former path of view/Kokkos_ViewExtents.hpp, kept for programs that include it.

#include <impl/view/Kokkos_ViewExtents.hpp>

#endif
