// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A shared object in place of a profiler's library. It counts the calls of its functions.

namespace {
int pushed = 0, popped = 0, marked = 0;
}

extern "C" {
int nvtxRangePushA(char const*) { return pushed++; }
int nvtxRangePop() { return popped++; }
void nvtxMarkA(char const*) { ++marked; }
int kokkos_test_profiler_calls() { return 10000 * pushed + 100 * popped + marked; }
}
