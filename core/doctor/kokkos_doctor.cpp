// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// kokkos-doctor reports possible faults of this machine for programs that use Kokkos. It does not initialize Kokkos,
/// needs no GPU and changes nothing.

#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>

namespace {

char const usage[] =
    "usage: kokkos-doctor [--json]\n"
    "Reports what it finds about this machine, one line for each finding: ok, note or problem, what was seen, what to "
    "do.\n"
    "  --json   the same for machines\n"
    "The exit status is 0, 1 if a problem was found, and 2 if the report could not be made.\n";

}  // namespace

int main(int argc, char* argv[]) try {
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
      std::fputs(usage, stdout);
      return 0;
    } else {
      std::fprintf(stderr, "kokkos-doctor: there is no argument '%s'.\n%s", argv[i], usage);
      return 2;
    }
  }
  auto const findings = Kokkos::Impl::examine(Kokkos::Impl::gather_machine_facts());
  if (json) {
    Kokkos::Impl::print_findings_as_json(std::cout, findings);
  } else {
    Kokkos::Impl::print_findings(std::cout, findings);
  }
  std::cout.flush();
  if (!std::cout) {
    std::fputs("kokkos-doctor: the report could not be written to the standard output.\n", stderr);
    return 2;
  }
  return Kokkos::Impl::has_problem(findings) ? 1 : 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "kokkos-doctor: %s\n", error.what());
  return 2;
}
