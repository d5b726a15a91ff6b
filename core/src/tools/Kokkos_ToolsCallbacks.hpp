// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_TOOLS_CALLBACKS_HPP
#define KOKKOS_RUNTIME_TOOLS_CALLBACKS_HPP

/// \file
/// The callbacks that are set, for the source files that call them.

#include <Kokkos_Profiling_Interface.hpp>
#include <tools/Kokkos_ToolsHooks.hpp>

namespace Kokkos::Impl {

using Tools::Experimental::EventSet;

// Concurrency. Threads report events while another thread sets callbacks:
// - Each pointer is read and written by an atomic operation of its own, so that a reader finds the old or the new
//   function. It writes with release and reads with acquire: whoever finds a function also finds what the setter had
//   prepared for it.
// - Pointers of a pair (begin and end) may come from two settings, if the setting happens in between; callbacks have to
//   be set while nothing runs if that matters.
// - `callbacks_mutex` (in the .cpp file) serialises all writers and get_callbacks, and `tools_active` is recomputed
//   under it. It is never held while a callback runs: a callback may set callbacks.
extern EventSet callbacks;

/// The function that is set for an event, or null.
template <class Function>
Function callback(Function EventSet::*event) noexcept {
  return __atomic_load_n(&(callbacks.*event), __ATOMIC_ACQUIRE);
}

/// Calls the function that is set for an event, if there is one. Returns whether there was.
template <class Function, class... Args>
bool call_tool(Function EventSet::*event, Args... args) {
  const Function function = callback(event);
  if (function == nullptr) return false;
  function(args...);
  return true;
}

/// Whether the tool wants devices to have finished before kernels and regions are reported.
bool tool_requires_fencing() noexcept;
void set_tool_requires_fencing(bool) noexcept;

/// Waits for all work if the tool wants that. Such a fence is the tool's and not reported to it.
void fence_for_tool();

}  // namespace Kokkos::Impl

#endif
