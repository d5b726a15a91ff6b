// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// initialize, finalize, and queries of the state in between.

// Kokkos_Initialize.hpp defines is_initialized and is_finalized for inlining. Here are the functions themselves.
#define KOKKOS_IMPL_DEFINES_QUERIES

#include <Kokkos_Abort.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_Profiling_Interface.hpp>
#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Configuration.hpp>
#include <impl/runtime/Kokkos_CopySettings.hpp>
#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/Kokkos_MemorySettings.hpp>
#include <impl/runtime/Kokkos_OneLibrary.hpp>
#include <impl/runtime/Kokkos_WaitReport.hpp>
#include <impl/runtime/doctor/Kokkos_Findings.hpp>
#include <impl/tools/Kokkos_ProfilerRanges.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <typeinfo>
#include <vector>

namespace Kokkos {

// Only the thread that changed the state to `initializing` or `finalizing` makes the next change. So if two threads
// initialize at the same time, only one succeeds.
std::atomic<Impl::Lifecycle> Impl::lifecycle{Impl::Lifecycle::never_initialized};

namespace {

using State = Impl::Lifecycle;
auto& state = Impl::lifecycle;

// Written by initialize before `state` becomes active, and by finalize.
std::atomic<bool> warnings_shown{true};
std::atomic<bool> internals_tuned{false};

struct Hook {
  void* object;
  void (*call)(void*);
  void (*destroy)(void*);
};
std::mutex hooks_mutex;  // guards `hooks`; not held while a hook runs, so that a hook may register another
std::vector<Hook> hooks;

bool pop_hook(Hook& hook) {
  std::lock_guard lock(hooks_mutex);
  if (hooks.empty()) return false;
  hook = hooks.back();
  hooks.pop_back();
  return true;
}

// noexcept: an exception of a hook calls std::terminate, as documented.
void call_hooks() noexcept {
  for (Hook hook; pop_hook(hook);) {
    hook.call(hook.object);
    hook.destroy(hook.object);
  }
}

void begin_initialize() {
  Impl::refuse_other_library();
  State expected = State::never_initialized;
  if (state.compare_exchange_strong(expected, State::initializing)) return;
  if (expected == State::finalized || expected == State::finalizing) {
    Impl::host_abort(
        "Kokkos::initialize was called after Kokkos::finalize. Kokkos can be initialized once in a program; call "
        "finalize at its end.");
  }
  Impl::host_abort(
      "Kokkos::initialize (or Kokkos::ScopeGuard) was called a second time. Kokkos can be initialized once in a "
      "program; "
      "call Kokkos::is_initialized() first if it may be initialized already.");
}

// Adds to the error of a backend the problems of this machine that may explain it. Errors of other types, such as lack of
// memory, have their own words.
[[noreturn]] void rethrow_explained(Impl::Backend const& backend) {
  try {
    throw;
  } catch (std::runtime_error const& error) {
    if (typeid(error) != typeid(std::runtime_error)) throw;
    throw std::runtime_error(error.what() + Impl::explain_failure(Impl::examine(Impl::gather_machine_facts()),
                                                                  backend.num_devices != nullptr));
  }
}

// Propagates a backend's exception after finalizing the backends that were initialized before it.
void initialize_backends(InitializationSettings const& settings) {
  int ready = 0;
  try {
    for (; Impl::backend_table[ready] != nullptr; ++ready) Impl::backend_table[ready]->initialize(settings);
  } catch (...) {
    auto const& failed = *Impl::backend_table[ready];
    while (ready > 0) Impl::backend_table[--ready]->finalize();
    rethrow_explained(failed);
  }
}

void finalize_backends() {
  int count = 0;
  while (Impl::backend_table[count] != nullptr) ++count;
  while (count > 0) Impl::backend_table[--count]->finalize();
}

// Ends the backends, and then writes the table of waits.
void finish_backends() {
  bool const explains = Impl::waits_are_recorded();
  {
    Impl::WaitScope const scope(Impl::WaitReason::finalize);
    finalize_backends();
  }
  Impl::stop_wait_record();
  if (explains) std::fputs(Impl::wait_report().c_str(), stderr);
}

Tools::InitArguments tools_arguments(InitializationSettings const& settings) {
  Tools::InitArguments arguments;
  if (settings.has_tools_libs()) arguments.lib = settings.get_tools_libs();
  if (settings.has_tools_args()) arguments.args = settings.get_tools_args();
  arguments.help = settings.has_tools_help() && settings.get_tools_help();
  return arguments;
}

#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
const char* const no_effect =
    "Kokkos::initialize: the settings num_devices and skip_device have no effect. Choose a device by device_id or "
    "map_device_id_by, and the devices to choose from by the environment variable KOKKOS_VISIBLE_DEVICES.";
#endif

void start(Impl::ParsedSettings const& parsed) {
  InitializationSettings const& settings = parsed.settings;
  warnings_shown                         = !(settings.has_disable_warnings() && settings.get_disable_warnings());
  internals_tuned                        = settings.has_tune_internals() && settings.get_tune_internals();
  for (std::string const& warning : parsed.warnings) Impl::warn(warning);
  Impl::set_copy_preferences(settings);
  Impl::set_memory_preferences(settings);
  initialize_backends(settings);
  if (settings.has_explain_waits() && settings.get_explain_waits()) Impl::start_wait_record();
  state.store(State::active, std::memory_order_release);

  Tools::InitArguments const tools = tools_arguments(settings);
  if (settings.has_profiler_ranges()) {
    if (tools.lib.empty())
      Impl::report_ranges_to(settings.get_profiler_ranges());
    else
      Impl::warn("Kokkos::initialize: profiler_ranges has no effect beside a tool, which gets the events.");
  }
  Tools::initialize(tools);
  if (tools.help) {
    // The tool has printed its help, which was the purpose of this run.
    finalize();
    std::exit(EXIT_SUCCESS);
  }
  Impl::declare_configuration_to_tools();
  if (settings.has_print_configuration() && settings.get_print_configuration()) print_configuration(std::cout);
}

// Calls `parse` and initializes with its settings. After an exception the state is as it was before the call.
template <class Parse>
void initialize_with(Parse const& parse) {
  begin_initialize();
  try {
    start(parse());
  } catch (...) {
    if (is_initialized()) finalize_backends();
    Impl::stop_wait_record();
    warnings_shown  = true;
    internals_tuned = false;
    state.store(State::never_initialized, std::memory_order_release);
    throw;
  }
}

}  // namespace

void initialize(int& argc, char* argv[]) {
  if (argc > 0 && argv[0] != nullptr) Impl::set_program_name(argv[0]);
  initialize_with([&] {
    Impl::ParsedSettings const environment = Impl::parse_environment();
    Impl::ParsedSettings parsed            = Impl::merge(environment, Impl::parse_arguments(argc, argv));
    if (parsed.help) {
      std::fputs(Impl::help_text().c_str(), stdout);
      state.store(State::never_initialized);
      std::exit(EXIT_SUCCESS);
    }
    return parsed;
  });
}

void initialize(InitializationSettings const& settings) {
  initialize_with([&] {
    Impl::ParsedSettings given;
    given.settings = settings;
    Impl::check_settings(settings);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
    if (settings.has_num_devices() || settings.has_skip_device()) given.warnings.push_back(no_effect);
#endif
    return Impl::merge(Impl::parse_environment(), given);
  });
}

void finalize() {
  State expected = State::active;
  if (!state.compare_exchange_strong(expected, State::finalizing)) {
    if (expected == State::finalized || expected == State::finalizing) {
      Impl::host_abort("Kokkos::finalize was called a second time. It ends Kokkos for the rest of the program.");
    }
    Impl::host_abort("Kokkos::finalize was called before Kokkos::initialize. There is nothing to finalize.");
  }
  call_hooks();
  Tools::finalize();
  finish_backends();
  warnings_shown  = true;
  internals_tuned = false;
  state.store(State::finalized, std::memory_order_release);
}

bool Impl::is_active() noexcept { return state.load(std::memory_order_acquire) >= State::active; }

bool is_initialized() noexcept {
  if (!Impl::is_active()) return false;
  Impl::refuse_other_library();
  return true;
}

bool is_finalized() noexcept { return state.load(std::memory_order_acquire) == State::finalized; }

bool show_warnings() noexcept { return warnings_shown.load(std::memory_order_relaxed); }
bool tune_internals() noexcept { return internals_tuned.load(std::memory_order_relaxed); }

void fence(std::string const& label) {
  Impl::require_initialized("Kokkos::fence");
  Impl::WaitScope const scope(Impl::WaitReason::fence_of_all, label.c_str());
  for (auto backend = Impl::backend_table; *backend != nullptr; ++backend) (*backend)->fence(label);
}

void Impl::fence_host_backends(std::string const& label) {
  for (auto backend = backend_table; *backend != nullptr; ++backend)
    if ((*backend)->num_devices == nullptr) (*backend)->fence(label);
}

void fence() {
  static auto const& label = *new std::string("Kokkos::fence: Unnamed Global Fence");  // never destroyed
  fence(label);
}

int num_devices() noexcept {
  for (auto backend = Impl::backend_table; *backend != nullptr; ++backend)
    if ((*backend)->num_devices != nullptr) return (*backend)->num_devices();
  return -1;
}

int device_id() noexcept {
  for (auto backend = Impl::backend_table; *backend != nullptr; ++backend)
    if ((*backend)->device_id != nullptr) return (*backend)->device_id();
  return -1;
}

void Impl::push_finalize_hook(void* hook, void (*call)(void*), void (*destroy)(void*)) {
  std::lock_guard lock(hooks_mutex);
  hooks.push_back({hook, call, destroy});
}

}  // namespace Kokkos
