// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_MEMORY_POOLS_HPP
#define KOKKOS_GPU_MEMORY_POOLS_HPP

/// \file
/// The memory pools of all devices of a vendor.

#include <impl/GPU/memory/Kokkos_GPU_MemoryPool.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <type_traits>

namespace Kokkos::Impl {

/// One pool for each device and kind of memory, created at the first request. Pools are never destroyed, because views
/// in static storage may outlive main.
template <class Runtime, class Streams>
class GPUMemoryPools {
 public:
  static constexpr int max_devices = 64;
  template <template <class> class Kind>
  using Pool = GPUMemoryPool<Runtime, Kind, Streams>;

  /// The default: 1/32 of the device's memory, and of memory that is not recently used, 1 % or 512 MiB.
  static GPUPoolBounds default_bounds(std::size_t device_bytes) {
    return {device_bytes / 32, std::min(device_bytes / 100, std::size_t(512) << 20), 0};
  }
  /// Pinned memory is scarcer than device memory.
  static GPUPoolBounds pinned_bounds(GPUPoolBounds bounds) {
    return {std::min(bounds.keep, max_pinned_keep), std::min(bounds.rest, max_pinned_keep), 0};
  }

  /// Called by initialize. If pools keep nothing, there are none.
  static void open(GPUPoolBounds bounds) {
    rest_bound().store(bounds.rest, std::memory_order_relaxed);
    limit().store(bounds.limit, std::memory_order_relaxed);
    bound().store(bounds.keep, std::memory_order_relaxed);
  }
  static GPUPoolBounds bounds() {
    return {bound().load(std::memory_order_relaxed), rest_bound().load(std::memory_order_relaxed),
            limit().load(std::memory_order_relaxed)};
  }
  static bool is_open() { return bound().load(std::memory_order_relaxed) > 0; }

  template <template <class> class Kind>
  static Pool<Kind>& of(int device) {
    auto* pool = find<Kind>(device);
    if (pool) return *pool;
    auto& entry = all<Kind>()[device];
    std::lock_guard<std::mutex> lock(mutex());
    pool = entry.load(std::memory_order_relaxed);
    if (!pool) {
      pool = new Pool<Kind>(device);
      pool->open(std::is_same_v<Pool<Kind>, Pool<PinnedViewMemoryKind>> ? pinned_bounds(bounds()) : bounds());
      entry.store(pool, std::memory_order_release);
      if (device >= devices()) device_count().store(device + 1, std::memory_order_release);
    }
    return *pool;
  }

  /// Returns a block to its pool.
  /// \return false if the memory belongs to no pool
  template <template <class> class Kind>
  static bool deallocate(void* p) {
    for (int device = 0; device < devices(); ++device)
      if (auto* pool = find<Kind>(device); pool && pool->deallocate(p)) return true;
    return false;
  }

  /// Calls `f(pool)` for each pool.
  template <class F>
  static void for_each(F const& f) {
    for (int device = 0; device < devices(); ++device) {
      if (auto* pool = find<DeviceMemoryKind>(device)) f(*pool);
      if (auto* pool = find<PinnedViewMemoryKind>(device)) f(*pool);
    }
  }

  /// Frees the memory beyond the bounds that pools kept because the device was busy, or because it was used recently.
  static void collect_due(bool at_rest) {
    for_each([&](auto& pool) {
      if (pool.is_due()) pool.collect(at_rest);
    });
  }

  /// Called by finalize, after a wait for all streams.
  static void close() noexcept {
    for_each([](auto& pool) { pool.close(); });
    open({});
  }
  template <template <class> class Kind>
  static GPUPoolUsage usage(int device) {
    auto* pool = find<Kind>(device);
    return pool ? pool->usage() : GPUPoolUsage{};
  }

 private:
  static constexpr std::size_t max_pinned_keep = std::size_t(256) << 20;

  template <template <class> class Kind>
  static auto& all() {
    static std::atomic<Pool<Kind>*> pools[max_devices] = {};
    return pools;
  }
  template <template <class> class Kind>
  static Pool<Kind>* find(int device) {
    // acquire: pairs with the release in of(), so that the pool is fully constructed
    return all<Kind>()[device].load(std::memory_order_acquire);
  }
  /// One more than the highest device number that has a pool.
  static int devices() { return device_count().load(std::memory_order_acquire); }
  static std::atomic<int>& device_count() {
    static std::atomic<int> count{0};
    return count;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static std::atomic<std::size_t>& bound() {
    static std::atomic<std::size_t> bytes{0};
    return bytes;
  }
  static std::atomic<std::size_t>& limit() {
    static std::atomic<std::size_t> bytes{0};
    return bytes;
  }
  static std::atomic<std::size_t>& rest_bound() {
    static std::atomic<std::size_t> bytes{0};
    return bytes;
  }
};

}  // namespace Kokkos::Impl

#endif
