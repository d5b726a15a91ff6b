// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_DEVICE_SELECTION_HPP
#define KOKKOS_RUNTIME_DEVICE_SELECTION_HPP

/// \file
/// Which device a process uses; shared by the device backends.

#include <vector>

namespace Kokkos {
class InitializationSettings;
}

namespace Kokkos::Impl {

/// The devices that may be used of `count` present ones: all, or those that KOKKOS_VISIBLE_DEVICES=1,0 lists, in its
/// order. Throws std::runtime_error if the list is not one of numbers below `count`, each once.
std::vector<int> visible_devices(int count);

/// Rank of this process among the MPI processes of its node, as launchers tell it in the environment; -1 if none does.
int mpi_local_rank();

/// The device that `settings` ask for: device_id counts the visible ones; otherwise one at random, or by the local rank
/// in turn, or the first one. Throws std::runtime_error if there is no such device.
int select_device(InitializationSettings const& settings, std::vector<int> const& visible);

}  // namespace Kokkos::Impl

#endif
