// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_RUNTIME_DOCTOR_FINDINGS_HPP
#define KOKKOS_RUNTIME_DOCTOR_FINDINGS_HPP

/// \file
/// The conclusions of kokkos-doctor from facts.

#include <impl/runtime/doctor/Kokkos_MachineFacts.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace Kokkos::Impl {

enum class Severity { ok, note, problem };

/// The subject area of a finding.
enum class Topic { software, devices, caches, host, settings };

struct Finding {
  Severity severity;
  Topic topic;
  std::string subject;  ///< one or two words
  std::string seen;
  std::string advice;  ///< empty if no action is needed
};
using Findings = std::vector<Finding>;

#pragma GCC visibility push(hidden)
// Each function appends its findings, and reads only the facts.
void find_versions(MachineFacts const&, Findings&);     ///< compiler, toolkit, runtime, driver, loaded libraries
void find_devices(MachineFacts const&, Findings&);      ///< GPUs, memory, links, peers, device files, unified memory
void find_caches(MachineFacts const&, Findings&);       ///< folders of the vendors' runtimes
void find_host_limits(MachineFacts const&, Findings&);  ///< ulimits and cgroups
void find_processors(MachineFacts const&, Findings&);   ///< processors, affinity, NUMA, OpenMP's binding
void find_settings(MachineFacts const&, Findings&);     ///< Kokkos' environment variables
void find_refusals(MachineFacts const&, Findings&);     ///< queries that the system refused
#pragma GCC visibility pop

/// All of the above.
Findings examine(MachineFacts const& facts);

bool has_problem(Findings const& findings);

/// One line for each finding: severity, subject, what was seen, what to do.
void print_findings(std::ostream& out, Findings const& findings);
/// {"findings": [{"severity": "ok", "subject": ..., "seen": ..., "advice": ...}, ...], "problems": 0}
void print_findings_as_json(std::ostream& out, Findings const& findings);

/// The problems that can explain why a backend was not initialized, as sentences to append to its error; empty if there
/// are none. `is_device`: the backend runs on a GPU.
[[gnu::visibility("hidden")]] std::string explain_failure(Findings const& findings, bool is_device);

}  // namespace Kokkos::Impl

#endif
