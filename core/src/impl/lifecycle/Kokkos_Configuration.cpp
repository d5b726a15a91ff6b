// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// print_configuration, and the configuration metadata for tools.

#include <Kokkos_Assert.hpp>
#include <Kokkos_Initialize.hpp>
#include <Kokkos_Profiling_Interface.hpp>
#include <impl/runtime/Kokkos_Backend.hpp>
#include <impl/runtime/Kokkos_Configuration.hpp>
#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <cerrno>
#include <mutex>
#include <ostream>

namespace Kokkos {

namespace {

/// The text of a version that is 10000 * major + 100 * minor + patch.
std::string version_text(int version) {
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
         std::to_string(version % 100);
}

std::string implementation() {
  std::string const commit = Impl::source_commit;
  return "Kokkos Steadfast " + version_text(KOKKOS_STEADFAST_VERSION) + ", " +
         (commit.empty() ? std::string("commit unknown") : "commit " + commit);
}

}  // namespace

std::string Impl::compiler_name() {
#if defined(KOKKOS_COMPILER_NVCC)
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
#elif defined(KOKKOS_COMPILER_CLANG)
  return std::string("clang ") + __clang_version__;
#elif defined(KOKKOS_COMPILER_GNU)
  return std::string("gnu ") + __VERSION__;
#else
  return "unknown";
#endif
}

namespace {

std::string backend_names() {
  std::string names;
  for (auto backend = Impl::backend_table; *backend != nullptr; ++backend)
    names += (names.empty() ? "" : ", ") + std::string((*backend)->name);
  return names;
}

std::mutex name_mutex;  // guards `name`
std::string name;

// "yes" if the macro expands to something other than its own name.
#define KOKKOS_IMPL_OPTION(x) {#x, std::string(KOKKOS_IMPL_TEXT_OF(x)) == #x ? "no" : "yes"}

}  // namespace

std::vector<std::pair<std::string, std::string>> Impl::configuration() {
  return {
      {"Kokkos Version", version_text(KOKKOS_VERSION)},
      {"Implementation", implementation()},
      {"Compiler", compiler_name()},
      {"C++ standard", std::to_string(__cplusplus)},
      {"Backends", backend_names()},
      {"Alignment of allocations", std::to_string(KOKKOS_MEMORY_ALIGNMENT)},
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_DEBUG),
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK),
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_DEBUG_DUALVIEW_MODIFY_CHECK),
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_DEPRECATED_CODE_4),
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_PRAGMA_IVDEP),
      KOKKOS_IMPL_OPTION(KOKKOS_ENABLE_TUNING),
  };
}

void Impl::declare_configuration_to_tools() {
  if (!Tools::profileLibraryLoaded()) return;
  for (auto const& [key, value] : configuration()) Tools::declareMetadata(key, value);
}

std::string Impl::program_name() {
  std::lock_guard lock(name_mutex);
  if (!name.empty()) return name;
#ifdef __GLIBC__
  return program_invocation_name;
#else
  return "kokkos";
#endif
}

void Impl::set_program_name(char const* given) {
  std::lock_guard lock(name_mutex);
  name = given;
}

void print_configuration(std::ostream& out, bool verbose) {
  for (auto const& [key, value] : Impl::configuration()) out << key << ": " << value << '\n';
  out << "Warnings: " << (show_warnings() ? "shown" : "disabled") << '\n'
      << "Tuning of launch parameters: " << (tune_internals() ? "yes" : "no") << '\n'
      << "Tool: " << (Tools::profileLibraryLoaded() ? "yes" : "no") << '\n';
  for (auto backend = Impl::backend_table; *backend != nullptr; ++backend)
    (*backend)->print_configuration(out, verbose);
  if (!verbose) return;
  out << "Findings about this machine and process, as kokkos-doctor reports them:\n";
  Impl::print_findings(out, Impl::examine(Impl::gather_machine_facts()));
}

}  // namespace Kokkos
