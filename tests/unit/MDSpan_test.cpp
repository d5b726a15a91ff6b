// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised

// mdspan as in the C++ standard, and the conversions between views and mdspans.

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "TestSpaces.hpp"

namespace {

using Kokkos::dextents;
using Kokkos::dynamic_extent;
using Kokkos::extents;
using Kokkos::full_extent;
using Kokkos::layout_left;
using Kokkos::layout_right;
using Kokkos::layout_stride;
using Kokkos::mdspan;
using Kokkos::submdspan;
template <std::size_t P>
using left_padded = Kokkos::Experimental::layout_left_padded<P>;
template <std::size_t P>
using right_padded = Kokkos::Experimental::layout_right_padded<P>;

struct MDSpan : testing::Test {
  MDSpan() {
    for (int i = 0; i < 24; ++i) memory[i] = i;
  }
  double memory[24];
};

TEST_F(MDSpan, MacrosNameTheOperators) {
  mdspan<double, extents<int, 4, 6>> const m(memory);
#if MDSPAN_USE_BRACKET_OPERATOR
  EXPECT_EQ((m[1, 2]), 8);
#endif
#if MDSPAN_USE_PAREN_OPERATOR
  EXPECT_EQ(m(1, 2), 8);
  EXPECT_EQ(m(std::array{1, 2}), 8);
#else
#error "mdspan has the operator () with every compiler."
#endif
#ifndef MDSPAN_USE_BRACKET_OPERATOR
#error "MDSPAN_USE_BRACKET_OPERATOR is 1 or 0."
#endif
}

TEST_F(MDSpan, AtChecksItsIndices) {
  mdspan<double, dextents<int, 2>> const m(memory, 4, 6);
  EXPECT_EQ(m.at(3, 5), 23);
  EXPECT_EQ(m.at(std::array{1, 2}), 8);
  EXPECT_THROW(m.at(-1, 0), std::out_of_range);
  EXPECT_THROW(m.at(std::array{0, -1}), std::out_of_range);
  try {
    m.at(0, 6);
    ADD_FAILURE() << "Index 6 of 6 was accepted.";
  } catch (std::out_of_range const& error) {
    EXPECT_STREQ(error.what(),
                 "Kokkos::mdspan::at: index 6 of dimension 1 is out of bounds. It must be at least 0 and less than the "
                 "extent, 6.");
  }
}

TEST_F(MDSpan, ListsOfExtents) {
  using Kokkos::Experimental::Extents;
  static_assert(std::is_same_v<Kokkos::Experimental::dims<2>, dextents<std::size_t, 2>>);
  static_assert(std::is_same_v<Kokkos::Experimental::dims<2, int>, dextents<int, 2>>);
  static_assert(std::is_same_v<Kokkos::Experimental::PrependExtent<Extents<3, 4>, 2>::type, Extents<2, 3, 4>>);
  static_assert(std::is_same_v<Kokkos::Experimental::AppendExtent<Extents<3, 4>, 5>::type, Extents<3, 4, 5>>);
}

TEST_F(MDSpan, PaddedMappingsListTheirStrides) {
  left_padded<4>::mapping<dextents<int, 3>> const left(dextents<int, 3>(3, 2, 2));
  EXPECT_EQ(left.strides(), (std::array{1, 4, 8}));
  right_padded<4>::mapping<dextents<int, 3>> const right(dextents<int, 3>(2, 2, 3));
  EXPECT_EQ(right.strides(), (std::array{8, 4, 1}));
}

/// The observers of a mapping and of an mdspan with it, as one letter each.
template <class Mapping>
std::string observers(Mapping const& map) {
  std::string text;
  auto const add = [&](auto const& m) {
    for (bool const is : {m.is_unique(), m.is_strided(), m.is_exhaustive(), m.is_always_unique(), m.is_always_strided(),
                          m.is_always_exhaustive()})
      text += is ? 'y' : 'n';
  };
  add(map);
  text += ' ';
  add(mdspan<double, typename Mapping::extents_type, typename Mapping::layout_type>(nullptr, map));
  return text;
}

// In the order unique, strided, exhaustive, then always so.
TEST_F(MDSpan, EachMappingHasItsObservers) {
  using E = dextents<int, 2>;
  E const shape(4, 6);
  EXPECT_EQ(observers(layout_left::mapping<E>(shape)), "yyyyyy yyyyyy");
  EXPECT_EQ(observers(layout_right::mapping<E>(shape)), "yyyyyy yyyyyy");
  EXPECT_EQ(observers(left_padded<5>::mapping<E>(shape)), "yynyyn yynyyn");
  EXPECT_EQ(observers(left_padded<4>::mapping<E>(shape)), "yyyyyn yyyyyn");
  EXPECT_EQ(observers(right_padded<4>::mapping<E>(shape)), "yynyyn yynyyn");
  EXPECT_EQ(observers(right_padded<6>::mapping<E>(shape)), "yyyyyn yyyyyn");
  EXPECT_EQ(observers(layout_stride::mapping<E>(shape, std::array{6, 1})), "yyyyyn yyyyyn");
  EXPECT_EQ(observers(layout_stride::mapping<E>(shape, std::array{7, 1})), "yynyyn yynyyn");
}

TEST_F(MDSpan, AViewHasTheObserversOfItsMDSpan) {
  Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace> const columns(memory,
                                                                                Kokkos::LayoutStride(4, 6, 3, 1));
  EXPECT_FALSE(columns.is_exhaustive());
  EXPECT_TRUE((Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>(memory, 4, 6).is_exhaustive()));
  EXPECT_TRUE(columns.is_unique() && columns.is_strided() && columns.is_always_unique() && columns.is_always_strided());
  EXPECT_FALSE(columns.is_always_exhaustive());
  EXPECT_FALSE(columns.empty());
  EXPECT_TRUE((Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>(memory, 4, 0).empty()));
}

template <class Space>
using IntView = Kokkos::View<double, dextents<int, 2>, layout_right, Kokkos::Experimental::Accessor<double, Space>>;

TEST_F(MDSpan, AViewIsDeclaredByTheArgumentsOfMDSpan) {
  using V = IntView<Kokkos::HostSpace>;
  static_assert(std::is_same_v<V::index_type, int> && std::is_same_v<V::size_type, unsigned>);
  static_assert(std::is_same_v<V::extents_type, dextents<int, 2>> && std::is_same_v<V::layout_type, layout_right>);
  static_assert(std::is_same_v<V::mdspan_type, mdspan<double, dextents<int, 2>>>);
  static_assert(std::is_same_v<V::memory_space, Kokkos::HostSpace> && std::is_same_v<V::data_type, double**>);
  static_assert(std::is_same_v<Kokkos::View<double, V::extents_type, V::layout_type, V::accessor_type>, V>);
  V const v("v", 4, 6);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) v(i, j) = 6 * i + j;
  EXPECT_EQ(v.label(), "v");
  EXPECT_EQ(v.mapping()(2, 3), 15);
  EXPECT_EQ(v.extents(), (extents<int, 4, 6>()));
  EXPECT_EQ(v.to_mdspan().at(3, 5), 23);
  // Views of the other form and of other index types refer to the same elements, and own them.
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const stars = v;
  V const back                                                               = stars;
  EXPECT_EQ(back.data(), v.data());
  EXPECT_EQ(v.use_count(), 3);
  Kokkos::View<double const, extents<long, Kokkos::dynamic_extent, 6>, right_padded<Kokkos::dynamic_extent>,
               Kokkos::Experimental::Accessor<double const, Kokkos::HostSpace>> const reads = v;
  EXPECT_EQ(reads.static_extent(1), 6u);
  EXPECT_EQ(reads(3, 5), 23);
  // An mdspan of the same kind
  Kokkos::View<double, dextents<int, 2>, layout_left,
               Kokkos::Experimental::Accessor<double, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>> const
      wrapped = mdspan<double, dextents<int, 2>, layout_left>(memory, 3, 8);
  EXPECT_EQ(&wrapped(1, 2), memory + 7);
  V const owner(v.data_handle(), v.mapping());
  EXPECT_EQ(v.use_count(), 5);
  auto const row = Kokkos::subview(v, 1, Kokkos::ALL);
  EXPECT_EQ(row(2), 8);
  auto const mirror = Kokkos::create_mirror(v);
  Kokkos::deep_copy(mirror, v);
  EXPECT_EQ(mirror(3, 5), 23);
}

TEST_F(MDSpan, AViewWithoutPaddingHasNoMappingOfPaddedRows) {
  using V = IntView<Kokkos::HostSpace>;
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const whole(memory, 4, 6);
  V const v = Kokkos::subview(whole, Kokkos::ALL, std::pair(0, 3));
  EXPECT_EQ(&v(1, 2), memory + 8);
  EXPECT_EQ(v.extents(), (extents<int, 4, 3>()));
  EXPECT_DEATH(v.mapping(), "the rows of this view are padded");
}

TEST_F(MDSpan, ExtentsOfTheTypeAndAtRunTime) {
  extents<int, 4, dynamic_extent, 2> const e(7);
  EXPECT_EQ(e.extent(0), 4);
  EXPECT_EQ(e.extent(1), 7);
  EXPECT_EQ(e.extent(2), 2);
  EXPECT_EQ((extents<int, 4, dynamic_extent, 2>(4, 7, 2)), e);
  EXPECT_EQ((dextents<std::size_t, 3>(e)), e);
  EXPECT_FALSE((dextents<int, 2>(4, 7)) == e);
  EXPECT_FALSE((dextents<int, 3>(4, 7, 3)) == e);
  static_assert(decltype(e)::rank_dynamic() == 1);
  static_assert(sizeof(extents<int, 4, 5>) == 1, "Extents of the type take no room.");
  static_assert(std::is_same_v<decltype(extents(2, 3)), dextents<std::size_t, 2>>);
  static_assert(!std::is_convertible_v<dextents<int, 1>, extents<int, 3>>);
  static_assert(!std::is_constructible_v<extents<int, 4>, extents<int, 3>>);
}

TEST_F(MDSpan, LayoutsMapIndices) {
  mdspan<double, extents<int, 4, dynamic_extent>> const right(memory, 6);
  EXPECT_EQ(right(1, 2), 8);
  EXPECT_EQ(right.stride(0), 6);
  EXPECT_EQ(right.size(), 24u);
  EXPECT_EQ((right[std::array<int, 2>{3, 5}]), 23);
  mdspan<double, dextents<int, 2>, layout_left> const left(memory, 4, 6);
  EXPECT_EQ(left(1, 2), 9);
  EXPECT_EQ(left.stride(1), 4);
  mdspan<double, dextents<int, 3>> const three(memory, 2, 3, 4);
  EXPECT_EQ(three(1, 2, 3), 23);
  EXPECT_EQ(three(1, 0, 2), 14);
  mdspan<double, dextents<int, 2>, layout_stride> const strided(
      memory, layout_stride::mapping<dextents<int, 2>>(dextents<int, 2>(2, 3), std::array<int, 2>{12, 2}));
  EXPECT_EQ(strided(1, 2), 16);
  EXPECT_FALSE(strided.is_exhaustive());
  EXPECT_EQ(strided.mapping().required_span_size(), 17);
  EXPECT_EQ((mdspan<double, extents<int>>(memory))(), 0);
  EXPECT_TRUE((mdspan<double, dextents<int, 2>>(memory, 0, 3)).empty());
}

TEST_F(MDSpan, PaddedLayouts) {
  left_padded<4>::mapping<dextents<int, 2>> const left(dextents<int, 2>(3, 5));
  EXPECT_EQ(left.stride(1), 4);
  EXPECT_EQ(left(2, 1), 6);
  EXPECT_EQ(left.required_span_size(), 19);
  EXPECT_FALSE(left.is_exhaustive());
  right_padded<dynamic_extent>::mapping<dextents<int, 3>> const right(dextents<int, 3>(2, 2, 5), 8);
  EXPECT_EQ(right.stride(1), 8);
  EXPECT_EQ(right.stride(0), 16);
  EXPECT_EQ(right(1, 1, 4), 28);
  layout_stride::mapping<dextents<int, 2>> const same(left);
  EXPECT_EQ(same, left);
  // With one dimension, or none, the extents decide.
  using Right = Kokkos::layout_right;
  EXPECT_TRUE((Right::mapping<dextents<int, 1>>(dextents<int, 1>(3)) == Right::mapping<extents<int, 3>>()));
  EXPECT_FALSE((Right::mapping<dextents<int, 1>>(dextents<int, 1>(4)) == Right::mapping<extents<int, 3>>()));
  EXPECT_TRUE((Right::mapping<extents<int>>() == Right::mapping<extents<int>>()));
}

TEST_F(MDSpan, Conversions) {
  mdspan<double, dextents<int, 2>> const m(memory, 4, 6);
  mdspan<double const, dextents<std::size_t, 2>> const constant(m);
  EXPECT_EQ(constant(2, 1), 13);
  mdspan<double, dextents<int, 2>, layout_stride> const strided = m;
  EXPECT_EQ(strided(3, 5), 23);
  static_assert(!std::is_convertible_v<decltype(constant), decltype(m)>);
  static_assert(!std::is_constructible_v<decltype(m), decltype(constant)>);
}

TEST_F(MDSpan, Slices) {
  mdspan<double, extents<int, 4, dynamic_extent>> const m(memory, 6);
  auto const row = submdspan(m, 1, full_extent);
  EXPECT_EQ(row(3), 9);
  static_assert(std::is_same_v<decltype(row)::layout_type, layout_right>);
  auto const column = submdspan(m, full_extent, 2);
  EXPECT_EQ(column(3), 20);
  static_assert(decltype(column)::static_extent(0) == 4);
  static_assert(std::is_same_v<decltype(column)::layout_type, layout_stride>);
  auto const part = submdspan(m, std::pair{1, 3}, std::pair{2, 5});
  EXPECT_EQ(part.extent(0), 2);
  EXPECT_EQ(part.extent(1), 3);
  EXPECT_EQ(part(1, 2), 16);
  auto const every_second = submdspan(m, Kokkos::strided_slice<int, int, int>{0, 4, 2}, full_extent);
  EXPECT_EQ(every_second.extent(0), 2);
  EXPECT_EQ(every_second(1, 1), 13);
  EXPECT_EQ(submdspan(m, 3, 5)(), 23);
  EXPECT_EQ(submdspan(part, 1, full_extent)(0), 14);
}

TEST_F(MDSpan, OfViews) {
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> a("a", 3, 5);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) a(i, j) = 10 * i + j;
  auto const m = a.to_mdspan();
  static_assert(std::is_same_v<decltype(a)::mdspan_type, std::remove_const_t<decltype(m)>>);
  EXPECT_EQ(m.data_handle(), a.data());
  EXPECT_EQ(m(2, 3), 23);
  mdspan<double const, dextents<int, 2>, layout_stride> const strided = a;
  EXPECT_EQ(strided(1, 4), 14);
  Kokkos::View<double, Kokkos::HostSpace> scalar("scalar");
  scalar() = 4;
  EXPECT_EQ(scalar.to_mdspan()(), 4);

  // A padded view has a column stride larger than its extent.
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> b(Kokkos::view_alloc("b", Kokkos::AllowPadding), 100,
                                                                  4);
  auto const padded = b.to_mdspan();
  EXPECT_EQ(padded.stride(1), b.stride(1));
  EXPECT_GT(padded.stride(1), 100u);
  EXPECT_EQ(&padded(7, 2), &b(7, 2));
}

TEST_F(MDSpan, ToViews) {
  using Space = Kokkos::HostSpace;
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> b(Kokkos::view_alloc("b", Kokkos::AllowPadding), 100, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> const same(b.to_mdspan());
  EXPECT_EQ(same.stride(1), b.stride(1));
  EXPECT_EQ(&same(7, 2), &b(7, 2));
  EXPECT_EQ(same.use_count(), 0) << "an mdspan owns nothing";
  mdspan<double, dextents<int, 2>> const m(memory, 4, 6);
  Kokkos::View<double* [6], Kokkos::LayoutRight, Space> const fixed(m);
  EXPECT_EQ(fixed(1, 2), 8);
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::View<double**, Kokkos::LayoutStride, Space, Unmanaged> const strided(
      submdspan(m, std::pair{1, 3}, full_extent));
  EXPECT_EQ(strided(1, 0), 12);
  EXPECT_EQ(strided.stride(0), 6u);
  using Natural = Kokkos::View<double**, Kokkos::LayoutRight, Space>::mdspan_type;
  static_assert(std::is_convertible_v<Natural, Kokkos::View<double**, Kokkos::LayoutRight, Space, Unmanaged>>);
  static_assert(!std::is_convertible_v<Natural, Kokkos::View<double**, Kokkos::LayoutRight, Space>>);
  static_assert(!std::is_constructible_v<Kokkos::View<float**, Kokkos::LayoutRight, Space>, Natural>);
}

/// A view from the second row of another one on, by its handle and a mapping; YAKL makes views so.
template <class V>
V without_first_row(V const& v) {
  auto const handle = v.accessor().offset(v.data_handle(), v.stride(0));
  if constexpr (std::is_same_v<typename V::array_layout, Kokkos::LayoutStride>)
    return V(handle, typename V::mapping_type(typename V::extents_type(v.extent(0) - 1, v.extent(1)),
                                              std::array<std::size_t, 2>{v.stride(0), v.stride(1)}));
  else
    return V(handle, typename V::mapping_type(typename V::extents_type(v.extent(0) - 1, v.extent(1))));
}

TEST_F(MDSpan, HandleAndMappingMakeAView) {
  using V = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  V v("v", 3, 4);
  for (int i = 0; i < 12; ++i) v(i / 4, i % 4) = i;
  EXPECT_EQ(v.extents().extent(1), 4u);
  EXPECT_EQ(v.mapping()(2, 3), 11u);
  EXPECT_EQ(v.accessor().access(v.data_handle(), 5), 5);
  EXPECT_EQ(v.data_handle().get(), v.data());
  V rows                                                                  = without_first_row(v);
  Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace> strided = v;
  strided                                                                 = without_first_row(strided);
  EXPECT_EQ(v.use_count(), 3);
  Kokkos::View<double const**, Kokkos::LayoutRight, Kokkos::HostSpace> const constant(v.data_handle(), v.mapping());
  v = V();
  EXPECT_EQ(rows.use_count(), 3) << "the handle shares the ownership";
  EXPECT_EQ(rows(1, 3), 11);
  EXPECT_EQ(strided(0, 1), 5);
  EXPECT_EQ(constant(0, 1), 1);
  EXPECT_EQ(rows.extent(0), 2u);

  auto const owning = rows.to_mdspan(rows.accessor());
  EXPECT_EQ(rows.use_count(), 4) << "an mdspan with the view's accessor shares the ownership";
  V const again = owning;
  EXPECT_EQ(again(1, 3), 11);
  EXPECT_EQ(again.use_count(), 5);

  // A plain pointer owns nothing.
  V const wrapped(memory, V::mapping_type(V::extents_type(4, 6)));
  EXPECT_EQ(wrapped(3, 5), 23);
  EXPECT_EQ(wrapped.use_count(), 0);
}

TEST_F(MDSpan, HandleAndMappingOfOtherViews) {
  // Rows of a padded LayoutLeft keep their stride, and an unmanaged view has a pointer as its handle.
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> b(Kokkos::view_alloc("b", Kokkos::AllowPadding), 100,
                                                                  4);
  decltype(b) const same(b.data_handle(), b.mapping());
  EXPECT_EQ(&same(7, 2), &b(7, 2));
  EXPECT_EQ(same.use_count(), 2);
  using Unmanaged = Kokkos::View<double* [6], Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  static_assert(std::is_same_v<Unmanaged::data_handle_type, double*>);
  Unmanaged const u(memory, Unmanaged::mapping_type(Unmanaged::extents_type(4)));
  EXPECT_EQ(u.accessor().access(u.data_handle(), 9), 9);
  EXPECT_EQ(u.accessor().offset(u.data_handle(), 4), u.data() + 4);
  Kokkos::View<double, Kokkos::HostSpace> scalar("scalar");
  decltype(scalar) const one(scalar.data_handle(), scalar.mapping());
  EXPECT_EQ(one.use_count(), 2);
  Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Atomic>> const atomic(
      Kokkos::View<int*, Kokkos::HostSpace>("atomic", 3));
  atomic.accessor().access(atomic.data_handle(), 1) += 5;
  EXPECT_EQ(int(atomic(1)), 5);
}

template <class ExecSpace>
int differences_in_a_kernel() {
  Kokkos::View<int**, ExecSpace> v("v", 6, 4);
  auto const m = v.to_mdspan();
  Kokkos::parallel_for(
      Kokkos::RangePolicy<ExecSpace>(0, 6), KOKKOS_LAMBDA(int i) {
        auto const row = submdspan(m, i, full_extent);
        for (int j = 0; j < 4; ++j) row(j) = 10 * i + j;
      });
  int wrong = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<ExecSpace>(0, 24),
      KOKKOS_LAMBDA(int k, int& sum) {
        mdspan<int, dextents<int, 2>, layout_stride> const strided = v;
        sum += v(k / 4, k % 4) != 10 * (k / 4) + k % 4 || strided(k / 4, k % 4) != v(k / 4, k % 4);
      },
      wrong);
  return wrong;
}

template <class ExecSpace>
class MDSpanKernels : public testing::Test {};
TYPED_TEST_SUITE(MDSpanKernels, Kokkos::Testing::ExecutionSpaces);

TYPED_TEST(MDSpanKernels, AccessElements) { EXPECT_EQ(differences_in_a_kernel<TypeParam>(), 0); }

}  // namespace
