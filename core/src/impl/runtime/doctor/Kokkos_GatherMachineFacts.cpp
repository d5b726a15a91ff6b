// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The facts of the machine and of this process.

#include <impl/runtime/Kokkos_Arguments.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Configuration.hpp>
#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <exception>
#include <string_view>

#include <unistd.h>

namespace Kokkos::Impl {

namespace {

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view const text = *entry;
    std::size_t const equals    = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

}  // namespace

MachineFacts gather_machine_facts() {
  MachineFacts facts;
  facts.compiler = compiler_name();
#if defined(KOKKOS_COMPILER_CLANG)
  facts.clang_major = __clang_major__;
#endif
  for (auto backend = backend_table; *backend != nullptr; ++backend) {
    facts.backends.push_back((*backend)->name);
    if ((*backend)->gather_facts == nullptr) continue;
    try {
      (*backend)->gather_facts(facts);
    } catch (std::exception const& error) {
      facts.refused.push_back(std::string((*backend)->name) + ": " + error.what());
    }
  }
  gather_host_facts("", own_environment(), facts);
  for (auto const& [name, value] : facts.environment) {
    if (!name.starts_with("KOKKOS_") || is_known_variable(name)) continue;
    facts.unknown_variables.push_back({name, closest_variable(name)});
  }
  return facts;
}

}  // namespace Kokkos::Impl
