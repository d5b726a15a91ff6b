// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_HOST_TEST_HPP
#define KOKKOS_HOST_TEST_HPP

/// \file
/// Common parts of tests with several host threads.

#include "TestSpaces.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace Kokkos::Testing {

/// Waits until `condition()` is true, for at most 100 seconds. \return whether it is true
template <class Condition>
bool eventually(Condition const& condition) {
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Long enough for another thread to do something wrong.
inline void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// Calls work(i) on `count` new threads concurrently.
template <class Work>
void on_threads(int count, Work const& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

/// A kernel of one iteration that calls `work()` on the launching thread.
template <class Space, class Work>
void run_once(Space const& space, Work const& work) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(space, 0, 1), [work](int) { work(); });
}

}  // namespace Kokkos::Testing

#endif
