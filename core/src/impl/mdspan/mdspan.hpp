// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_HPP
#define KOKKOS_MDSPAN_HPP

/// \file
/// Kokkos::mdspan and its layouts and functions, as in the C++ standard, usable in kernels.

#include <impl/mdspan/Kokkos_MDSpanClass.hpp>
#include <impl/mdspan/Kokkos_MDSpanExtents.hpp>
#include <impl/mdspan/Kokkos_MDSpanLayouts.hpp>
#include <impl/mdspan/Kokkos_Submdspan.hpp>

#endif
