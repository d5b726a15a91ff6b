// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_TEAM_HPP
#define KOKKOS_GPU_TEAM_HPP

/// \file
/// Team policies on GPUs: the limits of teams, and parallel_for and parallel_reduce over a league.

#include <impl/GPU/instance/Kokkos_GPU_WorkMemory.hpp>
#include <impl/GPU/launch/Kokkos_GPU_ParallelReduce.hpp>
#include <impl/GPU/launch/Kokkos_GPU_TeamMember.hpp>
#include <impl/policy/Kokkos_TeamPolicy.hpp>
#include <impl/policy/Kokkos_TeamShape.hpp>

#include <algorithm>
#include <cstddef>

namespace Kokkos::Impl {

/// The items of a league, distributed over blocks.
template <class ExecSpace>
struct GPULeague {
  using Intrinsics = typename ExecSpace::runtime_type::intrinsics;
  using Member     = GPUTeamMember<ExecSpace>;

  int league_size;
  unsigned scratch_0_offset;  // bytes of shared memory
  unsigned team_0, thread_0;  // bytes of level 0
  char* scratch_1;            // of all blocks
  std::size_t team_1, thread_1, block_1;

  template <class F>
  KOKKOS_IMPL_DEVICE void visit(F const& f) const {
    ScratchRegion const level_0{Intrinsics::shared() + scratch_0_offset, team_0, thread_0};
    ScratchRegion const level_1{scratch_1 ? scratch_1 + Intrinsics::block_x() * block_1 : nullptr, team_1, thread_1};
    // Unsigned: a league and a grid of up to 2^31 - 1 items and blocks have sums that exceed an int.
    unsigned const items = static_cast<unsigned>(league_size), step = Intrinsics::grid_dim_x();
    for (unsigned item = Intrinsics::block_x() + static_cast<unsigned>(Intrinsics::team_zero()); item < items;
         item += step) {
      Member const member(static_cast<int>(item), league_size, level_0, level_1);
      f(member);
      // The next item uses the same scratch memory.
      if (item + step < items) Intrinsics::barrier();
    }
  }
};

inline std::size_t gpu_scratch_aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// The launch bounds of a kernel that is compiled twice, so that a team may have up to 1024 threads, unless the program
/// gives bounds.
template <class Bounds>
using GPUTeamBounds = std::conditional_t<Bounds::maxTperB == 0, AnyBlockSize, Bounds>;
template <class Bounds>
inline constexpr int gpu_team_bound = Bounds::maxTperB == 0 ? 1024 : static_cast<int>(Bounds::maxTperB);

/// The kernel of a parallel_for over teams. Where kernels have all registers without a limit of threads (CUDA), it is
/// compiled once, since kernels of teams are the longest to compile. A team then has at most as many threads as the
/// kernel's registers allow: 256 or more.
template <class ExecSpace, class Policy, class KernelBody>
struct GPUTeamForKernel {
  using Runtime                     = typename ExecSpace::runtime_type;
  using Given                       = typename Policy::launch_bounds;
  using Driver                      = GPUForDriver<GPULeague<ExecSpace>, KernelBody>;
  static constexpr bool is_only_one = Runtime::full_register_threads == 0;
  using Bounds                      = std::conditional_t<is_only_one, Given, GPUTeamBounds<Given>>;

  static GPUKernelNeeds needs(GPUInstance<Runtime> const& instance) {
    GPUKernelNeeds needs{gpu_team_bound<Given>};
    if constexpr (is_only_one) needs = GPUKernel<Runtime, Driver, Bounds>::needs(instance);
    needs.max_threads = std::min(needs.max_threads, gpu_team_bound<Given>);
    return needs;
  }
};

template <class ExecSpace>
struct GPUTeamTraits {
  using Runtime     = typename ExecSpace::runtime_type;
  using member_type = GPUTeamMember<ExecSpace>;

  static constexpr int auto_team_size = -1;

  static constexpr int vector_length_max() { return Runtime::intrinsics::warp_size; }
  /// Level 0 is shared memory, level 1 device memory.
  static int scratch_size_max(int level) {
    if (level == 1) return 20 * 1024 * 1024;
    auto const* instance = GPUInstance<Runtime>::default_instance();
    return static_cast<int>(instance ? shared_capacity(instance->properties())
                                     : shared_always_allowed - member_type::meeting_bytes);
  }
  /// The bytes that a team can have as scratch memory of level 0: the shared memory of a block without that in which
  /// members exchange values, and without that in which a reduction joins the values of a block.
  static std::size_t shared_capacity(GPUProperties const& device) {
    int const own = member_type::meeting_bytes - member_type::dynamic_meeting_bytes;
    return device.shared_per_block - member_type::meeting_bytes - own - 512;
  }

  template <class Policy, class Functor, class Tag>
  static int team_size_max(Policy const& policy, Functor const& functor, Tag const&) {
    auto const& instance = policy.space().impl_instance();
    auto const& device   = instance.properties();
    int bound            = gpu_team_bound<typename Policy::launch_bounds>;
    if constexpr (std::is_same_v<Tag, ParallelForTag>)
      bound =
          GPUTeamForKernel<ExecSpace, Policy, Body<typename Policy::work_tag, Functor>>::needs(instance).max_threads;
    int size = std::min(bound, device.threads_per_block) / policy.impl_vector_length();
    while (size > 0 && shared_of_team(policy, functor, size, device) > shared_capacity(device)) --size;
    return size;
  }
  /// Bytes of shared memory for the scratch memory of a team: the bytes that the policy and the functor request, with
  /// the alignment of each part. If they alone exceed the shared memory, the result has no alignment, because an error
  /// message contains it.
  template <class Policy, class Functor>
  static std::size_t shared_of_team(Policy const& policy, Functor const& functor, int size,
                                    GPUProperties const& device) {
    std::size_t const requested = policy.scratch_size(0, size) + Impl::functor_scratch_size(functor, size);
    if (requested > shared_capacity(device)) return requested;
    auto const& scratch = policy.impl_shape().scratch[0];
    return Impl::gpu_scratch_aligned(scratch.per_team + Impl::functor_scratch_size(functor, size)) +
           Impl::gpu_scratch_aligned(scratch.per_thread) * static_cast<std::size_t>(size);
  }
  static int busy_threads(GPUProperties const& device) { return Impl::gpu_busy_threads(device); }

  template <class Policy, class Functor, class Tag>
  static int team_size_recommended(Policy const& policy, Functor const& functor, Tag const& tag) {
    auto const& instance = policy.space().impl_instance();
    auto const& device   = instance.properties();
    GPUKernelNeeds needs;
    if constexpr (std::is_same_v<Tag, ParallelForTag>)
      needs = GPUTeamForKernel<ExecSpace, Policy, Body<typename Policy::work_tag, Functor>>::needs(instance);
    return Impl::gpu_team_size(
        device, needs, policy.league_size(), policy.impl_vector_length(), team_size_max(policy, functor, tag),
        [&](int size) { return shared_of_team(policy, functor, size, device) + member_type::meeting_bytes; });
  }
};

/// The launch of a league: its shape and the scratch memory of its teams.
template <class ExecSpace>
struct GPULeagueLaunch {
  using Runtime = typename ExecSpace::runtime_type;
  using Traits  = GPUTeamTraits<ExecSpace>;

  GPULeague<ExecSpace> league{};
  dim3 grid, block;
  std::size_t shared        = 0;
  std::size_t level_1_bytes = 0;

  /// \throws std::runtime_error if the device cannot run such teams
  template <class Policy, class Functor, class Tag>
  GPULeagueLaunch(Policy const& policy, Functor const& functor, Tag const& tag, std::size_t reserved) {
    auto const& device = policy.space().impl_instance().properties();
    int team_size      = policy.team_size();
    int const max      = Traits::team_size_max(policy, functor, tag);
    if (policy.impl_auto_team_size() && team_size < 1) team_size = Traits::team_size_recommended(policy, functor, tag);
    if (max < 1)
      Impl::require_scratch_size(ExecSpace::name(), 0, Traits::shared_of_team(policy, functor, 1, device),
                                 Traits::shared_capacity(device));
    Impl::require_scratch_size(ExecSpace::name(), 0, Traits::shared_of_team(policy, functor, team_size, device),
                               Traits::shared_capacity(device));
    Impl::require_team_size(ExecSpace::name(), team_size, max);
    Impl::expect_scratch_size(ExecSpace::name(), 1, policy.scratch_size(1, team_size), Traits::scratch_size_max(1));
    auto const& shape       = policy.impl_shape();
    league.league_size      = policy.league_size();
    league.scratch_0_offset = static_cast<unsigned>(gpu_scratch_aligned(reserved));
    league.team_0           = static_cast<unsigned>(
        Impl::gpu_scratch_aligned(shape.scratch[0].per_team + Impl::functor_scratch_size(functor, team_size)));
    league.thread_0 = static_cast<unsigned>(Impl::gpu_scratch_aligned(shape.scratch[0].per_thread));
    league.team_1   = Impl::gpu_scratch_aligned(shape.scratch[1].per_team);
    league.thread_1 = Impl::gpu_scratch_aligned(shape.scratch[1].per_thread);
    league.block_1  = (league.team_1 + league.thread_1 * team_size + 127) / 128 * 128;
    block           = dim3(policy.impl_vector_length(), team_size);
    shared          = league.scratch_0_offset + league.team_0 + std::size_t(league.thread_0) * team_size;
    unsigned blocks = policy.league_size() > 0 ? policy.league_size() : 1;
    // With scratch memory of level 1, launch only as many blocks as can be resident, because each block has its own.
    unsigned const resident = device.multiprocessors * device.blocks_per_multiprocessor;
    if (league.block_1 > 0 && blocks > resident) blocks = resident;
    auto const most = Impl::gpu_max_blocks<Runtime>(block.x);
    if (blocks > most) blocks = static_cast<unsigned>(most);
    grid          = dim3(blocks);
    level_1_bytes = league.block_1 * blocks;
  }
};

/// Scratch memory of level 1 for one launch.
template <class Runtime>
class GPULevel1Scratch {
 public:
  GPULevel1Scratch(GPUInstance<Runtime>& instance, std::size_t bytes)
      : m_memory(
            instance, bytes,
            "scratch memory of level 1, which is the size per team times the number of concurrent teams, or times the "
            "size of the league, if that is smaller",
            most_kept_bytes(instance.properties())) {}
  char* data() const { return static_cast<char*>(m_memory.data()); }

  /// The driver takes freed memory back from the process at each fence: allocating 8 MB again in the next launch takes
  /// 160 us, 80 MB 700 us (CUDA 13, H200). With the pieces that it has outgrown an instance keeps up to four times as much,
  /// which is no more than what the pool keeps of destroyed views.
  static std::size_t most_kept_bytes(GPUProperties const& device) {
    constexpr std::size_t always = std::size_t(4) << 20;
    return device.memory_bytes / 128 > always ? device.memory_bytes / 128 : always;
  }

 private:
  GPUWorkMemory<Runtime> m_memory;
};

template <class ExecSpace>
struct GPUTeamFor {
  using Runtime = typename ExecSpace::runtime_type;

  template <class Policy, class Body>
  static void run(Policy const& policy, Body const& body) {
    if (policy.league_size() == 0) return;
    auto& instance = policy.space().impl_instance();
    GPULeagueLaunch<ExecSpace> plan(policy, body.functor(), ParallelForTag(),
                                    GPUTeamMember<ExecSpace>::dynamic_meeting_bytes);
    GPULevel1Scratch<Runtime> level_1(instance, plan.level_1_bytes);
    plan.league.scratch_1 = level_1.data();
    using Kernel          = GPUTeamForKernel<ExecSpace, Policy, typename Body::kernel_body>;
    Impl::gpu_launch<typename Kernel::Driver, typename Kernel::Bounds>(instance, {plan.grid, plan.block, plan.shared},
                                                                       plan.league, body);
  }
};

/// Every lane calls the functor, but only the first lane of each thread contributes its value. The other lanes use
/// the identity.
template <class ExecSpace, class Reduction>
struct GPUTeamReduction : Reduction {
  using T = typename Reduction::value_type;

  static constexpr std::size_t max_register_bytes = 64;

  template <class Update>
  KOKKOS_IMPL_DEVICE void operator()(GPUTeamMember<ExecSpace> const& member, Update&& update) const {
    Reduction::operator()(member, update);
    if (member.impl_vector_rank() == 0) return;
    if constexpr (std::is_pointer_v<typename Reduction::reference_type>)
      Reduction::init(update);
    else
      Reduction::init(&update);
  }
};

template <class ExecSpace>
struct GPUTeamReduce {
  using Runtime    = typename ExecSpace::runtime_type;
  using Intrinsics = typename Runtime::intrinsics;

  template <class Policy, class Reduction, class MemorySpace>
  static void run(Policy const& policy, Reduction const& reduction,
                  ReductionTarget<typename Reduction::value_type, MemorySpace> const& target) {
    auto& instance = policy.space().impl_instance();
    using Lanes    = GPUTeamReduction<ExecSpace, Reduction>;
    GPULeagueLaunch<ExecSpace> plan(policy, reduction.functor(), ParallelReduceTag(),
                                    GPUTeamMember<ExecSpace>::meeting_bytes);
    int const threads = static_cast<int>(plan.block.x * plan.block.y);
    // The block's values are in registers or in device memory; shared memory belongs to the teams.
    GPUReducePlan values;
    values.threads = threads;
    if (!reduces_in_registers<Lanes>) values.slots_per_block = threads * Impl::gpu_slot_bytes(Lanes{reduction});
    auto const& device  = instance.properties();
    unsigned const most = device.multiprocessors * blocks_per_multiprocessor(plan, device, threads);
    if (plan.grid.x > most) plan.grid.x = most;
    GPULevel1Scratch<Runtime> level_1(instance, plan.league.block_1 * plan.grid.x);
    plan.league.scratch_1 = level_1.data();
    static_assert(!reduces_in_registers<Lanes> ||
                  sizeof(typename Reduction::value_type) * GPUTeamMember<ExecSpace>::max_warps <=
                      GPUTeamMember<ExecSpace>::meeting_bytes);
    GPUParallelReduce<ExecSpace>::template launch<GPUTeamBounds<typename Policy::launch_bounds>>(
        instance, plan.league, Lanes{reduction}, target, plan.grid, plan.block, values, plan.shared);
  }

 private:
  static constexpr int min_blocks = 8;

  /// Enough blocks for a busy multiprocessor. Each adds the values of several teams before it stores a result. Scratch
  /// memory of level 1 belongs to a block, so with it there are fewer blocks.
  static int blocks_per_multiprocessor(GPULeagueLaunch<ExecSpace> const& plan, GPUProperties const& device,
                                       int threads) {
    if (plan.league.block_1 > 0) return min_blocks;
    return std::max(GPUTeamTraits<ExecSpace>::busy_threads(device) / threads, min_blocks);
  }
};

}  // namespace Kokkos::Impl

#endif
