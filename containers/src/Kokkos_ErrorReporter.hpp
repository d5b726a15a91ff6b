// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KOKKOS_ERRORREPORTER_HPP
#define KOKKOS_ERRORREPORTER_HPP

/// \file
/// ErrorReporter: the first errors that work items of a kernel report, and the number of all errors.

#include <Kokkos_Core.hpp>

#include <climits>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace Kokkos::Experimental {

/// Keeps as many reports as its capacity; later ones are only counted. Copies share their reports. The functions for
/// the host wait for all kernels.
template <class ReportType, class DeviceType = DefaultExecutionSpace::device_type>
class ErrorReporter {
 public:
  using report_type     = ReportType;                             ///< what add_report stores
  using device_type     = DeviceType;                             ///< the execution and memory space
  using execution_space = typename device_type::execution_space;  ///< its kernels report

  /// Allocates memory for `size` reports, under labels that begin with `label`.
  ErrorReporter(std::string const& label, int size)
      : m_attempts(label + " attempts"), m_reports(label + " reports", size), m_reporters(label + " reporters", size) {}
  /// Like the constructor above, with a default label.
  explicit ErrorReporter(int size) : ErrorReporter("Kokkos::ErrorReporter", size) {}

  /// Maximum number of reports.
  int capacity() const { return m_reports.extent_int(0); }
  /// Number of stored reports.
  int num_reports() const {
    int const attempts = num_report_attempts();
    return attempts < capacity() ? attempts : capacity();
  }
  /// Number of all reports, stored or not.
  int num_report_attempts() const {
    unsigned long long attempts = 0;
    Kokkos::deep_copy(attempts, m_attempts);
    return attempts < INT_MAX ? static_cast<int>(attempts) : INT_MAX;
  }
  /// Whether the next report would not be stored.
  bool full() const { return num_report_attempts() >= capacity(); }

  /// The reporters and their reports, in the same order.
  std::pair<std::vector<int>, std::vector<report_type>> get_reports() const {
    std::size_t const n = static_cast<std::size_t>(num_reports());
    std::pair<std::vector<int>, std::vector<report_type>> result{std::vector<int>(n), std::vector<report_type>(n)};
    copy_out(m_reporters, result.first.data(), n);
    copy_out(m_reports, result.second.data(), n);
    return result;
  }

  /// Removes all reports.
  void clear() const { Kokkos::deep_copy(m_attempts, 0ull); }
  /// Changes the capacity. Reports that fit into the new one are kept.
  void resize(std::size_t size) {
    Kokkos::resize(m_reports, size);
    Kokkos::resize(m_reporters, size);
  }

  /// In a kernel: reports an error. Returns false if it could not be stored.
  KOKKOS_FUNCTION bool add_report(int reporter_id, report_type const& report) const {
    unsigned long long const at = Kokkos::atomic_fetch_add(m_attempts.data(), 1ull);
    if (at >= m_reports.extent(0)) return false;
    m_reporters(at) = reporter_id;
    m_reports(at)   = report;
    return true;
  }

  /// @{
  /// The names of the functions above from before Kokkos 5. getReports resizes its arguments.
  int getCapacity() const { return capacity(); }
  int getNumReports() const { return num_reports(); }
  int getNumReportAttempts() const { return num_report_attempts(); }
  void getReports(std::vector<int>& reporters, std::vector<report_type>& reports) const {
    auto result = get_reports();
    reporters   = std::move(result.first);
    reports     = std::move(result.second);
  }
  void getReports(typename View<int*, device_type>::host_mirror_type& reporters,
                  typename View<report_type*, device_type>::host_mirror_type& reports) const {
    auto const n = static_cast<std::size_t>(num_reports());
    reporters    = typename View<int*, device_type>::host_mirror_type("Kokkos::ErrorReporter: reporters", n);
    reports      = typename View<report_type*, device_type>::host_mirror_type("Kokkos::ErrorReporter: reports", n);
    copy_out(m_reporters, reporters.data(), n);
    copy_out(m_reports, reports.data(), n);
  }
  /// @}

 private:
  template <class T>
  static void copy_out(View<T*, device_type> const& from, T* to, std::size_t n) {
    Kokkos::deep_copy(View<T*, HostSpace, MemoryUnmanaged>(to, n),
                      Kokkos::subview(from, std::pair<std::size_t, std::size_t>(0, n)));
  }

  View<unsigned long long, device_type> m_attempts;
  View<report_type*, device_type> m_reports;
  View<int*, device_type> m_reporters;
};

}  // namespace Kokkos::Experimental

#endif
