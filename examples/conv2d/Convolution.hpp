// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_CONVOLUTION_HPP
#define CONV2D_CONVOLUTION_HPP

/// \file
/// The convolution with Kokkos, with the same tiles without Kokkos, and with a plain loop.

#include <Kokkos_Core.hpp>

#include <cstddef>

/// Number of pixels of one row that one call of the kernel computes: few enough that their sums stay in registers.
constexpr int tile_width = 32;

/// [channel][row][column]. Inputs have a border of half a filter on all sides; rows are padded to whole tiles.
template <class Space>
using Planes = Kokkos::View<float***, Kokkos::LayoutRight, typename Space::memory_space>;
/// [output channel][input channel][row][column]
template <class Space>
using Weights = Kokkos::View<float****, Kokkos::LayoutRight, typename Space::memory_space>;

struct Extents {
  int width, height;
  int filter_size;
  int inputs, outputs;

  int border() const { return filter_size / 2; }
  int tiles() const { return (width + tile_width - 1) / tile_width; }
  int padded_width() const { return tiles() * tile_width; }
  /// Floating-point operations: one multiplication and one addition per weight and pixel.
  double operations() const { return 2.0 * width * height * outputs * inputs * filter_size * filter_size; }
};

template <class Space>
struct ConvolveTile {
  Planes<Space> input, output;
  Weights<Space> weights;
  int inputs, size;

  KOKKOS_FUNCTION void operator()(int n, int row, int tile) const {
    float sum[tile_width] = {};
    for (int c = 0; c < inputs; ++c) {
      for (int dy = 0; dy < size; ++dy) {
        float const* const line = &input(c, row + dy, tile * tile_width);
        float const* const w    = &weights(n, c, dy, 0);
        for (int dx = 0; dx < size; ++dx) {
          for (int x = 0; x < tile_width; ++x) sum[x] += w[dx] * line[x + dx];
        }
      }
    }
    float* const result = &output(n, row, tile * tile_width);
    for (int x = 0; x < tile_width; ++x) result[x] = sum[x];
  }
};

/// Starts output(n, y, x) = sum over c, dy, dx of weights(n, c, dy, dx) * input(c, y + dy, x + dx) on `space`.
template <class Space>
void convolve(Space const& space, Extents const& e, Planes<Space> const& input, Weights<Space> const& weights,
              Planes<Space> const& output) {
  Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>> const tiles(space, {0, 0, 0}, {e.outputs, e.height, e.tiles()});
  Kokkos::parallel_for("convolve", tiles, ConvolveTile<Space>{input, output, weights, e.inputs, e.filter_size});
}

/// The same tiles, written by hand for this machine: with pointers, on one thread or with OpenMP.
inline void convolve_by_hand(Extents const& e, float const* input, float const* weights, float* output, int threads) {
  int const border = 2 * e.border(), in_width = e.padded_width() + border, in_height = e.height + border;
  int const size = e.filter_size, inputs = e.inputs;
  (void)threads;
#if defined(_OPENMP)
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads)
#endif
  for (int n = 0; n < e.outputs; ++n) {
    for (int row = 0; row < e.height; ++row) {
      for (int tile = 0; tile < e.tiles(); ++tile) {
        float sum[tile_width] = {};
        float const* w        = weights + std::size_t(n) * inputs * size * size;
        for (int c = 0; c < inputs; ++c) {
          for (int dy = 0; dy < size; ++dy, w += size) {
            float const* const line = input + (std::size_t(c) * in_height + row + dy) * in_width + tile * tile_width;
            for (int dx = 0; dx < size; ++dx) {
              for (int x = 0; x < tile_width; ++x) sum[x] += w[dx] * line[x + dx];
            }
          }
        }
        float* const result = output + (std::size_t(n) * e.height + row) * e.padded_width() + tile * tile_width;
        for (int x = 0; x < tile_width; ++x) result[x] = sum[x];
      }
    }
  }
}

/// Computes the convolution by its definition, pixel by pixel, on the calling thread.
template <class HostPlanes, class HostWeights>
void convolve_plainly(Extents const& e, HostPlanes const& input, HostWeights const& weights, HostPlanes const& output) {
  for (int n = 0; n < e.outputs; ++n) {
    for (int y = 0; y < e.height; ++y) {
      for (int x = 0; x < e.width; ++x) {
        float sum = 0;
        for (int c = 0; c < e.inputs; ++c) {
          for (int dy = 0; dy < e.filter_size; ++dy) {
            for (int dx = 0; dx < e.filter_size; ++dx) sum += weights(n, c, dy, dx) * input(c, y + dy, x + dx);
          }
        }
        output(n, y, x) = sum;
      }
    }
  }
}

#endif
