// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Spaces, policies, patterns, reducers, graphs: members and calls.

#include "Probe.hpp"
#include <KokkosExp_InterOp.hpp>
#include <impl/Kokkos_Utilities.hpp>

#include <Kokkos_Graph.hpp>

#include <array>
#include <ostream>
#include <vector>

namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Range  = Kokkos::RangePolicy<>;
using Range2 = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
using Team   = Kokkos::TeamPolicy<>;
using Member = Team::member_type;
using Sum    = Kokkos::Sum<double>;

struct TeamBody {
  KOKKOS_FUNCTION void operator()(Member const&) const;
};

}  // namespace

// clang-format off: a line is a probe

// ---- spaces
TYPE("core/execution_spaces", Exec::execution_space)
TYPE("core/execution_spaces", Exec::memory_space)
TYPE("core/execution_spaces", Exec::device_type)
TYPE("core/execution_spaces", Exec::scratch_memory_space)
TYPE("core/execution_spaces", Exec::array_layout)
TYPE("core/execution_spaces", Exec::size_type)
TYPE("core/execution_spaces", Exec::index_type)
EXPR("core/execution_spaces", Exec::name())
EXPR("core/execution_spaces", Exec().print_configuration(some<std::ostream>()))
EXPR("core/execution_spaces", Exec().print_configuration(some<std::ostream>(), true))
EXPR("core/execution_spaces", Exec().concurrency())
EXPR("core/execution_spaces", Exec().fence())
EXPR("core/execution_spaces", Exec().fence("label"))
EXPR("core/execution_spaces", Exec() == Exec())
EXPR("core/execution_spaces", Exec() != Exec())
EXPR("core/execution_spaces", Kokkos::DefaultHostExecutionSpace::in_parallel())
#ifdef KOKKOS_ENABLE_STATIC_CONCURRENCY
EXPR("/deprecations", Exec::concurrency())
#endif
TYPE("core/memory_spaces", Memory::memory_space)
TYPE("core/memory_spaces", Memory::execution_space)
TYPE("core/memory_spaces", Memory::device_type)
TYPE("core/memory_spaces", Memory::size_type)
TYPE("core/memory_spaces", Memory::index_type)
EXPR("core/memory_spaces", Memory::name())
EXPR("core/memory_spaces", Memory().allocate(1))
EXPR("core/memory_spaces", Memory().deallocate(some<void*>(), 1))
EXPR("programs", Memory().allocate("label", 1))
EXPR("programs", Memory().allocate("label", 1, 1))
EXPR("programs", Memory().allocate(Exec(), "label", 1))
EXPR("programs", Memory().deallocate("label", some<void*>(), 1))
EXPR("programs", Memory().deallocate("label", some<void*>(), 1, 1))
EXPR("/deprecations", Kokkos::HostSpace(Kokkos::HostSpace::STD_MALLOC))
EXPR("core/SpaceAccessibility", Kokkos::SpaceAccessibility<Exec, Memory>::accessible)
EXPR("core/SpaceAccessibility", Kokkos::SpaceAccessibility<Exec, Memory>::assignable)
EXPR("core/SpaceAccessibility", Kokkos::SpaceAccessibility<Exec, Memory>::deepcopy)
TYPE("core/SpaceAccessibility", Kokkos::SpaceAccessibility<Exec, Memory>::space)
EXPR("core/spaces/partition_space", Kokkos::partition_space(Exec(), 1, 2.))
EXPR("core/spaces/partition_space", Kokkos::Experimental::partition_space(Exec(), 1, 2.))
EXPR("core/spaces/partition_space", Kokkos::Experimental::partition_space(Exec(), some<std::vector<int>>()))
EXPR("programs", Kokkos::Experimental::partition_space(Exec(), some<std::array<double, 2>>()))

// ---- policies
EXPR("core/policies/RangePolicy", Range())
EXPR("core/policies/RangePolicy", Range(0, 3))
EXPR("core/policies/RangePolicy", Range(0, 3, Kokkos::ChunkSize(1)))
EXPR("core/policies/RangePolicy", Range(Exec(), 0, 3))
EXPR("core/policies/RangePolicy", Range(Exec(), 0, 3, Kokkos::ChunkSize(1)))
EXPR("core/policies/RangePolicy", Kokkos::RangePolicy(0, 3))
EXPR("core/policies/RangePolicy", Kokkos::RangePolicy(Exec(), 0, 3))
EXPR("core/policies/RangePolicy", Range().begin() + Range().end() + Range().chunk_size())
EXPR("core/policies/RangePolicy", some<Range>().set_chunk_size(1))
EXPR("core/policies/RangePolicy", Range().space())
TYPE("core/policies/RangePolicy", Range::index_type)
TYPE("core/policies/RangePolicy", Range::work_tag)
TYPE("core/policies/RangePolicy", Range::schedule_type)
TYPE("core/policies/RangePolicy", Range::execution_space)
TYPE("core/policies/RangePolicy", Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>, Kokkos::LaunchBounds<128, 1>>)
EXPR("core/policies/MDRangePolicy", Range2())
EXPR("core/policies/MDRangePolicy", Range2({0, 0}, {3, 4}))
EXPR("core/policies/MDRangePolicy", Range2({0, 0}, {3, 4}, {1, 1}))
EXPR("core/policies/MDRangePolicy", Range2(Exec(), {0, 0}, {3, 4}))
EXPR("core/policies/MDRangePolicy", Range2(some<Kokkos::Array<std::int64_t, 2>>(), some<Kokkos::Array<std::int64_t, 2>>()))
EXPR("core/policies/MDRangePolicy", Range2().tile_size_recommended())
EXPR("core/policies/MDRangePolicy", Range2().max_total_tile_size())
TYPE("core/policies/MDRangePolicy", Kokkos::MDRangePolicy<Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Right>>)
EXPR("core/policies/TeamPolicy", Team())
EXPR("core/policies/TeamPolicy", Team(3, Kokkos::AUTO))
EXPR("core/policies/TeamPolicy", Team(3, Kokkos::AUTO, Kokkos::AUTO))
EXPR("core/policies/TeamPolicy", Team(3, 1, 1))
EXPR("core/policies/TeamPolicy", Team(Exec(), 3, Kokkos::AUTO))
EXPR("core/policies/TeamPolicy", some<Team>().set_chunk_size(1))
EXPR("core/policies/TeamPolicy", some<Team>().set_scratch_size(0, Kokkos::PerTeam(1), Kokkos::PerThread(1)))
EXPR("core/policies/TeamPolicy", some<Team>().team_size_max(TeamBody(), Kokkos::ParallelForTag()))
EXPR("core/policies/TeamPolicy", some<Team>().team_size_recommended(TeamBody(), Kokkos::ParallelForTag()))
EXPR("core/policies/TeamPolicy", Team::vector_length_max() + Team::scratch_size_max(0))
EXPR("core/policies/TeamPolicy", Team().team_size() + Team().league_size() + Team().scratch_size(0) + Team().chunk_size())
EXPR("core/policies/TeamPolicy", Team().team_scratch_size(0) + Team().thread_scratch_size(0))
EXPR("core/policies/TeamHandleConcept", some<Member>().team_rank() + some<Member>().team_size())
EXPR("core/policies/TeamHandleConcept", some<Member>().league_rank() + some<Member>().league_size())
EXPR("core/policies/TeamHandleConcept", some<Member>().team_shmem())
EXPR("core/policies/TeamHandleConcept", some<Member>().team_scratch(0))
EXPR("core/policies/TeamHandleConcept", some<Member>().thread_scratch(0))
EXPR("core/policies/TeamHandleConcept", some<Member>().team_barrier())
EXPR("core/policies/TeamHandleConcept", some<Member>().team_broadcast(some<int>(), 0))
EXPR("core/policies/TeamHandleConcept", some<Member>().team_reduce(some<Sum>()))
EXPR("core/policies/TeamHandleConcept", some<Member>().team_scan(1))
EXPR("core/policies/NestedPolicies", Kokkos::TeamThreadRange(some<Member>(), 3))
EXPR("core/policies/NestedPolicies", Kokkos::TeamThreadRange(some<Member>(), 1, 3))
EXPR("core/policies/NestedPolicies", Kokkos::TeamVectorRange(some<Member>(), 3))
EXPR("core/policies/NestedPolicies", Kokkos::ThreadVectorRange(some<Member>(), 3))
EXPR("core/policies/NestedPolicies", Kokkos::TeamThreadMDRange<Kokkos::Rank<2>, Member>(some<Member>(), 3, 4))
EXPR("core/policies/NestedPolicies", Kokkos::TeamVectorMDRange<Kokkos::Rank<2>, Member>(some<Member>(), 3, 4))
EXPR("core/policies/NestedPolicies", Kokkos::ThreadVectorMDRange<Kokkos::Rank<2>, Member>(some<Member>(), 3, 4))
EXPR("core/policies/NestedPolicies", Kokkos::PerTeam(some<Member>()))
EXPR("core/policies/NestedPolicies", Kokkos::PerThread(some<Member>()))
EXPR("core/Execution-Policies", Kokkos::Experimental::require(Range(), Kokkos::Experimental::WorkItemProperty::HintLightWeight))
EXPR("core/Execution-Policies", Kokkos::Experimental::prefer(Range(), Kokkos::Experimental::DesiredOccupancy(50)))
EXPR("core/Execution-Policies", Kokkos::Experimental::prefer(Range(), Kokkos::Experimental::MaximizeOccupancy()))
TYPE("core/Execution-Policies", Kokkos::WorkGraphPolicy<int>)

// ---- patterns
EXPR("core/parallel-dispatch/parallel_for", Kokkos::parallel_for(3, Body()))
EXPR("core/parallel-dispatch/parallel_for", Kokkos::parallel_for("label", 3, Body()))
EXPR("core/parallel-dispatch/parallel_for", Kokkos::parallel_for(Range(), Body()))
EXPR("core/parallel-dispatch/parallel_for", Kokkos::parallel_for("label", Range(), Body()))
EXPR("core/parallel-dispatch/parallel_reduce", Kokkos::parallel_reduce(3, Body(), some<double>()))
EXPR("core/parallel-dispatch/parallel_reduce", Kokkos::parallel_reduce("label", Range(), Body(), some<double>()))
EXPR("core/parallel-dispatch/parallel_reduce", Kokkos::parallel_reduce("label", Range(), Body(), some<Sum>()))
EXPR("core/parallel-dispatch/parallel_reduce", Kokkos::parallel_reduce("label", Range(), Body(), some<Kokkos::View<double>>()))
EXPR("core/parallel-dispatch/parallel_scan", Kokkos::parallel_scan(3, Body()))
EXPR("core/parallel-dispatch/parallel_scan", Kokkos::parallel_scan("label", Range(), Body(), some<double>()))
EXPR("core/parallel-dispatch/fence", Kokkos::fence())
EXPR("core/parallel-dispatch/fence", Kokkos::fence("label"))
TYPE("core/builtinreducers/ReducerConcept", Sum::value_type)
TYPE("core/builtinreducers/ReducerConcept", Sum::result_view_type)
TYPE("core/builtinreducers/ReducerConcept", Sum::reducer)
EXPR("core/builtinreducers/ReducerConcept", some<Sum>().join(some<double>(), 1.))
EXPR("core/builtinreducers/ReducerConcept", some<Sum>().init(some<double>()))
EXPR("core/builtinreducers/ReducerConcept", some<Sum>().reference())
EXPR("core/builtinreducers/ReducerConcept", some<Sum>().view())
EXPR("core/builtinreducers/ReducerConcept", some<Sum>().references_scalar())
EXPR("core/builtinreducers/Sum", Kokkos::reduction_identity<double>::sum())
EXPR("core/builtinreducers/Prod", Kokkos::reduction_identity<double>::prod())
EXPR("core/builtinreducers/Min", Kokkos::reduction_identity<double>::min())
EXPR("core/builtinreducers/Max", Kokkos::reduction_identity<double>::max())
EXPR("core/builtinreducers/LAnd", Kokkos::reduction_identity<int>::land())
EXPR("core/builtinreducers/LOr", Kokkos::reduction_identity<int>::lor())
EXPR("core/builtinreducers/BAnd", Kokkos::reduction_identity<int>::band())
EXPR("core/builtinreducers/BOr", Kokkos::reduction_identity<int>::bor())
EXPR("core/Graph", Kokkos::Experimental::create_graph(Exec(), [](auto) {}))
EXPR("core/Graph", Kokkos::Experimental::create_graph([](auto) {}))
EXPR("core/Graph", some<Kokkos::Experimental::Graph<Exec>>().root_node())
EXPR("core/Graph", some<Kokkos::Experimental::Graph<Exec>>().instantiate())
EXPR("core/Graph", some<Kokkos::Experimental::Graph<Exec>>().submit())
EXPR("core/Graph", some<Kokkos::Experimental::Graph<Exec>>().submit(Exec()))

// ---- runtime and tools
EXPR("core/initialize_finalize/initialize", Kokkos::initialize())
EXPR("core/initialize_finalize/initialize", Kokkos::initialize(some<int>(), some<char**>()))
EXPR("core/initialize_finalize/initialize", Kokkos::initialize(Kokkos::InitializationSettings()))
EXPR("core/initialize_finalize/ScopeGuard", Kokkos::ScopeGuard(some<int>(), some<char**>()))
EXPR("core/initialize_finalize/InitializationSettings", Kokkos::InitializationSettings().set_num_threads(1).set_device_id(0).set_map_device_id_by("random"))
EXPR("core/initialize_finalize/InitializationSettings", Kokkos::InitializationSettings().set_disable_warnings(true).set_print_configuration(true).set_tune_internals(true))
EXPR("core/initialize_finalize/InitializationSettings", Kokkos::InitializationSettings().set_tools_libs("").set_tools_help(true).set_tools_args(""))
EXPR("core/initialize_finalize/InitializationSettings", Kokkos::InitializationSettings().has_num_threads() && Kokkos::InitializationSettings().has_device_id())
EXPR("core/initialize_finalize/InitializationSettings", Kokkos::InitializationSettings().get_num_threads() + Kokkos::InitializationSettings().get_device_id())
EXPR("core/utilities/timer", Kokkos::Timer().seconds())
EXPR("core/utilities/timer", some<Kokkos::Timer>().reset())
EXPR("core/utilities/printf", Kokkos::printf("%d", 1))
EXPR("core/profiling/profiling_section", Kokkos::Profiling::ProfilingSection("label").start())
EXPR("core/profiling/scoped_region", Kokkos::Profiling::ScopedRegion("label"))
NAME("programs", Kokkos::Tools::Experimental::ToolSettings)
NAME("programs", Kokkos::Tools::Experimental::ToolProgrammingInterface)
NAME("programs", Kokkos::Tools::Experimental::NumReservedDeviceIDs)
NAME("programs", Kokkos::Profiling::KokkosPDeviceInfo)
NAME("programs", Kokkos::Impl::TypeInfo)
NAME("programs", Kokkos::Impl::clock_tic)
NAME("programs", Kokkos::Impl::AtomicViewConstTag)
NAME("programs", Kokkos::Impl::DeepCopy)
NAME("programs", Kokkos::Impl::MEMORY_ALIGNMENT)
NAME("programs", Kokkos::Impl::type_list)
EXPR("programs", some<Kokkos::Impl::filter_type_list_t<std::is_integral, Kokkos::Impl::concat_type_list_t<Kokkos::Impl::type_list<int>, Kokkos::Impl::type_list<double, char>>>>() = Kokkos::Impl::type_list<int, char>())
EXPR("programs", std::enable_if_t<Kokkos::Impl::type_list_size_v<Kokkos::Impl::type_list<int, char>> == 2 && Kokkos::Impl::type_list_any_v<std::is_integral, Kokkos::Impl::type_list<void, char>> && !Kokkos::Impl::type_list_any_v<std::is_integral, Kokkos::Impl::type_list<void>>, int>())
EXPR("programs", std::enable_if_t<Kokkos::is_always_assignable_impl<Kokkos::View<const int*>, Kokkos::View<int*>>::value && !Kokkos::is_always_assignable_impl<Kokkos::View<int*>, Kokkos::View<const int*>>::value, int>())
EXPR("programs", some<Kokkos::Experimental::python_view_type_t<Kokkos::View<double*, Kokkos::HostSpace>>>() = Kokkos::View<double*, Kokkos::DefaultHostExecutionSpace::array_layout, Kokkos::HostSpace>())
NAME("programs", Kokkos::Impl::is_same)
NAME("programs", Kokkos::hwloc::available)
NAME("programs", desul::atomic_fetch_add)
NAME("programs", desul::AtomicRef)
TYPE("programs", Kokkos::Crs<int, Exec, void, int>)
TYPE("programs", Kokkos::MemoryPool<Exec::device_type>)

// ---- standard headers that programs do not include themselves
#ifndef KOKKOS_ENABLE_LEAN_HEADERS
NAME("programs", std::sort)
NAME("programs", std::atomic)
NAME("programs", std::chrono::steady_clock)
NAME("programs", std::complex)
NAME("programs", std::function)
NAME("programs", std::cout)
NAME("programs", std::istream_iterator)
NAME("programs", std::map)
NAME("programs", std::unique_ptr)
NAME("programs", std::mutex)
NAME("programs", std::accumulate)
NAME("programs", std::optional)
NAME("programs", std::span)
NAME("programs", std::ostringstream)
NAME("programs", std::runtime_error)
NAME("programs", std::thread)
NAME("programs", std::tuple)
NAME("programs", std::unordered_map)
EXPR("programs", assert(true))
#endif
