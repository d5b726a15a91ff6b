// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks the arguments of conv2d without Kokkos, so that scripts/demo can refuse wrong ones before it builds anything.
/// Exit status: 0 if they are valid, 1 with a message if not, 2 if they request help, which has been printed.

#include "Options.hpp"

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

int main(int argc, char* argv[]) try {
  std::vector<char*> own;
  for (int i = 0; i < argc; ++i) {
    if (!std::string_view(argv[i]).starts_with("--kokkos-")) own.push_back(argv[i]);
  }
  Options const options = parse_options(static_cast<int>(own.size()), own.data());
  if (options.help) {
    std::fputs(usage, stdout);
    return 2;
  }
  if (!options.picture.empty() && !std::filesystem::is_regular_file(options.picture)) {
    throw std::runtime_error(options.picture + ": there is no such file.");
  }
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "conv2d: %s\n", error.what());
  return 1;
}
