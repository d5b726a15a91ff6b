// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Findings about the host: limits, processors, environment variables, and queries that were refused.

#include <impl/runtime/Kokkos_Error.hpp>
#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace Kokkos::Impl {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string size_text(std::int64_t bytes) {
  return bytes == Limits::unlimited ? std::string("unlimited") : human_memory_size(std::size_t(bytes));
}

bool is_below(std::int64_t limit, std::int64_t value) { return limit >= 0 && limit < value; }

void find_limit(Findings& findings, char const* subject, std::string const& seen, bool is_low, Severity low,
                std::string const& advice) {
  findings.push_back({is_low ? low : Severity::ok, Topic::host, subject, seen + '.', is_low ? advice : ""});
}

int threads_wanted(MachineFacts const& facts) {
  for (char const* name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"})
    if (int const threads = std::atoi(facts.variable(name).c_str()); threads > 0) return threads;
  return 0;
}

constexpr std::int64_t mebibyte = 1 << 20;

}  // namespace

void find_host_limits(MachineFacts const& facts, Findings& findings) {
  Limits const& limits = facts.limits;
  if (limits.locked_memory != Limits::unknown) {
    find_limit(findings, "locked memory", "limit " + size_text(limits.locked_memory),
               is_below(limits.locked_memory, 64 * mebibyte), Severity::note,
               "MPI over fast networks pins memory under this limit: ulimit -l unlimited, or memlock in limits.conf.");
  }
  if (limits.stack != Limits::unknown) {
    find_limit(findings, "stack", "limit " + size_text(limits.stack), is_below(limits.stack, 8 * mebibyte),
               Severity::note,
               "Functors with large arrays may overflow it: ulimit -s 8192, and OMP_STACKSIZE for the other threads.");
  }
  std::int64_t const processors = std::max<std::int64_t>(1, std::int64_t(facts.allowed_processors.size()));
  auto const find_processes     = [&](char const* subject, std::int64_t limit, char const* advice) {
    if (limit == Limits::unknown) return;
    find_limit(findings, subject,
                   "limit " + (limit == Limits::unlimited ? std::string("unlimited") : std::to_string(limit)),
                   is_below(limit, 4 * processors), Severity::problem, advice);
  };
  find_processes("processes", limits.processes,
                 "It counts threads, too, which would not start: ulimit -u with a larger number.");
  find_processes("processes of the cgroup", facts.cgroup.processes,
                 "It counts threads, too, which would not start: raise pids.max (docker run --pids-limit).");
  if (facts.cgroup.memory != Limits::unknown && facts.cgroup.memory != Limits::unlimited &&
      (facts.memory < 0 || facts.cgroup.memory < facts.memory)) {
    findings.push_back({Severity::note, Topic::host, "memory of the cgroup",
                        "limit " + size_text(facts.cgroup.memory) +
                            (facts.memory > 0 ? " of " + size_text(facts.memory) : std::string()) + '.',
                        "A process that uses more is ended. Pinned memory counts."});
  } else if (facts.memory > 0) {
    findings.push_back({Severity::ok, Topic::host, "memory", size_text(facts.memory) + '.', ""});
  }
}

void find_processors(MachineFacts const& facts, Findings& findings) {
  int const allowed      = static_cast<int>(facts.allowed_processors.size());
  std::string const bind = facts.variable("OMP_PROC_BIND");
  bool const is_bound    = !bind.empty() && bind != "false" && bind != "FALSE";
  if (facts.processors_online > 0 || allowed > 0) {
    std::string seen =
        (facts.processors_online > 0 ? std::to_string(facts.processors_online) : std::string("an unknown number of")) +
        " processors are online";
    if (allowed > 0) seen += ", this thread may use " + std::to_string(allowed);
    if (facts.numa_nodes > 0) seen += ", NUMA nodes: " + std::to_string(facts.numa_nodes);
    bool const is_alone = allowed == 1 && facts.processors_online > 1;
    findings.push_back(
        {is_alone ? Severity::note : Severity::ok, Topic::host, "processors", seen + '.',
         !is_alone ? ""
         : is_bound
             ? "OMP_PROC_BIND=" + bind +
                   " binds the main thread to one place; threads that it starts by other means inherit that."
             : std::string(
                   "The launcher or taskset binds this process to one; request more from it (srun --cpus-per-task).")});
  }
  if (facts.cgroup.processors > 0 && allowed > 0 && facts.cgroup.processors < allowed) {
    findings.push_back({Severity::note, Topic::host, "processors of the cgroup",
                        "the quota is " + number(facts.cgroup.processors) + " processors, and threads may run on " +
                            std::to_string(allowed) + '.',
                        "The system suspends threads beyond the quota: set OMP_NUM_THREADS to the quota."});
  }
  if (int const threads = threads_wanted(facts); threads > 0 && allowed > 1 && threads > allowed) {
    findings.push_back({Severity::note, Topic::host, "threads",
                        std::to_string(threads) + " threads are requested, and this process may use " +
                            std::to_string(allowed) + " processors.",
                        "Request at most as many, or give the process more."});
  }
  if (std::find(facts.backends.begin(), facts.backends.end(), "OpenMP") == facts.backends.end()) return;
  findings.push_back(
      {bind.empty() ? Severity::note : Severity::ok, Topic::host, "binding of threads",
       bind.empty() ? "OMP_PROC_BIND is not set, so threads may move between processors."
                    : "OMP_PROC_BIND=" + bind +
                          (facts.variable("OMP_PLACES").empty() ? std::string()
                                                                : ", OMP_PLACES=" + facts.variable("OMP_PLACES")) +
                          '.',
       bind.empty() ? "For one process on the node set OMP_PROC_BIND=spread and OMP_PLACES=threads; where several "
                      "share it, OMP_PROC_BIND=false."
                    : ""});
}

void find_settings(MachineFacts const& facts, Findings& findings) {
  for (auto const& [name, value] : facts.environment) {
    if (!name.starts_with("KOKKOS_")) continue;
    auto const unknown = std::find_if(facts.unknown_variables.begin(), facts.unknown_variables.end(),
                                      [&, key = &name](auto const& u) { return u.variable == *key; });
    if (unknown == facts.unknown_variables.end()) {
      findings.push_back({Severity::ok, Topic::settings, "variable", name + '=' + value + " is set.", ""});
    } else if (unknown->meant.empty()) {
      findings.push_back({Severity::note, Topic::settings, "variable", name + " is set, and Kokkos does not read it.",
                          "The argument --kokkos-help lists the variables that it reads."});
    } else {
      findings.push_back({Severity::problem, Topic::settings, "variable",
                          name + '=' + value + " is set, and Kokkos does not read it.",
                          "Probably " + unknown->meant + " is meant."});
    }
  }
}

void find_refusals(MachineFacts const& facts, Findings& findings) {
  for (std::string const& sentence : facts.refused)
    findings.push_back({Severity::note, Topic::host, "query", sentence, ""});
}

}  // namespace Kokkos::Impl
