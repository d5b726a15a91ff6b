// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// UnorderedMap::size(), which on hosts keeps the number until an element comes or goes.

#include <Kokkos_UnorderedMap.hpp>

#include "TestSpaces.hpp"
#include "Thorough.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

template <class Space>
struct UnorderedMapSizeTest : ::testing::Test {};
TYPED_TEST_SUITE(UnorderedMapSizeTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

template <class Map>
struct InsertKeys {
  Map map;
  int first;
  KOKKOS_FUNCTION void operator()(int i) const { map.insert(first + i, 1); }
};
template <class Map>
struct EraseKeys {
  Map map;
  int first;
  KOKKOS_FUNCTION void operator()(int i) const { map.erase(first + i); }
};

template <class Space, class Map>
void insert(Map const& map, int first, int count) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, count), InsertKeys<Map>{map, first});
}
template <class Space, class Map>
void erase(Map const& map, int first, int count) {
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, count), EraseKeys<Map>{map, first});
}

/// Twice, so that a number that was kept is seen.
template <class Map>
testing::AssertionResult has_size(Map const& map, unsigned n) {
  unsigned const first = map.size(), second = map.size();
  if (first == n && second == n) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "size " << first << ", then " << second << " instead of " << n;
}

template <class Space, class Map>
void check_changes() {
  Map map(1000);
  Map const same                              = map;
  typename Map::const_map_type const constant = map;
  EXPECT_TRUE(has_size(map, 0));
  insert<Space>(map, 0, 100);
  EXPECT_TRUE(has_size(map, 100) && has_size(same, 100) && has_size(constant, 100));
  insert<Space>(map, 50, 100);  // half of them exist
  EXPECT_TRUE(has_size(same, 150) && has_size(map, 150));
  map.begin_erase();
  insert<Space>(map, 500, 10);  // refused
  EXPECT_TRUE(has_size(map, 150));
  erase<Space>(map, 0, 20);
  EXPECT_TRUE(has_size(constant, 130));
  erase<Space>(map, 10, 20);  // half of them are gone
  map.end_erase();
  EXPECT_TRUE(has_size(map, 120));
  erase<Space>(map, 30, 10);  // no longer allowed
  EXPECT_TRUE(has_size(map, 120));
  insert<Space>(same, 0, 1);
  EXPECT_TRUE(has_size(map, 121));
  map.rehash(4000);
  EXPECT_TRUE(has_size(map, 121) && has_size(same, 121));
  insert<Space>(map, 700, 9);
  EXPECT_TRUE(has_size(map, 130) && has_size(same, 121));
  map.clear();
  EXPECT_TRUE(has_size(map, 0) && has_size(same, 121));
  EXPECT_TRUE(has_size(Map(), 0) && has_size(typename Map::const_map_type(), 0));
}

// Kernels that insert may still run, so each call waits; programs see it in the reports to tools.
TYPED_TEST(UnorderedMapSizeTest, WaitsForKernelsThatInsert) {
  static int fences;
  Kokkos::UnorderedMap<int, int, TypeParam> const map(10);
  Kokkos::Tools::Experimental::set_begin_fence_callback([](char const* name, std::uint32_t, std::uint64_t*) {
    if (std::string(name) == "Kokkos::UnorderedMap::size: fence before elements are counted") ++fences;
  });
  for (int calls = 1; calls <= 3; ++calls) {
    fences = 0;
    EXPECT_EQ(map.size(), 0u);
    EXPECT_GE(fences, 1) << "call " << calls;
  }
  Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr);
}

TYPED_TEST(UnorderedMapSizeTest, FollowsEachChange) {
  check_changes<TypeParam, Kokkos::UnorderedMap<int, int, TypeParam>>();     // in words
  check_changes<TypeParam, Kokkos::UnorderedMap<int, double, TypeParam>>();  // with indexes
}

// A copy brings elements, but not the number: on a device no number is kept, and each side changes on its own.
template <class Space, class Map>
void check_copies() {
  Map map(100);
  auto host = Kokkos::create_mirror(map);
  insert<Space>(map, 0, 10);
  EXPECT_TRUE(has_size(host, 0) && has_size(map, 10));
  Kokkos::deep_copy(host, map);
  EXPECT_TRUE(has_size(host, 10));
  host.insert(50, 1);
  EXPECT_TRUE(has_size(host, 11) && has_size(map, 10));
  Kokkos::deep_copy(map, host);
  EXPECT_TRUE(has_size(map, 11));
  insert<Space>(map, 60, 2);
  Kokkos::deep_copy(host, map);
  EXPECT_TRUE(has_size(host, 13) && has_size(map, 13));
  insert<Space>(map, 70, 1);
  Kokkos::deep_copy(typename Map::execution_space(), host, map);
  EXPECT_TRUE(has_size(host, 14));
}

TYPED_TEST(UnorderedMapSizeTest, IsCountedAgainAfterCopies) {
  check_copies<TypeParam, Kokkos::UnorderedMap<int, int, TypeParam>>();
  check_copies<TypeParam, Kokkos::UnorderedMap<int, double, TypeParam>>();
}

using Host = Kokkos::DefaultHostExecutionSpace;

int counts = 0;
void note_count(char const* name, std::uint32_t, std::uint64_t*) {
  std::string const label = name;
  if (label == "Kokkos::UnorderedMap::size" || label == "Kokkos::Bitset::count") ++counts;
}

template <class Map>
void check_kept() {
  Map map(1000);
  for (int key = 0; key < 100; ++key) map.insert(key, 1);
  EXPECT_EQ(map.size(), 100u);
  Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(note_count);
  counts = 0;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(map.size(), 100u);
  map.insert(5, 1);  // exists
  EXPECT_EQ(map.size(), 100u);
  EXPECT_EQ(counts, 0);
  map.insert(500, 1);
  EXPECT_TRUE(has_size(map, 101));
  EXPECT_EQ(counts, 1);
  Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
}

TEST(UnorderedMapSizeHostTest, IsCountedOnceOnTheHost) {
  check_kept<Kokkos::UnorderedMap<int, int, Host>>();
  check_kept<Kokkos::UnorderedMap<int, double, Host>>();
}

/// A value during whose assignment something else happens, as in another thread.
struct Interrupted {
  static inline std::function<void()> meanwhile;
  Interrupted()                   = default;
  Interrupted(Interrupted const&) = default;
  Interrupted& operator=(Interrupted const&) {
    if (auto const happens = std::exchange(meanwhile, nullptr)) happens();
    return *this;
  }
};

// While its value is copied, an insertion holds an index that size() counts.
TEST(UnorderedMapSizeHostTest, IndexesThatAreGivenBackAreForgotten) {
  Kokkos::UnorderedMap<int, Interrupted, Host> const map(Kokkos::view_alloc("map", Kokkos::SequentialHostInit), 100);
  Interrupted::meanwhile = [&] {
    map.insert(7, Interrupted());
    (void)map.size();
  };
  EXPECT_TRUE(map.insert(7, Interrupted()).freed_existing());
  EXPECT_TRUE(has_size(map, 1));
  Interrupted::meanwhile = [&] {
    (void)map.size();
    throw std::length_error("no copy");
  };
  EXPECT_THROW(map.insert(8, Interrupted()), std::length_error);
  EXPECT_TRUE(has_size(map, 1));
}

// Some threads insert while others ask for the number. Whatever these get, the number is right afterwards.
TEST(UnorderedMapSizeHostTest, NoInsertionOfAnotherThreadIsMissed) {
  int const rounds = Kokkos::Testing::is_thorough() ? 2000 : 100, keys = 40;
  for (int round = 0; round < rounds; ++round) {
    Kokkos::UnorderedMap<int, int, Host> const map(2 * keys);
    std::atomic<int> ready = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        ++ready;
        while (ready < 4) std::this_thread::yield();
        if (t < 2)
          for (int key = t; key < keys; key += 2) map.insert(key, 1);
        else
          for (int i = 0; i < 5; ++i) EXPECT_LE(map.size(), unsigned(keys));
      });
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(has_size(map, keys)) << round;
  }
}

}  // namespace
