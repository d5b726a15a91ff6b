// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PROFILING_INTERFACE_HPP
#define KOKKOS_PROFILING_INTERFACE_HPP

/// \file
/// Kokkos::Tools: reports to a tool, and settings of a tool's callbacks from within the program.
///
/// Callbacks may be set at any time and from any thread. An event that is in progress on another thread is then
/// reported to the old or to the new callback. Several threads may call a callback at the same time; the tool must
/// support that.

#include <Kokkos_Macros.hpp>
#include <impl/tools/Kokkos_ToolsDevice.hpp>
#include <impl/tools/Kokkos_Tools_C_Interface.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Kokkos::Tools {

/// @{
/// The types of the tools' C interface, tools/Kokkos_Tools_C_Interface.h, under the names of this namespace.
using SpaceHandle              = Kokkos_Profiling_SpaceHandle;
using KokkosPDeviceInfo        = Kokkos_Profiling_KokkosPDeviceInfo;
using ToolSettings             = Kokkos_Tools_ToolSettings;
using ToolProgrammingInterface = Kokkos_Tools_ToolProgrammingInterface;

using toolInvokedFenceFunction                = Kokkos_Tools_toolInvokedFenceFunction;
using provideToolProgrammingInterfaceFunction = Kokkos_Tools_provideToolProgrammingInterfaceFunction;
using requestToolSettingsFunction             = Kokkos_Tools_requestToolSettingsFunction;
/// @}

#define KOKKOS_IMPL_TOOLS_SIGNATURE(NAME) using NAME = Kokkos_Profiling_##NAME;
KOKKOS_IMPL_TOOLS_SIGNATURE(initFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(finalizeFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(parseArgsFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(printHelpFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(beginFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(endFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(pushFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(popFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(profileEventFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(createProfileSectionFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(startProfileSectionFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(stopProfileSectionFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(destroyProfileSectionFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(allocateDataFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(deallocateDataFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(beginDeepCopyFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(endDeepCopyFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(beginFenceFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(endFenceFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(dualViewSyncFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(dualViewModifyFunction)
KOKKOS_IMPL_TOOLS_SIGNATURE(declareMetadataFunction)
#undef KOKKOS_IMPL_TOOLS_SIGNATURE

/// The handle of a space; the name is truncated to 63 characters.
SpaceHandle make_space_handle(char const* space_name);

/// The arguments of tools; an empty text means none.
struct InitArguments {
  std::string lib;    ///< path or name of the tool's shared object; from a list separated by ';' the first is loaded
  std::string args;   ///< the arguments of the tool, separated by spaces
  bool help = false;  ///< lets the tool print its help
};

/// Loads and initializes the tool, unless that was done before. If there is no such library, this writes a message to
/// the standard error stream and the program continues without a tool. Kokkos::initialize calls this.
void initialize(InitArguments const& arguments = {});
/// Like `initialize` above, from `--kokkos-tools-*` arguments and KOKKOS_TOOLS_* environment variables.
void initialize(int argc, char* argv[]);
/// Finalizes the tool and removes its callbacks. Kokkos::finalize calls this.
void finalize();

/// True if a callback is set and tools are not paused.
bool profileLibraryLoaded();
/// Lets the tool print its help. Returns false if it offers none.
bool printHelp(std::string const& program);
/// Passes the words of `arguments`, of which the first is the name of the program, to the tool.
void parseArgs(std::string const& arguments);

// ---- events ---------------------------------------------------------------------------------------------------------

/// Starts a region, which contains other regions and all kernels until the matching popRegion.
void pushRegion(std::string const& name);
/// Ends the most recently started region.
void popRegion();
/// Reports that this point was reached.
void markEvent(std::string const& name);

/// @{
/// Creates, starts, stops and destroys a section. Sections may overlap in any way. `section` is the tool's number;
/// without a tool, createProfileSection does not change it.
void createProfileSection(std::string const& name, std::uint32_t* section);
void startSection(std::uint32_t section);
void stopSection(std::uint32_t section);
void destroyProfileSection(std::uint32_t section);
/// @}

/// @{
/// Reports an event of the program to the tool: the start and end of a kernel, a fence or a copy, an allocation, or a
/// change of a DualView. The library reports its own events. `device` is the number that device_id returns for the
/// instance; `id` receives the tool's number of the event, which is the argument of the matching end. Sizes are in
/// bytes.
void beginParallelFor(std::string const& name, std::uint32_t device, std::uint64_t* id);
void endParallelFor(std::uint64_t id);
void beginParallelReduce(std::string const& name, std::uint32_t device, std::uint64_t* id);
void endParallelReduce(std::uint64_t id);
void beginParallelScan(std::string const& name, std::uint32_t device, std::uint64_t* id);
void endParallelScan(std::uint64_t id);
void beginFence(std::string const& name, std::uint32_t device, std::uint64_t* id);
void endFence(std::uint64_t id);
void beginDeepCopy(SpaceHandle to_space, std::string const& to_label, void const* to, SpaceHandle from_space,
                   std::string const& from_label, void const* from, std::uint64_t bytes);
void endDeepCopy();
void allocateData(SpaceHandle space, std::string const& label, void const* data, std::uint64_t bytes);
void deallocateData(SpaceHandle space, std::string const& label, void const* data, std::uint64_t bytes);
void syncDualView(std::string const& label, void const* data, bool to_device);
void modifyDualView(std::string const& label, void const* data, bool on_device);
/// @}

/// Passes metadata about this run to the tool.
void declareMetadata(std::string const& key, std::string const& value);

// ---- callbacks ------------------------------------------------------------------------------------------------------

namespace Experimental {

/// All callbacks of a tool.
using EventSet = Kokkos_Profiling_EventSet;

using Kokkos::Tools::provideToolProgrammingInterfaceFunction;
using Kokkos::Tools::requestToolSettingsFunction;
using Kokkos::Tools::toolInvokedFenceFunction;
using Kokkos::Tools::ToolProgrammingInterface;
using Kokkos::Tools::ToolSettings;

/// @{
/// Sets one callback of the tool; a null pointer removes it. tools/Kokkos_Tools_C_Interface.h documents the arguments
/// that it receives.
void set_init_callback(initFunction);
void set_finalize_callback(finalizeFunction);
void set_parse_args_callback(parseArgsFunction);
void set_print_help_callback(printHelpFunction);
void set_begin_parallel_for_callback(beginFunction);
void set_end_parallel_for_callback(endFunction);
void set_begin_parallel_reduce_callback(beginFunction);
void set_end_parallel_reduce_callback(endFunction);
void set_begin_parallel_scan_callback(beginFunction);
void set_end_parallel_scan_callback(endFunction);
void set_push_region_callback(pushFunction);
void set_pop_region_callback(popFunction);
void set_allocate_data_callback(allocateDataFunction);
void set_deallocate_data_callback(deallocateDataFunction);
void set_create_profile_section_callback(createProfileSectionFunction);
void set_start_profile_section_callback(startProfileSectionFunction);
void set_stop_profile_section_callback(stopProfileSectionFunction);
void set_destroy_profile_section_callback(destroyProfileSectionFunction);
void set_profile_event_callback(profileEventFunction);
void set_begin_deep_copy_callback(beginDeepCopyFunction);
void set_end_deep_copy_callback(endDeepCopyFunction);
void set_begin_fence_callback(beginFenceFunction);
void set_end_fence_callback(endFenceFunction);
void set_dual_view_sync_callback(dualViewSyncFunction);
void set_dual_view_modify_callback(dualViewModifyFunction);
void set_declare_metadata_callback(declareMetadataFunction);
void set_request_tool_settings_callback(requestToolSettingsFunction);
void set_provide_tool_programming_interface_callback(provideToolProgrammingInterfaceFunction);
/// @}

/// Sets all callbacks, including those for tuning.
void set_callbacks(EventSet events);
/// The current callbacks, paused or not.
EventSet get_callbacks();

/// Disables the callbacks until resume_tools: they receive no new events, but events that have begun still end.
/// Callbacks that are set meanwhile receive events at once.
void pause_tools();
/// Restores the callbacks that pause_tools disabled, in place of those set since. Without a pause it has no effect.
void resume_tools();

}  // namespace Experimental
}  // namespace Kokkos::Tools

// ---- the older namespace of these names ----------------------------------------------------------------------------

namespace Kokkos::Profiling {

using namespace Kokkos::Tools;

namespace Experimental {
using namespace Kokkos::Tools::Experimental;
}

}  // namespace Kokkos::Profiling

#include <impl/tools/Kokkos_Tuning.hpp>

#endif
