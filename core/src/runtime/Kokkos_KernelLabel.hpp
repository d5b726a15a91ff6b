// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_KERNEL_LABEL_HPP
#define KOKKOS_RUNTIME_KERNEL_LABEL_HPP

/// \file
/// The label of the kernel that this thread is about to launch, for the messages of backends that learn of errors late.

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

}  // namespace Kokkos::Impl

#endif
