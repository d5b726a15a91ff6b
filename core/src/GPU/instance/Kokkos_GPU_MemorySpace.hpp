// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_SPACE_HPP
#define KOKKOS_GPU_MEMORY_SPACE_HPP

/// \file
/// What the memory spaces of GPUs have in common.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>

#include <cstddef>

namespace Kokkos::Impl {

enum class GPUMemoryPlace {
  device,   ///< on the device
  managed,  ///< moves between host and device as it is used
  pinned    ///< on the host, reached by the device
};

/// Base of CudaSpace, CudaUVMSpace and CudaHostPinnedSpace and their HIP namesakes.
template <class Derived, class ExecSpace, GPUMemoryPlace Place>
class GPUMemorySpace {
 public:
  using memory_space    = Derived;
  using execution_space = ExecSpace;
  using device_type     = Device<ExecSpace, Derived>;
  using size_type       = std::size_t;
  using index_type      = std::ptrdiff_t;

  static constexpr GPUMemoryPlace impl_place = Place;

  /// Allocates `bytes` bytes on the default instance's device; usable by every instance when the call returns.
  /// \throws Experimental::RawMemoryAllocationFailure that says space, size and what the device has free
  void* allocate(std::size_t bytes) const { return impl_allocate(nullptr, nullptr, bytes); }
  /// The same under a label, which the exception names and tools are told.
  void* allocate(const char* label, std::size_t bytes) const { return impl_allocate(nullptr, label, bytes); }
  /// The same for an allocation of which the program uses fewer bytes. Tools are told all of them.
  void* allocate(const char* label, std::size_t bytes, std::size_t) const { return allocate(label, bytes); }
  /// The same, on the device of `instance` and in its order: other instances may use the memory after a fence of it.
  void* allocate(ExecSpace const& instance, const char* label, std::size_t bytes) const {
    return impl_allocate(&instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, const char* label, std::size_t bytes, std::size_t) const {
    return allocate(instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, std::size_t bytes) const {
    return impl_allocate(&instance, nullptr, bytes);
  }
  /// Instances of other execution spaces have no order here: the memory is usable at once.
  template <class Other>
    requires requires { typename Other::execution_space; }
  void* allocate(Other const&, const char* label, std::size_t bytes) const {
    return impl_allocate(nullptr, label, bytes);
  }

  /// As allocate, for elements whose initial value is zero: `cleared` tells whether the memory holds zeros already.
  void* impl_allocate_zeros(const char* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(nullptr, label, bytes, cleared);
  }
  void* impl_allocate_zeros(ExecSpace const& instance, const char* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(&instance, label, bytes, cleared);
  }

  /// Returns what allocate gave, and waits for nothing. Work that was submitted before may still use the memory: it is
  /// not handed out again before that work has ended, on instances of the device and on streams that are ordered with
  /// the default stream. Managed memory is given back to the runtime after a wait for those. Null is allowed.
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
