// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: apu device1 isa
/// \file
/// Functors of many sizes reach their kernels intact: on GPUs as parameters, or through a ring of device memory.

#include "TestSpaces.hpp"

namespace {

template <class Space>
class LargeFunctorTest : public testing::Test {};
TYPED_TEST_SUITE(LargeFunctorTest, Kokkos::Testing::ExecutionSpaces, Kokkos::Testing::SpaceName);

template <class Space, int N>
struct Payload {
  double values[N];
  Kokkos::View<double*, Space> out;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = values[i]; }
};

/// More launches than a ring has slots, each with different values, to detect a slot that is reused too early.
template <class Space, int N>
void payload_arrives() {
  constexpr int launches = 100;
  Payload<Space, N> functor;
  functor.out = Kokkos::View<double*, Space>("out", N);
  Kokkos::View<int, Space> wrong("wrong");
  for (int launch = 0; launch < launches; ++launch) {
    for (int i = 0; i < N; ++i) functor.values[i] = launch * 1e6 + i;
    auto const out = functor.out;
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, N), functor);
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Space>(0, N), KOKKOS_LAMBDA(int i) {
          if (out(i) != launch * 1e6 + i) Kokkos::atomic_inc(&wrong());
        });
  }
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wrong);
  EXPECT_EQ(host(), 0);
}

TYPED_TEST(LargeFunctorTest, OneKilobyte) { payload_arrives<TypeParam, 128>(); }
TYPED_TEST(LargeFunctorTest, TwentyKilobytes) { payload_arrives<TypeParam, 2500>(); }
TYPED_TEST(LargeFunctorTest, FortyKilobytes) { payload_arrives<TypeParam, 5000>(); }
TYPED_TEST(LargeFunctorTest, TwoHundredKilobytes) { payload_arrives<TypeParam, 25000>(); }

}  // namespace
