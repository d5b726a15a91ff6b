// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// half_t and bhalf_t in kernels: operations for which a device has instructions give the bits that hosts compute.

#include "NumericsKernel.hpp"

#include <array>
#include <cstdint>

namespace {

using namespace Kokkos::Testing;
using Kokkos::Experimental::bhalf_t;
using Kokkos::Experimental::half_t;

constexpr int operations = 14;

template <class Half>
struct Results {
  Half number[operations];
  unsigned comparisons;
};

template <class Half>
struct Operations {
  KOKKOS_FUNCTION Results<Half> operator()(int i) const {
    auto const number = [](unsigned bits) { return Half::from_bits(static_cast<std::uint16_t>(bits)); };
    unsigned const k  = static_cast<unsigned>(i);
    Half const x = number(k), y = k % 7 == 0 ? x : number(k * 40503), z = number(k * 8647 + 77);
    // Whether the larger one of a number and a signalling NaN is the number is not defined.
    auto const quiet     = [](Half h) { return Kokkos::isnan(h) ? Half(Kokkos::Experimental::quiet_NaN_v<float>) : h; };
    std::int64_t const n = (std::int64_t(i) * 48271 - 1500000000) >> (i % 31);
    // Exact in double, and often close to the middle between two numbers of 16 bits.
    double const d = static_cast<double>(static_cast<float>(x)) + static_cast<double>(n % 16384 * i % 3) * 0x1p-40;
    return {{x + y, x - y, x * y, x / y, Kokkos::fma(x, y, z), Kokkos::fmax(quiet(x), quiet(y)),
             Kokkos::fmin(quiet(x), quiet(y)), Kokkos::floor(x), Kokkos::round(x), Half(static_cast<int>(n)),
             Half(static_cast<unsigned>(n)), Half(n * 4099), Half(static_cast<std::uint64_t>(n) * 3), Half(d)},
            unsigned(x < y) | unsigned(x <= y) << 1 | unsigned(x > y) << 2 | unsigned(x >= y) << 3 |
                unsigned(x == y) << 4 | unsigned(x != y) << 5};
  }
};

template <class Space, class Half>
void operations_give_the_bits_of_hosts() {
  auto const found = evaluate<Space>(0x10000, Operations<Half>());
  for (int i = 0; i < 0x10000; ++i) {
    auto const &a = found[static_cast<std::size_t>(i)], b = Operations<Half>()(i);
    ASSERT_EQ(a.comparisons, b.comparisons) << i;
    for (int f = 0; f < operations; ++f) {
      bool const same = a.number[f].bits() == b.number[f].bits();
      // NaNs differ in their payload; which of two zeros is the larger one is not defined.
      bool const alike = Kokkos::isnan(a.number[f]) ? Kokkos::isnan(b.number[f]) : a.number[f] == b.number[f];
      ASSERT_TRUE(same || (alike && (Kokkos::isnan(b.number[f]) || f == 5 || f == 6)))
          << "operation " << f << " of " << i << ": " << a.number[f] << ", on the host " << b.number[f];
    }
  }
}

template <class Space>
struct HalfInKernelsTest : ::testing::Test {};
TYPED_TEST_SUITE(HalfInKernelsTest, ExecutionSpaces, SpaceName);

TYPED_TEST(HalfInKernelsTest, OperationsGiveTheBitsOfHosts) {
  operations_give_the_bits_of_hosts<TypeParam, half_t>();
  operations_give_the_bits_of_hosts<TypeParam, bhalf_t>();
}

}  // namespace
