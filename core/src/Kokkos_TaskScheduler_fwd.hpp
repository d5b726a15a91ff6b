// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TASKSCHEDULER_FWD_HPP
#define KOKKOS_TASKSCHEDULER_FWD_HPP

/// \file
/// Once declared the types of tasks, which Kokkos 5 removed; kept for programs that include it without using tasks.

#include <Kokkos_Core_fwd.hpp>

#endif
