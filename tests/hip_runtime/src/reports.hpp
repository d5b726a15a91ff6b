// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_REPORTS_HPP
#define KOKKOS_TEST_HIP_MODEL_REPORTS_HPP

/// \file
/// The violations of rules.

#include "../hip_model.hpp"
#include "fork.hpp"
#include "object.hpp"

#include <vector>

namespace hip_model {

class Reports {
 public:
  static Reports& get();
  void add(Report report);
  std::size_t count();
  std::vector<Report> all();
  void reset();

 private:
  ForkedMutex m_mutex;
  std::vector<Report> m_reports;
};

hipError_t sticky_error();  ///< of the calling thread's device
void set_sticky_error(int device, hipError_t);

}  // namespace hip_model

#endif
