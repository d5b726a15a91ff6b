// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PIPELINE_OPTIONS_HPP
#define PIPELINE_OPTIONS_HPP

/// \file
/// The command line of pipeline.

#include "ChaCha20.hpp"

#include <cstdint>
#include <string>
#include <vector>

enum class Memory {
  pageable,  ///< pageable memory of the program
  pinned,    ///< allocated by the GPU's runtime
};

struct Options {
  std::string in;                         ///< the file to read; empty: generated data
  std::string out;                        ///< the file to write; empty: results are dropped
  std::uint64_t generate     = 0;         ///< bytes of generated data
  std::size_t chunk          = 32 << 20;  ///< bytes that an instance processes at a time; whole blocks
  std::vector<int> instances = {1, 4};    ///< one run for each
  std::vector<Memory> memory = {Memory::pageable, Memory::pinned};  ///< one run for each
  ChaCha20 cipher            = {};
  bool check                 = false;  ///< compare everything with a plain loop on the host
  bool progress              = false;  ///< print progress even if the output is not a terminal
  bool help                  = false;
};

/// \throws std::runtime_error with the wrong argument and the allowed values.
Options parse_options(int argc, char* argv[]);

extern char const* const usage;

#endif
