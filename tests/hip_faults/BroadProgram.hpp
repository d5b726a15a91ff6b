// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_BROAD_PROGRAM_HPP
#define KOKKOS_TEST_BROAD_PROGRAM_HPP

/// \file
/// A program with every call of HIP that the backend makes, in steps that check their own results.

#include <stdexcept>
#include <vector>

namespace broad {

/// Thrown by a step if a value is wrong although no failure was reported.
struct WrongResult : std::logic_error {
  using std::logic_error::logic_error;
};

/// A call of the program itself, not of the backend, has failed, so the result is meaningless.
struct OwnCallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Step {
  char const* name;
  void (*run)();
};

/// Each step is independent and ends with a fence; after a failed step, the next ones work.
std::vector<Step> const& steps();

}  // namespace broad

#endif
