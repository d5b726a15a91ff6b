// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions whose result is a view: in the space of the kernel, on the host, managed and unmanaged.

#include "PatternTest.hpp"

#include <type_traits>

namespace {

using Kokkos::Testing::on_host;

template <class Space>
class ReduceViewTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReduceViewTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

struct SumOfIndices {
  KOKKOS_FUNCTION void operator()(int i, long& update) const { update += i; }
};
struct LargestIndex {
  KOKKOS_FUNCTION void operator()(int i, int& update) const { update = i > update ? i : update; }
};

template <class Space, class View>
void sum_to(View const& result) {
  Space const space;
  Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<Space>(space, 0, 100), SumOfIndices{}, result);
  space.fence();
  EXPECT_EQ(on_host(result)(), 4950);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 0), SumOfIndices{}, result);
  space.fence();
  EXPECT_EQ(on_host(result)(), 0);
}

TYPED_TEST(ReduceViewTest, InEverySpace) {
  using Memory = typename TypeParam::memory_space;
  sum_to<TypeParam>(Kokkos::View<long, TypeParam>("result"));
  sum_to<TypeParam>(Kokkos::View<long, Memory>("result"));
  sum_to<TypeParam>(Kokkos::View<long, Kokkos::HostSpace>("result"));
  sum_to<TypeParam>(Kokkos::View<long, Kokkos::LayoutLeft, Memory>("result"));
  long variable = 7;
  sum_to<TypeParam>(Kokkos::View<long, Kokkos::HostSpace>(&variable));
  sum_to<TypeParam>(Kokkos::View<long, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&variable));
  EXPECT_EQ(variable, 0);
}

TYPED_TEST(ReduceViewTest, ATemporaryView) {
  Kokkos::View<long, TypeParam> result("result");
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), SumOfIndices{}, Kokkos::View<long, TypeParam>(result));
  Kokkos::fence();
  EXPECT_EQ(on_host(result)(), 45);
}

TYPED_TEST(ReduceViewTest, ASubviewOfTheResult) {
  Kokkos::View<long*, TypeParam> results("results", 5);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<TypeParam>(0, 10), SumOfIndices{}, Kokkos::subview(results, 3));
  Kokkos::fence();
  auto const host = on_host(results);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(host(i), i == 3 ? 45 : 0);
}

template <class Space, class Memory>
void reducer_on_view() {
  Space const space;
  Kokkos::View<int, Memory> result("result");
  Kokkos::Max<int, Memory> reducer(result);
  EXPECT_FALSE(reducer.references_scalar());
  EXPECT_EQ(reducer.view().data(), result.data());
  EXPECT_EQ(&reducer.reference(), result.data());
  Kokkos::parallel_reduce("max", Kokkos::RangePolicy<Space>(space, 0, 100), LargestIndex{}, reducer);
  space.fence();
  EXPECT_EQ(on_host(result)(), 99);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 50), LargestIndex{}, Kokkos::Max<int, Memory>(result));
  space.fence();
  EXPECT_EQ(on_host(result)(), 49);
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space>(space, 0, 25), LargestIndex{}, Kokkos::Max(result));
  space.fence();
  EXPECT_EQ(on_host(result)(), 24);
}

TYPED_TEST(ReduceViewTest, ReducersOnViews) {
  reducer_on_view<TypeParam, typename TypeParam::memory_space>();
  reducer_on_view<TypeParam, Kokkos::HostSpace>();
}

// The result of one kernel is the input of the next, without a fence between them.
template <class Space>
void chain() {
  Space const space;
  Kokkos::View<long, Space> sum("sum");
  Kokkos::View<long*, Space> x("x", 100);
  Kokkos::RangePolicy<Space> const policy(space, 0, 100);
  Kokkos::parallel_reduce(policy, SumOfIndices{}, sum);
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(int i) { x(i) = sum() + i; });
  long total = 0;
  Kokkos::parallel_reduce(policy, KOKKOS_LAMBDA(int i, long& update) { update += x(i); }, total);
  EXPECT_EQ(total, 100 * 4950 + 4950);
}

TYPED_TEST(ReduceViewTest, FeedsTheNextKernel) { chain<TypeParam>(); }

}  // namespace
