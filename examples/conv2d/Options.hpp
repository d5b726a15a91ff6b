// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CONV2D_OPTIONS_HPP
#define CONV2D_OPTIONS_HPP

/// \file
/// The command line of conv2d.

#include <string>
#include <vector>

struct Options {
  std::string picture;                   ///< the PNG file to read; empty: a rendered scene
  std::string render;                    ///< write the rendered scene to this file and stop
  std::string out           = ".";       ///< folder for the results
  std::vector<int> channels = {16, 32};  ///< output channels, one run for each
  int filter_size           = 7;         ///< side of each filter in pixels, odd
  int repeat                = 5;         ///< runs for each measurement; the best one counts
  bool help                 = false;
};

/// \throws std::runtime_error with the wrong argument and the allowed values.
Options parse_options(int argc, char* argv[]);

extern char const* const usage;

#endif
