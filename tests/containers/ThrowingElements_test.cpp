// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constructors of elements that throw, on host backends: the exception reaches the caller of whatever allocates the
/// elements, each element that existed is destroyed, and objects from before are unchanged.

#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_UnorderedMap.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include "TestSpaces.hpp"

namespace {

using Kokkos::view_alloc;

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An element whose default constructor throws in the calls from number `first_refused` on, for `refusals` calls. The
/// members are atomic, because the threads of a team construct elements.
struct Element {
  static inline std::atomic<long> alive{0}, calls{0}, first_refused{-1}, refusals{0};

  static void refuse(long from, long count) {
    calls         = 0;
    first_refused = from;
    refusals      = count;
  }
  static void refuse_none() { refuse(-1, 0); }

  Element() {
    long const call = calls++;
    if (call >= first_refused && call < first_refused + refusals) throw Refusal("no element");
    ++alive;
  }
  Element(Element const& other) : number(other.number) { ++alive; }
  Element& operator=(Element const&) = default;
  ~Element() { --alive; }

  int number = 7;
};

/// Calls `allocate(n)` for short and long views, which one thread or all threads construct, so that one element, or
/// several, or all are refused.
template <class Allocate>
void expect_all_or_none(char const* what, Allocate const& allocate) {
  for (std::size_t n : {1, 2, 10, 1023, 4096, 20000}) {
    long const size = static_cast<long>(n);
    for (long from : {0l, 1l, size / 2, size - 1}) {
      for (long count : {1l, 5l, size}) {
        long const before = Element::alive;
        Element::refuse(from < size ? from : 0, count);
        EXPECT_THROW(allocate(n), Refusal) << what << " of " << n << ", from " << from << ", " << count;
        Element::refuse_none();
        EXPECT_EQ(Element::alive, before) << what << " of " << n << ", from " << from << ", " << count;
      }
    }
  }
}

template <class Space>
class ThrowingElements : public testing::Test {};
TYPED_TEST_SUITE(ThrowingElements, Kokkos::Testing::HostSpaces, Kokkos::Testing::SpaceName);

template <class Space>
void views_and_containers() {
  using Memory = Kokkos::HostSpace;
  using View   = Kokkos::View<Element*, Space>;
  Space const exec{};
  expect_all_or_none("view", [](std::size_t n) { View("v", n); });
  expect_all_or_none("view of rank 2", [](std::size_t n) { Kokkos::View<Element* [1], Space>("v", n); });
  expect_all_or_none("view with an instance", [&](std::size_t n) { View(view_alloc(exec, "v"), n); });
  expect_all_or_none("sequential view", [](std::size_t n) { View(view_alloc("v", Kokkos::SequentialHostInit), n); });
  expect_all_or_none("DynRankView", [](std::size_t n) { Kokkos::DynRankView<Element, Space>("v", n); });
  expect_all_or_none("DualView", [](std::size_t n) { Kokkos::DualView<Element*, Space>("v", n); });
  expect_all_or_none("OffsetView", [](std::size_t n) {
    Kokkos::Experimental::OffsetView<Element*, Space>("v", {-1, static_cast<std::int64_t>(n) - 2});
  });
  expect_all_or_none("mirror", [](std::size_t n) {
    Kokkos::View<Element*, Memory, Kokkos::MemoryUnmanaged> const wrapped(nullptr, n);
    Kokkos::create_mirror(wrapped);
  });
  EXPECT_EQ(Element::alive, 0);
}
TYPED_TEST(ThrowingElements, AllExistOrNone) { views_and_containers<TypeParam>(); }

/// Records the threads that construct elements.
struct Recorded {
  static inline std::mutex mutex;
  static inline std::set<std::thread::id> threads;
  Recorded() {
    std::lock_guard const lock(mutex);
    threads.insert(std::this_thread::get_id());
  }
  Recorded(Recorded const&)            = default;
  Recorded& operator=(Recorded const&) = default;
  ~Recorded() {}  // so that those that exist must be destroyed if a later one throws
};

// An instance of one thread constructs elements by this thread, also if others could help.
TYPED_TEST(ThrowingElements, TheInstanceConstructsThem) {
  if constexpr (std::is_constructible_v<TypeParam, int>) {
    TypeParam const one(1);
    ASSERT_EQ(one.impl_concurrency(), 1);
    Recorded::threads.clear();
    Kokkos::View<Recorded*, TypeParam> const view(view_alloc(one, "v"), 30000);
    EXPECT_EQ(Recorded::threads, std::set{std::this_thread::get_id()});
  }
}

template <class Space>
void resized() {
  using View = Kokkos::View<Element*, Space>;
  View view("v", 3);
  view(1).number      = 5;
  Element* const data = view.data();
  for (std::size_t n : {4, 4096, 20000}) {
    for (long from : {0l, 3l, static_cast<long>(n) - 1}) {
      Element::refuse(from, 2);
      EXPECT_THROW(Kokkos::resize(view, n), Refusal) << n;
      Element::refuse(from, 2);
      EXPECT_THROW(Kokkos::resize(Space(), view, n), Refusal) << n;
      Element::refuse_none();
      EXPECT_EQ(Element::alive, 3) << n;
      EXPECT_TRUE(view.data() == data && view.extent(0) == 3 && view(1).number == 5) << n << ": the view has changed";
    }
  }
  Element::refuse(2000, 1);
  EXPECT_THROW(Kokkos::realloc(view, 4096), Refusal);
  Element::refuse_none();
  EXPECT_EQ(Element::alive, 0) << "realloc frees the elements first";
  EXPECT_FALSE(view.is_allocated());
  Kokkos::realloc(view, 4096);
  EXPECT_EQ(Element::alive, 4096) << "after an exception, the instance can be used";
  EXPECT_EQ(view(4095).number, 7);
}
TYPED_TEST(ThrowingElements, ResizeLeavesTheViewUnchanged) {
  resized<TypeParam>();
  EXPECT_EQ(Element::alive, 0);
}

template <class Space>
void map_with_throwing_values() {
  Kokkos::UnorderedMap<int, Element, Space> map(1);
  long const before = Element::alive;
  Element::refuse(40, 1);
  EXPECT_THROW((Kokkos::UnorderedMap<int, Element, Space>(5000)), Refusal);
  Element::refuse_none();
  EXPECT_EQ(Element::alive, before);
}
TYPED_TEST(ThrowingElements, MapWithThrowingValues) {
  map_with_throwing_values<TypeParam>();
  EXPECT_EQ(Element::alive, 0);
}

}  // namespace
