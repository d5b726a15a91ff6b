// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers host threads, for UniqueToken and ScatterView. A thread returns its number when it ends, and a new thread
/// gets the smallest free number. So numbers stay below the maximum number of threads that use a number at the same
/// time.

#include <cstdint>
#include <mutex>
#include <vector>

namespace Kokkos::Impl {

extern constinit thread_local std::uint32_t host_thread_number_if_any;
constinit thread_local std::uint32_t host_thread_number_if_any = ~std::uint32_t(0);

namespace {

struct ThreadNumbers {
  std::mutex mutex;
  std::vector<bool> is_taken;
};

/// Never destroyed, because threads may end after main.
ThreadNumbers& thread_numbers() {
  static ThreadNumbers& numbers = *new ThreadNumbers;
  return numbers;
}

struct ReturnedAtThreadEnd {
  std::uint32_t number;
  ~ReturnedAtThreadEnd() {
    ThreadNumbers& numbers = thread_numbers();
    std::lock_guard const lock(numbers.mutex);
    numbers.is_taken[number]  = false;
    host_thread_number_if_any = ~std::uint32_t(0);
  }
};

}  // namespace

void number_host_thread() noexcept {
  ThreadNumbers& numbers = thread_numbers();
  std::uint32_t number   = 0;
  {
    std::lock_guard const lock(numbers.mutex);
    while (number < numbers.is_taken.size() && numbers.is_taken[number]) ++number;
    if (number == numbers.is_taken.size())
      numbers.is_taken.push_back(true);
    else
      numbers.is_taken[number] = true;
  }
  host_thread_number_if_any = number;
  thread_local ReturnedAtThreadEnd const at_end{number};
  static_cast<void>(at_end);
}

}  // namespace Kokkos::Impl
