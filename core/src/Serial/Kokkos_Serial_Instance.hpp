// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SERIAL_INSTANCE_HPP
#define KOKKOS_SERIAL_INSTANCE_HPP

/// \file
/// The thread team of Kokkos::Serial: the calling thread.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <Serial/Kokkos_Serial.hpp>

namespace Kokkos::Impl {

template <>
struct HostThreadTeam<Serial> {
  static HostInstance& instance(Serial const& space) { return space.impl_instance(); }
  static constexpr bool inside_parallel_region() { return false; }
  static bool inside_kernel_or_region() { return host_inside_kernel(); }
  static constexpr int size(Serial const&) { return 1; }

  template <class Body>
  static int run(HostInstanceLock&, Body const& body) {
    body(0, 1);
    return 1;
  }
  template <class Body>
  static int run(Serial const& space, Body const& body) {
    HostInstanceLock lock = lock_host_instance(space);
    return run(lock, body);
  }
};

}  // namespace Kokkos::Impl

#endif
