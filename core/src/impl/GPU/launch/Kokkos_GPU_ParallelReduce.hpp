// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_PARALLEL_REDUCE_HPP
#define KOKKOS_GPU_PARALLEL_REDUCE_HPP

/// \file
/// parallel_reduce in one kernel. Each block joins the values of its threads; the block that ends last joins the
/// values of the blocks in their order. The result of a launch configuration is the same in every run.

#include <impl/GPU/launch/Kokkos_GPU_BlockReduce.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelFor.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ResultMailbox.hpp>

#include <cstddef>
#include <cstdint>

namespace Kokkos::Impl {

template <class Intrinsics, class Iteration, class Reduction>
struct GPUReduceDriver {
  using T = typename Reduction::value_type;

  Iteration iteration;
  Reduction reduction;
  T* partials;        // values of the blocks, in device memory
  T* slots;           // values of the threads if they do not fit shared memory; else null
  unsigned* counter;  // number of blocks that have ended; 0 between kernels
  GPUResult<T> result;

  KOKKOS_IMPL_DEVICE void operator()() const {
    if constexpr (reduces_in_registers<Reduction>) {
      in_registers();
    } else {
      in_slots();
    }
  }

 private:
  KOKKOS_IMPL_DEVICE static int thread() {
    return Intrinsics::thread_x() +
           Intrinsics::block_dim_x() * (Intrinsics::thread_y() + Intrinsics::block_dim_y() * Intrinsics::thread_z());
  }
  KOKKOS_IMPL_DEVICE static int threads() {
    return Intrinsics::block_dim_x() * Intrinsics::block_dim_y() * Intrinsics::block_dim_z();
  }
  KOKKOS_IMPL_DEVICE static unsigned block() {
    return Intrinsics::block_x() +
           Intrinsics::grid_dim_x() * (Intrinsics::block_y() + Intrinsics::grid_dim_y() * Intrinsics::block_z());
  }
  KOKKOS_IMPL_DEVICE static unsigned blocks() {
    return Intrinsics::grid_dim_x() * Intrinsics::grid_dim_y() * Intrinsics::grid_dim_z();
  }

  KOKKOS_IMPL_DEVICE void accumulate(T* value) const {
    iteration.visit([&](auto const&... index) { reduction(index..., Reduction::reference(value)); });
  }

  /// Returns to all threads of the block whether the block is the last one to arrive. The last block sees what the
  /// first threads of the others wrote: their fences precede the additions that its first thread reads from, whose
  /// fence precedes the barrier of its other threads.
  KOKKOS_IMPL_DEVICE bool is_last_block(unsigned* flag) const {
    Intrinsics::barrier();
    if (thread() == 0) {
      Intrinsics::fence_device();
      *flag = Intrinsics::fetch_add(counter, 1u) == blocks() - 1;
      Intrinsics::fence_device();
    }
    Intrinsics::barrier();
    return *flag != 0;
  }

  KOKKOS_IMPL_DEVICE void in_registers() const {
    RawValue<T> value;
    reduction.init(value.get());
    accumulate(value.get());
    T* shared = reinterpret_cast<T*>(Intrinsics::shared());
    Impl::block_reduce<Intrinsics>(reduction, value.get(), shared, thread(), threads());
    if (blocks() > 1) {
      if (thread() == 0) Impl::copy_elements(partials + block(), value.get(), 1);
      if (!is_last_block(reinterpret_cast<unsigned*>(shared))) return;
      Intrinsics::barrier();  // read the flag before the memory is reused
      reduction.init(value.get());
      for (unsigned b = thread(); b < blocks(); b += threads()) reduction.join(value.get(), partials + b);
      Impl::block_reduce<Intrinsics>(reduction, value.get(), shared, thread(), threads());
    }
    if (thread() == 0) finish(value.get(), 1);
  }

  /// The two calls differ in the kind of memory. A compiler that knows that a value is in shared memory also knows that
  /// the functor's stores to it change nothing that the functor loads.
  KOKKOS_IMPL_DEVICE void in_slots() const {
    std::size_t const stride = Impl::reduction_slot_stride(reduction.value_count());
    if (slots)
      in_slots(slots + std::size_t(block()) * threads() * stride, stride);
    else
      in_slots(reinterpret_cast<T*>(Intrinsics::shared()), stride);
  }

  KOKKOS_IMPL_DEVICE void in_slots(T* first, std::size_t stride) const {
    std::size_t const count = reduction.value_count();
    T* mine                 = first + thread() * stride;
    reduction.init(mine);
    accumulate(mine);
    Impl::block_reduce_slots<Intrinsics>(reduction, first, stride, thread(), threads());
    if (blocks() > 1) {
      if (thread() == 0) Impl::copy_elements(partials + block() * count, first, count);
      if (!is_last_block(flag_behind_slots(stride))) return;
      reduction.init(mine);
      for (unsigned b = thread(); b < blocks(); b += threads()) reduction.join(mine, partials + b * count);
      Impl::block_reduce_slots<Intrinsics>(reduction, first, stride, thread(), threads());
    }
    if (thread() == 0) finish(first, count);
  }

  KOKKOS_IMPL_DEVICE unsigned* flag_behind_slots(std::size_t stride) const {
    std::size_t const bytes = slots ? 0 : threads() * stride * sizeof(T);
    return reinterpret_cast<unsigned*>(Intrinsics::shared() + (bytes + 15) / 16 * 16);
  }

  KOKKOS_IMPL_DEVICE void finish(T* value, std::size_t count) const {
    reduction.final(value);
    if (result.data) Impl::copy_elements(result.data, value, count);
    *counter = 0;
    result.template announce<Intrinsics>();
  }
};

/// How many iterations a thread starts together. A functor of the library whose iterations have several loads each has
/// the member `is_batch`: more of them would not fit its registers.
template <class Reduction>
constexpr int gpu_reduce_batch_of() {
  if constexpr (requires { Reduction::body_type::is_batch; })
    return 1;
  else
    return 4;
}
template <class Reduction>
inline constexpr int gpu_reduce_batch = gpu_reduce_batch_of<Reduction>();

/// Up to this many iterations run in one block. More might take long on one multiprocessor.
inline constexpr std::uint64_t gpu_max_short_reduction = 1024;

/// Threads, shared memory and scratch of a reduction's kernel.
struct GPUReducePlan {
  int threads                 = 0;
  std::size_t shared          = 0;  ///< bytes
  std::size_t slots_per_block = 0;  ///< bytes of device memory; 0 if shared memory suffices
};

/// Bytes of a thread's value, and of what follows it in its slot.
template <class Reduction>
std::size_t gpu_slot_bytes(Reduction const& reduction) {
  std::size_t const count = reduction.value_count();
  return sizeof(typename Reduction::value_type) *
         (reduces_in_registers<Reduction> ? count : Impl::reduction_slot_stride(count));
}

/// The plan for a block of at most `threads` threads, each with `value_bytes` bytes for its value.
inline GPUReducePlan gpu_reduce_plan(GPUProperties const& device, int threads, std::size_t value_bytes,
                                     bool in_registers) {
  GPUReducePlan plan;
  if (in_registers) {
    plan.threads = threads;
    plan.shared  = (threads + device.warp_size - 1) / device.warp_size * value_bytes;
    if (plan.shared < 16) plan.shared = 16;
    return plan;
  }
  std::size_t const capacity = shared_always_allowed - 16;  // the flag is stored behind the values
  while (threads > device.warp_size && threads * value_bytes > capacity) threads /= 2;
  plan.threads           = threads;
  std::size_t const need = threads * value_bytes;
  if (need <= capacity) {
    plan.shared = (need + 15) / 16 * 16 + 16;
  } else {
    plan.shared          = 16;
    plan.slots_per_block = need;
  }
  return plan;
}

template <class ExecSpace>
struct GPUParallelReduce {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;

  template <class... Properties, class Reduction, class MemorySpace>
  static void run(RangePolicy<Properties...> const& policy, Reduction const& reduction,
                  ReductionTarget<typename Reduction::value_type, MemorySpace> const& target) {
    using Policy       = RangePolicy<Properties...>;
    using Range        = GPURange<Intrinsics, typename Policy::index_type, gpu_reduce_batch<Reduction>>;
    using Bounds       = typename Policy::launch_bounds;
    auto const n       = static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
    auto& instance     = policy.space().impl_instance();
    auto const& device = instance.properties();
    auto needs         = GPUKernel<Runtime, GPUReduceDriver<Intrinsics, Range, Reduction>, Bounds>::needs(instance);
    // A few iterations run in one block, whose threads join without device memory. Many iterations run in as many
    // blocks as are resident.
    bool const is_short = n <= gpu_max_short_reduction;
    int const threads =
        Impl::gpu_block_threads(device, needs, is_short ? ~std::uint64_t(0) : n, Bounds::maxTperB, 512, 2, 64);
    auto const plan =
        Impl::gpu_reduce_plan(device, threads, Impl::gpu_slot_bytes(reduction), reduces_in_registers<Reduction>);
    needs.shared                 = plan.shared;
    std::uint64_t const resident = static_cast<std::uint64_t>(device.multiprocessors) *
                                   static_cast<unsigned>(Impl::gpu_resident_blocks(device, needs, plan.threads));
    std::uint64_t blocks = is_short ? 1 : (n + plan.threads - 1) / plan.threads;
    if (blocks > resident) blocks = resident;
    launch<Bounds>(instance, Range{policy.begin(), policy.end()}, reduction, target,
                   dim3(static_cast<unsigned>(blocks)), dim3(plan.threads), plan);
  }

  template <class... Properties, class Reduction, class MemorySpace>
  static void run(MDRangePolicy<Properties...> const& policy, Reduction const& reduction,
                  ReductionTarget<typename Reduction::value_type, MemorySpace> const& target) {
    using Bounds      = typename MDRangePolicy<Properties...>::launch_bounds;
    auto& instance    = policy.space().impl_instance();
    auto const range  = Impl::gpu_index_range<Intrinsics>(policy);
    LaunchShape shape = Impl::gpu_range_shape(range, policy);
    shrink(shape.block, 256);  // the loops over the range continue beyond the grid
    int const threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
    auto const plan   = Impl::gpu_reduce_plan(instance.properties(), threads, Impl::gpu_slot_bytes(reduction),
                                              reduces_in_registers<Reduction>);
    shrink(shape.block, plan.threads);
    limit_blocks(shape.grid, instance.properties().multiprocessors * 8);
    if (policy.m_num_tiles == 0) shape.grid = dim3(1);
    launch<Bounds>(instance, range, reduction, target, shape.grid, shape.block, plan);
  }

  /// Launches one kernel and delivers the value to its target.
  template <class Bounds, class Iteration, class Reduction, class MemorySpace>
  static void launch(GPUInstance<Runtime>& instance, Iteration const& iteration, Reduction const& reduction,
                     ReductionTarget<typename Reduction::value_type, MemorySpace> const& target, dim3 grid, dim3 block,
                     GPUReducePlan const& plan, std::size_t more_shared = 0) {
    using T                   = typename Reduction::value_type;
    std::size_t const bytes   = reduction.value_count() * sizeof(T);
    std::size_t const blocks  = std::size_t(grid.x) * grid.y * grid.z;
    std::size_t const aligned = (blocks * bytes + 255) / 256 * 256;
    GPUResultPath<ExecSpace, T, MemorySpace> path(instance, target, bytes);
    std::byte* scratch = path.scratch(GPUInstance<Runtime>::counter_bytes + aligned + blocks * plan.slots_per_block);
    T* partials        = reinterpret_cast<T*>(scratch + GPUInstance<Runtime>::counter_bytes);
    T* slots =
        plan.slots_per_block ? reinterpret_cast<T*>(scratch + GPUInstance<Runtime>::counter_bytes + aligned) : nullptr;
    Impl::gpu_launch<GPUReduceDriver<Intrinsics, Iteration, Reduction>, Bounds>(
        instance, {grid, block, plan.shared + more_shared}, iteration, reduction, partials, slots,
        reinterpret_cast<unsigned*>(scratch), path.result());
    path.deliver();
  }

 private:
  static void shrink(dim3& block, int threads) {
    while (static_cast<int>(block.x * block.y * block.z) > threads) {
      unsigned& longest = block.z > 1 ? block.z : block.y > 1 ? block.y : block.x;
      longest           = (longest + 1) / 2;
    }
  }
  /// A block runs several tiles, so that there are few partial values to join.
  static void limit_blocks(dim3& grid, unsigned most) {
    while (std::uint64_t(grid.x) * grid.y * grid.z > most && (grid.x > 1 || grid.y > 1 || grid.z > 1)) {
      unsigned& longest = grid.z >= grid.y && grid.z >= grid.x ? grid.z : grid.y >= grid.x ? grid.y : grid.x;
      longest           = (longest + 1) / 2;
    }
  }
};

}  // namespace Kokkos::Impl

#endif
