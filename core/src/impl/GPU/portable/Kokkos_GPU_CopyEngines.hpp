// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_COPY_ENGINES_HPP
#define KOKKOS_GPU_COPY_ENGINES_HPP

/// \file
/// The copy engines of all devices: their creation, their end, and the checks of a fence.

#include <impl/GPU/portable/Kokkos_GPU_CopyEngine.hpp>

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

/// The engines of all devices of a vendor. The first request for an engine creates it.
template <class Runtime>
class CopyEngines {
 public:
  static constexpr int max_devices = 64;

  /// Applies to engines that are created later.
  static void configure(CopySettings const& settings) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_settings = settings;
  }
  static CopyEngine<Runtime>& of(int device) {
    auto& entry = engines()[device];
    // acquire: pairs with the release below, so that the engine is fully constructed
    if (auto* engine = entry.load(std::memory_order_acquire)) return *engine;
    std::lock_guard<std::mutex> lock(m_mutex);
    auto* engine = entry.load(std::memory_order_relaxed);
    if (!engine) {
      prepare_for_exit_and_fork();
      engine = new CopyEngine<Runtime>(pool(), device, m_settings);
      entry.store(engine, std::memory_order_release);
    }
    return *engine;
  }

  /// The thread pool that all engines share.
  static StagingPool& pool() { return *current_pool().load(std::memory_order_acquire); }
  /// A description for users: the staging buffer of a device, or the reason why there is none.
  static std::string describe_staging(int device) {
    auto* engine = engines()[device].load(std::memory_order_acquire);
    return engine ? engine->describe_staging() : "not needed so far";
  }

  /// Call this after waiting for a stream. Reports the ends of its copies, and returns the errors of failed copies with
  /// their labels; empty if none failed. Cheap if no copy is in progress.
  static std::string take_errors(StreamToken token) {
    pool().notice(token);
    return pool().take_errors(token);
  }
  /// The same, and releases the objects that copies kept alive.
  /// \throws std::runtime_error if a copy failed
  static void throw_pending(StreamToken token) {
    std::string const errors = take_errors(token);
    pool().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// For all streams, after waiting for all devices. Each error is reported once, either here or by a fence of its
  /// stream.
  /// \throws std::runtime_error if a copy failed
  static void throw_all_pending() {
    pool().notice_all();
    std::string const errors = pool().take_all_errors();
    pool().collect();
    if (!errors.empty()) throw std::runtime_error(errors);
  }

  /// Releases memory, streams and threads. No copy may be in progress, and every stream must have been synchronised.
  static void release_all() noexcept {
    std::lock_guard<std::mutex> lock(m_mutex);
    for (int device = 0; device < max_devices; ++device)
      if (auto* engine = engines()[device].exchange(nullptr)) delete engine;
    pool().stop();
    pool().collect();
  }

 private:
  static inline std::mutex m_mutex;  // guards the settings, and the creation of engines
  static inline CopySettings m_settings;
  /// No member, because nvcc refuses an array of a type that depends on Runtime.
  static std::atomic<CopyEngine<Runtime>*>* engines() {
    static std::atomic<CopyEngine<Runtime>*> all[max_devices] = {};
    return all;
  }
  static std::atomic<StagingPool*>& current_pool() {
    static std::atomic<StagingPool*> pool{new StagingPool};  // never destroyed: a program may end without finalize
    return pool;
  }

  /// At exit, copies end before static objects whose memory they use. In a forked process, threads and pinned memory
  /// belong to the parent, so the child creates its own pool and engines. Called under the lock.
  static void prepare_for_exit_and_fork() {
    static bool done = false;
    if (std::exchange(done, true)) return;
    (void)std::atexit([] { pool().abandon_all(); });
#ifdef __linux__
    (void)pthread_atfork([] { m_mutex.lock(); }, [] { m_mutex.unlock(); },
                         [] {
                           for (int device = 0; device < max_devices; ++device)
                             if (auto* engine = engines()[device].exchange(nullptr)) engine->leave_to_parent();
                           current_pool().store(new StagingPool, std::memory_order_release);
                           m_mutex.unlock();
                         });
#endif
  }
};

}  // namespace Kokkos::Impl

#endif
