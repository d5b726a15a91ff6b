// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_FILTER_BANK_HPP
#define CONV2D_FILTER_BANK_HPP

/// \file
/// The filters: similar to those that the first layer of a vision network learns, but computed.

#include <vector>

struct Filter {
  std::vector<float> weights;  ///< [input channel][row][column]
  bool keeps_brightness;       ///< the weights add up to 1, so a result is in [0, 1]; otherwise they add up to 0
};

/// `count` filters of `size` x `size` pixels for red, green and blue. The first four are a blur, a Laplacian of a
/// Gaussian and two colour contrasts; all others are Gabor filters, which respond to stripes of one direction and
/// width.
std::vector<Filter> make_filter_bank(int count, int size);

#endif
