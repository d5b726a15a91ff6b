// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Setting of callbacks.

#include <impl/tools/Kokkos_ToolsCallbacks.hpp>

#include <atomic>
#include <cstring>
#include <mutex>

namespace Kokkos {

namespace Impl {

static_assert(sizeof(EventSet) == 275 * sizeof(void*), "Tools rely on the size of the set of callbacks.");
static_assert(offsetof(EventSet, request_tool_settings) == 27 * sizeof(void*) &&
                  offsetof(EventSet, declare_output_type) == 37 * sizeof(void*),
              "Tools rely on the places of callbacks.");
static_assert(sizeof(Tools::ToolSettings) == 256 && sizeof(Tools::ToolProgrammingInterface) == 32 * sizeof(void*));

EventSet callbacks = {};
int tools_active   = 0;

namespace {

std::mutex callbacks_mutex;  // see Kokkos_ToolsCallbacks.hpp
EventSet put_aside = {};     // the callbacks at the time when tools were paused; guarded by callbacks_mutex
bool paused        = false;  // guarded by callbacks_mutex

// Calls `visit(member)` for each callback.
template <class Visit>
void for_each_event(Visit const& visit) {
#define KOKKOS_IMPL_VISIT(signature, name, symbol) visit(&EventSet::name);
  KOKKOS_TOOLS_PROFILING_CALLBACKS(KOKKOS_IMPL_VISIT)
  KOKKOS_TOOLS_TUNING_CALLBACKS(KOKKOS_IMPL_VISIT)
#undef KOKKOS_IMPL_VISIT
}

// The caller holds callbacks_mutex.
void update_tools_active() {
  bool any = false;
  for_each_event([&](auto event) { any = any || callback(event) != nullptr; });
  __atomic_store_n(&tools_active, any ? 1 : 0, __ATOMIC_RELAXED);
}

template <class Function>
void store(Function EventSet::* event, Function function) {
  __atomic_store_n(&(callbacks.*event), function, __ATOMIC_RELEASE);
}

template <class Function>
void set_callback(Function EventSet::* event, Function function) {
  std::lock_guard lock(callbacks_mutex);
  store(event, function);
  update_tools_active();
}

// The caller holds callbacks_mutex.
void set_all(EventSet const& events) {
  for_each_event([&](auto event) { store(event, events.*event); });
  // Only get_callbacks, under the lock, reads the reserved slots.
  std::memcpy(callbacks.profiling_padding, events.profiling_padding, sizeof events.profiling_padding);
  std::memcpy(callbacks.padding, events.padding, sizeof events.padding);
  update_tools_active();
}

}  // namespace
}  // namespace Impl

namespace Tools::Experimental {

void set_callbacks(EventSet events) {
  std::lock_guard lock(Impl::callbacks_mutex);
  Impl::set_all(events);
}

EventSet get_callbacks() {
  std::lock_guard lock(Impl::callbacks_mutex);
  EventSet events = Impl::callbacks;
  if (Impl::paused) {
    Impl::for_each_event([&](auto event) {
      if (events.*event == nullptr) events.*event = Impl::put_aside.*event;
    });
  }
  return events;
}

void pause_tools() {
  std::lock_guard lock(Impl::callbacks_mutex);
  // A second pause disables the callbacks that were set since the first pause. Resume restores the callbacks from
  // before the first pause.
  if (!Impl::paused) Impl::put_aside = Impl::callbacks;
  Impl::paused = true;
  Impl::set_all(EventSet{});
}

void resume_tools() {
  std::lock_guard lock(Impl::callbacks_mutex);
  if (!Impl::paused) return;
  Impl::paused = false;
  Impl::set_all(Impl::put_aside);
}

#define KOKKOS_IMPL_SETTER(setter, event) \
  void setter(decltype(EventSet::event) function) { Impl::set_callback(&EventSet::event, function); }
KOKKOS_IMPL_SETTER(set_init_callback, init)
KOKKOS_IMPL_SETTER(set_finalize_callback, finalize)
KOKKOS_IMPL_SETTER(set_parse_args_callback, parse_args)
KOKKOS_IMPL_SETTER(set_print_help_callback, print_help)
KOKKOS_IMPL_SETTER(set_request_tool_settings_callback, request_tool_settings)
KOKKOS_IMPL_SETTER(set_provide_tool_programming_interface_callback, provide_tool_programming_interface)
KOKKOS_IMPL_SETTER(set_declare_metadata_callback, declare_metadata)
KOKKOS_IMPL_SETTER(set_begin_parallel_for_callback, begin_parallel_for)
KOKKOS_IMPL_SETTER(set_end_parallel_for_callback, end_parallel_for)
KOKKOS_IMPL_SETTER(set_begin_parallel_reduce_callback, begin_parallel_reduce)
KOKKOS_IMPL_SETTER(set_end_parallel_reduce_callback, end_parallel_reduce)
KOKKOS_IMPL_SETTER(set_begin_parallel_scan_callback, begin_parallel_scan)
KOKKOS_IMPL_SETTER(set_end_parallel_scan_callback, end_parallel_scan)
KOKKOS_IMPL_SETTER(set_begin_fence_callback, begin_fence)
KOKKOS_IMPL_SETTER(set_end_fence_callback, end_fence)
KOKKOS_IMPL_SETTER(set_begin_deep_copy_callback, begin_deep_copy)
KOKKOS_IMPL_SETTER(set_end_deep_copy_callback, end_deep_copy)
KOKKOS_IMPL_SETTER(set_allocate_data_callback, allocate_data)
KOKKOS_IMPL_SETTER(set_deallocate_data_callback, deallocate_data)
KOKKOS_IMPL_SETTER(set_dual_view_sync_callback, sync_dual_view)
KOKKOS_IMPL_SETTER(set_dual_view_modify_callback, modify_dual_view)
KOKKOS_IMPL_SETTER(set_push_region_callback, push_region)
KOKKOS_IMPL_SETTER(set_pop_region_callback, pop_region)
KOKKOS_IMPL_SETTER(set_create_profile_section_callback, create_profile_section)
KOKKOS_IMPL_SETTER(set_start_profile_section_callback, start_profile_section)
KOKKOS_IMPL_SETTER(set_stop_profile_section_callback, stop_profile_section)
KOKKOS_IMPL_SETTER(set_destroy_profile_section_callback, destroy_profile_section)
KOKKOS_IMPL_SETTER(set_profile_event_callback, profile_event)
KOKKOS_IMPL_SETTER(set_declare_output_type_callback, declare_output_type)
KOKKOS_IMPL_SETTER(set_declare_input_type_callback, declare_input_type)
KOKKOS_IMPL_SETTER(set_request_output_values_callback, request_output_values)
KOKKOS_IMPL_SETTER(set_begin_context_callback, begin_tuning_context)
KOKKOS_IMPL_SETTER(set_end_context_callback, end_tuning_context)
KOKKOS_IMPL_SETTER(set_declare_optimization_goal_callback, declare_optimization_goal)
#undef KOKKOS_IMPL_SETTER

}  // namespace Tools::Experimental
}  // namespace Kokkos
