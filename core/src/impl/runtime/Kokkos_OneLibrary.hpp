// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_ONE_LIBRARY_HPP
#define KOKKOS_RUNTIME_ONE_LIBRARY_HPP

/// \file
/// The check that a process contains one library with the interface of Kokkos.

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// Ends the process with a sentence if functions of this library and of another Kokkos library in the process may be
/// mixed. Fast if no object was loaded since the last call.
void refuse_other_library() noexcept;

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
