// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A library that replaces libcuda.so.1 and reports a driver for CUDA 11.0. All other calls fail.

#include <cstring>

namespace {
constexpr int success = 0, failure = 999;
int fail() { return failure; }
}  // namespace

extern "C" {

int cuInit(unsigned) { return success; }

int cuDriverGetVersion(int* version) {
  *version = 11000;
  return success;
}

int cuGetProcAddress_v2(char const* name, void** found, int, unsigned long long, int* status) {
  if (status) *status = 0;
  *found = reinterpret_cast<void*>(&fail);
  if (std::strcmp(name, "cuInit") == 0) *found = reinterpret_cast<void*>(&cuInit);
  if (std::strcmp(name, "cuDriverGetVersion") == 0) *found = reinterpret_cast<void*>(&cuDriverGetVersion);
  if (std::strcmp(name, "cuGetProcAddress") == 0) *found = reinterpret_cast<void*>(&cuGetProcAddress_v2);
  return success;
}

}  // extern "C"
