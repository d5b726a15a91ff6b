// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised
#include <TestSpaces.hpp>

#include <type_traits>

namespace {

using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
using Kokkos::MemoryTraits;
using Kokkos::View;
using std::is_same_v;

// ---- the data type -------------------------------------------------------------------------------------------------

template <class DataType, class Value, std::size_t Rank, std::size_t Dynamic, std::size_t... Static>
constexpr bool data_type_is() {
  using V                       = View<DataType>;
  constexpr std::size_t fixed[] = {Static..., 0};
  bool same = is_same_v<typename V::value_type, Value> && V::rank == Rank && V::rank_dynamic == Dynamic &&
              V::rank() == Rank && V::rank_dynamic() == Dynamic;
  for (std::size_t r = 0; r < Rank; ++r) same = same && V::static_extent(r) == (r < Dynamic ? 0 : fixed[r - Dynamic]);
  return same;
}

static_assert(data_type_is<int, int, 0, 0>());
static_assert(data_type_is<int*, int, 1, 1>());
static_assert(data_type_is<int[7], int, 1, 0, 7>());
static_assert(data_type_is<double const** [3], double const, 3, 2, 3>());
static_assert(data_type_is<double*** [5][4], double, 5, 3, 5, 4>());
static_assert(data_type_is<float[6][2], float, 2, 0, 6, 2>());
static_assert(data_type_is<char********, char, 8, 8>());
static_assert(data_type_is<char[1][2][3][4][5][6][7][8], char, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8>());
static_assert(data_type_is<View<int*>*, View<int*>, 1, 1>());

static_assert(is_same_v<View<double** [3]>::const_data_type, double const** [3]>);
static_assert(is_same_v<View<double const** [3][4]>::non_const_data_type, double** [3][4]>);
static_assert(is_same_v<View<double const** [3][4]>::const_data_type, double const** [3][4]>);
static_assert(is_same_v<View<int const*>::non_const_value_type, int>);
static_assert(is_same_v<View<int*>::const_value_type, int const>);
static_assert(is_same_v<View<int**>::pointer_type, int*>);
static_assert(is_same_v<View<int const**>::reference_type, int const&>);

// ---- properties ----------------------------------------------------------------------------------------------------

using Default = Kokkos::DefaultExecutionSpace;

static_assert(is_same_v<View<int*>::execution_space, Default>);
static_assert(is_same_v<View<int*>::memory_space, Default::memory_space>);
static_assert(is_same_v<View<int*>::array_layout, Default::array_layout>);
static_assert(is_same_v<View<int*>::device_type, Kokkos::Device<Default, Default::memory_space>>);
static_assert(is_same_v<View<int*>::memory_traits, MemoryTraits<>>);
static_assert(is_same_v<View<int*, LayoutLeft>::array_layout, LayoutLeft>);
static_assert(is_same_v<View<int*, Kokkos::HostSpace>::memory_space, Kokkos::HostSpace>);
static_assert(is_same_v<View<int*, Kokkos::HostSpace>::execution_space, Kokkos::HostSpace::execution_space>);
static_assert(is_same_v<View<int*, LayoutStride, Default, MemoryTraits<Kokkos::Atomic>>::array_layout, LayoutStride>);
static_assert(View<int*, LayoutStride, Default, MemoryTraits<Kokkos::Atomic>>::memory_traits::is_atomic);
static_assert(!View<int*, MemoryTraits<Kokkos::Unmanaged>>::traits::is_managed);
static_assert(View<int*>::traits::is_managed);
static_assert(is_same_v<Kokkos::ViewTraits<int*, LayoutLeft>::array_layout, LayoutLeft>);

template <class Space>
constexpr bool spaces_are_taken_from_any_property() {
  using D = typename Space::device_type;
  return is_same_v<typename View<int*, Space>::device_type, D> && is_same_v<typename View<int*, D>::device_type, D> &&
         is_same_v<typename View<int**, Space>::array_layout, typename Space::array_layout> &&
         is_same_v<typename View<int**, D>::array_layout, typename Space::array_layout> &&
         is_same_v<typename View<int*, LayoutLeft, D, MemoryTraits<>>::execution_space, Space>;
}

// ---- views made from a view ----------------------------------------------------------------------------------------

using V3 = View<double** [3], LayoutLeft>;
static_assert(is_same_v<V3::const_type::data_type, double const** [3]>);
static_assert(is_same_v<V3::const_type::non_const_type, V3::type>);
static_assert(is_same_v<V3::host_mirror_type::array_layout, LayoutLeft>);
static_assert(is_same_v<V3::host_mirror_type::data_type, double** [3]>);
static_assert(is_same_v<V3::HostMirror, V3::host_mirror_type>);
static_assert(Kokkos::SpaceAccessibility<Kokkos::HostSpace, V3::host_mirror_type::memory_space>::accessible);
static_assert(is_same_v<V3::uniform_type, V3::type>);
static_assert(is_same_v<V3::uniform_runtime_type::data_type, double***>);
static_assert(is_same_v<V3::uniform_runtime_const_type::data_type, double const***>);
static_assert(is_same_v<V3::uniform_nomemspace_type::memory_space, Kokkos::AnonymousSpace>);
static_assert(is_same_v<View<int*, LayoutRight>::uniform_type::array_layout, LayoutLeft>);
static_assert(is_same_v<View<int**, LayoutRight>::uniform_type::array_layout, LayoutRight>);

// ---- traits of a view ----------------------------------------------------------------------------------------------

static_assert(Kokkos::is_view_v<View<int*>> && Kokkos::is_view<View<int*> const>::value);
static_assert(!Kokkos::is_view_v<int*> && !Kokkos::is_view<LayoutLeft>::value);

// A view consists of a pointer, its run-time extents, one stride if it can be padded, and a reference to the
// allocation.
constexpr std::size_t word = sizeof(void*);
static_assert(sizeof(View<double>) == 2 * word);
static_assert(sizeof(View<double*>) == 3 * word);
static_assert(sizeof(View<double[3][3]>) == 2 * word);
static_assert(sizeof(View<double* [3], LayoutRight>) == 3 * word);
static_assert(sizeof(View<double**, LayoutLeft>) == 5 * word);
static_assert(sizeof(View<double**, LayoutRight>) == 5 * word);
static_assert(sizeof(View<double**, LayoutStride>) == 6 * word);
// An unmanaged one refers to no allocation, so its bytes may be copied.
using Plain = View<double**, LayoutLeft, MemoryTraits<Kokkos::Unmanaged>>;
static_assert(sizeof(Plain) == 4 * word && std::is_trivially_copyable_v<Plain>);
static_assert(std::is_nothrow_move_constructible_v<View<double*>> && std::is_copy_assignable_v<View<double*>>);

// The number of indices is part of the interface.
static_assert(std::is_invocable_v<View<int**>, int, long> && !std::is_invocable_v<View<int**>, int>);
static_assert(!std::is_invocable_v<View<int**>, int, int, int> && !std::is_invocable_v<View<int*>, char const*>);
static_assert(std::is_invocable_r_v<int&, View<int>>);

template <class Space>
class ViewTraitsTest : public ::testing::Test {};
TYPED_TEST_SUITE(ViewTraitsTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

static_assert(Kokkos::ViewTraits<int** [3], Kokkos::HostSpace>::rank == 3);
static_assert(Kokkos::ViewTraits<int** [3], Kokkos::HostSpace>::rank_dynamic == 2);

// A type of a view with nine dimensions has members that a program's recursive traits may name, though no object can exist.
static_assert(Kokkos::View<int*********>::rank() == 9);
static_assert(std::is_same_v<Kokkos::View<int*********>::data_type, int*********>);

TYPED_TEST(ViewTraitsTest, SpacesAreTakenFromAnyProperty) {
  static_assert(spaces_are_taken_from_any_property<TypeParam>());
}

TYPED_TEST(ViewTraitsTest, DeductionFromAPointer) {
  int data[6];
  Kokkos::View one(data, 6);
  static_assert(is_same_v<decltype(one), View<int*>>);
  Kokkos::View two(static_cast<int const*>(data), 2, 3u);
  static_assert(is_same_v<decltype(two), View<int const**>>);
  Kokkos::View copy(two);
  static_assert(is_same_v<decltype(copy), View<int const**>>);
  EXPECT_EQ(copy.extent(1), 3u);
  EXPECT_EQ(one.data(), data);
}

}  // namespace
