// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_KOKKOS_SHAREDALLOC_HPP
#define KOKKOS_IMPL_KOKKOS_SHAREDALLOC_HPP

/// \file
/// Macros by which programs announce memory spaces of their own. This library allocates views in any class that has the
/// members of a memory space, so the macros only check the class; docs/memory_spaces.md lists the members.

#include <Kokkos_Concepts.hpp>

#define KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(...) \
  static_assert(::Kokkos::is_memory_space_v<__VA_ARGS__>, \
                #__VA_ARGS__ " is not a memory space: its member memory_space must be itself")
#define KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_SPECIALIZATION(...) \
  KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(__VA_ARGS__)

#endif
