// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>

char const* const usage =
    "usage: halo [options]                  one process; a part of the grid for each device\n"
    "       mpirun -n N halo [options]      N processes; a part for each\n"
    "Solves the heat equation in a box, compares the result with that of one part, and prints how the time of a step "
    "scales\n"
    "from one part to all of them.\n"
    "  --weak N          points of each part in each direction (default 64); 0 leaves weak scaling out\n"
    "  --strong N[,N...] points of the whole grid in each direction (default 64), of each grid in a list; 0 leaves "
    "strong "
    "scaling out\n"
    "  --check N         points of the grid that is compared, in each direction (default 40); 0 leaves it out\n"
    "  --steps N         steps of a timed run (default 20)\n"
    "  --repeats N       timed runs, of which the fastest counts (default 3)\n"
    "  --parts N         parts of one process (default: one for each device, or one)\n"
    "  --exchange MEANS  how faces reach the neighbours:\n"
    "                      peer    copies between the devices of one process\n"
    "                      direct  MPI gets device memory\n"
    "                      staged  MPI gets pageable host memory, which Kokkos copies to and from the device\n"
    "                      pinned  the same with pinned host memory\n"
    "                      nccl    NCCL or RCCL\n"
    "                      auto    peer in one process, otherwise direct if the MPI says that it can, otherwise "
    "pinned\n"
    "  --trace           wait for each phase of a step, so that a tool records its end: slower, for pictures of a "
    "step\n"
    "  --picture FILE    write the middle of the compared grid as a picture (PNG)\n"
    "  --json FILE       write the times\n"
    "Arguments that begin with --kokkos- go to Kokkos.\n";

namespace {

int parse_number(std::string_view option, std::string_view text, int low, int high) {
  int value              = 0;
  auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    throw std::runtime_error(std::string(option) + " takes a number from " + std::to_string(low) + " to " +
                             std::to_string(high) + ", not \"" + std::string(text) + "\".");
  }
  return value;
}

/// Zero, or enough points for several parts.
int parse_points(std::string_view option, std::string_view text) {
  int const points = parse_number(option, text, 0, 16384);
  if (points != 0 && points < 8) {
    throw std::runtime_error(std::string(option) + " takes 0 or a number of points from 8 to 16384, not \"" +
                             std::string(text) + "\".");
  }
  return points;
}

/// Numbers of points with commas between them; zeros are left out.
std::vector<int> parse_list(std::string_view option, std::string_view text) {
  std::vector<int> result;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    result.push_back(parse_points(option, text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  result.push_back(parse_points(option, text));
  std::erase(result, 0);
  return result;
}

Means parse_means(std::string_view text) {
  for (Means const means : {Means::choose, Means::peer, Means::direct, Means::staged, Means::pinned, Means::nccl}) {
    if (text == name_of(means)) return means;
  }
  throw std::runtime_error("--exchange takes peer, direct, staged, pinned, nccl or auto, not \"" + std::string(text) +
                           "\".");
}

}  // namespace

Options parse_options(int argc, char* argv[]) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    auto const value                = [&]() -> std::string_view {
      if (i + 1 == argc) throw std::runtime_error(std::string(argument) + " needs a value after it.");
      return argv[++i];
    };
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--weak") {
      options.weak = parse_points(argument, value());
    } else if (argument == "--strong") {
      options.strong = parse_list(argument, value());
    } else if (argument == "--check") {
      options.check = parse_points(argument, value());
    } else if (argument == "--steps") {
      options.steps = parse_number(argument, value(), 1, 1000000);
    } else if (argument == "--repeats") {
      options.repeats = parse_number(argument, value(), 1, 1000);
    } else if (argument == "--parts") {
      options.parts = parse_number(argument, value(), 1, 1024);
    } else if (argument == "--exchange") {
      options.means = parse_means(value());
    } else if (argument == "--trace") {
      options.trace = true;
    } else if (argument == "--picture") {
      options.picture = value();
    } else if (argument == "--json") {
      options.json = value();
    } else {
      throw std::runtime_error("halo has no option \"" + std::string(argument) + "\"; --help lists those it has.");
    }
  }
  if (!options.picture.empty() && options.check == 0) {
    throw std::runtime_error(
        "--picture shows the compared grid, but --check 0 leaves it out: give --check its points.");
  }
  return options;
}
