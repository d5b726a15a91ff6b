// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_NEW_INSTANCE_HPP
#define KOKKOS_HOST_NEW_INSTANCE_HPP

/// \file
/// Kokkos::NewInstance.

namespace Kokkos {

/// Requests a separate instance from a constructor of an execution space, rather than a handle of the default instance.
struct NewInstance {
  explicit NewInstance() = default;
};

}  // namespace Kokkos

#endif
