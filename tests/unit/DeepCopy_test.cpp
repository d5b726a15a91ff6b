// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu not-optimised
#include <TestElements.hpp>
#include <TestForeignSpace.hpp>
#include <TestSpaces.hpp>
#include <Thorough.hpp>

#include <cstring>
#include <string>
#include <vector>
#include <type_traits>

namespace {

using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::count_other_values;
using Kokkos::Testing::ForeignSpace;
using Kokkos::Testing::number_elements;
using Kokkos::Testing::route_calls;

template <class Space>
class DeepCopyTest : public ::testing::Test {};
TYPED_TEST_SUITE(DeepCopyTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

/// The message of the std::runtime_error that `call` throws.
template <class Call>
std::string error_of(Call const& call) {
  try {
    call();
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "no error";
}

template <class DataType, class Space, class... N>
void expect_copies(N... n) {
  Kokkos::View<DataType, Space> src("src", n...), dst("dst", n...), ordered("ordered", n...);
  number_elements(src, 5);
  Kokkos::deep_copy(dst, src);
  EXPECT_EQ(count_other_numbers(dst, 5), 0);
  Space const exec;
  Kokkos::deep_copy(exec, ordered, Kokkos::View<typename decltype(src)::const_data_type, Space>(src));
  exec.fence();
  EXPECT_EQ(count_other_numbers(ordered, 5), 0);
}

TYPED_TEST(DeepCopyTest, EveryRank) {
  expect_copies<int, TypeParam>();
  expect_copies<int*, TypeParam>(Kokkos::Testing::is_thorough() ? 100000 : 10007);
  expect_copies<double**, TypeParam>(60, 70);
  expect_copies<char***, TypeParam>(5, 6, 7);
  expect_copies<long*** [2], TypeParam>(5, 6, 7);
  expect_copies<int[3][4], TypeParam>();
  expect_copies<short********, TypeParam>(2, 3, 2, 3, 2, 3, 2, 3);
  expect_copies<Kokkos::complex<double>**, TypeParam>(8, 9);
}

template <class Space>
void expect_empty_copies() {
  Kokkos::View<int**, Space> a("a", 0, 5), b("b", 0, 5);
  EXPECT_NO_THROW(Kokkos::deep_copy(a, b));
  EXPECT_NO_THROW(Kokkos::deep_copy(a, 3));
  Kokkos::View<int*, Space> none, also_none;
  EXPECT_NO_THROW(Kokkos::deep_copy(none, also_none));
}

TYPED_TEST(DeepCopyTest, NoElements) { expect_empty_copies<TypeParam>(); }

template <class Space>
void expect_values() {
  Kokkos::View<double, Space> zero_rank("zero rank");
  Kokkos::deep_copy(zero_rank, 4);
  double value = 0;
  Kokkos::deep_copy(value, zero_rank);
  EXPECT_EQ(value, 4.0);
  Space const exec;
  Kokkos::deep_copy(exec, zero_rank, 5.5);
  Kokkos::deep_copy(exec, value, zero_rank);
  exec.fence();
  EXPECT_EQ(value, 5.5);
  Kokkos::View<int**, Space> matrix("matrix", 7, 9);
  number_elements(matrix);
  int element = 0;
  Kokkos::deep_copy(element, Kokkos::subview(matrix, 3, 4));
  EXPECT_EQ(element, 31);
}

TYPED_TEST(DeepCopyTest, ToAndFromOneValue) { expect_values<TypeParam>(); }

template <class Space, class T>
void expect_fill(int value) {
  Kokkos::View<T**, Space> v("v", Kokkos::Testing::is_thorough() ? 250 : 25, 130);
  Kokkos::deep_copy(v, T(value));
  EXPECT_EQ(count_other_values(v, value), 0);
  Kokkos::deep_copy(Space(), v, T(value + 1));
  Space().fence();
  EXPECT_EQ(count_other_values(v, value + 1), 0);
}

/// An element of a size that no integer has, with different bytes.
template <int Bytes>
struct Odd {
  unsigned char byte[Bytes];
  KOKKOS_FUNCTION Odd(int v = 0) {
    for (int i = 0; i < Bytes; ++i) byte[i] = static_cast<unsigned char>(v + i);
  }
  KOKKOS_FUNCTION friend bool operator==(Odd const& a, Odd const& b) {
    for (int i = 0; i < Bytes; ++i) {
      if (a.byte[i] != b.byte[i]) return false;
    }
    return true;
  }
};

TYPED_TEST(DeepCopyTest, FillsWithValuesOfEverySize) {
  expect_fill<TypeParam, char>(0);
  expect_fill<TypeParam, unsigned char>(255);
  expect_fill<TypeParam, short>(-1);
  expect_fill<TypeParam, short>(300);
  expect_fill<TypeParam, int>(0x01010101);
  expect_fill<TypeParam, float>(2);
  expect_fill<TypeParam, double>(0);
  expect_fill<TypeParam, double>(-7);
  expect_fill<TypeParam, Kokkos::complex<double>>(3);
  expect_fill<TypeParam, Odd<3>>(1);
  expect_fill<TypeParam, Odd<24>>(9);
  expect_fill<TypeParam, Odd<100>>(50);
}

/// Fills a part of every length up to 40 elements: no vector of elements may reach the neighbours.
template <class Space, class T>
void expect_neighbours_survive_fills() {
  Kokkos::View<T*, Space> v("v", 50);
  for (int n = 0; n <= 40; ++n) {
    Kokkos::deep_copy(v, T(3));
    auto const part = Kokkos::subview(v, std::pair(5, 5 + n));
    Kokkos::deep_copy(part, T(200));
    auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(here(i) == T(i >= 5 && i < 5 + n ? 200 : 3)) << i << " of " << n;
  }
}

TYPED_TEST(DeepCopyTest, FillsOnlyTheView) {
  expect_neighbours_survive_fills<TypeParam, unsigned char>();
  expect_neighbours_survive_fills<TypeParam, short>();
  expect_neighbours_survive_fills<TypeParam, float>();
  expect_neighbours_survive_fills<TypeParam, double>();
  expect_neighbours_survive_fills<TypeParam, Kokkos::complex<double>>();
  expect_neighbours_survive_fills<TypeParam, Odd<24>>();
}

TEST(DeepCopy, BytePatternsAreThoseWithEqualBytes) {
  auto is_pattern = [](auto value) { return Kokkos::Impl::is_byte_pattern(&value, sizeof value); };
  EXPECT_TRUE(is_pattern(0.0));
  EXPECT_FALSE(is_pattern(-0.0));
  EXPECT_TRUE(is_pattern(0x7f7f7f7f));
  EXPECT_FALSE(is_pattern(0x7f7f7f80));
  EXPECT_FALSE(is_pattern(short(256)));
  EXPECT_TRUE(is_pattern('x'));
}

TEST(DeepCopy, NegativeZeroIsNotZero) {
  Kokkos::View<double*, Kokkos::HostSpace> v("v", 10);
  Kokkos::deep_copy(v, -0.0);
  EXPECT_TRUE(std::signbit(v(7)));
}

template <class Space>
void expect_errors() {
  using Vector = Kokkos::View<int*, Space>;
  Vector a("first one", 10), b("second one", 12);
  std::string const mismatch = error_of([&] { Kokkos::deep_copy(a, b); });
  for (char const* word : {"first one", "second one", "(10)", "(12)"}) {
    EXPECT_NE(mismatch.find(word), std::string::npos) << mismatch;
  }
  Kokkos::View<int**, Space> m("m", 3, 4), n("n", 4, 3);
  std::string const matrices = error_of([&] { Kokkos::deep_copy(Space(), m, n); });
  EXPECT_NE(matrices.find("(3, 4)"), std::string::npos) << matrices;
  EXPECT_NE(matrices.find("(4, 3)"), std::string::npos) << matrices;

  Vector const front = Kokkos::subview(b, std::pair(0, 8)), back = Kokkos::subview(b, std::pair(4, 12));
  std::string const overlap = error_of([&] { Kokkos::deep_copy(front, back); });
  EXPECT_NE(overlap.find("overlap"), std::string::npos) << overlap;

  Kokkos::View<int[3], Space> nowhere;
  std::string const unallocated = error_of([&] { Kokkos::deep_copy(nowhere, 1); });
  EXPECT_NE(unallocated.find("no memory"), std::string::npos) << unallocated;
  Kokkos::View<int[3], Space> const somewhere("somewhere");  // either side may lack memory; both, and nothing is copied
  EXPECT_NE(error_of([&] { Kokkos::deep_copy(nowhere, somewhere); }).find("no memory"), std::string::npos);
  EXPECT_NE(error_of([&] { Kokkos::deep_copy(somewhere, nowhere); }).find("no memory"), std::string::npos);
  EXPECT_NE(error_of([&] { Kokkos::deep_copy(Space(), nowhere, somewhere); }).find("no memory"), std::string::npos);
  EXPECT_NE(error_of([&] { Kokkos::deep_copy(Space(), somewhere, nowhere); }).find("no memory"), std::string::npos);
  EXPECT_NO_THROW(Kokkos::deep_copy(nowhere, nowhere));
}

TYPED_TEST(DeepCopyTest, ErrorsSayWhatWasGiven) { expect_errors<TypeParam>(); }

template <class Space>
void expect_copy_to_itself_is_nothing() {
  Kokkos::View<int**, Space> v("v", 20, 30);
  number_elements(v);
  Kokkos::View<int const**, Space> same = v;
  EXPECT_NO_THROW(Kokkos::deep_copy(v, same));
  EXPECT_EQ(count_other_numbers(v), 0);
  auto const row = Kokkos::subview(v, 3, Kokkos::ALL);
  EXPECT_NO_THROW(Kokkos::deep_copy(row, Kokkos::subview(v, 3, Kokkos::ALL)));
}

TYPED_TEST(DeepCopyTest, ToItself) { expect_copy_to_itself_is_nothing<TypeParam>(); }

// A dimension with one element may have any stride; others have the same.
TEST(DeepCopy, ToItselfWithOtherStridesOfOneElement) {
  using Strided = Kokkos::View<int***, Kokkos::LayoutStride, Kokkos::HostSpace>;
  std::vector<int> memory(24);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<int>(i);
  std::size_t const extents[3] = {4, 1, 6};
  for (std::size_t one = 0; one < 3; ++one) {  // the dimension of one element
    std::size_t n[3], step[3], other[3];
    for (std::size_t r = 0, k = 0; r < 3; ++r) n[r] = r == one ? 1 : extents[2 * k++];
    std::size_t next = 1;
    for (std::size_t r = 0; r < 3; ++r) other[r] = step[r] = next, next *= n[r];
    for (std::size_t const stride : {1, 7, 24, 1000}) {
      other[one] = stride;
      Strided const a(memory.data(), Kokkos::LayoutStride(n[0], step[0], n[1], step[1], n[2], step[2]));
      Strided const b(memory.data(), Kokkos::LayoutStride(n[0], other[0], n[1], other[1], n[2], other[2]));
      EXPECT_NO_THROW(Kokkos::deep_copy(a, b)) << one << ", " << stride;
      EXPECT_NO_THROW(Kokkos::deep_copy(b, a)) << one << ", " << stride;
    }
  }
  for (std::size_t i = 0; i < memory.size(); ++i) EXPECT_EQ(memory[i], static_cast<int>(i));
}

// Adjacent elements do not overlap.
TEST(DeepCopy, ToTheNeighbourInTheSameView) {
  Kokkos::View<int*, Kokkos::HostSpace> const view("view", 12);
  auto const front = Kokkos::subview(view, std::pair(0, 6));
  auto const back  = Kokkos::subview(view, std::pair(6, 12));
  for (int i = 0; i < 6; ++i) front(i) = i;
  EXPECT_NO_THROW(Kokkos::deep_copy(back, front));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(back(i), i);
  for (int i = 0; i < 6; ++i) back(i) = 10 + i;
  EXPECT_NO_THROW(Kokkos::deep_copy(front, back));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(front(i), 10 + i);
  auto const across = Kokkos::subview(view, std::pair(5, 11));
  EXPECT_THROW(Kokkos::deep_copy(across, front), std::runtime_error);
}

// Small blocks of host memory are copied without a plan, if an instance is given: of one layout, up to a limit.
using HostInstance = Kokkos::DefaultHostExecutionSpace;

template <class Dst, class Src>
void expect_numbers_copied(Dst const& dst, Src const& src) {
  HostInstance const exec{};
  int number = 0;
  for (std::size_t i = 0; i < src.extent(0); ++i)
    for (std::size_t j = 0; j < src.extent(1); ++j) {
      src(i, j) = ++number;
      dst(i, j) = -1;
    }
  Kokkos::deep_copy(exec, dst, src);
  exec.fence();
  number = 0;
  for (std::size_t i = 0; i < src.extent(0); ++i)
    for (std::size_t j = 0; j < src.extent(1); ++j) ASSERT_EQ(dst(i, j), ++number) << i << ", " << j;
}

TEST(DeepCopy, SmallBlocksWithAnInstance) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight, Kokkos::LayoutStride;
  using Host   = Kokkos::HostSpace;
  using Left   = Kokkos::View<int**, LayoutLeft, Host>;
  using Right  = Kokkos::View<int**, LayoutRight, Host>;
  using Stride = Kokkos::View<int**, LayoutStride, Host>;
  expect_numbers_copied(Right("a", 3, 5), Right("b", 3, 5));
  expect_numbers_copied(Left("a", 3, 5), Left("b", 3, 5));
  expect_numbers_copied(Left("a", 3, 5), Right("b", 3, 5));
  Stride const by_columns("c", LayoutStride(3, 1, 5, 3)), by_rows("r", LayoutStride(3, 5, 5, 1));
  expect_numbers_copied(by_columns, by_rows);
  expect_numbers_copied(by_rows, by_columns);
  expect_numbers_copied(Left("a", 3, 5), by_rows);
  Right const wide("wide", 3, 8), other("other", 3, 8);
  auto const part = [](Right const& view, int begin) {
    return Kokkos::subview(view, Kokkos::ALL, std::pair(begin, begin + 5));
  };
  expect_numbers_copied(part(wide, 1), part(other, 2));
  expect_numbers_copied(part(wide, 1), Right("b", 3, 5));
  expect_numbers_copied(Right("b", 3, 5), part(other, 2));
  auto const column = [](Right const& view) { return Kokkos::subview(view, Kokkos::ALL, std::pair(7, 8)); };
  expect_numbers_copied(Right("b", 3, 1), column(other));
  expect_numbers_copied(column(wide), Right("b", 3, 1));
  EXPECT_EQ(wide(0, 0), 0);
  EXPECT_EQ(wide(2, 6), 0) << "only the part is written";
  // Lengths beside the one up to which one thread copies.
  std::size_t const limit = Kokkos::Impl::host_copy_policy.alone_bytes / sizeof(int);
  for (std::size_t n : {std::size_t(1), limit - 1, limit, limit + 1})
    expect_numbers_copied(Right("a", n, 1), Right("b", n, 1));
}

TEST(DeepCopy, ErrorsOfSmallBlocksWithAnInstance) {
  HostInstance const exec{};
  Kokkos::View<int*, Kokkos::HostSpace> const view("view", 12), shorter("shorter", 5), none;
  auto const front = Kokkos::subview(view, std::pair(0, 6)), across = Kokkos::subview(view, std::pair(5, 11));
  EXPECT_THROW(Kokkos::deep_copy(exec, across, front), std::runtime_error);
  EXPECT_THROW(Kokkos::deep_copy(exec, front, across), std::runtime_error);
  EXPECT_THROW(Kokkos::deep_copy(exec, front, shorter), std::runtime_error);
  Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const null(nullptr, 6);
  EXPECT_THROW(Kokkos::deep_copy(exec, front, null), std::runtime_error);
  EXPECT_NO_THROW(Kokkos::deep_copy(exec, front, front));
  EXPECT_NO_THROW(Kokkos::deep_copy(exec, none, none));
}

TEST(DeepCopy, ElementsThatAreNotBytesAreAssigned) {
  Kokkos::View<std::string*, Kokkos::HostSpace> words("words", 100), copies("copies", 100);
  Kokkos::deep_copy(words, "a string that is too long to be kept inside of the object");
  words(50) = "another one, no shorter than the first, at position fifty";
  Kokkos::deep_copy(copies, words);
  words(0)[0] = 'X';
  EXPECT_EQ(copies(0)[0], 'a');
  EXPECT_EQ(copies(50), words(50));
  std::string one;
  Kokkos::deep_copy(one, Kokkos::subview(copies, 50));
  EXPECT_EQ(one, words(50));
}

TEST(DeepCopy, ViewsAsElementsShareOwnership) {
  using Inner = Kokkos::View<int*, Kokkos::HostSpace>;
  Inner inner("inner", 3);
  Kokkos::View<Inner*, Kokkos::HostSpace> outer(Kokkos::view_alloc("outer", Kokkos::SequentialHostInit), 4),
      copy(Kokkos::view_alloc("copy", Kokkos::SequentialHostInit), 4);
  Kokkos::deep_copy(outer, inner);
  EXPECT_EQ(inner.use_count(), 5);
  Kokkos::deep_copy(copy, outer);
  EXPECT_EQ(inner.use_count(), 9);
}

// Programs place objects into memory of their own this way; there is nothing yet to assign to.
TEST(DeepCopy, MemoryThatHoldsNoElementsReceivesBytes) {
  using Inner = Kokkos::View<int*, Kokkos::HostSpace>;
  Inner inner("inner", 3);
  alignas(Inner) unsigned char memory[2 * sizeof(Inner)];
  std::memset(memory, 0xff, sizeof(memory));
  Kokkos::View<Inner*, Kokkos::HostSpace> const wrapped(reinterpret_cast<Inner*>(memory), 1);
  Kokkos::deep_copy(wrapped, Kokkos::View<Inner const*, Kokkos::HostSpace>(&inner, 1));
  EXPECT_EQ(wrapped(0).data(), inner.data());
  EXPECT_EQ(wrapped(0).extent(0), 3u);
  Kokkos::View<Inner*, Kokkos::HostSpace> const raw(Kokkos::view_alloc("raw", Kokkos::WithoutInitializing), 1);
  std::memset(static_cast<void*>(raw.data()), 0xff, sizeof(Inner));
  Kokkos::deep_copy(raw, Kokkos::View<Inner const*, Kokkos::HostSpace>(&inner, 1));
  EXPECT_EQ(raw(0).data(), inner.data());
  EXPECT_EQ(inner.use_count(), 1);
}

TEST(DeepCopy, ElementsThatAnUnmanagedViewBorrowsAreAssigned) {
  using Inner = Kokkos::View<int*, Kokkos::HostSpace>;
  Inner inner("inner", 3);
  Kokkos::View<Inner*, Kokkos::HostSpace> const owner(Kokkos::view_alloc("owner", Kokkos::SequentialHostInit), 1);
  Kokkos::View<Inner*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const alias = owner;
  Kokkos::deep_copy(alias, Kokkos::View<Inner const*, Kokkos::HostSpace>(&inner, 1));
  EXPECT_EQ(inner.use_count(), 2);
}

TEST(DeepCopy, BetweenMemoriesTheRouteMovesBytes) {
  Kokkos::View<int**, Kokkos::HostSpace> host("host", 30, 40), back("back", 30, 40);
  Kokkos::View<int**, ForeignSpace> foreign(Kokkos::view_alloc("foreign", Kokkos::WithoutInitializing), 30, 40);
  number_elements(host);
  route_calls().clear();
  Kokkos::deep_copy(foreign, host);
  Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), back, foreign);
  ASSERT_EQ(route_calls().size(), 2u);
  EXPECT_EQ(route_calls()[0].route, "foreign <- host");
  EXPECT_FALSE(route_calls()[0].in_instance);
  EXPECT_EQ(route_calls()[1].route, "host <- foreign");
  EXPECT_TRUE(route_calls()[1].in_instance);
  EXPECT_EQ(route_calls()[1].plan_rank, 0);
  EXPECT_EQ(route_calls()[1].bytes, 30 * 40 * sizeof(int));
  EXPECT_EQ(count_other_numbers(back), 0);
  Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), foreign, 17);
  Kokkos::deep_copy(back, foreign);
  EXPECT_EQ(count_other_values(back, 17), 0);
  EXPECT_EQ(route_calls()[2].route, "fill foreign");
  // A host pointer and a pointer into ForeignSpace are unrelated even if their addresses are equal.
  Kokkos::View<int**, ForeignSpace> alias(host.data(), 30, 40);
  route_calls().clear();
  Kokkos::deep_copy(host, alias);
  EXPECT_EQ(route_calls().size(), 1u);
}

// ---- reports to tools -----------------------------------------------------------------------------------------------

struct Reported {
  std::string dst_space, dst_label, src_space, src_label;
  std::uint64_t bytes = 0;
  int begun = 0, ended = 0;
} reported;

void on_begin(Kokkos_Profiling_SpaceHandle dst_space, char const* dst_label, void const*,
              Kokkos_Profiling_SpaceHandle src_space, char const* src_label, void const*, std::uint64_t bytes) {
  reported.dst_space = dst_space.name;
  reported.dst_label = dst_label;
  reported.src_space = src_space.name;
  reported.src_label = src_label;
  reported.bytes     = bytes;
  ++reported.begun;
}
void on_end() { ++reported.ended; }

TEST(DeepCopy, IsReportedToTools) {
  Kokkos::View<double*, Kokkos::HostSpace> a("destination", 100), b("source", 100);
  reported = {};
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(on_begin);
  Kokkos::Tools::Experimental::set_end_deep_copy_callback(on_end);
  Kokkos::deep_copy(a, b);
  EXPECT_EQ(reported.dst_space, "Host");
  EXPECT_EQ(reported.dst_label, "destination");
  EXPECT_EQ(reported.src_label, "source");
  EXPECT_EQ(reported.bytes, 800u);
  Kokkos::deep_copy(a, 1.0);
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(nullptr);
  Kokkos::Tools::Experimental::set_end_deep_copy_callback(nullptr);
  EXPECT_EQ(reported.begun, 2);
  EXPECT_EQ(reported.ended, 2);
}

TEST(DeepCopy, OfAViewWithoutMemoryToItself) {
  Kokkos::View<int, Kokkos::HostSpace> const a, b;
  Kokkos::deep_copy(a, a);
  Kokkos::deep_copy(a, b);
  EXPECT_EQ(a.data(), nullptr);
}

}  // namespace
