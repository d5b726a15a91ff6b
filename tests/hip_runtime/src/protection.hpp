// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HIP_MODEL_PROTECTION_HPP
#define HIP_MODEL_PROTECTION_HPP

/// \file
/// Device memory that host threads cannot touch: its pages are accessible only while work runs, or while the model itself
/// writes a pattern (Modes::protects_memory).

#include <cstddef>

namespace hip_model {

/// While one lives, all device memory is accessible. For each piece of work, and for each access by the model.
class DeviceMemoryAccess {
 public:
  DeviceMemoryAccess();
  ~DeviceMemoryAccess();
  DeviceMemoryAccess(DeviceMemoryAccess const&)            = delete;
  DeviceMemoryAccess& operator=(DeviceMemoryAccess const&) = delete;
};

/// Whole pages, which no other memory shares.
void protect_memory(void* pages, std::size_t bytes);
/// No effect for memory that is not protected.
void unprotect_memory(void* pages);

}  // namespace hip_model

#endif
