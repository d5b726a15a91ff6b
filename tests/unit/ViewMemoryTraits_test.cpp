// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestSpaces.hpp>

#include <type_traits>

namespace {

using Kokkos::HostSpace;
using Kokkos::MemoryTraits;
using Kokkos::View;

using All =
    MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess | Kokkos::Atomic | Kokkos::Restrict | Kokkos::Aligned>;
static_assert(All::is_unmanaged && All::is_random_access && All::is_atomic && All::is_restrict && All::is_aligned);
static_assert(!MemoryTraits<>::is_unmanaged && !MemoryTraits<>::is_random_access && !MemoryTraits<>::is_atomic &&
              !MemoryTraits<>::is_restrict && !MemoryTraits<>::is_aligned);
static_assert(std::is_same_v<Kokkos::MemoryManaged, MemoryTraits<>>);
static_assert(Kokkos::MemoryUnmanaged::is_unmanaged && !Kokkos::MemoryRandomAccess::is_unmanaged);
static_assert(Kokkos::MemoryRandomAccess::is_random_access);
static_assert(Kokkos::is_memory_traits_v<All>);

template <unsigned Flags>
using With = View<int*, HostSpace, MemoryTraits<Flags>>;
static_assert(With<0>::reference_type_is_lvalue_reference &&
              With<Kokkos::Restrict>::reference_type_is_lvalue_reference);
static_assert(std::is_same_v<With<Kokkos::Aligned>::reference_type, int&>);
static_assert(!With<Kokkos::Atomic>::reference_type_is_lvalue_reference);
// Read-only elements need no atomic reference.
static_assert(std::is_same_v<View<int const*, HostSpace, MemoryTraits<Kokkos::Atomic>>::reference_type, int const&>);

template <class Space>
class ViewMemoryTraitsTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewMemoryTraitsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

using ViewMemoryTraitsDeathTest = ::testing::Test;

/// Every kind of access refers to the same elements.
template <class Space, unsigned Flags>
void expect_sum() {
  View<int**, Space> const a("a", 100, 8);
  View<int**, Space, MemoryTraits<Flags>> const b = a;
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, 100), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < 8; ++j) b(i, j) = i + j;
      });
  int errors = -1;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Space>(0, 100),
      KOKKOS_LAMBDA(int i, int& e) {
        for (int j = 0; j < 8; ++j)
          if (a(i, j) != i + j || b(i, j) != i + j) ++e;
      },
      errors);
  EXPECT_EQ(errors, 0) << "memory traits " << Flags;
}

TYPED_TEST(ViewMemoryTraitsTest, SameElements) {
  expect_sum<TypeParam, 0>();
  expect_sum<TypeParam, Kokkos::Unmanaged>();
  expect_sum<TypeParam, Kokkos::RandomAccess>();
  expect_sum<TypeParam, Kokkos::Atomic>();
  expect_sum<TypeParam, Kokkos::Restrict>();
  expect_sum<TypeParam, Kokkos::Aligned>();
  expect_sum<TypeParam, Kokkos::Restrict | Kokkos::Aligned | Kokkos::RandomAccess | Kokkos::Unmanaged>();
}

TYPED_TEST(ViewMemoryTraitsTest, AllocationsAreAligned) {
  for (int n = 1; n < 200; n += 7) {
    View<char*, TypeParam> const v("v", n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % 64, 0u);
  }
}

/// A subview keeps the promises of its parent, except for the alignment of the first element.
TEST(ViewMemoryTraits, Subviews) {
  View<int**, HostSpace, MemoryTraits<Kokkos::Atomic | Kokkos::Aligned>> const v("v", 4, 4);
  auto const s = Kokkos::subview(v, 1, Kokkos::ALL);
  using Traits = decltype(s)::memory_traits;
  static_assert(Traits::is_atomic && !Traits::is_aligned);
  s(1) += 3;
  EXPECT_EQ(v(1, 1), 3);
}

TEST(ViewMemoryTraitsDeathTest, AlignedViewsOfMisalignedElements) {
  View<int*, HostSpace> const v("v", 40);
  auto const odd = Kokkos::subview(v, std::pair(1, 40));
  EXPECT_DEATH((With<Kokkos::Aligned>(odd)), "View \"v\".*Aligned memory trait.*not a multiple of 64");
  EXPECT_FALSE(Kokkos::is_assignable(With<Kokkos::Aligned>(), odd));
  auto const line = Kokkos::subview(v, std::pair(16, 40));
  EXPECT_TRUE(Kokkos::is_assignable(With<Kokkos::Aligned>(), line));
  EXPECT_EQ(With<Kokkos::Aligned>(line).extent(0), 24u);
}

TEST(ViewMemoryTraits, AlignedViewsOfAnyPointer) {
  View<int*, HostSpace> const v("v", 40);
  With<Kokkos::Aligned> const odd(v.data() + 1, 37);
  for (int i = 0; i < 37; ++i) odd(i) = i;
  EXPECT_EQ(v(37), 36);
}

}  // namespace
