// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_WAIT_NOTE_HPP
#define KOKKOS_GPU_WAIT_NOTE_HPP

/// \file
/// Tells a runtime that records the waits of host threads what only this folder knows about them.

#include <type_traits>

namespace Kokkos::Impl {

enum class GPUWaitKind {
  functor_slot,  ///< the thread waits until a launch may use a slot of the functor ring
  background,    ///< the thread belongs to the copy engine, so the program does not wait for it
};

/// Lives during such a wait. A runtime that records waits has a type `wait_note`, constructed from the kind. For other
/// runtimes this is empty.
template <class Runtime, class = void>
struct GPUWaitNote {
  explicit GPUWaitNote(GPUWaitKind) noexcept {}
  ~GPUWaitNote() {}  // not trivial, so that no compiler warns of an unused variable
};
template <class Runtime>
struct GPUWaitNote<Runtime, std::void_t<typename Runtime::wait_note>> {
  explicit GPUWaitNote(GPUWaitKind kind) : note(kind) {}
  typename Runtime::wait_note note;
};

}  // namespace Kokkos::Impl

#endif
