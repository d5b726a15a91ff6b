// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scheduler.hpp"

#include "cached_memory.hpp"
#include "faults.hpp"
#include "protection.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace hip_model {

Scheduler& Scheduler::get() {
  static Scheduler* scheduler = new Scheduler;  // its threads outlive static objects
  return *scheduler;
}

Scheduler::Scheduler() {
  if (char const* seed = std::getenv("HIP_MODEL_SEED")) {
    m_seed = std::strtoull(seed, nullptr, 10);
    m_random.seed(m_seed);
  }
}

void Scheduler::start(void (Scheduler::*body)()) {
  std::thread([this, body] { (this->*body)(); }).detach();
}

// Called in a child process, where the kernels of the parent never end; new work starts new threads.
void Scheduler::forget_threads() {
  for (std::condition_variable* c : {&m_work, &m_grant, &m_done, &m_poll}) forget_waiting_threads(*c);
  m_threads = m_idle = m_woken = m_callers = m_granted = 0;
  m_poller = m_seeded_thread = false;
}

void Scheduler::enqueue(Lock& lock, StreamPtr const& stream, Work work) {
  if (work.ready) {
    ++m_polled;
    if (!m_poller) start(&Scheduler::poll);
    m_poller = true;
    m_poll.notify_one();
  }
  stream->last = work.completion;
  stream->queue.push_back(std::move(work));
  if (stream->queue.size() == 1 && !stream->running) m_active.push_back(stream);
  wake(lock);
}

bool Scheduler::may_begin(Work const& w) const {
  if (!std::all_of(w.after.begin(), w.after.end(), [](CompletionPtr const& c) { return c->done; })) return false;
  if (w.engine == Engine::kernel && m_kernels > 0 && current_modes().one_kernel) return false;
  return !w.ready || w.ready();
}

WorkCount Scheduler::count(Lock&) const {
  WorkCount all{m_running, 0, 0, m_callers};
  for (StreamPtr const& s : m_active) ++(may_begin(s->queue.front()) ? all.ready : all.held_up);
  return all;
}

// The stream whose work may begin: the oldest of the highest priority, or one that the seed picks. A stream is in
// m_active exactly while it has waiting work and none running.
StreamPtr Scheduler::choose(bool by_seed) {
  StreamPtr best;
  std::vector<StreamPtr> all;
  for (StreamPtr const& s : m_active) {
    Work const& w = s->queue.front();
    if (!may_begin(w)) continue;
    if (by_seed) all.push_back(s);
    if (!best || s->priority < best->priority) best = s;
  }
  if (by_seed && !all.empty()) return all[m_random() % all.size()];
  return best;
}

void Scheduler::do_one(Lock& lock, StreamPtr const& stream) {
  Work work = std::move(stream->queue.front());
  stream->queue.pop_front();
  stream->running = true;
  ++m_running;
  m_active.erase(std::find(m_active.begin(), m_active.end(), stream));
  if (work.ready) --m_polled;
  if (work.engine == Engine::kernel) ++m_kernels;
  wake(lock);
  lock.unlock();
  Faults::get().on_operation();
  CachedMemory::get().write_back();
  if (work.run) {
    DeviceMemoryAccess const access;
    work.run();
  }
  work.run = nullptr;  // its objects are released without the lock
  lock.lock();
  --m_running;
  if (work.engine == Engine::kernel) --m_kernels;
  stream->running       = false;
  work.completion->done = true;
  work.completion->when = std::chrono::steady_clock::now();
  if (!stream->queue.empty()) m_active.push_back(stream);  // at the end: streams of one priority alternate
  m_done.notify_all();
  if (current_modes().one_kernel) wake(lock);  // another kernel may begin
}

// Called by any thread that makes work possible, or takes some while more is possible, so that no work is left waiting.
void Scheduler::wake(Lock&) {
  if (m_seed != 0 || !choose(false)) return;
  if (m_idle > m_woken) {
    ++m_woken;
    m_work.notify_one();
  } else if (m_threads < 64) {
    ++m_threads;
    start(&Scheduler::work_freely);
  }
}

void Scheduler::work_freely() {
  Lock lock(m_mutex);
  while (true) {
    StreamPtr stream = m_seed == 0 ? choose(false) : nullptr;
    if (!stream) {
      ++m_idle;
      m_work.wait(lock);
      --m_idle;
      if (m_woken > 0) --m_woken;
      continue;
    }
    do_one(lock, stream);
  }
}

// Checks memory that work waits for.
void Scheduler::poll() {
  Lock lock(m_mutex);
  while (true) {
    if (m_polled == 0)
      m_poll.wait(lock);
    else
      m_poll.wait_for(lock, std::chrono::microseconds(200));
    wake(lock);
  }
}

// ---- by seed ------------------------------------------------------------------------------------------------------

void Scheduler::use_seed(std::uint64_t seed) {
  Lock lock(m_mutex);
  m_done.wait(lock, [&] { return m_seed != 0 || m_running == 0; });
  m_seed = seed;
  m_random.seed(seed);
  for (std::size_t i = 0; i < m_active.size(); ++i) wake(lock);
}

namespace {
/// Whether a thread of this process waits for something. A thread that waits for a core does not.
bool is_asleep(int thread) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return true;
  auto const state = line.rfind(')') + 2;  // after the name, which may contain anything
  return state >= line.size() || line[state] == 'S';
}
}  // namespace

// The caller waits for the end of the step, however slow the machine is: the order of calls and steps depends only on the
// seed. A host function may need a lock that the caller holds. So the caller continues if the step sleeps for 100 ms.
bool Scheduler::step(Lock& lock) {
  if (!m_seeded_thread) {
    m_seeded_thread = true;
    start(&Scheduler::work_by_seed);
  }
  if (m_running > 0 || !choose(false)) return false;
  auto const before = m_steps;
  ++m_granted;
  m_grant.notify_one();
  m_done.wait(lock, [&] { return m_granted == 0 || m_seed == 0; });
  for (int asleep = 0; asleep < 10 && m_steps == before && m_seed != 0;)
    if (m_done.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout)
      asleep = is_asleep(m_seeded_id) ? asleep + 1 : 0;
  return true;
}

void Scheduler::work_by_seed() {
  Lock lock(m_mutex);
  m_seeded_id = static_cast<int>(syscall(SYS_gettid));
  while (true) {
    m_grant.wait(lock, [&] { return m_granted > 0 && m_seed != 0; });
    m_granted = 0;
    m_done.notify_all();
    if (StreamPtr stream = choose(true)) do_one(lock, stream);
    ++m_steps;
    m_done.notify_all();
  }
}

void Scheduler::on_call() {
  Lock lock(m_mutex);
  if (m_seed == 0) return;
  for (int steps = static_cast<int>(m_random() % 3); steps > 0; --steps)
    if (!step(lock)) return;
}

}  // namespace hip_model
