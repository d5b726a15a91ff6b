// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_POOL_HPP
#define KOKKOS_GPU_STAGING_POOL_HPP

/// \file
/// Threads that fill and empty pinned slabs while streams copy from and to them. This is the half of the copy engine
/// (Kokkos_GPU_CopyEngine.hpp) that never calls a GPU's runtime.
///
/// At most one of the threads without work polls the words, first by spinning, then at growing intervals. The others
/// spin for a short while on a counter that it increments, which takes no mutex: the gap between two pieces is a few
/// tens of microseconds, less than it takes to wake all threads. Then they sleep. A thread that finds more work than
/// its own wakes two others, so that eight threads are awake after three wake-up times.

#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingQueue.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The thread pool of all devices of a vendor. Threads of the program that wait for copies help it.
class StagingPool : public StagingQueue {
 public:
  using Clock = std::chrono::steady_clock;

  StagingPool() = default;

  /// Creates threads on `cores` until there are `wanted`, or as many as the system allows. Returns their number.
  int start(int wanted, CoreSet const& cores) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_stop     = false;
    m_may_spin = wanted > 1;
    try {
      while (static_cast<int>(m_threads.size()) < wanted)
        m_threads.push_back(start_staging_thread(cores, [this] { work(); }));
    } catch (std::exception const&) {  // continue with fewer threads
    }
    return static_cast<int>(m_threads.size());
  }

  /// Ends the threads. All jobs must have completed.
  void stop() {
    std::vector<std::thread> threads;
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      m_stop = true;
      threads.swap(m_threads);
    }
    m_wake.notify_all();
    for (auto& thread : threads) thread.join();
  }
  int thread_count() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return static_cast<int>(m_threads.size());
  }

  /// The threads that a new job wakes. `one` delays the caller least, and that thread wakes others. `all` is for a
  /// caller that waits for the job anyway.
  enum class Wake { one, all };

  /// Adds a job to its channel.
  void submit(StagingChannel& channel, StagingJobPtr job, Wake whom) {
    int count = whom == Wake::one ? 1 : static_cast<int>(job->threads);
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      add(channel, std::move(job));
      m_found.fetch_add(1, std::memory_order_relaxed);
      count = std::min(count, m_sleeping);
    }
    wake(count);
  }

  /// Helps with the channel's jobs until `ready()`, which is called under the lock. Between two chunks, whenever
  /// `steps.is_due()`, calls `steps.poll()` without the lock, which returns whether it made progress, and may throw.
  template <class Ready, class Steps>
  void help_until(StagingChannel& channel, Ready const& ready, Steps& steps) {
    Backoff backoff(m_may_spin);
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!ready()) {
      bool moved = false;
      if (steps.is_due()) {
        lock.unlock();
        moved = steps.poll();
        lock.lock();
      }
      if (Task task = find_in(channel)) {
        execute(task, lock);
        moved = true;
      }
      if (moved)
        backoff = Backoff(m_may_spin);
      else if (!ready())
        backoff.pause(lock, m_advanced);
    }
  }

  /// Helps the pool's threads while a stream has jobs, instead of only waiting for the stream. Returns when the jobs
  /// have completed, or when there has been nothing to do for a while.
  void help_stream(StreamToken token) {
    if (has_no_jobs()) return;
    std::unique_lock<std::mutex> lock(m_mutex);
    for (Backoff backoff(m_may_spin); channel_with(token);) {
      if (Task task = find()) {
        execute(task, lock);
        backoff = Backoff(m_may_spin);
      } else if (backoff.is_spinning()) {
        backoff.pause(lock, m_advanced);
      } else {
        return;
      }
    }
  }

 private:
  static constexpr std::chrono::microseconds spin_time{200};
  static void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
  }

  /// Waits by spinning at first, then for a sixteenth of the time that has passed.
  class Backoff {
   public:
    explicit Backoff(bool spin) : m_spin(spin), m_begin(Clock::now()) {}
    bool is_spinning() const { return m_spin && Clock::now() - m_begin < spin_time; }
    void pause(std::unique_lock<std::mutex>& lock, std::condition_variable& condition) {
      auto const passed = Clock::now() - m_begin;
      if (m_spin && passed < spin_time) {
        lock.unlock();
        for (int i = 0; i < 32; ++i) relax();
        lock.lock();
      } else {
        std::chrono::nanoseconds const least = std::chrono::microseconds(20), most = std::chrono::microseconds(200);
        condition.wait_for(lock, std::clamp<std::chrono::nanoseconds>(passed / 16, least, most));
      }
    }

   private:
    bool m_spin;
    Clock::time_point m_begin;
  };

  // ---- the threads ----

  void wake(int count) {
    for (int i = 0; i < count; ++i) m_wake.notify_one();
  }

  void work() {
    std::unique_lock<std::mutex> lock(m_mutex);
    auto idle_since = Clock::now();
    for (;;) {
      if (Task task = find()) {
        // There is more work, or may be soon, so another thread must poll meanwhile.
        if (!m_watching) wake(std::min(anything_to_do() ? 2 : 1, m_sleeping));
        execute(task, lock);
        if (m_may_spin) idle_since = Clock::now();
      } else if (m_stop) {
        return;
      } else if (has_active_channels() && !m_watching) {
        watch(lock);
      } else if (m_may_spin && has_active_channels() && Clock::now() - idle_since < spin_time) {
        unsigned const seen = m_found.load(std::memory_order_relaxed);
        lock.unlock();
        spin_until_found(seen, idle_since + spin_time);
        lock.lock();
      } else {
        ++m_sleeping;
        m_wake.wait(lock);
        --m_sleeping;
        idle_since = Clock::now();
      }
    }
  }

  /// Only one thread polls, and it does so at intervals if it has polled for long.
  void watch(std::unique_lock<std::mutex>& lock) {
    m_watching = true;
    ++m_sleeping;  // submit() may cut a pause short
    for (Backoff backoff(m_may_spin); has_active_channels() && !m_stop && !anything_to_do();)
      backoff.pause(lock, m_wake);
    --m_sleeping;
    m_watching = false;
    m_found.fetch_add(1, std::memory_order_relaxed);
  }

  void spin_until_found(unsigned seen, Clock::time_point end) {
    while (m_found.load(std::memory_order_relaxed) == seen && Clock::now() < end)
      for (int i = 0; i < 8; ++i) relax();
  }

  std::condition_variable m_wake;  // wakes threads of the pool: there may be work
  std::vector<std::thread> m_threads;
  int m_sleeping  = 0;
  bool m_watching = false, m_stop = false;
  std::atomic<bool> m_may_spin{false};
  std::atomic<unsigned> m_found{0};  // incremented when there may be work
};

}  // namespace Kokkos::Impl

#endif
