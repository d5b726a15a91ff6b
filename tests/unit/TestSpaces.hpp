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
#elif defined(KOKKOS_ENABLE_THREADS)
using HostSpaces = ::testing::Types<Kokkos::Serial, Kokkos::Threads>;
#elif defined(KOKKOS_ENABLE_OPENMP)
using HostSpaces = ::testing::Types<Kokkos::OpenMP>;
#else
using HostSpaces = ::testing::Types<Kokkos::Serial>;
#endif

// A build with a device tests only the device, because compilers for devices are slow and other builds test the host
// backends. KOKKOS_TEST_EVERY_SPACE, from the CMake option Kokkos_TEST_EVERY_SPACE, adds the host backends.
#if defined(KOKKOS_ENABLE_CUDA)
using DeviceSpace = Kokkos::Cuda;
#elif defined(KOKKOS_ENABLE_HIP)
using DeviceSpace = Kokkos::HIP;
#endif

template <class Device, class Hosts>
struct DeviceAndHosts;
template <class Device, class... Hosts>
struct DeviceAndHosts<Device, ::testing::Types<Hosts...>> {
  using type = ::testing::Types<Hosts..., Device>;
};

#if !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
#if defined(KOKKOS_TEST_SPLIT_HOSTS)  // here OpenMP runs the tests of patterns only
using ExecutionSpaces = ::testing::Types<Kokkos::Serial>;
#else
using ExecutionSpaces = HostSpaces;
#endif
#elif defined(KOKKOS_TEST_EVERY_SPACE)
using ExecutionSpaces = DeviceAndHosts<DeviceSpace, HostSpaces>::type;
#else
using ExecutionSpaces = ::testing::Types<DeviceSpace>;
#endif

// The spaces for tests of code that uses backends only through patterns, such as algorithms and containers: the device
// if the build has one, otherwise the host spaces. Such tests are the slowest to compile, and for each kind of backend
// there is another build.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using PatternSpaces = ::testing::Types<DeviceSpace>;
#elif defined(KOKKOS_TEST_SPLIT_HOSTS)
using PatternSpaces = ::testing::Types<Kokkos::OpenMP>;
#else
using PatternSpaces = HostSpaces;
#endif

struct SpaceName {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace Kokkos::Testing

#endif
