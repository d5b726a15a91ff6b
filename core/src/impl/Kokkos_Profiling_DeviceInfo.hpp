// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_IMPL_PROFILING_DEVICE_INFO_HPP
#define KOKKOS_IMPL_PROFILING_DEVICE_INFO_HPP

/// \file
/// The former path of Kokkos_Profiling_Interface.hpp, kept for programs that include it.

#include <Kokkos_Profiling_Interface.hpp>

#endif
