// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_KERNEL_LABEL_HPP
#define KOKKOS_RUNTIME_KERNEL_LABEL_HPP

/// \file
/// The label of the kernel that this thread launches or works on, for messages; and whether it is launched at all.

#include <string>

namespace Kokkos::Impl {

extern constinit thread_local const char* kernel_label;
/// On a thread that works on another thread's kernel: where that one's label is.
extern constinit thread_local const char* const* kernel_label_of_launcher;

inline const char* current_kernel_label() noexcept { return kernel_label ? kernel_label : "unnamed"; }

/// Names the kernel launched by this thread while the scope lives. The string must live as long.
class KernelLabelScope {
 public:
  explicit KernelLabelScope(const char* label) noexcept : m_before(kernel_label) { kernel_label = label; }
  ~KernelLabelScope() { kernel_label = m_before; }
  KernelLabelScope(KernelLabelScope const&)            = delete;
  KernelLabelScope& operator=(KernelLabelScope const&) = delete;

 private:
  const char* m_before;
};

/// The same on the other threads of the kernel. They are given the address alone: it is read when something went wrong,
/// so that no thread waits for the cache line of the label.
class LauncherLabelScope {
 public:
  explicit LauncherLabelScope(const char* const* label) noexcept : m_before(kernel_label_of_launcher) {
    kernel_label_of_launcher = label;
  }
  ~LauncherLabelScope() { kernel_label_of_launcher = m_before; }
  LauncherLabelScope(LauncherLabelScope const&)            = delete;
  LauncherLabelScope& operator=(LauncherLabelScope const&) = delete;

 private:
  const char* const* m_before;
};

/// ` In the kernel "fill".` for the end of a message, with the functor's type in place of a label that the program did
/// not give; empty outside of kernels.
std::string in_which_kernel();

/// True while this thread records kernels for a graph: these do not run yet, so that tools are not told of them.
extern constinit thread_local bool kernels_are_recorded;

/// Sets kernels_are_recorded while it lives.
class KernelRecordingScope {
 public:
  KernelRecordingScope() noexcept : m_before(kernels_are_recorded) { kernels_are_recorded = true; }
  ~KernelRecordingScope() { kernels_are_recorded = m_before; }
  KernelRecordingScope(KernelRecordingScope const&)            = delete;
  KernelRecordingScope& operator=(KernelRecordingScope const&) = delete;

 private:
  bool m_before;
};

}  // namespace Kokkos::Impl

#endif
