// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs one check and prints one sentence. The exit status is 0 if the symptom is absent, 1 if it is present and 77 if it cannot
/// occur on this machine. Any other end, such as an exception or a signal, is the symptom, too.
#include "Symptom.hpp"
#include "symptoms_list.hpp"  // made by CMake: SYMPTOMS(X) is X(name) for each check

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

/// Each check is defined in the source of its name.
#define DECLARE(name) symptom::Report name();
SYMPTOMS(DECLARE)

int main(int argc, char* argv[]) {
  // Otherwise CUDA loads a kernel at its first launch, and waits for the device meanwhile: a wait of no library.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  Kokkos::initialize(argc, argv);
  char const* const wanted = argc > 1 ? argv[1] : "";
  symptom::Check check     = nullptr;
#define CHOOSE(name) \
  if (std::strcmp(wanted, #name) == 0) check = &name;
  SYMPTOMS(CHOOSE)
  if (check == nullptr) {
    std::printf("usage: symptoms NAME; \"%s\" is no name of a symptom in this program\n", wanted);
    return 2;
  }
  try {
    auto const report = check();
    std::printf("%s\n", report.sentence.c_str());
    std::fflush(stdout);
    if (report.finding == symptom::Finding::present) std::_Exit(1);  // what is broken may break finalize, too
    Kokkos::finalize();
    return report.finding == symptom::Finding::absent ? 0 : 77;
  } catch (std::exception const& e) {
    std::printf("exception: %s\n", e.what());
    std::fflush(stdout);
    std::_Exit(1);
  }
}
