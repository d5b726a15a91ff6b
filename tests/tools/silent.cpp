// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A shared object that is not a tool: it has none of the functions.

extern "C" int kokkos_test_not_a_tool() { return 1; }
