// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The distribution of the copy engine's pinned memory among streams.
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
      if (StagingLease const lease = arena->acquire(no_stream, wanted, State::owned); lease.channel)
        leases.push_back(lease);
  }
  void release() {
    for (auto& lease : leases) arena->release(*lease.channel);
    leases.clear();
  }
  void TearDown() override {
    arena.reset();
    CopyEngineTest::TearDown();
  }
  /// 1/n of the memory, or slightly less: the last channel gives a part to words.
  std::size_t part(int n) const { return arena->bytes() / n - (128 << 10); }

  using Arena = StagingArena<TestRuntime>;
  using State = StagingCopyChannel::State;
  StagingPool pool;
  std::unique_ptr<Arena> arena = std::make_unique<Arena>(pool, 32 * MiB);
  std::vector<StagingLease> leases;
};

// Each call, the state that it leads to, and what it leaves unchanged.
TEST(StagingCopyChannelTest, GoesFromStateToState) {
  using State = StagingCopyChannel::State;
  StagingCopyChannel channel;
  EXPECT_EQ(channel.state(), State::free);
  char memory[8];
  std::uint32_t host = 0, device = 0, word = 0;
  channel.take(3, 2, memory, sizeof memory, State::owned);
  EXPECT_TRUE(channel.state() == State::owned && channel.first_unit() == 3 && channel.units() == 2);
  EXPECT_TRUE(channel.memory() == memory && channel.bytes() == sizeof memory);
  StagingWords words;
  words.host   = &host;
  words.device = &device;
  channel.set_words(words);
  EXPECT_TRUE(channel.words().host == &host && channel.words().device == &device);
  EXPECT_EQ(channel.next_number(), 1u);
  channel.number(5);  // and one for the end
  EXPECT_EQ(channel.next_number(), 7u);
  EXPECT_TRUE(channel.has_numbers(StagingCopyChannel::max_number - 8));
  EXPECT_FALSE(channel.has_numbers(StagingCopyChannel::max_number - 7));
  EXPECT_FALSE(channel.has_numbers(StagingCopyChannel::max_number));
  StreamToken const stream{7}, other{8};
  channel.set_last(stream, &word, 6);
  EXPECT_TRUE(channel.last_stream() == stream && channel.last_word() == &word && channel.last_value() == 6);
  channel.share();
  EXPECT_EQ(channel.state(), State::shared);
  channel.forget(stream);  // only a lost channel
  EXPECT_EQ(channel.state(), State::shared);
  channel.lose(stream);
  channel.forget(other);
  EXPECT_TRUE(channel.state() == State::lost && host == 0 && device == 0);
  channel.forget(stream);
  EXPECT_TRUE(channel.state() == State::free && channel.last_stream() == no_stream);
  EXPECT_TRUE(host == 6 && device == 6) << "the last number, as if all pieces had ended";
}

TEST_F(LanesTest, ALoneInstanceLeavesRoomForThree) {
  acquire(4);
  ASSERT_EQ(leases.size(), 4u);
  EXPECT_TRUE(leases[0].space.alone);
  EXPECT_GE(leases[0].space.bytes, part(2));
  for (int i = 1; i < 4; ++i) {
    EXPECT_FALSE(leases[i].space.alone);
    EXPECT_GE(leases[i].space.bytes, part(8)) << i;
    EXPECT_GE(leases[i].channel->memory(), leases[i - 1].channel->memory() + leases[i - 1].space.bytes) << i;
  }
}

TEST_F(LanesTest, NobodyGetsMoreThanWanted) {
  acquire(1, 1000);
  EXPECT_TRUE(leases[0].space.alone);
  EXPECT_LT(leases[0].space.bytes, 2 * MiB);
  acquire(1);
  EXPECT_GE(leases[1].space.bytes, part(2));
}

// A unit of this arena has 1 MiB. One byte more than some units takes another one.
TEST_F(LanesTest, CopiesGetWholeUnits) {
  for (std::size_t units : {1, 2, 3, 17}) {
    for (std::size_t wanted : {(units - 1) * MiB + 1, units * MiB - 1, units * MiB}) {
      acquire(1, wanted);
      EXPECT_EQ(leases.at(0).space.bytes, units * MiB) << wanted;
      release();
    }
  }
}

// The words that streams write are behind the last channel, and take several units of a small arena.
TEST_F(LanesTest, WordsAreInNoChannel) {
  for (std::size_t bytes : {std::size_t(0), 700 * (MiB >> 10), 4 * MiB, 32 * MiB}) {
    SCOPED_TRACE(bytes);
    release();
    arena = std::make_unique<Arena>(pool, bytes);
    acquire(40, 1);
    EXPECT_GE(leases.size(), 26u);
    char const* end = reinterpret_cast<char*>(arena->spare_word());
    for (auto& lease : leases) end = std::min<char const*>(end, reinterpret_cast<char*>(lease.channel->words().device));
    for (auto& lease : leases) {
      EXPECT_LT(lease.channel->memory(), end);
      EXPECT_LE(lease.space.bytes, static_cast<std::size_t>(end - lease.channel->memory()));
      EXPECT_GE(lease.space.bytes, std::size_t(4096));
    }
  }
}

TEST_F(LanesTest, AmongSmallOnesALargeOneLeavesHalfOfTheRest) {
  acquire(4, 4 * MiB);
  acquire(2);
  ASSERT_EQ(leases.size(), 6u);
  EXPECT_GE(leases[4].space.bytes, part(4));
  EXPECT_GE(leases[5].space.bytes, part(8));
}

// Caches of cores that have just read or written slabs still contain them, which makes these slabs slow for the device.
TEST_F(LanesTest, SuccessiveCopiesRotateThroughTheMemory) {
  auto const place = [&](std::size_t wanted) {
    acquire(1, wanted);
    char* const memory = leases.back().channel->memory();
    release();
    return memory;
  };
  char* const begin = place(12 * MiB);
  EXPECT_EQ(place(12 * MiB), begin + 12 * MiB);
  EXPECT_EQ(place(12 * MiB), begin) << "there are less than 12 MiB behind the second one";
  EXPECT_EQ(place(4 * MiB), begin + 12 * MiB);
  EXPECT_EQ(place(14 * MiB), begin + 16 * MiB);
}

// Several streams are likely to repeat their pattern. So all of them get equal shares the next time, the first and the
// last too.
TEST_F(LanesTest, AfterFourAtOnceFourAreEqual) {
  acquire(4);
  release();
  acquire(4);
  ASSERT_EQ(leases.size(), 4u);
  for (auto& lease : leases) {
    EXPECT_LE(lease.space.bytes, 8 * MiB);
    EXPECT_GE(lease.space.bytes, part(4));
  }
  release();
  acquire(1, 64 << 10);  // never needs more than it gets
  EXPECT_TRUE(leases[0].space.alone);
  release();
  acquire(1);  // not yet known to be the only one again
  EXPECT_LE(leases[0].space.bytes, 8 * MiB);
  release();
  acquire(1);
  EXPECT_TRUE(leases[0].space.alone);
  EXPECT_GE(leases[0].space.bytes, part(2));
}

TEST_F(LanesTest, AfterTwoAtOnceTwoAreEqual) {
  acquire(2);
  EXPECT_GT(leases[0].space.bytes, 4 * leases[1].space.bytes);
  release();
  acquire(2);
  EXPECT_GE(leases[0].space.bytes, part(4));
  EXPECT_EQ(leases[1].space.bytes, leases[0].space.bytes);
}

// Some of the four streams are copying at any time, so none of them ever copies alone.
TEST_F(LanesTest, BesideThreeOthersSharesAreEqual) {
  acquire(4);
  arena->release(*leases[0].channel);
  leases[0] = arena->acquire(no_stream, 32 * MiB, State::owned);
  EXPECT_LE(leases[0].space.bytes, 8 * MiB);
  EXPECT_GE(leases[0].space.bytes, part(4));
  arena->release(*leases[1].channel);
  leases[1] = arena->acquire(no_stream, 32 * MiB, State::owned);
  EXPECT_EQ(leases[1].space.bytes, leases[0].space.bytes);
}

// Many small copies do not make a large one expect other large copies.
TEST_F(LanesTest, AfterSmallOnesOneThatCopiesAloneGetsTheMost) {
  acquire(8, 64 << 10);
  release();
  acquire(1);
  EXPECT_TRUE(leases[0].space.alone);
  EXPECT_GE(leases[0].space.bytes, part(2));
}

// Words count pieces, and are compared, so they must never wrap around. A channel near the end gets new words, and one
// that is never idle is refused numbers.
TEST_F(LanesTest, NumbersOfPiecesDoNotWrap) {
  acquire(1);
  StagingCopyChannel& channel     = *leases[0].channel;
  std::uint32_t const* const word = channel.words().host;
  EXPECT_TRUE(channel.has_numbers(1000));
  channel.number(StagingCopyChannel::max_number - 1000);
  EXPECT_FALSE(channel.has_numbers(1000));
  release();
  acquire(1);
  EXPECT_EQ(leases[0].channel, &channel);
  EXPECT_NE(channel.words().host, word);
  EXPECT_TRUE(channel.has_numbers(1000));
}

// After an error of a stream, its steps may still run until the stream itself has ended.
TEST_F(LanesTest, LostMemoryReturnsWithTheEndOfItsStream) {
  for (int round = 0; round < 40; ++round) {
    acquire(40, 8 * MiB);
    ASSERT_GE(leases.size(), 2u) << "round " << round;
    for (std::size_t i = 0; i < leases.size(); ++i) leases[i].channel->lose(StreamToken(i < 2 ? 1 : 2));
    leases.clear();
    acquire(1, 8 * MiB);
    EXPECT_TRUE(leases.empty()) << "everything is lost";
    arena->forget(3);
    acquire(1, 8 * MiB);
    EXPECT_TRUE(leases.empty()) << "another stream has ended";
    arena->forget(1);
    acquire(1, 8 * MiB);
    EXPECT_EQ(leases.size(), 1u);
    release();
    arena->forget(2);
  }
  acquire(40, 1);
  EXPECT_GE(leases.size(), 30u) << "all memory is free again";
  release();
}

TEST_F(LanesTest, ManyHaveAnEighthEach) {
  for (int round = 0; round < 8; ++round) {
    release();
    acquire(12);
  }
  EXPECT_EQ(leases.size(), 8u);
  for (auto& lease : leases) EXPECT_GE(lease.space.bytes, part(8));
}

}  // namespace
