// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TIMER_HPP
#define KOKKOS_TIMER_HPP

/// \file
/// Kokkos::Timer: elapsed wall-clock time.

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Kokkos {

namespace Impl {
/// Nanoseconds on the steady clock. Out of line, so that users need not compile `<chrono>`.
std::int64_t steady_nanoseconds() noexcept;
}  // namespace Impl

/// Starts at its construction. It does not wait for asynchronous work: fence before reading the time.
class Timer {
 public:
  Timer() : start_(Impl::steady_nanoseconds()) {}
  Timer(Timer const&)            = delete;
  Timer& operator=(Timer const&) = delete;

  /// Seconds since construction or the last reset().
  double seconds() const { return static_cast<double>(Impl::steady_nanoseconds() - start_) * 1e-9; }
  /// Restarts from zero.
  void reset() { start_ = Impl::steady_nanoseconds(); }

 private:
  std::int64_t start_;
};

}  // namespace Kokkos

#endif
