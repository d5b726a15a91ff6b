// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers host threads, for UniqueToken.

#include <atomic>
#include <cstdint>

namespace Kokkos::Impl {

std::uint32_t host_thread_number() noexcept {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

}  // namespace Kokkos::Impl
