// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_WAIT_REPORT_HPP
#define KOKKOS_RUNTIME_WAIT_REPORT_HPP

/// \file
/// The table that KOKKOS_EXPLAIN_WAITS prints.

#include <impl/runtime/Kokkos_WaitRecord.hpp>

#include <cstddef>
#include <string>
#include <vector>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// All waits for one reason at one place.
struct WaitRow {
  WaitReason reason;
  std::string where;
  std::size_t count;
  long long nanoseconds;  ///< in all
  long long longest;      ///< nanoseconds of the longest wait
};

/// The waits so far, the longest total time first.
std::vector<WaitRow> recorded_waits();
/// The number of threads that wait now, if waits are recorded; for tests.
int waits_in_progress() noexcept;
/// Starts a new record. Called by initialize, and by tests.
void start_wait_record();
/// Ends the record. Waits of other threads that still last are not recorded.
void stop_wait_record() noexcept;

/// The length of the recorded time, and the number of threads that waited in it.
struct WaitTotals {
  double seconds;  ///< from initialize to finalize
  int threads;     ///< host threads that waited
};

/// The table for users: the longest rows, and what to change for each reason.
std::string wait_report(std::vector<WaitRow> const& rows, WaitTotals totals);
/// The table of the record. Called by finalize.
std::string wait_report();

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
