// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The list of all findings, and their output.

#include <impl/runtime/doctor/Kokkos_Findings.hpp>

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace Kokkos::Impl {

namespace {

char const* to_text(Severity severity) {
  return severity == Severity::ok ? "ok" : severity == Severity::note ? "note" : "problem";
}

std::string quoted(std::string const& text) {
  std::string json = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  return json + '"';
}

// The output is one line, whatever a variable or a file contains.
std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

Findings examine(MachineFacts const& facts) {
  Findings findings;
  find_versions(facts, findings);
  find_devices(facts, findings);
  find_caches(facts, findings);
  find_host_limits(facts, findings);
  find_processors(facts, findings);
  find_settings(facts, findings);
  find_refusals(facts, findings);
  return findings;
}

bool has_problem(Findings const& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](Finding const& f) { return f.severity == Severity::problem; });
}

void print_findings(std::ostream& out, Findings const& findings) {
  for (Finding const& f : findings) {
    std::string severity = to_text(f.severity);
    severity.resize(9, ' ');
    out << severity << one_line(f.subject + ": " + f.seen + (f.advice.empty() ? "" : ' ' + f.advice)) << '\n';
  }
}

void print_findings_as_json(std::ostream& out, Findings const& findings) {
  out << "{\n  \"findings\": [";
  char const* separator = "\n";
  for (Finding const& f : findings) {
    out << separator << "    {\"severity\": " << quoted(to_text(f.severity)) << ", \"subject\": " << quoted(f.subject)
        << ", \"seen\": " << quoted(f.seen) << ", \"advice\": " << quoted(f.advice) << '}';
    separator = ",\n";
  }
  out << "\n  ],\n  \"problems\": " << std::count_if(findings.begin(), findings.end(), [](Finding const& f) {
    return f.severity == Severity::problem;
  }) << "\n}\n";
}

std::string explain_failure(Findings const& findings, bool is_device) {
  constexpr int maximum = 3;  // further findings are left out; kokkos-doctor prints all
  std::string text;
  int count = 0;
  for (Finding const& f : findings) {
    bool const is_of_devices = f.topic == Topic::devices || f.topic == Topic::caches || f.topic == Topic::software;
    bool const is_of_host    = f.topic == Topic::host || f.topic == Topic::software;
    if (f.severity != Severity::problem || !(is_device ? is_of_devices : is_of_host) || count++ >= maximum) continue;
    text += " kokkos-doctor finds: " + f.subject + ": " + f.seen + ' ' + f.advice;
  }
  return one_line(text);
}

}  // namespace Kokkos::Impl
