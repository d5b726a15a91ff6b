// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SORT_HPP
#define KOKKOS_SORT_HPP

/// \file
/// Sorts of views: Kokkos::sort, Kokkos::Experimental::sort_by_key and BinSort. docs/algorithms.md lists which sort is
/// used where.

#include <Kokkos_Core.hpp>

#include <sorting/Kokkos_BinOpsPublicAPI.hpp>
#include <sorting/Kokkos_BinSortPublicAPI.hpp>
#include <sorting/Kokkos_NestedSortPublicAPI.hpp>
#include <sorting/Kokkos_SortByKeyPublicAPI.hpp>
#include <sorting/Kokkos_SortPublicAPI.hpp>

#endif
