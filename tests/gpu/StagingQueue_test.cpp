// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which copy threads serve next. Without threads and without a device: the tests are both.

#include <GPU/Kokkos_GPU_StagingQueue.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace Kokkos::Impl;

namespace {

/// A queue, and copies of four pieces of one chunk each, through two slabs.
class Queue : public StagingQueue {
 public:
  static constexpr std::size_t piece = 64, pieces = 4, slots = 2;

  struct Copy {
    StagingLane lane;
    std::uint32_t device_word = 0, host_word = 0;
    std::vector<char> slabs = std::vector<char>(slots * piece), memory = std::vector<char>(pieces * piece);
    StagingJobPtr job;

    /// The stream has come to the copy, and the device is done with `n` of its pieces.
    void device_is_done_with(unsigned n) { StagingWords::set(&device_word, job->first + n); }
  };

  Copy& add_copy(bool to_device, int device = 0, bool holds_back = true) {
    Copy& copy      = m_copies.emplace_back();
    auto job        = std::make_shared<StagingJob>();
    job->to_device  = to_device;
    job->device     = device;
    job->holds_back = holds_back;
    job->bytes      = pieces * piece;
    job->piece = job->chunk = job->stride = piece;
    job->slots = slots;
    job->slab  = copy.slabs.data();
    job->words = {&copy.device_word, &copy.host_word};
    job->first = 1;
    job->host  = std::make_unique<HostBlock>(copy.memory.data(), copy.memory.size());
    copy.job   = job;
    std::lock_guard<std::mutex> lock(m_mutex);
    add(copy.lane, job);
    return copy;
  }

  /// Serves one chunk, and says of which copy: "0:1" is piece 1 of copy 0. Empty if there is nothing to do.
  std::string serve() {
    std::unique_lock<std::mutex> lock(m_mutex);
    Task task = find();
    if (!task) return "";
    for (std::size_t i = 0; i < m_copies.size(); ++i)
      if (m_copies[i].job == task.job) {
        const std::string what =
            std::to_string(i) + (task.bytes == 0 ? " ends" : ":" + std::to_string(task.first / piece));
        execute(task, lock);
        return what;
      }
    return "?";
  }

 private:
  std::deque<Copy> m_copies;
};

TEST(StagingQueue, ACopyThatWaitsForTheLinkHoldsBackYoungerOnesToItsDevice) {
  Queue queue;
  auto& older   = queue.add_copy(true);
  auto& younger = queue.add_copy(true);
  younger.device_is_done_with(0);
  older.device_is_done_with(0);
  EXPECT_EQ(queue.serve(), "0:0");
  EXPECT_EQ(queue.serve(), "0:1");
  EXPECT_EQ(queue.serve(), "");  // its slabs are full
  older.device_is_done_with(1);
  EXPECT_EQ(queue.serve(), "0:2");
  EXPECT_EQ(queue.serve(), "");
  older.device_is_done_with(2);
  EXPECT_EQ(queue.serve(), "0:3");
  EXPECT_EQ(queue.serve(), "1:0");  // nothing is left to be moved but by the device
  EXPECT_EQ(queue.serve(), "1:1");
  EXPECT_EQ(queue.serve(), "");
  older.device_is_done_with(4);
  EXPECT_EQ(queue.serve(), "0 ends");
  younger.device_is_done_with(2);
  EXPECT_EQ(queue.serve(), "1:2");
  EXPECT_EQ(queue.serve(), "1:3");
  younger.device_is_done_with(4);
  EXPECT_EQ(queue.serve(), "1 ends");
  EXPECT_EQ(queue.serve(), "");
}

TEST(StagingQueue, CopiesToTheHostAndToOtherDevicesAreNotHeldBack) {
  Queue queue;
  auto& older = queue.add_copy(true);
  auto& other = queue.add_copy(true, 1);
  auto& back  = queue.add_copy(false);
  for (auto* copy : {&older, &other, &back}) copy->device_is_done_with(copy == &back ? 1 : 0);
  EXPECT_EQ(queue.serve(), "0:0");
  EXPECT_EQ(queue.serve(), "0:1");
  EXPECT_EQ(queue.serve(), "1:0");
  EXPECT_EQ(queue.serve(), "1:1");
  EXPECT_EQ(queue.serve(), "2:0");
  EXPECT_EQ(queue.serve(), "");
}

TEST(StagingQueue, ACopyThatHasNotBegunInItsStreamHoldsBackNoOther) {
  Queue queue;
  queue.add_copy(true);
  queue.add_copy(true).device_is_done_with(0);
  EXPECT_EQ(queue.serve(), "1:0");
  EXPECT_EQ(queue.serve(), "1:1");
  EXPECT_EQ(queue.serve(), "");
}

TEST(StagingQueue, ACopyWhoseStepsAreEnqueuedAsTheyAreNeededHoldsBackNoOther) {
  Queue queue;
  queue.add_copy(true, 0, false).device_is_done_with(0);
  queue.add_copy(true).device_is_done_with(0);
  for (const char* expected : {"0:0", "0:1", "1:0", "1:1", ""}) EXPECT_EQ(queue.serve(), expected);
}

TEST(StagingQueue, ACopyOfWhichTheRestWasRefusedHoldsBackNoOther) {
  Queue queue;
  auto& older = queue.add_copy(true);
  older.device_is_done_with(0);
  queue.add_copy(true).device_is_done_with(0);
  EXPECT_EQ(queue.serve(), "0:0");
  EXPECT_EQ(queue.serve(), "0:1");
  EXPECT_EQ(queue.serve(), "");
  queue.truncate(*older.job, 2, true);
  EXPECT_EQ(queue.serve(), "1:0");
}

}  // namespace
