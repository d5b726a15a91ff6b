// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PROFILING_SCOPED_REGION_HPP
#define KOKKOS_PROFILING_SCOPED_REGION_HPP

/// \file
/// Kokkos::Profiling::ScopedRegion: a region that ends with a scope.

#include <Kokkos_Profiling_Interface.hpp>

#include <string>

namespace Kokkos::Profiling {

/// The constructor pushes a region and the destructor pops it, also when an exception leaves the scope.
class [[nodiscard]] ScopedRegion {
 public:
  /// `name` is the name of the region in tools.
  [[nodiscard]] explicit ScopedRegion(std::string const& name) { pushRegion(name); }
  ~ScopedRegion() { popRegion(); }
  ScopedRegion(ScopedRegion const&)            = delete;
  ScopedRegion& operator=(ScopedRegion const&) = delete;
};

}  // namespace Kokkos::Profiling

#endif
