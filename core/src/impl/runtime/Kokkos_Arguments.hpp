// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_ARGUMENTS_HPP
#define KOKKOS_RUNTIME_ARGUMENTS_HPP

/// \file
/// The sources of settings: environment variables, and either the program's settings or command-line arguments, which
/// override the environment.

#include <Kokkos_InitializationSettings.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// Settings from one or several sources, and the warnings about them.
struct ParsedSettings {
  InitializationSettings settings;
  bool help = false;                  ///< --kokkos-help was given
  std::vector<std::string> warnings;  ///< kept until it is known whether warnings are enabled
};

/// The settings in KOKKOS_* variables. An empty variable counts as absent. Throws std::runtime_error with the variable,
/// its value and the allowed values.
ParsedSettings parse_environment();

/// The settings in `--kokkos-*` arguments. Recognised arguments are removed from argv; others are kept and get a
/// warning. If a value is not valid, throws std::runtime_error and leaves argc and argv unchanged.
ParsedSettings parse_arguments(int& argc, char* argv[]);

/// The settings of `over`, completed by those of `base`. If `over` selects a device (by number or by strategy), it
/// replaces both selections of `base`.
ParsedSettings merge(ParsedSettings const& base, ParsedSettings const& over);

/// Throws std::runtime_error if a value that the program set is not valid.
void check_settings(InitializationSettings const& settings);

/// The maximum number of threads that a setting may request here. A larger request is a mistake: the threads would not
/// start, or would exhaust the machine.
int max_num_threads();

/// Whether this library, or a tool that it loads, reads the environment variable. `name` begins with KOKKOS_.
bool is_known_variable(std::string const& name);
/// The variable that a misspelt one most likely means; empty if none is similar.
std::string closest_variable(std::string const& name);

/// The text of --kokkos-help.
std::string help_text();

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
