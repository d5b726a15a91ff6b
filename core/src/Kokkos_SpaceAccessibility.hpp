// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_SPACE_ACCESSIBILITY_HPP
#define KOKKOS_SPACE_ACCESSIBILITY_HPP

/// \file
/// Kokkos::Device, a pair of spaces, and Kokkos::SpaceAccessibility: which code can access which memory.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_Concepts.hpp>

#include <type_traits>

namespace Kokkos {

/// An execution space together with a memory space.
template <class ExecSpace, class MemSpace>
struct Device {
  static_assert(is_execution_space_v<ExecSpace>, "The first argument of Kokkos::Device must be an execution space.");
  static_assert(is_memory_space_v<MemSpace>, "The second argument of Kokkos::Device must be a memory space.");
  using execution_space = ExecSpace;  ///< the first argument
  using memory_space    = MemSpace;   ///< the second argument
  using device_type     = Device;     ///< the pair itself
};

namespace Impl {

/// The relation of two memory spaces. Backends specialise it for their pairs:
/// - assignable: a view of Src may be assigned to a view of Dst;
/// - accessible: code that works on Dst can read and write Src in place;
/// - deepcopy: deep_copy can copy from Src to Dst.
template <class Dst, class Src>
struct MemorySpaceAccess {
  static constexpr bool same       = std::is_same_v<Dst, Src>;
  static constexpr bool anonymous  = std::is_same_v<Dst, AnonymousSpace> || std::is_same_v<Src, AnonymousSpace>;
  static constexpr bool assignable = same || anonymous;
  static constexpr bool accessible = same || anonymous;
  static constexpr bool deepcopy   = same || anonymous;
};

/// Scratch memory belongs to a team: code of that execution space can access it, but it cannot be assigned or copied as
/// a whole.
template <class Dst, class ExecSpace>
  requires(!std::is_same_v<Dst, ScratchMemorySpace<ExecSpace>>)
struct MemorySpaceAccess<Dst, ScratchMemorySpace<ExecSpace>> {
  static constexpr bool assignable = std::is_same_v<Dst, AnonymousSpace>;
  static constexpr bool accessible = assignable || std::is_same_v<Dst, typename ExecSpace::memory_space>;
  static constexpr bool deepcopy   = assignable;
};

}  // namespace Impl

/// The permissions of code of AccessSpace (an execution space, a memory space, which represents its execution space, or
/// a Device) for memory of MemSpace.
template <class AccessSpace, class MemSpace>
struct SpaceAccessibility {
  static_assert(
      is_space_v<AccessSpace>,
      "The first argument of Kokkos::SpaceAccessibility must be an execution space, a memory space or a Device.");
  static_assert(is_memory_space_v<MemSpace>,
                "The second argument of Kokkos::SpaceAccessibility must be a memory space.");

 private:
  using execution_space = typename AccessSpace::execution_space;
  using native_memory   = typename execution_space::memory_space;
  using between         = Impl::MemorySpaceAccess<typename AccessSpace::memory_space, MemSpace>;

 public:
  /// Whether the code can read and write the memory.
  static constexpr bool accessible = Impl::MemorySpaceAccess<native_memory, MemSpace>::accessible;
  /// Whether a view of MemSpace may be assigned to a view of AccessSpace.
  static constexpr bool assignable = between::assignable;
  /// Whether deep_copy copies from MemSpace to AccessSpace.
  static constexpr bool deepcopy = between::deepcopy;

  /// A Device for a copy that the code can access. Its memory is MemSpace itself if that is accessible.
  using space = Device<execution_space, std::conditional_t<accessible, MemSpace, native_memory>>;
};

/// True if there is a Kokkos::SharedSpace.
#ifdef KOKKOS_HAS_SHARED_SPACE
inline constexpr bool has_shared_space = true;
#else
inline constexpr bool has_shared_space = false;
#endif
/// True if there is a Kokkos::SharedHostPinnedSpace.
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
inline constexpr bool has_shared_host_pinned_space = true;
#else
inline constexpr bool has_shared_host_pinned_space = false;
#endif

}  // namespace Kokkos

#endif
