// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PARALLEL_HPP
#define KOKKOS_PARALLEL_HPP

/// \file
/// parallel_for.

#include <impl/pattern/Kokkos_Launch.hpp>

#include <string>

namespace Kokkos {

namespace Impl {

template <class Policy, class Functor>
void launch_for(std::string const& label, Policy const& policy, Functor const& functor) {
  if constexpr (!Impl::takes_iterations_of<Functor, Policy>()) {
    static_assert(
        always_false<Functor>,
        "Kokkos::parallel_for: the functor has no const operator() that takes the work tag of the policy, if it "
        "has one, followed by one index for each dimension of the policy, or by its team member.");
  } else {
    KernelScope<Policy, Functor> scope(KernelKind::parallel_for, label, policy);
    using Executor = ParallelForExecutor<typename Policy::execution_space>;
    if constexpr (MakesBodies<Executor>)
      Executor::run(policy, DeferredBody<typename Policy::work_tag, Functor>(functor));
    else
      Executor::run(policy, Impl::make_untracked<Body<typename Policy::work_tag, Functor>>(functor));
  }
}

}  // namespace Impl

/// @{
/// Calls the functor once for each iteration of `policy`, a policy or a number of iterations, in unspecified order.
///
/// The functor is called as functor(i), functor(i, j, ...) or functor(member), after the work tag if there is one. The
/// label is the name of the kernel in tools; by default it is the type of the functor.
///
/// Asynchronous: the call may return before the kernel has run. Kernels in one instance run one after the other; a
/// fence of the instance waits for them.
template <Impl::KernelPolicy Policy, class Functor>
void parallel_for(std::string const& label, Policy const& policy, Functor const& functor) {
  Impl::launch_for(label, policy, functor);
}

KOKKOS_IMPL_CALLED_BY_HOSTS
template <Impl::KernelPolicy Policy, class Functor>
KOKKOS_FUNCTION void parallel_for(Policy const& policy, Functor const& functor) {
  Impl::launch_for(std::string(), policy, functor);
}

template <Impl::KernelCount Count, class Functor>
void parallel_for(std::string const& label, Count count, Functor const& functor) {
  Impl::launch_for(label, Impl::count_policy<Functor>(label, count), functor);
}

template <Impl::KernelCount Count, class Functor>
void parallel_for(Count count, Functor const& functor) {
  Impl::launch_for(std::string(), Impl::count_policy<Functor>(std::string(), count), functor);
}
/// @}

}  // namespace Kokkos

#endif
