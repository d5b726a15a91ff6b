// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGED_COPY_HPP
#define KOKKOS_GPU_STAGED_COPY_HPP

/// \file
/// The description of a copy for the copy engine.
///
/// Needs its neighbours and the standard library: patches carry this file unchanged.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingSteps.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace Kokkos::Impl {

/// A copy between pageable host memory and a device.
struct StagedCopy {
  bool to_device    = false;
  std::size_t bytes = 0;           ///< size of both sides
  DeviceRows device;               ///< contains the sequence of `host`, row by row
  std::unique_ptr<HostSide> host;  ///< HostBlock, or an object that packs and unpacks
  std::shared_ptr<void> keep;      ///< released after the copy has landed, by a later call of this engine or a fence
  CopyWait wait       = CopyWait::nothing;  ///< what the caller waits for
  bool may_read_early = true;      ///< only copies of this kind are about to use the host's memory
  std::string what;                ///< starts sentences about the copy: `deep_copy of "b" to "a"`
  /// Called once, by any thread, when the last byte is in place; must not call a GPU's runtime.
  std::function<void()> on_landed;
};

/// A small copy of one block of memory on both sides: requesting it allocates nothing.
struct BlockCopy {
  bool to_device = false;
  char* device   = nullptr;
  char* host     = nullptr;
  std::size_t bytes   = 0;
  CopyWait wait       = CopyWait::nothing;
  bool may_read_early = true;
};

}  // namespace Kokkos::Impl

#endif
