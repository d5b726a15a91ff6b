// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_STD_ALGORITHMS_BEGIN_END_HPP
#define KOKKOS_STD_ALGORITHMS_BEGIN_END_HPP

/// \file
/// begin, end, cbegin, cend: iterators over views of rank 1. They are part of Core.

#include <Kokkos_View.hpp>

#endif
