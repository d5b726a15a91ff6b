// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_COPY_THREADS_HPP
#define KOKKOS_COPY_THREADS_HPP

/// \file
/// Threads that pack and unpack memory of the host. One thread packs at less than a quarter of the rate of a link to a
/// device. The threads of the host's execution space are not used for this: with OMP_PROC_BIND they are bound, the main
/// thread to one core, and the copy would wait for the slowest of them at every piece.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>
#ifdef __linux__
#include <dirent.h>
#include <sched.h>
#include <signal.h>

// OpenMP's own functions; null in programs without an OpenMP runtime. They are declared under other names because
// <omp.h> may declare these.
extern "C" {
int kokkos_impl_places() __asm__("omp_get_num_places") __attribute__((weak));
int kokkos_impl_place_size(int place) __asm__("omp_get_place_num_procs") __attribute__((weak));
void kokkos_impl_place_cores(int place, int* ids) __asm__("omp_get_place_proc_ids") __attribute__((weak));
}
#endif

namespace Kokkos::Impl {

#ifdef __linux__
/// The cores that the process may use. The mask of the calling thread alone is not enough: with OMP_PROC_BIND, OpenMP
/// binds the main thread before `main`. OpenMP's places, and the masks of the other threads, contain the other cores.
inline cpu_set_t cores_of_process() {
  cpu_set_t all, one;
  CPU_ZERO(&all);
  auto const add = [&](int thread) {
    if (sched_getaffinity(thread, sizeof one, &one) == 0) CPU_OR(&all, &all, &one);
  };
  add(0);
  if (kokkos_impl_places && kokkos_impl_place_size && kokkos_impl_place_cores)
    for (int place = 0; place < kokkos_impl_places(); ++place) {
      std::vector<int> ids(static_cast<std::size_t>(std::max(kokkos_impl_place_size(place), 0)));
      if (!ids.empty()) kokkos_impl_place_cores(place, ids.data());
      for (int id : ids)
        if (id >= 0 && id < CPU_SETSIZE) CPU_SET(id, &all);
    }
  if (DIR* const threads = opendir("/proc/self/task")) {
    while (dirent const* entry = readdir(threads))
      if (int const id = std::atoi(entry->d_name)) add(id);
    closedir(threads);
  }
  return all;
}
#endif

/// Chunks of work that several threads execute. A thread takes the next chunk that is allowed.
class ChunkedWork {
 public:
  ChunkedWork(std::size_t chunks, std::function<void(std::size_t)> work) : m_chunks(chunks), m_work(std::move(work)) {}

  std::size_t chunks() const { return m_chunks; }
  /// Allows the first `chunks` chunks.
  void allow(std::size_t chunks) { m_allowed.store(std::min(chunks, m_chunks), std::memory_order_release); }
  /// Executes a chunk, if one is allowed that no thread has taken.
  bool try_one() {
    std::size_t next = m_next.load(std::memory_order_relaxed);
    do {
      if (next >= m_allowed.load(std::memory_order_acquire)) return false;
    } while (!m_next.compare_exchange_weak(next, next + 1));
    m_work(next);
    return true;
  }
  /// Executes chunks until `ready()`.
  template <class Ready>
  void work_until(Ready const& ready) {
    while (!ready())
      if (!try_one()) std::this_thread::yield();
  }
  bool all_taken() const { return m_next.load(std::memory_order_relaxed) >= m_chunks; }
  /// Takes all remaining chunks without executing them.
  void cancel() { m_next.store(m_chunks); }

 private:
  std::size_t m_chunks;
  std::function<void(std::size_t)> m_work;
  std::atomic<std::size_t> m_next{0}, m_allowed{0};
};

/// Threads that sleep until there is work.
class CopyThreads {
 public:
  CopyThreads()                   = default;
  CopyThreads(CopyThreads const&) = delete;
  ~CopyThreads() { stop(); }

  /// Starts the threads, unless they run: one for every two cores, at most eight.
  void start() {
    std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_threads.empty()) return;
    m_stop = false;
#ifdef __linux__
    const cpu_set_t cores = cores_of_process();
    int const count       = CPU_COUNT(&cores);
    // The system must not deliver a signal of the program to these threads. They inherit the mask of their creator.
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    auto const body = [this, cores] {
      (void)sched_setaffinity(0, sizeof cores, &cores);
      work();
    };
#else
    const int count = int(std::thread::hardware_concurrency());
    auto const body = [this] { work(); };
#endif
    try {
      for (int i = 0; i < std::min(count / 2, 8); ++i) m_threads.emplace_back(body);
    } catch (std::system_error const&) {  // continue with fewer threads
    }
#ifdef __linux__
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
#endif
  }

  /// Ends the threads. They must have no work.
  void stop() {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      m_stop = true;
    }
    m_wake.notify_all();
    for (auto& thread : m_threads) thread.join();
    m_threads.clear();
  }

  /// The threads help with the work from the construction of this object to its destruction.
  class Help {
   public:
    Help(CopyThreads& threads, ChunkedWork& work) : m_threads(threads), m_work(work) {
      std::lock_guard<std::mutex> lock(m_threads.m_mutex);
      m_threads.m_work = &work;
      ++m_threads.m_number;
      m_threads.m_wake.notify_all();
    }
    Help(Help const&) = delete;
    ~Help() {
      m_work.cancel();
      std::unique_lock<std::mutex> lock(m_threads.m_mutex);
      m_threads.m_work = nullptr;
      m_threads.m_idle.wait(lock, [this] { return m_threads.m_helping == 0; });
    }

   private:
    CopyThreads& m_threads;
    ChunkedWork& m_work;
  };

 private:
  void work() {
    unsigned last = 0;
    std::unique_lock<std::mutex> lock(m_mutex);
    for (;;) {
      m_wake.wait(lock, [&] { return m_stop || (m_work && m_number != last); });
      if (m_stop) return;
      last                    = m_number;
      ChunkedWork* const work = m_work;
      ++m_helping;
      lock.unlock();
      work->work_until([work] { return work->all_taken(); });
      lock.lock();
      if (--m_helping == 0) m_idle.notify_one();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_wake, m_idle;
  std::vector<std::thread> m_threads;
  ChunkedWork* m_work = nullptr;
  unsigned m_number   = 0;  // of the work, so that a thread joins each work once
  int m_helping       = 0;
  bool m_stop         = false;
};

}  // namespace Kokkos::Impl

#endif
