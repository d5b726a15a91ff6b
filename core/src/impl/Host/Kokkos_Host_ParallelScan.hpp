// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PARALLEL_SCAN_HPP
#define KOKKOS_HOST_PARALLEL_SCAN_HPP

/// \file
/// parallel_scan on host backends.
///
/// The range is cut into blocks that fit into a cache. A thread takes a block, sums it up, and waits until the sum of
/// all earlier blocks is known. It passes on that sum plus its own. Only then does it process its block again, now from
/// its cache, to deliver the prefixes. So memory is read once, and the threads process different blocks at any time
/// instead of meeting at barriers (Merrill and Garland's decoupled look-back, with a running sum in place of the
/// look-back). Blocks are joined in their order, and their bounds do not depend on timing, so results are the same in
/// every run.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Iterations.hpp>
#include <impl/Host/Kokkos_Host_Value.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

/// Orders the blocks' access to the running sum: block 0 first, then block 1, and so on.
class alignas(host_line_bytes) HostBlockOrder {
 public:
  /// Returns when all blocks before this one have passed on the sum; the caller sees what their threads wrote.
  void wait_for(std::uint64_t block) const noexcept {
    for (int spins = 0; __atomic_load_n(&m_block, __ATOMIC_ACQUIRE) != block; ++spins) host_pause(spins);
  }
  void pass_on(std::uint64_t block) noexcept { __atomic_store_n(&m_block, block + 1, __ATOMIC_RELEASE); }

 private:
  std::uint64_t m_block = 0;
};

template <class ExecSpace>
struct HostParallelScan {
  template <class Policy, class Scan, class Target>
  static void run(Policy const& policy, Scan const& scan, Target const& total) {
    HostIterations<Policy> const iterations(policy);
    std::uint64_t const n     = iterations.count();
    using Loop                = loop_index_t<Policy, Scan, 1, typename Scan::reference_type, bool>;
    HostInstanceLock lock     = Impl::lock_host_instance(policy.space());
    std::uint64_t const block = block_length(n, lock.threads(), scan.value_count() * sizeof(typename Scan::value_type));
    // The running sum, and for each thread the sum of its block and the prefix before it.
    HostSlots<Scan> slots(lock, scan, 1 + 2 * lock.threads());
    auto const value = slots.places();
    scan.init(value[0]);
    slots.made(1);
    if (lock.threads() == 1 || n <= block) {
      scan_part<Loop, true>(iterations, {0, n}, scan, value[0]);
    } else {
      slots.made(1 + 2 * run_together<Loop>(lock, iterations, block, scan, value));
    }
    if (total.data) Impl::host_assign_values(total.data, value[0], value.count);
  }

 private:
  static constexpr std::uint64_t block_bytes = 256 * 1024;

  /// Number of iterations in a block: few enough that its data stays in a core's cache, and that every thread gets a
  /// block.
  static std::uint64_t block_length(std::uint64_t n, int threads, std::size_t value_bytes) noexcept {
    std::uint64_t const fits   = block_bytes / (value_bytes > 8 ? value_bytes : 8);
    std::uint64_t const fair   = n / (static_cast<std::uint64_t>(threads) * 4) + 1;
    std::uint64_t const length = fits < fair ? fits : fair;
    return length > 0 ? length : 1;
  }

  /// \return the number of threads; each has stored two values.
  template <class Loop, class Iterations, class Scan>
  static int run_together(HostInstanceLock& lock, Iterations const& iterations, std::uint64_t block, Scan const& scan,
                          HostSlotPlaces<typename Scan::value_type> const& value) {
    std::uint64_t const n = iterations.count();
    HostChunks chunks(n, block);
    HostBlockOrder order;
    return HostThreadTeam<ExecSpace>::run(lock, [&, value, n](int rank, int) {
      auto* sum    = value[1 + 2 * rank];
      auto* prefix = value[2 + 2 * rank];
      scan.init(sum);
      scan.init(prefix);
      // Blocks are assigned in ascending order. So a thread waits only for a thread that is running and that itself
      // waits only for lower blocks: the thread with the lowest block always makes progress.
      for (HostPart part = chunks.next(); !part.empty(); part = chunks.next()) {
        std::uint64_t const number = part.begin / block;
        reset(scan, sum, value.count);
        scan_part<Loop, false>(iterations, part, scan, sum);
        order.wait_for(number);
        Impl::host_assign_values(prefix, value[0], value.count);
        scan.join(value[0], sum);
        order.pass_on(number);
        scan_part<Loop, true>(iterations, part, scan, prefix);
        // The total is bitwise the value of the last iteration; no thread uses the running sum any more.
        if (part.end == n) Impl::host_assign_values(value[0], prefix, value.count);
      }
    });
  }

  template <class Scan>
  static void reset(Scan const& scan, typename Scan::value_type* value, std::size_t count) {
    Impl::host_destroy_values(value, count);
    scan.init(value);
  }

  /// Processes the part with an update that starts as *value, and stores the final update in *value.
  template <class Loop, bool Final, class Iterations, class Scan>
  static void scan_part(Iterations const& iterations, HostPart part, Scan const& scan,
                        typename Scan::value_type* value) {
    if constexpr (host_is_single<Scan>) {
      // A local copy can stay in a register.
      typename Scan::value_type update = *value;
      iterations.template run<Loop>(part, [&](auto i) { scan(i, update, Final); });
      *value = update;
    } else {
      auto update = Scan::reference(value);
      iterations.template run<Loop>(part, [&](auto i) { scan(i, update, Final); });
    }
  }
};

}  // namespace Kokkos::Impl

#endif
