// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CHUNK_SCAN_HPP
#define KOKKOS_GPU_CHUNK_SCAN_HPP

/// \file
/// parallel_scan of structs of more than 512 bytes, and of arrays of a length that the functor chooses.
///
/// Iterations are cut into chunks, one for each thread. Three kernels run one after the other:
/// 1. Each thread calls the functor for its chunk with `final` false. Then the threads of each block replace the value
///    of each chunk by the join of it and all before it in the block; the last one is the block's value.
/// 2. One block does the same with the values of blocks.
/// 3. Each thread joins the values before its block and before its chunk, and calls the functor again, with `final`
/// true.
///
/// In step k of such a scan, each value is joined with the one 2^k before it, from one array into another (Hillis,
/// Steele 1986). Every join has its left operand first, so an operation need not be commutative.
///
/// A single chunk needs no sums, so a short scan is one kernel.

#include <impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ResultMailbox.hpp>
#include <impl/GPU/launch/Kokkos_GPU_BlockReduce.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

template <class Intrinsics, class Scan, class Index>
struct GPUScanChunks {
  using T = typename Scan::value_type;

  Index begin;
  std::uint64_t count;
  std::uint64_t length;  // iterations of a chunk
  Scan scan;
  T* chunk_values;
  T* work_values;  // one for each chunk, too
  T* block_values;
  unsigned blocks;
  GPUResult<T> total;

  KOKKOS_IMPL_DEVICE void sum_chunks() const {
    unsigned const threads    = Intrinsics::block_dim_x();
    std::uint64_t const first = chunk() - Intrinsics::thread_x();
    T* const in               = at(starts_in_work(threads) ? work_values : chunk_values, first);
    T* const other            = at(starts_in_work(threads) ? chunk_values : work_values, first);
    T* const own              = at(in, Intrinsics::thread_x());
    scan.init(own);
    visit(own, false);
    scan_together(in, other, threads);
    if (Intrinsics::thread_x() == 0)
      Impl::copy_elements(at(block_values, Intrinsics::block_x()), at(chunk_values, first + threads - 1),
                          scan.value_count());
  }

  KOKKOS_IMPL_DEVICE void sum_blocks() const {
    if (starts_in_work(blocks)) {
      for (unsigned b = Intrinsics::thread_x(); b < blocks; b += Intrinsics::block_dim_x())
        Impl::copy_elements(at(work_values, b), at(block_values, b), scan.value_count());
      scan_together(work_values, block_values, blocks);
    } else {
      scan_together(block_values, work_values, blocks);
    }
  }

  KOKKOS_IMPL_DEVICE void call_with_sums() const {
    T* const own              = at(work_values, chunk());
    bool const in_first_block = Intrinsics::block_x() == 0, in_first_thread = Intrinsics::thread_x() == 0;
    if (in_first_block && in_first_thread)
      scan.init(own);
    else if (in_first_block)
      Impl::copy_elements(own, at(chunk_values, chunk() - 1), scan.value_count());
    else
      Impl::copy_elements(own, at(block_values, Intrinsics::block_x() - 1), scan.value_count());
    if (!in_first_block && !in_first_thread) scan.join(own, at(chunk_values, chunk() - 1));
    visit(own, true);
    bool const is_last = chunk() + 1 == std::uint64_t(blocks) * Intrinsics::block_dim_x();
    if (!is_last || !total.data) return;
    scan.final(own);
    Impl::copy_elements(total.data, own, scan.value_count());
    total.template announce<Intrinsics>();
  }

 private:
  KOKKOS_IMPL_DEVICE static std::uint64_t chunk() {
    return std::uint64_t(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
  }
  KOKKOS_IMPL_DEVICE T* at(T* values, std::uint64_t k) const { return values + k * scan.value_count(); }

  KOKKOS_IMPL_DEVICE void visit(T* value, bool final) const {
    std::uint64_t const first = chunk() * length;
    std::uint64_t const last  = first + length < count ? first + length : count;
    for (std::uint64_t i = first; i < last; ++i)
      scan(static_cast<Index>(begin + static_cast<Index>(i)), Scan::reference(value), final);
  }
  /// Whether the number of steps is odd. Then a scan starts in the other array, so that it ends in the right one.
  KOKKOS_IMPL_DEVICE static bool starts_in_work(unsigned values) {
    bool odd = false;
    for (unsigned distance = 1; distance < values; distance *= 2) odd = !odd;
    return odd;
  }
  /// Called by all threads of a block. The result is in `in` after an even number of steps, otherwise in `out`.
  KOKKOS_IMPL_DEVICE void scan_together(T* in, T* out, unsigned values) const {
    for (unsigned distance = 1; distance < values; distance *= 2) {
      Intrinsics::barrier();
      for (unsigned v = Intrinsics::thread_x(); v < values; v += Intrinsics::block_dim_x()) {
        Impl::copy_elements(at(out, v), at(in, v < distance ? v : v - distance), scan.value_count());
        if (v >= distance) scan.join(at(out, v), at(in, v));
      }
      T* const swapped = in;
      in               = out;
      out              = swapped;
    }
    Intrinsics::barrier();
  }
};

template <class Chunks>
struct GPUChunkSumsDriver {
  Chunks chunks;
  KOKKOS_IMPL_DEVICE void operator()() const { chunks.sum_chunks(); }
};
template <class Chunks>
struct GPUBlockSumsDriver {
  Chunks chunks;
  KOKKOS_IMPL_DEVICE void operator()() const { chunks.sum_blocks(); }
};
template <class Chunks>
struct GPUChunkCallsDriver {
  Chunks chunks;
  KOKKOS_IMPL_DEVICE void operator()() const { chunks.call_with_sums(); }
};

/// The number of chunks of a scan of `count` iterations whose values have `bytes` bytes, and how blocks share them.
struct GPUChunkPlan {
  static constexpr unsigned max_threads    = 128;
  static constexpr unsigned blocks_each    = 2;  // of each multiprocessor; one thread joins the values of all blocks
  static constexpr unsigned min_length     = 4;  // iterations that are worth the joins of a chunk
  static constexpr std::size_t max_scratch = std::size_t(64) << 20;  // bytes, unless a single chunk needs more
  unsigned blocks = 1, threads = 1;
  std::uint64_t length = 0;

  GPUChunkPlan(std::uint64_t count, std::size_t bytes, GPUProperties const& device) {
    std::uint64_t most = max_scratch / (2 * bytes);
    if (most > count / min_length) most = count / min_length;
    if (most < 1) most = 1;
    threads                     = most < max_threads ? static_cast<unsigned>(most) : max_threads;
    std::uint64_t const wanted  = most / threads;
    std::uint64_t const allowed = std::uint64_t(device.multiprocessors) * blocks_each;
    blocks                      = static_cast<unsigned>(wanted < allowed ? wanted : allowed);
    std::uint64_t const chunks  = std::uint64_t(blocks) * threads;
    length                      = (count + chunks - 1) / chunks;
  }
  /// The values in scratch memory.
  std::size_t values() const { return std::size_t(blocks) * threads * 2 + blocks; }
};

/// Launches the kernels.
/// \param memory room for `plan.values()` values
template <class Runtime, class Scan, class Index>
void gpu_scan_chunks(GPUInstance<Runtime>& instance, GPUChunkPlan const& plan, Index begin, std::uint64_t count,
                     Scan const& scan, typename Scan::value_type* memory,
                     GPUResult<typename Scan::value_type> const& total) {
  using Chunks           = GPUScanChunks<typename Runtime::intrinsics, Scan, Index>;
  using Bounds           = LaunchBounds<GPUChunkPlan::max_threads, 1>;
  std::size_t const size = std::size_t(plan.blocks) * plan.threads * scan.value_count();
  Chunks const chunks{begin, count, plan.length, scan, memory, memory + size, memory + 2 * size, plan.blocks, total};
  LaunchShape const all{dim3(plan.blocks), dim3(plan.threads)};
  if (plan.blocks > 1 || plan.threads > 1) {
    Impl::gpu_launch<GPUChunkSumsDriver<Chunks>, Bounds>(instance, all, chunks);
    if (plan.blocks > 1)
      Impl::gpu_launch<GPUBlockSumsDriver<Chunks>, Bounds>(instance, {dim3(1), dim3(GPUChunkPlan::max_threads)},
                                                           chunks);
  }
  Impl::gpu_launch<GPUChunkCallsDriver<Chunks>, Bounds>(instance, all, chunks);
}

}  // namespace Kokkos::Impl

#endif
