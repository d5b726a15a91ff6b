// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Macros of every configuration.

#include "Probe.hpp"

// clang-format off: three lines are a probe
#ifndef KOKKOS_ATTRIBUTE_NODISCARD  // "/deprecations"
#error "KOKKOS_ATTRIBUTE_NODISCARD is missing"
#endif
#ifndef KOKKOS_BHALF_T_IS_FLOAT  // "core/numerics/half-precision-types"
#error "KOKKOS_BHALF_T_IS_FLOAT is missing"
#endif
#ifndef KOKKOS_DEFAULTED_FUNCTION  // "core/stl-compat/pair"
#error "KOKKOS_DEFAULTED_FUNCTION is missing"
#endif
#ifndef KOKKOS_FORCEINLINE_CLASS_LAMBDA  // "core/macros-special/host_device_macros"
#error "KOKKOS_FORCEINLINE_CLASS_LAMBDA is missing"
#endif
#ifndef KOKKOS_FORCEINLINE_FUNCTION  // "core/macros-special/host_device_macros"
#error "KOKKOS_FORCEINLINE_FUNCTION is missing"
#endif
#ifndef KOKKOS_FORCEINLINE_LAMBDA  // "core/macros-special/host_device_macros"
#error "KOKKOS_FORCEINLINE_LAMBDA is missing"
#endif
#ifndef KOKKOS_FUNCTION  // "core/builtinreducers/reduction_identity"
#error "KOKKOS_FUNCTION is missing"
#endif
#ifndef KOKKOS_HALF_T_IS_FLOAT  // "core/numerics/half-precision-types"
#error "KOKKOS_HALF_T_IS_FLOAT is missing"
#endif
#ifndef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE  // "core/memory_spaces"
#error "KOKKOS_HAS_SHARED_HOST_PINNED_SPACE is missing"
#endif
#ifndef KOKKOS_HAS_SHARED_SPACE  // "core/memory_spaces"
#error "KOKKOS_HAS_SHARED_SPACE is missing"
#endif
#ifndef KOKKOS_IF_ON_DEVICE  // "core/Macros"
#error "KOKKOS_IF_ON_DEVICE is missing"
#endif
#ifndef KOKKOS_IF_ON_HOST  // "core/Macros"
#error "KOKKOS_IF_ON_HOST is missing"
#endif
#ifndef KOKKOS_INLINE_FUNCTION  // "core/builtinreducers/BAnd"
#error "KOKKOS_INLINE_FUNCTION is missing"
#endif
#ifndef KOKKOS_LAMBDA  // "core/macros-special/host_device_macros"
#error "KOKKOS_LAMBDA is missing"
#endif
#ifndef KOKKOS_MEMORY_ALIGNMENT  // "/deprecations"
#error "KOKKOS_MEMORY_ALIGNMENT is missing"
#endif
#ifndef KOKKOS_VERSION  // "core/Macros"
#error "KOKKOS_VERSION is missing"
#endif
#ifndef KOKKOS_VERSION_EQUAL  // "core/Macros"
#error "KOKKOS_VERSION_EQUAL is missing"
#endif
#ifndef KOKKOS_VERSION_GREATER  // "core/Macros"
#error "KOKKOS_VERSION_GREATER is missing"
#endif
#ifndef KOKKOS_VERSION_GREATER_EQUAL  // "core/Macros"
#error "KOKKOS_VERSION_GREATER_EQUAL is missing"
#endif
#ifndef KOKKOS_VERSION_LESS  // "core/Macros"
#error "KOKKOS_VERSION_LESS is missing"
#endif
#ifndef KOKKOS_VERSION_LESS_EQUAL  // "core/Macros"
#error "KOKKOS_VERSION_LESS_EQUAL is missing"
#endif
#ifndef KOKKOS_VERSION_MAJOR  // "core/Macros"
#error "KOKKOS_VERSION_MAJOR is missing"
#endif
#ifndef KOKKOS_VERSION_MINOR  // "core/Macros"
#error "KOKKOS_VERSION_MINOR is missing"
#endif
#ifndef KOKKOS_VERSION_PATCH  // "core/Macros"
#error "KOKKOS_VERSION_PATCH is missing"
#endif
