// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PARALLEL_REDUCE_HPP
#define KOKKOS_HOST_PARALLEL_REDUCE_HPP

/// \file
/// parallel_reduce on host backends.
///
/// Each thread reduces its part into its own value. The launching thread then joins these values in the order of the
/// threads. So with a static schedule and the same number of threads a sum is bitwise identical in every run.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Accumulate.hpp>
#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_Value.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace Kokkos::Impl {

template <class ExecSpace>
struct HostParallelReduce {
  template <class Policy, class Reduction, class Target>
  static void run(Policy const& policy, Reduction const& reduction, Target const& target) {
    if constexpr (HostTeamPolicyLike<Policy>) {
      HostTeamReduce<ExecSpace>::run(policy, reduction, target);
    } else {
      HostIterations<Policy> const iterations(policy);
      using Loop = loop_index_t<Policy, Reduction, HostIterations<Policy>::rank, typename Reduction::reference_type>;
      iterations.template require_countable<Loop>();
      HostInstanceLock lock = Impl::lock_host_instance(policy.space());
      if (lock.threads() == 1 || iterations.count() <= length_for_one_thread<typename Reduction::body_type>) {
        run_alone<Loop>(lock, iterations, reduction, target);
      } else {
        run_together<Loop>(lock, iterations, reduction, target);
      }
    }
  }

 private:
  /// Creates a value in the slot: the reduction of the part. Not inlined, so that the functor is compiled only once.
  template <class Loop, class Iterations, class Reduction>
  [[gnu::noinline]] static void reduce_part(Iterations const& iterations, HostPart part, Reduction const& reduction,
                                            typename Reduction::value_type* slot) {
    fill_slot(slot, reduction, [&](typename Reduction::reference_type update) {
      Impl::host_accumulate<Loop>(iterations, part, reduction, update,
                                  [&reduction](auto&&... i_and_value) { reduction(i_and_value...); });
    });
  }

  template <class Loop, class Iterations, class Reduction, class Target>
  static void run_alone(HostInstanceLock& lock, Iterations const& iterations, Reduction const& reduction,
                        Target const& target) {
    HostPart const all{0, iterations.count()};
    if constexpr (host_is_single<Reduction>) {
      HostLocalValue<Reduction> value(
          [&](typename Reduction::value_type* place) { reduce_part<Loop>(iterations, all, reduction, place); });
      reduction.final(&value.get());
      if (target.data) Impl::host_assign_values(target.data, &value.get(), 1);
    } else {
      HostSlots<Reduction> slots(lock, reduction, 1);
      auto* value = slots.places()[0];
      reduce_part<Loop>(iterations, all, reduction, value);
      slots.made(1);
      reduction.final(value);
      if (target.data) Impl::host_assign_values(target.data, value, slots.places().count);
    }
  }

  template <class Loop, class Iterations, class Reduction, class Target>
  static void run_together(HostInstanceLock& lock, Iterations const& iterations, Reduction const& reduction,
                           Target const& target) {
    HostSlots<Reduction> slots(lock, reduction, lock.threads());
    auto const value = slots.places();
    int threads      = 0;
    if constexpr (Iterations::dynamic) {
      HostChunks chunks(iterations.count(), iterations.chunk(lock.threads()));
      threads = HostThreadTeam<ExecSpace>::run(lock, [&, value](int rank, int) {
        fill_slot(value[rank], reduction, [&](typename Reduction::reference_type update) {
          for (HostPart part = chunks.next(); !part.empty(); part = chunks.next()) {
            Impl::host_accumulate<Loop>(iterations, part, reduction, update,
                                        [&reduction](auto&&... i_and_value) { reduction(i_and_value...); });
          }
        });
      });
    } else {
      threads = HostThreadTeam<ExecSpace>::run(lock, [&reduction, iterations, value](int rank, int size) {
        reduce_part<Loop>(iterations, Impl::host_part(iterations.count(), rank, size), reduction, value[rank]);
      });
    }
    slots.made(threads);
    for (int i = 1; i < threads; ++i) reduction.join(value[0], value[i]);
    reduction.final(value[0]);
    if (target.data) Impl::host_assign_values(target.data, value[0], value.count);
  }

  /// Creates a value in the slot: the identity, updated by `work`.
  template <class Reduction, class Work>
  KOKKOS_IMPL_FORCEINLINE static void fill_slot(typename Reduction::value_type* slot, Reduction const& reduction,
                                                Work const& work) {
    using value_type = typename Reduction::value_type;
    if constexpr (host_is_single<Reduction>) {
      HostLocalValue<Reduction> value(reduction);
      work(value.get());
      ::new (static_cast<void*>(slot)) value_type(std::move(value.get()));
    } else {
      reduction.init(slot);
      work(Reduction::reference(slot));
    }
  }
};

}  // namespace Kokkos::Impl

#endif
