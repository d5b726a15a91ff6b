// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vectors of random numbers, NaNs and infinities among them, in kernels: each lane is as the operation on its numbers,
/// and masked operations depend on the selected lanes only.

#include "RandomCases.hpp"

#include <Kokkos_SIMD.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace Kokkos::Testing;
namespace KE = Kokkos::Experimental;

template <class Space>
class SimdCases : public ::testing::Test {};
TYPED_TEST_SUITE(SimdCases, PatternSpaces, SpaceName);

enum Operation {
  plus,
  minus,
  times,
  negative,
  smaller,
  larger,
  selected,
  added_where,
  loaded,
  divided,
  root,
  below,
  operations
};

/// Applies each operation to each vector of a and b. `below` is 1 where a < b.
template <class T, class Space>
struct Vectors {
  using Value                = KE::basic_simd<T, KE::simd_abi::ForSpace<Space>>;
  using Mask                 = typename Value::mask_type;
  static constexpr int lanes = static_cast<int>(Value::size());
  Kokkos::View<T*, Space> a, b;
  Kokkos::View<T**, Kokkos::LayoutRight, Space> results;  // (operation, element)
  Kokkos::View<T**, Kokkos::LayoutRight, Space> reduced;  // (vector, least or greatest of the lanes where a < b)

  KOKKOS_FUNCTION void store(Operation operation, int block, Value const& value) const {
    value.copy_to(&results(operation, block * lanes), KE::simd_flag_default);
  }
  KOKKOS_FUNCTION void operator()(int block) const {
    Value x, y;
    x.copy_from(&a(block * lanes), KE::simd_flag_default);
    y.copy_from(&b(block * lanes), KE::simd_flag_default);
    Mask const less = x < y;
    store(plus, block, x + y);
    store(minus, block, x - y);
    store(times, block, x * y);
    store(negative, block, -x);
    store(smaller, block, Kokkos::min(x, y));
    store(larger, block, Kokkos::max(x, y));
    store(selected, block, KE::condition(less, x, y));
    Value sum = x;
    where(less, sum) += y;
    store(added_where, block, sum);
    store(loaded, block, KE::simd_unchecked_load<Value>(&b(block * lanes), less));
    if constexpr (std::is_floating_point_v<T>) {
      store(divided, block, x / y);
      store(root, block, Kokkos::sqrt(Kokkos::abs(x)));
    }
    store(below, block, KE::condition(less, Value(T(1)), Value(T(0))));
    reduced(block, 0) = KE::reduce_min(x, less);
    reduced(block, 1) = KE::reduce_max(x, less);
  }
};

template <class T>
bool is_same_number(T a, T b) {
  return a == b || (a != a && b != b);
}

template <class T>
T expected_of(Operation operation, T a, T b) {
  switch (operation) {
    case plus:
      return a + b;
    case minus:
      return a - b;
    case times:
      return a * b;
    case negative:
      return -a;
    case smaller:
      return std::min(a, b);
    case larger:
      return std::max(a, b);
    case selected:
      return a < b ? a : b;
    case added_where:
      return a < b ? a + b : a;
    case loaded:
      return a < b ? b : T(0);
    case divided:
      if constexpr (std::is_floating_point_v<T>) return a / b;
      return T(0);
    case root:
      return std::is_floating_point_v<T> ? static_cast<T>(std::sqrt(std::abs(a))) : T(0);
    default:
      return a < b ? T(1) : T(0);
  }
}

template <class T>
T any_lane(Random& random) {
  if constexpr (std::is_floating_point_v<T>) {
    using Limits      = std::numeric_limits<T>;
    T const special[] = {Limits::quiet_NaN(),  Limits::infinity(), T(0),
                         Limits::denorm_min(), Limits::max(),      Limits::min()};
    T const value     = random.once_in(4) ? special[random.below(6)] : static_cast<T>(random.between(0, 100000)) / T(7);
    return random.once_in(2) ? -value : value;
  } else {
    return static_cast<T>(random.between(-20000, 20000));
  }
}

template <class T, class Space>
void computes_lanes() {
  for_each_case(16, 3000, [](Random& random) {
    using Work       = Vectors<T, Space>;
    int const blocks = static_cast<int>(random.between(1, 60)), n = blocks * Work::lanes;
    std::vector<T> a(static_cast<std::size_t>(n)), b(a);
    for (auto& x : a) x = any_lane<T>(random);
    for (auto& x : b) x = any_lane<T>(random);
    using Table = decltype(Work::results);
    Work const work{view_of<Space>(a), view_of<Space>(b), Table("results", operations, static_cast<std::size_t>(n)),
                    Table("reduced", static_cast<std::size_t>(blocks), 2)};
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, blocks), work);
    auto const results = on_host(work.results), reduced = on_host(work.reduced);
    for (int operation = 0; operation < operations; ++operation)
      for (int i = 0; i < n; ++i) {
        // Which operand the minimum and maximum of a NaN are is not specified.
        if ((operation == smaller || operation == larger) && (a[i] != a[i] || b[i] != b[i])) continue;
        T const expected = expected_of(static_cast<Operation>(operation), a[i], b[i]);
        ASSERT_TRUE(is_same_number(results(operation, i), expected))
            << "operation " << operation << " of " << a[i] << " and " << b[i] << ": " << results(operation, i);
      }
    for (int block = 0; block < blocks; ++block) {
      std::vector<T> lanes;
      for (int i = block * Work::lanes; i < (block + 1) * Work::lanes; ++i)
        if (a[i] < b[i]) lanes.push_back(a[i]);
      if (lanes.empty()) continue;
      ASSERT_EQ(reduced(block, 0), *std::min_element(lanes.begin(), lanes.end()));
      ASSERT_EQ(reduced(block, 1), *std::max_element(lanes.begin(), lanes.end()));
    }
  });
}
TYPED_TEST(SimdCases, Doubles) { computes_lanes<double, TypeParam>(); }
TYPED_TEST(SimdCases, Floats) { computes_lanes<float, TypeParam>(); }
TYPED_TEST(SimdCases, Integers) { computes_lanes<std::int32_t, TypeParam>(); }

}  // namespace
