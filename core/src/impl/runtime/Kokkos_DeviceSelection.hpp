// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_DEVICE_SELECTION_HPP
#define KOKKOS_RUNTIME_DEVICE_SELECTION_HPP

/// \file
/// The choice of a process's device; shared by the device backends.

#include <vector>

namespace Kokkos {
class InitializationSettings;
}

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// The usable devices of `count` present ones: all, or those that KOKKOS_VISIBLE_DEVICES=1,0 lists, in its order.
/// Throws std::runtime_error if the list is invalid: it must contain numbers below `count`, each at most once.
std::vector<int> visible_devices(int count);

/// Rank of this process among the MPI processes of its node, from the launcher's environment variables; -1 if there is
/// none.
int mpi_local_rank();

/// The device that `settings` select. device_id is an index into the visible devices. Otherwise the choice is random,
/// or cyclic by the local rank, or the first device. Throws std::runtime_error if there is no such device.
int select_device(InitializationSettings const& settings, std::vector<int> const& visible);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
