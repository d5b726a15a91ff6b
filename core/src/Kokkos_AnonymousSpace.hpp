// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ANONYMOUS_SPACE_HPP
#define KOKKOS_ANONYMOUS_SPACE_HPP

/// \file
/// Kokkos::AnonymousSpace: the memory space of a view that may point to any memory.

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_SpaceAccessibility.hpp>

#include <cstddef>

namespace Kokkos {

/// Unspecified memory. Unmanaged views of any space can be assigned to views of this space and back, which avoids
/// instantiations for each space. The program must ensure that each access is valid. No memory can be allocated in this
/// space.
class AnonymousSpace {
 public:
  using memory_space    = AnonymousSpace;                         ///< the space itself
  using execution_space = DefaultExecutionSpace;                  ///< the default
  using device_type     = Device<execution_space, memory_space>;  ///< both spaces
  using size_type       = std::size_t;                            ///< type of sizes
  using index_type      = std::ptrdiff_t;                         ///< type of signed offsets

  static constexpr char const* name() { return "Anonymous"; }  ///< the name in messages
};

}  // namespace Kokkos

#endif
