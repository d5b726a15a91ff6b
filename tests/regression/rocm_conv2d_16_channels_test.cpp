// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: own-program
// Reported with ROCm 6.2: a 2-D convolution of a picture of 32 x 32 pixels with 3 input channels ended in
// HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION at 16 output channels and worked at 32. The cause was the machine: caches
// below a home directory that was not writable, and parts of several versions of ROCm.
//
// This test runs the same convolution at 16 and at 32 channels. The surrounding memory would change the sums if a
// kernel read it. Several runs in succession show whether a launch depends on an earlier one. tests/home runs the test
// without a writable home.
#include "../unit/Conv2dTest.hpp"

namespace {

using namespace Kokkos::Testing;

template <class Space>
class RocmConv2d16ChannelsTest : public testing::Test {};
TYPED_TEST_SUITE(RocmConv2d16ChannelsTest, ExecutionSpaces, SpaceName);

template <class Space>
void convolve_repeatedly(int channels, int repeats) {
  conv2d::Shape const s{1, 3, channels, 32, 32, 3, 1, 1};
  auto const expected = convolve_plainly(s);
  for (int i = 0; i < repeats; ++i) {
    FiltersIn const place = i % 2 == 0 ? FiltersIn::functor : FiltersIn::view;
    ASSERT_EQ((wrong_after_convolution<float, Space>(s, place, expected)), 0) << describe(s, place) << ", run " << i;
  }
}

TYPED_TEST(RocmConv2d16ChannelsTest, SixteenOutputChannels) { convolve_repeatedly<TypeParam>(16, 4); }
TYPED_TEST(RocmConv2d16ChannelsTest, ThirtyTwoOutputChannels) { convolve_repeatedly<TypeParam>(32, 2); }

}  // namespace
