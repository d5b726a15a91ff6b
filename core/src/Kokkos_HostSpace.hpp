// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_SPACE_HPP
#define KOKKOS_HOST_SPACE_HPP

/// \file
/// Kokkos::HostSpace: the memory of the host.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>
#include <impl/runtime/Kokkos_Error.hpp>

#include <cstddef>

namespace Kokkos {

/// Memory that every thread of the host can read and write.
class HostSpace {
 public:
  /// The space itself, under the name that every memory space has.
  using memory_space = HostSpace;
  /// The space that initializes elements in this memory.
  using execution_space = DefaultHostExecutionSpace;
  using device_type     = Device<execution_space, memory_space>;  ///< both spaces
  using size_type       = std::size_t;                            ///< the type of sizes
  using index_type      = std::ptrdiff_t;                         ///< the type of differences of indices

  /// The name of the space in messages and for tools.
  static constexpr char const* name() { return "Host"; }

  HostSpace() = default;
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  enum AllocationMechanism { STD_MALLOC };
  KOKKOS_DEPRECATED_WITH_COMMENT("Use HostSpace(): there is one way to allocate.")
  explicit HostSpace(AllocationMechanism) {}
#endif

  /// Allocates `bytes` bytes, aligned to KOKKOS_MEMORY_ALIGNMENT, without initialization and without a report to tools.
  /// For a size of zero it also returns a pointer that must be deallocated. Throws
  /// Experimental::RawMemoryAllocationFailure, a std::runtime_error with space and size.
  void* allocate(std::size_t bytes) const;
  /// Like `allocate` above, with a label, which appears in the exception and is passed to tools.
  void* allocate(char const* label, std::size_t bytes) const { return allocate(label, bytes, 0); }
  /// Like `allocate` above; tools receive `reported_bytes` if it is not 0.
  void* allocate(char const* label, std::size_t bytes, std::size_t reported_bytes) const;
  /// Like `allocate` above; host memory can be used on any instance as soon as it is allocated.
  template <class ExecSpace>
  void* allocate(ExecSpace const&, char const* label, std::size_t bytes, std::size_t reported_bytes = 0) const {
    return allocate(label, bytes, reported_bytes);
  }
  /// Like `allocate` above, without a label.
  template <class ExecSpace>
    requires requires { typename ExecSpace::execution_space; }
  void* allocate(ExecSpace const&, std::size_t bytes) const {
    return allocate(bytes);
  }

  /// Frees memory from allocate; null is allowed.
  void deallocate(void* p, std::size_t bytes) const noexcept;
  /// Like `deallocate` above, and reports to tools.
  void deallocate(char const* label, void* p, std::size_t bytes, std::size_t reported_bytes = 0) const noexcept;

  friend bool operator==(HostSpace const&, HostSpace const&) noexcept { return true; }  ///< all are the same memory
};

}  // namespace Kokkos

#endif
