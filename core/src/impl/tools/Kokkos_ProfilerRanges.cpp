// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The callbacks that report to NVTX (NVIDIA Nsight) or ROCTX (rocprof).

#include <impl/tools/Kokkos_ProfilerRanges.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <dlfcn.h>

// A header of the CUDA toolkit, which loads what the profiler provides. CUDA 13 has no library with these functions.
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define KOKKOS_IMPL_HAS_NVTX3
#endif

#include <cstdio>
#include <string>

namespace Kokkos::Impl {

namespace {

struct RangeFunctions {
  int (*push)(char const*)  = nullptr;
  int (*pop)()              = nullptr;
  void (*mark)(char const*) = nullptr;

  bool complete() const { return push != nullptr && pop != nullptr && mark != nullptr; }
};

struct Profiler {
  char const* name;
  char const *push, *pop, *mark;
  char const* libraries[4];  // in the order in which they are tried; null from the end on
};

Profiler const profilers[] = {
    {"nvtx", "nvtxRangePushA", "nvtxRangePop", "nvtxMarkA", {"libnvToolsExt.so.1"}},
    {"roctx",
     "roctxRangePushA",
     "roctxRangePop",
     "roctxMarkA",
     {"librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so", "libroctx64.so.4", "libroctx64.so"}},
};

// Written before the callbacks are set, which publishes it to the threads that report events.
RangeFunctions range_functions;

RangeFunctions look_up_ranges(void* handle, Profiler const& profiler) {
  RangeFunctions found;
  found.push = reinterpret_cast<int (*)(char const*)>(dlsym(handle, profiler.push));
  found.pop  = reinterpret_cast<int (*)()>(dlsym(handle, profiler.pop));
  found.mark = reinterpret_cast<void (*)(char const*)>(dlsym(handle, profiler.mark));
  return found;
}

// A library that the profiler has already loaded into the process is preferred: it is the one that records.
RangeFunctions find_ranges(Profiler const& profiler) {
  RangeFunctions found = look_up_ranges(RTLD_DEFAULT, profiler);
  for (char const* const library : profiler.libraries) {
    if (found.complete() || library == nullptr) break;
    // Never closed: callbacks use it until the end of the process.
    if (void* const handle = dlopen(library, RTLD_NOW)) found = look_up_ranges(handle, profiler);
  }
#ifdef KOKKOS_IMPL_HAS_NVTX3
  if (!found.complete() && profiler.name == std::string("nvtx"))
    found = {[](char const* name) { return nvtxRangePushA(name); }, [] { return nvtxRangePop(); },
             [](char const* name) { nvtxMarkA(name); }};
#endif
  return found;
}

void begin_range(char const* name, std::uint32_t const, std::uint64_t* id) {
  *id = 0;
  range_functions.push(name);
}
void end_range(std::uint64_t) { range_functions.pop(); }
void push_range(char const* name) { range_functions.push(name); }
void pop_range() { range_functions.pop(); }
void mark_event(char const* name) { range_functions.mark(name); }

// A mark, because a copy may end on another thread than the one that has begun it.
void mark_copy(Kokkos_Profiling_SpaceHandle to, char const* destination, void const*, Kokkos_Profiling_SpaceHandle from,
               char const* source, void const*, std::uint64_t bytes) {
  std::string const name = std::string("deep_copy ") + destination + " (" + to.name + ") from " + source + " (" +
                           from.name + "), " + std::to_string(bytes) + " bytes";
  range_functions.mark(name.c_str());
}

// The profiler records when kernels run on a device, so it needs no fences.
void decline_fences(std::uint32_t const, Kokkos_Tools_ToolSettings* settings) {
  settings->requires_global_fencing = false;
}

}  // namespace

void report_ranges_to(std::string const& name) {
  for (Profiler const& profiler : profilers) {
    if (name != profiler.name) continue;
    range_functions = find_ranges(profiler);
    if (!range_functions.complete()) {
      std::string tried;
      for (char const* const library : profiler.libraries)
        if (library != nullptr) tried += std::string(" ") + library;
      std::fprintf(
          stderr,
          "Kokkos error: KOKKOS_PROFILER_RANGES=%s needs %s, but no library has it (tried:%s). The program runs "
          "without ranges. Install the profiler, or add the library's folder to LD_LIBRARY_PATH.\n",
          profiler.name, profiler.push, tried.c_str());
      return;
    }
  }
  EventSet events              = Tools::Experimental::get_callbacks();
  events.request_tool_settings = decline_fences;
  events.begin_parallel_for = events.begin_parallel_reduce = events.begin_parallel_scan = begin_range;
  events.end_parallel_for = events.end_parallel_reduce = events.end_parallel_scan = end_range;

  events.begin_fence     = begin_range;
  events.end_fence       = end_range;
  events.push_region     = push_range;
  events.pop_region      = pop_range;
  events.profile_event   = mark_event;
  events.begin_deep_copy = mark_copy;
  Tools::Experimental::set_callbacks(events);
}

}  // namespace Kokkos::Impl
