// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: own-program
/// \file
/// Random numbers of host lanes where the compiler may change the order of additions: compiled with -ffast-math.

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace {

TEST(RandomFastMath, UnitsInLanesAreThoseOfGenerators) {
  constexpr int count = 4096;
  static std::uint64_t words[count];
  static double units[count];
  auto generator = Kokkos::Impl::SFC64Engine::make(5, 0);
  for (std::uint64_t& word : words) word = generator.next();
  words[0] = 0;
  words[1] = ~std::uint64_t(0);
  for (int i = 0; i < count; i += Kokkos::Impl::random_lanes_per_vector) {
    Kokkos::Impl::RandomLaneWords of_vector;
    typename Kokkos::Impl::RandomLanesOf<double>::type converted;
    std::memcpy(&of_vector, words + i, sizeof(of_vector));
    Kokkos::Impl::random_units<double>(of_vector, converted);
    std::memcpy(units + i, &converted, sizeof(converted));
  }
  for (int i = 0; i < count; ++i) ASSERT_EQ(units[i], Kokkos::Impl::random_unit<double>(words[i])) << words[i];
}

}  // namespace
