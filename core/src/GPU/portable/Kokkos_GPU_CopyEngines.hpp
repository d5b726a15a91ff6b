// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINES_HPP
#define KOKKOS_GPU_COPY_ENGINES_HPP

/// \file
/// The copy engines of all devices: when they are made, when they go, and what a fence asks of them.
///
/// Needs what the engine needs: patches carry this file as it is.

#include <GPU/portable/Kokkos_GPU_CopyEngine.hpp>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

namespace Kokkos::Impl {

/// The engines of all devices of a vendor, each made when it is first asked for.
template <class Runtime>
class CopyEngines {
 public:
  static constexpr int max_devices = 64;

  /// For engines that are made from now on.
  static void configure(CopySettings const& settings) {
    std::lock_guard<std::mutex> lock(mutex());
    current_settings() = settings;
  }
  static CopyEngine<Runtime>& of(int device) {
    auto& entry = engines()[device];
    // acquire: pairs with the release below, so that an engine is seen whole
    if (auto* engine = entry.load(std::memory_order_acquire)) return *engine;
    std::lock_guard<std::mutex> lock(mutex());
    auto* engine = entry.load(std::memory_order_relaxed);
    if (!engine) entry.store(engine = new CopyEngine<Runtime>(device, current_settings()), std::memory_order_release);
    return *engine;
  }

  /// To be called when a stream has been waited for: reports the ends of its copies, and says which of them failed, with
  /// their labels; empty if none did. Cheap when no copy is on its way.
  static std::string take_errors(StreamToken token) {
    StagingPool::get().notice(token);
    return StagingPool::get().take_errors(token);
  }
  /// The same, and releases what copies kept.
  /// \throws std::runtime_error if one of them failed
  static void throw_pending(StreamToken token) {
    const std::string errors = take_errors(token);
    StagingPool::get().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// For all streams, when all devices have been waited for. An error is told once, here or to a fence of its stream.
  /// \throws std::runtime_error if a copy failed
  static void throw_all_pending() {
    StagingPool::get().notice_all();
    const std::string errors = StagingPool::get().take_all_errors();
    StagingPool::get().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// Gives back memory, streams and threads. No copy may be under way, and every stream must have been waited for.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    for (int device = 0; device < max_devices; ++device)
      if (auto* engine = engines()[device].exchange(nullptr)) delete engine;
    StagingPool::get().stop();
    StagingPool::get().collect();
  }

 private:
  static std::atomic<CopyEngine<Runtime>*>* engines() {
    static std::atomic<CopyEngine<Runtime>*> all[max_devices] = {};
    return all;
  }
  static CopySettings& current_settings() {
    static CopySettings settings;
    return settings;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
};

}  // namespace Kokkos::Impl

#endif
