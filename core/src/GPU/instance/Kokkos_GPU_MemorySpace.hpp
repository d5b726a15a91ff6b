// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_SPACE_HPP
#define KOKKOS_GPU_MEMORY_SPACE_HPP

/// \file
/// The common base of the memory spaces of GPUs.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>

#include <cstddef>

namespace Kokkos::Impl {

enum class GPUMemoryPlace {
  device,   ///< on the device
  managed,  ///< migrates between host and device on access
  pinned    ///< on the host, accessible from the device
};

/// Base of CudaSpace, CudaUVMSpace, CudaHostPinnedSpace, and the corresponding HIP spaces.
template <class Derived, class ExecSpace, GPUMemoryPlace Place>
class GPUMemorySpace {
 public:
  using memory_space    = Derived;
  using execution_space = ExecSpace;
  using device_type     = Device<ExecSpace, Derived>;
  using size_type       = std::size_t;
  using index_type      = std::ptrdiff_t;

  static constexpr GPUMemoryPlace impl_place = Place;

  /// Allocates `bytes` bytes on the default instance's device. Every instance can use the memory when the call returns.
  /// \throws Experimental::RawMemoryAllocationFailure with the space, the size and the device's free memory
  void* allocate(std::size_t bytes) const { return impl_allocate(nullptr, nullptr, bytes); }
  /// The same with a label, which appears in the exception and is passed to tools.
  void* allocate(const char* label, std::size_t bytes) const { return impl_allocate(nullptr, label, bytes); }
  /// The same for an allocation of which the program uses fewer bytes. Tools get the full size.
  void* allocate(const char* label, std::size_t bytes, std::size_t) const { return allocate(label, bytes); }
  /// The same, on the device of `instance` and in its order. Other instances may use the memory after a fence of
  /// `instance`.
  void* allocate(ExecSpace const& instance, const char* label, std::size_t bytes) const {
    return impl_allocate(&instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, const char* label, std::size_t bytes, std::size_t) const {
    return allocate(instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, std::size_t bytes) const {
    return impl_allocate(&instance, nullptr, bytes);
  }
  /// Instances of other execution spaces are not ordered with this memory: it is usable at once.
  template <class Other>
    requires requires { typename Other::execution_space; }
  void* allocate(Other const&, const char* label, std::size_t bytes) const {
    return impl_allocate(nullptr, label, bytes);
  }

  /// As allocate, for elements whose initial value is zero. `*cleared` reports whether the memory already contains
  /// zeros.
  void* impl_allocate_zeros(const char* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(nullptr, label, bytes, cleared);
  }
  void* impl_allocate_zeros(ExecSpace const& instance, const char* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(&instance, label, bytes, cleared);
  }

  /// Frees memory from allocate, without waiting. Work that was submitted before may still use the memory: it is reused
  /// only after that work has ended, on instances of the device and on streams that are ordered with the default
  /// stream. Managed memory is freed after a wait for that work. Null is allowed.
  void deallocate(void* p, std::size_t bytes) const noexcept { impl_deallocate(nullptr, p, bytes); }
  /// The same, and reports to tools.
  void deallocate(const char* label, void* p, std::size_t bytes) const noexcept { impl_deallocate(label, p, bytes); }
  void deallocate(const char* label, void* p, std::size_t bytes, std::size_t) const noexcept {
    deallocate(label, p, bytes);
  }

  friend bool operator==(Derived const&, Derived const&) noexcept { return true; }

 private:
  static void* impl_allocate(ExecSpace const* instance, const char* label, std::size_t bytes, bool* cleared = nullptr);
  static void impl_deallocate(const char* label, void* p, std::size_t bytes) noexcept;
};

}  // namespace Kokkos::Impl

#endif
