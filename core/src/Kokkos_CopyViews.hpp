// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_VIEWS_HPP
#define KOKKOS_COPY_VIEWS_HPP

/// \file
/// Copies of the elements of views: deep_copy, mirrors, resize and realloc, and copies inside kernels.

#include <Host/Kokkos_Host_CopyRoute.hpp>
#include <copy/Kokkos_DeepCopy.hpp>
#include <copy/Kokkos_LocalDeepCopy.hpp>
#include <copy/Kokkos_Mirror.hpp>
#include <copy/Kokkos_Resize.hpp>

#endif
