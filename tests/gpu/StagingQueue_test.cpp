// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The choice of the next copy that threads serve. Without threads and without a device: the tests act as both.

#include <impl/GPU/portable/Kokkos_GPU_StagingQueue.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace Kokkos::Impl;

namespace {

/// A queue, and copies of four pieces of one chunk each, through two slabs.
class Queue : public StagingQueue {
 public:
  static constexpr std::size_t piece = 64, pieces = 4, slab_count = 2;

  struct Copy {
    StagingChannel channel;
    std::uint32_t device_word = 0, host_word = 0;
    std::vector<char> slabs = std::vector<char>(slab_count * piece), memory = std::vector<char>(pieces * piece);
    StagingJobPtr job;

    /// The stream has reached the copy, and the device has finished `n` of its pieces.
    void device_is_done_with(unsigned n) { StagingWords::set(&device_word, job->first + n); }
    /// Number of pieces that the stream has been notified of.
    unsigned announced() const { return host_word < job->first ? 0 : host_word - job->first; }
  };

  /// `before`: the copy that the same stream makes before it.
  Copy& add_copy(bool to_device, bool serialized, int device = 0, Copy* before = nullptr) {
    Copy& copy      = m_copies.emplace_back();
    auto job        = std::make_shared<StagingJob>();
    job->to_device  = to_device;
    job->link       = device;
    job->serialized = serialized;
    job->bytes      = pieces * piece;
    job->pieces     = pieces;
    job->piece = job->chunk = job->stride = piece;
    job->slabs                            = slab_count;
    job->slab                             = copy.slabs.data();
    job->words                            = {&copy.device_word, &copy.host_word};
    job->first                            = 1;
    job->host                             = std::make_unique<HostBlock>(copy.memory.data(), copy.memory.size());
    copy.job                              = job;
    std::lock_guard<std::mutex> lock(m_mutex);
    add(before ? before->channel : copy.channel, job);
    return copy;
  }

  /// Serves one chunk, and returns its copy and piece: "0:1" is piece 1 of copy 0. Empty if there is nothing to do.
  std::string serve() {
    std::unique_lock<std::mutex> lock(m_mutex);
    Task task = find();
    if (!task) return "";
    for (std::size_t i = 0; i < m_copies.size(); ++i)
      if (m_copies[i].job == task.job) {
        std::string const what =
            std::to_string(i) + (task.bytes == 0 ? " ends" : ":" + std::to_string(task.first / piece));
        execute(task, lock);
        return what;
      }
    return "?";
  }

  /// Whether there is anything to serve.
  bool look() {
    std::lock_guard<std::mutex> lock(m_mutex);
    return anything_to_do();
  }

 private:
  std::deque<Copy> m_copies;
};

/// Two copies to a device, which their streams have reached.
class TwoCopies : public testing::Test {
 protected:
  void SetUp() override {
    for (auto* copy : {&older, &younger}) copy->device_is_done_with(0);
    for (char const* expected : {"0:0", "0:1", "1:0", "1:1", ""}) ASSERT_EQ(queue.serve(), expected);
  }
  Queue queue;
  Queue::Copy& older   = queue.add_copy(true, true);
  Queue::Copy& younger = queue.add_copy(true, true);
};

TEST_F(TwoCopies, TheLinkServesOneCopyAfterTheOther) {
  EXPECT_EQ(older.announced(), 2u);
  EXPECT_EQ(younger.announced(), 0u) << "its slabs are full, but the older copy uses the link";
  older.device_is_done_with(1);
  EXPECT_EQ(queue.serve(), "0:2");
  older.device_is_done_with(2);
  EXPECT_EQ(queue.serve(), "0:3");
  EXPECT_EQ(queue.serve(), "");
  EXPECT_EQ(older.announced(), 4u);
  EXPECT_EQ(younger.announced(), 0u) << "the device has two pieces before it";
  older.device_is_done_with(3);
  EXPECT_EQ(queue.serve(), "");
  EXPECT_EQ(younger.announced(), 2u) << "the link must not be idle between the last piece and the next copy";
  older.device_is_done_with(4);
  EXPECT_EQ(queue.serve(), "0 ends");
  younger.device_is_done_with(2);
  EXPECT_EQ(queue.serve(), "1:2");
  EXPECT_EQ(younger.announced(), 3u);
  EXPECT_EQ(queue.serve(), "1:3");
  younger.device_is_done_with(4);
  EXPECT_EQ(queue.serve(), "1 ends");
  EXPECT_EQ(queue.serve(), "");
}

// A thread that only polls for work also notifies streams, because all others may be asleep by then.
TEST_F(TwoCopies, APollNotifiesTheNextStream) {
  older.device_is_done_with(2);
  EXPECT_EQ(queue.serve(), "0:2");
  EXPECT_EQ(queue.serve(), "0:3");
  older.device_is_done_with(3);
  EXPECT_FALSE(queue.look());
  EXPECT_EQ(younger.announced(), 2u);
}

TEST(StagingQueue, CopiesToTheHostAndToOtherDevicesAreNotSerialized) {
  Queue queue;
  auto& older = queue.add_copy(true, true);
  auto& other = queue.add_copy(true, true, 1);
  auto& back  = queue.add_copy(false, false);
  for (auto* copy : {&older, &other, &back}) copy->device_is_done_with(copy == &back ? 1 : 0);
  for (char const* expected : {"0:0", "0:1", "1:0", "1:1", "2:0", ""}) EXPECT_EQ(queue.serve(), expected);
  EXPECT_EQ(other.announced(), 2u);
  EXPECT_EQ(back.announced(), 1u);
}

TEST(StagingQueue, ACopyThatHasNotBegunInItsStreamDelaysNoOther) {
  Queue queue;
  queue.add_copy(true, true);
  auto& younger = queue.add_copy(true, true);
  younger.device_is_done_with(0);
  for (char const* expected : {"1:0", "1:1", ""}) EXPECT_EQ(queue.serve(), expected);
  EXPECT_EQ(younger.announced(), 2u);
}

// Of the copies of one stream the first one uses the link.
TEST(StagingQueue, ALaterCopyOfItsStreamTakesNoLinkAway) {
  Queue queue;
  auto& older = queue.add_copy(true, true);
  queue.add_copy(true, true, 0, &older);
  auto& younger = queue.add_copy(true, true);
  for (auto* copy : {&older, &younger}) copy->device_is_done_with(0);
  for (char const* expected : {"0:0", "0:1", "2:0", "2:1", ""}) EXPECT_EQ(queue.serve(), expected);
  EXPECT_EQ(older.announced(), 2u);
  EXPECT_EQ(younger.announced(), 0u) << "the older copy uses the link";
}

TEST(StagingQueue, OnlySerializedCopiesWaitForEachOther) {
  for (bool older_is_serialized : {false, true}) {
    Queue queue;
    queue.add_copy(true, older_is_serialized).device_is_done_with(0);
    auto& younger = queue.add_copy(true, !older_is_serialized);
    younger.device_is_done_with(0);
    for (char const* expected : {"0:0", "0:1", "1:0", "1:1", ""}) EXPECT_EQ(queue.serve(), expected);
    EXPECT_EQ(younger.announced(), 2u) << older_is_serialized;
  }
}

TEST_F(TwoCopies, ACancelledCopyDelaysNoOther) {
  int ends                 = 0;
  older.job->on_completion = [&] { ++ends; };
  older.device_is_done_with(1);
  EXPECT_EQ(queue.serve(), "0:2");
  EXPECT_EQ(younger.announced(), 0u);
  for (int i = 0; i < 2; ++i) queue.cancel(older.channel, older.job);
  EXPECT_TRUE(queue.has_completed(*older.job));
  EXPECT_EQ(ends, 1) << "a tool is told the end once";
  EXPECT_EQ(queue.serve(), "");
  EXPECT_EQ(younger.announced(), 2u);
}

// The callback of a job that is completing belongs to the thread that runs it, so nothing may cut the job short meanwhile.
TEST(StagingQueue, ACopyThatIsCompletingIsNotAbandoned) {
  Queue queue;
  auto& copy              = queue.add_copy(false, false);
  auto const alive        = std::make_shared<int>(0);
  long owners             = 0;
  copy.job->on_completion = [&, alive] {
    queue.abandon(copy.channel, copy.job);
    owners = alive.use_count();
  };
  copy.device_is_done_with(4);
  for (char const* expected : {"0:0", "0:1", "0:2", "0:3", "0 ends", ""}) EXPECT_EQ(queue.serve(), expected);
  EXPECT_EQ(owners, 2) << "the callback was destroyed while it ran";
  EXPECT_TRUE(queue.has_completed(*copy.job));
}

/// Host memory during whose first write a function is called.
class ExitingMemory : public HostSide {
 public:
  ExitingMemory(char* data, std::size_t bytes, std::function<void()> exit)
      : m_block(data, bytes), m_exit(std::move(exit)) {}
  void gather(void* slab, std::size_t first, std::size_t bytes) const override { m_block.gather(slab, first, bytes); }
  void scatter(void const* slab, std::size_t first, std::size_t bytes) const override {
    m_block.scatter(slab, first, bytes);
    if (m_exit) std::exchange(m_exit, nullptr)();
  }
  HostSpan span() const override { return m_block.span(); }
  void poison() const override {}

 private:
  HostBlock m_block;
  mutable std::function<void()> m_exit;
};

// The thread that moves a piece finds that the program has exited meanwhile: every step of the stream has been released, and
// stays so.
TEST(StagingQueue, AbandonedCopiesIgnoreAWorkingThread) {
  Queue queue;
  auto& copy = queue.add_copy(false, false);
  copy.job->host =
      std::make_unique<ExitingMemory>(copy.memory.data(), copy.memory.size(), [&] { queue.abandon_all(); });
  copy.device_is_done_with(4);
  EXPECT_EQ(queue.serve(), "0:0");
  EXPECT_TRUE(queue.has_completed(*copy.job));
  EXPECT_EQ(copy.announced(), 4u);
  EXPECT_EQ(queue.jobs_of(copy.channel), 0u);
  EXPECT_EQ(queue.serve(), "");
}

// A stream ends: its copies are completed as far as the device has come, and those that it will never make are reported.
TEST_F(TwoCopies, OfAStreamThatEndsAreCompletedOrReported) {
  older.job->token   = 1;
  younger.job->token = 2;
  older.job->what    = "the older copy";
  younger.job->what  = "the younger copy";
  older.device_is_done_with(4);
  younger.device_is_done_with(2);
  queue.settle(1);
  EXPECT_TRUE(queue.has_completed(*older.job));
  EXPECT_FALSE(queue.has_completed(*younger.job)) << "it is in another stream";
  EXPECT_EQ(older.announced(), 4u);
  EXPECT_EQ(queue.take_errors(1), "");
  queue.settle(2);
  EXPECT_TRUE(queue.has_completed(*younger.job));
  EXPECT_EQ(younger.announced(), 4u) << "steps that are left must not wait";
  EXPECT_TRUE(younger.channel.given_up);
  EXPECT_FALSE(older.channel.given_up);
  EXPECT_EQ(queue.take_errors(1), "");
  EXPECT_EQ(queue.take_errors(2), "the younger copy has not been done: the stream stopped before.");
  EXPECT_EQ(queue.serve(), "");
}

// A thread that looks for a free channel does not end a copy with a callback for its end.
TEST(StagingQueue, AChannelIsIdleWhenItsLastCopyHasBeenReported) {
  for (bool const is_reported : {true, false}) {
    Queue queue;
    auto& copy = queue.add_copy(true, false);
    int ends   = 0;
    if (is_reported) copy.job->on_completion = [&] { ++ends; };
    for (unsigned done = 0; done <= 4; ++done) {
      EXPECT_FALSE(queue.idle(copy.channel)) << "the device has finished " << done << " pieces";
      copy.device_is_done_with(done);
      while (done < 4 && !queue.serve().empty()) continue;
    }
    EXPECT_EQ(queue.idle(copy.channel), !is_reported);
    EXPECT_EQ(queue.serve(), is_reported ? "0 ends" : "");
    EXPECT_EQ(ends, is_reported ? 1 : 0);
    EXPECT_TRUE(queue.idle(copy.channel));
  }
}

// ---- copies that functions of streams finish --------------------------------------------------------------------------

/// Two copies to the host, which functions of the streams 1 and 2 finish.
class TwoFunctions : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < 2; ++i) {
      auto job   = std::make_shared<StagingJob>();
      job->token = i + 1;
      job->what  = "copy " + std::to_string(i + 1);
      job->host  = std::make_unique<HostBlock>(memory[i].data(), memory[i].size());
      job->keep  = kept[i];
      jobs[i]    = job.get();
      queue.add_function(std::move(job));
    }
  }
  bool touches(std::size_t i, bool to_device = false) {
    return queue.touches({memory[i].data() + 8, memory[i].data() + 9}, to_device);
  }
  Queue queue;
  std::vector<char> memory[2]  = {std::vector<char>(16), std::vector<char>(16)};
  std::shared_ptr<int> kept[2] = {std::make_shared<int>(), std::make_shared<int>()};
  StagingJob* jobs[2]          = {};
};

TEST_F(TwoFunctions, TouchTheirMemoryAndKeepItUntilTheyHaveEnded) {
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(touches(0) == (i == 0));
    EXPECT_TRUE(touches(1));
    EXPECT_FALSE(touches(1, true)) << "they do not read it";
    queue.end_function(*jobs[i], "");
    EXPECT_FALSE(touches(i));
    EXPECT_EQ(kept[i].use_count(), 2) << "a function of a stream must not free memory";
    queue.collect();
    EXPECT_EQ(kept[i].use_count(), 1);
  }
  EXPECT_EQ(queue.take_all_errors(), "");
}

TEST_F(TwoFunctions, FailForTheirOwnStream) {
  queue.end_function(*jobs[1], "no room");
  EXPECT_EQ(queue.take_errors(1), "");
  EXPECT_EQ(queue.take_errors(2), "copy 2 failed in the background: no room");
  EXPECT_EQ(queue.take_errors(2), "");
}

TEST_F(TwoFunctions, OfAStreamThatStoppedAreReported) {
  queue.settle(1);
  EXPECT_FALSE(touches(0));
  EXPECT_TRUE(touches(1)) << "the other stream goes on";
  EXPECT_EQ(queue.take_errors(2), "");
  EXPECT_EQ(queue.take_errors(1), "copy 1 failed in the background: the stream stopped before.");
  queue.settle(2);
  EXPECT_EQ(queue.take_all_errors(), "copy 2 failed in the background: the stream stopped before.");
  queue.collect();
  for (auto const& one : kept) EXPECT_EQ(one.use_count(), 1);
}

// The program exits while a thread moves a piece: the memory of the copy must not be freed before.
TEST(StagingQueue, AbandoningWaitsForAThreadThatMovesAPiece) {
  Queue queue;
  auto& copy = queue.add_copy(false, false);
  std::atomic<bool> moves{false}, moved{false};
  copy.job->host = std::make_unique<ExitingMemory>(copy.memory.data(), copy.memory.size(), [&] {
    moves = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    moved = true;
  });
  copy.device_is_done_with(4);
  std::thread mover([&] { (void)queue.serve(); });
  while (!moves) std::this_thread::yield();
  queue.abandon_all();
  EXPECT_TRUE(moved);
  mover.join();
  EXPECT_TRUE(queue.has_completed(*copy.job));
}

TEST(StagingJob, ChangesItsStateAsTheTableSays) {
  using enum JobState;
  for (auto from : {moving, abandoned, completing, completed}) {
    EXPECT_FALSE(may_become(from, from));
    EXPECT_FALSE(may_become(completed, from)) << "a job ends once";
    EXPECT_EQ(may_become(completing, from), from == completed) << "nothing cuts a job short whose bytes are in place";
    EXPECT_FALSE(may_become(from, moving));
  }
  StagingJob job;
  EXPECT_TRUE(job.become(abandoned));
  EXPECT_FALSE(job.become(moving)) << "its bytes are no longer needed";
  EXPECT_EQ(job.state, abandoned);
  EXPECT_TRUE(job.become(completing));
  EXPECT_TRUE(job.become(completed));
}

}  // namespace
