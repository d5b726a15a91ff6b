// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PARALLEL_FOR_HPP
#define KOKKOS_GPU_PARALLEL_FOR_HPP

/// \file
/// parallel_for over ranges and boxes, and how these become grids.

#include <GPU/Kokkos_GPU_Iterations.hpp>
#include <GPU/Kokkos_GPU_KernelLaunch.hpp>
#include <policy/Kokkos_MDRangePolicy.hpp>
#include <policy/Kokkos_RangePolicy.hpp>
#include <runtime/Kokkos_Error.hpp>

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

inline constexpr std::int64_t gpu_max_grid_x  = 2147483647;
inline constexpr std::int64_t gpu_max_grid_yz = 65535;

/// Threads of a block for a loop of independent iterations: enough to fill a multiprocessor, unless the program or the
/// kernel's registers allow less.
inline int gpu_for_block(unsigned bound, int kernel_max) {
  int threads = bound > 0 && bound < 256 ? static_cast<int>(bound) : 256;
  return threads < kernel_max ? threads : kernel_max;
}

/// Throws std::runtime_error: a bound of a box does not fit the 32 bits that its indices have.
[[noreturn]] inline void refuse_gpu_bound(std::int64_t bound) {
  throw_runtime_exception("Kokkos::MDRangePolicy: the bound " + std::to_string(bound) +
                          " was asked for, and with an index type of 32 bits a GPU counts from -2147483648 to "
                          "2147483647. Give the policy Kokkos::IndexType<std::int64_t>.");
}

template <class Intrinsics, class Policy>
auto gpu_box(Policy const& policy) {
  using Index = std::conditional_t<sizeof(typename Policy::index_type) <= 4, std::int32_t, std::int64_t>;
  GPUBox<Intrinsics, Index, Policy::rank, Policy::inner_direction> box;
  for (int d = 0; d < Policy::rank; ++d) {
    box.lower[d] = static_cast<Index>(policy.m_lower[d]);
    box.upper[d] = static_cast<Index>(policy.m_upper[d]);
    if (box.lower[d] != policy.m_lower[d]) refuse_gpu_bound(policy.m_lower[d]);
    if (box.upper[d] != policy.m_upper[d]) refuse_gpu_bound(policy.m_upper[d]);
  }
  return box;
}

/// Tiles become blocks; where there are more than a grid can have, blocks take several.
template <class Box, class Policy>
LaunchShape gpu_box_shape(Box const& box, Policy const& policy) {
  std::int64_t tile[3] = {1, 1, 1}, blocks[3] = {1, 1, 1};
  for (int p = 0; p < Policy::rank; ++p) tile[p < 2 ? p : 2] *= policy.m_tile[Box::order(p)];
  for (int p = 0; p < 3 && p < Policy::rank; ++p) {
    const std::int64_t n =
        p < 2 ? static_cast<std::int64_t>(static_cast<typename Box::Count>(box.extent(p))) : box.folded();
    if (p == 2 && tile[2] > 64) tile[2] = 64;  // what a block's third axis may have
    const std::int64_t most = p == 0 ? gpu_max_grid_x : gpu_max_grid_yz;
    blocks[p]               = (n + tile[p] - 1) / tile[p];
    if (blocks[p] > most) blocks[p] = most;
  }
  LaunchShape shape;
  shape.grid =
      dim3(static_cast<unsigned>(blocks[0]), static_cast<unsigned>(blocks[1]), static_cast<unsigned>(blocks[2]));
  shape.block = dim3(static_cast<unsigned>(tile[0]), static_cast<unsigned>(tile[1]), static_cast<unsigned>(tile[2]));
  return shape;
}

/// Whether each point of the box has a thread of its own.
template <class Box>
bool gpu_covers(LaunchShape const& shape, Box const& box) {
  constexpr int rank = Box::rank;
  return std::int64_t(shape.grid.x) * shape.block.x >= std::int64_t(box.extent(0)) &&
         (rank < 2 || std::int64_t(shape.grid.y) * shape.block.y >= std::int64_t(box.extent(rank < 2 ? 0 : 1))) &&
         (rank < 3 || std::int64_t(shape.grid.z) * shape.block.z >= box.folded());
}

template <class ExecSpace>
struct GPUParallelFor {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;

  template <class... Properties, class Body>
  static void run(RangePolicy<Properties...> const& policy, Body const& body) {
    using Policy = RangePolicy<Properties...>;
    using Bounds = typename Policy::launch_bounds;
    using Range  = GPURange<Intrinsics, typename Policy::index_type>;
    using Driver = GPUForOneDriver<Range, Body>;
    const auto n = static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
    if (n == 0) return;
    auto& instance    = policy.space().impl_instance();
    const int threads = gpu_for_block(Bounds::maxTperB, GPUKernel<Runtime, Driver, Bounds>::max_threads(instance));
    const auto blocks = (n + threads - 1) / threads;
    const Range range{policy.begin(), policy.end()};
    if (blocks <= static_cast<std::uint64_t>(gpu_max_grid_x)) {
      gpu_launch<Driver, Bounds>(instance, {dim3(static_cast<unsigned>(blocks)), dim3(threads)}, range, body);
    } else {
      gpu_launch<GPUForDriver<Range, Body>, Bounds>(
          instance, {dim3(static_cast<unsigned>(gpu_max_grid_x)), dim3(threads)}, range, body);
    }
  }

  template <class... Properties, class Body>
  static void run(MDRangePolicy<Properties...> const& policy, Body const& body) {
    if (policy.m_num_tiles == 0) return;
    using Bounds            = typename MDRangePolicy<Properties...>::launch_bounds;
    const auto box          = gpu_box<Intrinsics>(policy);
    using Box               = std::remove_const_t<decltype(box)>;
    auto& instance          = policy.space().impl_instance();
    const LaunchShape shape = gpu_box_shape(box, policy);
    if (gpu_covers(shape, box))
      gpu_launch<GPUForOneDriver<Box, Body>, Bounds>(instance, shape, box, body);
    else
      gpu_launch<GPUForDriver<Box, Body>, Bounds>(instance, shape, box, body);
  }
};

}  // namespace Kokkos::Impl

#endif
