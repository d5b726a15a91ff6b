// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_SPACES_HPP
#define KOKKOS_TEST_SPACES_HPP

/// \file
/// The enabled execution spaces as a GoogleTest type list, and their names for test output.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <string>

namespace Kokkos::Testing {

// The backends that run kernels on host threads.
#if defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_OPENMP)
using HostSpaces = ::testing::Types<Kokkos::Serial, Kokkos::OpenMP>;
#elif defined(KOKKOS_ENABLE_OPENMP)
using HostSpaces = ::testing::Types<Kokkos::OpenMP>;
#else
using HostSpaces = ::testing::Types<Kokkos::Serial>;
#endif

// A build with a device tests the device: what the host backends do is tested by builds of their own.
#if defined(KOKKOS_ENABLE_CUDA)
using ExecutionSpaces = ::testing::Types<Kokkos::Cuda>;
#elif defined(KOKKOS_ENABLE_HIP)
using ExecutionSpaces = ::testing::Types<Kokkos::HIP>;
#else
using ExecutionSpaces = HostSpaces;
#endif

struct SpaceName {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace Kokkos::Testing

#endif
