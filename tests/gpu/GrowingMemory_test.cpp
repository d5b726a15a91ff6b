// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of an instance grows without waiting for the instance's kernels or for those of other instances. On the
/// HIP model, which counts the calls that would wait.

#include "../unit/LockCount.hpp"
#include "DeviceTest.hpp"

#include <impl/GPU/instance/Kokkos_GPU_GrowingMemory.hpp>
#include <impl/GPU/instance/Kokkos_GPU_ResultCells_Impl.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using Kokkos::RangePolicy;
using Kokkos::Testing::Gate;
using Kokkos::Testing::GPU;

/// Counts in a given number of columns: a reduction with that many values.
struct Columns {
  using value_type = double[];
  std::size_t value_count;
  KOKKOS_FUNCTION void init(double* sums) const {
    for (std::size_t i = 0; i < value_count; ++i) sums[i] = 0;
  }
  KOKKOS_FUNCTION void join(double* into, double const* from) const {
    for (std::size_t i = 0; i < value_count; ++i) into[i] += from[i];
  }
  KOKKOS_FUNCTION void operator()(int, double* sums) const {
    for (std::size_t i = 0; i < value_count; ++i) sums[i] += 1;
  }
};

constexpr int iterations       = 10;
constexpr std::size_t counts[] = {1, 700, 5000, 40000};

template <class Result>
void count_columns(GPU const& space, Result const& result) {
  Kokkos::parallel_reduce("columns", RangePolicy<GPU>(space, 0, iterations), Columns{result.extent(0)}, result);
}

std::size_t calls_of(std::initializer_list<char const*> functions) {
  std::size_t calls = 0;
  for (char const* function : functions) calls += hip_model::call_count(function);
  return calls;
}
/// Functions that wait for the whole device; hipFree and hipHostFree do, too.
std::size_t calls_that_wait_for_all() {
  return calls_of({"hipDeviceSynchronize", "hipFree", "hipHostFree", "hipMemcpy", "hipMemset"});
}
std::size_t calls_that_wait() {
  return calls_that_wait_for_all() + calls_of({"hipStreamSynchronize", "hipEventSynchronize"});
}

std::byte* scratch_of(GPU const& space) {
  std::lock_guard<std::mutex> lock(space.impl_instance().mutex());
  return space.impl_instance().scratch(1);
}
std::byte* mailbox_of(GPU const& space) {
  std::lock_guard<std::mutex> lock(space.impl_instance().mutex());
  return space.impl_instance().mailbox().memory(1);
}

TEST(GrowingMemory, OutgrownPiecesAreSmallerThanThePresentOne) {
  struct Piece {
    explicit Piece(std::size_t bytes) : size(bytes) {}
    std::size_t size;
    void* get() const { return nullptr; }
    std::size_t bytes() const { return size; }
  };
  Kokkos::Impl::GPUGrowingMemory<Piece> memory(100);
  std::size_t outgrown = 0;
  for (std::size_t const bytes : {1u, 101u, 201u, 5000u, 6401u}) {
    std::size_t const before = memory.bytes();
    memory.replace(memory.larger(bytes));
    outgrown += before;
    EXPECT_GE(memory.bytes(), bytes);
    EXPECT_LT(outgrown, memory.bytes());
  }
}

// Nothing is blocked here: the test only counts calls.
TEST(GrowingMemory, ScratchMemoryGrowsWithoutACallThatWaits) {
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  std::vector<Kokkos::View<double*, GPU>> results;
  for (std::size_t const count : counts) results.emplace_back("sums", count);
  std::byte* const first   = scratch_of(space);
  std::size_t const before = calls_that_wait();
  for (auto const& result : results) count_columns(space, result);
  EXPECT_EQ(calls_that_wait(), before);
  EXPECT_NE(scratch_of(space), first) << "nothing has grown";
  space.fence();
  for (auto const& result : results) EXPECT_EQ(Kokkos::Testing::common_value(result), iterations);
}

TEST(GrowingMemory, ScratchMemoryGrowsWhileKernelsAreHeldBack) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  auto const spaces = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  std::vector<Kokkos::View<double*, GPU>> results;
  for (std::size_t const count : counts) results.emplace_back("sums", count);
  Kokkos::fence();
  std::size_t const before = calls_that_wait();
  std::byte* const first   = scratch_of(spaces[0]);
  Gate own, other;
  own.close_now(spaces[0].impl_instance().stream());
  other.close(spaces[1].impl_instance().stream());
  for (auto const& result : results) count_columns(spaces[0], result);  // all are launched before one runs
  EXPECT_EQ(calls_that_wait(), before);
  EXPECT_NE(scratch_of(spaces[0]), first) << "nothing has grown";
  own.open();
  spaces[0].fence();  // the other instance is still blocked
  other.open();
  for (auto const& result : results) EXPECT_EQ(Kokkos::Testing::common_value(result), iterations);
}

TEST(GrowingMemory, TheMailboxGrowsWhileAnotherInstanceIsHeldBack) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  auto const spaces = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  std::vector<Kokkos::View<double*, Kokkos::HostSpace>> results;
  for (std::size_t const count : counts) results.emplace_back("sums", count);
  Kokkos::fence();
  std::byte* const first   = mailbox_of(spaces[0]);
  std::size_t const before = calls_that_wait_for_all();
  Gate other;
  other.close(spaces[1].impl_instance().stream());
  for (auto const& sums : results) {
    count_columns(spaces[0], sums);
    EXPECT_EQ(sums(0), iterations);
    EXPECT_EQ(sums(sums.extent(0) - 1), iterations);
  }
  EXPECT_EQ(calls_that_wait_for_all(), before);
  EXPECT_NE(mailbox_of(spaces[0]), first) << "nothing has grown";
  other.open();
}

// ---- cells of pending results ---------------------------------------------------------------------------------------

using Slots = std::vector<Kokkos::Impl::SharedPtr<Kokkos::Impl::ResultSlot>>;

Slots take_slots(int count, std::size_t bytes) {
  Slots slots;
  for (int i = 0; i < count; ++i)
    slots.push_back(Kokkos::Impl::GPUResultSlot<GPU::runtime_type>::take(GPU().impl_instance(), bytes));
  return slots;
}
std::vector<std::uint32_t*> flags_of(Slots const& slots) {
  std::vector<std::uint32_t*> flags;
  for (auto const& slot : slots) flags.push_back(slot->flag());
  return flags;
}
/// Marks the results as arrived, as kernels do. A cell whose result has not arrived is kept until the end.
void arrive(std::vector<std::uint32_t*> const& flags) {
  for (auto* const flag : flags) __atomic_store_n(flag, Kokkos::Impl::ResultSlot::arrived, __ATOMIC_RELEASE);
}

// Whatever their size and number, and also if others are requested while their kernels run.
TEST(GrowingMemory, CellsOfPendingResultsAreUsedAgain) {
  for (std::size_t const bytes : {8, 64, 65, 3000, 9000})
    for (int const count : {1, 2, 9, 40})
      for (bool const late : {false, true}) {
        std::string const of =
            std::to_string(count) + " of " + std::to_string(bytes) + " bytes" + (late ? ", late" : "");
        for (int round = 0; round < 3; ++round) {
          std::size_t const before = hip_model::call_count("hipHostMalloc");
          Slots slots              = take_slots(count, bytes);
          auto flags               = flags_of(slots);
          if (!late) arrive(flags);
          slots.clear();
          Slots const more      = take_slots(late ? count : 0, bytes);
          auto const more_flags = flags_of(more);
          flags.insert(flags.end(), more_flags.begin(), more_flags.end());
          EXPECT_EQ(std::set(flags.begin(), flags.end()).size(), flags.size()) << of << ": a cell has two results";
          arrive(flags);
          if (round > 0) EXPECT_EQ(hip_model::call_count("hipHostMalloc"), before) << of << ", round " << round;
        }
      }
}

#ifdef KOKKOS_TEST_COUNTS_LOCKS
// One for the lists when a cell is requested, another one if new cells come, and one when it is returned.
TEST(GrowingMemory, CellsOfPendingResultsAreGuarded) {
  std::size_t const bytes = 20000;  // of no other test
  auto const locks_of     = [](auto const& operation) {
    std::size_t const before = Kokkos::Testing::locks_taken;
    operation();
    return Kokkos::Testing::locks_taken - before;
  };
  Slots slots;
  auto const take         = [&] { slots = take_slots(1, bytes); };
  std::size_t const first = locks_of(take);
  arrive(flags_of(slots));
  EXPECT_EQ(locks_of([&] { slots.clear(); }), 1u);
  EXPECT_EQ(locks_of(take), 1u);
  EXPECT_EQ(first, 2u);
  arrive(flags_of(slots));
}
#endif

// ---- scratch memory of teams ----------------------------------------------------------------------------------------

/// Each team fills its scratch memory of level 1 and counts the values that it reads back.
struct FillScratch {
  using Member = Kokkos::TeamPolicy<GPU>::member_type;
  Kokkos::View<int*, GPU> found;
  int length;
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int* const mine = static_cast<int*>(team.team_scratch(1).get_shmem(length * sizeof(int)));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](int i) { mine[i] = team.league_rank() + i; });
    team.team_barrier();
    int right = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, length), [&](int i, int& sum) { sum += mine[i] == team.league_rank() + i; },
        right);
    Kokkos::single(Kokkos::PerTeam(team), [&] { found(team.league_rank()) = right; });
  }
};

constexpr int teams     = 5;
constexpr int lengths[] = {100, 60000, 400000};

using Found = Kokkos::View<int*, GPU>;
void fill_scratch(GPU const& space, Found const& found, int length) {
  auto policy = Kokkos::TeamPolicy<GPU>(space, teams, 16, 1);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(length * sizeof(int) + 64)));
  Kokkos::parallel_for("scratch", policy, FillScratch{found, length});
}

TEST(GrowingMemory, ScratchMemoryOfTeamsWaitsForNoKernel) {
  KOKKOS_TEST_SKIP_IF_STREAMS_SHARE_QUEUES();
  auto const spaces = Kokkos::Experimental::partition_space(GPU(), 1, 1);
  std::vector<Found> found;
  for (std::size_t i = 0; i < std::size(lengths); ++i) found.emplace_back("found", teams);
  Kokkos::fence();
  std::size_t const before = calls_that_wait();
  Gate own, other;
  own.close_now(spaces[0].impl_instance().stream());
  other.close(spaces[1].impl_instance().stream());
  for (std::size_t i = 0; i < std::size(lengths); ++i) fill_scratch(spaces[0], found[i], lengths[i]);
  EXPECT_EQ(calls_that_wait(), before);
  own.open();
  spaces[0].fence();
  other.open();
  for (std::size_t i = 0; i < std::size(lengths); ++i) EXPECT_EQ(Kokkos::Testing::common_value(found[i]), lengths[i]);
}

TEST(GrowingMemory, ScratchMemoryOfTeamsMakesDoWithWhatThereIs) {
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  Found found("found", teams);
  fill_scratch(space, found, lengths[1]);
  hip_model::fail_call("hipMalloc", 1, static_cast<int>(hipErrorOutOfMemory));  // twice the size is not available
  fill_scratch(space, found, lengths[2]);
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  EXPECT_EQ(Kokkos::Testing::common_value(found), lengths[2]);
  hip_model::clear_faults();
}

TEST(GrowingMemory, ScratchMemoryOfTeamsThatCannotBeHadIsASentence) {
  const GPU space = Kokkos::Experimental::partition_space(GPU(), 1)[0];
  Found found("found", teams);
  for (unsigned call : {1u, 2u}) hip_model::fail_call("hipMalloc", call, static_cast<int>(hipErrorOutOfMemory));
  Kokkos::Testing::expect_all(Kokkos::Testing::thrown_message([&] { fill_scratch(space, found, lengths[2]); }),
                              {"level 1", "hipMalloc", "bytes", "instance"});
  hip_model::clear_faults();
  fill_scratch(space, found, lengths[0]);  // and continues
  EXPECT_EQ(Kokkos::Testing::common_value(found), lengths[0]);
}

}  // namespace
