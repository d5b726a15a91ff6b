// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How streams share the copy engine's pinned memory.
#include "CopyEngineTest.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace {

/// Channels of an arena of 32 MiB, for copies that want all of it.
class LanesTest : public CopyEngineTest {
 protected:
  static constexpr std::size_t MiB = std::size_t(1) << 20;

  void acquire(int count, std::size_t wanted = 32 * MiB) {
    for (int i = 0; i < count; ++i)
      if (auto* channel = arena->acquire(no_stream, wanted, true)) channels.push_back(channel);
  }
  void release() {
    for (auto* channel : channels) arena->release(*channel);
    channels.clear();
  }
  void TearDown() override {
    arena.reset();
    CopyEngineTest::TearDown();
  }
  /// An n-th of the memory, or a little less: the last channel gives some of it to words and mailbox.
  std::size_t part(int n) const { return arena->bytes() / n - (128 << 10); }

  std::unique_ptr<StagingArena<TestRuntime>> arena = std::make_unique<StagingArena<TestRuntime>>(32 * MiB);
  std::vector<StagingCopyChannel*> channels;
};

TEST_F(LanesTest, OneThatCopiesAloneGetsTheMostAndLeavesRoomForThreeMore) {
  acquire(4);
  ASSERT_EQ(channels.size(), 4u);
  EXPECT_TRUE(channels[0]->alone);
  EXPECT_GE(channels[0]->bytes, part(2));
  for (int i = 1; i < 4; ++i) {
    EXPECT_FALSE(channels[i]->alone);
    EXPECT_GE(channels[i]->bytes, part(8)) << i;
    EXPECT_GE(channels[i]->memory, channels[i - 1]->memory + channels[i - 1]->bytes) << i;
  }
}

TEST_F(LanesTest, NobodyGetsMoreThanWanted) {
  acquire(1, 1000);
  EXPECT_TRUE(channels[0]->alone);
  EXPECT_LT(channels[0]->bytes, 2 * MiB);
  acquire(1);
  EXPECT_GE(channels[1]->bytes, part(2));
}

// They lie behind the last channel, and take several units of an arena that is small.
TEST_F(LanesTest, WordsAndMailboxAreInNoChannel) {
  for (std::size_t bytes : {std::size_t(0), 700 * (MiB >> 10), 4 * MiB, 32 * MiB}) {
    SCOPED_TRACE(bytes);
    release();
    arena = std::make_unique<StagingArena<TestRuntime>>(bytes);
    acquire(40, 1);
    EXPECT_GE(channels.size(), 26u);
    const char* end = arena->mailbox();
    for (auto* channel : channels) end = std::min<const char*>(end, reinterpret_cast<char*>(channel->words.device));
    for (auto* channel : channels) {
      EXPECT_LT(channel->memory, end);
      EXPECT_LE(channel->bytes, static_cast<std::size_t>(end - channel->memory));
      EXPECT_GE(channel->bytes, std::size_t(4096));
    }
  }
}

TEST_F(LanesTest, AmongSmallOnesALargeOneLeavesHalfOfTheRest) {
  acquire(4, 4 * MiB);
  acquire(2);
  ASSERT_EQ(channels.size(), 6u);
  EXPECT_GE(channels[4]->bytes, part(4));
  EXPECT_GE(channels[5]->bytes, part(8));
}

// Cores that have just read or written slabs still have them in their caches, where the device is slow to get at them.
TEST_F(LanesTest, OneAfterTheOtherTakesOtherMemoryUntilAllHasBeenUsed) {
  const auto place = [&](std::size_t wanted) {
    acquire(1, wanted);
    char* const memory = channels.back()->memory;
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
  ASSERT_EQ(channels.size(), 4u);
  for (auto* channel : channels) {
    EXPECT_LE(channel->bytes, 8 * MiB);
    EXPECT_GE(channel->bytes, part(4));
    EXPECT_FALSE(channel->alone);
  }
  release();
  acquire(1, 64 << 10);  // never needs more than what it gets
  EXPECT_TRUE(channels[0]->alone);
  release();
  acquire(1);  // not yet known to be alone again
  EXPECT_FALSE(channels[0]->alone);
  EXPECT_LE(channels[0]->bytes, 8 * MiB);
  release();
  acquire(1);
  EXPECT_TRUE(channels[0]->alone);
  EXPECT_GE(channels[0]->bytes, part(2));
}

// Streams that never pause all at once.
TEST_F(LanesTest, BesideThreeOthersOneThatComesAgainGetsTheSameAsTheNext) {
  acquire(4);
  arena->release(*channels[0]);
  channels[0] = arena->acquire(no_stream, 32 * MiB, true);
  EXPECT_LE(channels[0]->bytes, 8 * MiB);
  EXPECT_GE(channels[0]->bytes, part(4));
  arena->release(*channels[1]);
  channels[1] = arena->acquire(no_stream, 32 * MiB, true);
  EXPECT_EQ(channels[1]->bytes, channels[0]->bytes);
}

// Many small copies do not make a large one expect others.
TEST_F(LanesTest, AfterSmallOnesOneThatCopiesAloneGetsTheMost) {
  acquire(8, 64 << 10);
  release();
  acquire(1);
  EXPECT_TRUE(channels[0]->alone);
  EXPECT_GE(channels[0]->bytes, part(2));
}

TEST_F(LanesTest, ManyHaveAnEighthEach) {
  for (int round = 0; round < 8; ++round) {
    release();
    acquire(12);
  }
  EXPECT_EQ(channels.size(), 8u);
  for (auto* channel : channels) EXPECT_GE(channel->bytes, part(8));
}

}  // namespace
