// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_DEVICE_REACH_HPP
#define KOKKOS_GPU_DEVICE_REACH_HPP

/// \file
/// The pairs of devices that can access each other's memory.

#include <impl/GPU/portable/Kokkos_GPU_StreamLifetime.hpp>

#include <atomic>
#include <cstdint>

namespace Kokkos::Impl {

/// If two devices cannot access each other's memory, the runtime copies through the host, provided that the call
/// specifies both devices. Any other copy or kernel in a stream of one device fails on memory of the other. All pairs
/// count as accessible until the runtime reports otherwise.
class GPUDeviceReach {
 public:
  static constexpr int max_devices = 64;

  static bool between(int one, int other) noexcept {
    return (cut_off_from(one).load(std::memory_order_acquire) >> other & 1) == 0;
  }
  template <class Runtime>
  static bool has_several_devices() {
    static bool const several = [] {
      int count = 0;
      return Impl::gpu_succeeded<Runtime>(Runtime::device_count(&count)) && count > 1;
    }();
    return several;
  }
  static bool everywhere() noexcept { return !any_cut().load(std::memory_order_acquire); }
  static void set(int one, int other, bool reach) noexcept {
    for (auto const [a, b] : {Pair{one, other}, Pair{other, one}}) {
      if (reach)
        cut_off_from(a).fetch_and(~(std::uint64_t(1) << b), std::memory_order_release);
      else
        cut_off_from(a).fetch_or(std::uint64_t(1) << b, std::memory_order_release);
    }
    if (!reach) any_cut().store(true, std::memory_order_release);
  }

 private:
  struct Pair {
    int a, b;
  };
  static std::atomic<std::uint64_t>& cut_off_from(int device) noexcept {
    static std::atomic<std::uint64_t> devices[max_devices] = {};
    return devices[device];
  }
  static std::atomic<bool>& any_cut() noexcept {
    static std::atomic<bool> any{false};
    return any;
  }
};

}  // namespace Kokkos::Impl

#endif
