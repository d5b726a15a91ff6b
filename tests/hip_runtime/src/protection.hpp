// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HIP_MODEL_PROTECTION_HPP
#define HIP_MODEL_PROTECTION_HPP

/// \file
/// Device memory that host threads cannot touch: its pages are accessible only while work runs, or while the model itself
/// writes a pattern (Modes::protects_memory).

#include <cstddef>

namespace hip_model {

/// While one lives, device memory is accessible: the first access opens its pages, by a signal. For each piece of work, and
/// for each access by the model. A call of the system that gets such an address as its argument does not open it.
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
