// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The record of memory by labels, while a program requests one.

#include <Kokkos_IdleMemory.hpp>
#include <impl/tools/Kokkos_ToolsHooks.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace Kokkos {

namespace Impl {

int memory_is_recorded = 0;

namespace {

/// The mutex guards everything. A row is erased with its last allocation, so labels that a program numbers do not
/// accumulate. The object is never destroyed, because views may end after static objects.
class MemoryLabels {
 public:
  static MemoryLabels& get() {
    static auto* const labels = new MemoryLabels;
    return *labels;
  }

  void start() {
    std::lock_guard const lock(m_mutex);
    __atomic_store_n(&memory_is_recorded, 1, __ATOMIC_RELAXED);
  }
  /// Forgets what was recorded, since the ends of allocations will not be reported any more.
  void stop() {
    std::lock_guard const lock(m_mutex);
    __atomic_store_n(&memory_is_recorded, 0, __ATOMIC_RELAXED);
    m_allocations.clear();
    m_rows.clear();
  }

  void add(char const* space, char const* label, void const* p, std::size_t bytes) {
    std::lock_guard const lock(m_mutex);
    if (!memory_is_recorded) return;  // stopped since the caller looked
    auto const row = m_rows.try_emplace({space, label ? label : ""}).first;
    if (!m_allocations.try_emplace(p, Allocation{row, bytes}).second) return;
    row->second.bytes += bytes;
    ++row->second.count;
  }
  void remove(void const* p) noexcept {
    std::lock_guard const lock(m_mutex);
    auto const found = m_allocations.find(p);
    if (found == m_allocations.end()) return;  // older than the record
    auto const [row, bytes] = found->second;
    m_allocations.erase(found);
    row->second.bytes -= bytes;
    if (--row->second.count == 0) m_rows.erase(row);
  }

  std::vector<Experimental::LabelledMemory> of(char const* space) {
    std::vector<Experimental::LabelledMemory> rows;
    {
      std::lock_guard const lock(m_mutex);
      for (auto const& [key, sum] : m_rows)
        if (key.first == space && sum.count > 0) rows.push_back({key.second, sum.bytes, sum.count});
    }
    std::stable_sort(rows.begin(), rows.end(), [](auto const& a, auto const& b) { return a.bytes > b.bytes; });
    return rows;
  }

 private:
  struct Sum {
    std::size_t bytes = 0, count = 0;
  };
  using Rows = std::map<std::pair<std::string, std::string>, Sum>;  // by space and label
  struct Allocation {
    Rows::iterator row;
    std::size_t bytes;
  };

  std::mutex m_mutex;
  Rows m_rows;
  std::unordered_map<void const*, Allocation> m_allocations;
};

}  // namespace

void record_allocation(char const* space, char const* label, void const* p, std::size_t bytes) noexcept {
  try {
    MemoryLabels::get().add(space, label, p, bytes);
  } catch (...) {  // no memory for the record: the allocation is missing in it
  }
}

void record_deallocation(void const* p) noexcept { MemoryLabels::get().remove(p); }

std::vector<Experimental::LabelledMemory> recorded_memory(char const* space) { return MemoryLabels::get().of(space); }

}  // namespace Impl

void Experimental::record_memory_labels(bool on) {
  if (on)
    Impl::MemoryLabels::get().start();
  else
    Impl::MemoryLabels::get().stop();
}

}  // namespace Kokkos
