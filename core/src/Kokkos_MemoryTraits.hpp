// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_MEMORYTRAITS_HPP
#define KOKKOS_MEMORYTRAITS_HPP

/// \file
/// MemoryTraits: promises and requirements of a View for the access to its elements.

#include <Kokkos_Core_fwd.hpp>

namespace Kokkos {

/// Combined with `|`: `MemoryTraits<Kokkos::Atomic | Kokkos::RandomAccess>`.
enum MemoryTraitsFlags : unsigned {
  Unmanaged    = 0x01,  ///< the view does not share ownership of its memory
  RandomAccess = 0x02,  ///< elements are accessed in random order
  Atomic       = 0x04,  ///< every read and every write is atomic
  Restrict     = 0x08,  ///< nothing else in scope refers to the same elements
  Aligned      = 0x10   ///< assignment from a view without it requires a first element at a multiple of 64 bytes
};

/// The traits of a View, as a set of MemoryTraitsFlags.
template <unsigned Traits = 0>
struct MemoryTraits {
  /// Marks the type as memory traits.
  using memory_traits = MemoryTraits;

  /// The flags as a number, for deriving other traits.
  static constexpr unsigned impl_value = Traits;

  /// @{
  /// Whether the flag of the same name is set.
  static constexpr bool is_unmanaged     = (Traits & unsigned(Kokkos::Unmanaged)) != 0;
  static constexpr bool is_random_access = (Traits & unsigned(Kokkos::RandomAccess)) != 0;
  static constexpr bool is_atomic        = (Traits & unsigned(Kokkos::Atomic)) != 0;
  static constexpr bool is_restrict      = (Traits & unsigned(Kokkos::Restrict)) != 0;
  static constexpr bool is_aligned       = (Traits & unsigned(Kokkos::Aligned)) != 0;
  /// @}
};

/// @{
/// Shorter names of frequent traits.
using MemoryManaged      = MemoryTraits<>;
using MemoryUnmanaged    = MemoryTraits<Unmanaged>;
using MemoryRandomAccess = MemoryTraits<RandomAccess>;
/// @}

namespace Impl {
/// The alignment of allocations, for programs that read these names.
enum : unsigned {
  MEMORY_ALIGNMENT           = KOKKOS_MEMORY_ALIGNMENT,
  MEMORY_ALIGNMENT_THRESHOLD = KOKKOS_MEMORY_ALIGNMENT_THRESHOLD
};
}  // namespace Impl

}  // namespace Kokkos

#endif
