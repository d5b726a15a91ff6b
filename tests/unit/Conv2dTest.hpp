// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_TEST_CONV2D_TEST_HPP
#define KOKKOS_TEST_CONV2D_TEST_HPP

/// \file
/// Compares the convolution of examples/conv2d with a plain loop in double precision.

#include <TestSpaces.hpp>

#include "../../examples/conv2d/BatchConvolution.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace Kokkos::Testing {

/// Images and filters contain small multiples of 1/8: every product is exact in half precision's inputs, and every sum
/// in single precision, so that rounding cannot hide an error of one weight or pixel.
inline double test_pixel(std::size_t i) { return double(int(i * 7919 % 17) - 8) / 8; }
inline double test_weight(std::size_t i) { return double(int(i * 104729 % 13) - 6) / 8; }

/// The plain loop: every output element of a shape, [image][channel][row][column].
inline std::vector<double> convolve_plainly(conv2d::Shape const& s) {
  int const rows = s.out_height(), columns = s.out_width();
  std::vector<double> result;
  result.reserve(std::size_t(s.images) * s.outputs * rows * columns);
  for (int b = 0; b < s.images; ++b)
    for (int n = 0; n < s.outputs; ++n)
      for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
          double sum = 0;
          for (int c = 0; c < s.inputs; ++c)
            for (int dy = 0; dy < s.size; ++dy)
              for (int dx = 0; dx < s.size; ++dx) {
                int const row = y * s.stride + dy - s.padding, column = x * s.stride + dx - s.padding;
                if (row < 0 || row >= s.height || column < 0 || column >= s.width) continue;
                sum += test_pixel(((std::size_t(b) * s.inputs + c) * s.height + row) * s.width + column) *
                       test_weight(((std::size_t(n) * s.inputs + c) * s.size + dy) * s.size + dx);
              }
          result.push_back(sum);
        }
  return result;
}

struct TestWeights {
  conv2d::Shape const& s;
  double operator()(int n, int c, int dy, int dx) const {
    return test_weight(((std::size_t(n) * s.inputs + c) * s.size + dy) * s.size + dx);
  }
};

/// Converts a value as a kernel does when it stores: half precision is rounded from single precision.
template <class T>
struct TestConversion {
  TestWeights weights;
  T operator()(int n, int c, int dy, int dx) const {
    return static_cast<T>(static_cast<conv2d::Sum<T>>(weights(n, c, dy, dx)));
  }
};

enum class FiltersIn { functor, view };

/// Filters in a functor of sufficient size, out of four: within kernel parameters of every GPU, within those of CUDA
/// 12.1 or newer, and in device memory. The first two sizes are below HIP's limit of 4096 bytes, the last exceeds
/// CUDA's limit of 32764.
template <class T, class Space, int Bytes = 512>
void convolve_with_held_filters(Space const& space, conv2d::Shape const& s, conv2d::Images<T, Space> const& input,
                                conv2d::Images<T, Space> const& output) {
  constexpr int capacity = Bytes / int(sizeof(T));
  conv2d::FilterOrder const order{s.inputs, s.size, conv2d::default_tile<Space>.outputs};
  if constexpr (Bytes < 90000) {
    if (order.length(s.outputs) > std::size_t(capacity)) {
      constexpr int next = Bytes == 512 ? 3800 : Bytes == 3800 ? 32000 : 90000;
      convolve_with_held_filters<T, Space, next / 16 * 16>(space, s, input, output);
      return;
    }
  }
  ASSERT_LE(order.length(s.outputs), std::size_t(capacity));
  auto const filters = std::make_unique<conv2d::HeldFilters<T, capacity>>();
  conv2d::arrange_filters(s, order, TestConversion<T>{{s}}, filters->values);
  conv2d::convolve<T>(space, s, input, *filters, output);
}

template <class T, class Space>
void convolve_with_filters_in_view(Space const& space, conv2d::Shape const& s, conv2d::Images<T, Space> const& input,
                                   conv2d::Images<T, Space> const& output) {
  conv2d::FilterOrder const order{s.inputs, s.size, conv2d::default_tile<Space>.outputs};
  Kokkos::View<T*, typename Space::memory_space> values(Kokkos::view_alloc("filters", Kokkos::WithoutInitializing),
                                                        order.length(s.outputs));
  auto const host = Kokkos::create_mirror_view(values);
  conv2d::arrange_filters(s, order, TestConversion<T>{{s}}, host.data());
  Kokkos::deep_copy(space, values, host);
  conv2d::convolve<T>(space, s, input, conv2d::ViewFilters<T, Space>{values}, output);
  space.fence("conv2d: the filters end here");
}

/// Elements in the middle of memory filled with not-a-number, which is visible in every sum that reads it, and which no
/// kernel may overwrite.
template <class T, class Space>
class GuardedImages {
 public:
  /// The images begin `shift` elements behind an address that a GPU can access by its largest vectors.
  GuardedImages(int images, int channels, int rows, int columns, int shift)
      : m_guard(256 + shift),
        m_length(std::size_t(images) * channels * rows * columns),
        m_memory("guarded images", m_length + 2 * m_guard),
        m_host(Kokkos::create_mirror_view(m_memory)),
        m_images(m_memory.data() + m_guard, images, channels, rows, columns) {
    for (std::size_t i = 0; i < m_host.extent(0); ++i) m_host(i) = not_a_number();
    Kokkos::deep_copy(m_memory, m_host);
  }
  void fill_with_pixels() {
    for (std::size_t i = 0; i < m_length; ++i)
      m_host(m_guard + i) = static_cast<T>(static_cast<conv2d::Sum<T>>(test_pixel(i)));
    Kokkos::deep_copy(m_memory, m_host);
  }
  conv2d::Images<T, Space> const& images() const { return m_images; }

  /// Number of elements that differ from the expected ones (rounded as a kernel rounds) and of overwritten guards.
  int wrong_elements(std::vector<double> const& expected) {
    EXPECT_EQ(expected.size(), m_length);
    Kokkos::deep_copy(m_host, m_memory);
    int wrong = 0;
    for (std::size_t i = 0; i < m_guard; ++i) wrong += !is_nan(m_host(i)) + !is_nan(m_host(m_guard + m_length + i));
    for (std::size_t i = 0; i < m_length; ++i) {
      T const rounded = static_cast<T>(static_cast<conv2d::Sum<T>>(expected[i]));
      wrong += !(m_host(m_guard + i) == rounded);
    }
    return wrong;
  }

 private:
  std::size_t m_guard;
  static T not_a_number() { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); }
  static bool is_nan(T value) { return !(value == value); }

  std::size_t m_length;
  Kokkos::View<T*, typename Space::memory_space> m_memory;
  typename Kokkos::View<T*, typename Space::memory_space>::host_mirror_type m_host;
  conv2d::Images<T, Space> m_images;
};

/// Convolves test images and returns the number of wrong elements.
template <class T, class Space>
int wrong_after_convolution(conv2d::Shape const& s, FiltersIn place, std::vector<double> const& expected,
                            int shift = 0) {
  Space const space;
  GuardedImages<T, Space> input(s.images, s.inputs, s.height, s.width, shift);
  GuardedImages<T, Space> output(s.images, s.outputs, s.out_height(), s.out_width(), shift);
  input.fill_with_pixels();
  if (place == FiltersIn::functor) {
    convolve_with_held_filters<T>(space, s, input.images(), output.images());
  } else {
    convolve_with_filters_in_view<T>(space, s, input.images(), output.images());
  }
  space.fence("conv2d: the output is compared");
  return output.wrong_elements(expected);
}

inline std::string describe(conv2d::Shape const& s, FiltersIn place) {
  auto const text = [](int n) { return std::to_string(n); };
  return text(s.images) + " images of " + text(s.height) + " x " + text(s.width) + ", " + text(s.inputs) + " to " +
         text(s.outputs) + " channels, filters of " + text(s.size) + " in a " +
         (place == FiltersIn::view ? "view" : "functor") + ", padding " + text(s.padding) + ", stride " +
         text(s.stride);
}

}  // namespace Kokkos::Testing

#endif
