/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef KOKKOS_IMPL_PROFILING_C_INTERFACE_H
#define KOKKOS_IMPL_PROFILING_C_INTERFACE_H

/**
 * \file
 * The place of the interface to tools that tools include.
 */

#include <impl/tools/Kokkos_Tools_C_Interface.h>

#endif
