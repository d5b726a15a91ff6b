// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How streams share the copy engine's pinned memory.
#include "CopyEngineTest.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

/// Lanes of an arena of 32 MiB, for copies that want all of it.
class LanesTest : public CopyEngineTest {
 protected:
  static constexpr std::size_t MiB = std::size_t(1) << 20;

  void acquire(int count, std::size_t wanted = 32 * MiB) {
    for (int i = 0; i < count; ++i)
      if (auto* lane = arena->acquire(no_stream, wanted, true)) lanes.push_back(lane);
  }
  void release() {
    for (auto* lane : lanes) arena->release(*lane);
    lanes.clear();
  }
  void TearDown() override {
    arena.reset();
    CopyEngineTest::TearDown();
  }
  /// An n-th of the memory, or a little less: the last lane gives some of it to words and mailbox.
  std::size_t part(int n) const { return arena->bytes() / n - (128 << 10); }

  std::unique_ptr<StagingArena<TestRuntime>> arena = std::make_unique<StagingArena<TestRuntime>>(32 * MiB);
  std::vector<StagingCopyLane*> lanes;
};

TEST_F(LanesTest, OneThatCopiesAloneGetsTheMostAndLeavesRoomForThreeMore) {
  acquire(4);
  ASSERT_EQ(lanes.size(), 4u);
  EXPECT_TRUE(lanes[0]->alone);
  EXPECT_GE(lanes[0]->bytes, part(2));
  for (int i = 1; i < 4; ++i) {
    EXPECT_FALSE(lanes[i]->alone);
    EXPECT_GE(lanes[i]->bytes, part(8)) << i;
    EXPECT_GE(lanes[i]->memory, lanes[i - 1]->memory + lanes[i - 1]->bytes) << i;
  }
}

TEST_F(LanesTest, NobodyGetsMoreThanWanted) {
  acquire(1, 1000);
  EXPECT_TRUE(lanes[0]->alone);
  EXPECT_LT(lanes[0]->bytes, 2 * MiB);
  acquire(1);
  EXPECT_GE(lanes[1]->bytes, part(2));
}

// They lie behind the last lane, and take several units of an arena that is small.
TEST_F(LanesTest, WordsAndMailboxAreInNoLane) {
  for (std::size_t bytes : {std::size_t(0), 700 * (MiB >> 10), 4 * MiB, 32 * MiB}) {
    SCOPED_TRACE(bytes);
    release();
    arena = std::make_unique<StagingArena<TestRuntime>>(bytes);
    acquire(40, 1);
    EXPECT_GE(lanes.size(), 26u);
    const char* end = arena->mailbox();
    for (auto* lane : lanes) end = std::min<const char*>(end, reinterpret_cast<char*>(lane->words.device));
    for (auto* lane : lanes) {
      EXPECT_LT(lane->memory, end);
      EXPECT_LE(lane->bytes, static_cast<std::size_t>(end - lane->memory));
      EXPECT_GE(lane->bytes, std::size_t(4096));
    }
  }
}

TEST_F(LanesTest, AmongSmallOnesALargeOneLeavesHalfOfTheRest) {
  acquire(4, 4 * MiB);
  acquire(2);
  ASSERT_EQ(lanes.size(), 6u);
  EXPECT_GE(lanes[4]->bytes, part(4));
  EXPECT_GE(lanes[5]->bytes, part(8));
}

// Cores that have just read or written slabs still have them in their caches, where the device is slow to get at them.
TEST_F(LanesTest, OneAfterTheOtherTakesOtherMemoryUntilAllHasBeenUsed) {
  const auto place = [&](std::size_t wanted) {
    acquire(1, wanted);
    char* const memory = lanes.back()->memory;
    release();
    return memory;
  };
  char* const begin = place(12 * MiB);
  EXPECT_EQ(place(12 * MiB), begin + 12 * MiB);
  EXPECT_EQ(place(12 * MiB), begin) << "there are less than 12 MiB behind the second one";
  EXPECT_EQ(place(4 * MiB), begin + 12 * MiB);
  EXPECT_EQ(place(14 * MiB), begin + 16 * MiB);
}

// What several streams did they are likely to do again: none of them has the most then, and the last has no less.
TEST_F(LanesTest, AfterFourAtOnceFourAreEqual) {
  acquire(4);
  release();
  acquire(4);
  ASSERT_EQ(lanes.size(), 4u);
  for (auto* lane : lanes) {
    EXPECT_LE(lane->bytes, 8 * MiB);
    EXPECT_GE(lane->bytes, part(4));
    EXPECT_FALSE(lane->alone);
  }
  release();
  acquire(1, 64 << 10);  // never needs more than what it gets
  EXPECT_TRUE(lanes[0]->alone);
  release();
  acquire(1);  // not yet known to be alone again
  EXPECT_FALSE(lanes[0]->alone);
  EXPECT_LE(lanes[0]->bytes, 8 * MiB);
  release();
  acquire(1);
  EXPECT_TRUE(lanes[0]->alone);
  EXPECT_GE(lanes[0]->bytes, part(2));
}

// Streams that never pause all at once.
TEST_F(LanesTest, BesideThreeOthersOneThatComesAgainGetsTheSameAsTheNext) {
  acquire(4);
  arena->release(*lanes[0]);
  lanes[0] = arena->acquire(no_stream, 32 * MiB, true);
  EXPECT_LE(lanes[0]->bytes, 8 * MiB);
  EXPECT_GE(lanes[0]->bytes, part(4));
  arena->release(*lanes[1]);
  lanes[1] = arena->acquire(no_stream, 32 * MiB, true);
  EXPECT_EQ(lanes[1]->bytes, lanes[0]->bytes);
}

// Many small copies do not make a large one expect others.
TEST_F(LanesTest, AfterSmallOnesOneThatCopiesAloneGetsTheMost) {
  acquire(8, 64 << 10);
  release();
  acquire(1);
  EXPECT_TRUE(lanes[0]->alone);
  EXPECT_GE(lanes[0]->bytes, part(2));
}

TEST_F(LanesTest, ManyHaveAnEighthEach) {
  for (int round = 0; round < 8; ++round) {
    release();
    acquire(12);
  }
  EXPECT_EQ(lanes.size(), 8u);
  for (auto* lane : lanes) EXPECT_GE(lane->bytes, part(8));
}

}  // namespace
