// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// choices: not-optimised own-program starts-first
/// \file
/// The convolution of examples/conv2d at every number of output channels from 1 to 64, with filters of 1, 3, 5 and 7
/// pixels, paddings 0 to 3, strides 1 and 2, odd and even image sizes, batches, and three precisions.
///
/// By default, each number of channels runs with one filter size or two, and each filter size with every padding, every
/// stride, every image size and both places of the filters. In a thorough build each number of channels runs with each
/// filter size. With CONV2D_TEST_EVERY_CASE in the environment every combination runs.

#include "Conv2dTest.hpp"
#include "Thorough.hpp"

#include <array>
#include <cstdlib>

namespace {

using namespace Kokkos::Testing;

template <class Space>
class Conv2dTest : public testing::Test {};
TYPED_TEST_SUITE(Conv2dTest, ExecutionSpaces, SpaceName);

constexpr int sizes[] = {1, 3, 5, 7};
struct Picture {
  int height, width;
};
constexpr Picture pictures[] = {{7, 9}, {5, 11}, {13, 7}, {8, 8}};

template <class T, class Space>
void expect_right(conv2d::Shape const& s, FiltersIn place, std::vector<double> const& expected, int shift = 0) {
  int const wrong = wrong_after_convolution<T, Space>(s, place, expected, shift);
  EXPECT_EQ(wrong, 0) << describe(s, place);
}

bool fits(conv2d::Shape const& s) { return s.height + 2 * s.padding >= s.size && s.width + 2 * s.padding >= s.size; }

// Digits of `channels - 1`, shifted by the filter size and the type so that the paddings of each number of channels
// differ between them.
template <class T, class Space>
void chosen_cases(int shift) {
  for (int k = 0; k < 4; ++k) {
    for (int channels = is_thorough() ? 1 : 1 + k % 3; channels <= 64; channels += is_thorough() ? 1 : 5) {
      int const digits     = (channels - 1 + shift + 5 * k) % 64;
      Picture const extent = pictures[digits / 16];
      conv2d::Shape s{1 + channels % 3, 1 + (channels / 3 + k) % 3, channels, extent.height, extent.width, sizes[k],
                      digits % 4,       1 + digits / 4 % 2};
      if (!fits(s)) s.height = s.size;
      expect_right<T, Space>(s, digits / 8 % 2 == 0 ? FiltersIn::functor : FiltersIn::view, convolve_plainly(s));
    }
  }
}

/// The first `channels` of the outputs of a shape with more channels.
std::vector<double> first_channels(conv2d::Shape const& all, std::vector<double> const& results, int channels) {
  std::size_t const plane = std::size_t(all.out_height()) * all.out_width();
  std::vector<double> first;
  for (int b = 0; b < all.images; ++b) {
    auto const begin = results.begin() + std::ptrdiff_t(b * all.outputs * plane);
    first.insert(first.end(), begin, begin + std::ptrdiff_t(channels * plane));
  }
  return first;
}

template <class T, class Space>
void every_channel_count(conv2d::Shape s) {
  if (!fits(s)) return;
  s.outputs          = 64;
  auto const all     = s;
  auto const results = convolve_plainly(all);
  for (s.outputs = 1; s.outputs <= 64; ++s.outputs) {
    auto const expected = first_channels(all, results, s.outputs);
    for (FiltersIn place : {FiltersIn::functor, FiltersIn::view}) expect_right<T, Space>(s, place, expected);
  }
}

template <class T, class Space>
void every_case() {
  for (int size : sizes)
    for (int padding = 0; padding <= 3; ++padding)
      for (int stride = 1; stride <= 2; ++stride)
        for (Picture const& extent : pictures)
          for (int images : {1, 3})
            every_channel_count<T, Space>({images, 3, 0, extent.height, extent.width, size, padding, stride});
}

template <class T, class Space>
void run_cases(int shift) {
  if (std::getenv("CONV2D_TEST_EVERY_CASE") != nullptr) {
    every_case<T, Space>();
  } else {
    chosen_cases<T, Space>(shift);
  }
}

TYPED_TEST(Conv2dTest, SinglePrecision) { run_cases<float, TypeParam>(0); }
TYPED_TEST(Conv2dTest, DoublePrecision) { run_cases<double, TypeParam>(1); }
TYPED_TEST(Conv2dTest, HalfPrecision) { run_cases<Kokkos::Experimental::half_t, TypeParam>(2); }

// A GPU reads the patches of many input channels ahead, and whole rows by vectors if they are aligned.
template <class T, class Space>
void many_inputs() {
  for (int inputs : is_thorough() ? std::vector{7, 8, 11} : std::vector{8, 11}) {
    for (auto [width, padding, shift] : {std::array{11, 0, 0}, {11, 1, 0}, {12, 0, 0}, {12, 1, 0}, {12, 1, 1}}) {
      conv2d::Shape const s{2, inputs, 13, 9, width, 3, padding, 1};
      for (FiltersIn place : {FiltersIn::functor, FiltersIn::view})
        expect_right<T, Space>(s, place, convolve_plainly(s), shift);
    }
  }
}
TYPED_TEST(Conv2dTest, ManyInputs) {
  many_inputs<float, TypeParam>();
  if (is_thorough()) many_inputs<double, TypeParam>();
  many_inputs<Kokkos::Experimental::half_t, TypeParam>();
}

TYPED_TEST(Conv2dTest, SaysWhatIsNotAllowed) {
  conv2d::Images<float, TypeParam> const image("image", 1, 1, 3, 3);
  auto const refuse = [&](conv2d::Shape const& s, std::string const& message) {
    try {
      conv2d::convolve<float>(TypeParam(), s, image, conv2d::HeldFilters<float, 16>{}, image);
      FAIL() << "not refused: " << message;
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refuse({1, 1, 1, 3, 3, 7, 1, 1}, "a filter of 7 x 7 pixels is larger than the padded image of 5 x 5");
  refuse({1, 1, 1, 3, 3, 3, 0, 0}, "stride are 1 or more");
  refuse({1, 1, 0, 3, 3, 3, 0, 1}, "channels");
}

}  // namespace
