// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The record of waits.
///
/// A thread measures its wait in objects on its own stack, which only it can reach. It locks the record's mutex after the
/// wait, to add one number to a row, and holds no other lock of the record. The mutex is always the last one that a thread
/// locks: nothing inside it calls back. So the record can be used under any lock of the library.

#include <impl/runtime/Kokkos_KernelLabel.hpp>
#include <impl/runtime/Kokkos_WaitReport.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace Kokkos::Impl {

int waits_recorded = 0;

namespace {

using Clock = std::chrono::steady_clock;

constinit thread_local WaitScope* innermost = nullptr;
constinit thread_local bool is_waiting      = false;

std::atomic<int> waits_now{0};

struct Record {
  std::mutex mutex;  // guards everything
  std::map<std::pair<WaitReason, std::string>, WaitRow> rows;
  std::set<std::thread::id> threads;
  Clock::time_point begin, end;
};
// Never destroyed, because static objects of the program may wait after main.
Record& record() {
  static auto* const all = new Record;
  return *all;
}

// Programs may number their labels. The record then stays small, and has one row for all further labels of a reason.
constexpr std::size_t most_rows = 10000;

void add(WaitReason reason, std::string where, long long nanoseconds) {
  Record& r = record();
  std::lock_guard lock(r.mutex);
  auto row = r.rows.find({reason, where});
  if (row == r.rows.end()) {
    if (r.rows.size() >= most_rows) where = "(other labels)";
    row = r.rows.try_emplace({reason, where}, WaitRow{reason, where, 0, 0, 0}).first;
  }
  row->second.count += 1;
  row->second.nanoseconds += nanoseconds;
  row->second.longest = std::max(row->second.longest, nanoseconds);
  r.threads.insert(std::this_thread::get_id());
}

void add_quietly(WaitReason reason, char const* label, char const* to, long long nanoseconds) noexcept {
  if (reason == WaitReason::background) return;
  try {
    std::string where = label          ? '"' + std::string(label) + '"'
                        : kernel_label ? '"' + readable_kernel_label() + '"'
                                       : "";
    if (to) where += " to \"" + std::string(to) + '"';
    add(reason, std::move(where), nanoseconds);
  } catch (...) {  // No memory for a row. The program's own next allocation reports that.
  }
}

long long now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

WaitReason reason_of_fence(WaitReason given, char const* label) noexcept {
  static constexpr struct {
    std::string_view begin;
    WaitReason reason;
  } known[] = {
      {"Kokkos::fence: Unnamed", WaitReason::fence_of_all},
      {"Kokkos::View::init", WaitReason::view_initialization},
      {"Kokkos::View::destr", WaitReason::view_destruction},
      {"Kokkos::Tools::", WaitReason::tool_fence},
      {"Kokkos::deep_copy: fence of an instance", WaitReason::copy_in_other_space},
      {"Kokkos::deep_copy: fence before", WaitReason::copy_in_other_space},
  };
  std::string_view const text = label ? label : "";
  if (!text.starts_with("Kokkos::")) return given;
  for (auto const& row : known)
    if (text.starts_with(row.begin)) return row.reason;
  return text.ends_with("Unnamed Instance Fence") ? given : WaitReason::library_fence;
}

// Whether a scope covers a whole operation.
bool is_whole(WaitReason reason) noexcept {
  switch (reason) {
    case WaitReason::fence:
    case WaitReason::fence_of_all:
    case WaitReason::view_initialization:
    case WaitReason::view_destruction:
    case WaitReason::copy_in_other_space:
    case WaitReason::library_fence:
    case WaitReason::tool_fence:
    case WaitReason::copy_without_instance:
    case WaitReason::memory_short:
    case WaitReason::recording:
    case WaitReason::instance_end:
    case WaitReason::idle_memory:
    case WaitReason::finalize:
    case WaitReason::background:
      return true;
    default:
      return false;
  }
}

}  // namespace

void WaitScope::begin(WaitReason reason, char const* label, char const* to) noexcept {
  if (innermost && is_whole(innermost->m_reason)) return;
  if (reason == WaitReason::fence || reason == WaitReason::fence_of_all) reason = reason_of_fence(reason, label);
  bool const inherits = !label && innermost;
  m_label             = inherits ? innermost->m_label : label;
  m_to                = inherits ? innermost->m_to : to;
  m_outer             = innermost;
  m_nanoseconds       = 0;
  m_has_waited        = false;
  m_reason            = reason;
  m_active            = true;
  innermost           = this;
}

void WaitScope::end() noexcept {
  innermost = m_outer;
  if (m_has_waited) add_quietly(m_reason, m_label, m_to, m_nanoseconds);
}

void HostWait::begin(WaitReason reason, char const* label) noexcept {
  if (is_waiting) return;
  is_waiting = true;
  waits_now.fetch_add(1, std::memory_order_relaxed);
  m_active = true;
  m_reason = reason;
  m_label  = label;
  m_scope  = innermost;
  m_begin  = now();
}

void HostWait::end() noexcept {
  long long const nanoseconds = now() - m_begin;
  is_waiting                  = false;
  waits_now.fetch_sub(1, std::memory_order_relaxed);
  if (!m_scope) return add_quietly(m_reason, m_label, nullptr, nanoseconds);
  m_scope->m_nanoseconds += nanoseconds;
  m_scope->m_has_waited = true;
}

int waits_in_progress() noexcept { return waits_now.load(std::memory_order_relaxed); }

std::vector<WaitRow> recorded_waits() {
  Record& r = record();
  std::lock_guard lock(r.mutex);
  std::vector<WaitRow> rows;
  for (auto const& [key, row] : r.rows) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](WaitRow const& a, WaitRow const& b) {
    return a.nanoseconds != b.nanoseconds ? a.nanoseconds > b.nanoseconds : a.where < b.where;
  });
  return rows;
}

void start_wait_record() {
  Record& r = record();
  {
    std::lock_guard lock(r.mutex);
    r.rows.clear();
    r.threads.clear();
    r.begin = Clock::now();
  }
  __atomic_store_n(&waits_recorded, 1, __ATOMIC_RELAXED);
}

void stop_wait_record() noexcept {
  __atomic_store_n(&waits_recorded, 0, __ATOMIC_RELAXED);
  Record& r = record();
  std::lock_guard lock(r.mutex);
  r.end = Clock::now();
}

std::string wait_report() {
  std::vector<WaitRow> const rows = recorded_waits();
  Record& r                       = record();
  std::lock_guard lock(r.mutex);
  return wait_report(rows,
                     {std::chrono::duration<double>(r.end - r.begin).count(), static_cast<int>(r.threads.size())});
}

}  // namespace Kokkos::Impl
