// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The worker threads of Kokkos::Threads.
///
/// All instances share one pool. A kernel takes as many idle workers as it needs, and creates new ones if there are too
/// few. It returns them at its end, so kernels of different instances never wait for one another's workers.
///
/// Memory ordering: the launching thread writes a Task and then the worker's `task` (release). The worker reads `task`
/// (acquire), so it sees the task and earlier writes of the launching thread. As its last access to the task, a worker
/// decrements `running` (release). The launching thread reads 0 (acquire) before it returns and the task is destroyed,
/// so it sees the writes of all workers. The mutex guards only the list of idle workers; no thread waits while it holds
/// the mutex.

#include <Threads/Kokkos_Threads_Pool.hpp>
#include <impl/Host/Kokkos_Host_Instance.hpp>
#include <Threads/Kokkos_Threads_Instance.hpp>
#include <impl/runtime/Kokkos_KernelLabel.hpp>

#include <atomic>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>

namespace Kokkos::Impl {
namespace {

/// One kernel, for its workers. It is on the stack of the launching thread.
struct Task {
  void (*body)(void const* context, int rank, int size);
  void const* context;
  int size;
  char const* label;
  std::atomic<int> running;  // number of workers that have not finished
};

thread_local int rank_in_team = 0;

/// The number of polls before a worker sleeps: enough that it is still awake for the next of several short kernels.
constexpr int looks_before_sleep = 4000;

/// A thread that runs its part of one task after another.
class Worker {
 public:
  Worker() : m_thread([this] { loop(); }) {}
  ~Worker() {
    assign(&stop, 0);
    m_thread.join();
  }
  Worker(Worker const&)            = delete;
  Worker& operator=(Worker const&) = delete;

  void assign(Task* task, int rank) {
    m_rank = rank;
    m_task.store(task, std::memory_order_release);
    m_task.notify_one();
  }

 private:
  void loop() {
    while (Task* task = next()) {
      run(*task);
      task->running.fetch_sub(1, std::memory_order_release);  // the task may have been destroyed after this
    }
  }

  /// Waits for and returns the next task; null if the worker must end.
  Task* next() {
    for (int looks = 0;; ++looks) {
      if (Task* task = m_task.load(std::memory_order_acquire)) {
        m_task.store(nullptr, std::memory_order_relaxed);  // no other task is assigned before this one has been run
        return task == &stop ? nullptr : task;
      }
      if (looks < looks_before_sleep)
        host_pause(looks);
      else
        m_task.wait(nullptr, std::memory_order_relaxed);
    }
  }

  void run(Task const& task) noexcept {
    rank_in_team = m_rank;
    HostKernelMark mark(true);
    LauncherLabelScope label(&task.label);
    task.body(task.context, m_rank, task.size);
  }

  static inline Task stop{};

  alignas(host_line_bytes) std::atomic<Task*> m_task{nullptr};
  int m_rank = 0;
  std::thread m_thread;  // last: it uses the other members
};

/// Blocks all signals for the calling thread during its life. A new thread inherits the signal mask, so the program's
/// own threads handle the program's signals.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  SignalsBlocked(SignalsBlocked const&)            = delete;
  SignalsBlocked& operator=(SignalsBlocked const&) = delete;

 private:
  sigset_t m_before;
};

using Workers = std::vector<std::unique_ptr<Worker>>;

class Pool {
 public:
  /// Moves `count` workers to the empty list `to`.
  void take(std::size_t count, Workers& to) {
    {
      std::lock_guard lock(m_mutex);
      while (to.size() < count && !m_idle.empty()) {
        to.push_back(std::move(m_idle.back()));
        m_idle.pop_back();
      }
    }
    if (to.size() == count) return;
    SignalsBlocked blocked;
    while (to.size() < count) to.push_back(std::make_unique<Worker>());
  }
  void give_back(Workers& from) {
    std::lock_guard lock(m_mutex);
    // In reverse order, so that the next kernel assigns the same ranks to the same threads, whose caches contain their
    // parts.
    while (!from.empty()) {
      m_idle.push_back(std::move(from.back()));
      from.pop_back();
    }
  }
  void end() {
    Workers ending;
    std::lock_guard lock(m_mutex);
    ending.swap(m_idle);
  }

 private:
  std::mutex m_mutex;
  Workers m_idle;  // the last one is taken next
};

Pool& pool() {
  static Pool* pool = new Pool;  // never destroyed: kernels may run while static objects are destroyed
  return *pool;
}

}  // namespace

void run_on_workers(int threads, void (*body)(void const*, int, int), void const* context) {
  thread_local Workers workers;  // keeps its memory between launches
  Workers team;
  team.swap(workers);  // empty unless this thread is already launching, which a nested launch does not do
  pool().take(static_cast<std::size_t>(threads) - 1, team);
  Task task{body, context, threads, kernel_label, {threads - 1}};
  for (int rank = 1; rank < threads; ++rank) team[static_cast<std::size_t>(rank) - 1]->assign(&task, rank);
  [&]() noexcept {
    LauncherLabelScope label(&task.label);
    body(context, 0, threads);
  }();
  for (int looks = 0; task.running.load(std::memory_order_acquire) != 0; ++looks) host_pause(looks);
  pool().give_back(team);
  workers.swap(team);
}

void start_workers(int count) {
  Workers team;
  pool().take(static_cast<std::size_t>(count), team);
  pool().give_back(team);
}

void end_workers() { pool().end(); }

int worker_rank() noexcept { return rank_in_team; }

}  // namespace Kokkos::Impl
