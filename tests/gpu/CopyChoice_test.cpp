// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The route and the division of a copy: tables for two pure functions.

#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>

#include <gtest/gtest.h>

using namespace Kokkos::Impl;

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr bool to_device = true, to_host = false;
constexpr auto nothing = CopyWait::nothing, memory = CopyWait::host_memory, end = CopyWait::end;

struct Choice {
  bool to_device;
  std::size_t bytes;
  CopyWait wait;
  CopyMethod method;
};

CopyFacts facts_of(Choice const& c) {
  CopyFacts facts;
  facts.to_device = c.to_device;
  facts.bytes     = c.bytes;
  facts.wait      = c.wait;
  return facts;
}

TEST(CopyChoice, MethodOfABlock) {
  const Choice table[] = {
      {to_device, 0, nothing, CopyMethod::nothing},
      {to_device, 8, nothing, CopyMethod::runtime_reads},
      {to_device, 64 * KiB, nothing, CopyMethod::runtime_reads},
      {to_device, 64 * KiB, memory, CopyMethod::runtime_reads},
      {to_device, 64 * KiB + 1, nothing, CopyMethod::staged},
      {to_device, 1 * MiB + 1, nothing, CopyMethod::staged},
      {to_device, 1 * MiB + 1, memory, CopyMethod::staged},
      {to_device, 8, end, CopyMethod::runtime_waits},
      {to_device, 4 * MiB, end, CopyMethod::runtime_waits},
      {to_device, 4 * MiB + 1, end, CopyMethod::staged_gradually},
      {to_device, 1 * GiB, nothing, CopyMethod::staged},
      {to_device, 30 * GiB, nothing, CopyMethod::staged_gradually},
      {to_host, 8, nothing, CopyMethod::slot},
      {to_host, 8, nothing, CopyMethod::slot},
      {to_host, 8, memory, CopyMethod::slot},
      {to_host, 8, end, CopyMethod::slot},
      {to_host, 512 * KiB, nothing, CopyMethod::slot},
      {to_host, 512 * KiB + 1, nothing, CopyMethod::staged},
      {to_host, 512 * KiB + 1, end, CopyMethod::runtime_waits},
      {to_host, 4 * MiB + 1, memory, CopyMethod::staged_gradually},
      {to_host, 30 * GiB, nothing, CopyMethod::staged_gradually},
  };
  for (Choice const& c : table)
    EXPECT_EQ(choose_copy_method(facts_of(c), CopySettings()), c.method)
        << (c.to_device ? "to the device, " : "to the host, ") << c.bytes << " bytes, waits for "
        << static_cast<int>(c.wait);
}

// A vendor's runtime may be slow in only one direction.
TEST(CopyChoice, TheRuntimeHasALimitForEachDirection) {
  CopySettings settings;
  settings.runtime_to_host_bytes = 1 * MiB;
  EXPECT_EQ(choose_copy_method(facts_of({to_host, 1 * MiB, end, {}}), settings), CopyMethod::runtime_waits);
  EXPECT_EQ(choose_copy_method(facts_of({to_host, 1 * MiB + 1, end, {}}), settings), CopyMethod::staged_gradually);
  EXPECT_EQ(choose_copy_method(facts_of({to_device, 4 * MiB, end, {}}), settings), CopyMethod::runtime_waits);
}

// More steps than a driver's queue has room for are left to a kernel, unless the caller waits anyway.
TEST(CopyChoice, AKernelMakesLongCopies) {
  CopySettings settings;
  const std::size_t length = (settings.max_pieces_ahead + 1) * settings.piece_bytes;
  CopyFacts facts          = facts_of({to_device, length, nothing, {}});
  EXPECT_EQ(choose_copy_method(facts, settings), CopyMethod::staged_gradually);
  facts.has_kernel = true;
  EXPECT_EQ(choose_copy_method(facts, settings), CopyMethod::staged_by_kernel);
  facts.bytes = length - 1;
  EXPECT_EQ(choose_copy_method(facts, settings), CopyMethod::staged);
  facts.bytes = length;
  facts.wait  = end;
  EXPECT_EQ(choose_copy_method(facts, settings), CopyMethod::staged_gradually);
  facts.wait              = nothing;
  settings.long_by_kernel = false;
  EXPECT_EQ(choose_copy_method(facts, settings), CopyMethod::staged_gradually);
}

// Busy streams may occupy all slots for a long time, and the caller does not wait for one.
TEST(CopyChoice, WhenAllSlotsAreInUseASmallCopyIsStaged) {
  CopyFacts facts = facts_of({to_host, 8, nothing, {}});
  facts.has_slot  = false;
  EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::staged);
  facts.wait = end;
  EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::runtime_waits);
}

TEST(CopyChoice, WithoutAStagingBufferTheRuntimeCopies) {
  for (auto state : {StagingState::unknown, StagingState::preparing, StagingState::unusable}) {
    CopyFacts facts = facts_of({to_device, 32 * MiB, nothing, {}});
    facts.staging   = state;
    EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::runtime_waits);
    facts.bytes = 8;
    EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::runtime_reads);
    facts.to_device = false;
    EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::slot);
  }
}

TEST(CopyChoice, WhereStreamsDoNotWaitForTheHostTheCallerDrives) {
  CopySettings settings;
  settings.device_waits = false;
  for (auto wait : {nothing, memory, end})
    for (bool there : {to_device, to_host})
      EXPECT_EQ(choose_copy_method(facts_of({there, 32 * MiB, wait, {}}), settings), CopyMethod::driven);
}

// If earlier work writes the source, it is read in stream order. If the caller requests a report of the end, the
// runtime cannot make the copy, because it does not report ends.
TEST(CopyChoice, ASourceIsReadEarlyOnlyWhereItMayBe) {
  CopyFacts facts = facts_of({to_device, 8, nothing, {}});
  facts.reports   = true;
  EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::staged);
  facts.reports             = false;
  facts.source_may_be_early = false;
  EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::staged);
  facts.source_may_be_early = true;
  facts.host_is_block       = false;
  EXPECT_EQ(choose_copy_method(facts, CopySettings()), CopyMethod::staged);
}

struct Cut {
  std::size_t bytes;
  bool waits;
  StagingSpace room;
  std::size_t piece;
  unsigned pieces, slabs;
};

TEST(CopySize, OfABlock) {
  const StagingSpace alone{36 * MiB, true}, beside{8 * MiB, false};
  const Cut table[] = {
      {1, false, alone, 128, 1, 16},
      {16 * MiB, false, alone, 16 * MiB / 3 / 128 * 128 + 128, 3, 6},
      {24 * MiB, false, alone, 12 * MiB, 2, 3},
      {64 * MiB, false, alone, 64 * MiB / 6 / 128 * 128 + 128, 6, 3},
      {16 * MiB, true, alone, 4 * MiB, 4, 9},
      {1 * GiB, true, alone, 1 * GiB / 143 / 128 * 128 + 128, 143, 5},
      {16 * MiB, false, beside, 2 * MiB, 8, 4},
      {1 * GiB, false, beside, 4 * MiB, 256, 2},
  };
  for (Cut const& c : table) {
    const CopyCut cut = size_copy(c.bytes, 1, c.waits, c.room, 8, CopySettings());
    EXPECT_EQ(cut.piece, c.piece) << c.bytes << c.waits;
    EXPECT_EQ(cut.pieces, c.pieces) << c.bytes << c.waits;
    EXPECT_EQ(cut.slabs, c.slabs) << c.bytes << c.waits;
    EXPECT_LE(cut.slabs * cut.stride, c.room.bytes);
    EXPECT_EQ(cut.threads, 8u);
  }
}

TEST(CopySize, GranulesAreNotTorn) {
  const CopyCut cut = size_copy(12 * 200001, 12, false, {4 * MiB, true}, 2, CopySettings());
  EXPECT_EQ(cut.piece % 12, 0u);
  EXPECT_EQ(cut.chunk % 12, 0u);
  EXPECT_EQ(cut.stride % CopyCut::alignment, 0u);
  EXPECT_EQ(cut.threads, 2u);
  EXPECT_EQ(size_copy(100, 64 * KiB, false, {32 * KiB, true}, 2, CopySettings()).pieces, 0u) << "none fits";
}

TEST(CopySize, ACopyAsksForThreeOrFourPieces) {
  const CopySettings s;
  EXPECT_EQ(wanted_staging_bytes(1 * GiB, to_device, false, s), 36 * MiB);
  EXPECT_EQ(wanted_staging_bytes(1 * GiB, to_host, false, s), 48 * MiB);
  EXPECT_EQ(wanted_staging_bytes(1 * GiB, to_host, true, s), 32 * MiB);
  EXPECT_EQ(wanted_staging_bytes(1000, to_host, true, s), 1000u + 512u);
}

TEST(StagingCores, ThreadsAreHalfOfTheCoresAndEightAtMost) {
  CopySettings s;
  struct {
    int cores;
    double quota;
    int threads;
  } const table[] = {{1, 0, 0}, {2, 0, 0}, {4, 0, 2}, {16, 0, 8}, {64, 0, 8}, {64, 2, 0}, {64, 4.5, 2}, {4, 100, 2}};
  for (auto const& row : table) EXPECT_EQ(staging_thread_count(s, row.cores, row.quota), row.threads) << row.cores;
  s.threads = 12;
  EXPECT_EQ(staging_thread_count(s, 1, 1), 12) << "as set";
}

TEST(StagingCores, AQuotaIsTimeOverPeriod) {
  EXPECT_EQ(cores_of_quota("max 100000"), 0);
  EXPECT_EQ(cores_of_quota("200000 100000"), 2);
  EXPECT_EQ(cores_of_quota(""), 0);
}

#ifdef __linux__
// OpenMP runtimes bind the main thread if requested. Other threads still have the cores of the process.
TEST(StagingCores, AreThoseOfTheProcessAndNotOfTheThreadThatAsks) {
  const CoreSet all = process_cores();
  if (all.count() < 2) GTEST_SKIP() << "This process may use one core.";
  std::thread([&] {
    std::thread other([] {});
    CoreSet one;
    for (int core = 0; one.count() == 0; ++core)
      if (all.has(core)) one.add(core);
    one.adopt();
    EXPECT_EQ(CoreSet::of_thread(0).count(), 1);
    EXPECT_EQ(process_cores().count(), all.count());
    int seen = 0;
    start_staging_thread(process_cores(), [&] { seen = CoreSet::of_thread(0).count(); }).join();
    EXPECT_EQ(seen, all.count());
    other.join();
  }).join();
}

// A program that waits for a signal by sigwait blocks it in its threads: none of the engine's threads may receive it.
TEST(StagingCores, TheirThreadsHaveANameAndBlockAllSignals) {
  char name[16] = "";
  sigset_t mask;
  sigemptyset(&mask);
  start_staging_thread(CoreSet(), [&] {
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  }).join();
  EXPECT_STREQ(name, "kokkos-staging");
  for (int signal : {SIGUSR1, SIGTERM, SIGINT, SIGALRM, SIGPROF}) EXPECT_TRUE(sigismember(&mask, signal)) << signal;
  sigset_t mine;
  pthread_sigmask(SIG_BLOCK, nullptr, &mine);
  EXPECT_FALSE(sigismember(&mine, SIGUSR1)) << "the caller's mask is as it was";
}
#endif

}  // namespace
