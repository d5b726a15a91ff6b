// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_PARALLEL_SCAN_HPP
#define KOKKOS_HOST_PARALLEL_SCAN_HPP

/// \file
/// parallel_scan on host backends.
///
/// A short range is divided into one part for each thread. The threads sum up their parts at the same time, and each
/// passes its sum on to the threads with later parts. It then joins the sums of all earlier parts and processes its
/// part again, to deliver the prefixes.
///
/// A longer range is cut into blocks that fit into a cache. A thread takes a block, sums it up, and waits until the sum
/// of all earlier blocks is known. It passes on that sum plus its own. Only then does it process its block again, now
/// from its cache. So memory is read once, and the threads process different blocks at any time instead of meeting at
/// barriers (Merrill and Garland's decoupled look-back, with a running sum in place of the look-back).
///
/// Parts and blocks are joined in their order, and their bounds do not depend on timing, so results are the same in
/// every run.

#include <impl/Host/Kokkos_Host_ThreadTeam.hpp>
#include <impl/Host/Kokkos_Host_Accumulate.hpp>
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

/// A mark that a thread sets when its sum is complete, on the cache lines of that sum.
class HostSumMark {
 public:
  explicit HostSumMark(void* place) noexcept : m_done(static_cast<std::uint32_t*>(place)) {}
  /// Before the threads start.
  void clear() noexcept { *m_done = 0; }
  /// The caller has stored its sum.
  void set() noexcept { __atomic_store_n(m_done, 1u, __ATOMIC_RELEASE); }
  /// Returns when the mark is set; the caller then sees the sum.
  void wait() const noexcept {
    for (int spins = 0; __atomic_load_n(m_done, __ATOMIC_ACQUIRE) == 0; ++spins) host_pause(spins);
  }

 private:
  std::uint32_t* m_done;
};

template <class ExecSpace>
struct HostParallelScan {
  template <class Policy, class Scan, class Target>
  static void run(Policy const& policy, Scan const& scan, Target const& total) {
    HostIterations<Policy> const iterations(policy);
    std::uint64_t const n     = iterations.count();
    using Loop                = loop_index_t<Policy, Scan, 1, typename Scan::reference_type, bool>;
    HostInstanceLock lock     = Impl::lock_host_instance(policy.space());
    auto const threads        = static_cast<std::uint64_t>(lock.threads());
    std::uint64_t const cache = longest_block(scan.value_count() * sizeof(typename Scan::value_type));
    // The running sum, and for each thread the sum of its block and the prefix before it.
    HostSlots<Scan> slots(lock, scan, 1 + 2 * lock.threads(), sizeof(std::uint32_t));
    auto const value = slots.places();
    scan.init(value[0]);
    slots.made(1);
    if (threads == 1 || n <= 1) {
      deliver_part<Loop>(iterations, {0, n}, scan, value[0]);
    } else if (n <= threads * cache) {
      slots.made(1 + 2 * run_parts<Loop>(lock, iterations, scan, value));
    } else {
      std::uint64_t const fair = n / (threads * 4) + 1;  // at least four blocks for each thread
      slots.made(1 + 2 * run_blocks<Loop>(lock, iterations, cache < fair ? cache : fair, scan, value));
    }
    if (total.data) Impl::host_assign_values(total.data, value[0], value.count);
  }

 private:
  static constexpr std::uint64_t block_bytes = 256 * 1024;

  /// The number of iterations whose data stays in a core's cache.
  static std::uint64_t longest_block(std::size_t value_bytes) noexcept {
    std::uint64_t const fits = block_bytes / (value_bytes > 8 ? value_bytes : 8);
    return fits > 0 ? fits : 1;
  }

  /// \return the number of threads; each has stored two values.
  template <class Loop, class Iterations, class Scan>
  static int run_parts(HostInstanceLock& lock, Iterations const& iterations, Scan const& scan,
                       HostSlotPlaces<typename Scan::value_type> const& value) {
    for (int rank = 0; rank < lock.threads(); ++rank) HostSumMark(value.extra(1 + 2 * rank)).clear();
    // Each thread waits only for threads of lower rank, and thread 0 for none. All threads of a team are running, so
    // every wait ends.
    return HostThreadTeam<ExecSpace>::run(lock, [&scan, iterations, value](int rank, int size) {
      HostPart const part = Impl::host_part(iterations.count(), rank, size);
      auto* sum           = value[1 + 2 * rank];
      auto* prefix        = value[2 + 2 * rank];
      scan.init(sum);
      scan.init(prefix);
      // The sum of the last part is not needed.
      if (rank + 1 < size) {
        sum_part<Loop>(iterations, part, scan, sum);
        HostSumMark(value.extra(1 + 2 * rank)).set();
      }
      if (part.empty()) return;
      for (int earlier = 0; earlier < rank; ++earlier) {
        HostSumMark(value.extra(1 + 2 * earlier)).wait();
        scan.join(prefix, value[1 + 2 * earlier]);
      }
      deliver_part<Loop>(iterations, part, scan, prefix);
      // The total is bitwise the value of the last iteration; no other thread uses this place.
      if (part.end == iterations.count()) Impl::host_assign_values(value[0], prefix, value.count);
    });
  }

  /// \return the number of threads; each has stored two values.
  template <class Loop, class Iterations, class Scan>
  static int run_blocks(HostInstanceLock& lock, Iterations const& iterations, std::uint64_t block, Scan const& scan,
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
        sum_part<Loop>(iterations, part, scan, sum);
        order.wait_for(number);
        Impl::host_assign_values(prefix, value[0], value.count);
        scan.join(value[0], sum);
        order.pass_on(number);
        deliver_part<Loop>(iterations, part, scan, prefix);
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

  /// Adds the part to *value, without delivering prefixes. Not inlined, as `deliver_part` below, so that the functor is
  /// compiled only twice.
  template <class Loop, class Iterations, class Scan>
  [[gnu::noinline]] static void sum_part(Iterations const& iterations, HostPart part, Scan const& scan,
                                         typename Scan::value_type* value) {
    auto const add = [&scan](auto i, typename Scan::reference_type update) { scan(i, update, false); };
    if constexpr (host_is_single<Scan>) {
      // A local copy can stay in a register.
      typename Scan::value_type update = *value;
      Impl::host_accumulate<Loop>(iterations, part, scan, update, add);
      *value = update;
    } else {
      Impl::host_accumulate<Loop>(iterations, part, scan, Scan::reference(value), add);
    }
  }

  /// Delivers the prefixes of the part. *value is the prefix of its first iteration, and then the total.
  template <class Loop, class Iterations, class Scan>
  [[gnu::noinline]] static void deliver_part(Iterations const& iterations, HostPart part, Scan const& scan,
                                             typename Scan::value_type* value) {
    if constexpr (host_is_single<Scan>) {
      typename Scan::value_type update = *value;
      iterations.template run<Loop>(part, [&](auto i) { scan(i, update, true); });
      *value = update;
    } else {
      auto update = Scan::reference(value);
      iterations.template run<Loop>(part, [&](auto i) { scan(i, update, true); });
    }
  }
};

}  // namespace Kokkos::Impl

#endif
