// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_INITIALIZATION_SETTINGS_HPP
#define KOKKOS_INITIALIZATION_SETTINGS_HPP

/// \file
/// Kokkos::InitializationSettings: the settings that a program passes to Kokkos::initialize.

#include <Kokkos_Macros.hpp>

#include <string>

namespace Kokkos {

/// A set of optional settings. They override environment variables, which supply the settings that are not given here.
///
/// For each setting X there are `set_X(value)`, which returns the object, `has_X()`, and `get_X()`, which requires
/// has_X(). Kokkos::initialize checks the values.
class InitializationSettings {
#define KOKKOS_IMPL_SETTING(TYPE, NAME)                      \
 public:                                                     \
  InitializationSettings& set_##NAME(TYPE value) {           \
    NAME##_       = static_cast<TYPE&&>(value);              \
    has_##NAME##_ = true;                                    \
    return *this;                                            \
  }                                                          \
  bool has_##NAME() const noexcept { return has_##NAME##_; } \
  TYPE get_##NAME() const { return NAME##_; }                \
                                                             \
 private:                                                    \
  TYPE NAME##_{};                                            \
  bool has_##NAME##_ = false

  KOKKOS_IMPL_SETTING(int, num_threads);               ///< threads of the host backend; 0 and -1: as if not set
  KOKKOS_IMPL_SETTING(int, device_id);                 ///< device, from 0 to Kokkos::num_devices() - 1, if there is any
  KOKKOS_IMPL_SETTING(std::string, map_device_id_by);  ///< "mpi_rank" or "random", if device_id is not set
  KOKKOS_IMPL_SETTING(bool, disable_warnings);         ///< no warnings on the standard error stream
  KOKKOS_IMPL_SETTING(bool, print_configuration);      ///< print_configuration after initialization
  KOKKOS_IMPL_SETTING(bool, tune_internals);           ///< let a tool tune launch parameters
  KOKKOS_IMPL_SETTING(std::string, pageable_copy);     ///< "blocking", "default" or "async": see docs/copies.md
  KOKKOS_IMPL_SETTING(bool, copy_check);               ///< poison host destinations until a copy has completed
  KOKKOS_IMPL_SETTING(bool, copy_explain);             ///< write a line about the route of each copy
  KOKKOS_IMPL_SETTING(bool, explain_waits);            ///< write a table of waits at finalize
  KOKKOS_IMPL_SETTING(int, staging_mb);                ///< MiB of pinned memory for copies, for each device
  KOKKOS_IMPL_SETTING(int, staging_threads);           ///< maximum number of host threads for copies
  KOKKOS_IMPL_SETTING(int, device_memory_pool_mb);     ///< MiB that the pool of each device keeps; 0: no pool
  KOKKOS_IMPL_SETTING(std::string, profiler_ranges);   ///< "nvtx" or "roctx": name kernels in that profiler
  KOKKOS_IMPL_SETTING(std::string, device_memory_limit);  ///< of views on each device: "40GiB", "512MiB", "50%"
  KOKKOS_IMPL_SETTING(bool, tools_help);                  ///< let the tool print its help, then exit
  KOKKOS_IMPL_SETTING(std::string, tools_libs);           ///< path or name of the tool's shared object
  KOKKOS_IMPL_SETTING(std::string, tools_args);           ///< arguments for the tool, separated by white space
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  // These two have no effect; initialize warns about them.
  KOKKOS_IMPL_SETTING(int, num_devices);
  KOKKOS_IMPL_SETTING(int, skip_device);
#endif

#undef KOKKOS_IMPL_SETTING
};

}  // namespace Kokkos

#endif
