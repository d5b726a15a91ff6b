// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports.hpp"

#include "faults.hpp"

#include <cstdio>
#include <cstdlib>

namespace hip_model {

Reports& Reports::get() {
  static Reports* reports = new Reports;  // outlives static objects, whose destructors may still call HIP
  return *reports;
}

// HIP_MODEL_QUIET suppresses the output; HIP_MODEL_ABORT aborts at the first report, so that a debugger shows the call.
void Reports::add(Report report) {
  static bool const quiet = std::getenv("HIP_MODEL_QUIET") != nullptr, stop = std::getenv("HIP_MODEL_ABORT") != nullptr;
  if (!quiet)
    std::fprintf(stderr, "HIP model (a test instrument, not a GPU): violation of rule \"%s\" in %s\n",
                 report.rule.c_str(), report.message.c_str());
  if (stop) std::abort();
  std::lock_guard<std::mutex> lock(m_mutex);
  m_reports.push_back(std::move(report));
}

std::size_t Reports::count() {
  std::lock_guard<std::mutex> lock(m_mutex);
  return m_reports.size();
}
std::vector<Report> Reports::all() {
  std::lock_guard<std::mutex> lock(m_mutex);
  return m_reports;
}
void Reports::reset() {
  std::lock_guard<std::mutex> lock(m_mutex);
  m_reports.clear();
}

std::size_t violation_count() { return Reports::get().count(); }
std::vector<Report> reports() { return Reports::get().all(); }
Report last_report() {
  auto all = Reports::get().all();
  return all.empty() ? Report{} : all.back();
}

}  // namespace hip_model
