// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

char const* const usage =
    "usage: conv2d [picture.png] [options]\n"
    "Applies a bank of convolution filters to a picture and writes each output channel as a PNG file.\n"
    "Without a picture it renders one.\n"
    "  --channels N[,N...]   output channels; one run for each number (default 16,32)\n"
    "  --filter-size K       filters of K x K pixels, K odd (default 7)\n"
    "  --repeat R            runs per measurement, of which the best counts (default 5)\n"
    "  --out DIR             folder for the results, which must exist (default: this one)\n"
    "  --render FILE         only write the rendered picture to FILE\n"
    "Arguments that begin with --kokkos- go to Kokkos.\n";

namespace {

int parse_number(std::string_view option, std::string_view text, int low, int high) {
  int value        = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw std::runtime_error(std::string(option) + " takes a number from " + std::to_string(low) + " to " +
                             std::to_string(high) + ", not \"" + std::string(text) + "\".");
  }
  return value;
}

std::vector<int> parse_channels(std::string_view text) {
  std::vector<int> channels;
  for (;;) {
    auto const comma = text.find(',');
    channels.push_back(parse_number("--channels", text.substr(0, comma), 1, 1024));
    if (comma == std::string_view::npos) return channels;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Options parse_options(int argc, char* argv[]) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto value                      = [&]() -> std::string_view {
      if (i + 1 == argc) throw std::runtime_error(std::string(argument) + " needs a value after it.");
      return argv[++i];
    };
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--channels") {
      options.channels = parse_channels(value());
    } else if (argument == "--filter-size") {
      options.filter_size = parse_number(argument, value(), 1, 31);
      if (options.filter_size % 2 == 0) throw std::runtime_error("--filter-size takes an odd number.");
    } else if (argument == "--repeat") {
      options.repeat = parse_number(argument, value(), 1, 1000);
    } else if (argument == "--out") {
      options.out = value();
    } else if (argument == "--render") {
      options.render = value();
    } else if (argument.starts_with("-")) {
      throw std::runtime_error("conv2d has no option \"" + std::string(argument) + "\"; --help lists those it has.");
    } else if (options.picture.empty()) {
      options.picture = argument;
    } else {
      throw std::runtime_error("conv2d takes one picture, but was given \"" + options.picture + "\" and \"" +
                               std::string(argument) + "\".");
    }
  }
  return options;
}
