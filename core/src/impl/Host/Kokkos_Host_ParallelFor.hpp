// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PARALLEL_FOR_HPP
#define KOKKOS_HOST_PARALLEL_FOR_HPP

/// \file
/// parallel_for on host backends.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Iterations.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class ExecSpace>
struct HostParallelFor {
  template <class Policy, class Body>
  static void run(Policy const& policy, Body const& body) {
    if constexpr (HostTeamPolicyLike<Policy>) {
      HostTeamFor<ExecSpace>::run(policy, body);
    } else {
      HostIterations<Policy> const iterations(policy);
      if (iterations.count() == 0) return;
      using Loop = loop_index_t<Policy, Body, HostIterations<Policy>::rank>;
      iterations.template require_countable<Loop>();
      HostInstanceLock lock = Impl::lock_host_instance(policy.space());
      run_in<Loop>(lock, iterations, body);
    }
  }

 private:
  template <class Loop, class Iterations, class Body>
  static void run_in(HostInstanceLock& lock, Iterations const& iterations, Body const& body) {
    if constexpr (Iterations::dynamic) {
      HostChunks chunks(iterations.count(), iterations.chunk(lock.threads()));
      run_parts<Body>(lock, iterations.count(), [&](int, int) __attribute__((noinline)) {
        for (HostPart part = chunks.next(); !part.empty(); part = chunks.next()) {
          run_part<Loop>(iterations, part, body);
        }
      });
    } else {
      run_parts<Body>(lock, iterations.count(), [&body, iterations](int rank, int size) __attribute__((noinline)) {
        run_part<Loop>(iterations, Impl::host_part(iterations.count(), rank, size), body);
      });
    }
  }

  template <class Loop, class Iterations, class Body>
  KOKKOS_IMPL_FORCEINLINE static void run_part(Iterations const& iterations, HostPart part, Body const& body) {
    if constexpr (Iterations::rank == 1 && TakesStretches<typename Body::body_type>)
      body.functor().stretch(iterations.stretch(part));
    else if constexpr (std::is_trivially_copyable_v<Body> && sizeof(Body) <= 64) {
      // A copy that no store of the loop can change, so its members stay in registers.
      Body const own = body;
      iterations.template run<Loop>(part, own);
    } else
      iterations.template run<Loop>(part, body);
  }

  /// Calls parts(rank, size) on each thread, or on this one alone: waking a thread takes longer than one iteration of
  /// most kernels, or a few of some.
  ///
  /// The functor is called in one place of the program, in `parts`: then compilers inline it even where they inline
  /// little (-O2), which halves the time of short iterations.
  template <class Body, class Parts>
  static void run_parts(HostInstanceLock& lock, std::uint64_t count, Parts const& parts) {
    if (count <= length_for_one_thread<typename Body::body_type>) {
      parts(0, 1);
    } else {
      HostThreadTeam<ExecSpace>::run(lock, parts);
    }
  }
};

}  // namespace Kokkos::Impl

#endif
