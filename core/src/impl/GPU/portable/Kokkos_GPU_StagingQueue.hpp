// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_GPU_STAGING_QUEUE_HPP
#define KOKKOS_GPU_STAGING_QUEUE_HPP

/// \file
/// The jobs of all channels: the choice of the next chunk, the end of a job, and the errors of failed jobs.
///
/// Kokkos_GPU_StagingJob.hpp defines channels, jobs, pieces and chunks. One mutex guards all of them. It is held to
/// take or return a chunk, never while bytes are copied.
///
/// **One after the other.** If copies to the device shared threads and link evenly, they would all end at once, and the
/// copies back that follow in their streams would all start at once. Each direction of the link would then idle in
/// turn. So the threads serve the oldest copy first. While more than its last piece remains, younger copies may fill
/// their slabs, but their streams are not notified. This wait is not circular. A copy that others wait for has started
/// in its stream, and all of its steps were enqueued before any step of theirs. So it needs only the link and these
/// threads, which serve it first. Small copies do not wait, and neither do copies that a caller waits for. Steps of such a
/// copy may be enqueued late, so no other copy waits for it either.

#include <impl/GPU/portable/Kokkos_GPU_StagingJob.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace Kokkos::Impl {

/// The jobs, and the operations that advance them on any thread. Kokkos_GPU_StagingPool.hpp provides the threads.
class StagingQueue {
 public:
  /// Removes a job for which the stream does nothing more. Waits for the chunks that threads work on.
  void cancel(StagingChannel& channel, StagingJobPtr const& job) {
    std::unique_lock<std::mutex> lock(m_mutex);
    job->claimed = job->bytes;
    m_advanced.wait(lock, [&] { return job->working == 0 && job->state != JobState::completing; });
    if (job->has_completed()) return;
    remove(channel, job);
    lock.unlock();
    if (job->on_completion) job->on_completion();
  }
  /// No more bytes are moved for a job whose steps may remain in a stream that has failed. Steps that wait for the host
  /// are released when the job is the first in its channel.
  void abandon(StagingChannel& channel, StagingJobPtr const& job) {
    std::unique_lock<std::mutex> lock(m_mutex);
    job->claimed = job->bytes;
    m_advanced.wait(lock, [&] { return job->working == 0; });
    if (!job->become(JobState::abandoned)) return;
    job->on_completion = nullptr;
    if (channel.jobs.front() == job) complete_first(channel);
  }

  /// Whether every job of the channel has completed. Also detects the end of jobs that no thread has polled.
  bool idle(StagingChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    while (!channel.jobs.empty()) {
      StagingJob& job = *channel.jobs.front();
      if (job.on_completion || !is_complete(job)) return false;
      complete_first(channel);
    }
    return true;
  }

  /// For the exit of the program, when the memory of its static objects is about to be destroyed: no more bytes move
  /// for any job. Streams continue.
  void abandon_all() noexcept {
    std::unique_lock<std::mutex> lock(m_mutex);
    for (StagingChannel* channel : m_active)
      for (StagingJobPtr const& job : channel->jobs) job->claimed = job->bytes;
    auto const is_quiet = [&] {
      return std::all_of(m_active.begin(), m_active.end(), [](StagingChannel* channel) {
        return std::all_of(channel->jobs.begin(), channel->jobs.end(), [](StagingJobPtr const& job) {
          return job->working == 0 && job->state != JobState::completing;
        });
      });
    };
    // With a time limit: one of these threads may be the one that exits, in the callback of a tool.
    (void)m_advanced.wait_for(lock, std::chrono::seconds(1), is_quiet);
    while (!m_active.empty()) {
      StagingChannel& channel = *m_active.front();
      StagingJobPtr job       = channel.jobs.front();
      job->on_completion      = nullptr;
      StagingWords::set(job->words.host, job->end());
      remove(channel, job);
    }
  }

  std::string error_of(StagingJob const& job) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return job.error;
  }

  bool has_completed(StagingJob const& job) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return job.has_completed();
  }
  std::size_t jobs_of(StagingChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return channel.jobs.size();
  }

  // ---- copies to the host that a host function moves out of a slot ----

  /// Such a copy has been enqueued, or is about to be.
  void add_function(StagingJobPtr job) {
    std::lock_guard<std::mutex> lock(m_mutex);
    m_functions.push_back(std::move(job));
    m_function_count.fetch_add(1, std::memory_order_release);
  }
  /// Call this when the copy has ended, or could not be enqueued. `error` is a sentence, or empty on success.
  void end_function(StagingJob& job, std::string error) {
    std::lock_guard<std::mutex> lock(m_mutex);
    auto const found =
        std::find_if(m_functions.begin(), m_functions.end(), [&](auto const& f) { return f.get() == &job; });
    if (found == m_functions.end()) return;
    if (!error.empty()) fail(job, job.what + " failed in the background: " + error);
    m_retired.push_back(std::move(*found));
    m_retired_count.fetch_add(1, std::memory_order_release);
    m_functions.erase(found);
    m_function_count.fetch_sub(1, std::memory_order_release);
  }

  /// Whether a job in progress in the given direction accesses this memory.
  bool touches(HostSpan const& span, bool to_device) {
    if (m_unfinished.load(std::memory_order_relaxed) == 0 && m_function_count.load(std::memory_order_relaxed) == 0)
      return false;
    std::lock_guard<std::mutex> lock(m_mutex);
    for (StagingJobPtr const& job : m_functions)
      if (!to_device && job->host->span().overlaps(span)) return true;
    for (StagingChannel* channel : m_active)
      for (StagingJobPtr const& job : channel->jobs)
        if (job->to_device == to_device && job->host && job->host->span().overlaps(span)) return true;
    return false;
  }

  /// Ends the jobs of a stream that the device has finished. After a wait for the stream, these are all jobs that were
  /// enqueued before the wait.
  void notice(StreamToken token) {
    end_finished([&] {
      StagingChannel* const channel = channel_with(token);
      return channel && device_is_done(*channel->jobs.front()) ? channel : nullptr;
    });
  }
  /// The same for all streams, after a wait for all of them. Jobs that are submitted meanwhile are ignored, so that
  /// threads which continue to copy do not delay the caller.
  void notice_all() {
    end_finished([this, now = std::uint64_t(0), is_first = true]() mutable {
      if (std::exchange(is_first, false)) now = m_submitted;
      return finished_channel(now);
    });
  }

  /// Ends the jobs of a stream in which nothing more will happen: its work has ended and no thread adds to it, or the
  /// device has failed. Jobs that cannot end because the device has failed are given up, with an error.
  void settle(StreamToken token) noexcept {
    if (m_function_count.load(std::memory_order_acquire) != 0) drop_functions(token);
    if (m_unfinished.load(std::memory_order_acquire) == 0) return;
    std::unique_lock<std::mutex> lock(m_mutex);
    for (;;) {
      StagingChannel* channel = channel_with(token);
      if (!channel) return;
      // Before this job, the channel contains jobs of other streams whose end the stream has waited for.
      StagingJobPtr job = channel->jobs.front();
      if (Task task = find_in(*channel)) {
        execute(task, lock);
      } else if (job->working > 0 || job->state == JobState::completing) {
        m_advanced.wait(lock);
      } else {
        give_up(*channel, token);
      }
    }
  }

  /// The same for all jobs of a channel.
  void settle(StagingChannel& channel) noexcept {
    for (StreamToken token = first_token(channel); token != no_stream; token = first_token(channel)) settle(token);
  }

  /// Returns the background errors of a stream since the last call, as a sentence; empty if there were none.
  std::string take_errors(StreamToken token) {
    return take_errors_if([&](StreamToken of) { return of == token; });
  }
  /// The same for all streams. An error of a job that a caller waits for is also stored in the job, so it may be
  /// reported twice.
  std::string take_all_errors() {
    return take_errors_if([](StreamToken) { return true; });
  }

  /// Releases the objects that completed copies kept alive. Called on a thread of the program, because that may free
  /// memory of the device and wait for the device, which the pool's threads must not do.
  void collect() {
    if (m_retired_count.load(std::memory_order_acquire) == 0) return;
    std::vector<StagingJobPtr> retired;
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      retired.swap(m_retired);
      m_retired_count.store(0, std::memory_order_relaxed);
    }
  }

 protected:
  StagingQueue()                               = default;
  ~StagingQueue()                              = default;
  StagingQueue(StagingQueue const&)            = delete;
  StagingQueue& operator=(StagingQueue const&) = delete;

  struct Task {
    StagingChannel* channel = nullptr;
    StagingJobPtr job;  // null: nothing to do
    std::size_t first = 0, bytes = 0;
    explicit operator bool() const noexcept { return job != nullptr; }
  };

  /// Whether there is nothing to wait for. Every fence calls this, without the lock.
  bool has_no_jobs() const noexcept { return m_unfinished.load(std::memory_order_acquire) == 0; }

  // ---- the functions below are called under the lock ----

  void add(StagingChannel& channel, StagingJobPtr job) {
    job->age = m_submitted++;
    if (channel.jobs.empty()) m_active.push_back(&channel);
    channel.jobs.push_back(std::move(job));
    m_unfinished.fetch_add(1, std::memory_order_relaxed);
  }

  Task find_in(StagingChannel& channel) {
    if (channel.jobs.empty() || !is_ready(channel)) return {};
    StagingJobPtr const& ptr = channel.jobs.front();
    StagingJob& job          = *ptr;
    if (job.claimed >= job.bytes) {
      job.become(JobState::completing);
      return {&channel, ptr, 0, 0};
    }
    auto const k            = static_cast<unsigned>(job.claimed / job.piece);
    std::size_t const begin = k * job.piece, whole = std::min(job.piece, job.bytes - begin);
    if (job.claimed == begin) job.missing[k % job.slabs] = whole;
    Task task{&channel, ptr, job.claimed, std::min(job.chunk, begin + whole - job.claimed)};
    job.claimed += task.bytes;
    ++job.working;
    return task;
  }

  StagingChannel* ready_channel() const noexcept {
    StagingChannel* oldest = nullptr;
    for (StagingChannel* channel : m_active)
      if ((!oldest || channel->jobs.front()->age < oldest->jobs.front()->age) && is_ready_for_pool(*channel))
        oldest = channel;
    return oldest;
  }
  Task find() {
    notify_streams();
    StagingChannel* const channel = ready_channel();
    return channel ? find_in(*channel) : Task{};
  }

  void execute(Task& task, std::unique_lock<std::mutex>& lock) {
    StagingJob& job = *task.job;
    std::string error;
    lock.unlock();
    try {
      if (task.bytes == 0) {
        if (job.on_completion) job.on_completion();
      } else {
        auto const k  = static_cast<unsigned>(task.first / job.piece);
        char* in_slab = job.slab_of(k) + (task.first - k * job.piece);
        if (char const* const block = job.past_cache ? job.host->block() : nullptr)
          copy_past_cache(in_slab, block + task.first, task.bytes);
        else if (job.to_device)
          job.host->gather(in_slab, task.first, task.bytes);
        else
          job.host->scatter(in_slab, task.first, task.bytes);
      }
    } catch (std::exception const& e) {
      error = e.what();
    } catch (...) {
      error = "an exception of unknown type";
    }
    lock.lock();
    if (!error.empty() && job.error.empty()) job.error = std::move(error);
    if (job.has_completed()) return;  // abandoned meanwhile
    if (task.bytes == 0)
      complete_first(*task.channel);
    else
      return_chunk(job, task);
  }

  bool anything_to_do() noexcept {
    notify_streams();
    return ready_channel() != nullptr;
  }
  bool has_active_channels() const noexcept { return !m_active.empty(); }

  StagingChannel* channel_with(StreamToken token) {
    for (StagingChannel* channel : m_active)
      for (StagingJobPtr const& job : channel->jobs)
        if (job->token == token) return channel;
    return nullptr;
  }

  std::mutex m_mutex;
  std::condition_variable
      m_advanced;  // wakes threads of the program: a job has completed, or a thread has returned a chunk

 private:
  /// The stream failed before it reached these copies.
  void drop_functions(StreamToken token) {
    std::vector<StagingJobPtr> dropped;
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      for (StagingJobPtr const& job : m_functions)
        if (job->token == token) dropped.push_back(job);
    }
    for (StagingJobPtr const& job : dropped) end_function(*job, "the stream stopped before.");
  }

  StreamToken first_token(StagingChannel& channel) {
    std::lock_guard<std::mutex> lock(m_mutex);
    return channel.jobs.empty() ? no_stream : channel.jobs.front()->token;
  }

  template <class Wanted>
  std::string take_errors_if(Wanted const& wanted) {
    std::string sentence;
    if (m_error_count.load(std::memory_order_acquire) == 0) return sentence;
    std::lock_guard<std::mutex> lock(m_mutex);
    for (std::size_t i = 0; i < m_errors.size();) {
      if (!wanted(m_errors[i].first)) {
        ++i;
        continue;
      }
      sentence += (sentence.empty() ? "" : " ") + m_errors[i].second;
      m_errors.erase(m_errors.begin() + static_cast<std::ptrdiff_t>(i));
      m_error_count.fetch_sub(1, std::memory_order_relaxed);
    }
    return sentence;
  }

  /// Ends the first jobs of the channels that `next()`, which is called under the lock, returns until that is null.
  template <class Next>
  void end_finished(Next next) {
    if (has_no_jobs()) return;
    std::unique_lock<std::mutex> lock(m_mutex);
    while (StagingChannel* const channel = next()) {
      if (Task task = find_in(*channel))
        execute(task, lock);
      else
        m_advanced.wait(lock);  // for other threads' chunks
    }
  }

  // ---- the functions below are called under the lock ----

  /// Whether the host may move piece k of the channel's first job.
  static bool may_move(StagingJob const& job, unsigned k) noexcept {
    if (!job.to_device) return StagingWords::reached(job.words.device, job.first + 1 + k);
    // The slab is free when the device has finished the slab's previous piece. The host's memory is not read before the
    // stream has reached the copy, because earlier work in the stream may write there.
    return StagingWords::reached(job.words.device, k < job.slabs ? job.first : job.first + 1 + k - job.slabs);
  }
  static bool device_is_done(StagingJob const& job) noexcept {
    return StagingWords::reached(job.words.device, job.end());
  }
  static bool is_complete(StagingJob const& job) noexcept {
    if (job.working > 0 || job.state == JobState::completing) return false;
    return job.state == JobState::abandoned || (job.done >= job.pieces && device_is_done(job));
  }

  /// A channel whose first job was submitted before `age` and has been finished by the device.
  StagingChannel* finished_channel(std::uint64_t age) const noexcept {
    for (StagingChannel* channel : m_active)
      if (channel->jobs.front()->age < age && device_is_done(*channel->jobs.front())) return channel;
    return nullptr;
  }

  /// Whether there is a chunk of the channel's first job to move, or the job can be ended.
  static bool is_ready(StagingChannel const& channel) noexcept {
    StagingJob const& job = *channel.jobs.front();
    if (job.claimed >= job.bytes) return is_complete(job);
    return may_move(job, static_cast<unsigned>(job.claimed / job.piece));
  }
  /// The same for a thread of the pool. If more threads work on one copy than the link needs, they compete for cache
  /// and memory bandwidth, also with concurrent copies in the other direction.
  static bool is_ready_for_pool(StagingChannel const& channel) noexcept {
    StagingJob const& job = *channel.jobs.front();
    return job.working < job.threads && is_ready(channel);
  }

  /// The job has started, and more than its last piece remains.
  static bool takes_link(StagingJob const& job) noexcept {
    return StagingWords::reached(job.words.device, job.first) &&
           !StagingWords::reached(job.words.device, job.end() - 1);
  }
  bool may_use_link(StagingJob const& job) const noexcept {
    return !job.serialized || std::none_of(m_active.begin(), m_active.end(), [&](StagingChannel* channel) {
      StagingJob const& other = *channel->jobs.front();
      return other.serialized && other.link == job.link && other.age < job.age && takes_link(other);
    });
  }
  /// Notifies the stream of the pieces that the host has finished.
  void notify_stream(StagingJob& job) noexcept {
    // complete_first() notifies the stream of the last piece for the host, after on_completion: until then a fence of the stream
    // waits.
    unsigned const done = job.to_device ? job.done : std::min(job.done, job.pieces - 1);
    if (done == job.notified || !may_use_link(job)) return;
    job.notified = done;
    StagingWords::set(job.words.host, job.first + done);
  }
  /// Notifies the streams of jobs that may use the link since they were served.
  void notify_streams() noexcept {
    for (StagingChannel* channel : m_active) notify_stream(*channel->jobs.front());
  }

  void return_chunk(StagingJob& job, Task const& task) {
    auto const k = static_cast<unsigned>(task.first / job.piece);
    --job.working;
    job.missing[k % job.slabs] -= task.bytes;
    // The stream is notified of pieces in order.
    while (job.missing[job.done % job.slabs] == 0 && is_claimed_whole(job, job.done)) ++job.done;
    notify_stream(job);
    m_advanced.notify_all();  // settle and cancel wait for chunks
  }
  static bool is_claimed_whole(StagingJob const& job, unsigned k) noexcept {
    return k * job.piece < job.bytes && job.claimed >= std::min(job.bytes, (k + 1) * job.piece);
  }

  void complete_first(StagingChannel& channel) {
    StagingJobPtr job = channel.jobs.front();
    // Releases every step that may still wait for the host. The next job on the channel has greater numbers.
    StagingWords::set(job->words.host, job->end());
    if (!job->error.empty()) fail(*job, job->what + " failed in the background: " + job->error);
    remove(channel, job);
  }

  void fail(StagingJob& job, std::string sentence) {
    job.error = std::move(sentence);
    m_errors.emplace_back(job.token, job.error);
    m_error_count.fetch_add(1, std::memory_order_release);
  }

  void remove(StagingChannel& channel, StagingJobPtr const& job) {
    channel.jobs.erase(std::find(channel.jobs.begin(), channel.jobs.end(), job));
    if (channel.jobs.empty()) m_active.erase(std::find(m_active.begin(), m_active.end(), &channel));
    job->become(JobState::completed);
    m_retired.push_back(job);
    m_retired_count.fetch_add(1, std::memory_order_release);
    m_unfinished.fetch_sub(1, std::memory_order_release);
    m_advanced.notify_all();
  }

  /// The device does nothing more for the stream's jobs. Releases all steps that may still wait for the host.
  void give_up(StagingChannel& channel, StreamToken token) {
    channel.given_up = true;
    for (std::size_t i = 0; i < channel.jobs.size();) {
      StagingJobPtr job = channel.jobs[i];
      if (job->token != token || job->working > 0) {
        ++i;
        continue;
      }
      StagingWords::set(job->words.host, job->end());
      fail(*job, job->what + " has not been done: the stream stopped before.");
      remove(channel, job);
    }
  }

  std::vector<StagingChannel*> m_active;   // channels with jobs
  std::vector<StagingJobPtr> m_functions;  // copies to the host that a host function finishes
  std::vector<StagingJobPtr> m_retired;
  std::vector<std::pair<StreamToken, std::string>> m_errors;
  std::uint64_t m_submitted = 0;
  // Atomic, so that a fence of a program without copies takes no lock.
  std::atomic<int> m_unfinished{0}, m_function_count{0}, m_error_count{0}, m_retired_count{0};
};

}  // namespace Kokkos::Impl

#endif
