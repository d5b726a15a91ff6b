// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The clock of Kokkos::Timer.

#include <Kokkos_Timer.hpp>

#include <chrono>

std::int64_t Kokkos::Impl::steady_nanoseconds() noexcept {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}
