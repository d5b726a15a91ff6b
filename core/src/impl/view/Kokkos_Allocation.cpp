// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <impl/view/Kokkos_Allocation.hpp>
#include <Kokkos_Abort.hpp>
#include <Kokkos_Initialize.hpp>

namespace Kokkos::Impl {

constinit thread_local int untracked_depth = 0;

void AllocationRecord::release() noexcept {
  if (is_finalized())
    Kokkos::abort(("Kokkos allocation \"" + m_label +
                   "\" is being deallocated after Kokkos::finalize was called. Destroy every view, or assign an empty "
                   "one to it, before finalize.")
                      .c_str());
  m_release(this);
}

}  // namespace Kokkos::Impl
