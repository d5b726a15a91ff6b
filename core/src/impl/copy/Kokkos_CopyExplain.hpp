// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_COPYEXPLAIN_HPP
#define KOKKOS_COPY_COPYEXPLAIN_HPP

/// \file
/// The explanation of copies for users: with KOKKOS_COPY_EXPLAIN=1, each copy writes a line to the error stream.

#include <impl/copy/Kokkos_CopyPlan.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>

namespace Kokkos::Impl {

/// Writes the labels, the size, the kinds of memory, the route, and the reason for the route, which ends a sentence.
void explain_copy(CopyJob const& job, char const* from, char const* to, char const* route, char const* reason);

}  // namespace Kokkos::Impl

#endif
