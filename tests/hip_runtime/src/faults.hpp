// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_FAULTS_HPP
#define KOKKOS_TEST_HIP_MODEL_FAULTS_HPP

/// \file
/// Calls that fail or are slow because a test requests it, and the number of calls of each function.

#include "api.hpp"
#include "fork.hpp"

#include <map>
#include <string>
#include <vector>

namespace hip_model {

/// HIP_MODEL_FAULTS lists faults, separated by commas: `hipMalloc#3=2` makes the third call return error 2,
/// `hipMemcpyAsync~500` makes each call take 500 microseconds longer, `operation~500` each piece of work of a stream.
class Faults {
 public:
  static Faults& get();
  hipError_t on_call(char const* function);
  void on_operation();
  void fail(char const* function, unsigned nth, hipError_t error);
  void slow(char const* function, unsigned microseconds);
  void clear();
  void reset_counts();
  std::size_t count(char const* function);
  std::vector<std::string> called();

 private:
  struct Fault {
    std::string function;
    unsigned remaining;
    hipError_t error;
  };
  Faults();
  void parse(char const* text);
  ForkedMutex m_mutex;
  std::vector<Fault> m_faults;
  std::map<std::string, unsigned, std::less<>> m_slow;
  std::map<std::string, std::size_t, std::less<>> m_counts;
};

}  // namespace hip_model

#endif
