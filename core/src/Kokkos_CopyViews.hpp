// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_VIEWS_HPP
#define KOKKOS_COPY_VIEWS_HPP

/// \file
/// Copies of the elements of views: deep_copy, mirrors, resize and realloc, and copies inside kernels.

#include <impl/Host/Kokkos_Host_CopyRoute.hpp>
#include <impl/copy/Kokkos_CopyBytes.hpp>
#include <impl/copy/Kokkos_DeepCopy.hpp>
#include <impl/copy/Kokkos_LocalDeepCopy.hpp>
#include <impl/copy/Kokkos_Mirror.hpp>
#include <impl/copy/Kokkos_Resize.hpp>

#endif
