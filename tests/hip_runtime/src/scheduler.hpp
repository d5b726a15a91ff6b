// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_HIP_MODEL_SCHEDULER_HPP
#define KOKKOS_TEST_HIP_MODEL_SCHEDULER_HPP

/// \file
/// Threads that run the work of streams.
///
/// The mutex of this class is the lock of the model: it guards streams, events, graphs and tables. Work runs without
/// it. Without a seed, there is a thread for each stream with work, up to a limit. With a seed, one thread runs one
/// piece of work at a time, which the seed selects, and only while a call of HIP waits for it. The behaviour then
/// depends only on the seed and on the calls.

#include "fork.hpp"
#include "modes.hpp"
#include "work.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

namespace hip_model {

using Lock = std::unique_lock<std::mutex>;

class Scheduler {
 public:
  static Scheduler& get();
  Lock lock() { return Lock(m_mutex); }

  void enqueue(Lock&, StreamPtr const&, Work);
  /// Waits until `done()`, which is called with the lock held.
  template <class Done>
  void wait(Lock& lock, Done done) {
    Waiting const here(m_callers);
    while (!done()) {
      if (m_seed == 0)
        m_done.wait(lock);
      else if (!step(lock))
        m_done.wait_for(lock, std::chrono::milliseconds(1));
    }
  }
  /// Notifies waiting calls of a change.
  void notify() { m_done.notify_all(); }
  /// Called by each call of HIP, without the lock: with a seed, lets work advance occasionally.
  void on_call();
  void use_seed(std::uint64_t seed);
  bool has_seed() const { return m_seed != 0; }
  WorkCount count(Lock&) const;

 private:
  struct Waiting {
    explicit Waiting(int& count) : m_count(++count) {}
    ~Waiting() { --m_count; }
    int& m_count;
  };
  Scheduler();
  bool may_begin(Work const&) const;
  void wake(Lock&);
  void work_freely();
  void work_by_seed();
  void poll();
  StreamPtr choose(bool by_seed);
  void do_one(Lock&, StreamPtr const&);
  bool step(Lock&);
  void start(void (Scheduler::*)());
  void forget_threads();

  ForkedMutex m_mutex{ForkedMutex::Order::scheduler,
                      [](void* self) { static_cast<Scheduler*>(self)->forget_threads(); }, this};
  std::condition_variable m_work, m_grant, m_done, m_poll;  // m_grant: only the thread that works by seed waits for it
  int m_kernels = 0;                                        // that are running
  std::vector<StreamPtr> m_active;                          // streams with work waiting
  int m_threads = 0, m_idle = 0, m_woken = 0, m_running = 0, m_callers = 0;
  int m_polled         = 0;  // pieces of work that wait for a value in memory
  bool m_poller        = false;
  bool m_seeded_thread = false;
  int m_seeded_id      = 0;  // the system's number of that thread
  std::uint64_t m_seed = 0;
  std::mt19937_64 m_random;
  int m_granted         = 0;
  std::uint64_t m_steps = 0;
};

}  // namespace hip_model

#endif
