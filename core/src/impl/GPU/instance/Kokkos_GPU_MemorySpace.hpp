// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_SPACE_HPP
#define KOKKOS_GPU_MEMORY_SPACE_HPP

/// \file
/// The memory spaces of every GPU backend, and which of them are accessible and assignable to one another.

#include <impl/GPU/portable/Kokkos_GPU_CopyPolicy.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>

#include <cstddef>
#include <type_traits>

namespace Kokkos::Impl {

/// Base of a backend's spaces of device, managed and pinned memory. `GPU` is the backend's execution space. `Unified`
/// is true if host and device can access all of each other's memory. By default, code that works on pinned memory runs
/// on the host.
template <class Derived, class GPU, MemoryKind Kind, bool Unified = false>
class GPUMemorySpace {
  using ExecSpace = std::conditional_t<Kind == MemoryKind::pinned, DefaultHostExecutionSpace, GPU>;

 public:
  using memory_space    = Derived;
  using execution_space = ExecSpace;
  using device_type     = Device<ExecSpace, Derived>;
  using size_type       = unsigned int;  // the offsets of a Crs by default: half of the memory of std::size_t
  using index_type      = std::ptrdiff_t;
  using impl_gpu        = GPU;

  static constexpr MemoryKind impl_memory_kind = Kind;
  static constexpr bool impl_unified           = Unified;

  /// Allocates `bytes` bytes on the default instance's device. Every instance can use the memory when the call returns.
  /// \throws Experimental::RawMemoryAllocationFailure with the space, the size and the device's free memory
  void* allocate(std::size_t bytes) const { return impl_allocate(nullptr, nullptr, bytes); }
  /// Allocates as above, with a label that appears in the exception and is passed to tools.
  void* allocate(char const* label, std::size_t bytes) const { return impl_allocate(nullptr, label, bytes); }
  /// Allocates as above, for a program that uses fewer bytes. Tools get the full size.
  void* allocate(char const* label, std::size_t bytes, std::size_t) const { return allocate(label, bytes); }
  /// Allocates on the device of `instance` and in its order. Other instances may use the memory after a fence of
  /// `instance`.
  void* allocate(ExecSpace const& instance, char const* label, std::size_t bytes) const {
    return impl_allocate(&instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, char const* label, std::size_t bytes, std::size_t) const {
    return allocate(instance, label, bytes);
  }
  void* allocate(ExecSpace const& instance, std::size_t bytes) const {
    return impl_allocate(&instance, nullptr, bytes);
  }
  /// Instances of other execution spaces are not ordered with this memory: it is usable at once.
  template <class Other>
    requires requires { typename Other::execution_space; }
  void* allocate(Other const&, char const* label, std::size_t bytes) const {
    return impl_allocate(nullptr, label, bytes);
  }
  template <class Other>
    requires requires { typename Other::execution_space; }
  void* allocate(Other const&, char const* label, std::size_t bytes, std::size_t) const {
    return impl_allocate(nullptr, label, bytes);
  }
  template <class Other>
    requires requires { typename Other::execution_space; }
  void* allocate(Other const&, std::size_t bytes) const {
    return impl_allocate(nullptr, nullptr, bytes);
  }

  /// As allocate, for elements whose initial value is zero. `*cleared` reports whether the memory already contains
  /// zeros.
  void* impl_allocate_zeros(char const* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(nullptr, label, bytes, cleared);
  }
  void* impl_allocate_zeros(ExecSpace const& instance, char const* label, std::size_t bytes, bool* cleared) const {
    return impl_allocate(&instance, label, bytes, cleared);
  }

  /// Frees memory from allocate, without waiting. Work that was submitted before may still use the memory: it is reused
  /// only after that work has ended, on instances of the device and on streams that are ordered with the default
  /// stream. Managed memory is freed after a wait for that work. Null is allowed.
  void deallocate(void* p, std::size_t bytes) const noexcept { impl_deallocate(nullptr, p, bytes); }
  /// Frees memory as above, and reports to tools.
  void deallocate(char const* label, void* p, std::size_t bytes) const noexcept { impl_deallocate(label, p, bytes); }
  void deallocate(char const* label, void* p, std::size_t bytes, std::size_t) const noexcept {
    deallocate(label, p, bytes);
  }

  /// Whether all work on the default instance's device that was submitted so far has ended, after a wait for it if
  /// `wait` is true. For MemoryResource.
  static bool impl_work_has_ended(bool wait);

  friend bool operator==(Derived const&, Derived const&) noexcept { return true; }

 private:
  static void* impl_allocate(ExecSpace const* instance, char const* label, std::size_t bytes, bool* cleared = nullptr);
  static void impl_deallocate(char const* label, void* p, std::size_t bytes) noexcept;
};

template <class Space>
concept IsGPUSpace = requires { Space::impl_memory_kind; };
template <class Space>
concept GPUOrHostSpace = IsGPUSpace<Space> || std::is_same_v<Space, HostSpace>;
/// Two spaces, at least one of which is a GPU's; the other one may be the host's.
template <class A, class B>
concept HasGPUSpace = GPUOrHostSpace<A> && GPUOrHostSpace<B> && (IsGPUSpace<A> || IsGPUSpace<B>);

/// The first of some spaces that is a GPU's.
template <class Space, class... Others>
struct FirstGPUSpace : FirstGPUSpace<Others...> {};
template <IsGPUSpace Space, class... Others>
struct FirstGPUSpace<Space, Others...> {
  using type = Space;
};
/// The execution space of the backend that has one of the memory spaces.
template <class... Spaces>
using GPUOf = typename FirstGPUSpace<Spaces...>::type::impl_gpu;

/// A view of one space may be assigned to a view of another one if all code that works on the latter accesses the
/// former in the same way: managed memory passes for device memory, and pinned memory for the host's.
template <class Dst, class Src>
  requires(HasGPUSpace<Dst, Src> && !std::is_same_v<Dst, Src>)
struct MemorySpaceAccess<Dst, Src> {
 private:
  template <class Space>
  static constexpr bool is(MemoryKind kind) {
    if constexpr (IsGPUSpace<Space>) return Space::impl_memory_kind == kind;
    return false;
  }
  template <class Space>
  static constexpr bool is_host      = !IsGPUSpace<Space>;
  static constexpr bool unified      = FirstGPUSpace<Dst, Src>::type::impl_unified;
  static constexpr bool runs_on_host = is_host<Dst> || is<Dst>(MemoryKind::pinned);

 public:
  static constexpr bool assignable =
      is_host<Dst> ? is<Src>(MemoryKind::pinned) : is<Dst>(MemoryKind::device) && is<Src>(MemoryKind::managed);
  static constexpr bool accessible = unified || (runs_on_host ? !is<Src>(MemoryKind::device) : !is_host<Src>);
  static constexpr bool deepcopy   = true;
};

}  // namespace Kokkos::Impl

#endif
