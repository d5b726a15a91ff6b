// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Breaks a rule of HIP on purpose, and expects that the model reports it.
#include <hip/hip_runtime_api.h>

#include <cstdio>

#include "hip_model.hpp"

int main() {
  void* memory = nullptr;
  if (hipMalloc(&memory, 64) != hipSuccess) return 1;
  if (hipFree(memory) != hipSuccess || hipFree(memory) == hipSuccess) return 2;
  if (hip_model::violation_count() != 1 || hip_model::last_report().rule != "double-free") return 3;
  hip_model::reset_reports();
  std::puts("The model reported the second hipFree.");
}
