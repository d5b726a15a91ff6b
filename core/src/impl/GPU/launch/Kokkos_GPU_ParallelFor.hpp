// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PARALLEL_FOR_HPP
#define KOKKOS_GPU_PARALLEL_FOR_HPP

/// \file
/// parallel_for over ranges and multi-dimensional ranges, and the grids that run them.

#include <impl/GPU/launch/Kokkos_GPU_Iterations.hpp>
#include <impl/GPU/launch/Kokkos_GPU_KernelLaunch.hpp>
#include <impl/policy/Kokkos_MDRangePolicy.hpp>
#include <impl/policy/Kokkos_RangePolicy.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace Kokkos::Impl {

template <class Iteration, class Body>
struct GPUForDriver {
  Iteration iteration;
  Body body;
  KOKKOS_IMPL_DEVICE void operator()() const { iteration.visit(body); }
};
template <class Iteration, class Body>
struct GPUForOneDriver {
  Iteration iteration;
  Body body;
  KOKKOS_IMPL_DEVICE void operator()() const { iteration.visit_one(body); }
};
template <class Iteration, class Body>
struct GPUForColumnDriver {
  Iteration iteration;
  Body body;
  KOKKOS_IMPL_DEVICE void operator()() const { iteration.visit_column(body); }
};

inline constexpr std::int64_t gpu_max_grid_x  = 2147483647;
inline constexpr std::int64_t gpu_max_grid_yz = 65535;

/// The maximum number of blocks along the first axis of a grid, for blocks that have `threads` threads there.
template <class Runtime>
constexpr std::uint64_t gpu_max_blocks(unsigned threads) {
  std::uint64_t const by_threads = Runtime::grid_threads / threads;
  return by_threads < std::uint64_t(gpu_max_grid_x) ? by_threads : std::uint64_t(gpu_max_grid_x);
}

/// Throws std::runtime_error because a bound of a range does not fit the 32-bit indices.
[[noreturn]] inline void refuse_gpu_bound(std::int64_t bound) {
  throw_runtime_exception("Kokkos::MDRangePolicy: the bound " + std::to_string(bound) +
                          " was passed, but with an index type of 32 bits a GPU counts from -2147483648 to "
                          "2147483647. Give the policy Kokkos::IndexType<std::int64_t>.");
}

template <class Intrinsics, class Policy>
auto gpu_index_range(Policy const& policy) {
  using Index = std::conditional_t<sizeof(typename Policy::index_type) <= 4, std::int32_t, std::int64_t>;
  GPUIndexRange<Intrinsics, Index, Policy::rank, Policy::inner_direction> range;
  for (int d = 0; d < Policy::rank; ++d) {
    range.lower[d] = static_cast<Index>(policy.m_lower[d]);
    range.upper[d] = static_cast<Index>(policy.m_upper[d]);
    if (range.lower[d] != policy.m_lower[d]) Impl::refuse_gpu_bound(policy.m_lower[d]);
    if (range.upper[d] != policy.m_upper[d]) Impl::refuse_gpu_bound(policy.m_upper[d]);
  }
  return range;
}

/// A tile becomes a block. If there are more tiles than a grid can have blocks, each block runs several.
template <class Range, class Policy>
LaunchShape gpu_range_shape(Range const& range, Policy const& policy) {
  std::int64_t tile[3] = {1, 1, 1}, blocks[3] = {1, 1, 1};
  for (int p = 0; p < Policy::rank; ++p) tile[p < 2 ? p : 2] *= policy.m_tile[Range::order(p)];
  for (int p = 0; p < 3 && p < Policy::rank; ++p) {
    std::int64_t const n = p < 2 ? static_cast<std::int64_t>(range.extent(p)) : range.folded();
    if (p == 2 && tile[2] > 64) tile[2] = 64;  // the limit of a block's third axis
    std::int64_t const most = p == 0 ? gpu_max_grid_x : gpu_max_grid_yz;
    blocks[p]               = (n + tile[p] - 1) / tile[p];
    if (blocks[p] > most) blocks[p] = most;
  }
  LaunchShape shape;
  shape.grid =
      dim3(static_cast<unsigned>(blocks[0]), static_cast<unsigned>(blocks[1]), static_cast<unsigned>(blocks[2]));
  shape.block = dim3(static_cast<unsigned>(tile[0]), static_cast<unsigned>(tile[1]), static_cast<unsigned>(tile[2]));
  return shape;
}

/// How many points of a column of its block a thread visits; the later points reuse what the first one computed. At
/// most 4, and only as many as leave work for every thread that the device can run, and 128 threads to a block. If the
/// tile's third axis is long enough, the value also limits a block to 256 threads, which the registers of every kernel
/// allow.
inline unsigned gpu_column_depth(LaunchShape const& shape, GPUProperties const& device) {
  unsigned const in_tile = shape.block.x * shape.block.y * shape.block.z;
  double const points    = double(shape.grid.x) * shape.grid.y * shape.grid.z * in_tile;
  double const threads   = double(device.multiprocessors) * device.threads_per_multiprocessor;
  unsigned depth         = 1;
  while (shape.block.z % (2 * depth) == 0 && depth < 4 && in_tile / depth >= 256 &&
         (in_tile / depth > 256 || points >= 2 * depth * threads))
    depth *= 2;
  return depth;
}

/// The position in which a grid of this shape does not reach the end of the range, or in which 32 bits cannot count
/// the points; -1 if each point has a thread.
template <class Range>
int gpu_uncovered_position(LaunchShape const& shape, Range const& range) {
  // Exact where it matters; a block may reach 1024 points beyond the range.
  auto const reaches = [](double n, unsigned blocks, unsigned threads) {
    return n <= 2147483647.0 - 1024 && n <= double(blocks) * threads;
  };
  auto const length = [&](int position) { return static_cast<double>(range.extent(position)); };
  if (!reaches(length(0), shape.grid.x, shape.block.x)) return 0;
  if constexpr (Range::rank > 1)
    if (!reaches(length(1), shape.grid.y, shape.block.y)) return 1;
  if constexpr (Range::rank > 2) {
    double folded = 1;
    int longest   = 2;
    for (int p = 2; p < Range::rank; ++p) {
      folded *= length(p);
      if (length(p) > length(longest)) longest = p;
    }
    if (!reaches(folded, shape.grid.z, shape.block.z)) return longest;
  }
  return -1;
}

/// Calls `body` with each index of [begin, end), one index in each thread. A range with more indices than one grid has
/// threads takes several kernels, because a loop in the kernel would make the compiler copy the body.
template <class Made, class Bounds, class Index, class Runtime, class Body>
void gpu_for_range(GPUInstance<Runtime>& instance, Index begin, Index end, Body const& body) {
  using Range         = GPURange<typename Runtime::intrinsics, Index>;
  using Driver        = GPUForOneDriver<Range, Made>;
  auto const distance = [end](Index from) {
    return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(from);
  };
  if (distance(begin) == 0) return;
  int const threads = Impl::gpu_block_threads(
      instance.properties(), GPUKernel<Runtime, Driver, Bounds>::needs(instance), distance(begin), Bounds::maxTperB);
  auto const at_most = Impl::gpu_max_blocks<Runtime>(static_cast<unsigned>(threads)) * static_cast<unsigned>(threads);
  while (std::uint64_t const left = distance(begin)) {
    std::uint64_t const n = left < at_most ? left : at_most;
    Index const middle    = static_cast<Index>(static_cast<std::uint64_t>(begin) + n);
    Impl::gpu_launch<Driver, Bounds>(instance,
                                     {dim3(static_cast<unsigned>((n + threads - 1) / threads)), dim3(threads)},
                                     Range{begin, middle}, body);
    begin = middle;
  }
}

template <class ExecSpace>
struct GPUParallelFor {
  using Runtime                      = typename ExecSpace::runtime_type;
  using Intrinsics                   = typename Runtime::intrinsics;
  static constexpr bool makes_bodies = true;

  template <class... Properties, class Body>
  static void run(RangePolicy<Properties...> const& policy, Body const& body) {
    using Policy = RangePolicy<Properties...>;
    using Bounds = GPUFullRegisterBounds<Runtime, typename Policy::launch_bounds>;
    Impl::gpu_for_range<typename Body::kernel_body, Bounds, typename Policy::index_type>(
        policy.space().impl_instance(), policy.begin(), policy.end(), body);
  }

  template <class... Properties, class Body>
  static void run(MDRangePolicy<Properties...> const& policy, Body const& body) {
    if (policy.m_num_tiles == 0) return;
    auto& instance = policy.space().impl_instance();
    run_range(instance, Impl::gpu_index_range<Intrinsics>(policy), policy, body);
  }

 private:
  /// Splits a range that is too large for one grid.
  template <class Range, class Policy, class Body>
  static void run_range(GPUInstance<Runtime>& instance, Range range, Policy const& policy, Body const& body) {
    using Bounds      = typename Policy::launch_bounds;
    using Made        = typename Body::kernel_body;
    LaunchShape shape = Impl::gpu_range_shape(range, policy);
    if (int const position = Impl::gpu_uncovered_position(shape, range); position >= 0) {
      int const d = Range::order(position);
      auto middle = range.lower[d];
      middle += static_cast<decltype(middle)>(range.extent(position) / 2);
      Range second    = range;
      second.lower[d] = range.upper[d] = middle;
      run_range(instance, range, policy, body);
      return run_range(instance, second, policy, body);
    }
    if constexpr (Range::rank > 2) {
      range.depth = Impl::gpu_column_depth(shape, instance.properties());
      shape.block.z /= range.depth;
      if (range.depth > 1)
        return Impl::gpu_launch<GPUForColumnDriver<Range, Made>, Bounds>(instance, shape, range, body);
    }
    Impl::gpu_launch<GPUForOneDriver<Range, Made>, Bounds>(instance, shape, range, body);
  }
};

}  // namespace Kokkos::Impl

#endif
