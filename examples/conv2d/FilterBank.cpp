// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FilterBank.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace {

using Shape  = std::function<double(double x, double y)>;  // in pixels from the centre
using Colour = std::array<double, 3>;

constexpr Colour luminance{0.299, 0.587, 0.114};

double gaussian(double x, double y, double sigma) { return std::exp(-(x * x + y * y) / (2 * sigma * sigma)); }

// The shape, sampled on the grid and multiplied by the colour. The mean of a contrast is subtracted, so that a uniform
// area gives zero, and its weights are scaled so that their magnitudes add up to 1.
Filter sample(int size, Colour const& colour, bool keeps_brightness, Shape const& shape) {
  int const r = size / 2;
  std::vector<double> values;
  double sum = 0;
  for (int y = -r; y <= r; ++y) {
    for (int x = -r; x <= r; ++x) sum += values.emplace_back(shape(x, y));
  }
  bool const opponent = std::abs(colour[0] + colour[1] + colour[2]) < 1e-9;  // the colours cancel each other
  if (keeps_brightness || opponent) {
    for (double& v : values) v /= sum;
  } else {
    double magnitude = 0;
    for (double& v : values) magnitude += std::abs(v -= sum / double(values.size()));
    for (double& v : values) v /= magnitude > 0 ? magnitude : 1;
  }
  Filter filter{{}, keeps_brightness};
  for (double c : colour) {
    for (double v : values) filter.weights.push_back(float(c * v));
  }
  return filter;
}

// The k-th Gabor filter: directions by the golden angle, so that any number of them is evenly distributed; widths and
// phases alternate.
Filter gabor(int k, int size) {
  constexpr double golden = 0.6180339887498949;
  double const angle      = std::numbers::pi * std::fmod(k * golden, 1.0);
  double const wavelength = size * (k % 2 == 0 ? 0.55 : 0.95);
  double const phase      = k % 4 < 2 ? 0 : std::numbers::pi / 2;
  double const sigma      = size * 0.24;
  return sample(size, luminance, false, [=](double x, double y) {
    double const across = x * std::cos(angle) + y * std::sin(angle);
    return gaussian(x, y, sigma) * std::cos(2 * std::numbers::pi * across / wavelength + phase);
  });
}

}  // namespace

std::vector<Filter> make_filter_bank(int count, int size) {
  auto const wide   = [=](double x, double y) { return gaussian(x, y, size * 0.25); };
  auto const narrow = [=](double x, double y) { return gaussian(x, y, size * 0.12); };
  std::vector<Filter> bank;
  bank.push_back(sample(size, luminance, true, wide));
  bank.push_back(sample(size, luminance, false, [=](double x, double y) {
    double const s = size * 0.16, q = (x * x + y * y) / (2 * s * s);
    return (1 - q) * std::exp(-q);
  }));
  bank.push_back(sample(size, Colour{0.5, -0.5, 0}, false, narrow));
  bank.push_back(sample(size, Colour{-0.25, -0.25, 0.5}, false, narrow));
  while (int(bank.size()) < count) bank.push_back(gabor(int(bank.size()) - 4, size));
  bank.resize(std::size_t(count), bank.front());
  return bank;
}
