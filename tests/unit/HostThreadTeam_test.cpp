// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// The implementation below the host patterns: locks, thread teams, the distribution of iterations, and the type that
/// counts them.

#include "HostTest.hpp"
#include "Messages.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Kokkos::Impl::host_part;
using Kokkos::Impl::HostChunks;
using Kokkos::Impl::HostInstanceLock;
using Kokkos::Impl::HostPart;
using Kokkos::Impl::HostThreadTeam;
using Kokkos::Impl::lock_host_instance;

template <class Space>
class HostThreadTeamTest : public ::testing::Test {};
TYPED_TEST_SUITE(HostThreadTeamTest, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(HostThreadTeamTest, CallsTheBodyOnceOnEachThread) {
  TypeParam space;
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(space.concurrency()));
  int const threads = HostThreadTeam<TypeParam>::run(space, [&](int rank, int size) {
    EXPECT_EQ(size, space.concurrency());
    ++calls[static_cast<std::size_t>(rank)];
  });
  EXPECT_EQ(threads, space.concurrency());
  for (auto& n : calls) EXPECT_EQ(n, 1);
}

// The numbers by which tools and programs identify the instance and its threads.
TYPED_TEST(HostThreadTeamTest, ThreadsAndInstancesHaveNumbers) {
  EXPECT_EQ(Kokkos::Tools::Experimental::DeviceTypeTraits<TypeParam>::device_id(TypeParam()), 0);
#ifdef KOKKOS_ENABLE_THREADS
  if constexpr (std::is_same_v<TypeParam, Kokkos::Threads>) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(TypeParam().concurrency()));
    HostThreadTeam<TypeParam>::run(TypeParam(), [&](int rank, int) {
      if (Kokkos::Threads::impl_thread_pool_rank() == rank) ++seen[static_cast<std::size_t>(rank)];
    });
    for (auto const& n : seen) EXPECT_EQ(n, 1);
  }
#endif
}

TYPED_TEST(HostThreadTeamTest, LargeBodiesTravelByReference) {
  TypeParam space;
  struct {
    std::uint64_t words[32] = {};
  } large;
  for (std::uint64_t i = 0; i < 32; ++i) large.words[i] = i;
  std::atomic<int> right{0};
  HostThreadTeam<TypeParam>::run(space, [large, &right](int, int) {
    std::uint64_t sum = 0;
    for (std::uint64_t w : large.words) sum += w;
    if (sum == 496) ++right;
  });
  EXPECT_EQ(right, space.concurrency());
}

TYPED_TEST(HostThreadTeamTest, InsideAKernelTurnsAreNested) {
  TypeParam space, other{Kokkos::NewInstance()};
  HostInstanceLock outer = lock_host_instance(space);
  EXPECT_FALSE(outer.nested());
  EXPECT_EQ(outer.threads(), space.concurrency());
  std::atomic<int> nested{0};
  HostThreadTeam<TypeParam>::run(outer, [&](int, int) {
    // With the same instance, whose lock is taken, and with another one.
    for (TypeParam const& s : {space, other}) {
      HostInstanceLock inner = lock_host_instance(s);
      EXPECT_EQ(inner.threads(), 1);
      if (inner.nested()) ++nested;
      HostThreadTeam<TypeParam>::run(inner, [&](int rank, int size) {
        EXPECT_EQ(rank, 0);
        EXPECT_EQ(size, 1);
      });
      // A fence must not wait for the kernel that calls it.
      s.fence();
    }
  });
  EXPECT_EQ(nested, 2 * space.concurrency());
}

TYPED_TEST(HostThreadTeamTest, ScratchIsAlignedReusedAndPrivateToNestedTurns) {
  TypeParam space{Kokkos::NewInstance()};
  void* first = nullptr;
  {
    HostInstanceLock lock = lock_host_instance(space);
    first                 = lock.scratch(5000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % Kokkos::Impl::host_line_bytes, 0u);
    std::memset(first, 1, 5000);
    HostInstanceLock inner = lock_host_instance(space);
    void* own              = inner.scratch(100);
    EXPECT_NE(own, first);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(own) % Kokkos::Impl::host_line_bytes, 0u);
    std::memset(own, 2, 100);
    EXPECT_EQ(static_cast<char*>(first)[0], 1);
  }
  HostInstanceLock lock = lock_host_instance(space);
  EXPECT_EQ(lock.scratch(5000), first);
  EXPECT_NE(lock.scratch(1 << 20), nullptr);
}

template <class Space>
void check_that_exceptions_pass() {
  Space space{Kokkos::NewInstance()};
  auto launch = [&] {
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(space, 0, 1),
                         [](int) { throw std::runtime_error("from a kernel"); });
  };
  EXPECT_THROW(launch(), std::runtime_error);
  // The lock is released: other threads, too, can launch kernels on the instance.
  Kokkos::Testing::on_threads(1, [&](int) { Kokkos::Testing::run_once(space, [] {}); });
  Kokkos::Testing::run_once(space, [] { EXPECT_EQ(Kokkos::Impl::host_kernel_depth, 1); });
}
TYPED_TEST(HostThreadTeamTest, ExceptionsOfAKernelOnOneThreadReachTheCaller) {
  check_that_exceptions_pass<TypeParam>();
}

#if defined(KOKKOS_ENABLE_THREADS) && defined(__linux__)
std::ptrdiff_t threads_of_process() {
  auto const tasks = std::filesystem::directory_iterator("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

TEST(HostThreadTeamDeathTest, InitializeStartsAsManyThreadsAsALaunchUses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto const launch = [] {
    std::ptrdiff_t const before = threads_of_process();
    Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::Threads>(0, 100000), [](int) {});
    std::ptrdiff_t const after = threads_of_process();
    std::fprintf(stderr, "%td threads before the first launch, %td after it", before, after);
    std::_Exit(before == after ? 0 : 1);
  };
  EXPECT_EXIT(launch(), testing::ExitedWithCode(0), "");
}
#endif

TEST(HostPartTest, PartsAreContiguousAndCoverTheRange) {
  for (std::uint64_t n : {0ull, 1ull, 2ull, 7ull, 100ull, 2047ull, 2048ull, 4096ull, 100003ull, (1ull << 33) + 5}) {
    for (int size : {1, 2, 3, 7, 64}) {
      std::uint64_t next = 0, longest = 0;
      for (int rank = 0; rank < size; ++rank) {
        HostPart const part = host_part(n, rank, size);
        EXPECT_EQ(part.begin, next);
        EXPECT_GE(part.end, part.begin);
        next    = part.end;
        longest = std::max(longest, part.end - part.begin);
      }
      EXPECT_EQ(next, n);
      EXPECT_LE(longest, (n + static_cast<std::uint64_t>(size) - 1) / static_cast<std::uint64_t>(size) + 16);
    }
  }
}

TEST(HostPartTest, FewIterationsAreDealtOutEvenly) {
  for (int rank = 0; rank < 4; ++rank) {
    HostPart const part = host_part(9, rank, 4);
    EXPECT_EQ(part.end - part.begin, rank == 0 ? 3u : 2u);
  }
}

TEST(HostChunksTest, EachIterationOnceInOrder) {
  for (std::uint64_t chunk : {0u, 1u, 3u, 100u, 1000u}) {
    HostChunks chunks(100, chunk);
    std::uint64_t next = 0;
    for (HostPart part = chunks.next(); !part.empty(); part = chunks.next()) {
      EXPECT_EQ(part.begin, next);
      EXPECT_LE(part.end - part.begin, std::max<std::uint64_t>(chunk, 1));
      next = part.end;
    }
    EXPECT_EQ(next, 100u);
    EXPECT_TRUE(chunks.next().empty());
  }
}

// The counter has lines of its own; otherwise each chunk costs more than one transfer of a line between threads.
static_assert(sizeof(HostChunks) == 2 * Kokkos::Impl::host_line_bytes);

TEST(HostChunksTest, SharedByThreads) {
  HostChunks chunks(10000, 7);
  std::vector<std::atomic<int>> taken(10000);
  Kokkos::Testing::on_threads(4, [&](int) {
    for (HostPart part = chunks.next(); !part.empty(); part = chunks.next()) {
      for (std::uint64_t i = part.begin; i < part.end; ++i) ++taken[i];
    }
  });
  for (auto& n : taken) EXPECT_EQ(n, 1);
}

// ---- the type that counts -----------------------------------------------------------------------------------------

struct First {};
struct Second {};
struct Tagged {
  void operator()(First, int const&) const {}
  void operator()(Second const&, std::int64_t) const {}
  void operator()(First, int, double&) const {}
};

template <class F, class Tag = void, int Rank = 1, class... Extra>
using index_of = typename decltype(Kokkos::Impl::loop_index<F, Tag, Rank, std::size_t, Extra...>())::type;

TEST(HostLoopIndexTest, IsTheFunctorsOwnIfThatIsNarrower) {
  auto by_int      = [](int) {};
  auto by_ref      = [](int const&, double&) {};
  auto by_unsigned = [](unsigned, unsigned, double&) {};
  auto mixed       = [](int, std::size_t) {};
  auto by_long     = [](std::int64_t) {};
  auto by_auto     = [](auto) {};
  auto with_tag    = [](First, int, int) {};
  static_assert(std::is_same_v<index_of<decltype(by_int)>, int>);
  static_assert(std::is_same_v<index_of<decltype(by_ref), void, 1, double&>, int>);
  static_assert(std::is_same_v<index_of<decltype(by_unsigned), void, 2, double&>, unsigned>);
  static_assert(std::is_same_v<index_of<decltype(mixed), void, 2>, std::size_t>);
  static_assert(std::is_same_v<index_of<decltype(by_long)>, std::size_t>);
  static_assert(std::is_same_v<index_of<decltype(by_auto)>, std::size_t>);
  static_assert(std::is_same_v<index_of<decltype(with_tag), First, 2>, int>);
  static_assert(std::is_same_v<index_of<Tagged, First>, int>);
  static_assert(std::is_same_v<index_of<Tagged, Second>, std::size_t>);
  static_assert(std::is_same_v<index_of<Tagged, First, 1, double&>, int>);
  static_assert(std::is_same_v<index_of<void (*)(int)>, std::size_t>);
}

template <class Space>
void check_indices_beyond_int() {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (std::int64_t begin : {most - 5, most, most + 1, 2 * most - 3, std::int64_t{-3}}) {
    std::atomic<int> calls{0};
    std::atomic<std::int64_t> wrong{0};
    Kokkos::parallel_for(Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(begin, begin + 10), [&](int i) {
      ++calls;
      auto const distance = static_cast<std::uint32_t>(i) - static_cast<std::uint32_t>(begin);
      if (distance >= 10) ++wrong;
    });
    EXPECT_EQ(calls, 10) << "from " << begin;
    EXPECT_EQ(wrong, 0) << "from " << begin;
  }
}
TYPED_TEST(HostThreadTeamTest, IndicesThatAFunctorCannotHoldAreStillIterations) {
  check_indices_beyond_int<TypeParam>();
}

template <class Space>
void check_ranges_beyond_int() {
  std::int64_t const far = std::int64_t{1} << 31;
  using Policy           = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  try {
    Kokkos::parallel_for(Policy({far, far}, {far + 2, far + 2}), [](int, int) {});
    ADD_FAILURE() << "a functor that takes int was given indices beyond it";
  } catch (std::runtime_error const& e) {
    Kokkos::Testing::expect_all(e.what(), {std::to_string(far + 2), "Let it take std::int64_t."});
  }
  std::atomic<int> calls{0};
  Kokkos::parallel_for(Policy({far, far}, {far + 2, far + 2}), [&](std::int64_t i, std::int64_t) {
    if (i >= far) ++calls;
  });
  EXPECT_EQ(calls, 4);
}
TYPED_TEST(HostThreadTeamTest, RangesBeyondTheFunctorsIndexAreRefused) { check_ranges_beyond_int<TypeParam>(); }

// Functors that the library itself writes: for few iterations in one thread, or for all iterations of a thread at once.
struct CountsElsewhere {
  std::thread::id caller;
  std::atomic<int>& elsewhere;
  void operator()(int) const {
    if (std::this_thread::get_id() != caller) ++elsewhere;
  }
};
struct SumsElsewhere : CountsElsewhere {
  void operator()(int i, int& sum) const {
    CountsElsewhere::operator()(i);
    ++sum;
  }
};
struct MarksStretches {
  std::atomic<int>* marks;
  std::atomic<int>& calls;
  void operator()(int) const { ADD_FAILURE() << "one iteration instead of a stretch"; }
  void stretch(Kokkos::Impl::Stretch indices) const {
    ++calls;
    for (std::int64_t i = indices.begin; i < indices.end; ++i) ++marks[i];
  }
};
struct SumsStretches {
  std::atomic<int>& calls;
  void operator()(int, int&) const { ADD_FAILURE() << "one iteration instead of a stretch"; }
  void stretch(Kokkos::Impl::Stretch indices, int& sum) const {
    ++calls;
    for (std::int64_t i = indices.begin; i < indices.end; ++i) sum += static_cast<int>(i);
  }
};

}  // namespace

namespace Kokkos::Impl {
template <>
inline constexpr std::uint64_t length_for_one_thread<CountsElsewhere> = 100;
template <>
inline constexpr std::uint64_t length_for_one_thread<SumsElsewhere> = 100;
}  // namespace Kokkos::Impl

namespace {

TYPED_TEST(HostThreadTeamTest, ShortRangesOfTheLibrarysFunctorsWakeNoThread) {
  for (int n : {1, 100, 101}) {
    std::atomic<int> elsewhere{0}, summed_elsewhere{0};
    int sum = 0;
    Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, n), CountsElsewhere{std::this_thread::get_id(), elsewhere});
    Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, n),
                            SumsElsewhere{{std::this_thread::get_id(), summed_elsewhere}}, sum);
    EXPECT_EQ(sum, n);
    bool const uses_others = n == 101 && TypeParam().concurrency() > 1;
    EXPECT_EQ(elsewhere > 0, uses_others) << n;
    EXPECT_EQ(summed_elsewhere > 0, uses_others) << n;
  }
}

template <class Policy>
void check_stretches(Policy const& policy) {
  std::atomic<int> marks[120] = {}, calls{0}, reduce_calls{0};
  int sum                     = 0;
  Kokkos::parallel_for(policy, MarksStretches{marks, calls});
  Kokkos::parallel_reduce(policy, SumsStretches{reduce_calls}, sum);
  for (int i = 0; i < 120; ++i) EXPECT_EQ(marks[i], i >= 10 && i < 110 ? 1 : 0) << i;
  EXPECT_EQ(sum, 50 * 119);
  for (int n : {calls.load(), reduce_calls.load()}) EXPECT_TRUE(1 <= n && n <= 100) << n;
}
TYPED_TEST(HostThreadTeamTest, AFunctorGetsTheIndicesOfAThreadAtOnce) {
  check_stretches(Kokkos::RangePolicy<TypeParam>(10, 110));
  check_stretches(Kokkos::RangePolicy<TypeParam, Kokkos::Schedule<Kokkos::Dynamic>>(10, 110));
}

}  // namespace
