// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_REQUIRE_WAITABLE_HPP
#define KOKKOS_RUNTIME_REQUIRE_WAITABLE_HPP

/// \file
/// Refuses calls that would wait for an instance whose work does not run.

namespace Kokkos::Impl {

/// Throws std::runtime_error if the stream of `exec` is being captured. A call that submits work to `exec` and then
/// waits for it checks this before it submits anything, because the work would otherwise stay in the capture. A backend
/// without captures has no such member.
template <class Exec>
void require_waitable(Exec const& exec, char const* call) {
  if constexpr (requires { exec.impl_require_waitable(call); }) exec.impl_require_waitable(call);
}

}  // namespace Kokkos::Impl

#endif
