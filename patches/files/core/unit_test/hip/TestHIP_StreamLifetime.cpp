// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reported: kokkos #8006 and ROCm #4670 (hipErrorCapturedEvent from hipEventSynchronize after an instance has ended),
// kokkos #7942 (hipErrorStreamCaptureUnsupported while a stream of the program is being captured). Both occur for
// functors that reach the device through a buffer that launches share.

#include <Kokkos_Core.hpp>
#include <TestHIP_Category.hpp>

#include <vector>

namespace Test {

namespace {

template <int Bytes>
struct PaddedIncrement {
  Kokkos::View<int, Kokkos::HIPSpace> sum;
  char padding[Bytes];
  KOKKOS_FUNCTION void operator()(int) const { Kokkos::atomic_add(sum.data(), padding[0] + 1); }
};

template <int Bytes>
void launch_increment(Kokkos::HIP const& where, Kokkos::View<int, Kokkos::HIPSpace> const& sum) {
  Kokkos::parallel_for("increment", Kokkos::RangePolicy<Kokkos::HIP>(where, 0, 1), PaddedIncrement<Bytes>{sum, {}});
}

}  // namespace

// In each round, the previous launch through the buffer was on an instance that has ended.
TEST(hip, instances_end_between_launches_of_large_functors) {
  constexpr int rounds = 200;
  Kokkos::View<int, Kokkos::HIPSpace> sum("sum");
  for (int round = 0; round < rounds; ++round) {
    auto parts = Kokkos::Experimental::partition_space(Kokkos::HIP(), std::vector<int>(2, 1));
    launch_increment<1024>(parts[round % 2], sum);
    parts.erase(parts.begin() + round % 2);
    launch_increment<2048>(parts[0], sum);
  }
  Kokkos::fence();
  int on_host = 0;
  Kokkos::deep_copy(on_host, sum);
  EXPECT_EQ(on_host, 2 * rounds);
}

// The launches are not part of the capture. Both the launches and the capture must succeed.
TEST(hip, large_functors_while_another_stream_is_captured) {
  constexpr int launches = 10;
  Kokkos::View<int, Kokkos::HIPSpace> sum("sum"), captured_fill("captured_fill");
  hipStream_t captured;
  KOKKOS_IMPL_HIP_SAFE_CALL(hipStreamCreate(&captured));
  auto parts = Kokkos::Experimental::partition_space(Kokkos::HIP(), 1);
  launch_increment<1024>(parts[0], sum);  // the first launch of a source file also copies the locks of atomics
  Kokkos::fence();

  KOKKOS_IMPL_HIP_SAFE_CALL(hipStreamBeginCapture(captured, hipStreamCaptureModeGlobal));
  KOKKOS_IMPL_HIP_SAFE_CALL(hipMemsetAsync(captured_fill.data(), 1, sizeof(int), captured));
  for (int i = 0; i < launches; ++i) launch_increment<1024>(parts[0], sum);
  hipGraph_t graph = nullptr;
  KOKKOS_IMPL_HIP_SAFE_CALL(hipStreamEndCapture(captured, &graph));
  ASSERT_NE(graph, nullptr);
  KOKKOS_IMPL_HIP_SAFE_CALL(hipGraphDestroy(graph));
  KOKKOS_IMPL_HIP_SAFE_CALL(hipStreamDestroy(captured));

  Kokkos::fence();
  int on_host = 0;
  Kokkos::deep_copy(on_host, sum);
  EXPECT_EQ(on_host, launches + 1);
}

}  // namespace Test
