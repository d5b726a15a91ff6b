// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: team
/// \file
/// The common interface of execution spaces.

#include "TestSpaces.hpp"

#include <concepts>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace {

template <class Space>
class ExecutionSpaceTest : public ::testing::Test {};
TYPED_TEST_SUITE(ExecutionSpaceTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

TYPED_TEST(ExecutionSpaceTest, HasTheMembersOfTheConcept) {
  using S = TypeParam;
  static_assert(std::regular<S>);
  static_assert(std::is_same_v<typename S::execution_space, S>);
  static_assert(Kokkos::is_execution_space_v<S>);
  static_assert(Kokkos::is_execution_space<S>::value);
  static_assert(Kokkos::is_space<S>::value);
  static_assert(std::is_same_v<typename Kokkos::is_space<S>::execution_space, S>);
  static_assert(std::is_same_v<typename Kokkos::is_space<S const>::memory_space, typename S::memory_space>);
  static_assert(!Kokkos::is_memory_space_v<S>);
  static_assert(Kokkos::is_memory_space_v<typename S::memory_space>);
  static_assert(Kokkos::is_memory_space_v<typename S::scratch_memory_space>);
  static_assert(Kokkos::is_device_v<typename S::device_type>);
  static_assert(std::is_same_v<typename S::device_type::execution_space, S>);
  static_assert(Kokkos::is_array_layout_v<typename S::array_layout>);
  static_assert(std::is_unsigned_v<typename S::size_type> && std::is_integral_v<typename S::size_type>);
  static_assert(std::is_signed_v<typename S::index_type> && std::is_integral_v<typename S::index_type>);
  static_assert(Kokkos::SpaceAccessibility<S, typename S::memory_space>::accessible);
  static_assert(std::is_convertible_v<decltype(S().name()), char const*>);
  static_assert(std::is_same_v<decltype(S().concurrency()), int>);
}

// Before main().
template <class Space>
int const initialized_at_first = Space::impl_is_initialized();

TYPED_TEST(ExecutionSpaceTest, SaysWhetherItIsInitialized) {
  EXPECT_FALSE(initialized_at_first<TypeParam>);
  EXPECT_TRUE(TypeParam::impl_is_initialized());
}

TYPED_TEST(ExecutionSpaceTest, DefaultInstancesAreTheSame) {
  TypeParam a, b;
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a != b);
  EXPECT_EQ(a.impl_instance_id(), b.impl_instance_id());
  EXPECT_EQ(a.concurrency(), b.concurrency());
  EXPECT_GE(a.concurrency(), 1);
}

TYPED_TEST(ExecutionSpaceTest, CopiesAndAssignmentsStandForTheSameInstance) {
  TypeParam made = Kokkos::partition_space(TypeParam(), 1)[0];
  EXPECT_NE(made, TypeParam());
  TypeParam copy(made);
  EXPECT_EQ(copy, made);
  TypeParam assigned;
  assigned = made;
  EXPECT_EQ(assigned, made);
  TypeParam moved(std::move(copy));
  EXPECT_EQ(moved, made);
  copy = moved;
  EXPECT_EQ(copy, made);
  made = TypeParam();
  EXPECT_EQ(made, TypeParam());
  EXPECT_NE(copy, made);
}

TYPED_TEST(ExecutionSpaceTest, SaysItsName) {
  EXPECT_GT(std::string(TypeParam().name()).size(), 0u);
  EXPECT_STREQ(TypeParam().name(), TypeParam::name());
}

TYPED_TEST(ExecutionSpaceTest, PrintsItsConfiguration) {
  std::ostringstream brief, detailed;
  TypeParam().print_configuration(brief);
  TypeParam().print_configuration(detailed, true);
  EXPECT_NE(brief.str().find(TypeParam::name()), std::string::npos) << brief.str();
  EXPECT_NE(detailed.str().find(TypeParam::name()), std::string::npos) << detailed.str();
  EXPECT_GT(detailed.str().size(), brief.str().size());
  if constexpr (!std::is_same_v<typename TypeParam::memory_space, Kokkos::HostSpace>) {
    for (char const* fact : {"L2 cache: ", ", stream-ordered allocation: ",
                             "\n  staging buffer for copies of pageable memory: ", "\n  pool of device memory: "})
      EXPECT_NE(detailed.str().find(fact), std::string::npos) << fact << " is missing in\n" << detailed.str();
  }
}

TYPED_TEST(ExecutionSpaceTest, Fences) {
  TypeParam space;
  space.fence();
  space.fence("ExecutionSpaceTest");
  TypeParam::impl_static_fence("ExecutionSpaceTest");
  Kokkos::fence();
  Kokkos::fence("ExecutionSpaceTest");
}

TYPED_TEST(ExecutionSpaceTest, TellsToolsWhichInstanceItIs) {
  namespace Tools       = Kokkos::Tools::Experimental;
  TypeParam const other = Kokkos::partition_space(TypeParam(), 1)[0];
  auto const mine       = Tools::identifier_from_devid(Tools::device_id(TypeParam()));
  auto const others     = Tools::identifier_from_devid(Tools::device_id(other));
  EXPECT_EQ(mine.type, Tools::DeviceTypeTraits<TypeParam>::id);
  EXPECT_NE(mine.type, Tools::DeviceType::Unknown);
  EXPECT_EQ(others.type, mine.type);
  EXPECT_EQ(others.device_id, mine.device_id);
  EXPECT_NE(others.instance_id, mine.instance_id);
  EXPECT_NE(mine.instance_id, 0u);
}

TEST(DefaultExecutionSpaceTest, TheHostOneRunsOnTheHost) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  static_assert(Kokkos::SpaceAccessibility<Host, Kokkos::HostSpace>::accessible);
  EXPECT_EQ(Kokkos::num_threads(), Host().concurrency());
}

}  // namespace
