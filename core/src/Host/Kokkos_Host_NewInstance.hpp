// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_NEW_INSTANCE_HPP
#define KOKKOS_HOST_NEW_INSTANCE_HPP

/// \file
/// Kokkos::NewInstance.

namespace Kokkos {

/// Asks a constructor of an execution space for an instance of its own rather than a handle on the default one.
struct NewInstance {
  explicit NewInstance() = default;
};

}  // namespace Kokkos

#endif
