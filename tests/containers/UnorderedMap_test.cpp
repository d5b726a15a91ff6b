// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: isa starts-first
#include <Kokkos_UnorderedMap.hpp>

#include "TestSpaces.hpp"
#include "Thorough.hpp"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <class Space>
struct UnorderedMapTest : ::testing::Test {};
TYPED_TEST_SUITE(UnorderedMapTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

/// A key of three words, which no single atomic load can read.
struct Triple {
  int a, b, c;
};

template <class Key>
KOKKOS_FUNCTION Key make_key(int i) {
  if constexpr (std::is_same_v<Key, Triple>)
    return Triple{i, -i, i % 3};
  else
    return static_cast<Key>(static_cast<std::uint64_t>(i) * 2654435761u);  // in unsigned arithmetic, which wraps around
}

/// Item i inserts key i % keys. The result counts insertions of new keys (times 10^12), of existing keys (times 10^6),
/// and refusals (times 1); see outcome_of.
template <class Map>
struct Insert {
  Map map;
  int keys;
  KOKKOS_FUNCTION void operator()(int i, long long& outcome) const {
    auto const result = map.insert(make_key<typename Map::key_type>(i % keys), i);
    outcome += result.success() ? 1000000000000 : result.existing() ? 1000000 : 1;
    if (result.failed() == (result.success() || result.existing())) outcome = -1;
  }
};
constexpr long long outcome_of(long long success, long long existing, long long failed) {
  return success * 1000000000000 + existing * 1000000 + failed;
}

template <class Space, class Map>
long long insert(Map const& map, int items, int keys) {
  long long outcome = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, items), Insert<Map>{map, keys}, outcome);
  return outcome;
}

/// Number of keys in [0, keys) that are found with their value, times 1000, plus the number of keys in [keys, keys +
/// 500) that are found.
template <class Map>
struct Find {
  Map map;
  int keys;
  KOKKOS_FUNCTION void operator()(int i, long long& found) const {
    auto const key = make_key<typename Map::key_type>(i);
    auto const at  = map.find(key);
    if (at == Kokkos::UnorderedMapInvalidIndex) return;
    bool const is_right = map.valid_at(at) && map.exists(key) && map.value_at(at) % keys == i &&
                          Kokkos::pod_equal_to<typename Map::key_type>()(map.key_at(at), key);
    found += i < keys ? (is_right ? 1000 : 0) : 1;
  }
};

template <class Space, class Map>
long long find(Map const& map, int keys) {
  long long found = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, keys + 500), Find<Map>{map, keys}, found);
  return found;
}

template <class Space, class Key, class Value = int>
void check_duplicates() {
  // Many items insert each key; the capacity is just sufficient.
  int const items = Kokkos::Testing::is_thorough() ? 20000 : 2000;
  Kokkos::UnorderedMap<Key, Value, Space> map(200);
  EXPECT_EQ(insert<Space>(map, items, 200), outcome_of(200, items - 200, 0));
  EXPECT_EQ(map.size(), 200u);
  EXPECT_FALSE(map.failed_insert());
  EXPECT_EQ(find<Space>(map, 200), 200 * 1000);
}

template <class Space, class Key, class Value = int>
void check_few_elements() {
  for (int const keys : {0, 1, 2, 3}) {
    Kokkos::UnorderedMap<Key, Value, Space> map(10);
    EXPECT_EQ(insert<Space>(map, keys, keys), outcome_of(keys, 0, 0));
    map.rehash(1000);
    EXPECT_GE(map.capacity(), 1000u);
    EXPECT_EQ(map.size(), static_cast<unsigned>(keys));
    EXPECT_EQ(find<Space>(map, keys), 1000 * keys);
  }
}

TYPED_TEST(UnorderedMapTest, RehashKeepsFewElementsToo) {
  check_few_elements<TypeParam, std::uint32_t>();
  check_few_elements<TypeParam, std::int64_t>();
  check_few_elements<TypeParam, Triple>();
}

// Keys and values that fit into one word, and others.
TYPED_TEST(UnorderedMapTest, EachKeyIsInsertedOnce) {
  check_duplicates<TypeParam, std::uint32_t>();
  check_duplicates<TypeParam, std::uint32_t, short>();
  check_duplicates<TypeParam, std::uint32_t, long long>();
  check_duplicates<TypeParam, std::int64_t>();
  check_duplicates<TypeParam, Triple>();
}

/// \param[in] exact whether all indexes are used before an insertion fails
template <class Space, class Map>
void check_full_map(bool exact) {
  constexpr long long one_success = outcome_of(1, 0, 0);
  bool const thorough             = Kokkos::Testing::is_thorough();
  int const requested = thorough ? 2000 : 500, keys = 3 * requested;
  Map map(requested);
  int const capacity = static_cast<int>(map.capacity());
  EXPECT_EQ(capacity, exact ? (thorough ? 2432 : 640) : (thorough ? 4096 : 1024));
  EXPECT_GE(map.hash_capacity(), map.capacity());
  long long const outcome = insert<Space>(map, keys, keys);
  int const size          = static_cast<int>(outcome / one_success);
  EXPECT_EQ(outcome, outcome_of(size, 0, keys - size));
  EXPECT_GE(size, exact ? capacity : requested);
  EXPECT_LE(size, capacity);
  EXPECT_TRUE(map.failed_insert());
  EXPECT_EQ(static_cast<int>(map.size()), size);
  // Existing keys are found, and rehash makes space for the others.
  EXPECT_EQ(insert<Space>(map, keys, keys) % one_success / 1000000, size);
  EXPECT_EQ(find<Space>(map, keys), 1000ll * map.size());
  map.reset_failed_insert_flag();
  EXPECT_FALSE(map.failed_insert());
  int const larger_size = static_cast<int>(map.size());
  EXPECT_TRUE(map.rehash(keys));
  EXPECT_GE(map.capacity(), std::uint32_t(keys));
  EXPECT_EQ(static_cast<int>(map.size()), larger_size);
  EXPECT_EQ(insert<Space>(map, keys, keys), outcome_of(keys - larger_size, larger_size, 0));
  EXPECT_EQ(find<Space>(map, keys), keys * 1000);
  map.rehash(0);  // never smaller than the number of elements
  EXPECT_EQ(map.size(), std::uint32_t(keys));
  map.clear();
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(find<Space>(map, keys), 0);
}

TYPED_TEST(UnorderedMapTest, FullMapRefuses) {
  check_full_map<TypeParam, Kokkos::UnorderedMap<std::uint32_t, int, TypeParam>>(false);
  check_full_map<TypeParam, Kokkos::UnorderedMap<std::uint32_t, long long, TypeParam>>(true);
  // In a small map, insertions fail only when every word that a search visits is full, and the search for a missing key
  // ends.
  Kokkos::UnorderedMap<std::uint32_t, int, TypeParam> small(1);
  EXPECT_EQ(insert<TypeParam>(small, 1000, 1000), outcome_of(120, 0, 880));
  EXPECT_EQ(find<TypeParam>(small, 1000), 120 * 1000);
}

template <class Map>
struct Erase {
  Map map;
  int keys;
  bool upwards;
  KOKKOS_FUNCTION void operator()(int i, int& erased) const {
    // Twice as many items as keys: only one of two items erases a key.
    int const key = upwards ? i % keys : keys - 1 - i % keys;
    if (key % 2 == 0 && map.erase(make_key<typename Map::key_type>(key))) ++erased;
  }
};

template <class Space, class Map>
int erase(Map const& map, int keys) {
  int erased = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 2 * keys), Erase<Map>{map, keys, true}, erased);
  return erased;
}

/// Reads and writes at indexes that no element can have, and counts what differs from the documentation.
template <class Map>
struct UseOutside {
  Map map;
  KOKKOS_FUNCTION void operator()(int, int& wrong) const {
    for (auto const index : {map.capacity(), map.capacity() + 12345, map.invalid_index}) {
      wrong += map.valid_at(index);
      wrong += map.key_at(index) != typename Map::key_type();
      map.value_at(index) = -1;
    }
  }
};

template <class Space>
int use_outside(Kokkos::UnorderedMap<unsigned, int, Space> const& map) {
  int wrong = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 1), UseOutside<std::remove_cvref_t<decltype(map)>>{map}, wrong);
  return wrong;
}

TYPED_TEST(UnorderedMapTest, IndexesBeyondTheCapacityBelongToNoElement) {
  Kokkos::UnorderedMap<unsigned, int, TypeParam> map(300);
  insert<TypeParam>(map, 300, 300);
  EXPECT_EQ(use_outside<TypeParam>(map), 0);
  EXPECT_EQ(find<TypeParam>(map, 300), 300000);  // every value is still that of its key
}

TYPED_TEST(UnorderedMapTest, EraseBetweenBeginAndEnd) {
  using Map = Kokkos::UnorderedMap<std::int64_t, int, TypeParam>;
  Map map(1000);
  for (int round = 0; round < 5; ++round) {
    insert<TypeParam>(map, 1000, 1000);
    EXPECT_EQ(map.size(), 1000u);
    EXPECT_EQ(erase<TypeParam>(map, 1000), 0);  // not yet
    EXPECT_TRUE(map.begin_erase());
    EXPECT_FALSE(map.begin_erase());
    EXPECT_TRUE(map.erasable());
    EXPECT_EQ(insert<TypeParam>(map, 10, 10), outcome_of(0, 0, 10));  // insertions fail at this time
    EXPECT_EQ(erase<TypeParam>(map, 1000), 500);
    EXPECT_EQ(map.size(), 500u);
    EXPECT_TRUE(map.end_erase());
    EXPECT_FALSE(map.end_erase());
    EXPECT_EQ(map.size(), 500u);
    EXPECT_EQ(insert<TypeParam>(map, 1000, 1000), outcome_of(500, 500, 0));
  }
  EXPECT_EQ(find<TypeParam>(map, 1000), 1000 * 1000);
}

/// Insertions of keys [first, first + keys), each by ten items.
template <class Map>
struct InsertWindow {
  Map map;
  int first, keys;
  KOKKOS_FUNCTION void operator()(int i, int& inserted) const {
    int const key = first + i % keys;
    inserted += map.insert(make_key<typename Map::key_type>(key), key).success();
  }
};
template <class Map>
struct EraseWindow {
  Map map;
  int first;
  KOKKOS_FUNCTION void operator()(int i, int& erased) const {
    erased += map.erase(make_key<typename Map::key_type>(first + i));
  }
};
/// Counts the keys of [first, first + keys) that the map contains with their value, and stores their indexes. Or counts
/// the keys that the map contains at the stored index.
template <class Map, class Indexes>
struct FindWindow {
  Map map;
  Indexes indexes;
  int first;
  bool stores;
  KOKKOS_FUNCTION void operator()(int i, int& right) const {
    int const key          = first + i;
    std::uint32_t const at = map.find(make_key<typename Map::key_type>(key));
    if (at == Kokkos::UnorderedMapInvalidIndex || map.value_at(at) != key) return;
    if (stores) indexes(key) = at;
    right += indexes(key) == at ? 1 : 0;
  }
};

/// Keys come and go for many rounds in a map that is as full as permitted. Erased places are used again, every key is
/// inserted once, and the others keep their indexes.
template <class Space, class Map>
void check_churn() {
  constexpr int live = 300, step = 50;
  int const rounds = Kokkos::Testing::is_thorough() ? 60 : 12;  // in all, more keys than places
  using Range      = Kokkos::RangePolicy<Space>;
  using Indexes    = Kokkos::View<std::uint32_t*, Space>;
  Map map(live + step);
  Indexes const indexes("indexes", live + (rounds + 1) * step);
  int count = 0;
  Kokkos::parallel_reduce(Range(0, 10 * live), InsertWindow<Map>{map, 0, live}, count);
  EXPECT_EQ(count, live);
  for (int first = 0; first < rounds * step; first += step) {
    Kokkos::parallel_reduce(Range(0, 10 * (live + step)), InsertWindow<Map>{map, first, live + step}, count);
    ASSERT_EQ(count, step) << first;
    Kokkos::parallel_reduce(Range(0, live + step), FindWindow<Map, Indexes>{map, indexes, first, true}, count);
    ASSERT_EQ(count, live + step) << first;
    map.begin_erase();
    Kokkos::parallel_reduce(Range(0, step), EraseWindow<Map>{map, first}, count);
    ASSERT_EQ(count, step) << first;
    map.end_erase();
    ASSERT_EQ(map.size(), unsigned(live)) << first;
    Kokkos::parallel_reduce(Range(0, live), FindWindow<Map, Indexes>{map, indexes, first + step, false}, count);
    ASSERT_EQ(count, live) << first;
  }
  EXPECT_FALSE(map.failed_insert());
}

TYPED_TEST(UnorderedMapTest, ErasedPlacesAreUsedAgain) {
  check_churn<TypeParam, Kokkos::UnorderedMap<int, int, TypeParam>>();
  check_churn<TypeParam, Kokkos::UnorderedMap<int, double, TypeParam>>();
}

/// One item inserts `keys` keys in order. The result is the sum of the steps of their searches.
template <class Map>
struct InsertInOrder {
  Map map;
  int first, keys;
  KOKKOS_FUNCTION void operator()(int, int& steps) const {
    for (int i = 0; i < keys; ++i) steps += map.insert(make_key<typename Map::key_type>(first + i), i).list_position();
  }
};
template <class Space, class Map>
int steps_to_insert(Map const& map, int first, int keys) {
  int steps = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, 1), InsertInOrder<Map>{map, first, keys}, steps);
  return steps;
}

/// After erasures, a map that is empty again takes keys by the same steps as a new one.
template <class Space, class Map>
void check_steps_after_erasures() {
  constexpr int keys = 300;
  Map map(10 * keys), fresh(10 * keys);  // with room for the keys of all rounds, so that no search goes on for ever
  for (int round = 1; round <= 3; ++round) {
    steps_to_insert<Space>(map, round * keys, keys);
    map.begin_erase();
    int erased = 0;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, keys), EraseWindow<Map>{map, round * keys}, erased);
    ASSERT_EQ(erased, keys);
    map.end_erase();
  }
  int const steps = steps_to_insert<Space>(fresh, 0, keys);
  EXPECT_GT(steps, 0);  // some keys collide
  EXPECT_EQ(steps_to_insert<Space>(map, 0, keys), steps);
  EXPECT_EQ(map.size(), unsigned(keys));
}

TYPED_TEST(UnorderedMapTest, ErasuresMakeNoSearchLonger) {
  check_steps_after_erasures<TypeParam, Kokkos::UnorderedMap<int, int, TypeParam>>();
  check_steps_after_erasures<TypeParam, Kokkos::UnorderedMap<int, double, TypeParam>>();
}

/// Items 2 i and 2 i + 1 insert the key -1 - i.
template <class Map>
struct InsertHighest {
  Map map;
  KOKKOS_FUNCTION void operator()(int i, int& inserted) const {
    auto const key = static_cast<typename Map::key_type>(-1 - i / 2);
    if constexpr (Map::is_set)
      inserted += map.insert(key).success();
    else
      inserted += map.insert(key, 1 + i / 2).success();
  }
};
template <class Map>
struct FindHighest {
  Map map;
  KOKKOS_FUNCTION void operator()(int i, int& right) const {
    auto const key = static_cast<typename Map::key_type>(-1 - i);
    auto const at  = map.find(key);
    if (at >= map.capacity() || !map.valid_at(at) || map.key_at(at) != key) return;
    if constexpr (!Map::is_set) {
      if (map.value_at(at) != 1 + i) return;
    }
    ++right;
  }
};
template <class Map>
struct EraseHighest {
  Map map;
  KOKKOS_FUNCTION void operator()(int i, int& erased) const {
    erased += map.erase(static_cast<typename Map::key_type>(-1 - i / 2));
  }
};

template <class Space, class Map>
void check_highest(int keys) {
  using Range = Kokkos::RangePolicy<Space>;
  Map map(keys);
  int count = 0;
  EXPECT_EQ(map.size(), 0u);
  for (int round = 0; round < 2; ++round) {
    Kokkos::parallel_reduce(Range(0, keys), FindHighest<Map>{map}, count);
    EXPECT_EQ(count, 0);
    Kokkos::parallel_reduce(Range(0, 2 * keys), InsertHighest<Map>{map}, count);
    EXPECT_EQ(count, keys);
    EXPECT_EQ(map.size(), unsigned(keys));
    map.rehash(2 * keys);
    Kokkos::parallel_reduce(Range(0, keys), FindHighest<Map>{map}, count);
    EXPECT_EQ(count, keys);
    auto host = Kokkos::create_mirror(map);
    Kokkos::deep_copy(host, map);
    EXPECT_EQ(host.size(), unsigned(keys));
    map.begin_erase();
    Kokkos::parallel_reduce(Range(0, 6), EraseHighest<Map>{map}, count);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(map.size(), unsigned(keys - 3));
    map.end_erase();
    EXPECT_EQ(map.size(), unsigned(keys - 3));
    Kokkos::parallel_reduce(Range(0, keys), FindHighest<Map>{map}, count);
    EXPECT_EQ(count, keys - 3);
    map.clear();
  }
}

// Patterns of bits that a table may use for empty and erased places are keys like all others.
TYPED_TEST(UnorderedMapTest, EveryPatternOfBitsIsAKey) {
  check_highest<TypeParam, Kokkos::UnorderedMap<std::uint32_t, int, TypeParam>>(300);
  check_highest<TypeParam, Kokkos::UnorderedMap<int, float, TypeParam, Kokkos::pod_hash<int>, Kokkos::equal_to<int>>>(
      300);
  check_highest<TypeParam, Kokkos::UnorderedMap<unsigned char, int, TypeParam>>(256);
  check_highest<TypeParam, Kokkos::UnorderedMap<std::uint64_t, double, TypeParam>>(300);
  check_highest<TypeParam, Kokkos::UnorderedMap<int, void, TypeParam>>(300);
  check_highest<TypeParam, Kokkos::UnorderedMap<std::int64_t, void, TypeParam>>(300);
  check_highest<TypeParam, Kokkos::UnorderedMap<short, void, TypeParam>>(300);
}

/// Keys that differ only in the lowest bit are equal.
struct SameHalf {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a / 2 == b / 2; }
};
struct HashHalf {
  KOKKOS_FUNCTION unsigned operator()(int a) const { return static_cast<unsigned>(a / 2); }
};
template <class Map>
struct InsertConsecutive {
  Map map;
  KOKKOS_FUNCTION void operator()(int i, int& inserted) const { inserted += map.insert(i, i).success(); }
};
TYPED_TEST(UnorderedMapTest, ComparisonOfTheProgram) {
  using Map = Kokkos::UnorderedMap<int, int, TypeParam, HashHalf, SameHalf>;
  Map map(500);
  int count = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 1000), InsertConsecutive<Map>{map}, count);
  EXPECT_EQ(count, 500);
}

/// A program-defined operation in addition to those of the library.
struct KeepLargest {
  template <class Values>
  KOKKOS_FUNCTION void op(Values const& values, std::uint32_t index, int value) const {
    Kokkos::atomic_max(&values(index), value);
  }
};

/// Values are accessed by address, too.
struct SetAtAddress {
  template <class Values>
  KOKKOS_FUNCTION void op(Values const& values, std::uint32_t index, int value) const {
    Kokkos::atomic_store(values.data() + index, -(value % 10));
  }
};

template <class Map, class Op>
struct InsertBy {
  Map map;
  KOKKOS_FUNCTION void operator()(int i) const { map.insert(i % 10, i, Op()); }
};
template <class Map>
struct ValueOf {
  Map map;
  KOKKOS_FUNCTION void operator()(int key, int& value) const { value += map.value_at(map.find(key)); }
};

template <class Space, class Op>
int value_after(int key) {
  using Map = Kokkos::UnorderedMap<int, int, Space>;
  Map map(10);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 1000), InsertBy<Map, Op>{map});
  int value = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(key, key + 1), ValueOf<Map>{map}, value);
  return value;
}

TYPED_TEST(UnorderedMapTest, OperationsOnExistingValues) {
  using Ops = Kokkos::UnorderedMapInsertOpTypes<Kokkos::View<int*, TypeParam>, std::uint32_t>;
  EXPECT_EQ((value_after<TypeParam, typename Ops::AtomicAdd>(3)), 3 * 100 + 10 * 4950);
  EXPECT_EQ((value_after<TypeParam, KeepLargest>(3)), 993);
  EXPECT_EQ((value_after<TypeParam, typename Ops::NoOp>(3)) % 10, 3);
  EXPECT_EQ((value_after<TypeParam, SetAtAddress>(3)), -3);
}

/// All keys have the same hash.
struct OneForAll {
  KOKKOS_FUNCTION std::uint64_t operator()(int) const { return 7; }
};
/// A hash function whose values differ only in the low bits, which a table that is indexed by the highest bits must
/// handle.
struct Itself {
  KOKKOS_FUNCTION unsigned operator()(int key) const { return static_cast<unsigned>(key); }
};

TYPED_TEST(UnorderedMapTest, BadHashes) {
  Kokkos::UnorderedMap<int, int, TypeParam, OneForAll> same(300);
  EXPECT_EQ(insert<TypeParam>(same, 3000, 300), outcome_of(300, 2700, 0));
  EXPECT_EQ(find<TypeParam>(same, 300), 300 * 1000);
  Kokkos::UnorderedMap<int, int, TypeParam, Itself> own(300);
  EXPECT_EQ(insert<TypeParam>(own, 3000, 300), outcome_of(300, 2700, 0));
  EXPECT_EQ(find<TypeParam>(own, 300), 300 * 1000);
}

int launches = 0;
void count_launch(char const*, std::uint32_t, std::uint64_t*) { ++launches; }

// A period in which nothing is erased costs nothing, and later periods still make erased places free.
TYPED_TEST(UnorderedMapTest, PeriodsWithoutErasures) {
  using Map = Kokkos::UnorderedMap<std::int64_t, int, TypeParam>;
  Map map(1000);
  insert<TypeParam>(map, 1000, 1000);
  for (int round = 0; round < 5; ++round) {
    launches = 0;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_launch);
    EXPECT_TRUE(map.begin_erase());
    EXPECT_TRUE(map.end_erase());
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    EXPECT_EQ(launches, 0);
    EXPECT_FALSE(map.erasable());
    EXPECT_TRUE(map.begin_erase());
    EXPECT_EQ(erase<TypeParam>(map, 1000), 500);
    EXPECT_TRUE(map.end_erase());
    EXPECT_EQ(insert<TypeParam>(map, 1000, 1000), outcome_of(500, 500, 0));
  }
}

/// All bits of the hash that a slot contains are set, as they are in an erased slot.
struct LooksErased {
  static constexpr std::uint32_t hash = 0xa00267f4u;
  KOKKOS_FUNCTION std::uint32_t operator()(Triple const&) const { return hash; }
};
static_assert(Kokkos::Impl::mix_hash(LooksErased::hash) * 0x9e3779b1u == ~std::uint32_t(0));

TYPED_TEST(UnorderedMapTest, ErasedPlacesMatchNoKey) {
  using Map = Kokkos::UnorderedMap<Triple, int, TypeParam, LooksErased>;
  for (unsigned const capacity : {20u, 64u, 100u, 128u, 600u}) {
    Map map(capacity);
    int const keys = static_cast<int>(capacity);
    for (int round = 0; round < 2; ++round) {
      insert<TypeParam>(map, keys, keys);
      EXPECT_TRUE(map.begin_erase());
      EXPECT_EQ(erase<TypeParam>(map, keys), keys / 2);
      EXPECT_TRUE(map.end_erase());
      EXPECT_EQ(find<TypeParam>(map, keys), (keys - keys / 2) * 1000) << capacity;
    }
    EXPECT_EQ(map.size(), static_cast<unsigned>(keys - keys / 2));
  }
}

template <class Map>
struct InsertKey {
  Map map;
  KOKKOS_FUNCTION void operator()(int i) const { map.insert(i / 2); }
};

TYPED_TEST(UnorderedMapTest, SetsAndConstMaps) {
  using Set = Kokkos::UnorderedMap<int, void, TypeParam>;
  static_assert(Set::is_set && Set::is_insertable_map && Set::const_map_type::is_const_map);
  Set set(Kokkos::view_alloc(TypeParam(), "set"), 150);
  EXPECT_TRUE(set.is_allocated());
  Kokkos::parallel_for(Kokkos::RangePolicy<TypeParam>(0, 100), InsertKey<Set>{set});
  EXPECT_EQ(set.size(), 50u);
  typename Set::const_map_type const same = set;
  EXPECT_EQ(same.size(), 50u);
  set.rehash(1000);
  EXPECT_EQ(set.size(), 50u);

  using Map = Kokkos::UnorderedMap<int, int, TypeParam>;
  static_assert(Map::modifiable_map_type::is_modifiable_map && !Map::modifiable_map_type::is_insertable_map);
  Map map;
  EXPECT_EQ(map.capacity(), 128u);
  insert<TypeParam>(map, 100, 100);
  typename Map::modifiable_map_type const modifiable = map;
  typename Map::const_map_type const constant        = modifiable;
  EXPECT_EQ(find<TypeParam>(constant, 100), 100 * 1000);
  typename Map::const_map_type const none;
  EXPECT_FALSE(none.is_allocated());
  EXPECT_EQ(find<TypeParam>(none, 100), 0);
}

TYPED_TEST(UnorderedMapTest, MirrorsAndCopies) {
  using Map = Kokkos::UnorderedMap<int, int, TypeParam>;
  Map map(500), other(5000);
  insert<TypeParam>(map, 500, 500);
  map.create_copy_view(map);
  EXPECT_EQ(map.size(), 500u);
  auto host = Kokkos::create_mirror(map);
  EXPECT_EQ(host.size(), 0u);
  Kokkos::deep_copy(host, map);
  EXPECT_EQ(host.size(), 500u);
  int found = 0;
  for (unsigned i = 0; i < host.capacity(); ++i)
    if (host.valid_at(i)) found += make_key<int>(host.value_at(i)) == host.key_at(i);
  EXPECT_EQ(found, 500);
  EXPECT_EQ(host.key_at(host.invalid_index), 0);
  EXPECT_EQ(host.value_at(host.invalid_index), 0);  // no element's value
  host.insert(make_key<int>(500), 500);

  Map back;
  back.allocate_view(host);
  Kokkos::deep_copy(TypeParam(), back, host);
  EXPECT_EQ(find<TypeParam>(back, 501), 501 * 1000);
  EXPECT_EQ(map.size(), 500u);
  back.create_copy_view(map);
  back.clear();
  EXPECT_EQ(map.size(), 500u);
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
  // As in Kokkos 4, the destination gets the capacity of the source.
  auto const former = other;
  static std::string warning;  // once in a process
  testing::internal::CaptureStderr();
  Kokkos::deep_copy(other, map);
  warning += testing::internal::GetCapturedStderr();
#ifdef KOKKOS_ENABLE_DEPRECATION_WARNINGS
  EXPECT_NE(warning.find("so the destination gets new memory. This is deprecated"), std::string::npos) << warning;
#endif
  EXPECT_EQ(other.capacity(), map.capacity());
  EXPECT_EQ(find<TypeParam>(other, 499), find<TypeParam>(map, 499));
  EXPECT_EQ(former.size(), 0u);
  typename Map::host_mirror_type unsized;
  Kokkos::deep_copy(unsized, map);
  EXPECT_EQ(unsized.size(), 500u);
#else
  EXPECT_THROW(Kokkos::deep_copy(other, map), std::runtime_error);
#endif
}

template <class Map>
std::string printed(Map const& map) {
  testing::internal::CaptureStdout();
  Kokkos::Impl::UnorderedMapPrint<Map>(map).apply();
  return testing::internal::GetCapturedStdout();
}

TYPED_TEST(UnorderedMapTest, PrintsItsEntries) {
  using Map = Kokkos::UnorderedMap<int, double, TypeParam>;
  Map map(20);
  EXPECT_EQ(printed(map), "");
  typename Map::host_mirror_type host;
  host.create_copy_view(map);
  host.insert(7, 0.5);
  map.create_copy_view(host);
  EXPECT_EQ(printed(map), std::to_string(host.find(7)) + ": 7 0.5\n");
  Kokkos::UnorderedMap<int, void, Kokkos::DefaultHostExecutionSpace> set(20);
  set.insert(3);
  EXPECT_EQ(printed(set), std::to_string(set.find(3)) + ": 3\n");
}

TEST(UnorderedMapHostTest, ValuesThatAreViews) {
  using Inner = Kokkos::View<int*, Kokkos::HostSpace>;
  Kokkos::UnorderedMap<int, Inner, Kokkos::DefaultHostExecutionSpace> map(
      Kokkos::view_alloc("views", Kokkos::SequentialHostInit), 10);
  Inner value("value", 3);
  EXPECT_TRUE(map.insert(7, value).success());
  EXPECT_EQ(value.use_count(), 2);
  EXPECT_EQ(map.value_at(map.find(7)).data(), value.data());
}

/// A value whose copies throw while `refuses` is true.
struct Refusing {
  static inline bool refuses = false;
  int number                 = 0;
  Refusing()                 = default;
  explicit Refusing(int n) : number(n) {}
  Refusing(Refusing const&) = default;
  Refusing& operator=(Refusing const& other) {
    if (refuses) throw std::length_error("no copy");
    number = other.number;
    return *this;
  }
};

TEST(UnorderedMapHostTest, ExceptionOfACopyLosesNothing) {
  Kokkos::UnorderedMap<int, Refusing, Kokkos::DefaultHostExecutionSpace> map(
      Kokkos::view_alloc("refusing", Kokkos::SequentialHostInit), 100);
  int const capacity = static_cast<int>(map.capacity());
  EXPECT_TRUE(map.insert(-1, Refusing(5)).success());
  Refusing::refuses = true;
  for (int key = 0; key < 2 * capacity; ++key) EXPECT_THROW(map.insert(key, Refusing(key)), std::length_error);
  Refusing::refuses = false;
  EXPECT_EQ(map.size(), 1u);
  EXPECT_FALSE(map.exists(0));
  // Every index is free again.
  for (int key = 0; key + 1 < capacity; ++key) ASSERT_TRUE(map.insert(key, Refusing(key)).success()) << key;
  EXPECT_EQ(map.value_at(map.find(-1)).number, 5);
}

/// A value, during whose copy another insertion can take place, as in another thread.
struct Overtaken {
  static inline std::function<void()> meanwhile;
  int number  = 0;
  Overtaken() = default;
  explicit Overtaken(int n) : number(n) {}
  Overtaken(Overtaken const&) = default;
  Overtaken& operator=(Overtaken const& other) {
    if (auto const other_insertion = std::exchange(meanwhile, nullptr)) other_insertion();
    number = other.number;
    return *this;
  }
};

// An insertion that has taken an index finds that another one was faster: it returns the element of the other one, and gives
// the index back.
TEST(UnorderedMapHostTest, TheSlowerOfTwoInsertionsFindsTheOther) {
  using Map = Kokkos::UnorderedMap<int, Overtaken, Kokkos::DefaultHostExecutionSpace>;
  Map map(Kokkos::view_alloc("overtaken", Kokkos::SequentialHostInit), 100);
  Kokkos::UnorderedMapInsertResult faster;
  Overtaken::meanwhile = [&] { faster = map.insert(7, Overtaken(2)); };
  auto const slower    = map.insert(7, Overtaken(1));
  EXPECT_TRUE(faster.success() && !faster.existing() && !faster.failed() && !faster.freed_existing());
  EXPECT_TRUE(!slower.success() && slower.existing() && !slower.failed() && slower.freed_existing());
  EXPECT_EQ(slower.index(), faster.index());
  EXPECT_EQ(map.value_at(map.find(7)).number, 2);
  auto const later = map.insert(7, Overtaken(3));
  EXPECT_TRUE(!later.success() && later.existing() && !later.failed() && !later.freed_existing());
  EXPECT_EQ(map.size(), 1u);
  int const capacity = static_cast<int>(map.capacity());
  for (int key = 100; key < 100 + capacity - 1; ++key) ASSERT_TRUE(map.insert(key, Overtaken(key)).success()) << key;
  auto const refused = map.insert(99, Overtaken(9));
  EXPECT_TRUE(!refused.success() && !refused.existing() && refused.failed() && !refused.freed_existing());
}

struct SameForAll {
  template <class Key>
  KOKKOS_FUNCTION std::uint32_t operator()(Key const&) const {
    return 7;
  }
};
TEST(UnorderedMapHostTest, ResultsCountTheKeysThatWerePassed) {
  Kokkos::UnorderedMap<Triple, int, Kokkos::DefaultHostExecutionSpace, SameForAll> map(10);
  for (bool const is_new : {true, false})
    for (int key = 0; key < 6; ++key) {
      auto const result = map.insert(make_key<Triple>(key), key);
      EXPECT_EQ(result.success(), is_new);
      EXPECT_EQ(result.existing(), !is_new);
      EXPECT_FALSE(result.failed() || result.freed_existing());
      EXPECT_EQ(result.list_position(), static_cast<std::uint32_t>(key));
      EXPECT_EQ(result.index(), map.find(make_key<Triple>(key)));
    }
}

// A signal interrupts insertions, and its handler inserts another key. The search for each key passes places of erased keys,
// and both choose the first of these, so that the interrupted insertion has to choose again.
struct Interruptions {
  using Map              = Kokkos::UnorderedMap<int, int, Kokkos::DefaultHostExecutionSpace, SameForAll>;
  static inline Map* map = nullptr;
  static inline std::atomic<bool> may_insert{false};
  static inline std::atomic<int> next_key{0}, refused{0}, handled{0};

  static void insert_next() {
    int const key = next_key++;
    if (!map->insert(key, key).success()) ++refused;
  }
  static void handle(int) {
    if (!may_insert) return;
    insert_next();
    ++handled;
  }
  static void insert_into_places_of_erased_keys() {
    constexpr int before = 600, many = 400;
    map->clear();
    for (int key = 0; key < before; ++key) ASSERT_TRUE(map->insert(key, key).success());
    map->begin_erase();
    for (int key = 0; key + 1 < before; ++key) ASSERT_TRUE(map->erase(key));
    map->end_erase();
    next_key   = before;
    may_insert = true;
    while (next_key < before + many) insert_next();
    may_insert = false;
    ASSERT_EQ(refused, 0);
    ASSERT_EQ(map->size(), static_cast<unsigned>(1 + next_key - before));
    for (int key = before - 1; key < next_key; ++key) ASSERT_EQ(map->value_at(map->find(key)), key);
  }
};

TEST(UnorderedMapHostTest, AnInsertionInsideAnotherTakesTheSamePlace) {
  struct sigaction action = {}, old;
  action.sa_handler       = Interruptions::handle;
  action.sa_flags         = SA_RESTART;
  ASSERT_EQ(sigaction(SIGUSR1, &action, &old), 0);
  Interruptions::Map map(2000);
  Interruptions::map = &map;
  std::atomic<bool> ends{false};
  std::thread sender([&ends, receiver = pthread_self()] {
    while (!ends) {
      pthread_kill(receiver, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int round = 0; round < 200 && Interruptions::handled < 40 && !HasFatalFailure(); ++round)
    Interruptions::insert_into_places_of_erased_keys();
  ends = true;
  sender.join();
  sigaction(SIGUSR1, &old, nullptr);
}

// Searches in a map with few free places would be long.
TEST(UnorderedMapHostTest, FullMapKeepsSomeFreePlaces) {
  Kokkos::UnorderedMap<int, int, Kokkos::DefaultHostExecutionSpace> map(10000);
  unsigned inserted = 0;
  for (int key = 0; key < 50000; ++key) inserted += map.insert(key, key).success();
  EXPECT_EQ(map.size(), inserted);
  EXPECT_GE(inserted, 10000u);
  EXPECT_LE(inserted, map.capacity() / 100 * 98);
  EXPECT_TRUE(map.insert(0, 0).existing());
  EXPECT_TRUE(map.insert(-5, 0).failed());
  // After an erasure there is space, although the flag is not reset.
  map.begin_erase();
  for (int key = 0; key < 5000; ++key) map.erase(key);
  map.end_erase();
  for (int key = -1000; key < 0; ++key) EXPECT_TRUE(map.insert(key, key).success());
  EXPECT_TRUE(map.failed_insert());
}

// Threads that insert the same keys at once each take an index for a key, and all but one give it back. Afterwards the map
// can be filled to its capacity, so no index was lost.
TEST(UnorderedMapHostTest, IndexesOfLostRacesAreGivenBack) {
  using Map             = Kokkos::UnorderedMap<Triple, Triple, Kokkos::DefaultHostExecutionSpace>;
  constexpr int threads = 4, keys = 2000;
  int const rounds = Kokkos::Testing::is_thorough() ? 300 : 15;
  for (int round = 0; round < rounds; ++round) {
    Map map(2 * keys);
    std::atomic<int> ready{0};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&] {
        ++ready;
        while (ready < threads) std::this_thread::yield();
        for (int key = 0; key < keys; ++key) (void)map.insert(make_key<Triple>(key), Triple{key, 0, 0});
      });
    for (auto& thread : all) thread.join();
    ASSERT_EQ(map.size(), static_cast<unsigned>(keys));
    ASSERT_FALSE(map.failed_insert());
    int const capacity = static_cast<int>(map.capacity());
    for (int key = keys; key < capacity; ++key)
      ASSERT_TRUE(map.insert(make_key<Triple>(key), Triple{key, 0, 0}).success())
          << "element " << key << " of " << capacity;
    ASSERT_TRUE(map.insert(make_key<Triple>(capacity), Triple{}).failed());
    ASSERT_EQ(map.size(), map.capacity());
  }
}

// Two threads erase each key at the same time: one of them succeeds.
TEST(UnorderedMapHostTest, OneOfTwoThreadsErasesAKey) {
  int const keys = Kokkos::Testing::is_thorough() ? 200000 : 30000;
  Kokkos::UnorderedMap<int, int, Kokkos::DefaultHostExecutionSpace> map(static_cast<unsigned>(keys));
  for (int key = 0; key < keys; ++key) ASSERT_TRUE(map.insert(key, key).success()) << key;
  map.begin_erase();
  std::atomic<int> arrived{0}, erased{0};
  auto const erase_all = [&] {
    for (int key = 0; key < keys; ++key) {
      ++arrived;
      for (int i = 0; arrived < 2 * key + 2; ++i)
        if (i > 500) std::this_thread::yield();
      erased += map.erase(key) ? 1 : 0;
    }
  };
  std::thread other(erase_all);
  erase_all();
  other.join();
  map.end_erase();
  EXPECT_EQ(erased, keys);
  EXPECT_EQ(map.size(), 0u);
}

// The bits of a slot for an index: no index below the capacity looks like an empty or an erased slot.
TEST(UnorderedMapHostTest, EveryIndexHasBitsOfItsOwn) {
  for (int power = 0; power < 20; ++power) {
    for (std::size_t capacity : {(1u << power) - 1, 1u << power, (1u << power) + 1}) {
      std::uint32_t const mask = Kokkos::Impl::map_index_mask(capacity);
      EXPECT_EQ(mask & (mask + 1), 0u) << "not all of its bits are low";
      for (std::size_t index = 0; index < capacity;
           index += capacity < 100 || index + 3 >= capacity ? 1 : capacity - 3) {
        EXPECT_EQ(index & mask, index) << capacity;
        EXPECT_NE(index, mask) << "as in an empty slot, of " << capacity;
        EXPECT_NE(index, mask & Kokkos::Impl::erased_map_slot) << "as in an erased slot, of " << capacity;
      }
    }
  }
}

template <std::size_t N>
std::uint32_t hash_of_text(char const (&text)[N], std::uint32_t seed) {
  return Kokkos::Impl::murmur_hash<N - 1>(text, seed);
}

TEST(UnorderedMapHostTest, IsAllocatedOnceItHasACapacity) {
  Kokkos::UnorderedMap<int, int> const numbers(10);
  Kokkos::UnorderedMap<double, Kokkos::View<int*>> const objects(10);
  EXPECT_TRUE(numbers.is_allocated());
  EXPECT_TRUE(objects.is_allocated());
  Kokkos::UnorderedMap<int, int>::const_map_type const none;
  EXPECT_FALSE(none.is_allocated());
  EXPECT_FALSE(none.failed_insert() || none.erasable() || none.exists(3));
  Kokkos::UnorderedMap<Triple, int>::const_map_type const no_objects;
  EXPECT_FALSE(no_objects.is_allocated() || no_objects.failed_insert() || no_objects.exists(Triple{1, 2, 3}));
  EXPECT_EQ(no_objects.find(Triple{1, 2, 3}), Kokkos::UnorderedMapInvalidIndex);
  EXPECT_EQ(none.capacity(), 0u);
  EXPECT_EQ(none.size(), 0u);
}

// Known values of MurmurHash3, with whole words and with each rest.
TEST(UnorderedMapHostTest, HashesAreThoseOfMurmurHash3) {
  EXPECT_EQ(hash_of_text("test", 0), 0xba6bd213u);
  EXPECT_EQ(hash_of_text("aaaa", 0x9747b28c), 0x5a97808au);
  EXPECT_EQ(hash_of_text("aaa", 0x9747b28c), 0x283e0130u);
  EXPECT_EQ(hash_of_text("aa", 0x9747b28c), 0x5d211726u);
  EXPECT_EQ(hash_of_text("a", 0x9747b28c), 0x7fa09ea6u);
  EXPECT_EQ(hash_of_text("Hello, world!", 0x9747b28c), 0x24884cbau);
}

TEST(UnorderedMapHostTest, TooLargeACapacityIsRefused) {
  EXPECT_THROW((Kokkos::UnorderedMap<int, int>(4000000000u)), std::runtime_error);
}

}  // namespace
