// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_KERNEL_LABEL_HPP
#define KOKKOS_RUNTIME_KERNEL_LABEL_HPP

/// \file
/// The label of the kernel that this thread is about to launch, for the messages of backends that learn of errors late;
/// and whether it is launched at all.

namespace Kokkos::Impl {

extern constinit thread_local const char* kernel_label;

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
