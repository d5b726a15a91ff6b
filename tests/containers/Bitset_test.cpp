// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Bitset.hpp>
#include <Kokkos_Functional.hpp>

#include "TestSpaces.hpp"

#include <stdexcept>

namespace {

template <class Space>
struct BitsetTest : ::testing::Test {};
TYPED_TEST_SUITE(BitsetTest, Kokkos::Testing::PatternSpaces, Kokkos::Testing::SpaceName);

template <class Bits>
struct SetAndReset {
  Bits bits;
  KOKKOS_FUNCTION void operator()(int i, unsigned& changed) const {
    // Each bit is set several times: only one call changes it.
    auto const bit = static_cast<unsigned>(i) % bits.size();
    if (bits.set(bit)) ++changed;
    if (bit % 3 == 0 && bits.reset(bit)) changed += 10000;
  }
};

template <class Bits>
struct CountSet {
  Bits bits;
  KOKKOS_FUNCTION void operator()(int i, unsigned& n) const { n += bits.test(static_cast<unsigned>(i)) ? 1 : 0; }
};

/// Each item takes a different bit, by searching from a hint that many items share.
template <class Bits>
struct TakeAny {
  Bits bits;
  bool set;
  KOKKOS_FUNCTION void operator()(int i, unsigned& taken) const {
    unsigned hint            = static_cast<unsigned>(i) / 16 * 16;
    auto const direction     = static_cast<unsigned>(i) % 4;
    unsigned const max_steps = 100 * bits.max_hint();
    for (unsigned step = 0; step < max_steps; ++step) {
      auto const found = set ? bits.find_any_unset_near(hint, direction) : bits.find_any_set_near(hint, direction);
      hint             = found.second;
      if (found.first && (set ? bits.set(hint) : bits.reset(hint))) {
        ++taken;
        return;
      }
    }
  }
};

template <class Space, class Functor>
unsigned count(int n, Functor const& functor) {
  unsigned result = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(0, n), functor, result);
  return result;
}

TYPED_TEST(BitsetTest, AllBits) {
  for (unsigned const n : {0u, 1u, 32u, 100u, 5000u}) {
    Kokkos::Bitset<TypeParam> bits(n);
    EXPECT_TRUE(bits.is_allocated());
    EXPECT_EQ(bits.count(), 0u);
    bits.set();
    EXPECT_EQ(bits.count(), n);
    Kokkos::ConstBitset<TypeParam> const same = bits;
    EXPECT_EQ(same.size(), n);
    EXPECT_EQ((count<TypeParam>(6000, CountSet<Kokkos::ConstBitset<TypeParam>>{same})), n);
    bits.clear();
    EXPECT_EQ(same.count(), 0u);
  }
  EXPECT_FALSE(Kokkos::Bitset<TypeParam>().is_allocated());
}

TYPED_TEST(BitsetTest, OneCallChangesABit) {
  Kokkos::Bitset<TypeParam> bits(Kokkos::view_alloc(TypeParam(), Kokkos::WithoutInitializing, "bits"), 1000);
  EXPECT_EQ(bits.count(), 0u);
  unsigned const changed = count<TypeParam>(1000, SetAndReset<Kokkos::Bitset<TypeParam>>{bits});
  EXPECT_EQ(changed, 334u * 10001u + 666u);
  // Two items for each bit, which may run at once: a third of the bits is set and reset once or twice, but equally often.
  unsigned const again = count<TypeParam>(2000, SetAndReset<Kokkos::Bitset<TypeParam>>{bits});
  EXPECT_EQ(again % 10001, 0u);
  EXPECT_GE(again / 10001, 334u);
  EXPECT_LE(again / 10001, 2 * 334u);
  EXPECT_EQ(bits.count(), 666u);
}

TYPED_TEST(BitsetTest, SearchesFindEveryBit) {
  Kokkos::Bitset<TypeParam> bits(1003);
  EXPECT_EQ((count<TypeParam>(1003, TakeAny<Kokkos::Bitset<TypeParam>>{bits, true})), 1003u);
  EXPECT_EQ(bits.count(), 1003u);
  EXPECT_EQ((count<TypeParam>(1, TakeAny<Kokkos::Bitset<TypeParam>>{bits, true})), 0u);
  EXPECT_EQ((count<TypeParam>(1003, TakeAny<Kokkos::Bitset<TypeParam>>{bits, false})), 1003u);
  EXPECT_EQ(bits.count(), 0u);
}

TYPED_TEST(BitsetTest, DeepCopy) {
  Kokkos::Bitset<TypeParam> a(100), b(100), wrong(99);
  Kokkos::Bitset<Kokkos::DefaultHostExecutionSpace> host(100);
  a.set();
  Kokkos::deep_copy(host, a);
  EXPECT_TRUE(host.test(99));
  EXPECT_FALSE(host.test(100));
  host.reset(5);
  Kokkos::deep_copy(TypeParam(), b, Kokkos::ConstBitset<Kokkos::DefaultHostExecutionSpace>(host));
  EXPECT_EQ(b.count(), 99u);
  EXPECT_THROW(Kokkos::deep_copy(wrong, a), std::runtime_error);
  EXPECT_THROW(Kokkos::deep_copy(TypeParam(), wrong, a), std::runtime_error);
  Kokkos::ConstBitset<TypeParam> const constant(a);
  EXPECT_THROW(Kokkos::deep_copy(wrong, constant), std::runtime_error);
  EXPECT_THROW(Kokkos::deep_copy(TypeParam(), wrong, constant), std::runtime_error);

  // Each of the functions copies every bit, and the source of each has other bits.
  auto const expect_copied = [](unsigned count, auto const& copy) {
    Kokkos::Bitset<TypeParam> to(100);
    copy(to);
    TypeParam().fence();
    EXPECT_EQ(to.count(), count);
  };
  expect_copied(99, [&](auto& to) { Kokkos::deep_copy(to, host); });
  expect_copied(100, [&](auto& to) { Kokkos::deep_copy(to, constant); });
  host.reset(6);
  expect_copied(98, [&](auto& to) { Kokkos::deep_copy(TypeParam(), to, host); });
  expect_copied(100, [&](auto& to) { Kokkos::deep_copy(TypeParam(), to, constant); });
}

// A search returns the nearest bit in its direction; if its block has none, it returns the next hint.
TEST(BitsetHostTest, DirectionsAndHints) {
  using Bits = Kokkos::Bitset<Kokkos::DefaultHostExecutionSpace>;
  Bits bits(96);
  bits.set(3);
  bits.set(20);
  EXPECT_EQ(bits.find_any_set_near(10), Kokkos::make_pair(true, 20u));
  EXPECT_EQ(bits.find_any_set_near(21), Kokkos::make_pair(true, 3u));
  EXPECT_EQ(bits.find_any_set_near(10, Bits::BIT_SCAN_REVERSE), Kokkos::make_pair(true, 3u));
  EXPECT_EQ(bits.find_any_set_near(2, Bits::BIT_SCAN_REVERSE), Kokkos::make_pair(true, 20u));
  EXPECT_EQ(bits.find_any_set_near(40), Kokkos::make_pair(false, 72u));
  EXPECT_EQ(bits.find_any_set_near(40, Bits::MOVE_HINT_BACKWARD), Kokkos::make_pair(false, 8u));
  EXPECT_EQ(bits.find_any_set_near(70), Kokkos::make_pair(false, 6u));
  EXPECT_EQ(bits.find_any_unset_near(20), Kokkos::make_pair(true, 21u));
}

// Reference values of MurmurHash3_x86_32.
TEST(FunctionalTest, HashesAndComparisons) {
  struct Word {
    char text[4];
  };
  struct Three {
    char text[3];
  };
  EXPECT_EQ(Kokkos::pod_hash<Word>()(Word{{'t', 'e', 's', 't'}}), 0xba6bd213u);
  EXPECT_EQ(Kokkos::pod_hash<Word>()(Word{{'t', 'e', 's', 't'}}, 0x9747b28cu), 0x704b81dcu);
  EXPECT_EQ(Kokkos::pod_hash<Three>()(Three{{'a', 'b', 'c'}}), 0xb3dd93fau);
  EXPECT_TRUE(Kokkos::pod_equal_to<Three>()(Three{{1, 2, 3}}, Three{{1, 2, 3}}));
  EXPECT_TRUE(Kokkos::pod_not_equal_to<Three>()(Three{{1, 2, 3}}, Three{{1, 2, 4}}));
  EXPECT_TRUE(Kokkos::less<int>()(1, 2) && Kokkos::less_equal<int>()(2, 2) && Kokkos::equal_to<int>()(2, 2));
  EXPECT_TRUE(Kokkos::greater<int>()(3, 2) && Kokkos::greater_equal<int>()(2, 2) && Kokkos::not_equal_to<int>()(1, 2));
}

// The last bit, those after it, and searches in blocks that are not there.
TEST(BitsetHostTest, LimitsAreExact) {
  using Bits = Kokkos::Bitset<Kokkos::DefaultHostExecutionSpace>;
  for (unsigned const n : {1u, 31u, 32u, 33u, 64u, 95u}) {
    Bits const bits(n);
    unsigned const blocks = (n + 31) / 32, last = 32 * (blocks - 1);
    EXPECT_EQ(bits.max_hint(), blocks);
    for (unsigned const beyond : {n, n + 1, 32 * blocks, ~0u})
      EXPECT_FALSE(bits.set(beyond) || bits.reset(beyond) || bits.test(beyond)) << beyond << " of " << n;
    EXPECT_EQ(bits.count(), 0u);
    EXPECT_TRUE(bits.set(n - 1) && bits.test(n - 1) && !bits.set(n - 1));
    EXPECT_EQ(bits.find_any_set_near(last), Kokkos::make_pair(true, n - 1));
    EXPECT_EQ(bits.find_any_set_near(last, Bits::BIT_SCAN_REVERSE), Kokkos::make_pair(true, n - 1));
    EXPECT_TRUE(bits.reset(n - 1) && !bits.test(n - 1) && !bits.reset(n - 1));
    EXPECT_EQ(bits.find_any_set_near(32 * blocks + 5), Kokkos::make_pair(false, blocks > 1 ? 32u + 5 : 5u));
    EXPECT_EQ(bits.find_any_set_near(5, Bits::MOVE_HINT_BACKWARD), Kokkos::make_pair(false, last + 5));
    EXPECT_EQ(bits.find_any_set_near(last + 5), Kokkos::make_pair(false, 5u));
  }
  EXPECT_EQ(Bits(0).find_any_set_near(7), Kokkos::make_pair(false, 0u));
  EXPECT_EQ(Bits(0).find_any_unset_near(7), Kokkos::make_pair(false, 0u));
}

}  // namespace
