// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_NUMBER_VIEWS_HPP
#define KOKKOS_HOST_NUMBER_VIEWS_HPP

/// \file
/// Compiles the allocation of the most common views once, in the library, instead of in every source of a program.

#include <Kokkos_HostSpace.hpp>
#include <impl/view/Kokkos_ViewAllocate.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

/// Declares (KEYWORD is extern) or defines the allocation of views of numbers with 4 or 8 bytes that have a label and no
/// other property. Each host backend declares it at the end of its patterns and defines it in one source.
#define KOKKOS_IMPL_HOST_NUMBER_VIEWS(KEYWORD, EXEC)                                    \
  KEYWORD template AllocationTracker allocate_elements<std::uint32_t, EXEC, HostSpace>( \
      LabelProperties const&, std::string const&, std::size_t);                         \
  KEYWORD template AllocationTracker allocate_elements<std::uint64_t, EXEC, HostSpace>( \
      LabelProperties const&, std::string const&, std::size_t);

#endif
