// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_BROAD_PROGRAM_HPP
#define KOKKOS_TEST_BROAD_PROGRAM_HPP

/// \file
/// A program that makes every call of HIP that the backend makes, in steps that check their own results.

#include <stdexcept>
#include <vector>

namespace broad {

/// What a step throws when a value is not what it should be and nothing was said of a failure.
struct WrongResult : std::logic_error {
  using std::logic_error::logic_error;
};

/// A call that the program itself makes, not the backend, has failed: nothing is learnt from it.
struct OwnCallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Step {
  const char* name;
  void (*run)();
};

/// Each step stands by itself and ends with a fence; after one that failed, the next ones work.
std::vector<Step> const& steps();

}  // namespace broad

#endif
