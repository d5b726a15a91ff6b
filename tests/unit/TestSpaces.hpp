// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_SPACES_HPP
#define KOKKOS_TEST_SPACES_HPP

/// \file
/// The enabled execution spaces as a GoogleTest type list, and their names for test output.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <string>

namespace Kokkos::Testing {


/// Appends S to a list of types.
template <class List, class S>
struct Append;
template <class... Ts, class S>
struct Append<::testing::Types<Ts...>, S> {
  using type = ::testing::Types<Ts..., S>;
};

using WithNone = ::testing::Types<>;
#ifdef KOKKOS_ENABLE_SERIAL
using WithSerial = Append<WithNone, Kokkos::Serial>::type;
#else
using WithSerial = WithNone;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
using WithOpenMP = Append<WithSerial, Kokkos::OpenMP>::type;
#else
using WithOpenMP = WithSerial;
#endif

using ExecutionSpaces = WithOpenMP;

struct SpaceName {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace Kokkos::Testing

#endif
