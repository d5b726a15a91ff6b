// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TOOLS_CALLBACKS_HPP
#define KOKKOS_RUNTIME_TOOLS_CALLBACKS_HPP

/// \file
/// The current callbacks, for the source files that call them.

#include <Kokkos_Profiling_Interface.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

using Tools::Experimental::EventSet;

// Concurrency. Threads report events while another thread sets callbacks:
// - Each pointer is read and written by its own atomic operation, so a reader gets the old or the new function. Writers
//   use release and readers acquire: a reader that gets a function also sees what the setter prepared for it.
// - Pointers of a pair (begin and end) may come from two settings, if the callbacks are set in between. A tool for
//   which that matters must set callbacks while nothing runs.
// - `callbacks_mutex` (in the .cpp file) serialises all writers and get_callbacks, and `tools_active` is recomputed
//   under it. It is never held while a callback runs, because a callback may set callbacks.
extern EventSet callbacks;

/// The callback of an event, or null.
template <class Function>
Function callback(Function EventSet::* event) noexcept {
  return __atomic_load_n(&(callbacks.*event), __ATOMIC_ACQUIRE);
}

/// Calls the callback of an event, if there is one. Returns whether there was.
template <class Function, class... Args>
bool call_tool(Function EventSet::* event, Args... args) {
  Function const function = callback(event);
  if (function == nullptr) return false;
  function(args...);
  return true;
}

/// Whether the tool requires a fence before kernels and regions are reported.
bool tool_requires_fencing() noexcept;
void set_tool_requires_fencing(bool) noexcept;

/// Waits for all work if the tool requires that. Such a fence belongs to the tool and is not reported to it.
void fence_for_tool();

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
