// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Start and end of tools: loads the shared object, passes arguments, and finalizes it.

#include <Kokkos_Initialize.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Configuration.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <mutex>
#include <sstream>
#include <vector>

namespace Kokkos {

namespace {

std::mutex start_mutex;  // guards `started`
bool started = false;

// True for the first caller since the last end.
bool set_started(bool value) {
  std::lock_guard lock(start_mutex);
  bool const changes = started != value;
  started            = value;
  return changes;
}

// If a tool cannot be loaded, only the measurement is lost, so the program continues. The message is no warning that
// can be disabled, because the user requested this tool.
void warn(std::string const& library, std::string const& trouble) {
  std::fprintf(stderr,
               "Kokkos error: the tool '%s' %s. The program runs without a tool. Give the path of a shared object with "
               "kokkosp_* functions, or its name if the dynamic linker finds it (LD_LIBRARY_PATH), in "
               "--kokkos-tools-libs or KOKKOS_TOOLS_LIBS.\n",
               library.c_str(), trouble.c_str());
}

// Adds the library's callbacks to `events`; returns their number.
int look_up(void* handle, Impl::EventSet& events) {
  int found = 0;
#define KOKKOS_IMPL_LOOK_UP(signature, name, symbol)    \
  if (void* const address = dlsym(handle, symbol)) {    \
    events.name = reinterpret_cast<signature>(address); \
    ++found;                                            \
  }
  KOKKOS_TOOLS_PROFILING_CALLBACKS(KOKKOS_IMPL_LOOK_UP)
  KOKKOS_TOOLS_TUNING_CALLBACKS(KOKKOS_IMPL_LOOK_UP)
#undef KOKKOS_IMPL_LOOK_UP
  return found;
}

void load(std::string const& list) {
  // A tool that filters for other tools gets the rest of the list and loads them itself.
  std::string const library = list.substr(0, list.find(';'));
  if (library.empty()) return;
  // Global, so that tools that this one loads see its symbols. Never closed, because a tool may have registered
  // functions for the end of the program.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    warn(library, std::string("cannot be loaded (") + dlerror() + ')');
    return;
  }
  // Callbacks that the program set are kept if the library has no replacement.
  Impl::EventSet events = Tools::Experimental::get_callbacks();
  if (look_up(handle, events) == 0) {
    warn(library, "has none of the kokkosp_* functions");
    return;
  }
  Tools::Experimental::set_callbacks(events);
}

// Tools call this to wait for the devices.
void tool_invoked_fence(std::uint32_t const) {
  if (is_initialized()) fence("Kokkos::Tools::Experimental::Impl::tool_invoked_fence: Tool Requested Fence");
}

// In this order, because a tool may rely on its initialization before other calls.
void greet() {
  Kokkos_Profiling_KokkosPDeviceInfo device = {};
  int const id                              = is_initialized() ? device_id() : -1;
  if (id >= 0) device.deviceID = static_cast<std::size_t>(id);
  Impl::call_tool(&Impl::EventSet::init, 0, static_cast<std::uint64_t>(KOKKOSP_INTERFACE_VERSION),
                  static_cast<std::uint32_t>(id >= 0 ? 1 : 0), id >= 0 ? &device : nullptr);

  Tools::ToolSettings settings     = {};
  settings.requires_global_fencing = true;
  Impl::call_tool(&Impl::EventSet::request_tool_settings, static_cast<std::uint32_t>(1), &settings);
  Impl::set_tool_requires_fencing(settings.requires_global_fencing);

  Tools::ToolProgrammingInterface actions = {};
  actions.fence                           = &tool_invoked_fence;
  Impl::call_tool(&Impl::EventSet::provide_tool_programming_interface, static_cast<std::uint32_t>(1), actions);
}

}  // namespace

namespace Tools {

void initialize(InitArguments const& arguments) {
  if (!set_started(true)) return;
  load(arguments.lib);
  greet();
  if (arguments.help) {
    if (!printHelp(Impl::program_name())) {
      std::fprintf(stderr, arguments.lib.empty()
                               ? "Kokkos: there is no tool to print its help; specify one with --kokkos-tools-libs.\n"
                               : "Kokkos: the tool has no help to print.\n");
    }
    return;
  }
  if (!arguments.args.empty()) parseArgs(Impl::program_name() + ' ' + arguments.args);
}

void initialize(int argc, char* argv[]) {
  if (argc > 0 && argv[0] != nullptr) Impl::set_program_name(argv[0]);
  // The caller keeps its arguments, so this parses a copy of the pointers.
  std::vector<char*> copy(argv, argv + argc);
  copy.push_back(nullptr);
  Impl::ParsedSettings const environment = Impl::parse_environment();
  InitializationSettings const settings  = Impl::merge(environment, Impl::parse_arguments(argc, copy.data())).settings;
  InitArguments arguments;
  if (settings.has_tools_libs()) arguments.lib = settings.get_tools_libs();
  if (settings.has_tools_args()) arguments.args = settings.get_tools_args();
  arguments.help = settings.has_tools_help() && settings.get_tools_help();
  initialize(arguments);
}

void finalize() {
  if (!set_started(false)) return;
  // A paused tool is notified of the end, too.
  Experimental::resume_tools();
  Impl::call_tool(&Impl::EventSet::finalize);
  Experimental::set_callbacks({});
  Impl::set_tool_requires_fencing(true);
}

bool printHelp(std::string const& program) {
  std::string copy = program;
  return Impl::call_tool(&Impl::EventSet::print_help, copy.data());
}

void parseArgs(std::string const& arguments) {
  std::vector<std::string> words;
  std::istringstream stream(arguments);
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Impl::call_tool(&Impl::EventSet::parse_args, static_cast<int>(words.size()), argv.data());
}

}  // namespace Tools
}  // namespace Kokkos
