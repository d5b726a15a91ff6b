// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_FILTER_BANK_HPP
#define CONV2D_FILTER_BANK_HPP

/// \file
/// The filters: what the first layer of a vision network typically learns, computed instead.

#include <vector>

struct Filter {
  std::vector<float> weights;  ///< [input channel][row][column]
  bool keeps_brightness;       ///< the weights add up to 1, so a result lies in [0, 1]; otherwise they add up to 0
};

/// `count` filters of `size` x `size` pixels over red, green and blue. The first four are a blur, a Laplacian of a
/// Gaussian and two colour contrasts; all others are Gabor filters, which answer to stripes of one direction and width.
std::vector<Filter> make_filter_bank(int count, int size);

#endif
