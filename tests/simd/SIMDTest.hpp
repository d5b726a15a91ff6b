// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TESTS_SIMD_SIMDTEST_HPP
#define KOKKOS_TESTS_SIMD_SIMDTEST_HPP

/// \file
/// The vectors of the typed tests, and their comparison lane by lane.

#include <Kokkos_SIMD.hpp>
#include <gtest/gtest.h>

#include <cstdint>

namespace Kokkos::Testing {

namespace KE = Kokkos::Experimental;

template <class T, class Abi>
struct SIMDCase {
  using Value = KE::basic_simd<T, Abi>;
  using Mask  = KE::basic_simd_mask<T, Abi>;
};

using SIMDCases =
    testing::Types<SIMDCase<double, KE::simd_abi::scalar>, SIMDCase<double, KE::simd_abi::fixed_size<4>>,
                   SIMDCase<float, KE::simd_abi::fixed_size<8>>, SIMDCase<std::int32_t, KE::simd_abi::fixed_size<4>>,
                   SIMDCase<std::uint32_t, KE::simd_abi::scalar>, SIMDCase<std::uint64_t, KE::simd_abi::fixed_size<2>>,
                   SIMDCase<std::int64_t, KE::simd_abi::fixed_size<8>>>;

/// Values that differ by lane, none of them 0.
template <class Value>
Value sample(int start) {
  return Value([=](std::size_t i) { return static_cast<typename Value::value_type>(start + 3 * static_cast<int>(i)); });
}

template <class Value, class Function>
void expect_lanes(Value const& value, Function const& expected) {
  for (std::size_t i = 0; i < Value::size(); ++i) EXPECT_EQ(value[i], expected(i)) << "lane " << i;
}

}  // namespace Kokkos::Testing

#endif
