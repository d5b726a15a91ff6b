// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Findings about incompatible versions.

#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>

namespace Kokkos::Impl {

namespace {

std::string_view name_of(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

struct Toolkit {
  char const* name;
  char const* folder;  // the beginning of a release's folder name
};
constexpr Toolkit toolkits[] = {{"ROCm", "rocm-"}, {"CUDA", "cuda-"}};

/// The releases whose folders appear in a text, such as 6.2.0 in /opt/rocm-6.2.0/lib. A release that appears under
/// several names counts once.
std::vector<ReleaseNumber> releases_in(std::string_view text, std::string_view folder) {
  std::vector<ReleaseNumber> releases;
  for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    auto const release = parse_release(std::string(text.substr(at + folder.size(), 32)));
    if (release.is_known() && std::find(releases.begin(), releases.end(), release) == releases.end())
      releases.push_back(release);
  }
  return releases;
}

/// The release in the file name of a library of ROCm: libamdhip64.so.6.2.60200 is part of 6.2.0.
ReleaseNumber release_in_file_name(std::string_view path) {
  std::string_view const last = path.substr(path.find_last_of('.') + 1);
  if (!contains(name_of(path), ".so.") || last.size() < 5 || last.size() > 6 ||
      !std::all_of(last.begin(), last.end(), [](unsigned char c) { return std::isdigit(c); }))
    return {};
  int const number = std::atoi(std::string(last).c_str());
  return {number / 10000, number / 100 % 100, number % 100};
}

/// The release of the toolkit that contains a loaded library; zeros for libraries of other origin.
ReleaseNumber release_of_library(std::string const& path, Toolkit const& toolkit) {
  auto const in_path = releases_in(path, toolkit.folder);
  if (!in_path.empty()) return in_path.front();
  std::string_view const name = name_of(path);
  if (toolkit.name == std::string_view("ROCm")) {
    for (char const* known : {"libamdhip64", "libhsa-runtime64", "libamd_comgr", "libhiprtc"})
      if (name.starts_with(known)) return release_in_file_name(path);
  } else if (name.starts_with("libcudart.so.")) {
    return parse_release(std::string(name.substr(std::string_view("libcudart.so.").size())));
  }
  return {};
}

// Libraries of several releases in one process. This fault, from a report, is the reason for kokkos-doctor.
void find_mixed_libraries(MachineFacts const& facts, Toolkit const& toolkit, Findings& findings) {
  std::map<std::string, std::string> example;  // release -> one of its libraries
  for (std::string const& path : facts.libraries) {
    auto release = release_of_library(path, toolkit);
    if (!release.is_known()) continue;
    if (toolkit.name == std::string_view("CUDA"))
      release.patch = 0;  // the patch number of the library is not that of
                          // the toolkit
    example.emplace(to_text(release), path);
  }
  if (example.size() < 2) return;
  std::string seen = "this process has loaded libraries of several releases of " + std::string(toolkit.name) + ":";
  for (auto const& [release, path] : example)
    seen += ' ' + release + " (" + path + ')' + (path == example.rbegin()->second ? "." : ",");
  findings.push_back(
      {Severity::problem, Topic::software, "libraries", seen,
       "Let LD_LIBRARY_PATH and the program's run path name one release, and rebuild what was built with another."});
}

// Folders of several releases in the variables that select one.
void find_mixed_environment(MachineFacts const& facts, Toolkit const& toolkit, Findings& findings) {
  std::map<std::string, std::string> example;  // release -> the variable that contains it
  for (char const* variable :
       {"ROCM_PATH", "HIP_PATH", "ROCM_HOME", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH", "PATH"}) {
    for (ReleaseNumber const& release : releases_in(facts.variable(variable), toolkit.folder))
      example.emplace(to_text(release), variable);
  }
  if (example.size() < 2) return;
  std::string seen = "environment variables name several releases of " + std::string(toolkit.name) + ':';
  for (auto const& [release, variable] : example)
    seen += ' ' + release + " in " + variable + (release == example.rbegin()->first ? "." : ",");
  findings.push_back({Severity::problem, Topic::software, "environment", seen,
                      "Load the module of one release, or remove the others from these variables."});
}

void find_installations(MachineFacts const& facts, Toolkit const& toolkit, Findings& findings) {
  std::string list;
  int count = 0;
  for (Installation const& one : facts.installations) {
    if (one.toolkit != toolkit.name) continue;
    list += (list.empty() ? "" : ", ") + one.path + " (" + to_text(one.release) + ')';
    ++count;
  }
  if (count == 0) return;
  findings.push_back(
      {count > 1 ? Severity::note : Severity::ok, Topic::software, "installations",
       std::string(toolkit.name) + ": " + list + '.',
       count > 1 ? "Compile and run with the same one; the other findings report what this process uses." : ""});
}

void find_runtime(MachineFacts const& facts, Findings& findings) {
  if (!facts.toolkit.is_known() && !facts.runtime.is_known()) return;
  char const* const name = facts.vendor == GPUVendorName::amd ? "ROCm" : "CUDA";
  std::string const seen = std::string("built with ") + name + ' ' + to_text(facts.toolkit) + ", running with " +
                           to_text(facts.runtime) +
                           (facts.gpu_driver.empty() ? std::string() : ", driver " + facts.gpu_driver) + '.';
  // The release that a model of the runtime reports is that of its profile.
  bool const known = facts.toolkit.is_known() && facts.runtime.is_known() && !facts.is_model;
  if (known && facts.toolkit.major != facts.runtime.major) {
    findings.push_back({Severity::problem, Topic::software, "runtime", seen,
                        std::string("Run with the libraries of ") + name + ' ' + to_text(facts.toolkit) +
                            ", or build with " + to_text(facts.runtime) + '.'});
  } else if (known && facts.toolkit.minor != facts.runtime.minor) {
    findings.push_back(
        {Severity::note, Topic::software, "runtime", seen, "If kernels fail, build and run with one release."});
  } else {
    findings.push_back({Severity::ok, Topic::software, "runtime", seen, ""});
  }
}

void find_old_driver(MachineFacts const& facts, Findings& findings) {
  ReleaseNumber const driver = facts.driver_serves, runtime = facts.runtime;
  if (!driver.is_known() || !runtime.is_known() || facts.vendor != GPUVendorName::nvidia) return;
  if (driver.major > runtime.major || (driver.major == runtime.major && driver.minor >= runtime.minor)) return;
  bool const serves = driver.major == runtime.major;  // CUDA's minor versions are compatible
  std::string const seen =
      "the driver serves CUDA up to " + to_text(driver) + ", and the program uses " + to_text(runtime) + '.';
  findings.push_back(
      {serves ? Severity::note : Severity::problem, Topic::software, "driver", seen,
       serves ? "Kernels run; functions that are new in the toolkit are refused. A newer driver removes this limit."
              : "Install a newer driver, or build with a toolkit of CUDA " + std::to_string(driver.major) + '.'});
}

// The OpenMP runtime is found when the program starts, and may belong to another compiler.
void find_openmp_runtimes(MachineFacts const& facts, Findings& findings) {
  std::vector<std::string> runtimes;
  for (std::string const& path : facts.libraries) {
    std::string_view const name = name_of(path);
    if (name.starts_with("libgomp") || name.starts_with("libomp.") || name.starts_with("libomp-") ||
        name.starts_with("libiomp5"))
      runtimes.push_back(path);
  }
  if (runtimes.size() > 1) {
    findings.push_back(
        {Severity::problem, Topic::software, "OpenMP runtime",
         "this process has loaded " + runtimes[0] + " and " + runtimes[1] + '.',
         "Build all parts of the program with one compiler; two runtimes each start threads for every core."});
  }
  for (std::string const& path : runtimes) {
    std::size_t const folder = path.find("/llvm-");
    int const major          = folder == path.npos ? 0 : std::atoi(path.c_str() + folder + 6);
    if (major == 0 || facts.clang_major == 0 || major == facts.clang_major) continue;
    findings.push_back({major < facts.clang_major ? Severity::problem : Severity::note, Topic::software,
                        "OpenMP runtime",
                        path + " is of LLVM " + std::to_string(major) + ", and this library was compiled by clang " +
                            std::to_string(facts.clang_major) + '.',
                        "Install the runtime of LLVM " + std::to_string(facts.clang_major) +
                            ", or compile with clang " + std::to_string(major) + '.'});
  }
}

}  // namespace

void find_versions(MachineFacts const& facts, Findings& findings) {
  std::string backends;
  for (std::string const& name : facts.backends) backends += (backends.empty() ? "" : ", ") + name;
  findings.push_back({Severity::ok, Topic::software, "system",
                      (facts.system.empty() ? std::string("unknown kernel") : facts.system) + ", compiled by " +
                          facts.compiler + " for " + backends + '.',
                      ""});
  find_runtime(facts, findings);
  find_old_driver(facts, findings);
  find_openmp_runtimes(facts, findings);
  for (Toolkit const& toolkit : toolkits) {
    find_mixed_libraries(facts, toolkit, findings);
    find_mixed_environment(facts, toolkit, findings);
    find_installations(facts, toolkit, findings);
  }
}

}  // namespace Kokkos::Impl
