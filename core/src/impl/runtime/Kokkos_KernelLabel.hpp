// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_KERNEL_LABEL_HPP
#define KOKKOS_RUNTIME_KERNEL_LABEL_HPP

/// \file
/// The label of the kernel that this thread launches or runs, for messages; and whether the kernel is only recorded.

#include <string>
#include <string_view>

namespace Kokkos::Impl {

extern constinit thread_local char const* kernel_label;
/// On a thread that runs another thread's kernel: the address of that thread's label.
extern constinit thread_local char const* const* kernel_label_of_launcher;

inline char const* current_kernel_label() noexcept { return kernel_label ? kernel_label : "unnamed"; }

/// Sets the label of this thread's kernel while the scope lives. The string must live as long.
class KernelLabelScope {
 public:
  explicit KernelLabelScope(char const* label) noexcept : m_before(kernel_label) { kernel_label = label; }
  ~KernelLabelScope() { kernel_label = m_before; }
  KernelLabelScope(KernelLabelScope const&)            = delete;
  KernelLabelScope& operator=(KernelLabelScope const&) = delete;

 private:
  char const* m_before;
};

/// Like `KernelLabelScope` above, on the other threads of the kernel. They receive only the address, and read it only
/// after an error, so that no thread waits for the cache line of the label.
class LauncherLabelScope {
 public:
  explicit LauncherLabelScope(char const* const* label) noexcept : m_before(kernel_label_of_launcher) {
    kernel_label_of_launcher = label;
  }
  ~LauncherLabelScope() { kernel_label_of_launcher = m_before; }
  LauncherLabelScope(LauncherLabelScope const&)            = delete;
  LauncherLabelScope& operator=(LauncherLabelScope const&) = delete;

 private:
  char const* const* m_before;
};

/// A type's name for messages: `lambda 1 in solve` where nvcc has wrapped a lambda, and the wrapper's name, which lists the types of
/// the function's parameters and of all captured variables, fills half a screen. Other names are returned unchanged.
std::string readable_type(std::string_view type);

/// ` In the kernel "fill".` for the end of a message. If the program gave no label, this uses the functor's type. Empty
/// outside of kernels.
std::string in_which_kernel();

/// The label of the kernel that this thread launches, or the functor's type if the program gave no label. Empty outside of
/// kernels.
std::string readable_kernel_label();

/// True while this thread records kernels for a graph: these do not run yet, so they are not reported to tools.
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
