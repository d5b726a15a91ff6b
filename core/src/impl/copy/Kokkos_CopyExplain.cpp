// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// One line for each copy.

#include <impl/copy/Kokkos_CopyExplain.hpp>

#include <cstdio>

namespace Kokkos::Impl {

void explain_copy(CopyJob const& job, char const* from, char const* to, char const* route, char const* reason) {
  // One call, so that lines of several threads do not mix.
  std::fprintf(stderr, "Kokkos::deep_copy of \"%s\" to \"%s\": %zu bytes, %s to %s, route %s, because %s\n",
               job.src_label, job.dst_label, job.plan.bytes(), from, to, route, reason);
}

}  // namespace Kokkos::Impl
