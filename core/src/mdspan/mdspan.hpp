// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MDSPAN_MDSPAN_HPP
#define KOKKOS_MDSPAN_MDSPAN_HPP

/// \file
/// The path of the mdspan library's header, for programs that include it.

#include <impl/mdspan/mdspan.hpp>

#endif
