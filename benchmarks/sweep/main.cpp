// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// usage: sweep [--in-step | --count] [--sizes N,N...] [--only REGEX] [--ms MILLISECONDS]
///
/// Prints `space TAB name` of the execution space, and a line `name TAB size TAB microseconds TAB bytes` for each row.
/// `compare.py` runs several builds in step, and `counts.py` compares the tables of two builds that count.

#include "Sweep.hpp"

#include <cstdlib>
#include <sstream>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::string sizes   = "1e3,1e6,5e7", only;
  double milliseconds = 20;
  bool in_step = false, counts = false;
  for (int i = 1; i < argc; ++i) {
    std::string const option = argv[i];
    if (option == "--in-step") {
      in_step = true;
    } else if (option == "--count") {
      counts = true;
    } else if (i + 1 < argc) {
      ++i;
      if (option == "--sizes") sizes = argv[i];
      if (option == "--only") only = argv[i];
      if (option == "--ms") milliseconds = std::atof(argv[i]);
    }
  }
  std::printf("space\t%s\n", sweep::Exec::name());
  std::vector<std::size_t> numbers;
  std::istringstream stream(sizes);
  for (std::string size; std::getline(stream, size, ',');)
    numbers.push_back(static_cast<std::size_t>(std::atof(size.c_str())));
  sweep::Sweep const sweep(numbers, only, milliseconds, in_step, counts);
  for (auto* part : {sweep::patterns, sweep::reductions, sweep::scans, sweep::ranges, sweep::teams, sweep::algorithms,
                     sweep::searches, sweep::selections, sweep::sorts, sweep::atomics, sweep::numbers,
                     sweep::containers, sweep::memory, sweep::solvers, sweep::maps, sweep::transfers})
    part(sweep);
}
