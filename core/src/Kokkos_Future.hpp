// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_FUTURE_HPP
#define KOKKOS_FUTURE_HPP

/// \file
/// Once defined the futures of tasks. The header that it includes explains what replaces them.

#include <Kokkos_TaskScheduler.hpp>

#endif
