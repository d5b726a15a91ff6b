// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HALO_OPTIONS_HPP
#define HALO_OPTIONS_HPP

/// \file
/// The command line of halo.

#include "Exchange.hpp"

#include <string>
#include <vector>

struct Options {
  int weak    = 64;  ///< points of each part in each direction; 0: no weak scaling
  int check   = 40;  ///< points of the grid that is compared with one part, in each direction; 0: no comparison
  int steps   = 20;  ///< of a timed run
  int repeats = 3;   ///< timed runs; the fastest counts
  int parts   = 0;   ///< of one process; 0: one for each device
  std::vector<int> strong = {64};  ///< points of each whole grid in each direction; empty: no strong scaling
  Means means             = Means::choose;
  std::string picture, json;  ///< files to write; empty: none
  bool trace = false;         ///< the host waits for each phase of the border
  bool help  = false;
};

/// \throws std::runtime_error with the wrong argument and the allowed values
Options parse_options(int argc, char* argv[]);

extern char const* const usage;

#endif
