// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_CONFIGURATION_HPP
#define KOKKOS_RUNTIME_CONFIGURATION_HPP

/// \file
/// The configuration that the library was built with.

#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(hidden)  // for the sources of the library alone
namespace Kokkos::Impl {

/// The commit that was configured, followed by "-dirty" if there were changes; empty if the source is not a checkout.
extern char const* const source_commit;

/// Pairs of a key and a value that describe the build: version, compiler, options, default spaces.
std::vector<std::pair<std::string, std::string>> configuration();

/// The compiler that built this library, with its version.
std::string compiler_name();

/// Passes these pairs to a tool that accepts metadata.
void declare_configuration_to_tools();

/// The name with which this program was started.
std::string program_name();
void set_program_name(char const* name);

}  // namespace Kokkos::Impl
#pragma GCC visibility pop

#endif
