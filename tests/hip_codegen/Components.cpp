// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The headers of containers, algorithms and SIMD types compile for a GPU. Clang checks functions of the compiler there
/// even in templates that only host code calls.

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_DynamicView.hpp>
#include <Kokkos_ErrorReporter.hpp>
#include <Kokkos_NestedSort.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_SIMD.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StaticCrsGraph.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <Kokkos_UnorderedMap.hpp>
