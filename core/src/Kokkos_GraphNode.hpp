// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GRAPHNODE_HPP
#define KOKKOS_GRAPHNODE_HPP

/// \file
/// The former path of Kokkos_Graph.hpp, kept for programs that include it.

#include <Kokkos_Graph.hpp>

#endif
