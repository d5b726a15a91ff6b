// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers host threads, for UniqueToken and ScatterView.

#include <atomic>
#include <cstdint>

namespace Kokkos::Impl {

constinit thread_local std::uint32_t host_thread_number_plus_one = 0;

void number_host_thread() noexcept {
  static std::atomic<std::uint32_t> last{0};
  host_thread_number_plus_one = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace Kokkos::Impl
