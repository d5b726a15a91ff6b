// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_NESTEDPATTERNS_HPP
#define KOKKOS_NESTEDPATTERNS_HPP

/// \file
/// parallel_for, parallel_reduce, parallel_scan and single inside the kernel of a team.

#include <impl/pattern/Kokkos_NestedFor.hpp>
#include <impl/pattern/Kokkos_NestedReduce.hpp>
#include <impl/pattern/Kokkos_NestedScan.hpp>
#include <impl/pattern/Kokkos_TeamRange.hpp>

#endif
