// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu not-optimised
#include <TestElements.hpp>
#include <TestForeignSpace.hpp>
#include <TestSpaces.hpp>

#include <type_traits>

namespace {

using Kokkos::HostSpace;
using Kokkos::LayoutLeft;
using Kokkos::LayoutStride;
using Kokkos::Testing::count_other_numbers;
using Kokkos::Testing::ForeignSpace;
using Kokkos::Testing::number_elements;
using Kokkos::Testing::route_calls;

template <class Space>
class CreateMirrorTest : public ::testing::Test {};
TYPED_TEST_SUITE(CreateMirrorTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class A, class B>
constexpr bool same_memory_space = std::is_same_v<typename A::memory_space, typename B::memory_space>;

/// Whether a mirror has the shape of the view and the host can read it.
template <class Mirror, class ViewType>
void expect_host_mirror(Mirror const& mirror, ViewType const& view) {
  static_assert(std::is_same_v<Mirror, typename ViewType::host_mirror_type>);
  static_assert(Kokkos::SpaceAccessibility<HostSpace, typename Mirror::memory_space>::accessible);
  static_assert(std::is_same_v<typename Mirror::array_layout, typename ViewType::array_layout>);
  EXPECT_EQ(mirror.extent(0), view.extent(0));
  EXPECT_EQ(mirror.extent(1), view.extent(1));
}

/// ArborX copies views of such elements, which a kernel constructs, to the host.
struct NoDefaultConstructor {
  int value;
  KOKKOS_FUNCTION explicit NoDefaultConstructor(int v) : value(v) {}
  KOKKOS_FUNCTION ~NoDefaultConstructor() {}
};

template <class Space>
void expect_copies_of_elements_without_default_constructor() {
  int const n = 3;
  Kokkos::View<NoDefaultConstructor*, Space> const v(Kokkos::view_alloc("v", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { new (&v(i)) NoDefaultConstructor(10 + i); });
  auto const m = Kokkos::create_mirror_view_and_copy(HostSpace(), v);
  Kokkos::fence();
  for (int i = 0; i < n; ++i) EXPECT_EQ(m(i).value, 10 + i);
}

TYPED_TEST(CreateMirrorTest, CopiesElementsWithoutDefaultConstructor) {
  expect_copies_of_elements_without_default_constructor<TypeParam>();
}

/// Elements that a copy initialises before it assigns them.
struct Assigned {
  int value = 0;
  KOKKOS_FUNCTION Assigned() {}
  KOKKOS_FUNCTION Assigned(Assigned const& other) : value(other.value) {}
  KOKKOS_FUNCTION Assigned& operator=(Assigned const& other) {
    value = other.value;
    return *this;
  }
};

template <class Space>
void expect_label_of_a_copy() {
  Kokkos::View<int*, Space> const v("v", 3);
  Kokkos::deep_copy(v, 7);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::view_alloc("copy", HostSpace()), v);
  EXPECT_EQ(host(2), 7);
  EXPECT_EQ(host.label(), (same_memory_space<decltype(host), decltype(v)> ? "v" : "copy"));
  auto const foreign = Kokkos::create_mirror_view_and_copy(
      Kokkos::view_alloc(std::string("copy"), ForeignSpace(), Kokkos::DefaultHostExecutionSpace()), host);
  EXPECT_EQ(foreign.label(), "copy");
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(ForeignSpace(), host, "name").label(), "name");
  Kokkos::View<Assigned*, Space> const a("a", 3);
  auto const named = Kokkos::create_mirror_view_and_copy(HostSpace(), a, "name");
  EXPECT_EQ(named.label(), (same_memory_space<decltype(named), decltype(a)> ? "a" : "name"));
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(HostSpace(), a).label(), "a");
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(HostSpace(), v).label(), "v");
  // Elements that are initialised before the copy
  auto const initialised =
      Kokkos::create_mirror_view_and_copy(Kokkos::view_alloc("init", HostSpace(), Kokkos::SequentialHostInit), v);
  EXPECT_EQ(initialised.label(), (same_memory_space<decltype(initialised), decltype(v)> ? "v" : "init"));
  EXPECT_EQ(initialised(2), 7);
}

TYPED_TEST(CreateMirrorTest, ACopyMayHaveALabel) { expect_label_of_a_copy<TypeParam>(); }

template <class Space>
void expect_create_mirror_allocates() {
  Kokkos::View<int**, Space> v("v", 5, 6);
  auto const m = Kokkos::create_mirror(v);
  expect_host_mirror(m, v);
  EXPECT_NE(static_cast<void*>(m.data()), static_cast<void*>(v.data()));
  EXPECT_EQ(m.label(), "v_mirror");
  EXPECT_EQ(Kokkos::create_mirror(typename Space::memory_space(), m).label(), "v_mirror");
  auto const raw = Kokkos::create_mirror(Kokkos::WithoutInitializing, v);
  expect_host_mirror(raw, v);
  EXPECT_NE(raw.data(), m.data());
  auto const from_properties = Kokkos::create_mirror(Kokkos::view_alloc(Kokkos::WithoutInitializing), v);
  expect_host_mirror(from_properties, v);
  auto const in_space = Kokkos::create_mirror(Space(), v);
  static_assert(
      std::is_same_v<decltype(in_space), Kokkos::View<int**, typename decltype(v)::array_layout, Space> const>);
  EXPECT_NE(in_space.data(), v.data());
  auto const in_memory = Kokkos::create_mirror(Kokkos::WithoutInitializing, typename Space::memory_space(), v);
  static_assert(same_memory_space<decltype(in_memory), decltype(v)>);
  EXPECT_NE(in_memory.data(), v.data());
}

template <class Space>
void expect_mirror_views_share() {
  Kokkos::View<int**, Space> v("v", 5, 6);
  number_elements(v);
  auto const same = Kokkos::create_mirror_view(typename Space::memory_space(), v);
  static_assert(std::is_same_v<decltype(same), decltype(v) const>);
  EXPECT_EQ(same.data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view(Space(), v).data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view(Kokkos::WithoutInitializing, Space(), v).data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Space(), v).data(), v.data());
  auto const host = Kokkos::create_mirror_view(v);
  expect_host_mirror(host, v);
  constexpr bool on_host = Kokkos::SpaceAccessibility<HostSpace, typename Space::memory_space>::accessible;
  EXPECT_EQ(static_cast<void*>(host.data()) == v.data(), on_host);
  auto const raw = Kokkos::create_mirror_view(Kokkos::view_alloc(Kokkos::WithoutInitializing), v);
  expect_host_mirror(raw, v);
  auto const copied = Kokkos::create_mirror_view_and_copy(HostSpace(), v);
  EXPECT_EQ(copied(4, 5), 29);
  auto const for_host = Kokkos::create_mirror_view_and_copy(v);
  EXPECT_EQ(for_host(4, 5), 29);
}

TYPED_TEST(CreateMirrorTest, MirrorsHaveMemoryOfTheirOwn) { expect_create_mirror_allocates<TypeParam>(); }
TYPED_TEST(CreateMirrorTest, MirrorViewsShareWhereTheyCan) { expect_mirror_views_share<TypeParam>(); }

/// A Device in the place of the space stands for its memory space.
template <class Space>
void expect_mirrors_in_a_device() {
  using Memory  = typename Space::memory_space;
  using Device  = Kokkos::Device<Space, Memory>;
  using Foreign = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, ForeignSpace>;
  Kokkos::View<int*, Space> const v("v", 3);
  Kokkos::deep_copy(v, 7);
  auto const in_place = Kokkos::create_mirror_view(Device(), v);
  EXPECT_EQ(in_place.data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Device(), v).data(), v.data());
  EXPECT_EQ(Kokkos::create_mirror_view(Kokkos::WithoutInitializing, Device(), v).data(), v.data());
  auto const own  = Kokkos::create_mirror(Device(), v);
  auto const bare = Kokkos::create_mirror(Kokkos::WithoutInitializing, Device(), v);
  static_assert(same_memory_space<decltype(own), decltype(v)> && same_memory_space<decltype(bare), decltype(v)>);
  EXPECT_NE(own.data(), v.data());
  EXPECT_NE(bare.data(), v.data());

  auto const host    = Kokkos::create_mirror_view_and_copy(HostSpace(), v);
  auto const foreign = Kokkos::create_mirror_view_and_copy(Foreign(), host);
  static_assert(std::is_same_v<typename decltype(foreign)::memory_space, ForeignSpace>);
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(HostSpace(), foreign)(2), 7);
}

TYPED_TEST(CreateMirrorTest, ADeviceStandsForItsMemory) { expect_mirrors_in_a_device<TypeParam>(); }

TEST(CreateMirror, OfConstElementsIsWritable) {
  Kokkos::View<int*, HostSpace> v("v", 7);
  Kokkos::View<int const*, HostSpace> const c = v;
  auto const m                                = Kokkos::create_mirror_view(c);
  static_assert(!std::is_const_v<decltype(m)::value_type>);
  EXPECT_NE(m.data(), c.data());
  EXPECT_EQ(Kokkos::create_mirror_view(HostSpace(), c).data(), c.data());
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(HostSpace(), c).data(), c.data());
}

TEST(CreateMirror, KeepsLayoutAndStrides) {
  Kokkos::View<int*, HostSpace> memory("memory", 100);
  Kokkos::View<int**, LayoutStride, HostSpace> sparse(memory.data(), LayoutStride(4, 2, 5, 20));
  auto const m = Kokkos::create_mirror(sparse);
  EXPECT_EQ(m.stride(0), 2u);
  EXPECT_EQ(m.stride(1), 20u);
  Kokkos::View<int***, LayoutLeft, HostSpace> const whole("whole", 4, 5, 6);
  auto const part = Kokkos::create_mirror(Kokkos::subview(whole, Kokkos::ALL, 1, Kokkos::ALL));
  static_assert(std::is_same_v<decltype(part)::array_layout, LayoutLeft>);
  EXPECT_EQ(part.stride(1), 20u);
  EXPECT_EQ(part.span(), 5 * 20u + 4u);
  Kokkos::View<int** [3], LayoutLeft, HostSpace> left("left", 4, 5);
  auto const l = Kokkos::create_mirror(left);
  static_assert(std::is_same_v<decltype(l)::data_type, int** [3]>);
  static_assert(std::is_same_v<decltype(l)::array_layout, LayoutLeft>);
  EXPECT_EQ(l.extent(1), 5u);
}

/// Programs copy the span of a view to its mirror with functions of the vendor or of MPI: both need the same strides.
template <class Layout, class Space>
void expect_same_strides(Kokkos::View<double***, Layout, Space> const& v) {
  auto const expect_strides = [&](auto const& mirror) {
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(mirror.stride(i), v.stride(i)) << "dimension " << i;
    EXPECT_EQ(mirror.span(), v.span());
    EXPECT_EQ(mirror.size(), v.size());
  };
  expect_strides(Kokkos::create_mirror(v));
  expect_strides(Kokkos::create_mirror_view(v));
  expect_strides(Kokkos::create_mirror_view(Kokkos::WithoutInitializing, ForeignSpace(), v));
  auto const host = Kokkos::create_mirror_view_and_copy(HostSpace(), v);
  expect_strides(host);
  EXPECT_EQ(count_other_numbers(host), 0);
}

template <class Space, class Layout>
void expect_mirrors_of_padded_views() {
  Kokkos::View<double***, Layout, Space> const padded(Kokkos::view_alloc("padded", Kokkos::AllowPadding), 37, 5, 37);
  ASSERT_FALSE(padded.span_is_contiguous());
  number_elements(padded);
  expect_same_strides(padded);
}

TYPED_TEST(CreateMirrorTest, MirrorOfAPaddedViewIsPadded) {
  expect_mirrors_of_padded_views<TypeParam, LayoutLeft>();
  expect_mirrors_of_padded_views<TypeParam, Kokkos::LayoutRight>();
}

TEST(CreateMirror, OfAViewInAnotherMemory) {
  Kokkos::View<int**, HostSpace> origin("origin", 5, 6);
  number_elements(origin);
  auto const foreign = Kokkos::create_mirror_view_and_copy(ForeignSpace(), origin);
  static_assert(same_memory_space<decltype(foreign), Kokkos::View<int*, ForeignSpace>>);
  EXPECT_EQ(foreign.label(), "origin");
  EXPECT_NE(foreign.data(), origin.data());

  auto const host = Kokkos::create_mirror_view(foreign);
  static_assert(same_memory_space<decltype(host), decltype(origin)>);
  EXPECT_NE(host.data(), foreign.data());
  EXPECT_EQ(host.label(), "origin_mirror");
  Kokkos::deep_copy(host, foreign);
  EXPECT_EQ(count_other_numbers(host), 0);

  auto const named = Kokkos::create_mirror_view_and_copy(HostSpace(), foreign, "by name");
  EXPECT_EQ(named.label(), "by name");
  EXPECT_EQ(count_other_numbers(named), 0);
  EXPECT_EQ(count_other_numbers(Kokkos::create_mirror_view_and_copy(foreign)), 0);

  route_calls().clear();
  Kokkos::DefaultHostExecutionSpace const exec;
  auto const ordered = Kokkos::create_mirror_view_and_copy(Kokkos::view_alloc(exec, HostSpace()), foreign);
  ASSERT_EQ(route_calls().size(), 1u);
  EXPECT_TRUE(route_calls()[0].in_instance);
  EXPECT_EQ(count_other_numbers(ordered), 0);

  auto const in_foreign =
      Kokkos::create_mirror(Kokkos::view_alloc(ForeignSpace(), Kokkos::WithoutInitializing), origin);
  static_assert(same_memory_space<decltype(in_foreign), decltype(foreign)>);
  auto const view_in_foreign = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, ForeignSpace(), origin);
  static_assert(same_memory_space<decltype(view_in_foreign), decltype(foreign)>);
  EXPECT_NE(view_in_foreign.data(), origin.data());
}

}  // namespace
