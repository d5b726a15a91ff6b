// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_ARGUMENTS_HPP
#define KOKKOS_RUNTIME_ARGUMENTS_HPP

/// \file
/// Where settings come from: the program, environment variables and command-line arguments, each over the one before.

#include <Kokkos_InitializationSettings.hpp>

#include <string>
#include <vector>

namespace Kokkos::Impl {

/// Settings from one source or several, with what is to be said about them.
struct ParsedSettings {
  InitializationSettings settings;
  bool help = false;                  ///< --kokkos-help was given
  std::vector<std::string> warnings;  ///< kept until it is known whether warnings are to be shown
};

/// The settings in KOKKOS_* variables. An empty variable counts as absent.
/// Throws std::runtime_error, which names variable, value and what is allowed.
ParsedSettings parse_environment();

/// The settings in `--kokkos-*` arguments. Recognised arguments are removed from argv; others stay and get a
/// warning. Throws std::runtime_error, and leaves argc and argv as they were, if a value is not valid.
ParsedSettings parse_arguments(int& argc, char* argv[]);

/// `over` where it says something, `base` elsewhere. A device that is named (by number or by strategy) in `over`
/// replaces both ways of naming one in `base`.
ParsedSettings merge(ParsedSettings const& base, ParsedSettings const& over);

/// Throws std::runtime_error if a value that the program set is not valid.
void check_settings(InitializationSettings const& settings);

/// The maximum number of threads that a setting may request here. More are a mistake: the requested threads
/// would not start, or use the machine up.
int max_num_threads();

/// The text of --kokkos-help.
std::string help_text();

}  // namespace Kokkos::Impl

#endif
