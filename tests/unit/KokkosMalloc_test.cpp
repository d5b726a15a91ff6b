// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu
#include <TestForeignSpace.hpp>
#include <TestSpaces.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Kokkos::Testing::ForeignSpace;
using Kokkos::Testing::route_calls;

template <class Space>
class KokkosMallocTest : public ::testing::Test {};
TYPED_TEST_SUITE(KokkosMallocTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void write_numbers(int* p, int n) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { p[i] = i; });
  Space().fence();
}
template <class Space>
int count_others(int* p, int n) {
  int wrong = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i, int& sum) { sum += p[i] != i; }, wrong);
  return wrong;
}

TYPED_TEST(KokkosMallocTest, MemoryIsUsableAndMoves) {
  using Memory = typename TypeParam::memory_space;
  auto* p      = static_cast<int*>(Kokkos::kokkos_malloc<Memory>("numbers", 100 * sizeof(int)));
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignof(std::max_align_t), 0u);
  write_numbers<TypeParam>(p, 100);
  p = static_cast<int*>(Kokkos::kokkos_realloc<Memory>(p, 20000 * sizeof(int)));
  EXPECT_EQ(count_others<TypeParam>(p, 100), 0);
  write_numbers<TypeParam>(p, 20000);
  p = static_cast<int*>(Kokkos::kokkos_realloc<Memory>(p, 50 * sizeof(int)));
  EXPECT_EQ(count_others<TypeParam>(p, 50), 0);
  EXPECT_NO_THROW(Kokkos::kokkos_free<Memory>(p));
}

TYPED_TEST(KokkosMallocTest, AnExecutionSpaceStandsForItsMemory) {
  void* const p = Kokkos::kokkos_malloc<TypeParam>(16);
  EXPECT_NO_THROW(Kokkos::kokkos_free<typename TypeParam::memory_space>(p));
}

TEST(KokkosMalloc, DefaultSpaceNullAndNothing) {
  EXPECT_NO_THROW(Kokkos::kokkos_free(nullptr));
  EXPECT_EQ(Kokkos::kokkos_malloc(0), nullptr);
  void* p = Kokkos::kokkos_malloc(10);
  EXPECT_EQ(Kokkos::kokkos_realloc(p, 0), nullptr);
  EXPECT_THROW(Kokkos::kokkos_free(p), std::runtime_error);
  p = Kokkos::kokkos_realloc(nullptr, 100);
  EXPECT_NE(p, nullptr);
  EXPECT_NO_THROW(Kokkos::kokkos_free(p));
}

template <class Call>
std::string error_of(Call const& call) {
  try {
    call();
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "no error";
}

TEST(KokkosMalloc, ErrorsSayWhatWasGiven) {
  void* const p = Kokkos::kokkos_malloc<Kokkos::HostSpace>("p", 100);
  EXPECT_NE(error_of([&] { Kokkos::kokkos_free<ForeignSpace>(p); }).find("Host, not in Foreign"), std::string::npos);
  EXPECT_NE(error_of([&] { Kokkos::kokkos_free<Kokkos::HostSpace>(static_cast<char*>(p) + 8); }).find("kokkos_free"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { Kokkos::kokkos_free<Kokkos::HostSpace>(p); }), "no error");
  EXPECT_NE(error_of([&] { Kokkos::kokkos_realloc<Kokkos::HostSpace>(p, 5); }).find("kokkos_realloc"),
            std::string::npos);
}

TEST(KokkosMalloc, TooMuchIsAnExceptionThatSaysHowMuch) {
  std::size_t const bytes = std::size_t(1) << 60;
  try {
    Kokkos::kokkos_malloc<Kokkos::HostSpace>("a label", bytes);
    FAIL() << "memory for 2^60 bytes";
  } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& failure) {
    EXPECT_NE(std::string(failure.what()).find("a label"), std::string::npos) << failure.what();
  }
  // A block that could not be moved is unchanged.
  auto* const p = static_cast<char*>(Kokkos::kokkos_malloc<Kokkos::HostSpace>("small", 4));
  p[3]          = 'x';
  EXPECT_THROW(Kokkos::kokkos_realloc<Kokkos::HostSpace>(p, bytes), Kokkos::Experimental::RawMemoryAllocationFailure);
  EXPECT_EQ(p[3], 'x');
  Kokkos::kokkos_free<Kokkos::HostSpace>(p);
}

TEST(KokkosMalloc, MovesWithinOneMemory) {
  void* p = Kokkos::kokkos_malloc<ForeignSpace>("p", 100);
  route_calls().clear();
  p = Kokkos::kokkos_realloc<ForeignSpace>(p, 60);
  ASSERT_EQ(route_calls().size(), 1u);
  EXPECT_EQ(route_calls()[0].route, "foreign <- foreign");
  EXPECT_EQ(route_calls()[0].bytes, 60u);
  Kokkos::kokkos_free<ForeignSpace>(p);
}

// ---- reports to tools -----------------------------------------------------------------------------------------------

struct Reported {
  std::string label;
  std::uint64_t bytes = 0;
  int live            = 0;
} reported;
void on_allocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  reported.label = label;
  reported.bytes = bytes;
  ++reported.live;
}
void on_deallocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  EXPECT_EQ(reported.label, label);
  EXPECT_EQ(reported.bytes, bytes);
  --reported.live;
}

TEST(KokkosMalloc, IsReportedToTools) {
  reported = {};
  Kokkos::Tools::Experimental::set_allocate_data_callback(on_allocation);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(on_deallocation);
  void* const p = Kokkos::kokkos_malloc<Kokkos::HostSpace>("reported", 123);
  EXPECT_EQ(reported.label, "reported");
  EXPECT_EQ(reported.bytes, 123u);
  EXPECT_EQ(reported.live, 1);
  Kokkos::kokkos_free<Kokkos::HostSpace>(p);
  EXPECT_EQ(reported.live, 0);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
}

TEST(KokkosMalloc, FromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) {
        auto* const p = static_cast<int*>(Kokkos::kokkos_malloc<Kokkos::HostSpace>("p", sizeof(int)));
        *p            = t;
        EXPECT_EQ(*p, t);
        Kokkos::kokkos_free<Kokkos::HostSpace>(p);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
