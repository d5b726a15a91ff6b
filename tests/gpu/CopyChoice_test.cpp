// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The route of each copy with the real numbers of both vendors, and the division of a copy: tables for two pure functions.

#include "../unit/FakeRoot.hpp"

#include <Cuda/Kokkos_Cuda_CopyPolicy.hpp>
#include <HIP/Kokkos_HIP_CopyPolicy.hpp>
#include <impl/GPU/portable/Kokkos_GPU_CopyChoice.hpp>
#include <impl/GPU/portable/Kokkos_GPU_StagingCores.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace Kokkos::Impl;

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr bool to_device = true, to_host = false;
constexpr auto nothing = CopyWait::nothing, memory = CopyWait::host_memory, end = CopyWait::end;

/// A copy of a block of pageable memory, the facts about it, and the state of the engine. Functions answer choose().
struct Known {
  CopyFacts copy;
  MemoryKind dst = MemoryKind::device, src = MemoryKind::pageable;
  CopyWait wait_for    = nothing;
  bool mailbox         = false;
  bool known_source    = false;
  bool early           = true;
  bool captured        = false;
  bool keeps_memory    = true;
  bool graph_kernel    = false;
  bool reaches         = true;
  bool packed          = true;
  bool told            = false;
  bool is_block        = true;
  bool slot            = true;
  bool kernel          = false;
  bool waiting_streams = true;
  StagingState buffer  = StagingState::usable;

  CopyFacts facts() const { return copy; }
  bool has_mailbox() { return mailbox; }
  bool has_known_source() { return known_source; }
  bool source_may_be_early() { return early; }
  MemoryKind destination() { return dst; }
  MemoryKind source() { return src; }
  bool is_captured() { return captured; }
  bool graph_keeps_memory() { return keeps_memory; }
  bool may_be_graph_kernel() { return graph_kernel; }
  bool reaches_device() { return reaches; }
  bool is_packed_on_device() { return packed; }
  CopyWait wait() { return wait_for; }
  bool reports() { return told; }
  bool host_is_block() { return is_block; }
  bool takes_slot() { return slot; }
  bool takes_kernel() { return kernel; }
  StagingState staging() { return buffer; }
  bool streams_wait() { return waiting_streams; }

  CopyMethod with(CopyPolicy const& policy) { return choose(*this, policy, *this).method; }
};
Known pageable(bool there, std::size_t bytes, CopyWait wait = nothing) {
  Known known;
  known.copy.bytes = bytes;
  known.copy.order = wait == end ? CopyOrder::at_once : CopyOrder::in_stream;
  known.wait_for   = wait;
  if (!there) std::swap(known.dst, known.src);
  return known;
}

using Method = CopyMethod;

struct Choice {
  bool to_device;
  std::size_t bytes;
  CopyWait wait;
  CopyMethod cuda, hip;
};

TEST(CopyChoice, MethodOfABlockOfPageableMemory) {
  Choice const table[] = {
      {to_device, 0, nothing, Method::nothing, Method::nothing},
      {to_device, 8, nothing, Method::runtime_reads, Method::runtime_reads},
      {to_device, 64 * KiB, nothing, Method::runtime_reads, Method::runtime_reads},
      {to_device, 64 * KiB, memory, Method::runtime_reads, Method::runtime_reads},
      {to_device, 64 * KiB + 1, nothing, Method::runtime_reads, Method::staged},
      {to_device, 1 * MiB, memory, Method::runtime_reads, Method::staged},
      {to_device, 1 * MiB + 1, nothing, Method::staged, Method::staged},
      {to_device, 1 * MiB + 1, memory, Method::staged, Method::staged},
      {to_device, 3 * MiB, nothing, Method::staged, Method::staged},
      {to_device, 8, end, Method::runtime_waits, Method::runtime_waits},
      {to_device, 1 * MiB, end, Method::runtime_waits, Method::runtime_waits},
      {to_device, 1 * MiB + 1, end, Method::staged, Method::runtime_waits},
      {to_device, 4 * MiB, end, Method::staged, Method::runtime_waits},
      {to_device, 4 * MiB + 1, end, Method::staged, Method::staged},
      {to_device, 1 * GiB, nothing, Method::staged, Method::staged},
      {to_device, 30 * GiB, nothing, Method::staged_by_caller, Method::staged_by_caller},
      {to_host, 8, nothing, Method::slot, Method::slot},
      {to_host, 8, memory, Method::slot, Method::slot},
      {to_host, 8, end, Method::slot, Method::slot},
      {to_host, 512 * KiB, nothing, Method::slot, Method::slot},
      {to_host, 512 * KiB + 1, nothing, Method::staged, Method::staged},
      {to_host, 512 * KiB + 1, end, Method::runtime_waits, Method::runtime_waits},
      {to_host, 768 * KiB, end, Method::runtime_waits, Method::runtime_waits},
      {to_host, 768 * KiB + 1, end, Method::staged, Method::runtime_waits},
      {to_host, 4 * MiB + 1, memory, Method::staged, Method::staged},
      {to_host, 30 * GiB, nothing, Method::staged_by_caller, Method::staged_by_caller},
  };
  for (Choice const& c : table) {
    SCOPED_TRACE((c.to_device ? "to the device, " : "to the host, ") + std::to_string(c.bytes) + " bytes, waits for " +
                 std::to_string(static_cast<int>(c.wait)));
    EXPECT_EQ(pageable(c.to_device, c.bytes, c.wait).with(cuda_copy_policy), c.cuda);
    EXPECT_EQ(pageable(c.to_device, c.bytes, c.wait).with(hip_copy_policy), c.hip);
  }
}

// The kinds of memory on both sides, for one block and for elements that are not; the sides do not depend on the vendor.
TEST(CopyChoice, MethodByKindsOfMemory) {
  using enum MemoryKind;
  constexpr auto in_stream = CopyOrder::in_stream, after_all = CopyOrder::after_all;
  struct {
    MemoryKind src, dst;
    CopyOrder order;
    CopyMethod block, rows, strided;
  } const table[] = {
      {pageable, pageable, after_all, Method::host_threads, Method::host_threads, Method::host_threads},
      {pageable, pinned, CopyOrder::at_once, Method::host_threads, Method::host_threads, Method::host_threads},
      {pageable, pageable, in_stream, Method::host_function, Method::host_function, Method::host_function},
      {pinned, pinned, in_stream, Method::host_function, Method::host_function, Method::host_function},
      {device, device, in_stream, Method::runtime, Method::kernel, Method::kernel},
      {managed, device, after_all, Method::runtime, Method::kernel, Method::kernel},
      {device, elsewhere, in_stream, Method::between_devices, Method::between_devices, Method::between_devices},
      {elsewhere, managed, in_stream, Method::between_devices, Method::between_devices, Method::between_devices},
      {pinned, device, in_stream, Method::runtime, Method::runtime, Method::packed},
      {managed, pinned, in_stream, Method::runtime, Method::runtime, Method::packed},
      {device, pageable, in_stream, Method::staged, Method::packed, Method::packed},
      {pageable, device, in_stream, Method::staged, Method::packed, Method::packed},
  };
  for (auto const& row : table)
    for (auto shape : {CopyShape::block, CopyShape::long_rows, CopyShape::strided}) {
      Known known;
      known.copy   = {32 * MiB, shape, row.order};
      known.src    = row.src;
      known.dst    = row.dst;
      known.packed = shape == CopyShape::block;
      SCOPED_TRACE(std::string(memory_kind_name(row.src)) + " to " + memory_kind_name(row.dst) + ", shape " +
                   std::to_string(static_cast<int>(shape)));
      CopyMethod const expected = shape == CopyShape::block       ? row.block
                                  : shape == CopyShape::long_rows ? row.rows
                                                                  : row.strided;
      EXPECT_STREQ(copy_method_name(known.with(cuda_copy_policy)), copy_method_name(expected));
      EXPECT_STREQ(copy_method_name(known.with(hip_copy_policy)), copy_method_name(expected));
    }
}

// Long rows that the device stores as the host does go through slabs, too.
TEST(CopyChoice, RowsThatNeedNoKernelAreNotPacked) {
  Known known      = pageable(to_device, 32 * MiB);
  known.copy.shape = CopyShape::long_rows;
  EXPECT_EQ(known.with(cuda_copy_policy), Method::staged);
}

TEST(CopyChoice, TheMailboxTakesAFewBytesAfterAllWork) {
  for (bool there : {to_device, to_host}) {
    Known known      = pageable(there, 64 * KiB, end);
    known.copy.order = CopyOrder::after_all;
    known.mailbox    = true;
    EXPECT_EQ(known.with(cuda_copy_policy), Method::mailbox);
    EXPECT_EQ(known.with(hip_copy_policy), Method::mailbox);
    known.copy.bytes = 64 * KiB + 1;
    EXPECT_NE(known.with(cuda_copy_policy), Method::mailbox);
    known.copy.bytes = 8;
    known.copy.order = CopyOrder::at_once;
    EXPECT_NE(known.with(cuda_copy_policy), Method::mailbox) << "nothing is waited for";
    known.copy.order = CopyOrder::after_all;
    known.mailbox    = false;
    EXPECT_EQ(known.with(cuda_copy_policy), there ? Method::runtime_waits : Method::slot);
  }
}

// A captured copy has no known source.
TEST(CopyChoice, AKnownSourceOfAFewBytesNeedsNoQuestion) {
  Known known        = pageable(to_device, 64 * KiB);
  known.known_source = true;
  EXPECT_EQ(known.with(hip_copy_policy), Method::runtime_reads);
  known.early = false;
  EXPECT_EQ(known.with(hip_copy_policy), Method::staged);
  known.early        = true;
  known.known_source = false;
  known.captured     = true;
  EXPECT_EQ(known.with(hip_copy_policy), Method::graph_staged);
}

// No slab and no thread of the engine: a graph may run many times.
TEST(CopyChoice, AGraphCopiesByTheRuntimeOrThroughMemoryOfItsOwn) {
  struct {
    MemoryKind host;
    CopyShape shape;
    bool packed;
    CopyMethod expected;
  } const table[] = {
      {MemoryKind::pageable, CopyShape::block, true, Method::graph_staged},
      {MemoryKind::pageable, CopyShape::long_rows, true, Method::graph_staged},
      {MemoryKind::pageable, CopyShape::strided, false, Method::graph_staged},
      {MemoryKind::pinned, CopyShape::block, true, Method::runtime},
      {MemoryKind::pinned, CopyShape::long_rows, false, Method::runtime},
      {MemoryKind::pinned, CopyShape::strided, false, Method::graph_staged},
  };
  for (auto const& row : table)
    for (bool there : {to_device, to_host}) {
      SCOPED_TRACE(std::string(memory_kind_name(row.host)) + ", shape " + std::to_string(static_cast<int>(row.shape)));
      Known known                     = pageable(there, 32 * MiB);
      (there ? known.src : known.dst) = row.host;
      known.captured                  = true;
      known.copy.shape                = row.shape;
      known.packed                    = row.packed;
      EXPECT_EQ(known.with(cuda_copy_policy), row.expected);
      EXPECT_EQ(known.with(hip_copy_policy), row.expected);
      known.keeps_memory = false;
      EXPECT_EQ(known.with(hip_copy_policy), Method::runtime);
      known.keeps_memory = true;
      known.reaches      = false;
      EXPECT_EQ(known.with(hip_copy_policy), Method::runtime) << "which refuses it";
    }
}

TEST(CopyChoice, AKernelCopiesALittlePinnedMemoryInAGraph) {
  for (bool there : {to_device, to_host})
    for (auto shape : {CopyShape::block, CopyShape::long_rows, CopyShape::strided}) {
      Known known                     = pageable(there, 64 * KiB);
      (there ? known.src : known.dst) = MemoryKind::pinned;
      known.captured = known.graph_kernel = true;
      known.copy.shape                    = shape;
      EXPECT_EQ(known.with(cuda_copy_policy), Method::kernel);
      EXPECT_NE(known.with(hip_copy_policy), Method::kernel) << "pinned memory of views is not coherent";
      known.copy.bytes = 64 * KiB + 1;
      EXPECT_NE(known.with(cuda_copy_policy), Method::kernel);
      known.copy.bytes   = 64 * KiB;
      known.graph_kernel = false;
      EXPECT_NE(known.with(cuda_copy_policy), Method::kernel);
    }
}

TEST(CopyChoice, MemoryOutOfReachGoesThroughABuffer) {
  Known known   = pageable(to_device, 32 * MiB);
  known.dst     = MemoryKind::elsewhere;
  known.reaches = false;
  EXPECT_EQ(known.with(cuda_copy_policy), Method::packed);
  known.src = MemoryKind::pinned;
  EXPECT_EQ(known.with(cuda_copy_policy), Method::packed);
}

// More steps than a driver's queue has room for are left to a kernel, unless the caller waits anyway.
TEST(CopyChoice, AKernelMakesLongCopies) {
  CopyPolicy const& policy = cuda_copy_policy;
  std::size_t const length = (policy.max_pieces_ahead + 1) * policy.piece_bytes;
  Known known              = pageable(to_device, length);
  EXPECT_EQ(known.with(policy), Method::staged_by_caller);
  known.kernel = true;
  EXPECT_EQ(known.with(policy), Method::staged_by_kernel);
  known.copy.bytes = length - 1;
  EXPECT_EQ(known.with(policy), Method::staged);
  known.copy.bytes = length;
  known.wait_for   = end;
  EXPECT_EQ(known.with(policy), Method::staged_by_caller);
}

// For a copy that the caller waits for, the runtime is as fast from pageable memory as from registered memory, so nothing
// asks which it is.
TEST(CopyChoice, ASmallSourceOfAViewNeedsNoQueryIfTheCallerWaits) {
  for (CopyPolicy const& policy : {cuda_copy_policy, hip_copy_policy}) {
    Known known        = pageable(to_device, policy.runtime_bytes, end);
    known.known_source = true;
    known.src          = MemoryKind::pinned;  // only a query finds this
    EXPECT_EQ(known.with(policy), Method::runtime_waits);
    ++known.copy.bytes;
    EXPECT_EQ(known.with(policy), Method::runtime);
  }
}

// The sentence that KOKKOS_COPY_EXPLAIN prints.
TEST(CopyChoice, EachRouteHasItsReason) {
  constexpr auto device = MemoryKind::device, pinned = MemoryKind::pinned, elsewhere = MemoryKind::elsewhere,
                 pageable_kind = MemoryKind::pageable;
  struct Row {
    Known known;
    Method method;
    char const* reason;
  };
  auto const between = [](MemoryKind dst, MemoryKind src, std::size_t bytes, CopyOrder order = CopyOrder::in_stream,
                          CopyShape shape = CopyShape::block) {
    Known known = pageable(to_device, bytes);
    known.dst = dst, known.src = src, known.copy.order = order, known.copy.shape = shape;
    return known;
  };
  Known boxed       = between(device, pageable_kind, 8, CopyOrder::after_all);
  boxed.mailbox     = true;
  Row const table[] = {
      {between(device, pageable_kind, 0), Method::nothing, "it has no bytes"},
      {boxed, Method::mailbox, "for a few bytes one step can wait for all work and copy"},
      {between(pageable_kind, pinned, MiB, CopyOrder::at_once), Method::host_threads,
       "both sides are memory of the host"},
      {between(pageable_kind, pinned, MiB), Method::host_function,
       "both sides are memory of the host, and the stream orders the copy"},
      {between(device, elsewhere, MiB), Method::between_devices, "the sides are memory of two devices"},
      {between(device, device, MiB), Method::runtime, "both sides are one block of memory of the device"},
      {between(device, device, MiB, CopyOrder::in_stream, CopyShape::strided), Method::kernel,
       "both sides are memory of the device, and not one block"},
      {between(device, pinned, MiB), Method::runtime, "the host's side is pinned, and a block or long rows"},
  };
  for (Row row : table) {
    CopyDecision const found = choose(row.known, hip_copy_policy, row.known);
    EXPECT_EQ(found.method, row.method) << row.reason;
    EXPECT_STREQ(found.reason, row.reason);
  }
}

// Busy streams may occupy all slots for a long time, and the caller does not wait for one.
TEST(CopyChoice, WhenAllSlotsAreInUseASmallCopyIsStaged) {
  Known known = pageable(to_host, 8);
  known.slot  = false;
  EXPECT_EQ(known.with(hip_copy_policy), Method::staged);
  known.wait_for = end;
  EXPECT_EQ(known.with(hip_copy_policy), Method::runtime_waits);
}

TEST(CopyChoice, WithoutAStagingBufferTheRuntimeCopies) {
  for (auto state : {StagingState::unknown, StagingState::preparing, StagingState::unusable}) {
    Known known  = pageable(to_device, 32 * MiB);
    known.buffer = state;
    EXPECT_EQ(known.with(hip_copy_policy), Method::runtime_waits);
    EXPECT_NE(std::string(choose(known, hip_copy_policy, known).reason).find("no staging buffer"), std::string::npos);
    known.copy.bytes = 8;
    EXPECT_EQ(known.with(hip_copy_policy), Method::runtime_reads);
    std::swap(known.dst, known.src);
    EXPECT_EQ(known.with(hip_copy_policy), Method::slot);
  }
}

TEST(CopyChoice, WhereStreamsDoNotWaitForTheHostTheCallerDrives) {
  for (auto wait : {nothing, memory, end})
    for (bool there : {to_device, to_host}) {
      Known known           = pageable(there, 32 * MiB, wait);
      known.waiting_streams = false;
      EXPECT_EQ(known.with(hip_copy_policy), Method::staged_by_caller);
    }
}

// If earlier work writes the source, it is read in stream order. If the caller requests a report of the end, the
// runtime cannot make the copy, because it does not report ends.
TEST(CopyChoice, ASourceIsReadEarlyOnlyWhereItMayBe) {
  Known known = pageable(to_device, 8);
  known.told  = true;
  EXPECT_EQ(known.with(hip_copy_policy), Method::staged);
  known.told  = false;
  known.early = false;
  EXPECT_EQ(known.with(hip_copy_policy), Method::staged);
  known.early    = true;
  known.is_block = false;
  EXPECT_EQ(known.with(hip_copy_policy), Method::staged);
}

struct Cut {
  std::size_t bytes;
  bool waits;
  StagingSpace room;
  std::size_t piece;
  unsigned pieces, slabs;
};

TEST(CopySize, OfABlock) {
  StagingSpace const alone{36 * MiB, true}, beside{8 * MiB, false};
  Cut const table[] = {
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
    CopyCut const cut = size_copy(c.bytes, 1, c.waits, c.room, 8, CopySettings());
    EXPECT_EQ(cut.piece, c.piece) << c.bytes << c.waits;
    EXPECT_EQ(cut.pieces, c.pieces) << c.bytes << c.waits;
    EXPECT_EQ(cut.slabs, c.slabs) << c.bytes << c.waits;
    EXPECT_LE(cut.slabs * cut.stride, c.room.bytes);
    EXPECT_EQ(cut.threads, 8u);
  }
}

TEST(CopySize, GranulesAreNotTorn) {
  CopyCut const cut = size_copy(12 * 200001, 12, false, {4 * MiB, true}, 2, CopySettings());
  EXPECT_EQ(cut.piece % 12, 0u);
  EXPECT_EQ(cut.chunk % 12, 0u);
  EXPECT_EQ(cut.stride % CopyCut::alignment, 0u);
  EXPECT_EQ(cut.threads, 2u);
  EXPECT_EQ(size_copy(100, 64 * KiB, false, {32 * KiB, true}, 2, CopySettings()).pieces, 0u) << "none fits";
}

TEST(CopySize, ACopyAsksForThreeOrFourPieces) {
  CopySettings const s;
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
// Each group above that of the process has a limit of its own; the least one counts.
TEST(StagingCores, TheLeastQuotaOfAllGroupsCounts) {
  Kokkos::Testing::FakeRoot const root;
  EXPECT_EQ(process_quota(root.path()), 0) << "there are no groups";
  root.write("/proc/self/cgroup", "12:cpu:/old\n0::/one/two/three");
  EXPECT_EQ(process_quota(root.path()), 0);
  std::string const groups[] = {"", "/one", "/one/two", "/one/two/three"};
  for (auto const& limited : groups) {
    for (auto const& group : groups) root.write("/sys/fs/cgroup" + group + "/cpu.max", "max 100000");
    EXPECT_EQ(process_quota(root.path()), 0);
    root.write("/sys/fs/cgroup" + limited + "/cpu.max", "300000 100000");
    EXPECT_EQ(process_quota(root.path()), 3) << limited;
    for (auto const& other : groups) {
      if (other == limited) continue;
      for (auto const& [text, least] : {std::pair("150000 100000", 1.5), std::pair("900000 100000", 3.0)}) {
        root.write("/sys/fs/cgroup" + other + "/cpu.max", text);
        EXPECT_EQ(process_quota(root.path()), least) << limited << " and " << other;
      }
    }
  }
}

// The program's places may have different numbers of cores.
std::vector<std::vector<int>> const* places = nullptr;
extern "C" {
int omp_get_num_places() { return places ? static_cast<int>(places->size()) : 0; }
int omp_get_place_num_procs(int place) { return static_cast<int>((*places)[static_cast<std::size_t>(place)].size()); }
void omp_get_place_proc_ids(int place, int* ids) {
  auto const& cores = (*places)[static_cast<std::size_t>(place)];
  std::copy(cores.begin(), cores.end(), ids);
}
}
TEST(StagingCores, AreThoseOfEachPlace) {
  std::vector<std::vector<int>> const all[] = {
      {{900}, {901, 902, 903}}, {{900, 901, 902}, {903}}, {{}, {900, 901}, {}, {902, 903}}};
  int const own = CoreSet::of_thread(0).count();
  for (auto const& each : all) {
    places              = &each;
    CoreSet const found = process_cores();
    places              = nullptr;
    for (int core = 900; core < 904; ++core) EXPECT_TRUE(found.has(core)) << core;
    EXPECT_EQ(found.count(), own + 4);
  }
}

// OpenMP runtimes bind the main thread if requested. Other threads still have the cores of the process.
TEST(StagingCores, AreThoseOfTheProcessAndNotOfTheThreadThatAsks) {
  CoreSet const all = process_cores();
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
