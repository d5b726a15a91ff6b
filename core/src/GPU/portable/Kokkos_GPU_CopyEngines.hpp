// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINES_HPP
#define KOKKOS_GPU_COPY_ENGINES_HPP

/// \file
/// The copy engines of all devices: when they are made, when they go, and what a fence asks of them.
///
/// Needs what the engine needs: patches carry this file as it is.

#include <GPU/portable/Kokkos_GPU_CopyEngine.hpp>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#ifdef __linux__
#include <pthread.h>
#endif

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
    if (!engine) {
      prepare_for_exit_and_fork();
      engine = new CopyEngine<Runtime>(pool(), device, current_settings());
      entry.store(engine, std::memory_order_release);
    }
    return *engine;
  }

  /// The threads of all engines.
  static StagingPool& pool() { return *current_pool().load(std::memory_order_acquire); }
  /// Works with the threads while a stream has copies on their way, instead of only waiting for it.
  static void help(StreamToken token) { pool().help_stream(token); }
  /// Releases what copies that have landed kept alive.
  static void collect() { pool().collect(); }
  /// For people: the staging buffer of a device, or why there is none.
  static std::string describe_staging(int device) {
    auto* engine = engines()[device].load(std::memory_order_acquire);
    return engine ? engine->describe_staging() : "not needed so far";
  }

  /// `release(device)` gives back memory of a device that copies keep and that none of them uses now.
  static void set_idle_memory(void (*release)(int device)) noexcept { idle_memory().store(release); }
  /// For an allocation that found the memory of the device exhausted.
  static void release_idle(int device) {
    if (auto* release = idle_memory().load()) release(device);
  }

  /// To be called when a stream has been waited for: reports the ends of its copies, and says which of them failed, with
  /// their labels; empty if none did. Cheap when no copy is on its way.
  static std::string take_errors(StreamToken token) {
    pool().notice(token);
    return pool().take_errors(token);
  }
  /// The same, and releases what copies kept.
  /// \throws std::runtime_error if one of them failed
  static void throw_pending(StreamToken token) {
    const std::string errors = take_errors(token);
    pool().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// For all streams, when all devices have been waited for. An error is told once, here or to a fence of its stream.
  /// \throws std::runtime_error if a copy failed
  static void throw_all_pending() {
    pool().notice_all();
    const std::string errors = pool().take_all_errors();
    pool().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// Gives back memory, streams and threads. No copy may be under way, and every stream must have been waited for.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(mutex());
    for (int device = 0; device < max_devices; ++device)
      if (auto* engine = engines()[device].exchange(nullptr)) delete engine;
    pool().stop();
    pool().collect();
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
  static std::atomic<void (*)(int)>& idle_memory() {
    static std::atomic<void (*)(int)> release{nullptr};
    return release;
  }
  static std::atomic<StagingPool*>& current_pool() {
    static std::atomic<StagingPool*> pool{new StagingPool};  // never destroyed: a program may end without finalize
    return pool;
  }

  /// At exit, copies end before static objects whose memory they touch. Of a process that was forked off, threads and
  /// pinned memory stay behind: it begins with a pool and engines of its own. Called with the lock.
  static void prepare_for_exit_and_fork() {
    static bool done = false;
    if (std::exchange(done, true)) return;
    (void)std::atexit([] { pool().abandon_all(); });
#ifdef __linux__
    (void)pthread_atfork([] { mutex().lock(); }, [] { mutex().unlock(); },
                         [] {
                           for (int device = 0; device < max_devices; ++device)
                             if (auto* engine = engines()[device].exchange(nullptr)) engine->leave_to_parent();
                           current_pool().store(new StagingPool, std::memory_order_release);
                           mutex().unlock();
                         });
#endif
  }
};

}  // namespace Kokkos::Impl

#endif
