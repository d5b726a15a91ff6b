// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGED_COPY_HPP
#define KOKKOS_GPU_STAGED_COPY_HPP

/// \file
/// A copy, as the copy engine is asked for it.
///
/// Needs its neighbours and the standard library: patches carry this file as it is.

#include <GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <GPU/portable/Kokkos_GPU_HostSide.hpp>
#include <GPU/portable/Kokkos_GPU_StagingSteps.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace Kokkos::Impl {

/// A copy between pageable host memory and a device.
struct StagedCopy {
  bool to_device    = false;
  std::size_t bytes = 0;           ///< of both sides
  DeviceRows device;               ///< holds the sequence of `host` row by row
  std::unique_ptr<HostSide> host;  ///< HostBlock, or what packs and unpacks anything else
  std::shared_ptr<void> keep;      ///< released when the copy has landed, by a later call of this engine or a fence
  CopyWait wait       = CopyWait::nothing;  ///< what the caller waits for
  bool may_read_early = true;      ///< nothing but such copies is about to use the host's memory
  std::string what;                ///< begins sentences about the copy: `deep_copy of "b" to "a"`
  /// Called once, by any thread, when the last byte is in place; must not call a GPU's runtime.
  std::function<void()> on_landed;
};

/// The same of one block of memory on both sides, for small copies: nothing is allocated to ask for one.
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
