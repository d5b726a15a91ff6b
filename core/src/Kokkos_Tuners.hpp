// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TUNERS_HPP
#define KOKKOS_TUNERS_HPP

/// \file
/// Tuners let a tuning tool choose parameters of a program. Kokkos_Core.hpp includes this file in builds with
/// Kokkos_ENABLE_TUNING=ON.

#include <impl/pattern/Kokkos_PolicyTuners.hpp>
#include <impl/tools/Kokkos_TuningSpace.hpp>

#endif
