// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_PROFILER_RANGES_HPP
#define KOKKOS_RUNTIME_PROFILER_RANGES_HPP

/// \file
/// Ranges in a vendor's profiler that are named by kernel, without a tool.

#include <string>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// Reports kernels, regions and fences as ranges, and copies and events as marks, to the profiler: "nvtx" or "roctx". Call it
/// before Tools::initialize, in place of loading a tool. A range is the call on the host; the profiler connects it to
/// the kernel on the device. If no library provides the functions of the profiler, a message names those that were
/// tried, and the program runs without ranges.
void report_ranges_to(std::string const& profiler);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
