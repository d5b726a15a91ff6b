// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_CHUNK_SCAN_HPP
#define KOKKOS_GPU_CHUNK_SCAN_HPP

/// \file
/// parallel_scan of values that do not fit registers: large structs, and arrays of a length that the functor chooses.
///
/// Iterations are cut into chunks, one for each thread. Three kernels run one after the other:
/// 1. Each thread calls the functor for its chunk with `final` false. Then one thread of each block replaces the value
///    of each chunk by the join of those before it in the block, and stores the join of all as the block's value.
/// 2. One thread replaces the value of each block by the join of those before it.
/// 3. Each thread joins the values of its block and its chunk, and calls the functor again, with `final` true.
///
/// A single chunk needs no sums, so a short scan is one kernel.

#include <GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <GPU/launch/Kokkos_GPU_ResultMailbox.hpp>

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
    T* const own = at(chunk_values, chunk());
    scan.init(own);
    visit(own, false);
    Intrinsics::barrier();
    if (Intrinsics::thread_x() != 0) return;
    T* const sum = at(block_values, Intrinsics::block_x());
    scan.init(sum);
    for (std::uint64_t c = chunk(); c < chunk() + Intrinsics::block_dim_x(); ++c)
      replace_by_sum(at(chunk_values, c), sum, at(work_values, c));
  }

  KOKKOS_IMPL_DEVICE void sum_blocks() const {
    T* const sum = work_values;
    scan.init(sum);
    for (unsigned b = 0; b < blocks; ++b)
      replace_by_sum(at(block_values, b), sum, at(block_values, blocks));  // which has one value more, for this
  }

  KOKKOS_IMPL_DEVICE void call_with_sums() const {
    T* const own = at(work_values, chunk());
    if (chunk() == 0) {
      scan.init(own);
    } else {
      copy_elements(own, at(block_values, Intrinsics::block_x()), scan.value_count());
      scan.join(own, at(chunk_values, chunk()));
    }
    visit(own, true);
    const bool is_last = chunk() + 1 == std::uint64_t(blocks) * Intrinsics::block_dim_x();
    if (!is_last || !total.data) return;
    scan.final(own);
    copy_elements(total.data, own, scan.value_count());
    total.template announce<Intrinsics>();
  }

 private:
  KOKKOS_IMPL_DEVICE static std::uint64_t chunk() {
    return std::uint64_t(Intrinsics::block_x()) * Intrinsics::block_dim_x() + Intrinsics::thread_x();
  }
  KOKKOS_IMPL_DEVICE T* at(T* values, std::uint64_t k) const { return values + k * scan.value_count(); }

  KOKKOS_IMPL_DEVICE void visit(T* value, bool final) const {
    const std::uint64_t first = chunk() * length;
    const std::uint64_t last  = first + length < count ? first + length : count;
    for (std::uint64_t i = first; i < last; ++i)
      scan(static_cast<Index>(begin + static_cast<Index>(i)), Scan::reference(value), final);
  }
  /// value, sum = sum, sum joined with value
  KOKKOS_IMPL_DEVICE void replace_by_sum(T* value, T* sum, T* spare) const {
    copy_elements(spare, value, scan.value_count());
    copy_elements(value, sum, scan.value_count());
    scan.join(sum, spare);
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
    const std::uint64_t wanted  = most / threads;
    const std::uint64_t allowed = std::uint64_t(device.multiprocessors) * blocks_each;
    blocks                      = static_cast<unsigned>(wanted < allowed ? wanted : allowed);
    const std::uint64_t chunks  = std::uint64_t(blocks) * threads;
    length                      = (count + chunks - 1) / chunks;
  }
  /// The values in scratch memory.
  std::size_t values() const { return std::size_t(blocks) * threads * 2 + blocks + 1; }
};

/// Launches the kernels.
/// \param memory room for `plan.values()` values
template <class Runtime, class Scan, class Index>
void gpu_scan_chunks(GPUInstance<Runtime>& instance, GPUChunkPlan const& plan, Index begin, std::uint64_t count,
                     Scan const& scan, typename Scan::value_type* memory,
                     GPUResult<typename Scan::value_type> const& total) {
  using Chunks           = GPUScanChunks<typename Runtime::intrinsics, Scan, Index>;
  using Bounds           = LaunchBounds<GPUChunkPlan::max_threads, 1>;
  const std::size_t size = std::size_t(plan.blocks) * plan.threads * scan.value_count();
  const Chunks chunks{begin, count, plan.length, scan, memory, memory + size, memory + 2 * size, plan.blocks, total};
  const LaunchShape all{dim3(plan.blocks), dim3(plan.threads)};
  if (plan.blocks > 1 || plan.threads > 1) {
    gpu_launch<GPUChunkSumsDriver<Chunks>, Bounds>(instance, all, chunks);
    gpu_launch<GPUBlockSumsDriver<Chunks>, Bounds>(instance, {dim3(1), dim3(1)}, chunks);
  }
  gpu_launch<GPUChunkCallsDriver<Chunks>, Bounds>(instance, all, chunks);
}

}  // namespace Kokkos::Impl

#endif
