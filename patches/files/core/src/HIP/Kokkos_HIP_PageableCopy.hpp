// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HIP_PAGEABLE_COPY_HPP
#define KOKKOS_HIP_PAGEABLE_COPY_HPP

/// \file
/// Asynchronous copies of memory of malloc (KOKKOS_ENABLE_IMPL_ASYNC_PAGEABLE_COPIES).

#include <Kokkos_Core_fwd.hpp>

#include <cstddef>

namespace Kokkos::Impl {

/// Enqueues a copy between HostSpace and a memory space of HIP in the order of `where`, and returns before it has
/// completed. Returns false, without copying, if the runtime should make the copy: a small one, or one whose memory on
/// the host is registered. See GPU/Kokkos_GPU_PageableCopy.hpp.
bool copy_pageable_with_hip(HIP const& where, void* dst, void const* src, std::size_t bytes, bool to_host);

/// For a fence of `where`, after the wait: throws std::runtime_error if such copies in its stream have failed.
void check_pageable_copies_with_hip(HIP const& where);
/// The same for all instances, after a wait for all devices.
void check_pageable_copies_with_hip();

/// Releases the memory and threads of such copies. All streams must be idle.
void finalize_pageable_copies_with_hip();

}  // namespace Kokkos::Impl

#endif
