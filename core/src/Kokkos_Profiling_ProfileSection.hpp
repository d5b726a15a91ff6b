// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_PROFILING_PROFILE_SECTION_HPP
#define KOKKOS_PROFILING_PROFILE_SECTION_HPP

/// \file
/// Kokkos::Profiling::ProfilingSection: a named section that can be started and stopped at any time.

#include <Kokkos_Profiling_Interface.hpp>

#include <cstdint>
#include <string>

namespace Kokkos::Profiling {

/// The constructor creates a section and the destructor destroys it. Sections may overlap.
class [[nodiscard]] ProfilingSection {
 public:
  /// Creates a section, which does not run before start().
  [[nodiscard]] explicit ProfilingSection(std::string const& name) { createProfileSection(name, &section_); }
  ~ProfilingSection() { destroyProfileSection(section_); }
  ProfilingSection(ProfilingSection const&)            = delete;
  ProfilingSection& operator=(ProfilingSection const&) = delete;

  /// Reports to tools that the section starts.
  void start() { startSection(section_); }
  /// Reports to tools that the section stops.
  void stop() { stopSection(section_); }

 private:
  // The number of a section until a tool assigns one.
  std::uint32_t section_ = 0xffffffffu;
};

}  // namespace Kokkos::Profiling

#endif
