// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu isa not-optimised one-rocm
#include <TestSpaces.hpp>

#include <stdexcept>
#include <string>

namespace {

using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::View;
using Kokkos::view_alloc;

template <class Space>
class ViewConstructTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewConstructTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

using ViewConstructDeathTest = ::testing::Test;

/// Counts elements that differ from `value`.
template <class V, class T>
int unlike(V const& v, T value) {
  int result = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<typename V::execution_space>(0, v.extent(0)),
      KOKKOS_LAMBDA(std::size_t i, int& n) {
        if (!(v(i) == value)) ++n;
      },
      result);
  return result;
}

// Programs skip what is not allocated by `if (!v.data()) return;`, and mark the rest as modified.
template <class Space>
void check_allocated_without_elements() {
  View<int*, Space> none("none", 0), shrunk("shrunk", 4);
  View<double* [3], Space> const rows("rows", 0);
  View<double**, Space> const columns("columns", 5, 0);
  Kokkos::resize(shrunk, 0);
  EXPECT_NE(none.data(), nullptr);
  EXPECT_NE(shrunk.data(), nullptr);
  EXPECT_NE(rows.data(), nullptr);
  EXPECT_NE(columns.data(), nullptr);
  EXPECT_EQ(shrunk.size(), 0u);
  auto const mirror = Kokkos::create_mirror(columns);
  EXPECT_NE(mirror.data(), nullptr);
  Kokkos::deep_copy(mirror, columns);
  Kokkos::deep_copy(columns, mirror);
  Kokkos::deep_copy(columns, 1.0);
  Kokkos::resize(none, 2);
  Kokkos::deep_copy(none, 7);
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(HostSpace(), none)(1), 7);
}
TEST(ViewConstruct, WhatIsAllocatedWithoutElementsPointsSomewhere) {
  check_allocated_without_elements<HostSpace>();
  check_allocated_without_elements<Kokkos::DefaultExecutionSpace::memory_space>();
}

TEST(ViewConstruct, ByDefaultThereIsNothing) {
  View<double**> const v;
  EXPECT_EQ(v.data(), nullptr);
  EXPECT_FALSE(v.is_allocated());
  EXPECT_EQ(v.extent(0), 0u);
  EXPECT_EQ(v.use_count(), 0);
  EXPECT_EQ(v.label(), "");
}

TYPED_TEST(ViewConstructTest, LabelsOfEveryKind) {
  char const* const name = "pointer";
  EXPECT_EQ((View<int*, TypeParam>("literal", 3).label()), "literal");
  EXPECT_EQ((View<int*, TypeParam>(name, 3).label()), "pointer");
  EXPECT_EQ((View<int*, TypeParam>(std::string("text"), 3).label()), "text");
  EXPECT_EQ((View<int, TypeParam>("no extents").label()), "no extents");
  // A literal is a label even if it could be a pointer to elements.
  View<char*, TypeParam> const letters("letters", 3);
  EXPECT_EQ(letters.label(), "letters");
  EXPECT_EQ(letters.use_count(), 1);
}

/// Fills memory with nonzero bytes first, so a view that reuses it must have been initialized.
template <class Space>
void expect_zero() {
  constexpr int n = 100000;
  for (int repeat = 0; repeat < 3; ++repeat) {
    View<double*, Space> const v("v", n);
    EXPECT_EQ(unlike(v, 0.0), 0);
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { v(i) = i + 1; });
    Space().fence();
  }
  View<Kokkos::complex<float>*, Space> const z(view_alloc("z", Space()), n);
  Space().fence();
  EXPECT_EQ(unlike(z, Kokkos::complex<float>(0)), 0);
}

TYPED_TEST(ViewConstructTest, ElementsAreZero) { expect_zero<TypeParam>(); }

struct Seven {
  int value = 7;
  KOKKOS_FUNCTION friend bool operator==(Seven a, Seven b) { return a.value == b.value; }
};

template <class Space>
void expect_default_constructor() {
  EXPECT_EQ(unlike(View<Seven*, Space>("sevens", 5000), Seven()), 0);
  EXPECT_EQ(unlike(View<Seven*, Space>("few", 3), Seven()), 0);
}

TYPED_TEST(ViewConstructTest, ElementsAreDefaultConstructed) { expect_default_constructor<TypeParam>(); }

TYPED_TEST(ViewConstructTest, ExtentsFromTheTypeMayBeRepeated) {
  View<int* [3][4], TypeParam> const few("few", 2);
  View<int* [3][4], TypeParam> const all("all", 2, 3, 4);
  View<int* [3][4], LayoutLeft, TypeParam> const layout("layout", LayoutLeft(2));
  View<int* [3][4], LayoutLeft, TypeParam> const full("full", LayoutLeft(2, 3, 4));
  EXPECT_EQ(few.size(), 24u);
  EXPECT_EQ(all.size(), 24u);
  EXPECT_EQ(layout.size(), 24u);
  EXPECT_EQ(full.size(), 24u);
  static_assert(decltype(few)::static_extent(0) == 0 && decltype(few)::static_extent(2) == 4);
}

TYPED_TEST(ViewConstructTest, WithoutElementsThereIsAnAllocationAllTheSame) {
  View<int*, TypeParam> const v("empty", 0);
  EXPECT_TRUE(v.is_allocated());
  EXPECT_EQ(v.label(), "empty");
  EXPECT_EQ(v.use_count(), 1);
}

TYPED_TEST(ViewConstructTest, PropertiesInAnyOrder) {
  using Memory = typename TypeParam::memory_space;
  View<int*, TypeParam> const a(view_alloc(Kokkos::WithoutInitializing, "a"), 3);
  View<int*, TypeParam> const b(view_alloc(Memory(), std::string("b"), TypeParam(), Kokkos::AllowPadding), 3);
  View<int*, TypeParam> const c(view_alloc(), 3);
  View<int**, LayoutRight, TypeParam> const d(view_alloc("d", TypeParam()), LayoutRight(3, 4));
  EXPECT_EQ(a.label(), "a");
  EXPECT_EQ(b.label(), "b");
  EXPECT_EQ(c.label(), "");
  EXPECT_EQ(d.extent(1), 4u);
  EXPECT_EQ(c.use_count(), 1);
}

TEST(ViewConstruct, PropertiesAreSlots) {
  auto const p =
      view_alloc(Kokkos::DefaultHostExecutionSpace(), "x", Kokkos::WithoutInitializing, Kokkos::AllowPadding);
  using P = decltype(p);
  static_assert(P::has_label && P::has_execution_space && !P::has_memory_space && !P::has_pointer);
  static_assert(!P::initialize && P::allow_padding && !P::sequential_host_init);
  auto const q = Kokkos::Impl::with_default_properties(view_alloc(Kokkos::AllowPadding), "y", HostSpace());
  using Q      = decltype(q);
  static_assert(Q::has_label && Q::has_memory_space && Q::allow_padding && Q::initialize);
  EXPECT_EQ(q.get_label(), "y");
  EXPECT_EQ(Kokkos::Impl::with_default_properties(p, "z").get_label(), "x");
}

TYPED_TEST(ViewConstructTest, AllocationsOfOlderPrograms) {
  View<double*, TypeParam> const v(Kokkos::ViewAllocateWithoutInitializing("v"), 3);
  EXPECT_EQ(v.label(), "v");
  EXPECT_EQ(v.extent(0), 3u);
  View<float*, TypeParam> const w("w", 3);
  auto const common = Kokkos::common_view_alloc_prop(v, w);
  static_assert(std::is_same_v<typename decltype(common)::value_type, double>);
  View<double*, TypeParam> const u(view_alloc("u", common, Kokkos::WithoutInitializing), 4);
  EXPECT_EQ(u.label(), "u");
  EXPECT_EQ(u.extent(0), 4u);
}

/// Takes up to eight extents, like wrappers of views.
template <class V>
V with_default_extents(std::size_t n0 = KOKKOS_INVALID_INDEX, std::size_t n1 = KOKKOS_INVALID_INDEX,
                       std::size_t n2 = KOKKOS_INVALID_INDEX, std::size_t n3 = KOKKOS_INVALID_INDEX) {
  return V("v", n0, n1, n2, n3);
}

TYPED_TEST(ViewConstructTest, ExtentsThatAreNotGiven) {
  EXPECT_EQ((with_default_extents<View<int*, TypeParam>>(5).extent(0)), 5u);
  EXPECT_EQ((with_default_extents<View<int* [3], TypeParam>>(5).extent(1)), 3u);
  EXPECT_EQ((with_default_extents<View<int* [3], TypeParam>>(5, 3).extent(1)), 3u);
  EXPECT_EQ((with_default_extents<View<int[3], TypeParam>>().extent(0)), 3u);
  EXPECT_EQ((with_default_extents<View<int, TypeParam>>().size()), 1u);
}

TEST(ViewConstructDeathTest, MoreExtentsThanDimensions) {
  EXPECT_DEATH((View<int*>("v", 5, 6)), "given 2 extents; it must be given as many as there are dimensions, 1");
}

/// Like code for views of every rank.
template <class V>
V with_rows_and_columns() {
  if (V::rank() == 2) return V("v", 3, 4);
  return V("v", 3, 4, 5);
}

TEST(ViewConstruct, BranchesForOtherRanksCompile) {
  EXPECT_EQ((with_rows_and_columns<View<int**, HostSpace>>().extent(1)), 4u);
  EXPECT_EQ((with_rows_and_columns<View<int***, HostSpace>>().extent(2)), 5u);
}

TEST(ViewConstructDeathTest, FewerExtentsThanDimensions) {
  EXPECT_DEATH((View<int***>("v", 5, 6)), "given 2 extents; it must be given as many as there are dimensions, 3");
  EXPECT_DEATH((View<int*>("v")), "given 0 extents; it must be given as many as there are dimensions, 1");
}

TEST(ViewConstruct, ExtentsThatWereComputed) {
  EXPECT_EQ((View<int*, HostSpace>("v", 3.7).extent(0)), 3u);
  EXPECT_EQ((View<int*, HostSpace>::shmem_size(3.0)), (View<int*, HostSpace>::shmem_size(3)));
}

TEST(ViewConstruct, IndicesThatWereComputed) {
  View<int**, HostSpace> const v("v", 3, 4);
  v(1, 2) = 7;
  EXPECT_EQ(v(1.9, 2), 7);
  EXPECT_EQ(v(1, 2.f), 7);
}

TEST(ViewConstruct, FromANullPointerInAnySpelling) {
  EXPECT_EQ((View<int*, HostSpace>(nullptr, 3).data()), nullptr);
  EXPECT_EQ((View<int*, HostSpace>(NULL, 3).extent(0)), 3u);
  EXPECT_EQ((View<int*, HostSpace>(0, 3).extent(0)), 3u);
}

TEST(ViewConstruct, FromAPointer) {
  double data[12] = {};
  View<double**, LayoutRight, HostSpace> const v(data, 3, 4);
  v(1, 2) = 5;
  EXPECT_EQ(data[6], 5);
  EXPECT_EQ(v.use_count(), 0);
  EXPECT_EQ(v.label(), "");
  EXPECT_TRUE(v.is_allocated());
  View<double const[3][4], LayoutLeft, HostSpace> const fixed(data);
  EXPECT_EQ(&fixed(1, 2), data + 7);
  View<double*, LayoutStride, HostSpace> const strided(data, LayoutStride(4, 3));
  EXPECT_EQ(&strided(2), data + 6);
  View<double**, LayoutRight, HostSpace> const wrapped(Kokkos::view_wrap(data), 3, 4);
  EXPECT_EQ(&wrapped(2, 3), data + 11);
  View<double**, LayoutLeft, HostSpace> const layout(Kokkos::view_wrap(&data[0]), LayoutLeft(3, 4));
  EXPECT_EQ(&layout(2, 3), data + 11);
  View<double*, HostSpace> const none(nullptr, 0);
  EXPECT_FALSE(none.is_allocated());
  char buffer[4] = "abc";
  View<char*, HostSpace> const letters(buffer, 4);
  EXPECT_EQ(letters.data(), buffer);
}

TEST(ViewConstruct, AssignDataLetsGo) {
  int other[3] = {1, 2, 3};
  View<int*, HostSpace> v("v", 3);
  View<int*, HostSpace> const w = v;
  v.assign_data(other);
  EXPECT_EQ(v(2), 3);
  EXPECT_EQ(v.use_count(), 0);
  EXPECT_EQ(w.use_count(), 1);
}

// ---- elements with constructors and destructors --------------------------------------------------------------------

int alive = 0;

struct Counted {
  Counted() { __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED); }
  Counted(Counted const&) = delete;
  ~Counted() { __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED); }
};

TEST(ViewConstruct, ElementsAreDestroyedWithTheLastView) {
  {
    View<Counted*, HostSpace> v("v", 3000);
    EXPECT_EQ(alive, 3000);
    auto const part = Kokkos::subview(v, std::pair(1, 2));
    v               = {};
    EXPECT_EQ(alive, 3000);
  }
  EXPECT_EQ(alive, 0);
  {
    View<Counted**, HostSpace> const v(view_alloc("v", Kokkos::SequentialHostInit), 3, 5);
    EXPECT_EQ(alive, 15);
  }
  EXPECT_EQ(alive, 0);
}

TEST(ViewConstruct, WithoutInitializingNothingIsConstructed) {
  {
    View<Counted*, HostSpace> const v(view_alloc("v", Kokkos::WithoutInitializing), 10);
    EXPECT_EQ(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

struct NoDefault {
  explicit NoDefault(int v) : value(v) {}
  int value;
};

TEST(ViewConstruct, ElementsWithoutADefaultConstructor) {
  View<NoDefault*, HostSpace> const v(view_alloc("v", Kokkos::WithoutInitializing), 2);
  for (int i = 0; i < 2; ++i) new (&v(i)) NoDefault(i);
  EXPECT_EQ(v(1).value, 1);
}

struct ThrowsAtThree {
  ThrowsAtThree() {
    if (alive == 3) throw std::runtime_error("three");
    ++alive;
  }
  ~ThrowsAtThree() { --alive; }
};

TEST(ViewConstruct, AnExceptionUndoesWhatWasConstructed) {
  using V = View<ThrowsAtThree*, HostSpace>;
  EXPECT_THROW(V(view_alloc("v", Kokkos::SequentialHostInit), 5), std::runtime_error);
  EXPECT_EQ(alive, 0);
}

template <class Space>
void expect_view_of_views() {
  // The host creates the inner views, the kernel reads them.
  constexpr bool on_host = Kokkos::SpaceAccessibility<HostSpace, typename Space::memory_space>::accessible;
  using Shared           = std::conditional_t<on_host, typename Space::memory_space, Kokkos::SharedSpace>;
  using Inner            = View<int*, Shared>;
  using Outer            = View<Inner*, Shared>;
  Inner keep;
  {
    Outer const outer(view_alloc("outer", Kokkos::SequentialHostInit), 3);
    for (int k = 0; k < 3; ++k) outer(k) = Inner("inner " + std::to_string(k), k + 1);
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Space>(0, 3), KOKKOS_LAMBDA(int k) {
          for (int i = 0; i <= k; ++i) outer(k)(i) = 10 * k + i;
        });
    Space().fence();
    keep = outer(2);
    EXPECT_EQ(keep.use_count(), 2);
  }
  EXPECT_EQ(keep.use_count(), 1);
  EXPECT_EQ(keep.label(), "inner 2");
  EXPECT_EQ(keep(2), 22);
}

TYPED_TEST(ViewConstructTest, ViewOfViews) { expect_view_of_views<TypeParam>(); }

// ---- scratch memory ------------------------------------------------------------------------------------------------

TYPED_TEST(ViewConstructTest, FromScratchMemory) {
  using Scratch = typename TypeParam::scratch_memory_space;
  using Bytes   = View<char*, Scratch, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Numbers = View<double* [2], Scratch, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  struct alignas(64) Line {
    char bytes[64];
  };
  using Lines = View<Line*, Scratch>;

  std::size_t const size = Bytes::shmem_size(5) + Numbers::shmem_size(3) + Lines::shmem_size(2);
  EXPECT_GE(size, 5u + 48u + 128u);
  std::string memory(size + 8, '\0');
  Scratch const scratch(memory.data() + 1, size);
  Bytes const bytes(scratch, 5);
  Numbers const numbers(scratch, 3, 2);
  Lines const lines(scratch, typename Lines::array_layout(2));
  ASSERT_NE(lines.data(), nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % alignof(double), 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(lines.data()) % 64, 0u);
  EXPECT_GE(reinterpret_cast<char*>(numbers.data()), bytes.data() + 5);
  EXPECT_GE(static_cast<void*>(lines.data()), static_cast<void*>(numbers.data() + 6));
  EXPECT_LE(reinterpret_cast<char*>(lines.data() + 2), memory.data() + 1 + size);
  EXPECT_EQ(numbers.extent(1), 2u);
  EXPECT_EQ(lines.use_count(), 0);
  EXPECT_EQ(Numbers(scratch, 1000).data(), nullptr);
}

// ---- errors --------------------------------------------------------------------------------------------------------

TEST(ViewConstructDeathTest, NegativeExtents) {
  EXPECT_DEATH((View<int**, HostSpace>("grid", 3, -4)),
               "View \"grid\".*extents \\(3, -4\\); extent 1 is negative and must be 0 or more");
  EXPECT_DEATH((View<int***, HostSpace>("grid", 3u, std::size_t(4), -2l)), "\\(3, 4, -2\\); extent 2 is negative");
}

#ifndef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
// Kernels compute the extents of views that they then do not read. ViewBounds_test has the message of debug builds.
TEST(ViewConstruct, ANegativeExtentOfAPointerIsTakenAsItIs) {
  int x = 0;
  View<int*, HostSpace> const view(&x, -1);
  EXPECT_EQ(view.data(), &x);
  EXPECT_EQ(view.extent(0), static_cast<std::size_t>(-1));
}
#endif

TEST(ViewConstructDeathTest, ExtentsThatTheTypeContradicts) {
  EXPECT_DEATH((View<int* [3], HostSpace>("grid", 2, 4)),
               "View \"grid\".*extents \\(2, 4\\), but the data type fixes extent 1 to 3");
  int x[6];
  EXPECT_DEATH((View<int* [3], HostSpace>(x, 2, 2)), "fixes extent 1 to 3");
}

TEST(ViewConstructDeathTest, LayoutsOfAnotherRank) {
  EXPECT_DEATH((View<int**, LayoutLeft, HostSpace>("v", LayoutLeft(3))), "layout object that has 1 extents.* 2");
}

/// The layout with the extents 2, 3, then `rest`, and for LayoutStride the strides of LayoutLeft.
template <class Layout>
Layout filled_layout(std::size_t rest) {
  Layout layout(2, 3, rest, rest, rest, rest, rest, rest);
  return layout;
}
template <>
LayoutStride filled_layout<LayoutStride>(std::size_t rest) {
  return LayoutStride(2, 1, 3, 2, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest, rest);
}

/// The Fortran interface of Kokkos fills all eight pairs of a LayoutStride.
template <class Layout>
void expect_extents_beyond_the_rank_ignored() {
  for (std::size_t const rest : {std::size_t(0), std::size_t(1), std::size_t(7)}) {
    SCOPED_TRACE(rest);
    auto const layout = filled_layout<Layout>(rest);
    int x[6]          = {0, 1, 2, 3, 4, 5};
    View<int**, Layout, HostSpace, Kokkos::MemoryUnmanaged> const wrapped(x, layout);
    EXPECT_EQ(&wrapped(1, 2), &x[5]);
    using V = View<int**, Layout, HostSpace>;
    V v("v", layout);
    EXPECT_EQ(v.size(), 6u);
    EXPECT_EQ(v.span(), 6u);
    EXPECT_EQ(V::required_allocation_size(layout), sizeof(x));
    Kokkos::deep_copy(v, 4);
    auto larger         = layout;
    larger.dimension[1] = 4;
    Kokkos::resize(v, larger);
    EXPECT_EQ(v.extent(1), 4u);
    EXPECT_EQ(v(1, 2), 4);
    Kokkos::realloc(v, layout);
    EXPECT_EQ(v.extent(1), 3u);
    EXPECT_EQ(v(1, 2), 0);
    View<int* [3], Layout, HostSpace> const fixed("fixed", layout);
    EXPECT_EQ(fixed.extent(0), 2u);
  }
}

TEST(ViewConstruct, ExtentsOfALayoutBeyondTheRankAreIgnored) {
  expect_extents_beyond_the_rank_ignored<LayoutLeft>();
  expect_extents_beyond_the_rank_ignored<LayoutRight>();
  expect_extents_beyond_the_rank_ignored<LayoutStride>();
}

TEST(ViewConstruct, SizesBeyondTheAddressSpace) {
  std::size_t const n = std::size_t(1) << 33;
  try {
    View<double**, HostSpace> const v("huge", n, n);
    FAIL() << "a view of 2^69 bytes was allocated";
  } catch (std::runtime_error const& e) {
    EXPECT_NE(std::string(e.what()).find("(label=\"huge\") with extents (8589934592, 8589934592)"), std::string::npos)
        << e.what();
  }
  // Not mistaken for a negative number, because its type is unsigned.
  try {
    View<double*, HostSpace> const v("x", ~std::size_t(0) - 42);
    FAIL() << "a view of 2^64 - 43 elements was allocated";
  } catch (Kokkos::Experimental::RawMemoryAllocationFailure const& e) {
    std::string const message = e.what();
    EXPECT_NE(message.find("Host memory space failed to allocate"), std::string::npos) << message;
    EXPECT_NE(message.find("(label=\"x\") with extents (18446744073709551573) and elements of 8 bytes"),
              std::string::npos)
        << message;
  }
  // An overflow is irrelevant if there are no elements.
  View<double***, HostSpace> const none("none", n, n, 0);
  EXPECT_EQ(none.size(), 0u);
}

// ---- sizes that wrap around ----------------------------------------------------------------------------------------

/// A size that wraps around to a small number, by its extents or by its strides, in each layout.
template <class V>
struct WrappingSize {
  char const* what;
  typename V::array_layout layout;
};

template <class V>
void expect_refused(std::initializer_list<WrappingSize<V>> sizes) {
  using Failure = Kokkos::Experimental::RawMemoryAllocationFailure;
  for (auto const& size : sizes) {
    EXPECT_EQ(V::required_allocation_size(size.layout), ~std::size_t(0)) << size.what;
    EXPECT_EQ(V::shmem_size(size.layout), ~std::size_t(0)) << size.what;
    EXPECT_THROW(V("huge", size.layout), Failure) << size.what;
    EXPECT_THROW(V(view_alloc("huge", Kokkos::WithoutInitializing), size.layout), Failure) << size.what;
    V small;
    EXPECT_THROW(Kokkos::resize(small, size.layout), Failure) << size.what;
    EXPECT_THROW(Kokkos::realloc(small, size.layout), Failure) << size.what;
    // A mirror of a view that refers to too small memory.
    double element = 0;
    Kokkos::View<typename V::data_type, typename V::array_layout, HostSpace, Kokkos::MemoryUnmanaged> const wrapped(
        reinterpret_cast<typename V::pointer_type>(&element), size.layout);
    EXPECT_THROW(Kokkos::create_mirror(wrapped), Failure) << size.what;
  }
}

LayoutStride strided(std::size_t n0, std::size_t s0, std::size_t n1, std::size_t s1) {
  return LayoutStride(n0, s0, n1, s1);
}
template <class Layout>
Layout padded(std::size_t n0, std::size_t n1, std::size_t stride) {
  Layout layout(n0, n1);
  layout.stride = stride;
  return layout;
}

TEST(ViewConstruct, SizesThatWrapAroundAreRefused) {
  std::size_t const half = std::size_t(1) << 32, top = std::size_t(1) << 63;
  expect_refused<View<int**, LayoutLeft, HostSpace>>({{"elements", LayoutLeft(half, half)},
                                                      {"elements, to 2^32", LayoutLeft(half + 1, half)},
                                                      {"bytes", LayoutLeft(half, half / 4)},
                                                      {"padded rows", padded<LayoutLeft>(8, 257, top / 128)}});
  expect_refused<View<int**, LayoutRight, HostSpace>>({{"elements", LayoutRight(half, half)},
                                                       {"bytes", LayoutRight(half / 4, half)},
                                                       {"padded rows", padded<LayoutRight>(257, 8, top / 128)},
                                                       {"padded bytes", padded<LayoutRight>(129, 8, top / 256)}});
  expect_refused<View<char**, LayoutStride, HostSpace>>({{"product", strided(5, top / 2, 1, 1)},
                                                         {"sum", strided(3, top, 2, 1)},
                                                         {"sum of two", strided(2, top, 2, top)},
                                                         {"elements", strided(half, 1, half, half)}});
  expect_refused<View<int**, LayoutStride, HostSpace>>({{"bytes", strided(2, top / 2, 1, 1)}});
  std::size_t const extents[] = {half, half, 2};
  int const order[]           = {0, 1, 2};
  expect_refused<View<char***, LayoutStride, HostSpace>>(
      {{"strides that wrapped around", LayoutStride::order_dimensions(3, order, extents)}});
}

TEST(ViewConstruct, UnusedStridesMayBeLarge) {
  std::size_t const top = std::size_t(1) << 63;
  using V               = View<int**, LayoutStride, HostSpace>;
  EXPECT_EQ(V("one row", strided(1, top, 3, 2)).span(), 5u);
  EXPECT_EQ(V::required_allocation_size(strided(1, top, 3, 2)), 20u);
  EXPECT_EQ(V("no rows", strided(0, top, 3, top)).span(), 0u);
  EXPECT_EQ(V::required_allocation_size(strided(0, top, 3, top)), 0u);
  EXPECT_EQ((View<int**, LayoutRight, HostSpace>("one row", padded<LayoutRight>(1, 3, top)).span()), 3u);
}

TEST(ViewConstruct, TooLittleMemory) {
  std::size_t const n = std::size_t(1) << 50;
  try {
    View<double*, HostSpace> const v(view_alloc("petabytes", Kokkos::WithoutInitializing), n);
    FAIL() << "a view of 8 PiB was allocated";
  } catch (std::runtime_error const& e) {
    EXPECT_NE(std::string(e.what()).find("petabytes"), std::string::npos) << e.what();
  }
}

// ---- tools ---------------------------------------------------------------------------------------------------------

std::string events;

void log_begin(char const* name, std::uint32_t, std::uint64_t*) { events += std::string(name) + ";"; }
void log_fence(char const* name, std::uint32_t, std::uint64_t*) {
  if (std::string(name).find("Kokkos::View::") == 0) events += std::string(name) + ";";
}
void log_allocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  events += "+" + std::string(label) + " " + std::to_string(bytes) + ";";
}
void log_deallocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  events += "-" + std::string(label) + " " + std::to_string(bytes) + ";";
}

template <class Function>
std::string logged(Function const& function) {
  namespace Tools = Kokkos::Tools::Experimental;
  events.clear();
  Tools::set_begin_parallel_for_callback(log_begin);
  Tools::set_begin_fence_callback(log_fence);
  Tools::set_allocate_data_callback(log_allocation);
  Tools::set_deallocate_data_callback(log_deallocation);
  function();
  Tools::set_begin_parallel_for_callback(nullptr);
  Tools::set_begin_fence_callback(nullptr);
  Tools::set_allocate_data_callback(nullptr);
  Tools::set_deallocate_data_callback(nullptr);
  return events;
}

TYPED_TEST(ViewConstructTest, ToolsAreTold) {
  EXPECT_EQ(logged([] { View<int*, TypeParam>("a", 3); }),
            "+a 12;Kokkos::View::initialization [a];Kokkos::View::initialization fence [a];-a 12;");
  EXPECT_EQ(logged([] { View<int*, TypeParam>(view_alloc("b", TypeParam()), 3); }),
            "+b 12;Kokkos::View::initialization [b];-b 12;");
  EXPECT_EQ(logged([] { View<int*, TypeParam>(view_alloc("c", Kokkos::WithoutInitializing), 3); }), "+c 12;-c 12;");
}

}  // namespace
